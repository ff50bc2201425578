"""Functions with a fault each, as if somebody had forgotten a line there (see `planted`)."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from unittest import mock

from django.contrib.auth.models import User
from django.db.models import QuerySet

from atlas import Subject
from games import log
from games.models import Event, Game, OrderSet, Phase, Player, Press, Seat
from games.queries import board
from games.queries.access import sight
from games.queries.access.audience import Audience
from games.queries.access.roles import masters
from games.queries.orders import waiting
from games.queries.reports.phase_report import PhaseReport
from games.queries.reports.pictures import subject_of
from games.queries.reports.wording import local_moment
from games.queries.tournaments import tournament
from games.queries.tournaments.rounds import RoundPlanned, round_planned
from games.queries.tournaments.seating import Past
from games.services import common
from games.services.adjudication import opening
from games.services.clock import pauses
from games.services.ordering import orders
from mailer import notices, text
from mailer.commands.orders.changes import changed_orders
from mailer.commands.player.views import status
from mailer.commands.texts import sentences
from mailer.inbound import outages, store
from mailer.jobs import telling
from mailer.models import InboundMail, Mailbox, OutboundMail, Picture
from mailer.notices.parts import sections
from mailer.outbound import marks, outbox, pictures, smtp
from mailer.outbound.compose import compose
from mailer.outbound.mime import in_base64
from mailer.reading.quotes import Line
from mailer.replies.reply import reply


def whoever_ran_it(game: Game, now: dt.datetime) -> list[User]:
    """Co-GMs whose time is over read the mails of GMs, too."""
    return [*masters(game, now), *(one.user for one in game.co_gms.exclude(until=None))]


def paused_anew(*, game: Game, now: dt.datetime, **how: Any) -> Event:
    """The clock of a paused game stops when its pause gets another end."""
    event = pauses.game_pause(game=game, now=now, **how)
    Game.objects.filter(pk=game.pk).update(paused_at=now)
    return event


def changed_to_hold(*asked: Any) -> Sequence[Line] | None:
    """Whoever changes an order of a unit has it hold."""
    found = changed_orders(*asked)
    return found and [Line(one.number, f"{one.text.partition(' - ')[0]} Holds") for one in found]


def stored_now(**mail: Any) -> bool:
    """The time at which a mail was fetched is taken for the time at which it came."""
    return _store(**{**mail, "received_at": mail["now"]})


def told_to_greta(**answer: Any) -> list[outbox.Mail]:
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


def to_the_next(mail: outbox.Mail) -> OutboundMail:
    """What is meant for Carla goes to Dmitri."""
    row = _row(mail)
    row.recipient = row.recipient.replace("carla@", "dmitri@")
    return row


def all_done(mailbox: Mailbox, uidvalidity: int, uids: Sequence[int]) -> dict[str, list[int]]:
    """Everything in the mailbox is moved away, whether it was stored or not."""
    return {"Processed": list(uids)} if uids else {}


def one_unit_less(**phase: Any) -> board.Adjudication:
    """The first unit of the first power vanishes."""
    outcome = _adjudicated(**phase)
    units = outcome.next["units"]
    units[next(power for power in units if units[power])].pop()
    return outcome


def unchained(game: Game) -> tuple[int, str]:
    """Now and then an event forgets what came before it."""
    number, digest = _last(game)
    return number, "" if number % 2 == 0 else digest


def no_light(due: object, now: dt.datetime) -> outages.Light:
    return outages.Light.CLEAR


def everybodys(player: Player) -> QuerySet[InboundMail]:
    """Whoever asks for their data gets the mails of all."""
    return InboundMail.objects.all()


def open_with_orders(**given: Any) -> Phase:
    """A phase that is played again has the orders that it had."""
    phase = _open(**given)
    earlier = OrderSet.objects.filter(phase__game=phase.game, phase__name=phase.name)
    for order_set in earlier.filter(counts=True):
        order_set.pk, order_set.phase = None, phase
        order_set.save()
    return phase


def any_phase_of_that_name(order_phase: Phase, seat: Seat, game: Game, **only: Any) -> Any:
    """Orders for a phase that was taken back are taken for the one that is played instead."""
    of_that_name = Phase.objects.filter(game=game, name=order_phase.name, status="open")
    return _seen(of_that_name.first() or order_phase, seat, game, **only)


def further(variant: str, state: board.StateJson, power: str) -> frozenset[str]:
    """In the fog one sees a province further than one should."""
    near = board.bordering(variant)
    seen = _sight(variant, state, power)
    return seen.union(*(near[place] for place in seen))


def all_results(
    variant: str, results: Sequence[board.ResultJson], before: object, after: object, power: str
) -> list[board.ResultJson]:
    """In the fog all orders are told to all."""
    return list(results)


def for_everybody(phase: Phase, audience: object, viewer: str | None = None) -> Subject | None:
    """All players get the picture that the GM gets."""
    return _subject(phase, Audience.PLAYERS, None)


def cut_off(one: Picture) -> bytes:
    """The end of each picture is lost."""
    return in_base64(bytes(one.png)[:-1])


def drawn_first(event: Event, *, now: dt.datetime) -> list[OutboundMail]:
    """Whoever adjudicates a phase draws it, too."""
    if event.kind == "phase_processed" and event.phase:
        pictures._draw(event.phase.pk, [pictures.View.ORDERS, pictures.View.BOARD], "")
    return _tell_event(event, now=now)


def the_first(phase: Phase, views: Sequence[Picture.View], viewer: str) -> list[Picture]:
    """Whoever draws dies between the two pictures, and had kept one already."""
    return _draws(phase, views, viewer)[:1]


def told_at_the_second_try(event: Event, now: dt.datetime) -> None:
    """Whoever tells of a result trips over something the first time."""
    if event.kind == "phase_processed" and event.tell_again_at is None:
        raise ValueError("something is None")
    _tell_one(event, now)


def all_press(game: Game, audience: Audience) -> QuerySet[Press]:
    """Everybody reads what was written to some."""
    return game.press.all()


def all_who_joined(game: Game) -> list[Player]:
    """Nobody who says that they are here is heard."""
    joined = game.applications.filter(withdrawn_at=None).select_related("player")
    return [one.player for one in joined.order_by("pk")]


def powers_in_turn(
    wishes: Mapping[int, object], powers: Sequence[str], rng: object
) -> dict[int, str]:
    """Powers are dealt without a look at the lists: who came last gets the first one."""
    return dict(zip(sorted(wishes, reverse=True), powers, strict=False))


def never_met(like: Game, name: str, players: Sequence[Player]) -> RoundPlanned:
    """A round is planned as if nobody had played before."""
    with mock.patch("games.queries.tournaments.rounds.Past", return_value=Past([])):
        return round_planned(like, name, players)


def first_order_twice(current: Any, *said: Any, **more: Any) -> list[str]:
    """A receipt says of each unit what the first one was ordered."""
    orders = [order for _, order in current if order]
    return _current_text([(unit, order and orders[0]) for unit, order in current], *said, **more)


def an_hour_later(at: dt.datetime, timezone: str) -> str:
    """Notices name a time that is an hour off."""
    return local_moment(at + dt.timedelta(hours=1), timezone)


def all_succeed(report: PhaseReport) -> list[str]:
    """All orders of the reader's own have worked, as they are told."""
    return [line.replace(": fails.", ": succeeds.") for line in _own_orders(report)]


def one_power_less(possessions: Iterable[Any], **how: Any) -> list[list[str]]:
    """The board in a mail lacks a power."""
    return _board(list(possessions)[1:], **how)


def whoever_had_a_seat(game: Game) -> Iterator[tuple[Player, tournament.GamePoints]]:
    """Whoever was replaced in a game has what it brought, too."""
    brought = {played.power: played for _, played in _results(game)}
    for seat in Seat.objects.filter(power__game=game, power__name__in=brought).order_by("pk"):
        yield seat.player, brought[seat.power.name]


def late_in_its_second(phase: Phase, received_at: dt.datetime) -> bool:
    """What comes in the deadline's own second is late."""
    due = phase.due_at
    return _late(phase, received_at) or bool(due and received_at >= due.replace(microsecond=0))


def named_anew(mail: OutboundMail, album: Any) -> bytes:
    """Each attempt to send a mail gives it another Message-ID."""
    name = mail.message_id.encode()
    return _compose(mail, album).replace(name, b"<%d.%s" % (mail.attempts, name[1:]), 1)


def marked_once(waiting: marks.Marks, *error: Any) -> None:
    """What was sent and cannot be marked is forgotten, though the worker lives."""
    waiting.write()


def sent_whatever(session: smtp.Session, mail: OutboundMail) -> None:
    """When a connection breaks, the mail is held for sent."""
    with contextlib.suppress(smtp.Unreachable):
        _send(session, mail)


def help_misnamed(mail: outbox.Mail) -> OutboundMail:
    """Mails tell their readers to write a word that does something else."""
    row = _row(mail)
    row.body = row.body.replace("HELP on a line", "TAKEOVER on a line")
    return row


def due_an_hour_later(due_at: dt.datetime | None, *given: Any, **more: Any) -> list[str]:
    """STATUS names a time that is an hour off."""
    return _told_due(due_at and due_at + dt.timedelta(hours=1), *given, **more)


def one_power_forgotten(outstanding: waiting.Outstanding) -> list[str]:
    """STATUS leaves out a power that still owes an order."""
    return _outstanding(dataclasses.replace(outstanding, owing=outstanding.owing[1:]))


def whoever_knows_the_number(key: str) -> Player | None:
    """A calendar opens without its secret."""
    return Player.objects.filter(pk=key.partition("-")[0]).first()


def told_twice(event: Event, *, now: dt.datetime) -> list[OutboundMail]:
    """Of a result everybody is told again, in a mail of its own."""
    mails = _tell_event(event, now=now)
    for mail in mails if event.kind == "phase_processed" else ():
        mail.pk, mail.key = None, f"{mail.key}/again"
        mail.message_id = f"<again-{mail.message_id[1:]}"
        mail.save()
    return mails


_told_due, _outstanding = text.due, status._outstanding
_late, _compose, _send = orders._is_late, compose, smtp.Session.send
_current_text, _board = sentences.current_text, sections.board
_own_orders, _results = sections.own_orders, tournament._results
_tell_one = telling.tell_one
_draws = pictures._drawn
_subject, _tell_event = subject_of, notices.tell_event
_sight = sight.sight
_seen, _open = common.seen_now, opening.phase_open
_store, _row = store.store, outbox._row
_adjudicated, _last = board.adjudicate_orders, log._last
