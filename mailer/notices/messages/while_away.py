"""Sums up in one mail what a player missed while their mail was paused, and then sends what is
still of use.

That is the press to them, which they find nowhere else, and the newest mail of each game they play,
which says what to order. The rest stays kept back.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence

from games.events import PhaseProcessed, PressSent
from games.models import Conduct, Game, Phase, Player, Seat
from games.queries import lookup
from games.queries.board import phase_title
from games.queries.lookup import everyone_in
from games.queries.reports.wording import counted, local_moment
from games.services.moderation.seats_lost import seats_played
from mailer.models import OutboundMail
from mailer.outbound import addresses, layout, outbox
from mailer.text import MARKER, due

KIND = "resumed"
State = OutboundMail.State
_NEWEST_OF = ("game_started", PhaseProcessed.kind, "seat_taken")
"""Mails from which a player can go on: each has the board and a reply address."""


def tell(entry: Conduct, now: dt.datetime) -> None:
    """Queue the mail that sums up what `entry.player` missed, and those that follow it.

    Without a confirmed address there is nobody to tell.
    """
    player, record = entry.player, entry.player.record
    if record is None:
        return
    kept = _mails_kept(player, entry)
    follow = [*_press(kept), *_newest(kept, player)]
    outbox.enqueue(
        key=f"{KIND}/{entry.pk}",
        kind=KIND,
        recipient=record.email,
        subject="While you were away",
        body=layout.render(
            "while_away",
            marker=MARKER,
            name=player.name,
            paused=bool(kept),
            games=_games(kept, player, now),
            others=_others(kept, player),
            follow=len(follow),
        ),
        now=now,
        priority=OutboundMail.Priority.RESULT,
        player=player,
        asked_for=True,
        reply_to=addresses.player_address(address=record, now=now),
    )
    OutboundMail.objects.filter(pk__in=[mail.pk for mail in follow]).update(
        state=State.QUEUED, not_before=now, recipient=record.email
    )


def _mails_kept(player: Player, entry: Conduct) -> list[OutboundMail]:
    """The mails kept back during the pause that `entry` ended."""
    paused = player.conduct.filter(kind=Conduct.Kind.MAIL_PAUSED, pk__lt=entry.pk).first()
    if paused is None:
        return []
    theirs = OutboundMail.objects.filter(player__in=everyone_in(player))
    rows = theirs.filter(state=State.KEPT, created_at__gte=paused.at)
    return list(rows.select_related("event").defer("body").order_by("pk"))


def _press(kept: Sequence[OutboundMail]) -> list[OutboundMail]:
    return [mail for mail in kept if mail.kind == PressSent.kind]


def _newest(kept: Sequence[OutboundMail], player: Player) -> list[OutboundMail]:
    """The newest mail of each game they play from which they can go on."""
    played = {seat.power.game_id for seat in seats_played(player)}
    newest = {mail.event.game_id: mail for mail in kept if mail.kind in _NEWEST_OF and mail.event}
    return [mail for game, mail in newest.items() if game in played]


def _games(kept: Sequence[OutboundMail], player: Player, now: dt.datetime) -> list[str]:
    """How each of their games stands, and what we kept back about it, in a few lines."""
    seats = seats_played(player)
    phases = lookup.open_phases([seat.power.game for seat in seats])
    return [_game(seat, phases.get(seat.power.game_id), kept, now) for seat in seats]


def _game(seat: Seat, phase: Phase | None, kept: Sequence[OutboundMail], now: dt.datetime) -> str:
    game, zone = seat.power.game, seat.player.timezone
    paused = game.status == Game.Status.PAUSED
    when = due(
        phase.due_at if phase else None,
        zone,
        game.timezone,
        now,
        paused=paused,
        resumes_at=game.resume_at,
    )
    title = phase_title(phase.name) if phase else ""
    stands = [f"You play {seat.power.name}. The phase is {title}.", *when]
    return "\n".join([game.name, *stands, _what_they_missed(kept, game.pk)])


def _what_they_missed(kept: Sequence[OutboundMail], game_id: int) -> str:
    kinds = Counter(mail.kind for mail in kept if mail.event and mail.event.game_id == game_id)
    decided, press = kinds.pop(PhaseProcessed.kind, 0), kinds.pop(PressSent.kind, 0)
    said = [
        *([f"{counted(decided, 'phase')} decided"] if decided else []),
        *([counted(press, "letter")] if press else []),
        *([counted(kinds.total(), "other mail")] if kinds else []),
    ]
    return f"Since then: {', '.join(said)}." if said else "Nothing has happened there since then."


def _others(kept: Sequence[OutboundMail], player: Player) -> list[str]:
    """The subjects of mails about no game that they play, each with its day."""
    played = {seat.power.game_id for seat in seats_played(player)}
    rest = [mail for mail in kept if mail.event is None or mail.event.game_id not in played]
    return [
        f"{local_moment(mail.created_at, player.timezone)}: {mail.subject}" for mail in rest[-20:]
    ]
