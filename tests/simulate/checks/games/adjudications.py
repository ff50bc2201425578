"""Each phase is adjudicated once, with what came last in time, and units are conserved."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from dataclasses import dataclass
from typing import Any

from tests.simulate.checks.evidence import EARLY_DELAY, Broken, Evidence, time_of, title_of
from tests.simulate.checks.games import timeline
from tests.simulate.machinery.post import LATEST
from tests.simulate.players.writers import Letter

EMERGENCY = {"1900": ("Russia",)}
"""Who may have one unit more than centres."""
SECOND = dt.timedelta(seconds=1)


@dataclass
class Adjudications:
    """The phases that were processed."""

    seen: Evidence
    phases: int = 0
    game_years: int = 0

    def processed(self, phase_id: int) -> sqlite3.Row:
        """Check a phase that was just adjudicated, and return it. Raises Broken."""
        phase = self.seen.rows(
            f"""select phase.*, game.name as game, game.transit_grace as grace, game.variant,
                      {EARLY_DELAY} as early_delay
                 from games_phase phase join games_game game on game.id = phase.game_id
                where phase.id = ?""",
            phase_id,
        )[0]
        what = f"{phase['game']} {phase['name']}"
        times = self.seen.rows(
            "select count(*) as n from games_event where phase_id = ? and kind = 'phase_processed'",
            phase_id,
        )[0]["n"]
        if times != 1:
            raise Broken(f"{what} was adjudicated {times} times")
        self.phases += 1
        self.game_years += phase["name"].startswith("F") and phase["name"].endswith("M")
        orders = json.loads(phase["orders"])
        self._in_time(phase, orders, what)
        timeline.follows(self.seen, phase)
        self._units(phase, what)
        self.seen.public += "\n".join(line for lines in orders.values() for line in lines) + "\n"
        results = json.loads(phase["outcome"])["results"]
        self.seen.public += "\n".join(str(one["order"]) for one in results) + "\n"
        return phase

    def _in_time(self, phase: sqlite3.Row, orders: dict[str, list[str]], what: str) -> None:
        processed, due = time_of(phase["processed_at"]), time_of(phase["due_at"])
        assert processed
        grace = dt.timedelta(microseconds=phase["grace"])
        closes = [processed] if due is None or processed < due + grace else [due + grace]
        if phase["overdue_at"]:
            closes.append(processed)
        if all_in := time_of(phase["all_in_at"]):
            early = dt.timedelta(microseconds=phase["early_delay"])
            closes.append(min(all_in + early, processed))
            if phase["overdue_at"]:
                closes.append(all_in)  # nobody has second thoughts in an overdue phase
            # What ends early waits for no mail that the mailbox shows later than it came.
            closes += [at - LATEST for at in closes]
        if not (phase["all_in_at"] or phase["overdue_at"] or self._is_by_hand(phase)):
            self._not_before_its_deadline(phase, what)
        self._sets_in_time(phase, max(closes), what)
        for power, lines in orders.items():
            letters = self._letters_for(phase, power)
            if letters is None or self._changed_hands(phase, power):
                continue
            kept = self._kept(phase, power)
            if kept is None or self._set_by_the_gm(phase, power):
                continue
            closings = [*closes, *self._read_by_then(phase, letters)]
            allowed = [self._last(letters, closing) or [kept] for closing in closings]
            if sorted(lines) not in [sorted(one) for wanted in allowed for one in wanted]:
                came = [(one.message_id, *self.seen.deliveries[one.message_id]) for one in letters]
                raise Broken(
                    f"{what}: {power} was adjudicated with {lines}, not with {allowed}, which stood"
                    f" at {list(map(str, closes))}; letters came {came}"
                )

    def _read_by_then(self, phase: sqlite3.Row, letters: list[Letter]) -> list[dt.datetime]:
        """Until when letters may have been read when a GM had the phase processed at once: that
        waits for no mail, neither for what came after the GM's own nor for what came before."""
        if not self._is_by_hand(phase):
            return []
        copies = [self.seen.deliveries.get(one.message_id, []) for one in letters]
        return [phase["opened_at"].replace(tzinfo=dt.UTC), *(min(came) for came in copies if came)]

    def _is_by_hand(self, phase: sqlite3.Row) -> bool:
        """Whether a GM had the phase processed."""
        query = "select payload from games_event where phase_id = ? and kind = 'phase_processed'"
        [event] = self.seen.rows(query, phase["id"])
        return bool(json.loads(event["payload"]).get("by"))

    def _not_before_its_deadline(self, phase: sqlite3.Row, what: str) -> None:
        """Whatever the clock of our machine shows, everybody has the time that they were told."""
        due, now = time_of(phase["due_at"]), self.seen.now()
        if due and now < due:
            raise Broken(f"{what} was adjudicated at {now}, before its deadline, {due}")

    def _letters_for(self, phase: sqlite3.Row, power: str) -> list[Letter] | None:
        """The power's letters for the phase; None when it is not plain what stands after them."""
        wanted = phase["game"], power, title_of(phase["name"])
        found = [
            one
            for one in self.seen.letters.values()
            if (one.game, one.power, one.phase) == wanted
            and (one.is_ahead or self._is_for(one, phase))
        ]
        if any(one.subject and one.made_for != phase["id"] for one in found):
            return None  # a page names a phase, and not which of that name
        return found if all(one.is_whole for one in found) else None

    def _is_for(self, letter: Letter, phase: sqlite3.Row) -> bool:
        """Whether a letter is for this phase, and not for one of that name that was taken back:
        what a mail says that was written before the phase was opened, is of another time. So is
        what answers a mail that the server does not know, since it went back to a backup."""
        if letter.about is None:
            return True
        query = "select 1 from mailer_outboundmail where message_id = ? and opens_id = ?"
        if self.seen.rows(query, letter.about.message_id, phase["id"]):
            return True  # whoever wrote it may have read the clock before the phase was opened
        written = self.seen.written_at(letter.about.message_id, letter.to)
        return written is not None and written >= phase["opened_at"]

    def _changed_hands(self, phase: sqlite3.Row, power: str) -> bool:
        rows = self.seen.rows(
            """select seat.since, seat.until, power.open_since from games_seat seat
                 join games_power power on power.id = seat.power_id
                where power.game_id = ? and power.name = ?""",
            phase["game_id"],
            power,
        )
        opened = phase["opened_at"]
        return any(
            row["since"] > opened
            or (row["open_since"] if row["until"] is None else row["until"] >= opened)
            for row in rows
        )

    def _last(self, letters: list[Letter], closing: dt.datetime) -> list[tuple[str, ...]]:
        """The orders that stand when this time is over: several if they came in one second."""
        came = [
            (min(self.seen.deliveries[one.message_id]), one.orders)
            for one in letters
            if self.seen.deliveries.get(one.message_id)
        ]
        in_time = [pair for pair in came if pair[0] <= closing]
        latest = max((at for at, _ in in_time), default=None)
        return [lines for at, lines in in_time if at == latest]

    def _kept(self, phase: sqlite3.Row, power: str) -> tuple[str, ...] | None:
        """The orders with which a phase began, because it is played again with those that stood;
        None where that is not plain, because it was taken back before it was over."""
        query = """select payload from games_event
                    where phase_id = ? and kind = 'game_rolled_back'"""
        back = self.seen.rows(query, phase["id"])
        if not back or not json.loads(back[0]["payload"]).get("orders_kept"):
            return ()
        query = """select orders, processed_at from games_phase where game_id = ? and name = ?
                      and number < ? order by number desc limit 1"""
        [undone] = self.seen.rows(query, phase["game_id"], phase["name"], phase["number"])
        return (
            tuple(json.loads(undone["orders"]).get(power, ())) if undone["processed_at"] else None
        )

    def not_by_mail(self, phase: sqlite3.Row) -> frozenset[str]:
        """The powers whose orders something else than their players' own mails may have changed:
        they have another player, or the GM ordered for them."""
        query = "select name from games_power where game_id = ?"
        powers = (row["name"] for row in self.seen.rows(query, phase["game_id"]))
        return frozenset(
            power
            for power in powers
            if self._changed_hands(phase, power) or self._set_by_the_gm(phase, power)
        )

    def _set_by_the_gm(self, phase: sqlite3.Row, power: str) -> bool:
        query = "select payload from games_event where phase_id = ? and kind = 'orders_set'"
        events = self.seen.rows(query, phase["id"])
        return any(json.loads(event["payload"])["power"] == power for event in events)

    def _sets_in_time(self, phase: sqlite3.Row, closing: dt.datetime, what: str) -> None:
        query = """
            select sets.received_at, sets.late, sets.counts, sets.source, power.name as power
              from games_orderset sets join games_power power on power.id = sets.power_id
             where phase_id = ? and seat_id is not null
        """
        for row in self.seen.rows(query, phase["id"]):
            received = time_of(row["received_at"])
            assert received
            if (
                row["source"] in self.seen.deliveries
                and received not in self.seen.deliveries[row["source"]]
            ):
                raise Broken(f"{what}: {row['source']} did not come at {received}")
            if row["counts"] and not row["late"] and received > closing + SECOND:
                raise Broken(f"{what}: orders of {row['power']} count that came too late")

    def _units(self, phase: sqlite3.Row, what: str) -> None:
        """No unit comes from nowhere, none is lost: by counting, without the judge."""
        after = self.seen.rows(
            "select name, position from games_phase where game_id = ? and number = ?",
            phase["game_id"],
            phase["number"] + 1,
        )
        if not after:
            return
        before, now = json.loads(phase["position"]), json.loads(after[0]["position"])
        step = phase["name"][-1]
        had = _count(before["units"]) + len(before["dislodged"])
        has = _count(now["units"]) + len(now["dislodged"])
        if step == "M" and has != had - _destroyed(phase):
            raise Broken(f"{what}: {had} units became {has}")
        if step == "R" and not _count(before["units"]) <= has <= had:
            raise Broken(f"{what}: {had} units became {has} by retreats")
        if step == "A":
            for power, units in now["units"].items():
                allowed = len(now["centers"].get(power, ())) + (
                    power in EMERGENCY.get(phase["variant"], ())
                )
                if len(units) > allowed:
                    raise Broken(f"{what}: {power} has more units than centres")


def _count(units: dict[str, list[Any]]) -> int:
    return sum(map(len, units.values()))


def _destroyed(phase: sqlite3.Row) -> int:
    """How many units were driven out with nowhere to go."""
    return sum("destroyed" in one["result"] for one in json.loads(phase["outcome"])["results"])
