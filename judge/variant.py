"""A variant: everything about a game that is fixed before its first phase.

`judge.variants` loads one from its files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from json.encoder import encode_basestring_ascii as quoted
from pathlib import Path
from typing import Any, Literal, NamedTuple

from judge.board import Board, BoardError
from judge.board_edits import apply_edits, with_borders, without_borders
from judge.errors import UnknownName
from judge.phase import STANDARD, Calendar, Phase
from judge.places import Location, Province
from judge.text.languages import Language
from judge.text.names import NameTable
from judge.units import Unit
from judge.variant_files import Paragraph
from judge.variant_powers import Power
from judge.variant_rules.base import VariantRule
from judge.variant_rules.table import rules_of
from judge.wording import in_words

CHOICES = "+"
"""Separates the name of a variant from the choices of a game."""
BuildSites = Literal["home", "owned"]
Removals = Literal["by the rules", "home", "owned"]


@dataclass(frozen=True, slots=True)
class Texts:
    """What texts about one power mean, as far as we remember (`judge.state`)."""

    power: str
    units: dict[str, Unit] = field(default_factory=dict)
    """Its units, by the text for each."""
    centers: dict[tuple[str, ...], Mapping[Province, str]] = field(default_factory=dict)
    """For each list of its supply centres that a state has: the centres, owned by the power."""


class Ownership(NamedTuple):
    """Who owns which centres, as a position has it and as a state has it."""

    centers: Mapping[Province, str]
    holdings: Mapping[str, int]
    """How many centres each power owns."""
    lists: Sequence[tuple[str, Sequence[str]]]
    """The names of each power's centres, in the order of the state."""
    text: str = ""
    """The JSON that we write for it; "" until we have written it."""


class MapOption(NamedTuple):
    """A choice that players of a variant have about its map."""

    about: str
    """What it is about, in a few words."""
    default: str
    """The map's own choice, if the game makes none."""
    choices: Mapping[str, Mapping[str, Any]]
    """Per choice a `text` about it, and the borders to `add` and to `remove`."""


@dataclass(frozen=True, slots=True)
class Variant:
    """Everything about a game that is fixed before its first phase."""

    name: str
    title: str
    board: Board = field(compare=False)
    first_phase: Phase
    victory_centers: int
    build_sites: BuildSites
    """Where units are built: in own home centres, or in any owned centre (Chaos, DATC 11.A)."""
    by_name: Mapping[str, Power] = field(compare=False)
    removals: Removals = "by the rules"
    """The centres from which civil disorder measures: as 4.D.8 says, always home (1898, DATC 12.D),
    or always owned ones (Chaos, DATC 11.A)."""
    designer: str = ""
    """Who made it up, "" if nobody knows; `designer_source` in its `variant.json` says how we
    know."""
    calendar: Calendar = field(default=STANDARD, compare=False)
    """How its years pass."""
    paragraphs: tuple[Paragraph, ...] = field(default=(), compare=False)
    """Its `rules.txt`, without what the game's choices make untrue."""
    chosen: tuple[str, ...] = field(default=(), compare=False)
    """What a game chose otherwise than the variant itself, a sentence each."""
    names: NameTable = field(default_factory=NameTable, compare=False)
    """What players may call the provinces."""
    languages: tuple[Language, ...] = field(default=(), compare=False)
    """The languages other than English in which orders are read."""
    own_rules: tuple[VariantRule, ...] = field(default=(), compare=False)
    """Its rules beyond the standard ones (`judge.variant_rules`)."""
    facts: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """Its `variant.json`."""
    folder: Path | None = field(default=None, compare=False)
    """Its folder, if it is a variant of somebody's own."""
    year_round: Variant | None = field(default=None, compare=False)
    """The variant in a season in which its map differs; in all other seasons, itself."""
    _in_season: dict[str, Variant] = field(default_factory=dict, init=False, compare=False)
    _units: dict[tuple[str, int, str], Unit] = field(
        default_factory=dict, init=False, compare=False
    )
    _kin: dict[tuple[str, str], list[Unit | None]] = field(
        default_factory=dict, init=False, compare=False
    )
    texts: dict[str, Texts] = field(default_factory=dict, init=False, compare=False)
    """What is remembered of texts about each power."""
    last_ownership: list[Ownership] = field(default_factory=list, init=False, compare=False)
    """The one that a state had last, if any: centres change hands once a year, and a program that
    plays a game sends the same again and again."""
    _power_by_key: dict[str, str] = field(default_factory=dict, init=False, compare=False)

    has_plain_names: bool = field(init=False, compare=False)
    """Whether JSON changes nothing in the names of places and powers."""

    def __post_init__(self) -> None:
        names = [*self.by_name, *(place.name for place in self.board.locations)]
        plain = all(quoted(name) == f'"{name}"' for name in names)
        object.__setattr__(self, "has_plain_names", plain)

    def __repr__(self) -> str:
        return f"<Variant {self.name}>"

    @property
    def differs(self) -> tuple[str, ...]:
        """How it differs from the standard game, a paragraph for each difference."""
        return (*(one.text for one in self.paragraphs), *self.chosen)

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers' names, alphabetically."""
        return tuple(self.by_name)

    def power_called(self, name: str) -> str | None:
        """Return the power of that name, in upper or lower case; None for any other name."""
        known = self._power_by_key
        if not known:
            known.update({power.casefold(): power for power in self.by_name})
            known.update({power: power for power in self.by_name})
        return known.get(name) or known.get(name.casefold())

    def adjective(self, power: str) -> str:
        """Return "Austrian" for "Austria". Raises UnknownName."""
        return self.power(power).adjective

    def home_centers(self, power: str) -> tuple[Province, ...]:
        """Return the home centres of the power, whoever owns them now. Raises UnknownName."""
        return self.power(power).home_centers

    def power(self, name: str) -> Power:
        """Return the power of that name, in upper or lower case. Raises UnknownName."""
        found = self.by_name.get(name)
        if found is None:
            called = self.power_called(str(name))
            if called is None:
                raise UnknownName(self.no_power(name))
            found = self.by_name[called]
        return found

    def no_power(self, name: object) -> str:
        """Say that there is no such power, and which there are."""
        known = in_words(self.powers)
        return f"There is no power “{name}” in {self.title}. The powers are {known}."

    def unit(self, kind: Literal["A", "F", ""], location: Location, power: str) -> Unit:
        """Return the unit, always as the same object: positions share units, and compare them
        fast."""
        key = (kind, location.index, power)
        unit = self._units.get(key)
        if unit is None:
            unit = self._units[key] = Unit(kind, location, power)
            kin = self._kin.setdefault((kind, power), [None] * len(self.board.locations))
            kin[location.index] = unit
            object.__setattr__(unit, "kin", kin)
        return unit

    def has_map_of(self, other: Variant) -> bool:
        """Tell whether both are played on the same map, with the same edits."""
        return self.board is other.board or self.board.is_like(other.board)

    @property
    def season(self) -> str:
        """The season whose map it has; "" if that is the map of all year."""
        seen = self.year_round._in_season.items() if self.year_round else ()
        return next((season for season, there in seen if there is self), "")

    def at(self, phase: Phase) -> Variant:
        """Return the variant with its map in that phase: with ice in fall, for example."""
        if not self.own_rules:
            return self
        variant, season = self.year_round or self, phase.season
        there = variant._in_season.get(season)
        if there is None:
            there = variant._in_season[season] = variant._seen_in(season)
        return there

    def _seen_in(self, season: str) -> Variant:
        board = self.board
        for rule in self.own_rules:
            board = rule.board_in(season, board)
        if board is self.board:
            return self
        there = replace(self, board=board, year_round=self)
        # Units are the same all year.
        object.__setattr__(there, "_units", self._units)
        object.__setattr__(there, "_kin", self._kin)
        return there

    def counts(self, center: Province, power: str) -> bool:
        """Tell whether the centre counts for the power that owns it; by 7.A it may not."""
        return all(rule.counts(center, power) for rule in self.own_rules)

    @property
    def map_options(self) -> Mapping[str, MapOption]:
        """The choices that players of the variant have about its map, by name."""
        return {
            name: MapOption(option["about"], option["default"], option["choices"])
            for name, option in self.facts.get("map_options", {}).items()
        }

    def with_options(self, options: Mapping[str, object]) -> Variant:
        """Return the variant on its map with these choices, such as {"land_bridges": "hawes"}.

        Raises BoardError for an option or choice that does not exist, and names those that do.
        """
        board, told, called = self.board, self, self.name
        for name, choice in options.items():
            option, change = self._find_choice(name, str(choice))
            board = without_borders(board, change.get("remove", ()))
            board = with_borders(board, change.get("add", ()))
            about = f"{option.about[:1].upper()}{option.about[1:]}"
            told = told.telling(name, f"{about}: {change['text']}.")
            called = f"{called}{CHOICES}{name}={choice}"
        if board is self.board:
            return self
        return replace(told.on_board(board), name=called)

    def telling(self, option: str, chosen: str) -> Variant:
        """Return the variant with a sentence on a choice, and without what the choice makes
        untrue."""
        true = tuple(one for one in self.paragraphs if one.untrue_with != option)
        return replace(self, paragraphs=true, chosen=(*self.chosen, chosen))

    def _find_choice(self, name: str, choice: str) -> tuple[MapOption, Mapping[str, Any]]:
        option = self.map_options.get(name)
        if option is None:
            known = ", ".join(self.map_options)
            if not known:
                raise BoardError(f"{self.title} has no map_options.")
            raise BoardError(f"“{name}” is none of the map_options of {self.title}: {known}.")
        change = option.choices.get(choice)
        if change is None:
            known = ", ".join(option.choices)
            raise BoardError(f"There is no choice “{choice}” for {name}; there are {known}.")
        return option, change

    def edited(self, edits: Mapping[str, object]) -> Variant:
        """Return the variant on an edited board. Raises BoardError; see `judge.board_edits`."""
        return self.on_board(apply_edits(self.board, edits))

    def on_board(self, board: Board) -> Variant:
        """Return the variant on that board, with the rules that its borders call for."""
        return replace(self, board=board, own_rules=rules_of(self.facts, board))
