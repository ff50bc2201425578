"""The relay, by SMTP: the other end of smtplib's socket. It breaks in every way that it may.

What speaks to it is our own code and smtplib, whole: so a connection can be lost between any two
commands, in the middle of a mail, and between the mail and the answer to it.
"""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.simulate.machinery.post import BROKEN, Weather
from tests.simulate.machinery.process import STOPPED, Processes

PUT_OFF, LOST_250, CLOSED = 0.02, 0.02, 0.01
TORN = 0.02
"""How often a connection is lost in the middle of a mail."""
GARBLED = 0.005
"""How often the answer to a mail cannot be read, whether it was taken or not."""
SLOW = 0.02
"""How often a mail takes a minute or two: the relay thinks it over, or our machine stands still."""
END = b"\r\n.\r\n"
SECONDS = 0.01
"""What a command takes."""


@dataclass(frozen=True)
class RelayedMail:
    """A mail that the relay took: by which worker's turn, and whether the worker was told."""

    recipient: str
    sender: str
    raw: bytes
    at: dt.datetime
    turn: int
    told: bool


@dataclass
class Relay:
    """Takes our mails, or does not; `delivered` is called with each that it took."""

    weather: Weather
    processes: Processes
    delivered: Callable[[RelayedMail], None] = field(default=lambda taken: None)
    full_until: dict[str, dt.datetime] = field(default_factory=dict)
    """The addresses whose mailboxes are full, and until when."""
    gone: set[str] = field(default_factory=set)
    """Those of them that are refused for good, as if nobody was there."""
    torn: int = 0
    """How many mails it has a part of, and has thrown away."""

    def socket(self, *_: object) -> Wire:
        """Stand in for the socket that `smtplib.SMTP` opens."""
        self.weather.clock.sleep(0.05)
        self.processes.step()
        away = self.weather.smtp_away_until
        if (away and self.weather.clock.now() < away) or self.weather.strikes(BROKEN):
            raise ConnectionRefusedError("the relay is away")
        return Wire(self)

    def is_full(self, address: str) -> bool:
        """Say whether there is no room for a mail to this address now."""
        until = self.full_until.get(address)
        return until is not None and self.weather.clock.now() < until

    def take(self, sender: str, recipient: str, raw: bytes, *, told: bool) -> None:
        """Take a mail, and remember whether its 250 reaches whoever sent it."""
        turn = self.processes.turn
        at, number = self.weather.clock.now(), turn.number if turn else 0
        self.delivered(RelayedMail(recipient, sender, raw, at, number, told=told))


class Wire:
    """One connection to the relay: as much of a socket, and of its file, as smtplib uses."""

    def __init__(self, relay: Relay) -> None:
        self._relay, self._weather = relay, relay.weather
        self._answers = deque([b"220 relay.test\r\n"])
        self._is_lost = False
        self._sender = self._recipient = ""
        self._mail: bytes | None = None
        """What has come of a mail; None between mails."""

    def makefile(self, mode: str) -> Wire:
        return self

    def close(self) -> None:
        """Hang up: a mail that had not come to its end is nobody's."""
        self._relay.torn += bool(self._mail)
        self._mail = None

    def sendall(self, sent: bytes) -> None:
        """Take what smtplib sends: a command, or a mail, of which perhaps only a part comes."""
        self._pass()
        if self._is_lost or self._weather.strikes(BROKEN):
            self._lose()
        if self._mail is None:
            self._answer(sent.decode().strip())
            return
        if self._weather.strikes(TORN):
            self._mail = sent[: self._weather.chance.randrange(len(sent))]
            self._lose()
        self._mail = sent
        if sent.endswith(END) or sent == END[2:]:
            self._end_of_mail()

    def readline(self, limit: int = -1) -> bytes:
        """Return the next line of an answer; nothing once the connection is lost."""
        if self._answers:
            self._pass()
        return self._answers.popleft() if self._answers else b""

    def _pass(self) -> None:
        """Let time pass; the worker may die here."""
        self._weather.clock.sleep(SECONDS)
        self._relay.processes.step()

    def _lose(self) -> None:
        self._is_lost = True
        self._answers.clear()
        raise ConnectionResetError("the connection to the relay broke")

    def _answer(self, line: str) -> None:
        verb, _, rest = line.partition(" ")
        address = rest.partition("<")[2].partition(">")[0]
        if verb == "mail":
            self._sender = address
            if self._weather.strikes(CLOSED):
                self._say("421 4.3.2 Closing down", hang_up=True)
                return
        if verb == "rcpt":
            self._recipient = address
            if self._relay.is_full(address):
                is_gone = address in self._relay.gone
                self._say("550 5.1.1 No such user" if is_gone else "452 4.2.2 The mailbox is full")
                return
            if self._weather.strikes(PUT_OFF / 2):
                self._say("451 4.3.0 Try again later")
                return
        if verb == "data":
            self._mail = b""
        codes = {"data": "354 Go ahead", "quit": "221 Bye", "ehlo": "250 relay.test"}
        self._say(codes.get(verb, "250 2.0.0 Ok"))

    def _say(self, line: str, *, hang_up: bool = False) -> None:
        self._answers.append(f"{line}\r\n".encode())
        self._is_lost |= hang_up

    def _end_of_mail(self) -> None:
        """Take the whole mail or put it off; say so, or be gone before it can be said."""
        assert self._mail is not None, "a mail has come"
        mail, self._mail = self._mail.removesuffix(b".\r\n").replace(b"\r\n..", b"\r\n."), None
        self._think_it_over()
        if self._weather.strikes(PUT_OFF / 2):
            self._say("451 4.3.0 Try again later")
            return
        lost, garbled = self._weather.strikes(LOST_250), self._weather.strikes(GARBLED)
        told = not (lost or garbled)
        self._relay.take(self._sender, self._recipient, mail, told=told)
        self._is_lost = lost
        if not lost:
            self._say("what is it" if garbled else "250 2.0.0 Ok")

    def _think_it_over(self) -> None:
        if self._weather.strikes(SLOW):
            seconds, stops = self._weather.chance.uniform(10, 150), self._weather.strikes(STOPPED)
            self._relay.processes.hold_up(seconds, stops=stops)
