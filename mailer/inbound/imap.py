"""One connection to an IMAP server, and what we ask of it.

Nothing here knows the database. No answer is larger than a batch of some megabytes: we ask for
sizes first, and fetch only the beginning of a giant.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import imaplib
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import LoginError

from mailer.reading.parser import LARGEST

CONNECT_SECONDS = 10
READ_SECONDS = 60
SLICE = 1.0
"""Seconds between two looks at whether an idling session is to stop."""
BATCH_BYTES = 8 * 1024 * 1024
"""How much is fetched with one command."""

FAULTS = (OSError, imaplib.IMAP4.error, ValueError)
"""What a session raises if the network breaks, or the server refuses or talks nonsense."""


def is_refusal(error: BaseException) -> bool:
    """Whether the server keeps us out until somebody has seen to it.

    A login also fails while a server restarts; then the connection breaks, or the server says so
    (RFC 5530, 3).
    """
    broke = isinstance(error.__context__, imaplib.IMAP4.abort)
    return isinstance(error, LoginError) and not broke and "[UNAVAILABLE]" not in str(error)


def error_text(error: BaseException) -> str:
    """What an error says; imaplib shows an answer of the server as bytes: b'[LIMIT] Try later.'"""
    text = str(error)
    return text[2:-1] if text.startswith(("b'", 'b"')) else text


NAMED_AT_ONCE = 200
"""How many mails a command may name: servers limit the length of a line."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the server says about a mail without sending it."""

    size: int
    received_at: dt.datetime | None
    """INTERNALDATE; None if the server does not say."""


class Client(IMAPClient):  # type: ignore[misc]
    """imapclient's connection, with nothing overlooked in IDLE.

    The first news often comes in one piece with the server's "+ idling". By then it has left the
    socket, where the library would look for it.
    """

    def _poll_socket(self, sock: Any, timeout: float | None = None) -> Any:
        """Whether to read. A caller that has no time to wait reads in any case, and gets what there
        is."""
        return timeout == 0 or super()._poll_socket(sock, timeout)


class Session:
    """One IMAP connection with its folder selected. A context manager.

    `url` is imap://user:password@host/folder, imap+tls:// (STARTTLS) or imaps://. Certificates are
    always verified, and no password is sent before.

    After one of FAULTS the session is useless: open another.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.folder = unquote(urlsplit(url).path.strip("/")) or "INBOX"
        self.uidvalidity = 0
        self.next_uid = 0
        """The lowest UID that the next mail can get, as far as the server says."""
        self._connect()

    def _connect(self) -> None:
        parts = urlsplit(self.url)
        self.client = Client(
            parts.hostname,
            port=parts.port or (993 if parts.scheme == "imaps" else 143),
            ssl=parts.scheme == "imaps",
            ssl_context=ssl.create_default_context() if parts.scheme == "imaps" else None,
            timeout=SocketTimeout(CONNECT_SECONDS, READ_SECONDS),
        )
        self.client.normalise_times = False  # INTERNALDATE with its zone
        self.client.socket().setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        try:
            if parts.scheme == "imap+tls":
                self.client.starttls(ssl.create_default_context())
            self.client.login(unquote(parts.username or ""), unquote(parts.password or ""))
            self.select()
        except FAULTS:
            self._hang_up()
            raise

    def reopen(self) -> None:
        """Go on over a new connection, because an error may leave the old one out of step.

        Raises ConnectionError if the folder has been renumbered, which makes the work at hand
        pointless.
        """
        before = self.uidvalidity
        self._hang_up()
        self._connect()
        if self.uidvalidity != before:
            raise ConnectionError("the mailbox was renumbered while we read it")

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self.client.logout()
        except FAULTS:
            self._hang_up()

    def _hang_up(self) -> None:
        with contextlib.suppress(*FAULTS):
            self.client.shutdown()

    def select(self) -> None:
        """Look at the folder again, and notice a changed UIDVALIDITY."""
        answer = self.client.select_folder(self.folder)
        if b"UIDVALIDITY" not in answer:
            raise ValueError("it does not say how it numbers the mails (UIDVALIDITY)")
        self.uidvalidity = int(answer[b"UIDVALIDITY"])
        self.next_uid = answer.get(b"UIDNEXT") or self._after_the_last()

    def _after_the_last(self) -> int:
        """The UID after that of the last mail, for servers that do not say which comes next."""
        return max(self.client.search(["UID", "*"]), default=0) + 1

    def uids(self, among: Sequence[int] = ()) -> list[int]:
        """The UIDs in the folder, ascending; only those among these, if any are given."""
        if not among:
            return sorted(self.client.search())
        return sorted(self.client.search(["UID", ",".join(map(str, among))]))

    def facts(self, uids: Sequence[int]) -> dict[int, Facts]:
        """The server's facts about these mails, for those it says anything about."""
        answers = self.client.fetch(uids, ["RFC822.SIZE", "INTERNALDATE"])
        return {
            uid: Facts(int(answers[uid][b"RFC822.SIZE"]), answers[uid].get(b"INTERNALDATE"))
            for uid in uids
            if b"RFC822.SIZE" in answers.get(uid, {})
        }

    def received_at(self, uid: int) -> dt.datetime | None:
        """When the server had this mail."""
        answer = self.client.fetch([uid], ["INTERNALDATE"]).get(uid, {})
        when: dt.datetime | None = answer.get(b"INTERNALDATE")
        return when

    def fetch(self, facts: Mapping[int, Facts]) -> dict[int, bytes]:
        """The bytes of these mails, of giants only the beginning.

        The server left out those that are missing, or answered without a text (NIL).
        """
        small = [uid for uid, mail in facts.items() if mail.size <= LARGEST]
        answers = self.client.fetch(small, ["BODY.PEEK[]"]) if small else {}
        bodies = {uid: _body(answers.get(uid, {})) for uid in small}
        for uid in facts:
            if uid not in bodies:
                answers = self.client.fetch([uid], [f"BODY.PEEK[]<0.{LARGEST}>"])
                bodies[uid] = _body(answers.get(uid, {}))
        return {
            uid: raw for uid, raw in bodies.items() if raw or (raw == b"" and not facts[uid].size)
        }

    def move(self, uids: Sequence[int], folder: str) -> None:
        """Move mails, on servers without MOVE by copy and delete."""
        self._move(uids, self._own_folder(folder))

    def take_back(self, folder: str, day: dt.date) -> int:
        """Move the mails that came to another folder on this day or later, by the server's
        calendar, into ours; return how many.

        That folder is selected afterwards.
        """
        self.client.select_folder(self._own_folder(folder))
        found = sorted(self.client.search(["SINCE", day]))
        for start in range(0, len(found), NAMED_AT_ONCE):
            self._move(found[start : start + NAMED_AT_ONCE], self.folder)
        return len(found)

    def _move(self, uids: Sequence[int], target: str) -> None:
        if self.client.has_capability("MOVE"):
            self.client.move(uids, target)
            return
        self.client.copy(uids, target)
        self.delete(uids)

    def delete_before(self, day: dt.date, folder: str, *, most: int) -> int:
        """Delete at most this many mails of a folder that came before this day, by the server's
        calendar; return how many. That folder is selected afterwards."""
        self.client.select_folder(self._own_folder(folder))
        old = sorted(self.client.search(["BEFORE", day]))[:most]
        for start in range(0, len(old), NAMED_AT_ONCE):
            self.delete(old[start : start + NAMED_AT_ONCE])
        return len(old)

    def sent_from(self, email: str, folder: str) -> list[int]:
        """The UIDs of mails in a folder whose From line has this text, ascending. That folder is
        selected afterwards."""
        self.client.select_folder(self._own_folder(folder))
        charset = None if email.isascii() else "UTF-8"
        return sorted(self.client.search(["FROM", email], charset))

    def newest_in(self, folder: str, most: int) -> list[int]:
        """The UIDs of the newest mails of a folder, at most so many, ascending; none if there is no
        such folder.

        If there is one, it is selected afterwards, read-only.
        """
        name = self._full_name(folder)
        if not self.client.folder_exists(name):
            return []
        self.client.select_folder(name, readonly=True)
        return self.uids()[-most:]

    def delete(self, uids: Sequence[int]) -> None:
        """Delete mails of the folder that is selected."""
        self.client.delete_messages(uids)
        self.client.expunge(uids if self.client.has_capability("UIDPLUS") else None)

    def idle(self, seconds: float, stop: threading.Event) -> None:
        """Return when something happens in the mailbox, after `seconds`, or soon after `stop`.

        Raises if the connection is dead: an empty answer before that time, or none to our DONE.
        """
        self.client.idle()
        news, end = self.client.idle_check(timeout=0), time.monotonic() + seconds
        while not news and not stop.is_set() and (begun := time.monotonic()) < end:
            news = self.client.idle_check(timeout=SLICE)
            if not news and time.monotonic() - begun < SLICE / 2:
                raise ConnectionError("the connection was closed while we waited for mail")
        self.client.idle_done()

    def _full_name(self, name: str) -> str:
        prefix = ""
        if self.client.has_capability("NAMESPACE"):
            personal = self.client.namespace().personal
            prefix = str(personal[0][0]) if personal else ""
        return f"{prefix}{name}"

    def _own_folder(self, name: str) -> str:
        folder = self._full_name(name)
        if not self.client.folder_exists(folder):
            self.client.create_folder(folder)
        return folder


def in_portions(facts: Mapping[int, Facts]) -> Iterator[dict[int, Facts]]:
    """The mails in portions of at most BATCH_BYTES, in their order."""
    portion: dict[int, Facts] = {}
    room = BATCH_BYTES
    for uid, mail in facts.items():
        needed = min(mail.size, LARGEST)
        if portion and needed > room:
            yield portion
            portion, room = {}, BATCH_BYTES
        portion[uid] = mail
        room -= needed
    if portion:
        yield portion


def _body(answer: Mapping[bytes, Any]) -> bytes | None:
    """The bytes in a FETCH answer, whole or cut, whatever else the server put in it."""
    return next((value for key, value in answer.items() if key.startswith(b"BODY[]")), None)
