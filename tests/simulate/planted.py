"""Faults put in on purpose: if the simulation did not find them, its promises would be words.

Each takes the place of one function for a while, as if somebody had forgotten a line there.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unittest import mock

from django.db.models import QuerySet

from atlas import Subject
from games import log
from games.models import Event, Game, OrderSet, Phase, Player, Press, Seat
from games.queries import board, sight
from games.queries.audience import Audience
from games.queries.pictures import subject_of
from games.services import opening, orders
from mailer import notices, telling
from mailer.inbound import outages, store
from mailer.models import InboundMail, Mailbox, OutboundMail, Picture
from mailer.outbound import outbox, pictures
from mailer.outbound.mime import in_base64
from mailer.replies.reply import reply

Patch = contextlib.AbstractContextManager[object]


@dataclass(frozen=True)
class Plant:
    """A fault, and a part of the sentence with which it is found."""

    put: Callable[[], Patch]
    found_as: str
    seed: int = 1
    """A seed that finds it soon; any other does, too, given time."""
    in_every_run: bool = True
    """Whether `make test` shows that it is found; the others take longer."""


def _instead(where: str, what: Callable[..., object]) -> Callable[[], Patch]:
    return lambda: mock.patch(where, what)


def _stored_now(**mail: Any) -> bool:
    """The time at which a mail was fetched is taken for the time at which it came."""
    return _store(**{**mail, "received_at": mail["now"]})


def _told_to_greta(**answer: Any) -> list[outbox.Mail]:
    """Whoever orders has Greta read the receipt, too."""
    sent = reply(**answer)
    leaks: list[outbox.Mail] = [
        {
            "key": f"leak/{one['key']}",
            "kind": "notice",
            "recipient": "greta@players.example",
            "subject": "Look at this",
            "body": one["body"],
            "now": one["now"],
            "priority": OutboundMail.Priority.NOTICE,
        }
        for one in sent
        if "Holds" in one["body"]
    ]
    return [*sent, *leaks]


def _to_the_next(mail: outbox.Mail) -> OutboundMail:
    """What is meant for Carla goes to Dmitri."""
    row = _row(mail)
    row.recipient = row.recipient.replace("carla@", "dmitri@")
    return row


def _all_done(mailbox: Mailbox, uidvalidity: int, uids: Sequence[int]) -> dict[str, list[int]]:
    """Everything in the mailbox is moved away, whether it was stored or not."""
    return {"Processed": list(uids)} if uids else {}


def _one_unit_less(**phase: Any) -> board.Adjudication:
    """The first unit of the first power vanishes."""
    outcome = _adjudicated(**phase)
    units = outcome.next["units"]
    units[next(power for power in units if units[power])].pop()
    return outcome


def _unchained(game: Game) -> tuple[int, str]:
    """Now and then an event forgets what came before it."""
    number, digest = _last(game)
    return number, "" if number % 9 == 8 else digest


def _no_light(phase: object, now: dt.datetime) -> outages.Light:
    return outages.Light.CLEAR


def _everybodys(player: Player) -> QuerySet[InboundMail]:
    """Whoever asks for their data gets the mails of all."""
    return InboundMail.objects.all()


def _open_with_orders(**given: Any) -> Phase:
    """A phase that is played again has the orders that it had."""
    phase = _open(**given)
    earlier = OrderSet.objects.filter(phase__game=phase.game, phase__name=phase.name)
    for order_set in earlier.filter(counts=True):
        order_set.pk, order_set.phase = None, phase
        order_set.save()
    return phase


def _any_phase_of_that_name(order_phase: Phase, seat: Seat, game: Game) -> Any:
    """Orders for a phase that was taken back are taken for the one that is played instead."""
    of_that_name = Phase.objects.filter(game=game, name=order_phase.name, status="open")
    return _seen(of_that_name.first() or order_phase, seat, game)


def _further(variant: str, state: Mapping[str, Any], power: str) -> frozenset[str]:
    """In the fog one sees a province further than one should."""
    near = board.bordering(variant)
    seen = _sight(variant, state, power)
    return seen.union(*(near[place] for place in seen))


def _all_results(
    variant: str, results: Sequence[sight.Result], before: object, after: object, power: str
) -> list[sight.Result]:
    """In the fog all orders are told to all."""
    return list(results)


def _for_everybody(phase: Phase, audience: object, viewer: str | None = None) -> Subject | None:
    """All players get the picture that the GM gets."""
    return _subject(phase, Audience.PLAYERS, None)


def _cut_off(one: Picture) -> bytes:
    """The end of each picture is lost."""
    return in_base64(bytes(one.png)[:-1])


def _drawn_first(event: Event, *, now: dt.datetime) -> list[OutboundMail]:
    """Whoever adjudicates a phase draws it, too."""
    if event.kind == "phase_processed" and event.phase:
        pictures._draw(event.phase.pk, [pictures.View.ORDERS, pictures.View.BOARD], "")
    return _tell_event(event, now=now)


def _the_first(phase: Phase, views: Sequence[Picture.View], viewer: str) -> list[Picture]:
    """Whoever draws dies between the two pictures, and had kept one already."""
    return _draws(phase, views, viewer)[:1]


def _told_at_the_second_try(event: Event, now: dt.datetime) -> None:
    """Whoever tells of a result trips over something the first time."""
    if event.kind == "phase_processed" and event.tell_again_at is None:
        raise ValueError("something is None")
    _tell_one(event, now)


def _all_press(game: Game, audience: Audience) -> QuerySet[Press]:
    """Everybody reads what was written to some."""
    return game.press.all()


_tell_one = telling.tell_one
_draws = pictures._drawn
_subject, _tell_event = subject_of, notices.tell_event
_sight = sight.sight
_seen, _open = orders._seen, opening.phase_open
_store, _row = store.store, outbox._row
_adjudicated, _last = board.adjudicated, log._last

PLANTS: dict[str, Plant] = {
    "a mail that comes twice is not known": Plant(
        _instead("mailer.inbound.one_mail._is_the_same", lambda mail, letter: False),
        "receipts",
    ),
    "a mail came when it was fetched": Plant(
        _instead("mailer.inbound.store.store", _stored_now),
        "did not come at",
        seed=44,
    ),
    "no deadline waits for mail that is unread": Plant(
        _instead("mailer.inbound.outages.light", _no_light),
        "was adjudicated with",
        seed=6,
        in_every_run=False,
    ),
    "orders are never late": Plant(
        _instead("games.services.orders._is_late", lambda phase, received_at: False),
        "too late",
        seed=4,
    ),
    "another reads the receipt": Plant(
        _instead("mailer.inbound.one_mail.reply", _told_to_greta),
        "tells that",
        seed=44,
    ),
    "mails go to another": Plant(
        _instead("mailer.outbound.outbox._row", _to_the_next), "answer", seed=2
    ),
    "what is sent is not marked": Plant(
        _instead("mailer.outbound.marks.mark_sent", lambda mails, now: None), "sent again"
    ),
    "leases are not renewed": Plant(
        _instead("mailer.outbound.leases.prolong", lambda token, now: None),
        "sent again",
        seed=4,
    ),
    "a worker that stood still goes on": Plant(
        _instead("mailer.outbound.sending.still_ours", lambda mail, now: True),
        "sent again",
        in_every_run=False,
    ),
    "mails are tidied away unread": Plant(
        _instead("mailer.inbound.poller._done", _all_done),
        "is not in the database",
        in_every_run=False,
    ),
    "what a dead worker had is left alone": Plant(
        _instead("mailer.inbound.retries._died", lambda mail_id, now: False),
        "never becomes quiet",
        in_every_run=False,
    ),
    "a unit is lost": Plant(
        _instead("games.queries.board.adjudicated", _one_unit_less),
        "units became",
        seed=4,
        in_every_run=False,
    ),
    "an export has the mails of all": Plant(
        _instead("mailer.own_data._came", _everybodys),
        "All that we keep about you",
        seed=22,
    ),
    "a phase that is played again keeps its orders": Plant(
        _instead("games.services.rollback.phase_open", _open_with_orders),
        "orders that came before it was opened",
        seed=6,
    ),
    "orders reach the phase of that name": Plant(
        _instead("games.services.orders._seen", _any_phase_of_that_name),
        "was adjudicated with",
        in_every_run=False,
    ),
    "the fog is thin": Plant(
        _instead("games.queries.sight.sight", _further), "out of sight", seed=27
    ),
    "orders are told that nobody saw": Plant(
        _instead("games.queries.sight.results_seen", _all_results),
        "out of sight",
        seed=31,
    ),
    "a picture shows everybody the whole board": Plant(
        _instead("mailer.outbound.pictures.subject_of", _for_everybody),
        "a picture in",
        seed=31,
    ),
    "a picture is cut off": Plant(
        _instead("mailer.outbound.pictures.encoded", _cut_off), "half a picture"
    ),
    "one of two pictures is kept": Plant(
        _instead("mailer.outbound.pictures._drawn", _the_first),
        "half of the pictures",
        seed=38,
    ),
    "results wait for pictures": Plant(
        _instead("mailer.notices.tell_event", _drawn_first),
        "while others wait",
        seed=44,
    ),
    "what breaks is tried again, and works": Plant(
        _instead("mailer.telling.tell_one", _told_at_the_second_try), "logged"
    ),
    "names are told": Plant(
        _instead("games.queries.audience.names_shown", lambda game: True),
        "in an anonymous game",
        seed=44,
    ),
    "a page has the press of all": Plant(
        _instead("pages.views.press.press_shown", _all_press),
        "shows press of",
    ),
    "the log is not chained": Plant(_instead("games.log._last", _unchained), "hang"),
}
"""By what is wrong."""
