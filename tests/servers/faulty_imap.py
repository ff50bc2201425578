"""An IMAP server that misbehaves as it is told to, mail by mail: what a real one does once a year.

It speaks as much of RFC 3501 as the poller uses, over one folder kept in memory.
"""

from __future__ import annotations

import contextlib
import enum
import itertools
import re
import socket
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field


class Fault(enum.Enum):
    """What becomes of a FETCH of one mail's text."""

    REFUSES = "the command ends with NO, whatever else it asked for"
    HANGS_UP = "the connection breaks in the middle of the text"
    NIL = "the text is answered as NIL"
    EMPTY = "the text is answered as empty"
    LEFT_OUT = "the mail is left out, and the command ends with OK"
    NO_FACTS = "even its size and date are left out"


@dataclass
class FaultyImap:
    """What lies in the folder, what is wrong with it, and what was asked."""

    mails: dict[int, bytes] = field(default_factory=dict)
    faults: dict[int, Fault] = field(default_factory=dict)
    moved: dict[int, str] = field(default_factory=dict)
    uidvalidity: int = 7
    logins: int = 0
    fetched: list[list[int]] = field(default_factory=list)
    """The UIDs of each FETCH of texts."""
    dates: dict[int, str] = field(default_factory=dict)
    capabilities: str = "IMAP4rev1 MOVE UIDPLUS"
    renumbered_at_login: int = 0
    """At this login, counted from 1, the folder gets another UIDVALIDITY."""
    logins_refused: int = 0
    refusal: str = "NO [AUTHENTICATIONFAILED] Authentication failed."
    """The answer to these; empty: the connection ends instead."""
    idles_broken: int = 0
    """So many IDLEs end with the connection."""
    comes_with_idle: list[bytes] = field(default_factory=list)
    """Mails that come as an IDLE begins: the server tells of each in one piece with its answer."""
    nonsense: bool = False
    """It names mails by words instead of numbers."""
    unnumbered: bool = False
    """It tells no UIDVALIDITY."""
    dateless: set[int] = field(default_factory=set)
    """Whoever asks for the date of these alone is refused."""
    vanishing: set[int] = field(default_factory=set)
    """Refused among others, and moved away by somebody before they are asked for alone."""
    port: int = 0

    @property
    def url(self) -> str:
        """IMAP_URL of the folder."""
        return f"imap://judge:secret@127.0.0.1:{self.port}/INBOX"

    def put(self, *raws: bytes) -> list[int]:
        """Lay mails into the folder; their UIDs."""
        first = max(self.mails, default=0) + 1
        uids = list(range(first, first + len(raws)))
        self.mails.update(zip(uids, raws, strict=True))
        return uids


class _HangUp(Exception):
    """The connection is to break here."""


class _Talk(socketserver.StreamRequestHandler):
    """One connection."""

    box: FaultyImap

    def handle(self) -> None:
        self._say("* OK here I am")
        with contextlib.suppress(_HangUp, OSError):
            while line := self.rfile.readline().decode("ascii").strip():
                tag, command, *rest = line.split(" ", 2)
                arguments = rest[0] if rest else ""
                if command.upper() == "UID":
                    command, _, arguments = arguments.partition(" ")
                answer = getattr(self, f"_{command.lower()}", self._anything)
                self._say(f"{tag} {answer(arguments)}")
                if command.upper() == "LOGOUT":
                    return

    def _say(self, line: str) -> None:
        self.wfile.write(line.encode("ascii") + b"\r\n")

    def _anything(self, arguments: str) -> str:
        return "OK done"

    def _capability(self, arguments: str) -> str:
        self._say(f"* CAPABILITY {self.box.capabilities}")
        return "OK done"

    def _login(self, arguments: str) -> str:
        if self.box.logins_refused:
            self.box.logins_refused -= 1
            if not self.box.refusal:
                self._hang_up()
            return self.box.refusal
        self.box.logins += 1
        if self.box.logins == self.box.renumbered_at_login:
            self.box.uidvalidity += 1
        return "OK done"

    def _idle(self, arguments: str) -> str:
        news = f"\r\n* {len(self.box.mails) + 1} EXISTS" if self.box.comes_with_idle else ""
        self.box.put(*self.box.comes_with_idle[:1])
        del self.box.comes_with_idle[:1]
        self._say(f"+ idling{news}")
        if self.box.idles_broken:
            self.box.idles_broken -= 1
            self._hang_up()
        assert self.rfile.readline().strip() == b"DONE"
        return "OK done"

    def _hang_up(self) -> None:
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        raise _HangUp

    def _list(self, arguments: str) -> str:
        folder = arguments.rpartition(" ")[2]
        self._say(f'* LIST () "/" {folder}')
        return "OK done"

    def _select(self, arguments: str) -> str:
        self._say("* FLAGS ()")
        self._say(f"* {len(self.box.mails)} EXISTS")
        if not self.box.unnumbered:
            self._say(f"* OK [UIDVALIDITY {self.box.uidvalidity}] numbers")
        return "OK [READ-WRITE] done"

    def _search(self, arguments: str) -> str:
        _, among, uids = arguments.rpartition("UID ")
        wanted = self._those(uids) if among else list(self.box.mails)
        named = ["first"] if self.box.nonsense else map(str, wanted)
        self._say(" ".join(["* SEARCH", *named]))
        return "OK done"

    def _move(self, arguments: str) -> str:
        uids, folder = arguments.split(" ", 1)
        for uid in self._those(uids):
            del self.box.mails[uid]
            self.box.moved[uid] = folder.strip('"')
        return "OK done"

    def _those(self, uids: str) -> list[int]:
        if uids == "*":
            return [max(self.box.mails)] if self.box.mails else []
        ranges = (part.partition(":") for part in uids.split(","))
        spans = (range(int(first), int(last or first) + 1) for first, _, last in ranges)
        return [uid for uid in itertools.chain.from_iterable(spans) if uid in self.box.mails]

    def _fetch(self, arguments: str) -> str:
        numbers, items = arguments.split(" ", 1)
        uids = self._those(numbers)
        if "BODY" not in items:
            if "SIZE" not in items and self.box.dateless.intersection(uids):
                return "NO [SERVERBUG] no date"
            for uid in uids:
                self._facts(uid, items)
            return "OK done"
        self.box.fetched.append(uids)
        part = re.search(r"<0\.(\d+)>", items)
        if gone := self.box.vanishing.intersection(uids):
            if len(uids) > 1:
                return "NO [EXPUNGEISSUED] some mails are gone"
            self.box.mails.pop(gone.pop())
            return "OK done"
        for uid in uids:
            if self.box.faults.get(uid) is Fault.REFUSES:
                return "NO [SERVERBUG] some mails could not be fetched"
            self._text(uid, int(part[1]) if part else None)
        return "OK done"

    def _facts(self, uid: int, items: str) -> None:
        if self.box.faults.get(uid) is Fault.NO_FACTS:
            return
        date = self.box.dates.get(uid, "22-Nov-2026 06:00:00 +0000")
        size = f" RFC822.SIZE {len(self.box.mails[uid])}" if "SIZE" in items else ""
        self._say(f'* {uid} FETCH (UID {uid}{size} INTERNALDATE "{date}")')

    def _text(self, uid: int, most: int | None) -> None:
        fault, raw = self.box.faults.get(uid), self.box.mails[uid][:most]
        name = "BODY[]" if most is None else "BODY[]<0>"
        if fault is Fault.NIL:
            self._say(f"* {uid} FETCH (UID {uid} {name} NIL)")
        elif fault is Fault.EMPTY:
            self._say(f'* {uid} FETCH (UID {uid} {name} "")')
        elif fault not in (Fault.LEFT_OUT, Fault.NO_FACTS):
            self._say(f"* {uid} FETCH (UID {uid} {name} {{{len(raw)}}}")
            if fault is Fault.HANGS_UP:
                self.wfile.write(raw[: len(raw) // 2])
                self._hang_up()
            self.wfile.write(raw + b")\r\n")


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


@contextlib.contextmanager
def faulty_imap() -> Iterator[FaultyImap]:
    """A server with an empty folder on a free loopback port; stopped at the end."""
    box = FaultyImap()
    with _Server(("127.0.0.1", 0), type("Talk", (_Talk,), {"box": box})) as server:
        box.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield box
        finally:
            server.shutdown()
            thread.join()
