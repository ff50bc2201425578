"""Two at once: whoever is served first, nothing is lost, done twice, or undone by the database.

Each row is two things that may meet. One of them stops when it has locked a player or a game, until
the other is done or waits for it; then the other way round.
"""

from __future__ import annotations

import datetime as dt
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection
from pytest_django import Settings

from games.acts import GAME_ACTS
from games.errors import GameError
from games.models import Application, Game, OrderSet, Player, Press, Standby
from games.queries.access.staff_names import Actor
from games.queries.lookup import seats_of
from games.services.accounts.erasing import player_erase
from games.services.endings.proposals import draw_propose
from games.services.endings.votes import vote_cast
from games.services.moderation.conduct import address_complained, mail_resume, player_ban
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_resign
from games.services.setup.games import game_create
from mailer.inbound import processing
from mailer.jobs import due_phases
from mailer.models import Bulk, InboundMail, Mailbox, OutboundMail
from mailer.outbound.ended_by_link import Link, click
from tests.cast import HOUR, NOW, POWERS, Cast, address_of, make_cast
from tests.games.acts.acting import staff
from tests.mailer.correspondence import (
    JUDGE,
    URL,
    answer_to,
    eml,
    home,
    said,
    stored,
    to_seat,
    write,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("PostgreSQL")]
DUE = NOW + 72 * HOUR
AFTER = DUE + HOUR
LOCK = re.compile(r'FROM "games_(?:player|game)" .*FOR (?:NO KEY )?UPDATE', re.DOTALL)


@dataclass(frozen=True)
class Meeting:
    """Two who do something at the same moment, and what has to be true then."""

    one: Callable[[], object]
    other: Callable[[], object]
    is_well: Callable[[], bool]
    later: Callable[[], object] = lambda: None
    """What is looked at again: a deadline that found a mail in work."""


def mail(name: str, text: str, to: str, at: dt.datetime = NOW) -> Callable[[], object]:
    """Work on a mail that came; as a worker does who has no other."""
    key = stored(eml(text, sender=f"{name} <{address_of(name)}>", to=to), received_at=at).pk
    return partial(processing.process_mail, mail_id=key, now=max(at, NOW + HOUR))


def answers() -> list[str]:
    return [said(one) for one in InboundMail.objects.order_by("pk") if one.answers.exists()]


def act(game: Game, name: str, by: str = "gm", **given: object) -> Callable[[], object]:
    """Do an act as somebody who sees the game as it is."""
    one = GAME_ACTS[name]
    stamp, given_now = one.stamp(game), one.parameters(**given)
    return partial(one.perform, game, given_now, by=staff(by), now=NOW + HOUR, expected=stamp)


def due(cast: Cast) -> Callable[[], object]:
    """Process the phase after its deadline, once all mail up to it has been read."""
    Mailbox.objects.update_or_create(url=URL, defaults={"last_ok_poll": AFTER})
    return lambda: list(due_phases.process_all([cast.game.pk], lambda: AFTER))


def forming(cast: Cast, entry: str = Game.Entry.OPEN) -> Game:
    """A game with one seat left."""
    game = game_create(name="verdun", gm=cast.gm, now=NOW)
    for name in list(POWERS)[:6]:
        game_join(game=game, player=cast.player(name), preferences="", now=NOW)
    Game.objects.filter(pk=game.pk).update(entry=entry)
    game.refresh_from_db()
    return game


def in_order(cast: Cast, *kinds: str) -> bool:
    """Whether each of these happened once, in this order."""
    found = cast.game.events.filter(kind__in=kinds).order_by("number")
    return list(found.values_list("kind", flat=True)) == list(kinds)


# --- the meetings -----------------------------------------------------------------------------


def two_mails_about_the_last_seat(cast: Cast) -> Meeting:
    game = forming(cast)
    greta, hugo = (mail(name, "JOIN verdun", home(name)) for name in ("Greta", "Hugo"))
    refused = re.compile("already being played|All seats")
    return Meeting(
        greta,
        hugo,
        lambda: len(seats_of(game)) == 7 and sum(map(bool, map(refused.search, answers()))) == 1,
    )


def yes_twice(cast: Cast) -> Meeting:
    question = write("Carla", "A Paris - Picardy").answers.get(kind="question")
    yes, again = (mail("Carla", "YES", question.reply_to) for _ in range(2))
    told = "That question is already answered."
    return Meeting(
        yes,
        again,
        lambda: (
            OrderSet.objects.count() == 1
            and sum(told in said(one) for one in InboundMail.objects.order_by("-pk")[:2]) == 1
        ),
    )


def the_last_vote_at_the_deadline(cast: Cast) -> Meeting:
    first, *others = list(POWERS.values())[:6]
    draw_propose(seat=cast.seat(first), winners=(), now=NOW)
    for power in others:
        vote_cast(seat=cast.seat(power), number=1, yes=True, now=NOW)
    vote = mail("Greta", "VOTE YES", to_seat(cast, "Turkey"), at=DUE)
    deadline = due(cast)
    return Meeting(vote, deadline, lambda: in_order(cast, "game_finished"), later=deadline)


def a_resignation_at_the_deadline(cast: Cast) -> Meeting:
    question = write("Emma", "RESIGN", to=to_seat(cast, "Italy")).answers.get(kind="question")
    resign = mail("Emma", "YES", question.reply_to, at=DUE)
    deadline, events = due(cast), ("seat_resigned", "phase_processed")
    return Meeting(resign, deadline, lambda: in_order(cast, *events), later=deadline)


def press_of_somebody_who_is_replaced(cast: Cast) -> Meeting:
    letter = mail("Emma", "PRESS TO France\nHello!", to_seat(cast, "Italy"))
    replaced = act(cast.game, "replace", power="Italy", player="Hugo", why="Gone.")
    gone = "no longer play Italy"
    return Meeting(
        letter,
        replaced,
        lambda: (
            in_order(cast, "press_sent", "seat_taken")
            if Press.objects.exists()
            else gone in answers()[-1]
        ),
    )


def a_second_wish_of_somebody_who_is_let_in(cast: Cast) -> Meeting:
    game = forming(cast, Game.Entry.APPROVAL)
    write("Hugo", "JOIN verdun", to=home("Hugo"))
    key = str(game.invitations.get().pk)
    again = mail("Hugo", "JOIN verdun France", home("Hugo"), at=NOW + HOUR)
    let_in = act(game, "let_in", who=key, answer="yes")
    return Meeting(
        again,
        let_in,
        lambda: (
            Application.objects.filter(game=game, withdrawn_at=None).count() == 7
            and not game.invitations.filter(kind="asked").exists()
        ),
    )


def a_ban_of_somebody_who_is_seated(cast: Cast) -> Meeting:
    hugo = cast.player("Hugo")
    seat = act(cast.game, "replace", power="Italy", player="Hugo", why="Gone.")
    ban = partial(player_ban, player=hugo, why="Insults.", by="mo", now=NOW)
    return Meeting(seat, ban, lambda: not hugo.seats.filter(until=None).exists())


def two_who_take_a_seat_from_a_mail_and_from_the_gm(cast: Cast) -> Meeting:
    seat_resign(seat=cast.seat("Italy"), now=NOW)
    take = mail("Hugo", "TAKEOVER marne Italy", home("Hugo"))
    give = act(cast.game, "replace", power="Italy", player="Hugo", why="Asked.")
    return Meeting(take, give, lambda: in_order(cast, "seat_resigned", "seat_taken"))


def the_end_of_a_game_whose_phase_is_due(cast: Cast) -> Meeting:
    ended = act(cast.game, "end", winners=(), why="Nobody plays.")
    return Meeting(
        ended,
        due(cast),
        lambda: in_order(cast, "game_finished") or in_order(cast, "phase_processed"),
    )


def a_mail_of_somebody_who_is_erased(cast: Cast) -> Meeting:
    """From an address that mails did not reach, which is forgotten first."""
    rename = mail("Hugo", "SET NAME Zoe", home("Hugo"))
    hugo = cast.player("Hugo")
    hugo.addresses.update(failure="550 full", failing_since=NOW - HOUR)
    erase = partial(player_erase, player=hugo, why="-", by=Actor("mo"), now=NOW)
    return Meeting(
        rename, erase, lambda: Player.objects.get(pk=hugo.pk).name == f"Former player {hugo.pk}"
    )


def a_second_complaint_while_mail_is_resumed(cast: Cast) -> Meeting:
    hugo, email = cast.player("Hugo"), address_of("Hugo")
    address_complained(email=email, what="Spam.", now=NOW)
    again = partial(address_complained, email=email, what="Spam.", now=NOW)
    resume = partial(mail_resume, player=hugo, why="A slip.", by="mo", now=NOW)
    return Meeting(again, resume, lambda: hugo.conduct.filter(kind="resumed").exists())


def two_clicks_on_unsubscribe(cast: Cast) -> Meeting:
    """Of the same link: the second finds it used, and writes nothing."""
    hugo = cast.player("Hugo")
    sent = answer_to(write("Hugo", "STANDBY", to=home("Hugo")))
    one = partial(click, Link(sent, Bulk.OFFER, hugo, cast.game), now=NOW)
    return Meeting(
        one,
        one,
        lambda: (
            not Standby.objects.filter(until=None).exists()
            and OutboundMail.objects.filter(kind="ended_by_link").count() == 1
        ),
    )


def two_gms_who_do_the_opposite(cast: Cast) -> Meeting:
    staff("moderator").save()
    pause = act(cast.game, "pause", why="A wedding.")
    go_on = act(cast.game, "process_now", by="moderator")
    return Meeting(
        pause,
        go_on,
        lambda: in_order(cast, "game_paused") or in_order(cast, "phase_processed"),
    )


MEETINGS = [
    two_mails_about_the_last_seat,
    yes_twice,
    the_last_vote_at_the_deadline,
    a_resignation_at_the_deadline,
    press_of_somebody_who_is_replaced,
    a_second_wish_of_somebody_who_is_let_in,
    a_ban_of_somebody_who_is_seated,
    two_who_take_a_seat_from_a_mail_and_from_the_gm,
    the_end_of_a_game_whose_phase_is_due,
    a_mail_of_somebody_who_is_erased,
    a_second_complaint_while_mail_is_resumed,
    two_clicks_on_unsubscribe,
    two_gms_who_do_the_opposite,
]


# --- how they meet ----------------------------------------------------------------------------


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("begin", MEETINGS)
def test_two_at_once_come_to_one_end(
    transactional_db: None, settings: Settings, begin: Callable[[Cast], Meeting], swapped: bool
) -> None:
    settings.JUDGE_ADDRESS, settings.IMAP_URLS = JUDGE, [URL]
    cast = make_cast()
    both = begin(cast)
    first, second = (both.other, both.one) if swapped else (both.one, both.other)
    assert meet(first, second) == []
    assert not InboundMail.objects.filter(state=InboundMail.State.NEW).exists()
    both.later()
    assert both.is_well()


def meet(first: Callable[[], object], second: Callable[[], object]) -> list[BaseException]:
    """Let the first stop behind its first lock until the second is done or waits; return what
    broke, and what the database undid even if it was done again."""
    broke: list[BaseException] = []
    holds, go_on, pid = threading.Event(), threading.Event(), 0

    def stop(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal pid
        result = execute(sql, params, many, context)
        if not pid and LOCK.search(sql):
            pid = connection.connection.info.backend_pid
            holds.set()
            assert go_on.wait(timeout=60)
        return result

    with ThreadPoolExecutor(2) as pool:
        begun = pool.submit(_alone, first, broke, stop)
        while not holds.is_set() and not begun.done():
            time.sleep(0.002)
        after = pool.submit(_alone, second, broke)
        while pid and not after.done() and not _is_waited_for(pid):
            time.sleep(0.002)
        go_on.set()
        begun.result(timeout=60), after.result(timeout=60)
    return broke


def _alone(do: Callable[[], object], broke: list[BaseException], *wrappers: Any) -> None:
    """Do it with a connection of its own, and note what breaks; a refusal is an answer."""

    def noted(execute: Any, *statement: Any) -> Any:
        try:
            return execute(*statement)
        except OperationalError as error:
            broke.append(error)
            raise

    try:
        with ExitStack() as watched:
            for wrapper in (noted, *wrappers):
                watched.enter_context(connection.execute_wrapper(wrapper))
            do()
    except GameError:
        return
    except Exception as error:
        broke.append(error)
    finally:
        connection.close()


def _is_waited_for(pid: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND %s = ANY(pg_blocking_pids(pid))",
            [pid],
        )
        return bool(cursor.fetchone()[0])
