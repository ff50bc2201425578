"""What a reader would find if they did at once what a mail of ours tells them.

Some mails are taken up right after they were written, in a copy of the world: whatever they propose
is sent back by their reader, exactly so, and may not be refused; and STATUS says what the last
notice said, and the public page; and its links open.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import html
import re
import sqlite3
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.test import Client

from diplomacy_server.demo.reading import Mail
from mailer.inbound import processing, store
from mailer.inbound.place import Place
from tests.simulate.checks.evidence import UTC, Broken, Evidence
from tests.simulate.checks.mails.links import has_secret, open_for_its_reader
from tests.simulate.checks.mails.pledges import DEADLINE
from tests.simulate.checks.mails.proposed import REFUSED, proposed_in
from tests.simulate.checks.promises import Witness
from tests.simulate.machinery.carrier import AUTHENTICATION, envelope
from tests.simulate.machinery.clock import Clock
from tests.simulate.machinery.copies import in_a_copy
from tests.simulate.machinery.process import Processes
from tests.simulate.players.writers import JUDGE, Letter

ONE_IN = 32
"""Of so many mails one is taken up, where nothing else is said."""
WAITS = re.compile(r"(?:Still without complete orders|Without a player): ([^.]+)\.")
PAGE_WAITS = re.compile(r"Orders are missing from ([^.]+)\.")
PAGE_DUE = re.compile(r'(?:is|was) due <time datetime="([^"]+)"')
AND = re.compile(r", | and ")
WHOSE = "was this mail yours?"
OF_THE_ANSWER = re.compile(r"NOT (?:understood|done: (?:YES|CONFIRM|REFUSE)\b)")
OVER = re.compile(r"\bis\s+over\b")
NOT_SENT = "NOT SENT"
"""What press is answered that a game has not, also when we know at last whose it was."""

Answer = tuple[str, str]
"""The subject and the body of a mail."""


@dataclass
class Rehearsal:
    """Takes up one mail of `one_in`; `boards` has by game what is played, and `readers` all whose
    mails are tried."""

    seen: Evidence
    witness: Witness
    clock: Clock
    processes: Processes
    boards: Mapping[str, str]
    readers: frozenset[str]
    one_in: int = ONE_IN
    tried: int = 0
    _read_up_to: int = 0

    def look(self) -> None:
        """Take up the mails that were written in the last step. Raises Broken."""
        query = "select * from mailer_outboundmail where id > ? order by id"
        new = self.seen.rows(query, self._read_up_to)
        self._read_up_to = new[-1]["id"] if new else self._read_up_to
        mails = [mail for mail in new if self._is_taken_up(mail)]
        if mails:
            self.tried += len(mails)
            if fault := in_a_copy(lambda: self._fault_of(mails)):
                raise Broken(fault)

    def _is_taken_up(self, mail: sqlite3.Row) -> bool:
        drawn = int(hashlib.sha256(mail["message_id"].encode()).hexdigest(), 16)
        read = mail["recipient"] in self.readers and mail["state"] != "kept"
        return bool(read and (drawn % self.one_in == 0 or has_secret(mail)))

    # --- in a copy of the world ---------------------------------------------------------------

    def _fault_of(self, mails: Sequence[sqlite3.Row]) -> str:
        self.processes.turns.clear()  # nobody dies here, and nobody comes between
        try:
            for mail in mails:
                self._works(mail)
                self._agrees(mail)
                open_for_its_reader(mail, self.witness.discretion)
        except Broken as error:
            return str(error)
        return ""

    def _works(self, mail: sqlite3.Row) -> None:
        """Check that whatever the mail proposes is done, or asked about, and not refused."""
        for text in proposed_in(mail, self.boards):
            answers = self._sent_back(mail, text)
            what = f"the mail {mail['subject']!r} to {mail['recipient']} proposes {text!r}"
            if not answers:
                raise Broken(f"{what}, which nobody answers")
            for subject, body in answers:
                if _refuses(mail, subject) and not (
                    has_turned(self.seen, mail, body) or was_said(self.seen, mail, text)
                ):
                    raise Broken(f"{what}, and the answer is {subject!r}: {body}")

    def _sent_back(self, mail: sqlite3.Row, text: str) -> list[Answer]:
        """Return the answers to a text that the reader of a mail sends back; then it is as if they
        had not."""
        about = Mail(mail["subject"], mail["body"], mail["message_id"], "", mail["reply_to"])
        now, shown = self.clock.now(), self.clock.shown()
        letter = Letter(
            "<tried@players.example>",
            mail["recipient"],
            mail["reply_to"] or JUDGE,
            text,
            about=about,
        )
        domain = mail["recipient"].partition("@")[2].encode()
        raw = AUTHENTICATION % (b"pass", domain) + envelope(letter, at=now, quotes=False)
        with transaction.atomic():
            [url] = settings.IMAP_URLS
            box = store.mailbox_for(url)
            store.store(place=Place(box, 0, 1), raw=raw, received_at=now, now=shown)
            [new] = self.seen.rows("select max(id) as id from mailer_inboundmail")
            processing.process_mail(mail_id=new["id"], now=shown)
            query = "select subject, body from mailer_outboundmail where answers_id = ?"
            answers = [(row["subject"], row["body"]) for row in self.seen.rows(query, new["id"])]
            transaction.set_rollback(True)
        return answers

    def _agrees(self, mail: sqlite3.Row) -> None:
        """Check what STATUS says of the game that a mail is about, where its reader plays."""
        query = """
            select game.name, game.fog, game.entry, phase.id as phase from games_game game
              join games_phase phase on phase.game_id = game.id and phase.status = 'open'
             where game.status = 'active' and ? like '%[' || game.name || ']%' and not exists (
                   select 1 from games_event event where event.game_id = game.id
                      and told_at is null)
        """
        for game in self.seen.rows(query, mail["subject"]):
            mine = [who for who, _, until in self.seen.seats(game["name"]) if until is None]
            if mail["recipient"] in mine:
                for _, body in self._sent_back(mail, f"STATUS {game['name']}"):
                    self._as_told(game, mail["recipient"], body)
                    self._as_on_its_page(game, body)

    def _as_told(self, game: sqlite3.Row, reader: str, body: str) -> None:
        told = self.witness.pledges.deadline_told(game["phase"], reader)
        for _, due in DEADLINE.findall(body.replace(" \n", " ")):
            if told and _moment(due) != told:
                raise Broken(
                    f"STATUS of {game['name']} tells {reader} the deadline {due}, and the last"
                    f" notice of it {told:%d %b %Y, %H:%M}"
                )

    def _as_on_its_page(self, game: sqlite3.Row, body: str) -> None:
        page = Client(HTTP_HOST="game.test").get(f"/games/{game['name']}/").content.decode()
        text = " ".join(html.unescape(page).split())
        self._same("deadline", game, _dues(body), set(map(_read, PAGE_DUE.findall(text))))
        waits = _named(WAITS, " ".join(body.split()))
        self._same("missing orders", game, waits, _named(PAGE_WAITS, text))

    def _same(self, what: str, game: sqlite3.Row, said: Set[object], shown: Set[object]) -> None:
        if said and shown and said != shown:
            raise Broken(f"STATUS of {game['name']} tells the {what} {said}, and its page {shown}")


def has_turned(seen: Evidence, mail: sqlite3.Row, answer: str) -> bool:
    """Whether an answer to a mail says that its game, or none of its phases, is over, and it ended
    or was rolled back after the mail was written: one poll may bring a vote, which is answered, and
    then the last one."""
    query = """
        select 1 from games_event event join games_game game on game.id = event.game_id
         where event.kind in ('game_finished', 'game_rolled_back') and event.created_at >= ?
           and ? like '%[' || game.name || ']%'
    """
    if mail["kind"] != "reply" or not OVER.search(answer):
        return False
    return bool(seen.rows(query, mail["created_at"], mail["subject"]))


def was_said(seen: Evidence, mail: sqlite3.Row, text: str) -> bool:
    """Whether the reader has had done already what a mail proposes: one poll may bring a JOIN,
    which is answered, and then a LEAVE."""
    query = "select 1 from mailer_inboundmail where message_id = ? and processed_at >= ?"
    said = (one for one in seen.letters.values() if one.writer == mail["recipient"])
    return any(
        one.text == text and seen.rows(query, one.message_id, mail["created_at"]) for one in said
    )


def _refuses(mail: sqlite3.Row, subject: str) -> bool:
    """Whether a mail is refused that was proposed. If we ask whose a mail was, its owner may have
    asked in it for what cannot be done, and reads that when we know."""
    if mail["kind"] == "question" and NOT_SENT in subject:
        return False
    if mail["kind"] == "question" and WHOSE in mail["subject"]:
        return bool(OF_THE_ANSWER.search(subject))
    return bool(REFUSED.search(subject))


def _dues(body: str) -> set[dt.datetime]:
    return {_moment(due) for _, due in DEADLINE.findall(body.replace(" \n", " "))}


def _named(pattern: re.Pattern[str], text: str) -> set[str]:
    return {power for names in pattern.findall(text) for power in AND.split(names)}


def _moment(due: str) -> dt.datetime:
    return dt.datetime.strptime(due, "%d %b %Y, %H:%M").replace(tzinfo=UTC)


def _read(due: str) -> dt.datetime:
    return dt.datetime.strptime(due, "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC)
