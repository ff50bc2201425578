"""What the GM does is told to the right people, and to nobody else."""

from __future__ import annotations

import pytest

from games.models import Event, Press
from games.queries.access.staff_names import Actor
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.messages.announcements import gm_write
from games.services.ordering.gm_orders import orders_set
from games.services.seating.joining import game_join
from games.services.seating.observers import observe
from games.services.setup.games import game_create
from games.services.setup.gm_settings import settings_change
from mailer import notices
from mailer.models import OutboundMail
from mailer.outbound import addresses
from mailer.outbound.tokens import ForPress
from mailer.text import MARKER
from tests.cast import DAY, NOW, POWERS, Cast, address_of, make_gm, make_player
from tests.mailer.correspondence import tell_all, write

pytestmark = pytest.mark.django_db

EVERYBODY = {address_of(name) for name in POWERS}
GM = "gm@players.test"
ORDER = "A Paris - Burgundy"


def words(mail: OutboundMail) -> str:
    assert max(len(line) for line in mail.body.splitlines()) <= 72
    return " ".join(mail.body.split())


def test_all_hear_that_orders_were_set_and_only_the_powers_player_which(told: Cast):
    why = "Carla wrote to me."
    orders_set(game=told.game, power="France", lines=[ORDER], why=why, by="Gerda", now=NOW)
    mails = tell_all()
    assert mails[0].recipient == "carla@players.test"
    assert {mail.recipient for mail in mails} == EVERYBODY | {GM}
    assert f"France: {ORDER}." in words(mails[0])
    assert "France: A Marseilles has no order." in words(mails[0])
    assert "2 of your 3 units still have no order" in words(mails[0])
    assert "reply with your own before the deadline" in words(mails[0])
    for mail in mails:
        assert mail.subject == "[marne] Spring 1901 movement: orders were set for France"
        assert "Gerda says why: Carla wrote to me." in words(mail)
    for mail in mails[1:]:
        assert "Burgundy" not in mail.body
        assert "The results will show which ones." in words(mail)


def test_orders_that_were_set_are_not_listed_once_the_phase_is_over(told: Cast):
    orders_set(game=told.game, power="France", lines=[ORDER], why="-", by="Gerda", now=NOW)
    event = Event.objects.get(kind="orders_set")
    phase = told.phase
    phase.status = "processed"
    phase.save()
    told.game.phases.create(number=2, name="F1901M", position=phase.position, opened_at=NOW)
    notices.tell_event(event, now=NOW)
    mail = OutboundMail.objects.get(event=event, recipient="carla@players.test")
    assert "Burgundy" not in mail.body


def test_new_settings_are_told_to_all_with_what_they_were(told: Cast):
    changes = {"movement_length": 4 * DAY}
    settings_change(game=told.game, changes=changes, why="Easter.", by="Gerda", now=NOW)
    mails = tell_all()
    assert {mail.recipient for mail in mails} == EVERYBODY | {GM}
    for mail in mails:
        assert mail.subject == "[marne] The settings have changed"
        assert "- length of movement phases: 4 days (before: 3 days)" in words(mail)
        assert "Gerda says why: Easter." in words(mail)
        assert "The deadline of the phase that is open now stays where it is." in words(mail)


def test_before_the_start_new_settings_are_told_to_those_who_have_joined(db):
    game = game_create(name="yser", gm=make_gm(), now=NOW)
    for name in ("Ana", "Ben", "Carla"):
        game_join(game=game, player=make_player(name), preferences="", now=NOW)
    game.applications.filter(player__name="Ben").update(withdrawn_at=NOW)
    tell_all()
    changes = {"movement_length": 4 * DAY}
    settings_change(game=game, changes=changes, why="Easter.", by="Gerda", now=NOW)
    mails = tell_all()
    assert [mail.recipient for mail in mails] == ["ana@players.test", "carla@players.test", GM]
    assert "write LEAVE yser." in words(mails[0])
    assert mails[0].body.startswith(MARKER)
    assert "LEAVE" not in mails[-1].body


def test_what_the_gm_writes_to_one_power_nobody_else_gets(told: Cast):
    gm_write(game=told.game, to=["France"], text="Are you well?", by=Actor("Gerda"), now=NOW)
    [mail] = tell_all()
    assert (mail.recipient, mail.subject) == ("carla@players.test", "[marne] Press: France, GM")
    assert "The GM writes to France in the game marne: Are you well?" in words(mail)
    assert "To answer the GM, reply to this mail." in words(mail)
    press = Press.objects.get()
    answer = ForPress(told.seat("France"), press, to_all=False)
    assert addresses.find([mail.reply_to]) == answer


def test_all_read_in_the_results_who_had_the_phase_processed(told: Cast):
    phase_process_now(game_id=told.game.pk, now=NOW, by="Gerda")
    mails = tell_all()
    assert {mail.recipient for mail in mails} == EVERYBODY | {GM}
    assert all(", processed by Gerda." in words(mail) for mail in mails)
    assert not any("Why:" in words(mail) for mail in mails)


def test_all_read_in_the_results_why_the_phase_was_processed(told: Cast):
    observe(game=told.game, player=told.player("Hugo"), now=NOW)
    why = "Nobody has anything to add."
    phase_process_now(game_id=told.game.pk, now=NOW, why=why, by="Gerda")
    mails = tell_all()
    assert {mail.recipient for mail in mails} == EVERYBODY | {GM, "hugo@players.test"}
    assert all(f"Why: {why}" in words(mail) for mail in mails)
    assert all(words(mail).index("Why:") < words(mail).index("Fall 1901") for mail in mails)


def test_a_phase_that_is_processed_at_its_deadline_is_processed_by_nobody(told: Cast):
    phase_process(game_id=told.game.pk, now=NOW + 3 * DAY)
    assert all("game marne. You" in words(mail) for mail in tell_all())


def test_what_the_gm_writes_to_all_every_player_gets(told: Cast):
    gm_write(game=told.game, to=[], text="A happy new year!", by=Actor("Gerda"), now=NOW)
    mails = tell_all()
    assert {mail.recipient for mail in mails} == EVERYBODY
    assert all("The GM writes to everybody" in words(mail) for mail in mails)


def test_who_is_given_a_power_before_the_start_is_told_and_leaves_by_a_reply(told: Cast):
    game = game_create(name="verdun", gm=told.gm, now=NOW)
    to = addresses.gm_address(user=told.gm, game=game, now=NOW)
    write("gm", "SEAT Turkey BY Hugo because he asked me", sender=GM, to=to)
    question = OutboundMail.objects.get(kind="question")
    assert "Hugo plays Turkey when verdun starts." in words(question)
    write("gm", "yes", sender=GM, to=question.reply_to)
    mails = {mail.recipient: mail for mail in tell_all()}
    assert set(mails) == {"hugo@players.test", GM}
    mail = mails["hugo@players.test"]
    assert mail.subject == "[verdun] You will play Turkey"
    assert "The GM says why: he asked me" in words(mail)
    write("Hugo", mail.body, to=mail.reply_to)
    assert game.powers.get(name="Turkey").seats.filter(until=None).exists()
    write("Hugo", "LEAVE verdun", to=mail.reply_to)
    assert not game.powers.get(name="Turkey").seats.filter(until=None).exists()
