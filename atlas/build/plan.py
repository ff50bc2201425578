"""The plan of a board: zones made of countries, the seeds of provinces, the lenses."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Spot = tuple[float, float]
"""Longitude and latitude in degrees."""
_NOBODYS = ("lake", "neutral")
_EUROPE = (-40.0, 24.0, 75.0, 90.0)


@dataclass(frozen=True)
class Zone:
    """Countries of today whose common outline the drawing keeps, and the provinces inside it."""

    countries: tuple[str, ...]
    provinces: tuple[str, ...]


@dataclass(frozen=True)
class Lens:
    """Spreads what lies within about `radius` km of `at`, in the middle by 1 + `strength`."""

    at: Spot
    strength: float
    radius: float


@dataclass(frozen=True)
class Projection:
    """Lambert's conformal conic with two true parallels; degrees."""

    meridian: float
    latitude: float
    parallels: tuple[float, float]


@dataclass(frozen=True)
class Plan:
    """Everything that a person decided about a drawing; the rest is Natural Earth and geometry."""

    projection: Projection
    frame: tuple[float, float, float, float]
    """Left, bottom, right and top in km from the projection's centre, after the lenses."""
    lenses: tuple[Lens, ...]
    zones: Mapping[str, Zone]
    impassable: Mapping[str, tuple[str, ...]]
    """Impassable provinces and the countries that make them."""
    neutral_islands: tuple[Spot, ...]
    straits: Mapping[str, tuple[tuple[Spot, ...], ...]]
    """Per province: strips of land that close a strait to ships."""
    sunk: tuple[tuple[Spot, ...], ...]
    """Rings of land drawn as water, where the game has seas that meet and the world does not."""
    gifts: Mapping[str, tuple[Spot, ...]]
    """Per zone: spots on parts of other countries that belong to the zone, such as Ulster or the
    Crimea."""
    seeds: Mapping[str, tuple[Spot, ...]]
    wishes: Mapping[str, Spot]
    """Where a province's unit should stand, if the search would choose badly."""
    stars: Mapping[str, Spot]
    """Where a centre's star stands, if the search would choose badly."""
    homelands: Mapping[str, str]
    """Provinces without a centre that are a power's own country at the start, each with that
    power."""
    crossings: tuple[frozenset[str], ...]
    """Neighbours in the game that the drawing joins by a link, because they do not touch on it."""
    passages: Mapping[str, tuple[Spot, ...]]
    """Per railway or canal of the variant's rules, by its id: where its line goes."""
    least_border: float
    """The least length of a border in pixels, before its lines are smoothed."""
    nobodys: tuple[str, ...]
    """Ground that seeds share out but no border of the game touches: neutral land, other water,
    mountains."""
    width: float
    """Pixels across the sheet."""
    region: tuple[float, float, float, float]
    """West, south, east and north in degrees: we do not read what lies wholly outside."""

    @property
    def on_land(self) -> Mapping[str, str]:
        """The zone of each land province."""
        return {name: key for key, zone in self.zones.items() for name in zone.provinces}

    @property
    def seas(self) -> tuple[str, ...]:
        """The provinces that lie in no zone of land."""
        return tuple(name for name in self.seeds if name not in self.on_land)

    def realm(self, name: str) -> str:
        """Return "sea", or the zone of a land province; "" for other ground."""
        if name in self.nobodys:
            return ""
        return "sea" if name in self.seas else self.on_land.get(name, "")


def read_plan(path: Path) -> Plan:
    """Read a plan from its TOML file."""
    facts: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    frame = facts["frame"]
    projection = facts["projection"]
    return Plan(
        projection=Projection(
            projection["meridian"], projection["latitude"], tuple(projection["parallels"])
        ),
        frame=(frame["left"], frame["bottom"], frame["right"], frame["top"]),
        lenses=tuple(
            Lens(tuple(lens["at"]), lens["strength"], lens["radius"]) for lens in facts["lens"]
        ),
        zones={
            key: Zone(tuple(zone["countries"]), tuple(zone["provinces"]))
            for key, zone in facts["zones"].items()
        },
        impassable={key: tuple(names) for key, names in facts.get("impassable", {}).items()},
        neutral_islands=tuple(tuple(spot) for spot in facts["neutral_islands"].values()),
        straits={key: tuple(map(_spots, lines)) for key, lines in facts["straits"].items()},
        sunk=tuple(map(_spots, facts.get("sunk", {}).values())),
        gifts={key: _spots(text) for key, text in facts.get("gifts", {}).items()},
        seeds={key: _spots(text) for key, text in facts["seeds"].items()},
        wishes={key: tuple(spot) for key, spot in facts.get("units", {}).items()},
        stars={key: tuple(spot) for key, spot in facts.get("stars", {}).items()},
        homelands={
            name: power for power, text in facts["homelands"].items() for name in text.split()
        },
        crossings=tuple(frozenset(key.split("-")) for key in facts.get("crossings", {})),
        passages={key: _spots(text) for key, text in facts.get("passages", {}).items()},
        least_border=float(facts.get("least_border", 14)),
        nobodys=(*_NOBODYS, *facts.get("nobodys", ())),
        width=float(facts.get("width", 1000)),
        region=tuple(facts.get("region", _EUROPE)),
    )


def _spots(text: str) -> tuple[Spot, ...]:
    pairs = (pair.split() for pair in text.split(","))
    return tuple((float(east), float(north)) for east, north in pairs)
