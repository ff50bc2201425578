"""One mail to one recipient about one event, before it is queued."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import User

from games.models import Event, Game, Phase, Player, Press, Seat
from games.queries.access.roles import masters, plays_among, plays_in
from games.queries.reports.calendars import CalendarFile
from games.services.clock.extensions import extension_like
from mailer.models import OutboundMail
from mailer.outbound import layout, outbox, threads
from mailer.outbound.buttons import Button
from mailer.outbound.pictured import PictureRequest
from mailer.outbound.tokens import ForGm, ForGmPress, ForSeat, Token
from mailer.text import MARKER

Priority = OutboundMail.Priority
CalendarFiles = Mapping[str, Sequence[CalendarFile]]
NO_CALENDARS: CalendarFiles = {}
_DOES = {
    Game.Status.FORMING: "INVITE and addresses, STATUS or WRITE TO ALL",
    Game.Status.MUSTER: "START, STATUS or WRITE TO ALL",
    Game.Status.PAUSED: "RESUME, EXCUSE or WRITE TO ALL",
    Game.Status.FINISHED: "STATUS or LOG",
}
"""What a GM is likely to do, by the state of the game."""


def gm_hint(game: Game, *, plays: bool = False) -> str:
    """Say how a GM can answer: with the commands that work in the game now, and that they may use
    even if they play in it.

    The lines are short, so that no program wraps them again and leaves a phone with half-empty
    ones.
    """
    usual = (
        "PAUSE, REMIND or"
        if plays
        else f"EXTEND {extension_like(game)} because …, PAUSE, PROCESS or"
    )
    likely = _DOES.get(Game.Status(game.status), f"{usual} WRITE TO ALL")
    likely = likely.replace(", EXCUSE or", " or") if plays else likely
    return layout.laid_out(
        f"{layout.GM_HINT}, and can act on the game by replying.\n"
        f"For example: {likely}\n"
        "There are more commands; HELP lists them all."
    )


@dataclass(frozen=True, slots=True)
class Notice:
    """A mail to one person."""

    key: str
    """It makes this the same mail if the event is told again."""
    recipient: str
    subject: str
    body: str
    player: Player | None = None
    reply_to: Token | str = ""
    """An address, or what an answer means; the addresses for all notices of an event are made
    together."""
    cc: str = ""
    references: str = ""
    opens: Phase | None = None
    buttons: Sequence[Button] = ()
    pictured: PictureRequest | None = None
    calendars: Sequence[CalendarFile] = ()
    priority: Priority = Priority.NOTICE

    def mail(self, event: Event, place: str, now: dt.datetime) -> outbox.Mail:
        """The notice as a mail about `event`, with this address for answers."""
        return {
            "key": self.key,
            "kind": event.kind,
            "recipient": self.recipient,
            "subject": self.subject,
            "body": self.body,
            "now": now,
            "priority": self.priority,
            "player": self.player,
            "event": event,
            "reply_to": place,
            "cc": self.cc,
            "references": self.references,
            "opens": self.opens,
            "buttons": self.buttons,
            "pictured": self.pictured,
            "calendars": self.calendars,
        }


class SeatMail(NamedTuple):
    """What the player of a seat will read."""

    seat: Seat
    subject: str
    body: str


def to_seats(
    event: Event,
    mails: Iterable[SeatMail],
    *,
    phase: Phase | None,
    calendars: CalendarFiles = NO_CALENDARS,
    begins: bool = False,
) -> list[Notice]:
    """Notices for players; an answer is about `phase`.

    The first notice about a phase begins its thread in a player's mailbox; `begins` says that these
    are the first. Players without an address get none. `calendars` has the files to attach, by
    power.
    """
    reached = [
        (seat, record.email, subject, body)
        for seat, subject, body in mails
        if (record := seat.player.record)
    ]
    players = [seat.player for seat, *_ in reached]
    roots = {} if begins else _threads(event.game, phase, players)
    return [
        Notice(
            key=f"{event.kind}/{event.pk}/seat/{seat.pk}",
            recipient=email,
            subject=about(event.game, subject),
            body=body,
            player=seat.player,
            reply_to=ForSeat(seat, phase),
            references=roots.get(seat.player_id, threads.NO_ROOT).message_id,
            opens=None if seat.player_id in roots else phase,
            calendars=calendars.get(seat.power.name, ()),
            priority=Priority.RESULT,
        )
        for seat, email, subject, body in reached
    ]


def _threads(game: Game, phase: Phase | None, players: Sequence[Player]) -> dict[int, threads.Root]:
    return threads.roots(phase, players) if phase else threads.newest(game, players)


def to_seat(
    event: Event,
    seat: Seat,
    *,
    subject: str,
    body: str,
    phase: Phase | None,
    calendars: CalendarFiles,
    key: str = "",
) -> list[Notice]:
    """A notice for the player of one seat, as `to_seats`; with a `key` they get it only once."""
    written = to_seats(event, [SeatMail(seat, subject, body)], phase=phase, calendars=calendars)
    return [replace(one, key=key or one.key) for one in written]


def to_gm(
    event: Event,
    *,
    subject: str,
    body: str,
    key: str = "",
    answers: Press | None = None,
    references: str = "",
    but: int | None = None,
    seats: Sequence[Seat] | None = None,
) -> list[Notice]:
    """A notice for each of those who run the game.

    They answer it with commands or, if it `answers` press to them, with press. `but` is the key of
    somebody who knows already; `seats` are the running tenures, if they were read with their
    players' addresses.
    """
    users = masters(event.game, event.created_at)
    return [
        Notice(
            key=(key or gm_key(event)) + (f"/{user.pk}" if user != users[0] else ""),
            recipient=user.email,
            subject=about(event.game, subject),
            body=_with_marker(body)
            if answers
            else f"{_with_marker(body)}\n{_hint(event, user, seats)}",
            reply_to=_gm_answers(event, user, answers),
            references=references,
        )
        for user in users
        if user.pk != but
    ]


def _hint(event: Event, user: User, seats: Sequence[Seat] | None) -> str:
    plays = plays_in(user, event.game) if seats is None else plays_among(user, seats)
    return gm_hint(event.game, plays=plays)


def _gm_answers(event: Event, user: User, press: Press | None) -> Token:
    """What a reply by somebody who runs the game means."""
    return ForGmPress(user, press) if press else ForGm(user, event.game)


def gm_key(event: Event) -> str:
    """The key of the mail that tells the GM of the event."""
    return f"{event.kind}/{event.pk}/gm"


def _with_marker(body: str) -> str:
    """Add the line above which people write, so that no line of ours in a reply passes for a
    command."""
    return body if body.startswith(MARKER) else f"{MARKER}\n\n{body}"


def to_operators(event: Event, *, subject: str, body: str) -> list[Notice]:
    """A notice for each of those who run the server (settings.OPERATOR_ADDRESSES)."""
    return [
        Notice(
            key=f"{event.kind}/{event.pk}/operator/{address}",
            recipient=address,
            subject=about(event.game, subject),
            body=body,
        )
        for address in settings.OPERATOR_ADDRESSES
    ]


def about(game: Game, subject: str) -> str:
    """`[marne] Fall 1903 retreats: results`."""
    return f"[{game.name}] {subject}"
