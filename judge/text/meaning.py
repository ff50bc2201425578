"""From a `Written` whose places are clear to an `Order`, repaired as DATC 4.B and 4.C say.

A unit that stands on the board is taken as it stands there, whatever letter or coast was written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from judge.legality.check import Illegal, illegality, retreat_place
from judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Permit,
    Retreat,
    Ride,
    Support,
    Waive,
)
from judge.places import Location, Province
from judge.text.written import AmbiguousName, Place, UnreadableOrder, Written, WrittenUnit
from judge.units import Unit
from judge.variant_rules.base import Passage
from judge.wording import either

if TYPE_CHECKING:
    from judge.text.interpret import Interpreter


class Meaning(NamedTuple):
    """An order, why it is illegal if it is, and what was repaired in reading it.

    `guessed`: a name in it is misspelt or unclear, and was read in the only way that is legal.
    """

    order: Order
    illegal: Illegal | None
    notes: tuple[str, ...] = ()
    guessed: bool = False


class OrderMaker:
    """One written order with one choice of provinces, turned into an order step by step."""

    __slots__ = ("notes", "of", "provinces", "written", "wrong")

    def __init__(
        self, interpreter: Interpreter, written: Written, provinces: Sequence[int]
    ) -> None:
        self.of = interpreter
        self.written = written
        self.provinces = [interpreter.board.provinces[index] for index in provinces]
        self.notes: list[str] = []
        self.wrong: Illegal | None = None

    def meaning(self) -> Meaning:
        order = _MAKERS[self.written.action](self)
        of = self.of
        illegal = self.wrong or illegality(order, of.position, of.power, of.rules)
        return Meaning(order, illegal, tuple(self.notes))

    # Units and places.

    def unit(self) -> Unit:
        assert self.written.unit is not None, "only a waived build has no unit"
        return self.unit_in(self.written.unit, self.provinces[0])

    def aided(self) -> Unit:
        """Return the unit that is supported or convoyed."""
        assert self.written.aided is not None, "a support or convoy names a unit"
        self.check_nationality(self.written.aided, self.provinces[1])
        return self.unit_in(self.written.aided, self.provinces[1])

    def unit_in(self, written: WrittenUnit, province: Province) -> Unit:
        """Return the unit that stands there (4.B.5, 4.C.1, 4.C.2), or one just as written."""
        unit = self.of.unit_at[province.index]
        if self.of.step == "R" and province in self.of.position.dislodged_in:
            unit = self.of.position.dislodged_in[province].unit
        if unit is None:
            coast = written.place.coast if written.place.coast in province.coasts else None
            return Unit(written.kind, self.of.board.location(province, coast))
        if written.kind != unit.kind:
            self.note_letter(written, unit)
        if written.place.coast and written.place.coast != unit.location.coast:
            self.note_coast(written.place, unit.location)
        return unit

    def note_letter(self, written: WrittenUnit, unit: Unit) -> None:
        """Note that A or F is missing, or is not that of the unit which stands there."""
        rules = self.of.rules
        if not written.kind and rules.missing_letter == "a":
            self.wrong = Illegal(f"The unit's letter is missing: write {unit}.")
        elif written.kind and rules.wrong_letter == "a":
            self.wrong = Illegal(f"There is no {written.kind} {unit.location}, but {unit}.")
        elif written.kind:
            self.notes.append(f"Taken as {unit}, the unit that stands there.")

    def note_coast(self, place: Place, actual: Location) -> None:
        """Ignore or refuse a fleet's wrong coast (4.B.5), or a coast that is unknown there or
        written for an army (4.B.6)."""
        wrong = actual.coast is not None and place.coast in actual.province.coasts
        choice = self.of.rules.wrong_coast if wrong else self.of.rules.unknown_coast
        if choice == "a":
            self.wrong = Illegal(f"{place.text}({place.coast}) is wrong: write {actual}.")
        else:
            self.notes.append(f"The coast is ignored: taken as {actual}.")

    def check_nationality(self, written: WrittenUnit, province: Province) -> None:
        """Apply the choices of 4.C.5 and 4.C.6 that refuse a missing or wrong nationality."""
        rules = self.of.rules
        if (rules.wrong_nationality if written.nation else rules.missing_nationality) != "a":
            return
        unit = self.of.unit_at[province.index]
        if unit is not None and unit.power != (written.nation or self.of.power):
            adjective = self.of.position.variant.adjective(unit.power)
            self.wrong = Illegal(f"{unit} is {adjective}: write {adjective} {unit}.")

    def target(self) -> tuple[Place, Province, Location]:
        """Return the destination as written, its province, and the place without its coast."""
        assert self.written.to is not None, "a movement has a destination"
        province = self.provinces[-1]
        for step in self.written.to.through:
            if not any(self.of.board.provinces[index].convoys for index in step.provinces):
                self.wrong = Illegal(f"A path leads over seas, and {step.text} is not one.")
        return self.written.to, province, self.of.board.location(province)

    def named_coast(self, place: Place, province: Province) -> Location | None:
        """Return the place with the coast that was written, if the province has such a coast."""
        if place.coast is None:
            return None
        if place.coast in province.coasts:
            return self.of.board.location(province, place.coast)
        self.note_coast(place, self.of.board.location(province))
        return None

    # Orders.

    def hold(self) -> Order:
        unit = self.unit()
        self.ask_for_initial(unit)
        return Hold(unit)

    def ask_for_initial(self, unit: Unit) -> None:
        """Raise AmbiguousName if a unit holds or goes to H, and could go to a place that begins
        so: "F Kie - H"."""
        if not self.written.initial or self.of.step != "M" or not unit.kind:
            return
        board = self.of.board
        names = tuple(
            one.name
            for one in board.provinces
            if one.name.startswith("H") and board.arrivals(unit.kind, unit.location, one)
        )
        if names:
            meant = f"“H” could mean that {unit} holds, or that it goes to {either(names)}"
            sentence = f"{meant}; write “{unit} Holds”, or more of the name."
            raise AmbiguousName(sentence, "H", names)

    def move(self) -> Order:
        unit = self.unit()
        if self.of.step == "R":
            return Retreat(unit, self.retreat_to(unit))
        place, province, plain = self.target()
        if unit.kind != "F":
            if place.coast and unit.kind:
                self.note_coast(place, plain)
            if not self.written.by_convoy and (line := self.only_railway(unit, province)):
                self.notes.append(f"Taken as going by the {line.title}, the only way there.")
                return Ride(unit, plain, line.id)
            return Move(unit, plain, self.written.by_convoy, self.path(place))
        return Move(unit, self.sail_to(unit, place, province, plain))

    def only_railway(self, unit: Unit, to: Province) -> Passage | None:
        """Return the railway by which the army gets to a province that it reaches in no other
        way."""
        board, position = self.of.board, self.of.position
        by_land = board.army_reach[unit.location.index] >> to.index & 1
        if by_land or "land" not in (unit.location.province.kind, to.kind):
            return None
        rules = position.variant.own_rules
        return next((rule.railway for rule in rules if rule.rides(unit, to, position)), None)

    def ride(self) -> Order:
        """Make the ride to where it ends; the stops on the way may be written, too."""
        assert self.written.to is not None, "a ride has a destination"
        lines = (rule.railway for rule in self.of.position.variant.own_rules)
        stops = {stop.index for line in lines if line for stop in line.way}
        for one in self.written.to.through:
            if not stops.issuperset(one.provinces):
                self.wrong = Illegal(f"{one.text} is not on the railway.")
        return Ride(self.unit(), self.of.board.location(self.provinces[-1]), self.written.passage)

    def permit(self) -> Order:
        """Make the leave for a fleet to pass the canal that the power keeps."""
        for rule in self.of.position.variant.own_rules:
            if (stand_in := rule.stand_in(self.of.power)) and stand_in.name == self.written.passage:
                return Permit(stand_in, self.unit(), self.target()[2])
        raise UnreadableOrder("There is no canal on this map.", self.written.passage)

    def path(self, to: Place) -> tuple[Location, ...]:
        """Return the waters named on the way, or none if the rules ignore them (4.A.6 a)."""
        if self.of.rules.convoy_paths == "a":
            return ()
        for place in to.through:
            if len(place.provinces) > 1 or place.guessed:
                raise self.of.question((place,), [place.provinces])
        provinces = (self.of.board.provinces[place.provinces[0]] for place in to.through)
        return tuple(self.of.board.location(province) for province in provinces)

    def sail_to(self, unit: Unit, place: Place, province: Province, plain: Location) -> Location:
        """Return where a fleet goes: the coast written or the only one in reach (4.B.1-4.B.3)."""
        rules = self.of.rules
        named = self.named_coast(place, province)
        if not province.coasts or (named and rules.impossible_coast == "b"):
            return named or plain
        arrivals = self.of.board.arrivals("F", unit.location, province)
        if named in arrivals or not arrivals:
            return named or plain
        if len(arrivals) == 1 and (named or rules.one_coast_possible == "a"):
            self.notes.append(f"Taken as {arrivals[0]}, the only coast {unit} can reach.")
            return arrivals[0]
        if len(arrivals) > 1 and rules.two_coasts_possible == "default":
            self.notes.append(
                f"Taken as {arrivals[0]}, the coast that is meant when none is named."
            )
            return arrivals[0]
        return named or plain

    def retreat_to(self, unit: Unit) -> Location:
        """Return where the unit retreats to; an unnamed coast is the one that it can reach."""
        place, province, plain = self.target()
        dislodged = self.of.position.dislodged_in.get(unit.location.province)
        named = self.named_coast(place, province) if unit.kind == "F" else None
        if named or dislodged is None:
            return named or plain
        meant = retreat_place(plain, dislodged.retreats) or plain
        if meant != plain:
            self.notes.append(f"Taken as {meant}, the only coast {unit} can reach.")
        return meant

    def support(self) -> Order:
        unit, supported = self.unit(), self.aided()
        if self.written.to is None:
            self.ask_for_initial(supported)
            return Support(unit, supported)
        place, province, plain = self.target()
        if supported.kind != "F" or self.of.rules.support_coast == "DPTG":
            return Support(unit, supported, plain)
        return Support(unit, supported, self.named_coast(place, province) or plain)

    def convoy(self) -> Order:
        unit, army = self.unit(), self.aided()
        return Convoy(unit, army, self.target()[2])

    def disband(self) -> Order:
        return Disband(self.unit())

    def build(self) -> Order:
        """Make a build; the rules say what a missing letter or coast means."""
        assert self.written.unit is not None, "a build names its place"
        place, province, rules = self.written.unit.place, self.provinces[0], self.of.rules
        kind = self.written.unit.kind
        sites = self.of.board.fleet_places(province)
        if not sites and (kind == "" or rules.inland_fleet == "b"):
            kind = "A"
        if kind == "" and place.coast and rules.build_letter == "coast":
            kind = "F"
        at = self.of.board.location(province)
        if kind == "F" and province.coasts:
            named = self.named_coast(place, province)
            at = named or (sites[0] if rules.build_coast == "default" else at)
        return Build(self.of.power, kind, at)

    def waive(self) -> Order:
        return Waive(self.of.power)

    def bare(self) -> Order:
        """Read a unit on its own: in an adjustment phase there is only one thing to do with it."""
        assert self.written.unit is not None, "a bare order is a unit"
        written = self.written.unit
        if written.place.guessed and not written.kind:
            text = written.place.text
            raise UnreadableOrder(f"“{text}” is not clear; write it like {self.example()}.", text)
        number = self.of.position.adjustment(self.of.power) if self.of.step == "A" else 0
        if number:
            return self.build() if number > 0 else self.disband()
        raise UnreadableOrder(self.ask(self.unit()))

    def example(self) -> str:
        return (
            f"“{self.of.winter_example()}”"
            if self.of.step == "A"
            else str(self.of.gazetteer.example)
        )

    def ask(self, unit: Unit) -> str:
        """Say that the line names a unit and no order, and how to write one in this step."""
        if self.of.step == "A":
            return f"This does not say what {unit} should do; write it like {self.example()}."
        place = self.provinces[0]
        if not self.of.has_own_unit(place.index):
            like = self.of.move_to(place) or f"{self.of.like(unit.kind)} - ..."
            return f"This does not say which unit should do what; write it like “{like}”."
        if self.of.step == "R":
            write = f"write “{unit} - ...” or “Disband {unit}”."
            return f"This does not say what {unit} should do; {write}"
        return f"This does not say what {unit} should do; write for example “{unit} Holds”."


_MAKERS: dict[str, Callable[[OrderMaker], Order]] = {
    "": OrderMaker.bare,
    "hold": OrderMaker.hold,
    "move": OrderMaker.move,
    "support": OrderMaker.support,
    "convoy": OrderMaker.convoy,
    "disband": OrderMaker.disband,
    "build": OrderMaker.build,
    "waive": OrderMaker.waive,
    "ride": OrderMaker.ride,
    "permit": OrderMaker.permit,
}
