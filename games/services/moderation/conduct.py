"""What moderators do about a player: notes, answers, suspensions, bans. All is kept in their file.

The player is told first, with the reason and the end. A game's log says what they lose in it; the
reason stays between them and the moderators.
"""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from games.bans import BANNED
from games.errors import BadInput, NotAllowed, WrongState
from games.models import Address, Conduct, Player
from games.services.accounts.addresses import address_now, lock_owner
from games.services.common import PLAYER_IS_TOLD, lock_player, reason
from games.services.moderation.bans_kept import bans_forget
from games.services.moderation.seats_lost import MAY_NOT_PLAY, keep_out, seats_give_up

Kind = Conduct.Kind

LONGEST = 2000
"""In characters."""
MOST_A_DAY = 20
A_DAY = dt.timedelta(days=1)


@transaction.atomic
def player_note(*, player: Player, text: str, by: str, now: dt.datetime) -> Conduct:
    """Note something in the player's file for the moderators. The player is not told."""
    return entry_add(player, Kind.NOTE, why=text, by=by, now=now)


@transaction.atomic
def moderators_ask(*, player: Player, text: str, now: dt.datetime) -> Conduct:
    """Put what a player asks into the moderators' queue.

    Raises BadInput like `player_note`, and NotAllowed after too many letters in a day: each also
    goes to every moderator by mail.
    """
    player = lock_player(player)
    recent = player.conduct.filter(kind=Kind.ASKED, at__gt=now - A_DAY)
    if recent.count() >= MOST_A_DAY:
        raise NotAllowed(
            f"You have written to the moderators {MOST_A_DAY} times within a day. They have those "
            "letters; this one was not passed on. Please write again tomorrow."
        )
    return entry_add(player, Kind.ASKED, why=text, by=player.name, now=now)


@transaction.atomic
def player_answer(
    *, entry: Conduct, text: str, by: str, now: dt.datetime, only_to: str = ""
) -> Conduct:
    """Answer what a player asked; they get it by mail, at one of their addresses if `only_to` names
    it. Raises WrongState when it is answered."""
    _require_confirmed(entry.player, only_to)
    request_settle(entry=entry, now=now)
    return entry_add(entry.player, Kind.ANSWERED, why=text, by=by, now=now, only_to=only_to)


@transaction.atomic
def player_write(
    *, player: Player, text: str, by: str, now: dt.datetime, only_to: str = ""
) -> Conduct:
    """Write to the player in a moderator's own name; the answer comes to the moderators. If
    `only_to` names one of their addresses, the mail goes there alone.

    Raises BadInput for no or too much text, WrongState when no mail reaches the player.
    """
    if not player.address:
        raise WrongState(f"{player.name} has no confirmed address to write to.")
    _require_confirmed(player, only_to)
    return entry_add(player, Kind.WRITTEN, why=text, by=by, now=now, only_to=only_to)


def _require_confirmed(player: Player, email: str) -> None:
    """Raise WrongState for an address that is not theirs, or no longer."""
    if email and not player.is_at(email):
        raise WrongState(f"{email} is not a confirmed address of {player.name}.")


@transaction.atomic
def request_settle(*, entry: Conduct, now: dt.datetime) -> None:
    """Settle what a player asked without an answer. Raises WrongState when it is settled."""
    asked = Conduct.objects.filter(pk=entry.pk, kind__in=Conduct.FOR_MODERATORS, settled_at=None)
    if not asked.update(settled_at=now):
        raise WrongState("Somebody has already dealt with that.")


@transaction.atomic
def player_suspend(
    *, player: Player, until: dt.datetime, why: str, by: str, now: dt.datetime
) -> Conduct:
    """Let the player take no seat until then. What they play goes on; places in games that have
    not started they lose.

    Raises BadInput without a reason and when `until` is not in the future.
    """
    if until <= now:
        raise BadInput("A suspension has to end in the future.")
    why = reason(why, readers=PLAYER_IS_TOLD)
    player = lock_player(player)
    keep_out(player, by=by, now=now)
    Player.objects.filter(pk=player.pk).update(suspended_until=until)
    return entry_add(player, Kind.SUSPENDED, why=why, by=by, now=now, until=until)


@transaction.atomic
def player_ban(*, player: Player, why: str, by: str, now: dt.datetime) -> Conduct:
    """Let the player play no more. Their seats are opened to others, those of anonymous games when
    their phase is over (`banned_vacate`).

    Raises BadInput without a reason, WrongState when they are banned already.
    """
    why = reason(why, readers=PLAYER_IS_TOLD)
    if not Player.objects.filter(pk=player.pk, banned_at=None).update(banned_at=now):
        raise WrongState(f"{player.name} is already banned.")
    entry = entry_add(player, Kind.BANNED, why=why, by=by, now=now)
    seats_give_up(player=player, why=MAY_NOT_PLAY, by=by, now=now)
    return entry


@transaction.atomic
def player_lift(*, player: Player, why: str, by: str, now: dt.datetime) -> Conduct:
    """End the player's suspension or ban. They do not get back what they lost by it.

    Raises BadInput without a reason, WrongState when they may play anyway.
    """
    why = reason(why, readers=PLAYER_IS_TOLD)
    held = Player.objects.filter(pk=player.pk)
    if not held.exclude(banned_at=None, suspended_until=None).update(
        banned_at=None, suspended_until=None
    ):
        raise WrongState(f"{player.name} is neither suspended nor banned.")
    bans_forget(player)
    return entry_add(player, Kind.LIFTED, why=why, by=by, now=now)


@transaction.atomic
def player_mute(
    *, player: Player, until: dt.datetime, why: str, by: str, now: dt.datetime
) -> Conduct:
    """Let the player write no press until then. Raises BadInput without a reason and when `until`
    is not in the future."""
    if until <= now:
        raise BadInput("It has to end in the future.")
    why = reason(why, readers=PLAYER_IS_TOLD)
    Player.objects.filter(pk=player.pk).update(muted_until=until)
    return entry_add(player, Kind.MUTED, why=why, by=by, now=now, until=until)


@transaction.atomic
def player_unmute(*, player: Player, why: str, by: str, now: dt.datetime) -> Conduct:
    """Let the player write press again. Raises BadInput without a reason, WrongState when they may
    anyway."""
    why = reason(why, readers=PLAYER_IS_TOLD)
    muted = Player.objects.filter(pk=player.pk, muted_until__gt=now)
    if not muted.update(muted_until=None):
        raise WrongState(f"{player.name} is not muted.")
    return entry_add(player, Kind.UNMUTED, why=why, by=by, now=now)


@transaction.atomic
def mail_pause(*, player: Player, why: str, by: str, now: dt.datetime) -> Conduct:
    """Send the player only answers to their own mails, and keep everything else back.

    Raises BadInput without a reason, WrongState when their mail is already paused.
    """
    if not Player.objects.filter(pk=player.pk, mail_paused_at=None).update(mail_paused_at=now):
        raise WrongState(f"Mail to {player.name} is already paused.")
    player.mail_paused_at = now
    return entry_add(player, Kind.MAIL_PAUSED, why=why, by=by, now=now)


@transaction.atomic
def mail_resume(*, player: Player, why: str, by: str, now: dt.datetime) -> Conduct:
    """Send the player everything again, including mails that many get; one mail sums up what they
    missed.

    Code that writes a mail to them meanwhile holds a key of their row. This waits for that, so that
    nothing more is kept back once the summary is made. Raises BadInput without a reason, WrongState
    when their mail is not paused and nothing was called spam.
    """
    held = Player.objects.select_for_update().get(pk=player.pk)
    complained = player.addresses.filter(complained_at__isnull=False)
    if held.mail_paused_at is None and not complained.exists():
        raise WrongState(f"Mail to {player.name} is not paused.")
    complained.update(complained_at=None)
    Player.objects.filter(pk=player.pk).update(mail_paused_at=None)
    player.mail_paused_at = None
    return entry_add(player, Kind.MAIL_RESUMED, why=why, by=by, now=now)


@transaction.atomic
def address_complained(*, email: str, what: str, now: dt.datetime) -> Address | None:
    """Send this address no more mails that many get, and have a moderator look, unless one has yet
    to look at an earlier complaint of the player's.

    `what` says in sentences what happened. Returns the address if it got them until now; None also
    when nobody has it.
    """
    lock_owner(email)
    address = address_now(email)
    if address is None or address.confirmed_at is None:
        return None
    is_news = address.complained_at is None
    if is_news:
        address.complained_at = now
        address.save(update_fields=["complained_at"])
    player = address.player
    if not player.conduct.filter(kind=Kind.COMPLAINED, settled_at=None).exists():
        entry_add(player, Kind.COMPLAINED, why=what, by="mail server", now=now)
    return address if is_news else None


def require_not_banned(player: Player) -> None:
    """Raise NotAllowed for a banned player, who may still have a seat that has yet to open."""
    if player.banned_at:
        raise NotAllowed(BANNED)


def entry_add(
    player: Player,
    kind: Conduct.Kind,
    *,
    why: str,
    by: str,
    now: dt.datetime,
    until: dt.datetime | None = None,
    only_to: str = "",
) -> Conduct:
    """Write an entry into the player's file. Raises BadInput for no or too much text."""
    why = why.strip()
    if not why:
        raise BadInput("Please write something.")
    if len(why) > LONGEST:
        raise BadInput(f"Please use at most {LONGEST} characters.")
    told = now if kind in (Kind.NOTE, Kind.MAIL_PAUSED) else None
    return Conduct.objects.create(
        player=player,
        kind=kind,
        why=why,
        by=by,
        at=now,
        until=until,
        only_to=only_to,
        told_at=told,
    )
