"""Threads: in each mailbox the first mail about a phase begins one, and later mails refer to it.

Usually that is the mail with the previous results, or the start mail. Programs that thread by
References (RFC 5322, 3.6.4) need nothing else; Gmail also wants the subject unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from games.models import Game, Phase, Player
from games.models.prepared import Given, Values
from mailer.models import OutboundMail


class Root(NamedTuple):
    """The mail with which a thread begins; both empty without one."""

    message_id: str = ""
    subject: str = ""


NO_ROOT = Root()
_SHOWN = ("player", "message_id", "subject")


def roots(phase: Phase, players: Sequence[Player]) -> dict[int, Root]:
    """Return the mails that began the phase's threads, by the players' keys, as far as there are
    any."""
    asked = {player.pk for player in players}
    return _by_player(row for row in _OPENS_PHASE.all(phase=phase.pk) if row[0] in asked)


_OPENS_PHASE = Values(
    lambda: OutboundMail.objects.filter(opens=Given("phase")).order_by("-pk").values_list(*_SHOWN)
)


def root(phase: Phase, player: Player) -> Root:
    """Return the mail that began the phase's thread in the player's mailbox."""
    found = _by_player(_OPENS_FOR.all(phase=phase.pk, player=player.pk))
    return found.get(player.pk, NO_ROOT)


_OPENS_FOR = Values(
    lambda: (
        OutboundMail.objects.filter(opens=Given("phase"), player=Given("player"))
        .order_by("-pk")
        .values_list(*_SHOWN)
    )
)


def newest(game: Game, players: Sequence[Player]) -> dict[int, Root]:
    """Return the first mails of the newest threads about the game, for news that is about no open
    phase."""
    mails = OutboundMail.objects.filter(opens__game=game, player__in=players)
    return _by_player(mails.order_by("pk").values_list(*_SHOWN))


def _by_player(mails: Iterable[Any]) -> dict[int, Root]:
    """Each player's mail, from rows of `_SHOWN`; a player's last row counts."""
    return {player: Root(message_id, subject) for player, message_id, subject in mails if player}
