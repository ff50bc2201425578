"""Whose games a mail belongs to, and whether what it says may be shown yet.

A mail of a player holds orders, press, or our answer to them. As long as one of their games is
played, it is shown in passing only when all that it ordered is adjudicated and nothing else is in
it; otherwise by a look that all players of these games are told of (`games.services.looks`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.contrib.auth.models import User
from django.db.models import Q

from games.models import Game, OrdersAhead, Player, Press, Seat
from games.queries import roles
from games.queries.lookup import player_by_address
from mailer.commands.calls import read_script
from mailer.commands.player import WORDS
from mailer.commands.player.diary import Diary
from mailer.commands.player.set import Set
from mailer.commands.player.vote import Concede, Draw, Vote
from mailer.letter import Letter, read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.outbound.tokens import ForPress, ForSeat

Mail = InboundMail | OutboundMail
PRIVATE = frozenset({Vote.name, Draw.name, Concede.name, Set.name, Diary.name})
"""Commands that may be a vote, and notes: they stay secret as long as the game is played."""

Concerned = Mapping[Game, frozenset[str]]


def concerned(mail: Mail) -> Concerned:
    """Return the games it belongs to that are being played, with the powers whose mail it is.

    Several powers or none: it may be the GM's mail, or that of a player who changed seats.
    """
    seats = Seat.objects.filter(_seats(mail)).select_related("power__game")
    found: dict[Game, set[str]] = {}
    for seat in seats:
        found.setdefault(seat.power.game, set()).add(seat.power.name)
    for game in _games(mail):
        found.setdefault(game, set())
    return {
        game: frozenset(powers)
        for game, powers in found.items()
        if game.status in (Game.Status.ACTIVE, Game.Status.PAUSED)
    }


def may_read(user: User, mail: Mail) -> bool:
    """Say whether this user of the mail pages may read it without a look."""
    games = concerned(mail)
    if any(roles.plays_in(user, game) for game in games):
        return False
    inbound = mail.answers if isinstance(mail, OutboundMail) else mail
    if not games:
        return inbound is None or _writer(inbound) is not None
    return inbound is not None and roles.is_operator(user) and _is_over(inbound, games)


def may_look(user: User, mail: Mail) -> bool:
    """Say whether they may ask to read it, which all players of its games hear of."""
    playing = any(roles.plays_in(user, game) for game in concerned(mail))
    return roles.is_operator(user) and not playing


def _is_over(mail: InboundMail, games: Iterable[Game]) -> bool:
    """Whether it held orders of these games only, all adjudicated, no press, no vote, no note,
    nothing ahead."""
    if any(call.verb in PRIVATE for call in read_script(_letter(mail), WORDS)):
        return False
    stored = mail.order_sets.select_related("order_set__phase", "order_set__seat")
    sets = [one.order_set for one in stored]
    of_sets = {one.phase.game_id for one in sets}
    if not sets or any(one.phase.outcome is None for one in sets):
        return False
    ahead = OrdersAhead.objects.filter(
        # Of the player, not of the tenure: they go along to the next one of a player who returns.
        seat__power__in=[one.power_id for one in sets],
        seat__player__in=[one.seat.player_id for one in sets if one.seat],
        used_at=None,
        passed_at=None,
    )
    press = Press.objects.filter(source=mail.message_id[:255]).exclude(source="")
    return all(game.pk in of_sets for game in games) and not ahead.exists() and not press.exists()


def _seats(mail: Mail) -> Q:
    inbound = mail.answers if isinstance(mail, OutboundMail) else mail
    found = Q(player=mail.player_id) if mail.player_id else Q(pk=None)
    if inbound is None:
        return found
    if writer := _writer(inbound):
        found |= Q(player=writer)
    match addresses.find(_letter(inbound).recipients):
        case ForSeat(seat=seat) | ForPress(seat=seat):
            found |= Q(pk=seat.pk)
    return found | Q(order_sets__mail__mail=inbound)


def _games(mail: Mail) -> list[Game]:
    """The games that it names otherwise: by what it tells, or as a mail of their GM."""
    games = []
    if isinstance(mail, OutboundMail):
        if mail.event:
            games.append(mail.event.game)
        mail = mail.answers or mail
    if isinstance(mail, InboundMail):
        games += Game.objects.filter(gm__email__iexact=mail.sender).exclude(gm__email="")
    return games


def _writer(mail: InboundMail) -> Player | None:
    """Who wrote it, as it was found out or as it claims."""
    return mail.player or player_by_address(mail.sender or _letter(mail).sender or "")


def _letter(mail: InboundMail) -> Letter:
    return read_letter(bytes(mail.raw))
