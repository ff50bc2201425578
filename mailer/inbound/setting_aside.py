"""Setting aside a mail that breaks the program: its game waits, and the people concerned are told.

If it proved its sender, or came to a seat's reply address, its game waits for it (`holds.py`); a
forged one holds up nothing. The GM and the operators are told, and the player reads an apology.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.conf import settings

from games.models import UNFINISHED, Game, Player
from games.queries import lookup
from games.queries.board import phase_title
from games.queries.current_orders import is_readable
from games.queries.roles import masters
from games.services.time_limit import TookTooLong
from mailer.identity import identify
from mailer.identity.claims import running_seats
from mailer.identity.senders import AnsweringGm, GameMaster, Proof, SeatHolder, Sender
from mailer.letter import Letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, layout, operators, outbox
from mailer.outbound.tokens import ForPress, ForSeat
from mailer.reading.authentication import Verdict, verdict
from mailer.reading.machine import Kind
from mailer.text import MARKER, listed, local_moment

KIND = "mail_set_aside"


def hold_for(mail: InboundMail, letter: Letter, *, now: dt.datetime) -> None:
    """Have those games wait for which the mail may matter, and say so.

    `letter` may be read from the header alone, since the body is what breaks programs.
    """
    games = _games_that_wait(mail, letter)
    mail.holds.set(games)
    this_time = f"{KIND}/{mail.pk}/{now:%Y%m%d%H%M%S}"  # it may be worked on again, and break again
    for game in games:
        _tell_gm(mail, game, f"{this_time}/gm/{game.pk}", now)
    names = listed([game.name for game in games])
    operators.tell(
        key=this_time if games else f"{KIND}/{now:%Y%m%d}",
        kind=KIND,
        subject=f"[{names}] A mail was set aside: {_wait(games)}" if games else NOBODY_WAITS,
        template="mail_set_aside_operators",
        context={
            "mail": mail,
            "games": names,
            "several": len(games) > 1,
            "too_long": took_too_long(mail),
        },
        now=now,
    )


NOBODY_WAITS = "A mail was set aside: it broke the program"


def _wait(games: Sequence[Game]) -> str:
    return "the games wait for it" if len(games) > 1 else "the game waits for it"


def _games_that_wait(mail: InboundMail, letter: Letter) -> list[Game]:
    """The games that must not go on without this mail, by name; none for a forged one. If that
    takes finding out who wrote, the mail keeps it."""
    if _is_a_program_s(letter) or _is_disproved(letter):
        return []
    match addresses.find(letter.recipients):
        case ForSeat(seat=seat) | ForPress(seat=seat) if seat.until is None:
            return _running([seat.power.game])
    if letter.sender is None:
        return []
    sender = identify.identify(
        letter, received_at=mail.received_at, signed_by=mail.signed_by.split()
    )
    if sender.proof is Proof.NONE:
        return []
    mail.player, mail.proof = sender.player, sender.proof.name.lower()
    mail.save(update_fields=["player", "proof"])
    return _running(_games_meant(sender))


def _games_meant(sender: Sender) -> list[Game]:
    """The games for which a proved sender may have written."""
    match sender:
        case GameMaster(game=Game() as game):
            return [game]
        case AnsweringGm(question=question):
            return [question.game]
        case SeatHolder(seat=seat):
            return [seat.power.game] if seat.until is None else []
    # Which of their games they mean is in the part that nobody could read.
    player = sender.player
    return [seat.power.game for seat in running_seats(player)] if player else []


def _is_a_program_s(letter: Letter) -> bool:
    """Whether only a program writes so; hints of one stand on mails of people, too."""
    return letter.mark is not None and letter.mark.kind in (Kind.REPORT, Kind.AUTOMATIC)


def _is_disproved(letter: Letter) -> bool:
    sender, trusted = letter.sender or "", settings.TRUSTED_AUTHSERV_ID
    return bool(sender) and verdict(letter.authentication, sender, trusted) is Verdict.FAILED


def _running(games: Sequence[Game]) -> list[Game]:
    """Those with a phase that can wait."""
    open_ones = Game.objects.filter(pk__in=[game.pk for game in games])
    return list(open_ones.filter(phases__status__in=UNFINISHED).distinct().order_by("name"))


def _tell_gm(mail: InboundMail, game: Game, key: str, now: dt.datetime) -> None:
    phase, users = lookup.open_phase(game), masters(game, now)
    if phase is None:
        return
    for user in users:
        outbox.enqueue(
            key=key + (f"/{user.pk}" if user != users[0] else ""),
            kind=KIND,
            recipient=user.email,
            subject=f"[{game.name}] A mail broke our program: the phase waits for it",
            body=layout.render(
                "mail_set_aside_gm",
                marker=MARKER,
                game=game,
                title=phase_title(phase.name),
                unreadable=not is_readable(phase),
                sender=mail.sender,
                received=local_moment(mail.received_at),
            ),
            now=now,
            priority=OutboundMail.Priority.RESULT,
            reply_to=addresses.gm_address(user=user, game=game, now=now),
        )


def apologise(*, mail: InboundMail, letter: Letter, now: dt.datetime) -> None:
    """Tell a player that their mail was set aside, without a word about why unless it took too
    long, or is kept for a game whose board cannot be read."""
    player = lookup.player_by_address(letter.sender) if letter.sender else None
    if player is None or letter.mark:
        return
    outbox.enqueue(
        key=f"set-aside/{mail.pk}",
        kind="set_aside",
        recipient=player.address,
        subject="We could not work on your mail",
        body=layout.render(
            "set_aside",
            marker=MARKER,
            name=player.name,
            board=_unreadable(mail, letter, player),
            too_long=took_too_long(mail),
            received=local_moment(mail.received_at, player.timezone),
        ),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        player=player,
        answers=mail,
        in_reply_to=letter.message_id,
        references=letter.message_id,
    )


def took_too_long(mail: InboundMail) -> bool:
    """Whether the last attempt to work on a mail was stopped because it took too long."""
    return mail.error.startswith(TookTooLong.__name__)


def _unreadable(mail: InboundMail, letter: Letter, player: Player) -> str:
    """The player's game that waits for this mail, if its board cannot be read; "" otherwise."""
    played = {seat.power.game_id for seat in running_seats(player)}
    games = [game for game in _games_that_wait(mail, letter) if game.pk in played]
    phases = lookup.open_phases(games).values()
    return next((one.game.name for one in phases if not is_readable(one)), "")
