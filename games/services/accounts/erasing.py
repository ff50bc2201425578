"""A player who wants to be forgotten: their identity goes, what they played stays.

Others have a share in their games. So seats, orders, results and press stay, and so does the log,
which names nobody. From then on the player is "Former player 12".
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q, QuerySet

from games.errors import WrongState
from games.models import (
    Address,
    AdvanceOrders,
    Ballot,
    Conduct,
    DataRequest,
    DiaryEntry,
    Game,
    Invitation,
    Offer,
    OrderSet,
    Player,
    Press,
    StaffEntry,
)
from games.queries.access.staff_names import Actor
from games.queries.lookup import everyone_in
from games.services.common import (
    lock_offers,
    lock_player,
    lock_player_even_if_erased,
    require_unfrozen,
)
from games.services.moderation.bans_kept import bans_keep
from games.services.moderation.conduct import moderators_ask
from games.services.moderation.gm_leaves import accounts_close, lock_accounts
from games.services.moderation.seats_lost import lock_games_of, seats_give_up
from games.services.moderation.staff_log import entries_forget, entry_write

LEFT = "Its player has left the server."
"""Why the seats are open: everybody in the game reads it."""


def pseudonym(player: Player) -> str:
    """Return the name under which an erased player stands in the games they played."""
    return f"Former player {player.pk}"


def emails_of(player: Player) -> list[str]:
    """Return the addresses that the player has shown to be theirs, the address of record first."""
    return [one.email for one in addresses_of(player)]


def addresses_of(player: Player) -> list[Address]:
    """Return these addresses as rows.

    Anybody can name another's address as their own: only a confirmed one says whose mails it had. A
    player who never confirmed any is known by those with which they registered, except addresses of
    the staff.
    """
    rows = Address.objects.filter(player__in=everyone_in(player)).order_by("-of_record", "pk")
    found = list(rows)
    if confirmed := [one for one in found if one.confirmed_at]:
        return confirmed
    return [one for one in found if not User.objects.filter(email__iexact=one.email).exists()]


@transaction.atomic
def player_erase(*, player: Player, why: str, by: Actor, now: dt.datetime) -> DataRequest:
    """Forget who a player is, with their addresses and everything that is about them rather than a
    game.

    Seats in games that are played are opened and offered to others, places in games that have not
    begun are given back, and games that they run get another GM or none (`accounts_close`). A ban
    or a suspension stays (`bans_keep`). The words of their mails are the mailer's business, see
    `DataRequest`. Raises WrongState for a player who is already erased, and for an account that is
    a part of another.
    """
    player = lock_player_even_if_erased(player)
    if refusal := cannot_be_erased(player):
        raise WrongState(refusal)
    lock_accounts(player)
    lock_games_of(player)
    emails = _once([*emails_of(player), *accounts_close(player=player, by=by.name, now=now)])
    seats_give_up(player=player, why=LEFT, by=by.name, now=now)
    bans_keep(player=player, emails=emails, now=now)
    for one in everyone_in(player):
        _erase(one, now)
    _forget_in_files(emails, pseudonym(player))
    about = f"account {player.pk}, now {pseudonym(player)}"
    entry_write(what=StaffEntry.What.ERASED, about=about, why=why, by=by, player=player, now=now)
    kind = DataRequest.Kind.ERASE
    return DataRequest.objects.create(player=player, kind=kind, emails=emails, by=by.name, at=now)


def _once(emails: list[str]) -> list[str]:
    """The addresses without repeating one in other capitals; the first stays first."""
    return list({email.lower(): email for email in reversed(emails)}.values())[::-1]


def cannot_be_erased(player: Player) -> str:
    """Return why there is nothing to erase; empty when there is."""
    if player.erased_at:
        return f"{player.name} is already erased."
    if merged := player.merged_into:
        return f"{player.name} is part of {merged.name}: erase that account."
    if player.addresses_frozen_at:
        return f"The addresses of {player.name} are frozen: find out who asked, then end that."
    return ""


WISH = "Please erase my account and all that you know about me. (Asked for by ERASE.)"
"""What the moderators' queue says about a player who wants to be forgotten."""


@transaction.atomic
def erasure_ask(*, player: Player, now: dt.datetime) -> Conduct | None:
    """Put into the moderators' queue that the player wants to be erased; None if it is already
    there. Raises NotAllowed while their addresses are frozen: it may be somebody else who asks."""
    player = lock_player(player)
    require_unfrozen(player)
    waiting = _wishes(player).exists()
    return None if waiting else moderators_ask(player=player, text=WISH, now=now)


@transaction.atomic
def erasure_withdraw(*, player: Player, now: dt.datetime) -> None:
    """Take that wish out of the queue. Raises WrongState if it is not there: nothing was asked, or
    a moderator has settled it."""
    if not _wishes(player).update(settled_at=now):
        raise WrongState("You have not asked to be erased, so nothing has changed.")


def _wishes(player: Player) -> QuerySet[Conduct]:
    """What the player asked by ERASE, and nobody has dealt with."""
    return player.conduct.filter(kind=Conduct.Kind.ASKED, settled_at=None, why=WISH)


def _erase(player: Player, now: dt.datetime) -> None:
    emails = [email.lower() for email in player.addresses.values_list("email", flat=True)]
    _forget_in_admin(player, emails)
    Invitation.objects.filter(email__in=emails).delete()
    Address.objects.filter(player=player).delete()
    OrderSet.objects.filter(seat__player=player).update(source="erased")
    AdvanceOrders.objects.filter(seat__player=player).update(source="erased")
    Ballot.objects.filter(seat__player=player).update(source="")
    Press.objects.filter(seat__player=player).update(source="")
    for rows in (player.absences, player.conduct, player.standby, player.observes):
        rows.all().delete()
    lock_offers(player.offers.all()).update(end=Offer.End.WITHDRAWN, ended_at=now)
    player.applications.update(preferences="")
    DiaryEntry.objects.filter(seat__player=player).delete()
    entries_forget(player)
    player.name, player.timezone, player.reminders = pseudonym(player), "UTC", ""
    player.user = player.mail_paused_at = player.muted_until = None
    player.calendar_renewals += 1  # the address of their calendar works no longer
    player.erased_at = now
    player.save()


def _forget_in_admin(player: Player, emails: list[str]) -> None:
    """The admin's own log repeats names and reasons; about a game, it also says whom its GM
    seated."""
    about = ContentType.objects.get_for_model(Player)
    entries = LogEntry.objects.filter(content_type=about, object_id=str(player.pk))
    entries.update(object_repr=pseudonym(player), change_message="")
    played = Q(powers__seats__player=player) | Q(applications__player=player)
    games = Game.objects.filter(played | Q(invitations__email__in=emails)).values_list(
        "pk", flat=True
    )
    about = ContentType.objects.get_for_model(Game)
    done = LogEntry.objects.filter(content_type=about, object_id__in=[str(key) for key in games])
    _say_instead(done, "change_message", player.name, pseudonym(player))


def _forget_in_files(emails: list[str], name: str) -> None:
    """What moderators wrote about others, and the admin's log of whom a GM invited or kept out, may
    hold an address of theirs."""
    for email in emails:
        _say_instead(Conduct.objects.all(), "why", email, name)
        _say_instead(Conduct.objects.all(), "only_to", email, name)
        _say_instead(LogEntry.objects.all(), "change_message", email, name)


def _say_instead(rows: QuerySet[Any], field: str, said: str, name: str) -> None:
    """Put the name wherever this is said in the field of these rows; an address in any case."""
    in_any_case = re.IGNORECASE if "@" in said else re.NOFLAG
    whole = re.compile(rf"(?<!\w){re.escape(said)}(?!\w)", in_any_case)
    for row in rows.filter(**{f"{field}__icontains": said}):
        setattr(row, field, whole.sub(name, getattr(row, field)))
        row.save(update_fields=[field])
