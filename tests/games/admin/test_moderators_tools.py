"""What moderators have besides: mute, ready texts, likely doubles, mails, and what they write."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.acts import PLAYER_ACTS
from games.acts.players.ready_texts import READY
from games.admin.act_form import form_for
from games.errors import NotAllowed
from games.models import Conduct, Player
from games.queries.access.staff_names import Actor
from games.queries.moderators.cases import waiting
from games.queries.moderators.doubles import likely_doubles
from games.queries.parsing.press_audience import Audience
from games.queue import queue
from games.services.accounts.erasing import erasure_ask, player_erase
from games.services.accounts.merging import players_merge
from games.services.accounts.players import player_register
from games.services.messages.press import press_send
from games.services.moderation.care import case_rest, case_take
from games.services.moderation.conduct import mail_pause, moderators_ask, player_ban
from games.services.seating.seats import seat_resign, seat_take
from games.services.setup.co_gms import co_gm_add
from mailer import jobs, notices
from mailer.models import OutboundMail
from mailer.privacy import retention
from tests.cast import DAY, HOUR, NOW, Cast, address_of, make_player
from tests.games.acts.acting import Acting
from tests.games.admin.queue_cases import plain
from tests.mailer.correspondence import answer_to, flat, write

pytestmark = pytest.mark.django_db


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
    asks = reverse("admin:games_player_act", args=[marne.player("Ana").pk, "answer"])
    chosen = {"entry": str(asked.pk)}
    assert "Please write an answer" not in moderator.get(asks, chosen).content.decode()
    assert "Please write an answer" in moderator.post(asks, chosen).content.decode()
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
