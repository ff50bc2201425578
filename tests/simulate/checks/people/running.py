"""What is promised about a game master who runs a game by mail.

What happens in a GM's name they asked for, in a mail of theirs that nobody forged; what cannot be
taken back they confirmed; and each mail does it once. What a GM gets wrong, and what others write
in their place, changes nothing, and whoever wrote it is told that it was not done.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.simulate.checks.evidence import Broken, Evidence, time_of
from tests.simulate.checks.games import corrections
from tests.simulate.checks.games.pauses import Pauses
from tests.simulate.checks.people import askers
from tests.simulate.checks.people.handovers import Handovers
from tests.simulate.players.writers import Letter

THE_GM = "the GM"
ASKED_BY = {
    "deadline_moved": ("EXTEND", "REPLACE"),
    "deadline_corrected": ("EXTEND",),
    "game_paused": ("PAUSE",),
    "game_resumed": ("RESUME",),
    "miss_excused": ("EXCUSE",),
    "seat_offered": ("OFFER", "VACATE"),
    "seat_vacated": ("VACATE", "REPLACE", "ROLLBACK"),
    "seat_taken": ("REPLACE",),
    "disorder_declared": ("DISORDER",),
    "disorder_ended": ("ENDDISORDER", "REPLACE"),
    "orders_set": ("SETORDERS",),
    "phase_processed": ("PROCESS",),
    "game_rolled_back": ("ROLLBACK",),
    "game_finished": ("FINISH",),
    "game_handed_over": (),
    "co_gm_added": (),
}
"""By the kind of an event, the commands that can bring it."""
GRAVE = ("REPLACE", "VACATE", "DISORDER", "SETORDERS", "PROCESS", "ROLLBACK", "FINISH")
YES = ("YES", "CONFIRM")
NOT_DONE = re.compile("NOT (done|understood)", re.IGNORECASE)


@dataclass
class Running:
    """All that game masters do by mail."""

    seen: Evidence
    _done: dict[tuple[str, str], object] = field(default_factory=dict)
    """When a mail had its effect, by its Message-ID and the kind of the event."""
    on_page: set[tuple[int, dt.datetime | None]] = field(default_factory=set)
    """The games in which the GM did something on a page, and when."""

    def __post_init__(self) -> None:
        self.handovers, self.pauses = Handovers(self.seen), Pauses(self.seen)

    def event(self, event: sqlite3.Row) -> None:
        """Check an event that has just been written. Raises Broken."""
        self.handovers.event(event)
        self.pauses.event(event)
        corrections.event(self.seen, event)
        askers.event(self.seen, event)
        if (event["game_id"], time_of(event["created_at"])) in self.on_page:
            return
        words = ASKED_BY.get(event["kind"])
        if words is None or json.loads(event["payload"]).get("by") != THE_GM:
            return
        what = f"{event['kind']} in the GM's name"
        asked = [one for one in self._asked(event) if _says(one[0], words)]
        if not asked:
            raise Broken(f"{what}, and no mail of theirs asks for it")
        right = [one for one in asked if not one[0].is_wrong]
        if not right:
            raise Broken(f"{what} by {asked[0][0].text!r}, which does not say enough")
        is_grave = event["kind"] == "deadline_corrected"
        sure = [
            letter
            for letter, is_confirmed in right
            if is_confirmed or not (is_grave or _says(letter, GRAVE))
        ]
        if not sure:
            raise Broken(f"{what}, and they did not confirm {right[0][0].text!r}")
        self._was_asked_of_this(event, sure, what)
        at = event["created_at"]
        if all(self._done.get((one.message_id, event["kind"]), at) != at for one in sure):
            raise Broken(f"{what} twice by one mail, {sure[0].message_id}")
        for one in sure[:1]:
            self._done.setdefault((one.message_id, event["kind"]), at)

    def _was_asked_of_this(self, event: sqlite3.Row, sure: list[Letter], what: str) -> None:
        """Check that the game is as it was when its GM was asked, if they said YES to that."""
        query = """
            select 1 from mailer_inboundmail held
              join mailer_outboundmail question on question.answers_id = held.id
              join games_event since on since.game_id = ? and since.id < ?
               and since.created_at > question.created_at and since.created_at < ?
             where held.message_id = ? and question.subject like '%confirm%'
               and since.kind in ('phase_processed', 'deadline_moved', 'deadline_corrected')
        """
        at = event["created_at"].isoformat(sep=" ")
        changed = [
            letter
            for letter in sure
            if self.seen.rows(query, event["game_id"], event["id"], at, letter.message_id)
        ]
        if changed and len(changed) == len(sure):
            raise Broken(f"{what}, and the game has changed since they were asked about it")

    def restored(self) -> None:
        """Forget what was done: the server has gone back to an earlier state."""
        self._done.clear()
        self.pauses.restored()

    def mail(self, mail: sqlite3.Row) -> None:
        """Check a mail that was queued in the last step. Raises Broken."""
        self.handovers.mail(mail)
        self.pauses.mail(mail)

    def _asked(self, event: sqlite3.Row) -> Iterator[tuple[Letter, bool]]:
        """Yield the GM's letters that were worked on just then, and whether they were confirmed.

        All that a worker does in one turn has the same time: there may be several.
        """
        query = """
            select mail.message_id from mailer_outboundmail answer
              join mailer_inboundmail mail on mail.id = answer.answers_id
             where answer.kind = 'reply' and answer.created_at = ?
        """
        for row in self.seen.rows(query, event["created_at"]):
            letter = self.seen.letters.get(row["message_id"])
            if letter is None or letter.is_forged:
                continue
            gms = self._masters_then(event["game_id"], letter)
            if letter.writer not in gms:
                continue
            if letter.text in YES and letter.about:
                before = self._answered(letter.about.message_id)
                if before and before.writer in gms:
                    yield before, True  # that it was theirs, too, is what a YES says
            else:
                yield letter, False

    def _masters_then(self, game: int | str, letter: Letter) -> set[str]:
        """Who ran a game when a letter came: the time of a deputy may be over since."""
        came = self.seen.deliveries.get(letter.message_id)
        return self.seen.masters(game, min(came) if came else None)

    def _answered(self, message_id: str) -> Letter | None:
        """The letter that a mail of ours answers."""
        query = """
            select mail.message_id from mailer_outboundmail question
              join mailer_inboundmail mail on mail.id = question.answers_id
             where question.message_id = ?
        """
        rows = self.seen.rows(query, message_id)
        return self.seen.letters.get(rows[0]["message_id"]) if rows else None

    def at_rest(self) -> None:
        """Check that all who wrote what cannot be done were told so. Raises Broken."""
        query = """
            select answer.subject, answer.recipient from mailer_outboundmail answer
              join mailer_inboundmail mail on mail.id = answer.answers_id
             where mail.message_id = ? and answer.subject != '' order by answer.id
        """
        for letter in self.seen.letters.values():
            if not letter.is_wrong or letter.is_forged:
                continue
            if letter.writer not in self._masters_then(letter.game, letter):
                continue  # with a lost database goes whom the operator had help since its backup
            for row in self.seen.rows(query, letter.message_id)[-1:]:
                if not NOT_DONE.search(row["subject"]):
                    raise Broken(f"{letter.text!r} of {letter.writer}: only {row['subject']!r}")


def _says(letter: Letter, words: tuple[str, ...]) -> bool:
    """Whether a line of a letter begins with one of these commands."""
    lines = letter.text.splitlines()
    return any(line.split()[:1] == [word] for line in lines for word in words)
