"""The board: provinces, the places in them where a unit can stand, and who can reach what.

A `Board` answers adjacency questions in two voices. Names and values (`Province`, `Location`) are
for the doors of the package; small integers and bit masks (`Province.index`, `Location.index`,
`Board.army_reach` ...) are for the resolver, which asks thousands of times a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from judge.errors import JudgeError, UnknownName
from judge.places import Border, Location, Province, WrittenKind

_PLACE = re.compile(
    r"^\s*(?P<name>[^(/]+?)\s*(?:[(/]\s*(?P<coast>[a-z.]+)\s*\)?)?\s*$", re.IGNORECASE
)

MOST_TEXTS, LONGEST_TEXT, MOST_LISTS = 4096, 60, 512
"""How many spellings of places, or of one power's units, we remember; how long they may be; and how
many lists of a power's centres we keep before we forget them all."""


class BoardError(JudgeError):
    """The map's data contradicts itself; the message says where."""


class Board:
    """Provinces and borders of one map, immutable once built.

    Bit masks are over `Province.index`, except where the name says `locations`.
    """

    def __init__(
        self, provinces: Iterable[Province], borders: Iterable[Border], slots: int = 0
    ) -> None:
        """Compile the map. Raises BoardError when a border names an unknown place.

        `slots` counts the decisions of the variant's own rules that belong to no province, such as
        one for each leg of a train. Their indices follow those of the provinces.
        """
        self.provinces: tuple[Province, ...] = tuple(
            replace(province, index=index) for index, province in enumerate(provinces)
        )
        self.borders: tuple[Border, ...] = tuple(borders)
        self.slots = slots
        marks = sorted({border.mark for border in self.borders if border.mark})
        first_mark = len(self.provinces) + slots
        self.bit: tuple[int, ...] = tuple(1 << i for i in range(first_mark + len(marks)))
        """The mask of each province, then of each slot: faster to look up than to make."""
        self.mark_bits: dict[str, int] = {m: 1 << first_mark + i for i, m in enumerate(marks)}
        """The bit for each mark that a border can have."""
        self.locations: tuple[Location, ...] = tuple(self._lay_out())
        self.centers: tuple[Province, ...] = tuple(p for p in self.provinces if p.center)
        self.center_by_name = {center.name: center for center in self.centers}
        self._province_by_name = dict(self._spellings())
        self._location_by_key = {(at.province.id, at.coast): at for at in self.locations}
        self.places_by_text: dict[str, Location] = {}
        """Places by what people wrote for them, as far as we remember it."""
        self._compile_borders()
        self._compile_seas()

    def _lay_out(self) -> Iterator[Location]:
        """Yield whole provinces first (so that their location index is their own), then coasts."""
        index = len(self.provinces)
        for province in self.provinces:
            yield Location(province, None, province.index, province.name)
        for province in self.provinces:
            for coast in province.coasts:
                yield Location(province, coast, index, f"{province.name}({coast})")
                index += 1

    def _spellings(self) -> Iterator[tuple[str, Province]]:
        for province in self.provinces:
            for word in province.abbreviations:
                yield word.casefold(), province
        for province in self.provinces:
            yield province.name.casefold(), province
            yield province.id.casefold(), province

    def _compile_borders(self) -> None:
        armies: list[set[int]] = [set() for _ in self.locations]
        fleets: list[set[int]] = [set() for _ in self.locations]
        touching: list[set[int]] = [set() for _ in self.provinces]
        for border in self.borders:
            one, other = self._end(border, border.one), self._end(border, border.other)
            for start, end in ((one, other), (other, one)):
                touching[start.province.index].add(end.province.index)
                if "A" in border.passable:
                    armies[start.index].add(end.index)
                if "F" in border.passable:
                    fleets[start.index].add(end.index)
        by_land = tuple(self._places(steps) for steps in armies)
        by_water = tuple(self._places(steps) for steps in fleets)
        self._steps = {"A": by_land, "F": by_water, "": ((),) * len(self.locations)}
        self.goals: Mapping[str, tuple[frozenset[int], ...]] = {
            kind: tuple(frozenset(at.index for at in places) for places in steps)
            for kind, steps in (("A", by_land), ("F", by_water))
        }
        """Per kind of unit and location: the locations it can enter in one step, coast by coast.
        Looking into a set takes a quarter of the time of shifting a bit down to look at it
        (2026-11)."""
        self.army_reach: tuple[int, ...] = tuple(_province_mask(s) for s in by_land)
        """Per location: the provinces an army there can enter in one step over land."""
        self.fleet_reach: tuple[int, ...] = tuple(_province_mask(s) for s in by_water)
        """Per location: the provinces a fleet there can enter, whatever the coast."""
        self.reaches: Mapping[str, tuple[int, ...]] = {"A": self.army_reach, "F": self.fleet_reach}
        self.neighbours: tuple[tuple[int, ...], ...] = tuple(tuple(sorted(t)) for t in touching)
        """Per province: all adjacent provinces, whatever unit can pass (civil disorder, 4.D.8)."""
        self.plain_goals: tuple[frozenset[int], ...] = tuple(
            frozenset(index for index in near if self._is_plain_step(start, index))
            for start, near in enumerate(touching)
        )
        """Per province: the adjacent ones that have one coast at most and that an army reaches
        without a convoy. Looking into a set takes half as long as looking at a mask, which to
        Python is an integer of three digits (2026-11)."""
        self._compile_marks()

    def _is_plain_step(self, start: int, end: int) -> bool:
        """Tell whether an adjacent province has a single coast and is not across a strait that only
        fleets pass."""
        one, other = self.provinces[start], self.provinces[end]
        strait = one.kind == other.kind == "coast" and not self.army_reach[start] >> end & 1
        return not other.coasts and not strait

    def _compile_marks(self) -> None:
        """Work out which borders are marked, and over which of them support can be given."""
        self.marked: dict[str, dict[str, tuple[int, ...]]] = {}
        """Per mark of a border, and per kind of unit: for each location the provinces that lie
        beyond such a border, as a mask. Empty where no border is marked."""
        reaches = {kind: list(masks) for kind, masks in self.reaches.items()}
        for border in self.borders:
            for kind in border.passable if border.mark else "":
                none = {"A": (0,) * len(self.locations), "F": (0,) * len(self.locations)}
                marked = self.marked.setdefault(border.mark, none)
                one, other = self._end(border, border.one), self._end(border, border.other)
                masks = list(marked[kind])
                for start, end in ((one, other), (other, one)):
                    masks[start.index] |= self.bit[end.province.index]
                    reaches[kind][start.index] &= ~self.bit[end.province.index]
                marked[kind] = tuple(masks)
        self.support_reaches: Mapping[str, tuple[int, ...]] = (
            {kind: tuple(masks) for kind, masks in reaches.items()} if self.marked else self.reaches
        )
        """Per kind of unit and location: the provinces that it can support into."""

    def _compile_seas(self) -> None:
        self.convoyable: int = mask_of(p.index for p in self.provinces if p.convoys)
        """The provinces in which a fleet can convoy."""
        self.coastal: int = mask_of(p.index for p in self.provinces if p.kind == "coast")
        """The provinces from and to which an army can be convoyed."""
        self.shores: tuple[int, ...] = tuple(self._fleet_contacts(p) for p in self.provinces)
        """Per province: the provinces with fleet passage to any of its coasts."""

    def _fleet_contacts(self, province: Province) -> int:
        reach = self.fleet_reach[province.index]
        for coast in province.coasts:
            reach |= self.fleet_reach[self._location_by_key[province.id, coast].index]
        return reach

    def _end(self, border: Border, text: str) -> Location:
        name, _, coast = text.partition("/")
        found = self._location_by_key.get((name, coast or None))
        if found is None:
            raise BoardError(
                f"The border {border.one} - {border.other} names {text}, which is not a place here."
            )
        return found

    def _places(self, steps: set[int]) -> tuple[Location, ...]:
        return tuple(self.locations[index] for index in sorted(steps))

    def province(self, text: str) -> Province:
        """Return the province of that exact full name, id or abbreviation, in upper or lower case.

        Raises UnknownName for any other text; `province_named` knows what else people may write.
        """
        province = self._province_by_name.get(text.casefold())
        if province is None:
            raise UnknownName(f"There is no province “{text}” on this map.")
        return province

    def location(self, province: Province, coast: str | None = None) -> Location:
        """Return the place in `province` (at that coast). Raises UnknownName if it has no such
        coast."""
        place = self._location_by_key.get((province.id, coast))
        if place is None:
            raise UnknownName(f"There is no coast “{coast}” of {province}.")
        return place

    def place(self, text: str) -> Location:
        """Return the place written as "Paris", "par", "Spain(nc)", "spa/nc" or "Spain (N.C.)".

        Raises UnknownName when the province or its coast does not exist.
        """
        place = self.places_by_text.get(text)
        if place is None:
            place = self._place_said(text)
            if len(text) <= LONGEST_TEXT and len(self.places_by_text) < MOST_TEXTS:
                self.places_by_text[text] = place
        return place

    def _place_said(self, text: str) -> Location:
        match = _PLACE.match(text)
        if match is None:
            raise UnknownName(f"There is no place “{text}” on this map.")
        coast = match["coast"]
        return self.location(
            self.province(match["name"]), coast.lower().replace(".", "") if coast else None
        )

    def steps(self, kind: WrittenKind, start: Location) -> tuple[Location, ...]:
        """Return the places a unit of that kind at `start` can enter without a convoy."""
        return self._steps[kind][start.index]

    def arrivals(self, kind: WrittenKind, start: Location, end: Province) -> tuple[Location, ...]:
        """Return the places in `end` that the unit can enter: two if the order has to name a
        coast."""
        return tuple(at for at in self.steps(kind, start) if at.province.index == end.index)

    def reach(self, kind: WrittenKind, start: Location) -> int:
        """Return the mask of the provinces that the unit can enter by itself, and so support
        into."""
        return self.reaches[kind][start.index] if kind else 0

    def can_stand(self, kind: WrittenKind, at: Location) -> bool:
        """Tell whether a unit of that kind may stand there; some fleets need a coast."""
        where = at.province.kind
        if kind == "A":
            return at.coast is None and where in ("land", "coast")
        on_water = kind == "F" and where in ("sea", "coast")
        return on_water and (at.coast is not None or not at.province.coasts)

    def fleet_places(self, province: Province) -> tuple[Location, ...]:
        """Return the places in `province` where a fleet may stand: none, one, or one per coast."""
        here = (None, *province.coasts)
        places = (self._location_by_key[province.id, coast] for coast in here)
        return tuple(at for at in places if self.can_stand("F", at))

    def is_like(self, other: Board) -> bool:
        """Tell whether the other has the same provinces and borders."""
        return (
            self.provinces == other.provinces
            and self.borders == other.borders
            and self.convoyable == other.convoyable
        )

    def changed(
        self,
        *,
        provinces: Iterable[Province] | None = None,
        borders: Iterable[Border] | None = None,
    ) -> Board:
        """Return the board with these borders and provinces in place of its own, and the same
        number of slots."""
        return Board(
            self.provinces if provinces is None else provinces,
            self.borders if borders is None else borders,
            self.slots,
        )


def mask_of(indices: Iterable[int]) -> int:
    """Return the bit mask with these bits set."""
    mask = 0
    for index in indices:
        mask |= 1 << index
    return mask


def bits(mask: int) -> Iterator[int]:
    """Yield the indices of the bits set, lowest first."""
    while mask:
        # In two's complement, -mask has the lowest bit of the mask and no other in common with it.
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _province_mask(steps: Iterable[Location]) -> int:
    return mask_of(at.province.index for at in steps)
