"""Which games a mail belongs to, and whether staff may read it yet.

A player's mail holds orders, press, or our answer to them. While one of their games is being
played, the mail is open only if all its orders have been adjudicated and it holds nothing else.
Otherwise staff need a look, and we tell all players of these games about it
(`games.services.moderation.looks`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from games.models import AdvanceOrders, Game, Player, Press, Seat
from games.queries.access import roles
from games.queries.lookup import player_by_address
from games.queries.players.seats import PLAYED
from mailer.commands.player import WORDS
from mailer.commands.player.account.set import Set
from mailer.commands.player.consent.vote import Concede, Draw, Vote
from mailer.commands.player.messages.diary import Diary
from mailer.commands.script import read_script
from mailer.inbound.requests import read_with_greetings
from mailer.letter import Letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.outbound.tokens import ForPress, ForSeat

Mail = InboundMail | OutboundMail
PRIVATE = frozenset({Vote.name, Draw.name, Concede.name, Set.name, Diary.name})
"""Commands that may hold a vote or notes: these stay secret while the game is being played."""

Concerned = Mapping[Game, frozenset[str]]


def games_concerned(mail: Mail) -> Concerned:
    """Return the games being played that the mail belongs to, each with the powers whose mail it
    is.

    Several powers or none: it may be the GM's mail, or that of a player who changed seats.
    """
    seats = Seat.objects.filter(pk__in=_seats(mail)).select_related("power__game")
    found: dict[Game, set[str]] = {}
    for seat in seats:
        found.setdefault(seat.power.game, set()).add(seat.power.name)
    for game in _games(mail):
        found.setdefault(game, set())
    return {game: frozenset(powers) for game, powers in found.items() if game.status in PLAYED}


@dataclass(frozen=True, slots=True)
class Sight:
    """What a user of the mail pages may do with a mail, and whom it concerns."""

    concerned: Concerned
    may_read: bool
    """They may read it without a look."""
    may_look: bool
    """They may ask to read it; then all players of its games are told."""


def sight(user: User, mail: Mail) -> Sight:
    """Say what this user may do with the mail."""
    games = games_concerned(mail)
    if roles.plays_in_any(user, games):
        return Sight(games, may_read=False, may_look=False)
    is_operator = roles.is_operator(user)
    inbound = mail.answers if isinstance(mail, OutboundMail) else mail
    if games:
        open_now = inbound is not None and is_operator and _is_over(inbound, games)
    else:
        open_now = inbound is None or _writer(inbound) is not None
    return Sight(games, may_read=open_now, may_look=is_operator)


def _is_over(mail: InboundMail, games: Iterable[Game]) -> bool:
    """Whether the mail held only orders for these games, all adjudicated: no press, vote, note or
    advance orders."""
    if any(call.command in PRIVATE for call in read_script(_letter(mail), WORDS)):
        return False
    stored = mail.order_sets.select_related("order_set__phase", "order_set__seat")
    sets = [one.order_set for one in stored]
    of_sets = {one.phase.game_id for one in sets}
    if any(one.phase.outcome is None for one in sets):
        return False
    ahead = AdvanceOrders.objects.filter(
        # By player, not by tenure: a player who returns takes them along.
        seat__power__in=[one.power_id for one in sets],
        seat__player__in=[one.seat.player_id for one in sets if one.seat],
        used_at=None,
        passed_at=None,
    )
    press = Press.objects.filter(source=mail.message_id[:255]).exclude(source="")
    if not all(game.pk in of_sets for game in games):
        return False
    rest = ahead.order_by().values_list("pk").union(press.order_by().values_list("pk"), all=True)
    return not rest[:1]


def _seats(mail: Mail) -> QuerySet[Any, Any]:
    """The keys of the tenures whose mail it is: a part of the query for each way it can be
    theirs."""
    inbound = mail.answers if isinstance(mail, OutboundMail) else mail
    players, parts = {mail.player_id}, []
    if inbound is not None:
        if writer := _writer(inbound):
            players.add(writer.pk)
        match addresses.find(_letter(inbound).recipients):
            case ForSeat(seat=seat) | ForPress(seat=seat):
                parts.append(Seat.objects.filter(pk=seat.pk))
        parts.append(Seat.objects.filter(order_sets__mail__mail=inbound))
    theirs = Seat.objects.filter(player__in=players - {None}).order_by().values_list("pk")
    return theirs.union(*(part.order_by().values_list("pk") for part in parts))


def _games(mail: Mail) -> list[Game]:
    """The games that the mail belongs to in other ways: by its event, or because its sender runs
    them."""
    games = []
    if isinstance(mail, OutboundMail):
        if mail.event:
            games.append(mail.event.game)
        mail = mail.answers or mail
    if isinstance(mail, InboundMail) and mail.sender:
        senders = User.objects.filter(email__iexact=mail.sender)
        games += Game.objects.filter(roles.is_run_by(senders))
    return games


def _writer(mail: InboundMail) -> Player | None:
    """Its writer, as we found out or as the mail claims."""
    return mail.player or player_by_address(mail.sender or _letter(mail).sender or "")


def _letter(mail: InboundMail) -> Letter:
    return read_with_greetings(bytes(mail.raw))
