"""Who was erased is named nowhere: in no table, no mailbox, no page and no mail that is written.

What others keep stays theirs, as players are told (docs/privacy.md): mails that they got before,
and those that they wrote. Who registers again is somebody new.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from tests.simulate.checks.evidence import Broken, Evidence, time_of
from tests.simulate.machinery.post import MailboxMail
from tests.simulate.players.writers import GMS

STAYS = frozenset({"mailer_inboundmail", "mailer_outboundmail", "games_press", "auth_user"})
"""Looked at row by row: copies of what others got and wrote, and accounts of the staff."""
LOG = re.compile(r"/games/(?P<page>[^/]+)/(log/|proof\.json)|\[(?P<mail>[^]]+)\] The log\b")
"""The addresses of pages, and the subject of a mail, with the log of a game."""
FAREWELL = b"Subject: We have erased you"


@dataclass(frozen=True)
class ErasedPlayer:
    """Somebody who was erased."""

    player: int
    name: str
    emails: frozenset[str]
    at: dt.datetime

    def named_in(self, text: str) -> bool:
        """Whether a text tells who it was."""
        names = re.search(rf"(?<!\w){self.name}(?!\w|\s+Smith)", text)  # Ana Smith is an example
        return bool(names) or any(email in text.lower() for email in self.emails)


@dataclass
class Oblivion:
    """All that were erased; `kept` are the mails in the mailbox's folders of what is done."""

    seen: Evidence
    kept: Callable[[], Iterable[MailboxMail]]
    is_calm: Callable[[], bool]
    gone: dict[int, ErasedPlayer] = field(default_factory=dict)
    _known: dict[int, tuple[str, frozenset[str]]] = field(default_factory=dict)
    _forgotten: set[int] = field(default_factory=set)

    def begin_step(self) -> None:
        """See who was erased, and whether nothing is left of whose mails were emptied."""
        query = """
            select player.id, name, erased_at, merged_into_id, group_concat(email) as emails
              from games_player player left join games_address address
                on address.player_id = player.id group by player.id
        """
        for row in self.seen.rows(query):
            if erased_at := time_of(row["erased_at"]):
                self._erased(row, erased_at)
            elif row["emails"]:
                emails = frozenset(row["emails"].lower().split(","))
                self._known[row["id"]] = row["name"], emails
        done = "select player_id from games_datarequest where kind = 'erase' and done_at not null"
        for row in self.seen.rows(done):
            if row["player_id"] not in self._forgotten and row["player_id"] in self.gone:
                self._forgotten.add(row["player_id"])
                self._nothing_left(self.gone[row["player_id"]])

    def _erased(self, row: sqlite3.Row, at: dt.datetime) -> None:
        if row["id"] not in self.gone and row["id"] in self._known:
            name, emails = self._known[row["id"]]
            self.gone[row["id"]] = ErasedPlayer(row["id"], name, emails, at)

    def restored(self) -> None:
        """Forget who was forgotten: the server has gone back to an earlier state."""
        self.gone.clear()
        self._forgotten.clear()

    def mail(self, mail: sqlite3.Row) -> None:
        """Check a mail that is queued. Raises Broken."""
        what = f"the mail {mail['subject']!r} ({mail['kind']}) to {mail['recipient']}"
        created = time_of(mail["created_at"])
        assert created
        for gone in self._who_stay_away():
            if created <= gone.at or mail["recipient"] in GMS:
                continue
            if mail["recipient"] in gone.emails:
                if mail["kind"] != "erased" and mail["answers_id"] is None:
                    raise Broken(f"{what}, who was erased")
            elif gone.named_in(self._without_writer(mail, gone)):
                raise Broken(f"{what} names {gone.name}, who was erased")

    def _without_writer(self, mail: sqlite3.Row, gone: ErasedPlayer) -> str:
        """What a mail says, without what a log keeps, and without the address from which the mail
        came that it answers, if that came since they were erased: whether it was the reader's own,
        is asked with that address."""
        said = f"{mail['subject']}\n{mail['body']}"
        said = self._without_name_in_log(said, mail["subject"], gone)
        query = "select sender from mailer_inboundmail where id = ? and received_at > ?"
        for row in self.seen.rows(query, mail["answers_id"], gone.at):
            said = said.replace(row["sender"], "")
        return said

    def page(self, text: str, address: str) -> None:
        """Check a page that everybody may read. Raises Broken."""
        for gone in self._who_stay_away():
            if gone.named_in(self._without_name_in_log(text, address, gone)):
                raise Broken(f"the page {address} names {gone.name}, who was erased")

    def _without_name_in_log(self, text: str, title: str, gone: ErasedPlayer) -> str:
        """A page or mail, without the name of who was erased where the log of a game that they may
        have run keeps it."""
        if not (log := LOG.match(title)):
            return text
        query = "select id from games_game where name = ?"
        games = self.seen.rows(query, log["page"] or log["mail"])
        keeps = any(self._had_another_gm(row["id"]) for row in games)
        return text.replace(gone.name, "") if keeps else text

    def wrote_before(self, writer: str, at: dt.datetime) -> bool:
        """Whether the writer of a mail that came then was erased later: its answer went, too. They
        may have given up meanwhile the address from which they wrote."""
        later = [gone for gone in self.gone.values() if at <= gone.at]
        return any(gone.emails & self.seen.addresses_of(writer) for gone in later)

    def at_rest(self) -> None:
        """Check that all were told, and nothing is left of them. Raises Broken."""
        for gone in self._who_stay_away():
            self._nothing_left(gone)
        last = {
            taken.recipient
            for mails in self.seen.taken.values()
            for taken in mails
            if FAREWELL in taken.raw
        }
        for gone in self.gone.values():  # whose account was merged, is told as the other
            theirs = (one.emails for one in self.gone.values() if gone.emails <= one.emails)
            if not any(emails & last for emails in theirs):
                raise Broken(f"{gone.name} was erased, and nobody told them")

    def _who_stay_away(self) -> Iterator[ErasedPlayer]:
        """Those of whom nobody has the address, or the name, again. Who runs a game has an account
        of the staff besides, which the page of the act names to the moderator, and which stays."""
        for gone in self.gone.values():
            marks = ", ".join("?" * len(gone.emails))
            query = f"select 1 from games_address where email in ({marks}) union "
            query += f"select 1 from auth_user where email in ({marks}) union "
            query += "select 1 from games_player where name = ? and erased_at is null"
            if self.seen.rows(query, *sorted(gone.emails) * 2, gone.name):
                continue
            if not self._are_typed(gone):
                yield gone

    def _are_typed(self, gone: ErasedPlayer) -> bool:
        """Whether a GM has typed an address of theirs since they were erased: invited it or kept it
        out, by mail or on a page."""
        if any(self.seen.typed.get(email, gone.at) > gone.at for email in gone.emails):
            return True
        query = "select 1 from mailer_inboundmail where message_id = ? and processed_at > ?"
        at = gone.at.replace(tzinfo=None).isoformat(sep=" ")
        said = [f"{word} {email}" for word in ("INVITE", "DENY") for email in gone.emails]
        return any(
            self.seen.rows(query, letter.message_id, at)
            for letter in self.seen.letters.values()
            if any(words in letter.text for words in said)
        )

    def _nothing_left(self, gone: ErasedPlayer) -> None:
        if gone not in self._who_stay_away():
            return
        tables = "select name from sqlite_master where type = 'table' and name not like 'sqlite%'"
        for table in sorted({row["name"] for row in self.seen.rows(tables)} - STAYS):
            for row in self.seen.rows(f"select * from {table}"):
                said = [key for key, what in self._told(table, row) if gone.named_in(what)]
                if said:
                    raise Broken(f"{gone.name} was erased, and {table} has {said}: {dict(row)}")
        self._no_mail_left(gone)

    def _told(self, table: str, row: sqlite3.Row) -> Iterator[tuple[str, str]]:
        """Yield what a row says in each column; not who did what in the log of a game that somebody
        ran who was erased: there the name stays that they used."""
        for key in row.keys():  # noqa: SIM118
            if (table, key) == ("games_event", "payload") and self._had_another_gm(row["game_id"]):
                yield key, json.dumps(json.loads(row[key]) | {"by": ""})
            else:
                yield key, str(row[key])

    def _had_another_gm(self, game: int) -> bool:
        query = """
            select 1 from games_game game join auth_user on auth_user.id in (gm_id, maker_id)
             where game.id = ? and username like 'former-%'
             union select 1 from games_event
             where game_id = ? and kind in ('co_gm_removed', 'game_handed_over', 'gm_left')
        """
        return bool(self.seen.rows(query, game, game))

    def _no_mail_left(self, gone: ErasedPlayer) -> None:
        query = "select sender, raw, stored_at from mailer_inboundmail where stored_at <= ?"
        for row in self.seen.rows(query, gone.at):
            if gone.named_in(row["sender"]) or self._is_theirs(gone, row["raw"]):
                raise Broken(f"{gone.name} was erased, and a mail of theirs is left")
        query = "select * from mailer_outboundmail where created_at <= ? and kind != 'erased'"
        for row in self.seen.rows(query, gone.at):
            if row["player_id"] == gone.player and (row["body"] or row["subject"]):
                raise Broken(f"{gone.name} was erased, and {row['subject']!r} to them is left")
            if row["recipient"] in gone.emails:
                raise Broken(f"{gone.name} was erased, and it is known what went to them")
        if self.is_calm():  # a mailbox that cannot be reached is left, as the docs say
            for mail in self.kept():
                if mail.at <= gone.at - dt.timedelta(minutes=1) and self._is_theirs(gone, mail.raw):
                    raise Broken(f"{gone.name} was erased, and the mailbox has a mail of theirs")

    def _is_theirs(self, gone: ErasedPlayer, raw: bytes) -> bool:
        return any(f"\r\nFrom: {email}\r\n".encode() in raw for email in gone.emails)
