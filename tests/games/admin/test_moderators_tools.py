"""What moderators have besides: mute, ready texts, likely doubles, mails, the switch for all."""

from __future__ import annotations

import re

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from diplomacy_server.health import signs
from games.acts import PLAYER_ACTS
from games.acts.players.ready_texts import READY
from games.admin.act_form import form_for
from games.errors import BadInput, NotAllowed, WrongState
from games.models import Conduct, Game, Halt, OrderSet, Phase, Player
from games.queries.access.staff_names import Actor
from games.queries.halts import halt_now
from games.queries.moderators.cases import waiting
from games.queries.moderators.doubles import likely_doubles
from games.queries.parsing.press_audience import Audience
from games.queries.reports.log_text import sentence
from games.queries.reports.own_games import game_cards
from games.queue import queue
from games.services.accounts.erasing import erasure_ask, player_erase
from games.services.accounts.merging import players_merge
from games.services.accounts.players import player_register
from games.services.adjudication.phases import phase_process
from games.services.clock.deadlines import OUTAGE, deadline_move, outage_moved
from games.services.clock.halts import game_goes_on, games_to_tell, server_halt, server_resume
from games.services.messages.press import press_send
from games.services.moderation.care import case_rest, case_take
from games.services.moderation.conduct import mail_pause, moderators_ask, player_ban
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_resign, seat_take
from games.services.setup.co_gms import co_gm_add
from games.services.setup.games import game_create
from mailer import jobs, notices
from mailer.models import OutboundMail
from mailer.privacy import retention
from tests.cast import (
    DAY,
    HOUR,
    NOW,
    OPENINGS,
    POWERS,
    Cast,
    address_of,
    make_player,
    player_named,
    submit,
)
from tests.games.acts.acting import Acting
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


def press(cast: Cast, to: Audience) -> None:
    press_send(seat=cast.seat("France"), to=to, text="Hello.", source="<p>", now=NOW + 2 * HOUR)


def test_nobody_is_blamed_before_they_have_typed_anything(moderator: Client, marne: Cast) -> None:
    address = reverse("admin:games_player_act", args=[marne.player("Carla").pk, "write"])
    shown = plain(moderator.get(address).content.decode())
    assert "Please write something." not in shown
    assert "Once you have filled in enough, this says what will happen" in shown
    sent = moderator.post(address, {"ready": "", "text": " ", "expected": ""})
    assert "Please write something." in plain(sent.content.decode())


def test_a_players_page_reads_the_player_once(marne: Cast, moderator: Client) -> None:
    page = reverse("admin:games_player_change", args=[marne.player("Ana").pk])
    with CaptureQueriesContext(connection) as asked:
        assert moderator.get(page).status_code == 200
    of_player = '"games_address"."player_id" IN'
    assert len([one for one in asked if of_player in one["sql"]]) == 1


def test_a_players_page_begins_with_what_they_asked(moderator: Client, marne: Cast) -> None:
    ben = marne.player("Ben")
    moderators_ask(player=ben, text="Is Carla Dmitri?", now=NOW)
    address = reverse("admin:games_player_change", args=[ben.pk])
    news, _, rest = moderator.get(address).content.decode().partition("Reliability")
    assert "The player asked Is Carla Dmitri?" in plain(news)
    assert news.count('class="button primary"') == 1
    assert 'class="button primary"' not in rest
    Conduct.objects.update(settled_at=NOW)
    shown = moderator.get(address).content.decode()
    assert "What waits for you" not in shown
    assert shown.count('class="button primary"') == 1


def test_what_takes_much_from_a_player_is_red_wherever_it_is_offered(
    moderator: Client, marne: Cast
) -> None:
    ana, emma = marne.player("Ana"), marne.player("Emma")
    page = moderator.get(reverse("admin:games_player_change", args=[ana.pk])).content.decode()
    dangerous = re.findall(r'class="button danger"[^>]*>([^<]+)', page)
    assert dangerous == ["Ban", "Merge accounts", "Erase"]
    assert page.index(">Send their data<") < page.index(">Ban<")

    erasure_ask(player=emma, now=NOW)
    queued = moderator.get(reverse("admin:games_player_queue")).content.decode()
    assert re.findall(r'class="button danger"[^>]*>([^<]+)', queued) == ["Erase"]

    address = reverse("admin:games_player_act", args=[ana.pk, "ban"])
    asked = moderator.post(address, {"why": "Two accounts.", "expected": ""}).content.decode()
    assert 'class="button primary danger" name="confirmed"' in asked


def test_a_muted_player_writes_to_the_gm_alone_and_reads_how_to_appeal(marne: Cast) -> None:
    acting = Acting(marne.player("Carla"), "mute")
    assert "cannot write press" in acting.foresee(length="7d", why="Insults.")
    acting.confirm(length="7d", why="Insults.")
    for to in (Audience(("Italy",)), Audience((), public=True), Audience(("Italy",), gm=True)):
        with pytest.raises(NotAllowed, match="write MODERATOR and why"):
            press(marne, to)
    press(marne, Audience((), gm=True))
    jobs.tell(NOW + 2 * HOUR)
    mail = OutboundMail.objects.get(kind="conduct")
    assert mail.subject == "You cannot write press for some time"
    assert "Insults." in mail.body
    assert "reply to this mail and say why" in flat(mail.body)
    answer = write("Carla", "Sorry, but Italy began.", to=mail.reply_to, received_at=NOW + 3 * HOUR)
    assert answer_to(answer).subject == "Passed on to the moderators"
    assert Conduct.objects.get(kind="asked").why == "Sorry, but Italy began."
    acting = Acting(marne.player("Carla"), "unmute")
    acting.foresee(why="She said sorry.")
    acting.confirm(why="She said sorry.")
    press(marne, Audience(("Italy",)))


def test_a_ready_text_stands_before_what_is_written(marne: Cast) -> None:
    acting = Acting(marne.player("Ana"), "write")
    assert "No orders have come from you" in acting.foresee(ready="missed", text="Mo")
    acting.confirm(ready="missed", text="Mo")
    entry = Conduct.objects.get(kind="written")
    assert entry.why.startswith("No orders")
    assert entry.why.endswith("\n\nMo")
    assert "Please write something." in acting.foresee(ready="", text="")


def test_a_ready_text_answers_a_question_and_the_letters_stand_on_the_players_page(
    marne: Cast, moderator: Client
) -> None:
    asked = moderators_ask(player=marne.player("Ana"), text="Is Carla Dmitri?", now=NOW)
    page = reverse("admin:games_player_change", args=[marne.player("Ana").pk])
    shown = moderator.get(page).content.decode()
    assert "Ana wrote on Mon 2 Mar 2026, 12:00 UTC Is Carla Dmitri? Answer" in plain(shown)
    acting = Acting(marne.player("Ana"), "answer")
    typed = {"entry": str(asked.pk), "ready": "double", "text": "Mo"}
    assert "Your answer: “It looks as if" in acting.foresee(**typed)
    acting.confirm(**typed)
    assert Conduct.objects.get(kind="answered").why.endswith("keep.\n\nMo")
    shown = plain(moderator.get(page).content.decode())
    assert shown.index("Is Carla Dmitri?") < shown.index("answered on") < shown.index("keep. Mo")


def test_accounts_with_two_signs_are_shown_with_them(marne: Cast) -> None:
    at = NOW + DAY  # not with all the others
    player_register(name="Carla Smith", email="carla.smith@club.test", now=at)
    other = player_register(name="C. Smith", email="carla.smith77@mail.test", now=at + HOUR).player
    first = Player.objects.get(name="Carla Smith")
    [found] = [one for one in likely_doubles(first) if one.player == other]
    assert found.signs == (
        "Addresses of both begin with “carla.smith”.",
        "Both names have “smith” in them.",
        "They registered within an hour of each other.",
    )


def test_a_question_too_long_for_the_list_of_choices_can_be_read_in_full(marne: Cast) -> None:
    ana = marne.player("Ana")
    for text in ("Is Carla Dmitri?", f"Is {'very ' * 20}Carla Dmitri, or not?"):
        moderators_ask(player=ana, text=text, now=NOW)
    form = form_for(PLAYER_ACTS["answer"], ana, now=NOW)
    assert form.fields["entry"].help_text == f"Ana wrote: “{text}”"


def test_a_club_that_registers_in_one_evening_is_not_one_person(marne: Cast) -> None:
    """Nor is a family name, a way to write addresses or an hour a sign that many share."""
    for number in range(20):
        name = f"Kingston {chr(65 + number)}uinn"
        player_register(name=name, email=f"kingston{number}@big.test", now=NOW + 5 * DAY)
    first = Player.objects.get(name="Kingston Auinn")
    assert likely_doubles(first) == []
    at = NOW + 9 * DAY
    zoe = player_register(name="Zoe Auinn", email="zoe.auinn@big.test", now=at).player
    assert likely_doubles(zoe) == []
    player_register(name="Kit Auinn", email="kit@club.test", now=at)
    player_register(name="Z. Auinn", email="zoe.auinn7@club.test", now=at)
    alike = [one.player.name for one in likely_doubles(zoe)]
    assert alike == ["Z. Auinn", "Kit Auinn"], "the most alike first"


@pytest.mark.parametrize(("namesakes", "alike"), [(1, 1), (8, 0)])
def test_a_name_with_accents_that_many_have_is_no_sign_either(
    marne: Cast, namesakes: int, alike: int
) -> None:
    for number in range(namesakes):
        name, at = f"Jérôme {chr(65 + number)}{chr(65 + number)}", NOW + (9 + 9 * number) * DAY
        player_register(name=name, email=f"j{number}@big{number}.test", now=at)
    mine = player_register(name="Jérôme Zz", email="zz@small.test", now=NOW + 9 * DAY).player
    assert len(likely_doubles(mine)) == alike


def test_one_sign_alone_is_no_reason_to_look(marne: Cast) -> None:
    player_register(name="Zoe Miller", email="zoe@a.test", now=NOW + 30 * DAY)
    player_register(name="Tom Miller", email="tom@b.test", now=NOW + 90 * DAY)
    assert likely_doubles(Player.objects.get(name="Zoe Miller")) == []


def test_the_players_page_has_mails_doubles_and_no_word_of_them(
    marne: Cast, moderator: Client
) -> None:
    for event in marne.events("game_started"):
        notices.tell_event(event, now=NOW)
    OutboundMail.objects.filter(player__name="Ana").update(bounced_at=NOW, bounce="550 Unknown")
    url = reverse("admin:games_player_change", args=[marne.player("Ana").pk])
    shown = plain(moderator.get(url).content.decode())
    assert "to them start of a game came back: 550 Unknown" in shown


def test_the_page_of_a_merged_account_has_the_mails_of_both(marne: Cast, moderator: Client) -> None:
    for event in marne.events("game_started"):
        notices.tell_event(event, now=NOW)
    whole = make_player("Ida")
    players_merge(kept=whole, other=marne.player("Ana"), why="One person.", by="mo", now=NOW)
    url = reverse("admin:games_player_change", args=[whole.pk])
    assert "to ana@players.test start of a game" in plain(moderator.get(url).content.decode())


# --- The switch for everything -------------------------------------------------------------


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
    deadline_move(game=marne.game, to=at + DAY, why="Mended.", by="gm", now=at + HOUR)
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


# --- What a moderator writes ----------------------------------------------------------------


def test_no_ready_text_asks_for_a_command_in_a_reply_that_carries_out_none(marne: Cast) -> None:
    for _, text in READY.values():
        commands = [word for word in text.split() if word.isupper() and len(word) > 1]
        assert not commands or "not a reply to this one" in text, text


def test_the_forecast_says_that_mails_to_the_player_come_back(marne: Cast) -> None:
    acting = Acting(marne.player("Ana"), "write")
    assert "Ana is told by mail, at ana@players.test." in acting.foresee(text="Well?")
    marne.player("Ana").addresses.update(failing_since=NOW)
    said = acting.foresee(text="Well?")
    assert "come back from there since Mon 2 Mar 2026, 12:00 UTC: they may never" in said


def test_the_forecast_says_that_a_letter_waits_while_mail_is_paused(marne: Cast) -> None:
    asked = moderators_ask(player=marne.player("Ana"), text="Well?", now=NOW)
    mail_pause(player=marne.player("Ana"), why="Spam.", by="mo", now=NOW)
    acting = Acting(marne.player("Ana"), "write")
    assert "only once it is resumed, or they write MAIL ON." in acting.foresee(text="Hello")
    acting.confirm(text="Hello")
    answer = Acting(marne.player("Ana"), "answer")
    typed = {"entry": str(asked.pk), "text": "Yes."}
    assert "Ana is told by mail, at ana@players.test." in answer.foresee(**typed)
    answer.confirm(**typed)
    jobs.tell(NOW + 2 * HOUR)
    mails = OutboundMail.objects.filter(kind="conduct").order_by("pk")
    assert [mail.state for mail in mails] == ["kept", "queued"]


def test_an_answer_to_who_wants_to_be_erased_leaves_the_wish_in_the_queue(marne: Cast) -> None:
    erasure_ask(player=marne.player("Ana"), now=NOW)
    wish = Conduct.objects.get(kind="asked")
    acting = Acting(marne.player("Ana"), "answer")
    typed = {"entry": str(wish.pk), "text": "Please RESIGN first."}
    assert "The wish to be erased stays in the queue" in acting.foresee(**typed)
    acting.confirm(**typed)
    assert Conduct.objects.get(kind="written").why == "Please RESIGN first."
    wish.refresh_from_db()
    assert wish.settled_at is None
    typed = {"entry": str(wish.pk), "unanswered": "yes"}
    assert "The wish is settled, and nothing is erased." in acting.foresee(**typed)
    acting.confirm(**typed)
    wish.refresh_from_db()
    assert wish.settled_at


def test_an_appeal_says_what_it_is_against_and_can_be_granted(
    marne: Cast, moderator: Client
) -> None:
    player_ban(player=marne.player("Hugo"), why="Insults.", by="di", now=NOW)
    moderators_ask(player=marne.player("Hugo"), text="I never did.", now=NOW)
    (case,) = queue(User.objects.get(username="mo"), NOW + HOUR).waiting
    assert case.facts == ("banned", "I never did.")
    assert [link.words for link in case.acts] == ["Answer", "Let play again", "Note"]


def test_a_likely_double_is_shown_to_be_banned(marne: Cast, moderator: Client) -> None:
    player_ban(player=marne.player("Hugo"), why="Insults.", by="di", now=NOW)
    Player.objects.filter(name="Hugo").update(created_at=NOW + DAY)
    player_register(name="Hugo 2", email="hugo2@mail.test", now=NOW + DAY)
    again = Player.objects.get(name="Hugo 2")
    page = moderator.get(reverse("admin:games_player_change", args=[again.pk]))
    assert f"(number {marne.player('Hugo').pk}, banned)" in plain(page.content.decode())


def test_nobody_is_to_write_to_an_erased_player(marne: Cast, moderator: Client) -> None:
    player_erase(player=marne.player("Ana"), why="They asked for it.", by=Actor("mo"), now=NOW)
    (case,) = queue(User.objects.get(username="mo"), NOW + HOUR).waiting
    assert [link.words for link in case.acts] == ["Seat a player"]


# --- What moderators tell each other about a case ----------------------------------------------


def test_a_new_case_of_a_power_does_not_rest_with_the_old_one(
    marne: Cast, moderator: Client
) -> None:
    """A substitute comes, and vanishes, too."""
    turkey = marne.seat("Turkey")
    seat_resign(seat=turkey, now=NOW)
    key, mo = f"power/{turkey.power.pk}", User.objects.get(username="mo")
    case_take(case=key, user=mo, now=NOW)
    case_rest(case=key, days=7, now=NOW)
    retention.empty_old(NOW + HOUR)
    assert queue(mo, NOW + HOUR).resting, "it rests as long as it is the same case"
    seat_take(game=marne.game, power=turkey.power, player=marne.player("Hugo"), now=NOW + HOUR)
    retention.empty_old(NOW + 2 * HOUR)
    seat_resign(seat=marne.seat("Turkey"), now=NOW + 3 * HOUR)
    (case,) = queue(mo, NOW + 4 * HOUR).waiting
    assert (case.key, case.keeper) == (key, "")
    assert waiting(mo, NOW + 4 * HOUR) == (0, 1)


@pytest.mark.parametrize("act", ["ban", "suspend"])
def test_whoever_may_not_play_can_go_on_running_games_and_that_is_said(
    marne: Cast, act: str
) -> None:
    typed = {"why": "Two accounts.", **({"length": "30d"} if act == "suspend" else {})}
    hugo = marne.player("Hugo")
    assert "go on running" not in Acting(hugo, act).foresee(**typed)
    co_gm_add(game=marne.game, email=address_of("Hugo"), until=None, by="gm", now=NOW)
    assert "They go on running marne." in Acting(hugo, act).foresee(**typed)
