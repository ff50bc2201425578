"""Whether players could know what a phase, or a muster, asks of them: mails that our relay took too
late, or not at all, tell nobody what to do."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, Value, When

from games.events import DeadlineMoved, MusterBegun, OrdersMissing
from games.models import Address, Attendance, Event, Game, Phase, Player, Seat
from games.models.prepared import Given, Values
from games.queries.orders.current_orders import deciding
from games.queries.phases.musters import silent_players
from games.queries.phases.phase_now import PhaseNow
from games.queries.players.attendance import NOT_TOLD
from games.services.clock.deadlines import latest_news
from games.services.clock.muster import latest_question
from mailer.models import OutboundMail

State = OutboundMail.State
_SAY_WHEN = (OrdersMissing.kind, DeadlineMoved.kind)
"""Events whose mails say which phase is open, and until when."""
BELIEVED_AGAIN = dt.timedelta(days=90)
"""How long after a lost mail has excused somebody another one may."""


class Delivery(enum.Enum):
    """How the mails that began a phase or a muster fared, or one of them."""

    IN_TIME = "most players had them in time"
    LATE = "most players had them too late, or hardly before the deadline"
    NOT_YET = "most of them are still with us: they cannot be sent, or not even be written"
    LOST = "the reader's own server refused it for good, or sent it back"


def how_phase_was_told(seen: PhaseNow) -> Delivery:
    """Return what became of the mails that told players of a phase in which they have something to
    decide; the phase was read with its players.

    The game waits for no single player whom no mail reaches, or who wants none. Players who came
    when the phase was nearly over get the time that substitutes have.
    """
    phase = seen.phase
    latest = latest_news(phase)
    if latest is None:
        return Delivery.IN_TIME
    to_order = deciding(phase)
    seats = [(one.power.name, one.held) for one in seen.powers.values() if one.held]
    asked = {one.player_id for name, one in seats if name in to_order and one.since <= latest}
    found = {
        player: _of_one(became, at, latest, Delivery.IN_TIME)
        for player, became, at in _OPENING.all(phase=phase.pk)
        if player in asked
    }
    if not found and _unwritten(phase):
        return Delivery.NOT_YET
    return _of_most(found.values())


def how_muster_was_told(game: Game) -> Delivery:
    """Return what became of the mails that asked the players who have not said that they are
    here."""
    return _of_most(_of_silent(game).values())


def unasked_players(game: Game) -> set[int]:
    """Return the players, by their keys, who are silent because our question did not go out to them
    in time; never all of them if most heard."""
    return {player for player, news in _of_silent(game).items() if news is not Delivery.IN_TIME}


def _of_silent(game: Game) -> dict[int, Delivery]:
    latest, begun = latest_question(game), game.events.filter(kind=MusterBegun.kind)
    if latest is None:
        return {}
    asked = OutboundMail.objects.filter(event=begun.order_by("number").last())
    return _news(asked.filter(player__in=silent_players(game)), latest)


def unaware(phase: Phase, players: Collection[int]) -> set[int]:
    """Return the players among these, by their keys, who could not know of the phase in time.

    That does not excuse players whose addresses had all stopped working before it: they are gone,
    and the game master and the moderators know. Nor does a mail that a player's own server refused,
    sent back or put off excuse them twice within `BELIEVED_AGAIN`: they can make it do so.
    """
    latest = latest_news(phase)
    if latest is None or not players:
        return set()
    first = OutboundMail.objects.filter(opens=phase, player__in=players)
    found = written = _news(first, latest, lost=Delivery.LOST)
    if found.keys() < set(players) and _unwritten(phase):
        found = dict.fromkeys(players, Delivery.NOT_YET) | found
    not_told = {player for player, news in found.items() if news is not Delivery.IN_TIME}
    if not not_told:
        return set()
    late = {player for player in not_told if found[player] is Delivery.LATE}
    reached = _otherwise(phase, first, latest) | (late & _substitutes(phase, latest))
    theirs = not_told & written.keys()  # most of the others' mails were taken in time
    everybodys = _news(OutboundMail.objects.filter(opens=phase), latest)
    if _of_most(everybodys.values()) is Delivery.IN_TIME:
        theirs -= _players_believed(theirs, phase.opened_at - BELIEVED_AGAIN)
    return (
        (theirs | (not_told - written.keys())) - reached - _players_gone(not_told, phase.opened_at)
    )


def _players_believed(players: Collection[int], since: dt.datetime) -> set[int]:
    """The players who have been excused since then by a mail that most others had in time.

    They can make their server send a mail back or put it off whenever they like, or write a report
    about it themselves. But what our relay did to most of a phase's mails was not their doing.
    """
    of_phase = Attendance.objects.filter(phase=OuterRef("phase")).order_by().values("phase")
    not_told = of_phase.filter(excused_why=NOT_TOLD).annotate(number=Count("pk")).values("number")
    everybody = of_phase.annotate(number=Count("pk")).values("number")
    excused = Attendance.objects.filter(
        seat__player__in=players, excused_why=NOT_TOLD, recorded_at__gt=since
    ).annotate(few=2 * Subquery(not_told), of=Subquery(everybody))
    return set(excused.filter(few__lte=F("of")).values_list("seat__player", flat=True))


def _otherwise(phase: Phase, first: QuerySet[OutboundMail], latest: dt.datetime) -> set[int | None]:
    """The players who had a copy of a lost mail in time, at another address of theirs, or another
    mail that names the phase and its deadline: a mailbox may refuse a long mail and take a
    reminder."""
    copies = Q(event__in=first.values("event"), key__startswith="again/")
    others = Q(event__in=phase.events.filter(kind__in=_SAY_WHEN))
    arrived = {"state": State.SENT, "sent_at__lte": latest, "bounced_at": None}
    sent = OutboundMail.objects.filter(copies | others, **arrived)
    return set(sent.values_list("player", flat=True))


def _substitutes(phase: Phase, latest: dt.datetime) -> set[int]:
    """The players who came when the phase was nearly over."""
    seats = Seat.objects.filter(power__game=phase.game_id, until=None, since__gt=latest)
    return set(seats.values_list("player", flat=True))


def _news(
    mails: QuerySet[OutboundMail], latest: dt.datetime, *, lost: Delivery = Delivery.IN_TIME
) -> dict[int, Delivery]:
    """How the players' mails fared, by the players' keys.

    Those that were refused for good count as `lost`. A mail that nobody has tried to send yet has
    told nobody. Some relays refuse a mail at once, others take it and send it back: that is the
    same.
    """
    rows = _in_turn(mails).values_list("player", "became", "sent_at")
    return {player or 0: _of_one(became, at, latest, lost) for player, became, at in rows}


def _in_turn(mails: QuerySet[Any]) -> QuerySet[Any]:
    """The mails, the oldest first, each with what became of it."""
    taken = Case(When(bounced_at=None, then="state"), default=Value(State.FAILED))
    found: QuerySet[Any] = mails.order_by("pk").annotate(became=taken)
    return found


def _opening_mails() -> QuerySet[Any, Any]:
    """What became of the mails with which a phase began."""
    mails = OutboundMail.objects.filter(opens=Given("phase"))
    return _in_turn(mails).values_list("player", "became", "sent_at")


_OPENING = Values(_opening_mails)


def _of_one(became: str, at: dt.datetime | None, latest: dt.datetime, lost: Delivery) -> Delivery:
    if became == State.QUEUED:
        return Delivery.NOT_YET
    if became == State.FAILED:
        return lost
    late = became == State.SENT and at is not None and at > latest
    return Delivery.LATE if late else Delivery.IN_TIME


def _of_most(news: Iterable[Delivery]) -> Delivery:
    """How more than half of them fared; IN_TIME without any mails."""
    found = list(news)
    waiting, late = found.count(Delivery.NOT_YET), found.count(Delivery.LATE)
    if 2 * waiting > len(found):
        return Delivery.NOT_YET
    return Delivery.LATE if 2 * (waiting + late) > len(found) else Delivery.IN_TIME


def _unwritten(phase: Phase) -> bool:
    """Whether mails about some event of the game could not be written yet."""
    untold = Event.objects.filter(told_at=None, tell_attempts__gt=0)
    return untold.filter(game=phase.game_id, created_at__gte=phase.opened_at).exists()


def _players_gone(players: Collection[int], before: dt.datetime) -> set[int]:
    """The players whose addresses had all stopped working before then."""
    known = Address.objects.filter(confirmed_at__isnull=False)
    working = known.exclude(failing_since__lt=before).values("player")
    gone = Player.objects.filter(pk__in=players, addresses__in=known).exclude(pk__in=working)
    return set(gone.values_list("pk", flat=True))
