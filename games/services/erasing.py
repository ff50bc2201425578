"""A player who wants to be forgotten: who they were goes, what they played stays.

Their games are those of others, too: seats, orders, results and press stay, and so does the log,
which names nobody. Who played is "Former player 12" from then on.
"""

from __future__ import annotations

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q

from games.errors import WrongState
from games.models import Address, DiaryEntry, Game, Invitation, OrderSet, Player, Press
from games.queries.wording import listed


def pseudonym(player: Player) -> str:
    """Return the name under which an erased player stands in the games they played."""
    return f"Former player {player.pk}"


def still_in(player: Player) -> list[str]:
    """Return the names of the games that are not over in which the player has a seat or a place."""
    seated = Q(powers__seats__player=player, powers__seats__until=None)
    joined = Q(applications__player=player, applications__withdrawn_at=None, started_at=None)
    games = Game.objects.exclude(status=Game.Status.FINISHED).filter(seated | joined)
    return list(games.order_by("name").values_list("name", flat=True).distinct())


def everyone_in(player: Player) -> list[Player]:
    """Return the player's row and those of accounts that were merged into it."""
    return [player, *player.merged.order_by("pk")]


@transaction.atomic
def player_erase(*, player: Player) -> None:
    """Forget who a player is, with their addresses and all that is about them and no game.

    Mails are the mailer's business. Again: nothing is left to do. Raises WrongState while they have
    a seat in a game that is not over, or wait for one to start.
    """
    player = Player.objects.select_for_update().get(pk=player.pk)
    if games := still_in(player):
        raise WrongState(
            f"{player.name} still has a seat or a place in {listed(games)}. It has to be given up "
            "first: by RESIGN or LEAVE, or by the GM with the act Vacate."
        )
    for one in everyone_in(player):
        _erase(one)


def _erase(player: Player) -> None:
    emails = [email.lower() for email in player.addresses.values_list("email", flat=True)]
    Invitation.objects.filter(email__in=emails).delete()
    Address.objects.filter(player=player).delete()
    OrderSet.objects.filter(seat__player=player).update(source="erased")
    Press.objects.filter(seat__player=player).update(source="")
    for rows in (player.absences, player.conduct, player.standby, player.observes):
        rows.all().delete()
    player.applications.update(preferences="")
    DiaryEntry.objects.filter(seat__player=player).delete()
    _forget_in_admin(player)
    player.name, player.timezone, player.reminders = pseudonym(player), "UTC", ""
    player.user = player.mail_paused_at = None
    player.calendar_renewals += 1  # the address of their calendar works no longer
    player.save()


def _forget_in_admin(player: Player) -> None:
    """The admin's own log repeats names and reasons."""
    about = ContentType.objects.get_for_model(Player)
    entries = LogEntry.objects.filter(content_type=about, object_id=str(player.pk))
    entries.update(object_repr=pseudonym(player), change_message="")
