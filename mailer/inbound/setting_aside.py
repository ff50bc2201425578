"""Setting aside a mail that breaks the program: its game waits, and the people concerned are told.

If it proved its sender, or came to a seat's reply address, its game waits for it (`holds.py`); a
forged one holds up nothing. We tell the GM and the operators, and apologise to the player: for each
mail that is theirs, but only once a day for mails that claim to be.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.conf import settings

from games.models import UNFINISHED, Game, Player
from games.queries import lookup
from games.queries.access.roles import masters
from games.queries.board import phase_title
from games.queries.orders.current_orders import is_readable
from games.queries.reports.wording import listed, local_moment
from games.services.time_limit import TookTooLong
from mailer.identity import identify
from mailer.identity.claims import running_seats
from mailer.identity.senders import AnsweringGm, GameMaster, Proof, SeatHolder, Sender
from mailer.inbound.store import header_only
from mailer.letter import Letter, read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses, layout, operators, outbox
from mailer.outbound.tokens import ForPress, ForSeat
from mailer.reading.authentication import Verdict, verdict
from mailer.reading.machine import Kind
from mailer.text import MARKER

KIND = "mail_set_aside"


def tell(mail: InboundMail, *, now: dt.datetime) -> None:
    """Make the games wait that the mail may matter to, and tell the people it concerns.

    We read only its header: what breaks programs is usually in the body.
    """
    letter = read_letter(header_only(bytes(mail.raw)))
    sender = _proved_sender(mail, letter)
    games = _games_that_wait(letter, sender)
    mail.holds.set(games)
    if not letter.mark:
        _apologise(mail, letter, games, now, is_proved=sender is not None)
    this_time = f"{KIND}/{mail.pk}/{now:%Y%m%d%H%M%S}"  # it may be worked on again, and break again
    for game in games:
        _tell_gm(mail, game, f"{this_time}/gm/{game.pk}", now)
    _tell_operators(mail, games, this_time, now)


def tell_without_reading(mail: InboundMail, *, now: dt.datetime) -> None:
    """Tell the people a mail concerns if we cannot even read its header: the operators, and the
    player named in its From line when it was stored."""
    _apologise(mail, None, [], now, is_proved=False)
    _tell_operators(mail, [], "", now)


def _tell_operators(
    mail: InboundMail, games: Sequence[Game], this_time: str, now: dt.datetime
) -> None:
    names = listed([game.name for game in games])
    operators.tell(
        key=this_time if games else f"{KIND}/{now:%Y%m%d}",
        kind=KIND,
        subject=f"[{names}] A mail was set aside: {_wait(games)}" if games else NOBODY_WAITS,
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


def _proved_sender(mail: InboundMail, letter: Letter) -> Sender | None:
    """The writer of a mail, if it proves who that is; the mail keeps that."""
    if letter.sender is None:
        return None
    sender = identify.identify(
        letter, received_at=mail.received_at, signed_by=mail.signed_by.split()
    )
    if sender.proof is Proof.NONE:
        return None
    mail.player, mail.proof = sender.player, sender.proof.name.lower()
    mail.save(update_fields=["player", "proof"])
    return sender


def _games_that_wait(letter: Letter, sender: Sender | None) -> list[Game]:
    """The games that must not go on without a mail, by name; none for a forged mail.

    `sender` is its writer, if it proves who that is.
    """
    if _is_a_program_s(letter) or _is_disproved(letter):
        return []
    match addresses.find(letter.recipients):
        case ForSeat(seat=seat) | ForPress(seat=seat) if seat.until is None:
            return _running([seat.power.game])
    return _running(_games_meant(sender)) if sender else []


def _games_meant(sender: Sender) -> list[Game]:
    """The games that a proved sender may have written for."""
    match sender:
        case GameMaster(game=Game() as game):
            return [game]
        case AnsweringGm(question=question):
            return [question.game]
        case SeatHolder(seat=seat):
            return [seat.power.game] if seat.until is None else []
    # The part that nobody could read says which of their games they mean.
    player = sender.player
    return [seat.power.game for seat in running_seats(player)] if player else []


def _is_a_program_s(letter: Letter) -> bool:
    """Whether only a program writes like this; mere hints of one stand on people's mails, too."""
    return letter.mark is not None and letter.mark.kind in (Kind.REPORT, Kind.AUTOMATIC)


def _is_disproved(letter: Letter) -> bool:
    sender, trusted = letter.sender or "", settings.TRUSTED_AUTHSERV_ID
    return bool(sender) and verdict(letter.authentication, sender, trusted) is Verdict.FAILED


def _running(games: Sequence[Game]) -> list[Game]:
    """The games with a phase that can wait."""
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


def _apologise(
    mail: InboundMail,
    letter: Letter | None,
    games: Sequence[Game],
    now: dt.datetime,
    *,
    is_proved: bool,
) -> None:
    """Tell a player that we set their mail aside; `games` are those that wait for it.

    We do not say why, unless the mail took too long, or we keep it for a game whose board we cannot
    read.
    """
    sender = letter.sender if letter else mail.sender
    player = lookup.player_by_address(sender) if sender else None
    if player is None:
        return
    # Anybody who knows what breaks us could make us write to them again and again in their own
    # name.
    each = mail.pk if is_proved else f"{now.date()}/{player.pk}"
    outbox.enqueue(
        key=f"set-aside/{each}",
        kind="set_aside",
        recipient=player.address,
        subject="We could not work on your mail",
        body=layout.render(
            "set_aside",
            marker=MARKER,
            name=player.name,
            board=_unreadable(games, player),
            too_long=took_too_long(mail),
            received=local_moment(mail.received_at, player.timezone),
        ),
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
        player=player,
        answers=mail,
        in_reply_to=letter.message_id if letter else "",
        references=letter.message_id if letter else "",
    )


def took_too_long(mail: InboundMail) -> bool:
    """Whether the last attempt to work on a mail was stopped because it took too long."""
    return mail.error.startswith(TookTooLong.__name__)


def _unreadable(games: Sequence[Game], player: Player) -> str:
    """The name of the player's game among these whose board we cannot read, or ""."""
    played = {seat.power.game_id for seat in running_seats(player)}
    phases = lookup.open_phases([game for game in games if game.pk in played]).values()
    return next((one.game.name for one in phases if not is_readable(one)), "")
