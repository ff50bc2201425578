"""JSON Lines states: what other programs write about a position, turned into its parts.

The same few texts come again and again. The board remembers what each means for places, the variant
for units and for lists of centres; reading a state is nearly eight times as fast that way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict, cast

from judge.board import LONGEST_TEXT, MOST_LISTS, MOST_TEXTS
from judge.errors import PositionError, UnknownName
from judge.layout import Layout, layout_of
from judge.phase import Phase, PhaseError
from judge.places import Location, Province, UnitKind
from judge.text.spelling import near_word
from judge.units import Dislodged, DislodgedJson, Unit
from judge.variant import Ownership, Texts, Variant

FIELDS = (
    *("id", "list", "variant", "rules", "map_options", "edits"),
    *("phase", "units", "centers", "dislodged", "orders", "reasons"),
)
"""The fields that a question at the JSON Lines door may have, those of a state among them."""


class StateJson(TypedDict):
    """A state as we write it. `phase` is "S1901M"; `units` ("A Paris") and `centers` ("Paris") are
    full names by power, without a power that has none."""

    phase: str
    units: dict[str, list[str]]
    centers: dict[str, list[str]]
    dislodged: list[DislodgedJson]


class State(NamedTuple):
    """The parts of a position."""

    variant: Variant
    """With the map of the season."""
    phase: Phase
    units: tuple[Unit, ...]
    centers: Mapping[Province, str]
    holdings: Mapping[str, int]
    """How many of these each power owns, in the order of the powers."""
    dislodged: tuple[Dislodged, ...]
    layout: Layout
    """Of its units."""


def read_state(variant: Variant, state: Mapping[str, object]) -> State:
    """Read {"phase", "units", "centers", "dislodged"}. Raises PositionError for the first thing
    that cannot be."""
    if type(state) is not dict:
        refuse_no_state(state)
    if state.get("phase") is None:
        raise PositionError("The phase is missing.")
    try:
        phase = Phase.parse(str(state["phase"]))
    except PhaseError as error:
        raise PositionError(str(error)) from None
    return _StateReader(variant.at(phase)).read(phase, state)


class _StateReader:
    """Reads one state on the map of its season."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.board = variant.board

    def read(self, phase: Phase, state: Mapping[str, object]) -> State:
        units = self.units(_mapping(state, "units"))
        leaving = _value(state, "dislodged", [])
        if leaving and phase.step != "R":
            raise PositionError(f"There are dislodged units, but {phase} is not a retreat phase.")
        dislodged = tuple(self.dislodged(leaving))
        layout = layout_of(units, self.variant)
        if layout.occupied.bit_count() < len(units):
            refuse_crowds(units)
        if dislodged:
            refuse_crowds([one.unit for one in dislodged])
            refuse_occupied_retreats(units, dislodged)
        owned = self.centers(_mapping(state, "centers"))
        centers, holdings = owned.centers, owned.holdings
        return State(self.variant, phase, units, centers, holdings, dislodged, layout)

    def power(self, text: object) -> str:
        power = self.variant.power_called(str(text))
        if power is None:
            raise PositionError(self.variant.no_power(text))
        return power

    def texts_about(self, key: object) -> Texts:
        """Return what is remembered of texts about that power."""
        power = self.power(key)
        return self.variant.texts.setdefault(power, Texts(power))

    def units(self, lists: Mapping[str, Any]) -> tuple[Unit, ...]:
        units: list[Unit] = []
        remembered = self.variant.texts
        for key, texts in lists.items():
            about = remembered.get(key) or self.texts_about(key)
            if type(texts) is not list:
                texts = _list_of(texts, "units", about.power)
            known = about.units
            try:
                units += [known[text] for text in texts]
            except (KeyError, TypeError):
                # One of them is new here, or is not a text at all.
                units += [self.unit(about, text) for text in texts]
        return tuple(units)

    def unit(self, about: Texts, text: object) -> Unit:
        unit, known = self.unit_said(about.power, text), about.units
        if type(text) is str and len(text) <= LONGEST_TEXT and len(known) < MOST_TEXTS:
            known[text] = unit
        return unit

    def unit_said(self, power: str, text: object) -> Unit:
        letter, _, place = str(text).strip().partition(" ")
        kind = cast(UnitKind, letter.upper())
        if kind not in ("A", "F"):
            raise PositionError(f"The unit “{text}” must begin with A or F and a space.")
        at = self.place(place)
        if kind == "A" and at.coast:
            at = self.board.location(at.province)
        if not self.board.can_stand(kind, at):
            raise PositionError(self.why_not_there(kind, at))
        return self.variant.unit(kind, at, power)

    def why_not_there(self, kind: UnitKind, at: Location) -> str:
        if kind == "F" and at.province.coasts:
            return f"F {at} needs its coast: {' or '.join(at.province.coasts)}."
        return f"{'An army' if kind == 'A' else 'A fleet'} cannot stand in {at}."

    def place(self, text: object) -> Location:
        try:
            return self.board.place(str(text))
        except UnknownName:
            raise PositionError(f"There is no place “{text}” on the map.") from None

    def centers(self, lists: Mapping[str, Any]) -> Ownership:
        """Return who owns what: often the same as in the state before."""
        listed = [*lists.items()]
        for known in self.variant.last_ownership:
            if known.lists == listed:
                return known
        owner, count = self.owners(lists)
        known = Ownership(owner, count, [(power, [*names]) for power, names in listed])
        if sum(map(len, lists.values())) <= len(self.board.centers):
            self.variant.last_ownership[:] = [known]
        return known

    def owners(self, lists: Mapping[str, Any]) -> tuple[dict[Province, str], dict[str, int]]:
        holdings: list[Mapping[Province, str]] = []
        count = dict.fromkeys(self.variant.by_name, 0)
        remembered = self.variant.texts
        for key, texts in lists.items():
            about = remembered.get(key) or self.texts_about(key)
            listed = _list_of(texts, "centers", about.power)
            try:
                holding = about.centers.get(tuple(listed))
            except TypeError:
                holding = None  # There is something in it that is no text.
            if holding is None:
                holding = self.holding(about, listed)
            holdings.append(holding)
            count[about.power] += len(holding)
        owner: dict[Province, str] = {}
        for holding in holdings:
            # Going from dictionary to dictionary hashes no province, which would take 1,000
            # instructions.
            owner |= holding
        if len(owner) < sum(count.values()):
            refuse_shared(holdings)
        return owner, count

    def holding(self, about: Texts, texts: Sequence[Any]) -> Mapping[Province, str]:
        """Return the centres of a list, each with the power as its owner."""
        known = self.board.center_by_name
        try:
            holding = dict.fromkeys([known[text] for text in texts], about.power)
        except (KeyError, TypeError):
            return dict.fromkeys(map(self.center, texts), about.power)
        if len(texts) <= len(known):
            if len(about.centers) >= MOST_LISTS:
                about.centers.clear()
            about.centers[tuple(texts)] = holding
        return holding

    def center(self, text: object) -> Province:
        province = self.place(text).province
        if not province.center:
            raise PositionError(f"{province} is not a supply centre.")
        return province

    def dislodged(self, entries: object) -> Iterator[Dislodged]:
        for entry in _list_of(entries, "dislodged units"):
            if not isinstance(entry, Mapping) or not entry.keys() >= _DISLODGED:
                raise PositionError(f"A dislodged unit needs power, unit and retreats: {entry!r}.")
            unit = self.unit(self.texts_about(entry["power"]), entry["unit"])
            retreats = _list_of(entry["retreats"], "retreats", unit)
            yield Dislodged(unit, tuple(self.retreat(unit, text) for text in retreats))

    def retreat(self, unit: Unit, text: object) -> Location:
        place = self.place(text)
        if place not in self.board.steps(unit.kind, unit.location):
            raise PositionError(f"{unit} cannot retreat to {place}, which it cannot reach.")
        return place


def refuse_no_state(state: object) -> None:
    """Raise PositionError for anything but a dictionary."""
    if not isinstance(state, Mapping):
        what = type(state).__name__
        raise PositionError(f"A state must be a dictionary with its phase and units, not a {what}.")


def refuse_occupied_retreats(units: Iterable[Unit], dislodged: Iterable[Dislodged]) -> None:
    """Raise PositionError if a unit may retreat to where another stands."""
    standing = {unit.at: unit for unit in units}
    for one in dislodged:
        for place in one.retreats:
            if other := standing.get(place.province.index):
                raise PositionError(f"{one.unit} cannot retreat to {place}, where {other} stands.")


def refuse_shared(holdings: Iterable[Mapping[Province, str]]) -> None:
    """Raise PositionError if a centre belongs to two powers."""
    owner: dict[Province, str] = {}
    for holding in holdings:
        for center, power in holding.items():
            if owner.setdefault(center, power) != power:
                raise PositionError(f"{center} belongs to {owner[center]} and to {power}.")


def refuse_crowds(units: Sequence[Unit]) -> None:
    """Raise PositionError if two of the units stand in one province."""
    if len({unit.at for unit in units}) == len(units):
        return
    first: dict[int, Unit] = {}
    for unit in units:
        if unit.at in first:
            where = unit.location.province
            raise PositionError(f"{first[unit.at]} and {unit} cannot both stand in {where}.")
        first[unit.at] = unit


_DISLODGED = {"power", "unit", "retreats"}


def _value(state: Mapping[str, object], key: str, default: Any) -> Any:
    """Return what the state has under the key, or the default. Raises PositionError if the key is
    only misspelt: passed over, it would make another position."""
    value = state.get(key)
    if value is not None:
        return value
    for name in state.keys() - FIELDS:
        if near_word(str(name).casefold(), (key,)):
            raise PositionError(f'There is no field "{name}"; do you mean "{key}"?')
    return default


def _mapping(state: Mapping[str, object], key: str) -> Mapping[str, Any]:
    value = state.get(key)
    if type(value) is dict:
        return value
    value = _value(state, key, {})
    if not isinstance(value, Mapping):
        raise PositionError(f"The {key} must be an object with a list per power.")
    return value


def _list_of(value: object, what: str, whose: object = "") -> list[Any]:
    if not isinstance(value, list):
        raise PositionError(f"The {what}{whose and f' of {whose}'} must be a list.")
    return value
