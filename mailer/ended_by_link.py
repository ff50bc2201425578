"""What one click on a link of ours ends (RFC 8058), whom we tell, and how MAIL ON brings it back.

Whoever has a whole mail has its link, too, so those to whom a player forwards one can click. A link
works for `LASTS` without a sign-in, as programs need it, but only once: what was written before a
click ends nothing any more. Each click is told to the player and stands in their file.
"""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from games.errors import GameError
from games.models import Game, Player
from games.queries.lookup import everyone_in
from games.services.common import erased_or_not, locked_player
from games.services.conduct import player_note
from games.services.observers import observe, observe_no_more
from games.services.reminders import is_reminded, reminders_set
from games.services.standby import standby_join, standby_leave
from mailer.models import OutboundMail
from mailer.outbound import addresses, layout, outbox
from mailer.outbound.buttons import MAIL_ON
from mailer.outbound.unsubscribe import Bulk, bulk_of, mail_of
from mailer.text import MARKER, local_moment

KIND = "ended_by_link"
LASTS = dt.timedelta(days=90)
"""How long a link works: laws ask for 30 days (CAN-SPAM) or 60 (CASL)."""
WHO = "a link to unsubscribe"


class State(enum.Enum):
    """What a link can do now."""

    WORKS = "works"
    DONE = "done"
    """What it ends has ended."""
    USED = "used"
    """It, or one of a later mail, was used before; its player asked for such mails again."""
    OLD = "old"


@dataclass(frozen=True, slots=True)
class Link:
    """The link of a mail: whose mails it ends, and which."""

    mail: OutboundMail
    bulk: Bulk
    player: Player
    game: Game

    @property
    def what(self) -> str:
        """The mails that it ends, as the end of a sentence."""
        return self.bulk.value.format(game=self.game.name)

    @property
    def about(self) -> str:
        """What the keys of the mails that tell of such a click have in their middle."""
        about = self.game.pk if self.bulk is Bulk.OBSERVER else 0
        return f"/{self.bulk.name}/{about}/"

    def state(self, now: dt.datetime) -> State:
        """Say what a click would do."""
        if not _comes(self.bulk, self.player, self.game):
            return State.DONE
        later = _told(self.player).filter(created_at__gte=self.mail.created_at)
        if later.filter(key__contains=self.about).exists():
            return State.USED
        return State.OLD if now - self.mail.created_at > LASTS else State.WORKS


def link_of(token: str) -> Link | None:
    """Return what the secret of a link stands for; None if it is not ours, or its player was
    erased."""
    mail = mail_of(token)
    bulk = bulk_of(mail) if mail else None
    if mail is None or bulk is None or mail.player is None or mail.event is None:
        return None
    player = mail.player.merged_into or mail.player
    return None if player.erased_at else Link(mail, bulk, player, mail.event.game)


@transaction.atomic
def click(link: Link, *, now: dt.datetime) -> bool:
    """End these mails, tell their player and note it; return False, and do nothing, where the link
    does not work. No seat is affected."""
    player = erased_or_not(link.player)
    if player.erased_at or link.state(now) is not State.WORKS:
        return False
    match link.bulk:
        case Bulk.OBSERVER:
            observe_no_more(game=link.game, player=player, now=now)
        case Bulk.REMINDER:
            reminders_set(player=player, text="off", now=now)
        case Bulk.OFFER:
            standby_leave(player=player, now=now)
    sent = local_moment(link.mail.created_at)
    said = f"The link in mail #{link.mail.pk} of {sent} was used: no more {link.what}."
    player_note(player=player, text=said, by=WHO, now=now)
    _tell(link, player, now)
    return True


def _tell(link: Link, player: Player, now: dt.datetime) -> None:
    """Tell the player at their address of record; without one nobody."""
    if (record := player.record) is None:
        return
    outbox.enqueue(
        key=f"{KIND}/{player.pk}{link.about}{link.mail.pk}",
        kind=KIND,
        recipient=record.email,
        subject=f"You get no more {link.what}",
        body=layout.render(
            KIND,
            marker=MARKER,
            name=player.name,
            what=link.what,
            sent=local_moment(link.mail.created_at, player.timezone),
        ),
        now=now,
        priority=OutboundMail.Priority.NOTICE,
        player=player,
        reply_to=addresses.player_address(address=record, now=now),
        buttons=[MAIL_ON],
    )


def ended(player: Player) -> dict[str, dt.datetime]:
    """Return what links ended that has not come back: the mails, as the end of a sentence, and
    since when."""
    return {_named(bulk, game): at for bulk, game, at in _ended(player)}


@transaction.atomic
def bring_back(*, player: Player, now: dt.datetime) -> list[str]:
    """Start again what links ended; return what comes again. What the player may not have any more,
    such as news of a game that is over, is left out."""
    player = locked_player(player)
    back = []
    for bulk, game, at in list(_ended(player)):
        try:
            with transaction.atomic():
                _begin(bulk, player, game, at, now)
        except GameError:
            continue
        back.append(_named(bulk, game))
    return back


def _named(bulk: Bulk, game: Game | None) -> str:
    return bulk.value.format(game=game.name if game else "")


def _begin(
    bulk: Bulk, player: Player, game: Game | None, at: dt.datetime, now: dt.datetime
) -> None:
    if bulk is Bulk.REMINDER:
        reminders_set(player=player, text="", now=now)
    elif bulk is Bulk.OFFER:
        place = player.standby.filter(until=at).first()
        standby_join(player=player, at_most=place.at_most if place else 1, now=now)
    elif game:
        observe(game=game, player=player, now=now)


def _ended(player: Player) -> Iterator[tuple[Bulk, Game | None, dt.datetime]]:
    """What links ended, and when, unless its player has begun it again since, or ended it anew."""
    told = _told(player).order_by("pk").values_list("key", "created_at")
    latest = {tuple(key.split("/")[1:4]): at for key, at in told}
    for (whose, name, about), at in latest.items():
        bulk = Bulk[name]
        if bulk is Bulk.REMINDER and whose != str(player.pk):
            continue  # these were the settings of an account that is a part of this one now
        game = Game.objects.filter(pk=int(about)).first()
        if not _comes(bulk, player, game) and _was_ended(bulk, player, game, at):
            yield bulk, game, at


def _told(player: Player) -> QuerySet[OutboundMail]:
    """The mails that told them, and the accounts that were merged into theirs, of clicks."""
    return OutboundMail.objects.filter(kind=KIND, player__in=everyone_in(player))


def _was_ended(bulk: Bulk, player: Player, game: Game | None, at: dt.datetime) -> bool:
    """Whether it was at that time that it ended last; of reminders nobody writes it down."""
    if bulk is Bulk.REMINDER:
        return True
    rows = player.standby if bulk is Bulk.OFFER else player.observes.filter(game=game)
    last = rows.order_by("until").last()
    return last is not None and last.until == at


def _comes(bulk: Bulk, player: Player, game: Game | None) -> bool:
    """Whether the player gets such mails."""
    if bulk is Bulk.REMINDER:
        return is_reminded(player)
    rows = player.standby if bulk is Bulk.OFFER else player.observes.filter(game=game)
    return rows.filter(until=None).exists()
