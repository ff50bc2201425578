"""The moderators' switch for everything: the server stands still, and goes on."""

from __future__ import annotations

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from diplomacy_server.health import signs
from games.errors import BadInput, WrongState
from games.models import Game, Halt, OrderSet, Phase
from games.queries.halts import halt_now
from games.queries.reports.log_text import sentence
from games.queries.reports.own_games import game_cards
from games.queries.reports.wording import utc_moment
from games.queue import queue
from games.services.accounts.players import player_register
from games.services.adjudication.phases import phase_process
from games.services.clock.deadlines import OUTAGE, Mover, deadline_move, outage_moved
from games.services.clock.halts import game_goes_on, games_to_tell, server_halt, server_resume
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer import jobs, notices
from mailer.models import OutboundMail
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, player_named, submit
from tests.games.admin.queue_cases import plain
from tests.mailer.correspondence import answer_to, flat, write

pytestmark = pytest.mark.django_db
DUE = NOW + 3 * DAY
MINUTE = HOUR / 60


def begun(name: str, beside: Cast) -> Cast:
    """Another game with the same players, begun at the same time."""
    other = Cast(game_create(name=name, now=NOW), beside.gm)
    for player in POWERS:
        game_join(game=other.game, player=player_named(player), preferences="", now=NOW)
    return other


def test_while_the_server_stands_still_nothing_is_processed_and_nobody_registers(
    marne: Cast,
) -> None:
    for power in POWERS.values():
        submit(marne, power, OPENINGS[power])
    server_halt(why="A fault in the judge.", by="mo", now=NOW + HOUR)
    assert jobs.deadlines(DUE + HOUR) == 0
    assert marne.phase.name == "S1901M"
    with pytest.raises(WrongState, match=r"A fault in the judge\."):
        player_register(name="Ida", email="ida@players.test", now=NOW)
    with pytest.raises(WrongState, match="already stands still"):
        server_halt(why="Again.", by="di", now=NOW)
    [event] = marne.events("server_halted")
    mails = notices.tell_event(event, now=NOW + HOUR)
    assert len(mails) == 8
    assert all("A fault in the judge." in " ".join(mail.body.split()) for mail in mails)
    assert sum("You can still send orders." in mail.body for mail in mails) == 7
    [card] = game_cards(Game.objects.all(), now=DUE + HOUR, played=(), zone="")
    assert card.step.sentence.endswith("Spring 1901 movement waits until the server goes on.")


def test_whoever_was_not_told_that_all_stands_still_hears_of_it_with_the_next_round(
    marne: Cast,
) -> None:
    """Whoever pressed the switch was interrupted, or the game was paused then. Each hears once."""
    Halt.objects.create(began_at=NOW, why="A fault.", by="mo")
    Game.objects.update(status=Game.Status.PAUSED)
    jobs.tell(NOW + MINUTE)
    assert not marne.events("server_halted")
    Game.objects.update(status=Game.Status.ACTIVE)
    for minutes in (2, 3):
        jobs.tell(NOW + minutes * MINUTE)
    [event] = marne.events("server_halted")
    assert (event.payload["why"], event.payload["by"]) == ("A fault.", "mo")
    assert OutboundMail.objects.filter(event=event).count() == 8
    server_resume(by="mo", now=NOW + HOUR)
    jobs.tell(NOW + HOUR)
    assert len(marne.events("server_halted")) == 1


def test_when_it_goes_on_deadlines_that_passed_have_moved(marne: Cast) -> None:
    server_halt(why="A fault.", by="mo", now=DUE - HOUR)
    server_resume(by="mo", now=DUE + 5 * HOUR)
    assert marne.phase.due_at
    assert marne.phase.due_at > DUE + 5 * HOUR
    [event] = marne.events("server_resumed")
    mails = notices.tell_event(event, now=DUE + 5 * HOUR)
    assert len(mails) == 8
    said = flat(mails[0].body)
    assert "The server goes on, and so does the game marne." in said
    assert said.count(utc_moment(marne.phase.due_at)) == 1, "with what is to be done"
    assert Halt.objects.get().ended_at == DUE + 5 * HOUR
    with pytest.raises(WrongState, match="does not stand still"):
        server_resume(by="mo", now=DUE)
    server_halt(why="Another.", by="mo", now=DUE + 6 * HOUR)


def test_what_an_interrupted_resumption_left_is_done_with_the_next_round(marne: Cast) -> None:
    """Each game goes on in the name of whoever pressed the switch; nothing is decided before all
    do."""
    yser, at = begun("yser", marne), DUE + HOUR
    server_halt(why="A fault.", by="mo", now=DUE - HOUR)
    jobs.resume(at)
    assert halt_now()
    Halt.objects.update(ended_by="mo")  # the first thing that `server_resume` does
    game_goes_on(game_id=marne.game.pk, now=at)
    assert jobs.deadlines(at) == 0
    assert games_to_tell() == []
    with pytest.raises(WrongState, match="mo is just letting the server go on"):
        server_halt(why="Another.", by="di", now=at)
    for minutes in (1, 2):
        jobs.resume(at + minutes * MINUTE)
    assert halt_now() is None
    for cast in (marne, yser):
        [event] = cast.events("server_resumed")
        assert event.payload["by"] == "mo"
        assert (cast.phase.due_at or NOW) > at


@pytest.mark.usefixtures("caplog")
def test_a_game_that_cannot_go_on_is_set_aside_and_the_others_go_on(
    marne: Cast, moderator: Client
) -> None:
    """Its deadline passed, and nobody can read the zone of its clock, so it cannot move."""
    yser, at = begun("yser", marne), DUE + HOUR
    Game.objects.filter(pk=marne.game.pk).update(timezone="Nowhere/City")
    server_halt(why="A fault.", by="mo", now=DUE - HOUR)
    with time_machine.travel(at, tick=False):
        said = moderator.post(reverse("admin:halt"), {"word": "GO ON"}, follow=True)
    assert "still keeps marne from going on" in plain(said.content.decode())
    assert len(yser.events("server_resumed")) == 1
    for minutes in (1, 2, 3):
        assert halt_now(), "it is tried again"
        jobs.resume(at + minutes * MINUTE)
    assert halt_now() is None
    assert (marne.phase.status, len(marne.events("phase_stuck"))) == ("stuck", 1)
    assert signs.take(at).stuck == 1
    (case,) = queue(User.objects.get(username="mo"), at).waiting
    assert (case.title, case.facts[1]) == ("marne", "stuck")
    Game.objects.update(timezone="UTC")
    deadline_move(game=marne.game, to=at + DAY, why="Mended.", by=Mover("gm"), now=at + HOUR)
    assert phase_process(game_id=marne.game.pk, now=at + DAY)


@pytest.mark.usefixtures("caplog")
def test_if_no_game_can_go_on_none_is_to_blame_and_the_server_stands_still(marne: Cast) -> None:
    begun("yser", marne)
    Game.objects.update(timezone="Nowhere/City")
    server_halt(why="A fault.", by="mo", now=DUE - HOUR)
    server_resume(by="mo", now=DUE + HOUR)
    for minutes in range(4):
        jobs.resume(DUE + HOUR + minutes * MINUTE)
    assert halt_now()
    assert set(Phase.objects.values_list("status", "attempts")) == {("open", 0)}
    Game.objects.update(timezone="UTC")
    jobs.resume(DUE + 2 * HOUR)
    assert halt_now() is None


def test_whoever_is_late_in_letting_it_go_on_says_nothing_of_the_next_halt(marne: Cast) -> None:
    """Another worker was done, and somebody pressed the switch again."""
    server_halt(why="A fault.", by="mo", now=NOW)
    server_resume(by="mo", now=NOW + HOUR)
    server_halt(why="Another.", by="di", now=NOW + 2 * HOUR)
    assert game_goes_on(game_id=marne.game.pk, now=NOW + 3 * HOUR) is None
    assert len(marne.events("server_resumed")) == 1


def test_orders_that_come_while_it_stands_still_count_though_the_deadline_has_passed(
    marne: Cast,
) -> None:
    jobs.tell(NOW)
    server_halt(why="A fault.", by="mo", now=NOW + HOUR)
    at = DUE + 5 * HOUR
    start = OutboundMail.objects.get(kind="game_started", recipient="carla@players.test")
    said = flat(answer_to(write("Carla", "HOLD ALL", to=start.reply_to, received_at=at)).body)
    assert "too late" not in said
    assert "The whole server stands still: it moves when the server goes on." in said
    assert "These orders stand now for France in Spring 1901 movement" in said
    server_resume(by="mo", now=at + HOUR)
    jobs.tell(at + HOUR)
    [moved] = marne.events("deadline_moved")
    assert moved.payload["why"] == "The whole server stood still at the deadline."
    assert not outage_moved(marne.phase, OUTAGE)  # a real one may still move it, once
    due_at = marne.phase.due_at
    assert due_at
    phase_process(game_id=marne.game.pk, now=due_at)
    assert "France" not in marne.events("phase_processed")[0].payload["missing"]


def test_the_page_of_a_game_says_that_the_whole_server_stands_still(
    marne: Cast, moderator: Client
) -> None:
    server_halt(why="A fault.", by="a moderator", now=NOW + HOUR)
    with time_machine.travel(DUE + HOUR, tick=False):
        page = moderator.get(reverse("admin:games_game_change", args=[marne.game.pk]))
    shown = plain(page.content.decode())
    assert "The deadline has passed: Spring 1901 movement waits until the server goes on." in shown
    assert "The whole server has stood still since Mon 2 Mar 2026, 13:00 UTC: no phase is" in shown
    assert "A moderator says why: A fault." in shown


def test_a_deadline_that_had_passed_before_it_stood_still_stays(marne: Cast) -> None:
    server_halt(why="A fault.", by="mo", now=DUE + HOUR)
    submit(marne, "France", OPENINGS["France"], DUE + 5 * HOUR)
    assert OrderSet.objects.get().late
    server_resume(by="mo", now=DUE + 6 * HOUR)
    jobs.tell(DUE + 6 * HOUR)
    halted, resumed = _both_told("carla@players.test")
    passed = "The deadline of Spring 1901 movement had already passed. All orders that came in time"
    assert passed in halted
    assert "You can still send orders" not in halted
    assert "had passed before the server stopped. All orders that came in time count" in resumed
    assert "You need not do anything now." in resumed
    assert "is due" not in resumed


def test_a_game_that_waits_for_orders_waits_on_when_the_server_goes_on(marne: Cast) -> None:
    """Its deadline has passed, so nobody reads of that as if it were to come."""
    Game.objects.update(when_missing=Game.WhenMissing.WAIT)
    phase_process(game_id=marne.game.pk, now=DUE)
    server_halt(why="A fault.", by="mo", now=DUE + HOUR)
    server_resume(by="mo", now=DUE + 2 * HOUR)
    jobs.tell(DUE + 2 * HOUR)
    halted, resumed = _both_told("carla@players.test")
    assert "You can still send orders" in halted
    assert "Spring 1901 movement in the game marne goes on waiting for orders." in resumed
    assert sentence(marne.events("server_resumed")[0]).endswith("mo let the server go on.")


def _both_told(recipient: str) -> list[str]:
    """What somebody read when the server stood still, and when it went on."""
    mails = OutboundMail.objects.filter(recipient=recipient, kind__startswith="server_")
    return [flat(mail.body) for mail in mails.order_by("pk")]


def test_operators_hear_once_that_all_stands_still_and_once_that_it_goes_on(
    db: None, settings: Settings
) -> None:
    """Even where no game is played, and nobody else is told."""
    settings.OPERATOR_ADDRESSES = ["root@game.test", "night@game.test"]
    server_halt(why="A fault in the judge.", by="a moderator", now=NOW)
    for minutes in (1, 2):
        jobs.tell(NOW + minutes * MINUTE)
    mails = OutboundMail.objects.filter(kind="server_halted").order_by("pk")
    assert [mail.recipient for mail in mails] == settings.OPERATOR_ADDRESSES
    body = flat(mails[0].body)
    assert "The whole server has stood still since Mon 2 Mar 2026, 12:00 UTC." in body
    assert "A moderator says why: A fault in the judge." in body
    assert f"{settings.SITE_URL}/admin/#halt" in body
    server_resume(by="Mo Moder", now=NOW + 2 * DAY)
    for minutes in (1, 2):
        jobs.tell(NOW + 2 * DAY + minutes * MINUTE)
    mails = OutboundMail.objects.filter(kind="server_resumed").order_by("pk")
    assert [mail.recipient for mail in mails] == settings.OPERATOR_ADDRESSES
    body = flat(mails[0].body)
    assert "Mo Moder let the server go on. It stood still from Mon 2 Mar 2026, 12:00 to" in body
    assert "A moderator had said why: A fault in the judge." in body
    assert OutboundMail.objects.count() == 4


def test_operators_do_not_hear_of_halts_of_old(db: None, settings: Settings) -> None:
    settings.OPERATOR_ADDRESSES = ["root@game.test"]
    server_halt(why="A fault.", by="mo", now=NOW)
    server_resume(by="mo", now=NOW + HOUR)
    jobs.tell(NOW + 2 * DAY)
    assert not OutboundMail.objects.exists()


def test_a_halt_needs_a_reason(db: None) -> None:
    with pytest.raises(BadInput, match="Please say why"):
        server_halt(why=" ", by="mo", now=NOW)
    assert not Halt.objects.exists()


def test_the_switch_wants_its_word_and_a_moderator(marne: Cast, moderator: Client) -> None:
    url = reverse("admin:halt")
    with time_machine.travel(NOW + HOUR, tick=False):
        answer = moderator.post(url, {"word": "yes", "why": "-"}, follow=True)
        assert "Please type STOP" in plain(answer.content.decode())
        assert not Halt.objects.exists()
        moderator.post(url, {"word": "stop", "why": "A fault."})
        assert Halt.objects.get().why == "A fault."
        home = plain(moderator.get(reverse("admin:index")).content.decode())
        assert "The server has stood still since Mon 2 Mar 2026, 13:00 UTC" in home
        assert "every game goes on" not in home
        queue = plain(moderator.get(reverse("admin:games_player_queue")).content.decode())
        assert "Nothing needs a moderator now, except the server." in queue
        moderator.post(url, {"word": "go on"})
        done = plain(moderator.get(reverse("admin:games_player_queue")).content.decode())
        assert "The server stands still: A fault. mo," in done
        assert "The server goes on. mo," in done
    assert not Halt.objects.filter(is_on=True).exists()
    moderator.force_login(marne.gm)
    assert moderator.post(url, {"word": "stop", "why": "-"}).status_code == 403
