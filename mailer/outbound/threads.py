"""Threads: in each mailbox the first mail about a phase begins one, and later mails refer to it.

Usually that is the mail with the previous results, or the start mail. Programs that thread by
References (RFC 5322, 3.6.4) need nothing else; Gmail also wants the subject unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from games.models import Game, Phase, Player
from mailer.models import OutboundMail


class Root(NamedTuple):
    """The mail with which a thread begins; both empty without one."""

    message_id: str = ""
    subject: str = ""


NO_ROOT = Root()


def roots(phase: Phase, players: Sequence[Player]) -> dict[int, Root]:
    """Return, by the players' keys, the mails that began the phase's threads; only those that are
    there."""
    return _by_player(OutboundMail.objects.filter(opens=phase, player__in=players).order_by("-pk"))


def root(phase: Phase, player: Player) -> Root:
    """Return the mail that began the phase's thread in the player's mailbox."""
    return roots(phase, [player]).get(player.pk, NO_ROOT)


def newest(game: Game, players: Sequence[Player]) -> dict[int, Root]:
    """Return the beginnings of the newest threads about the game: of news that is about no phase
    that is open."""
    mails = OutboundMail.objects.filter(opens__game=game, player__in=players)
    return _by_player(mails.order_by("pk"))


def _by_player(mails: QuerySet[OutboundMail]) -> dict[int, Root]:
    """The last that comes of each player's mails."""
    found = mails.values_list("player", "message_id", "subject")
    return {player: Root(message_id, subject) for player, message_id, subject in found if player}
