"""What must be true after every step, and what when all is quiet.

All is read past the code under test: from the tables by SQL, from what the relay took, and from
what the people remember to have written. The first promise that is broken ends the simulation.
"""

from __future__ import annotations

import datetime as dt
import email
import hashlib
import sqlite3
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from tests.simulate import wall_clocks
from tests.simulate.checks import quiet
from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.checks.games import deals, full_disks, rejudged, scores, tenures, timeline
from tests.simulate.checks.games.adjudications import Adjudications
from tests.simulate.checks.games.blame import Blame
from tests.simulate.checks.games.deadlines import Deadlines
from tests.simulate.checks.games.restores import Restores
from tests.simulate.checks.games.votes import Votes
from tests.simulate.checks.mails import letters
from tests.simulate.checks.mails.discretion import Discretion
from tests.simulate.checks.mails.fog import Fog
from tests.simulate.checks.mails.gallery import Gallery
from tests.simulate.checks.mails.pledges import Pledges
from tests.simulate.checks.mails.pseudonyms import Pseudonyms
from tests.simulate.checks.mails.reply_addresses import ReplyAddresses
from tests.simulate.checks.people.authors import Authors
from tests.simulate.checks.people.circles import Circles
from tests.simulate.checks.people.comebacks import Comebacks
from tests.simulate.checks.people.musters import Musters
from tests.simulate.checks.people.oblivion import Oblivion
from tests.simulate.checks.people.persons import Persons
from tests.simulate.checks.people.running import Running
from tests.simulate.machinery import full_mailboxes
from tests.simulate.machinery.process import STRIDE
from tests.simulate.machinery.relay import RelayedMail
from tests.simulate.machinery.standstills import Stillness
from tests.simulate.players import order_pages
from tests.simulate.players.bulk_mail import BulkMail
from tests.simulate.players.moves import Homes
from tests.simulate.players.robots import Robots
from tests.simulate.staff import settings_changes, unstarted_games

UNMARKED = dt.timedelta(seconds=3 + STRIDE)
"""So long what was sent may wait for its mark while the next mail hangs; threads run in strides."""


@dataclass
class Witness:
    """Watches what goes out and what is new in the tables."""

    seen: Evidence
    oblivion: Oblivion
    digest: Any = field(default_factory=hashlib.sha256)
    receipts: int = 0
    rollbacks: int = 0
    _unaware: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    _tips: dict[int, tuple[int, str]] = field(default_factory=dict)
    robots: Robots | None = None
    """The programs that answer our mails."""
    bulk_mail: BulkMail | None = None
    """Who wants no more mails that many get."""

    def __post_init__(self) -> None:
        self.adjudications = Adjudications(self.seen)
        self.fog = Fog(self.seen)
        self.discretion = Discretion(self.seen, self.fog)
        self.gallery = Gallery(self.seen, self.discretion, self.fog)
        self.persons = Persons(self.seen)
        self.pledges = Pledges(self.seen)
        self.reply_addresses = ReplyAddresses(self.seen)
        self.musters = Musters(self.seen)
        self.running = Running(self.seen)
        self.circles, self.blame = Circles(self.seen), Blame(self.seen)
        self.comebacks = Comebacks(self.seen, self.oblivion)
        self.authors, self.votes = Authors(self.seen), Votes(self.seen)
        self.homes, self.restores = Homes(self.seen), Restores(self.seen)
        self.stillness = Stillness(self.seen)
        self.deadlines, self.pseudonyms = Deadlines(self.seen), Pseudonyms(self.seen)

    def sent(self, taken: RelayedMail) -> None:
        """A mail went out: no worker may send it again unless it could not know."""
        headers = email.message_from_bytes(taken.raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
        message_id = str(headers["Message-ID"]).strip()
        self.digest.update(taken.recipient.encode() + b"\0" + taken.raw)
        self._is_ours(message_id)
        for before in self.seen.taken[message_id]:
            if before.raw != taken.raw or before.recipient != taken.recipient:
                raise Broken(f"{message_id} was sent twice, and not as the same mail")
            if before.told and not self.seen.turn_died(before.turn):
                self._may_not_know(message_id, before, taken)
        self.seen.taken[message_id].append(taken)
        self.gallery.sent(message_id, taken.raw)
        known = taken.recipient in self.seen.addresses
        if not known and not self.authors.named(message_id, taken.recipient):
            raise Broken(f"a mail went to {taken.recipient}, who is nobody")
        self.reply_addresses.sent(str(headers["Reply-To"] or ""), taken.recipient)

    def _is_ours(self, message_id: str) -> None:
        """Check that a mail has the Message-ID with which it was queued: only by that a reader's
        program knows one that comes twice."""
        query = "select count(*) as n from mailer_outboundmail where message_id = ?"
        if self.seen.rows(query, message_id)[0]["n"] != 1:
            raise Broken(f"a mail went out as {message_id}, and none was queued as that")

    def _may_not_know(self, message_id: str, before: RelayedMail, again: RelayedMail) -> None:
        """Say whether a mail may go out again although the relay had taken it.

        A worker whose process stands still cannot mark what it sent in the second before; and when
        it goes on, it may send the one mail that it had in hand. Everybody else knows.
        """
        if any(
            before.at <= stop <= before.at + UNMARKED for stop in self.seen.stops_of(before.turn)
        ):
            return
        self._unaware[again.turn].add(message_id)
        stops = len(self.seen.stops_of(again.turn)) if again.turn != before.turn else 0
        if len(self._unaware[again.turn]) > stops:
            raise Broken(f"{message_id} was sent again although the relay had said 250")

    def look(self) -> None:
        """Check what is new in the tables. Raises Broken."""
        self.seen.begin_step()
        self.persons.begin_step()
        self.homes.begin_step()
        self.oblivion.begin_step()
        self.comebacks.look()
        self.circles.look()
        self.authors.look()
        self.deadlines.look()
        self.stillness.look()
        tenures.look(self.seen)
        unstarted_games.look(self.seen)
        full_disks.look(self.seen)
        full_mailboxes.look(self.seen)
        for phase in self.seen.new_rows("games_phase", "id, game_id, position"):
            self.fog.opened(phase)
            wall_clocks.opened(self.seen, phase["id"])
            settings_changes.opened(self.seen, phase["id"])
        self.pledges.look()
        self.blame.look()
        self._events()
        self._mails()
        self.gallery.look()

    def restored(self) -> None:
        """The server went back to a backup: what it has now is checked from there on."""
        self.seen.restored()
        self.reply_addresses.restored()
        self.persons.restored()
        self.pledges.restored()
        self.oblivion.restored()
        self.running.restored()
        self.comebacks.restored()
        self.deadlines.restored()
        self.stillness.restored()
        self.homes.restored()
        if self.bulk_mail:
            self.bulk_mail.restored()
        self._unaware.clear()
        self._tips.clear()
        for event in self.seen.rows("select * from games_event order by id"):
            self._tips[event["game_id"]] = event["number"], event["digest"]

    def _events(self) -> None:
        columns = "id, game_id, phase_id, number, kind, payload, previous, digest, created_at"
        for event in self.seen.new_rows("games_event", columns):
            number, tip = self._tips.get(event["game_id"], (0, ""))
            if (event["number"], event["previous"]) != (number + 1, tip):
                raise Broken(f"event {event['number']} does not hang on event {number}")
            self._tips[event["game_id"]] = (event["number"], event["digest"])
            if event["kind"] == "phase_processed":
                phase = self.adjudications.processed(event["phase_id"])
                rejudged.processed(self.seen, phase)
                order_pages.processed(self.seen, phase)
                self.fog.processed(phase)
                self.pledges.processed(phase, free=self.adjudications.not_by_mail(phase))
            if event["kind"] == "muster_failed":
                self.musters.failed(event)
            if event["kind"] == "game_started":
                self.musters.started(event)
                deals.dealt(self.seen, event)
            if event["kind"] == "game_rolled_back":
                self.rollbacks += 1
                timeline.rolled_back(self.seen, event)
            self.running.event(event)
            self.deadlines.event(event)
            self.stillness.event(event)
            self.votes.event(event)
            self.blame.event(event)
            self.restores.event(event)
            what = f"event {event['kind']}"
            self.discretion.no_secret(event["payload"], "", what, event["game_id"])
            if event["kind"] == "phase_stuck":
                raise Broken(f"a phase is stuck: {self._error_of(event['phase_id'])}")

    def _error_of(self, phase: int) -> str:
        return str(self.seen.rows("select error from games_phase where id = ?", phase)[0]["error"])

    def _mails(self) -> None:
        for mail in self.seen.new_rows("mailer_outboundmail", "*"):
            self.discretion.mail(mail)
            self.persons.mail(mail)
            self.oblivion.mail(mail)
            self.circles.mail(mail)
            self.running.mail(mail)
            self.authors.mail(mail)
            self.votes.mail(mail)
            self.pseudonyms.mail(mail)
            self.homes.mail(mail)
            letters.mail(self.seen, mail)
            scores.mail(self.seen, mail)
            tenures.mail(self.seen, mail)
            if self.robots:
                self.robots.mail(mail)
            if self.bulk_mail:
                self.bulk_mail.mail(mail)
            self._once(mail)
            if mail["kind"] == "reply":
                self._one_receipt(mail["answers_id"])

    def _once(self, mail: sqlite3.Row) -> None:
        """Nobody reads the same about the same event twice."""
        query = """select 1 from mailer_outboundmail
                    where event_id = ? and recipient = ? and body = ? and body != '' and id < ?"""
        facts = (mail[key] for key in ("event_id", "recipient", "body", "id"))
        if mail["event_id"] and self.seen.rows(query, *facts):
            what = f"{mail['subject']!r} ({mail['kind']})"
            raise Broken(f"{mail['recipient']} is told twice: {what}")

    def _one_receipt(self, answered: int) -> None:
        self.receipts += 1
        query = """
            select mail.message_id, count(*) as receipts from mailer_inboundmail mail
              join mailer_outboundmail answer on answer.answers_id = mail.id
             where answer.kind = 'reply' and answer.key not like 'again/%' and mail.message_id =
                   (select message_id from mailer_inboundmail where id = ?)
        """
        found = self.seen.rows(query, answered)[0]
        if not found["message_id"]:
            return  # its writer was erased meanwhile
        if found["receipts"] > 1:
            raise Broken(f"the mail {found['message_id']} has {found['receipts']} receipts")
        # A rollback that keeps the orders copies them into a phase that opened after they came.
        ordered = """
            select count(*) as n from games_orderset sent
              join games_phase phase on phase.id = phase_id and opened_at <= received_at
             where source = ?
        """
        wrote = "select count(*) as n from games_press where source = ?"
        for what, query in {"orders": ordered, "press": wrote}.items():
            effects = self.seen.rows(query, found["message_id"])[0]["n"]
            if effects > 1:
                raise Broken(f"the mail {found['message_id']} had {effects} effects: {what}")

    # --- when all is quiet --------------------------------------------------------------------

    def at_rest(self) -> None:
        """Check what must be true when nothing is on its way any more. Raises Broken."""
        self.look()
        quiet.at_rest(self.seen, self.oblivion)
        self.persons.at_rest()
        self.musters.at_rest()
        self.oblivion.at_rest()
        self.running.at_rest()
        self.deadlines.at_rest()
        timeline.at_rest(self.seen)
        unstarted_games.at_rest(self.seen)
        if self.bulk_mail:
            self.bulk_mail.at_rest()
