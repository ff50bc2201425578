"""Press goes to each power it is meant for, and to the GM if they are among its readers.

We tell nobody else, and nothing in the mail reveals who plays the power that wrote.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from games.events import PressSent
from games.models import Event, Game, Player, Press, Seat
from games.queries import lookup
from games.queries.access import disclosure
from games.queries.phases.musters import players_with_place
from games.queries.reports.wording import listed
from mailer.models import OutboundMail
from mailer.notices.notice import Notice, about, to_gm
from mailer.notices.recipients.observers import to_observers
from mailer.notices.recipients.to_player import to_player
from mailer.outbound import addresses, layout, threads
from mailer.text import MARKER

_REMEMBERED = 20  # how many earlier mails of a conversation References names


def notices(event: Event, now: dt.datetime) -> Iterable[Notice]:
    """The press for its readers."""
    press = event.game.press.select_related("seat__power", "game").get(
        number=PressSent.of(event).press
    )
    if press.by_moderator:
        yield from _from_a_moderator(event, press, now)
        return
    if _is_early(press):
        yield from _before_the_start(event, press)
        return
    for seat in lookup.readers_of(press):
        yield from _to_reader(press, seat, now)
    if press.public:
        body = _body(press, _Reader(is_observer=True))
        yield from to_observers(event, subject=_topic(press), body=body)
    if press.to_gm:
        yield from _to_gm(event, press)


def _is_early(press: Press) -> bool:
    started_at = press.game.started_at
    return started_at is None or press.created_at < started_at


def _from_a_moderator(event: Event, press: Press, now: dt.datetime) -> Iterator[Notice]:
    """A moderator's letter to players, in the moderator's own name: answers go to the moderators,
    and the GM gets a copy."""
    early = _is_early(press)
    for player in players_with_place(event.game) if early else _players_of(press):
        if record := player.record:
            yield from to_player(
                event,
                player,
                subject="A moderator writes to you",
                body=_body(press, moderator=press.by),
                reply_to=addresses.moderators_address(address=record, now=now),
            )
    subject = "A moderator writes to the players"
    body = _body(press, _Reader(is_gm=True), moderator=press.by)
    yield from to_gm(event, subject=subject, body=body)
    if press.public and not early:
        body = _body(press, _Reader(is_observer=True), moderator=press.by)
        yield from to_observers(event, subject=subject, body=body)


def _players_of(press: Press) -> list[Player]:
    return list(dict.fromkeys(seat.player for seat in lookup.readers_of(press)))


def _before_the_start(event: Event, press: Press) -> Iterator[Notice]:
    """The GM's letter before powers are given out, for all who have a place."""
    body = _body(press, _Reader(is_early=True))
    for player in players_with_place(event.game):
        yield from to_player(event, player, subject=_topic(press), body=body)


def _to_reader(press: Press, seat: Seat, now: dt.datetime) -> Iterator[Notice]:
    if not (address := seat.player.address):
        return
    several = press.for_all or (not press.grey and (press.with_gm or len(press.readers) > 1))
    yield Notice(
        key=_key(press, seat),
        recipient=address,
        subject=about(press.game, _topic(press)),
        body=_body(press, _Reader(several=several)),
        player=seat.player,
        reply_to=addresses.answer_address(seat=seat, press=press, to_all=False, now=now),
        cc=addresses.answer_address(seat=seat, press=press, to_all=True, now=now)
        if several
        else "",
        references=_thread(press, seat),
    )


def _to_gm(event: Event, press: Press) -> list[Notice]:
    gm = press.game.gm
    learns_writer = gm is not None and disclosure.learns_writer(gm, press)
    body = _body(press, _Reader(is_gm=True, learns_writer=learns_writer))
    if gm is None or press.grey:
        return to_gm(event, subject=_topic(press), body=body)
    return to_gm(
        event,
        subject=_topic(press),
        body=body,
        key=_key(press, None),
        answers=press,
        references=_thread(press, None),
    )


def to_whom(press: Press) -> str:
    """Name the readers, as other readers may know them: `Germany and Italy`, `everybody`, `the GM`.

    A power left out of the readers of grey press may be its writer, so we do not name it.
    """
    if press.grey and not press.public:
        return "you and others" if press.to_gm or len(press.to) > 1 else "you"
    if press.for_all:
        return "everybody"
    return listed([*press.readers, "the GM"] if press.with_gm else press.readers)


def listed_readers(press: Press) -> str:
    """Its real readers, for its writer."""
    if press.public:
        return "everybody"
    return listed([*press.to, "the GM"] if press.to_gm else press.to)


def _topic(press: Press) -> str:
    """The subject of a conversation, the same for all its mails, because programs thread by it."""
    if press.for_all:
        return "Press to everybody"
    return "Press from somebody" if press.grey else f"Press: {press.circle}"


@dataclass(frozen=True, slots=True)
class _Reader:
    """The reader of a mail with press; by default the one power that gets it."""

    several: bool = False
    """Whether others get it, too, so that the reader can answer all of them."""
    is_gm: bool = False
    learns_writer: bool = False
    """Whether the GM may know who wrote it."""
    is_observer: bool = False
    is_early: bool = False
    """Whether powers have not been given out yet."""


_ONE_POWER = _Reader()


def _body(press: Press, reader: _Reader = _ONE_POWER, *, moderator: str = "") -> str:
    """The text of the mail; `moderator` is the name of a moderator who wrote the press."""
    truth, for_gm, early = reader.learns_writer, reader.is_gm, reader.is_early
    return layout.render(
        "press_sent",
        marker="" if for_gm else MARKER,
        power=press.writer,
        answered=press.seat.power.name if truth and press.seat else press.writer,
        truth=_truth(press) if truth else "",
        to=to_whom(press),
        may_be_fake=press.game.fake_press and not (for_gm or early) and press.seat_id,
        game=press.game.name,
        text=layout.indented(press.text),
        several=reader.several,
        grey=press.grey,
        for_gm=for_gm,
        observer=reader.is_observer,
        early=early,
        moderator=moderator,
        over=press.game.status == Game.Status.FINISHED,
    )


def _truth(press: Press) -> str:
    """What the GM reads about fake press, and its readers never do."""
    if not press.fake or press.seat is None:
        return ""
    to = f" It went to {listed_readers(press)}." if press.shown_to else ""
    return f"This press is fake: {press.seat.power.name} wrote it.{to}"


def _key(press: Press, seat: Seat | None) -> str:
    return f"press/{press.pk}/{seat.pk if seat else 'gm'}"


def _thread(press: Press, seat: Seat | None) -> str:
    """The mail that begins the phase's thread, and the mails of this conversation in the phase that
    the reader (None for the GM) got or wrote."""
    earlier = press.game.press.filter(
        circle=press.circle, number__lt=press.number, phase=press.phase_id
    )
    last = sorted(earlier.order_by("-number")[:_REMEMBERED], key=lambda one: one.number)
    got = {
        mail.key: mail.message_id
        for mail in OutboundMail.objects.filter(key__in=[_key(one, seat) for one in last])
    }
    own = seat.pk if seat else None
    ids = [one.source if one.seat_id == own else got.get(_key(one, seat), "") for one in last]
    phase = press.phase
    root = threads.root(phase, seat.player) if seat and phase else threads.NO_ROOT
    return " ".join(one for one in (root.message_id, *ids) if one.startswith("<"))
