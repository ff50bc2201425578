"""What one click on a link of ours ends (RFC 8058), whom we tell, and how MAIL ON brings it back.

A whole mail includes its link, so people to whom a player forwards one can click it, too. A link
works for `LASTS` without a sign-in, as programs need it, but only once: after a click, links in
older mails end nothing any more. We tell the player of each click and keep it in their file.
"""

from __future__ import annotations

import datetime as dt
import enum
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from games.errors import GameError
from games.models import Game, Observer, Player, Standby
from games.queries.lookup import everyone_in
from games.queries.reports.wording import local_moment
from games.services.clock.reminders import is_reminded, reminders_set
from games.services.common import lock_player, lock_player_even_if_erased
from games.services.moderation.conduct import player_note
from games.services.seating.observers import observe, observe_no_more
from games.services.seating.standby import standby_join, standby_leave
from mailer.models import Bulk, Click, OutboundMail
from mailer.outbound import addresses, layout, outbox
from mailer.outbound.buttons import MAIL_ON
from mailer.outbound.unsubscribe import bulk_of, mail_of
from mailer.text import MARKER

KIND = "ended_by_link"
LASTS = dt.timedelta(days=90)
"""How long a link works: laws ask for 30 days (CAN-SPAM) or 60 (CASL)."""
WHO = "a link to unsubscribe"


class State(enum.Enum):
    """What a link can do now."""

    WORKS = "works"
    DONE = "done"
    """These mails have stopped."""
    USED = "used"
    """It, or the link of a later mail, was used before; its player asked for such mails again."""
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
        return _label(self.bulk, self.game)

    @property
    def about(self) -> Game | None:
        """The game whose mails it ends; None if it ends those of all games."""
        return self.game if self.bulk is Bulk.OBSERVER else None

    def state(self, now: dt.datetime) -> State:
        """Say what a click would do."""
        if not _comes(self.bulk, self.player, self.about):
            return State.DONE
        later = _clicks(self.player).filter(bulk=self.bulk, game=self.about)
        if later.filter(at__gte=self.mail.created_at).exists():
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
    player = lock_player_even_if_erased(link.player)
    if player.erased_at or link.state(now) is not State.WORKS:
        return False
    Click.objects.create(
        player=player, bulk=link.bulk, game=link.about, at=now, reminders=player.reminders
    )
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
    """Tell the player at their address of record; if they have none, STATUS tells them later."""
    if (record := player.record) is None:
        return
    outbox.enqueue(
        key=f"{KIND}/{link.mail.pk}",
        kind=KIND,
        recipient=record.email,
        subject=f"We no longer send you {link.what}",
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


def what_links_ended(player: Player) -> dict[str, dt.datetime]:
    """Return what links ended that has not come back: the mails, as the end of a sentence, and
    since when."""
    return {_label(Bulk(one.bulk), one.game): one.at for one in _clicks_that_hold(player)}


@transaction.atomic
def bring_back(*, player: Player, now: dt.datetime) -> list[str]:
    """Start again, unchanged, what links ended; return what comes again.

    Mails that the player may not have any more, such as news of a finished game, are left out.
    """
    player = lock_player(player)
    back = []
    for one in _clicks_that_hold(player):
        try:
            with transaction.atomic():
                _begin(one, player, now)
        except GameError:
            continue
        back.append(_label(Bulk(one.bulk), one.game))
    return back


def reminders_decided(*, player: Player, now: dt.datetime) -> None:
    """Note that the player has chosen their reminders, so that no link decides about them any
    more."""
    mine = Click.objects.filter(player=player, bulk=Bulk.REMINDER, over_at=None)
    mine.update(over_at=now)


def _label(bulk: Bulk, game: Game | None) -> str:
    return bulk.label.format(game=game.name if game else "")


def _begin(one: Click, player: Player, now: dt.datetime) -> None:
    if one.bulk == Bulk.REMINDER:
        reminders_set(player=player, text=one.reminders, now=now)
        reminders_decided(player=player, now=now)
    elif one.bulk == Bulk.OFFER:
        place = player.standby.filter(until=one.at).first()
        standby_join(player=player, at_most=place.at_most if place else 1, now=now)
    elif one.game:
        observe(game=one.game, player=player, now=now)


def _clicks_that_hold(player: Player) -> list[Click]:
    """The clicks that still hold, one for each kind and game: the mails have not begun again, nor
    has the player ended them since."""
    latest = {(one.bulk, one.game_id): one for one in _clicks(player).select_related("game")}
    return [one for one in latest.values() if _holds(one, player)]


def _clicks(player: Player) -> QuerySet[Click]:
    """Clicks in mails to them, and to the accounts that were merged into theirs."""
    return Click.objects.filter(player__in=everyone_in(player))


def _holds(one: Click, player: Player) -> bool:
    """Whether this click is why the player gets no such mails now."""
    bulk = Bulk(one.bulk)
    if _comes(bulk, player, one.game):
        return False
    if bulk is Bulk.REMINDER:  # clicks in merged accounts ended only their own
        return one.over_at is None and one.player_id == player.pk
    last = _rows(bulk, player, one.game).order_by("until").last()
    return last is not None and last.until == one.at


def _comes(bulk: Bulk, player: Player, game: Game | None) -> bool:
    """Whether the player gets such mails."""
    if bulk is Bulk.REMINDER:
        return is_reminded(player)
    return _rows(bulk, player, game).filter(until=None).exists()


def _rows(bulk: Bulk, player: Player, game: Game | None) -> QuerySet[Standby] | QuerySet[Observer]:
    """The periods in which the player got offers, or news of a game."""
    return player.standby.all() if bulk is Bulk.OFFER else player.observes.filter(game=game)
