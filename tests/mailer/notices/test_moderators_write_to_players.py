"""A moderator writes to the players of a game: in their own name, and answers come back to them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.acts import GAME_ACTS
from games.acts.write import Parameters
from games.models import Conduct, Game, OrderSet, Press
from games.queries.access.staff_names import name_in_game
from games.services.moderation.staff import moderator_appoint, user_at, user_failed
from games.services.seating.joining import game_join
from games.services.seating.observers import observe
from games.services.setup.co_gms import co_gm_add
from games.services.setup.games import game_create
from mailer import jobs
from mailer.models import OutboundMail
from tests.cast import HOUR, NOW, PLAIN, POWERS, Cast, address_of
from tests.mailer.correspondence import answer_to, flat, told_cast, write

pytestmark = pytest.mark.django_db
ADA = "Ada Ayer"
TEXT = "Who plays on?"


@pytest.fixture
def told(db: None) -> Cast:
    cast = told_cast()
    moderator_appoint(user=user_at(email="ada@secret.test", name=ADA))
    return cast


def written(game: Game, *, to: tuple[str, ...] = (), by: User | None = None) -> list[OutboundMail]:
    """The mails that come of a text to players."""
    user = by or User.objects.get(email="ada@secret.test")
    before = set(OutboundMail.objects.values_list("pk", flat=True))
    GAME_ACTS["write"].perform(game, Parameters(to=to, text=TEXT), by=user, now=NOW + HOUR)
    jobs.tell(NOW + HOUR)
    mails = OutboundMail.objects.filter(kind="press_sent").exclude(pk__in=before)
    return list(mails.order_by("pk"))


def test_players_read_who_writes_and_their_answer_reaches_the_moderators(told: Cast) -> None:
    mails = {mail.recipient: mail for mail in written(told.game)}
    assert set(mails) == {*map(address_of, POWERS), told.gm.email}
    letter = mails[address_of("Carla")]
    assert letter.subject == "[marne] A moderator writes to you"
    assert "Ada Ayer, one of the moderators of this server, writes" in flat(letter.body)
    assert "The GM" not in letter.body
    assert "secret.test" not in letter.body + letter.reply_to + letter.cc
    answer = write("Carla", "I do.\nA Par - Bur", to=letter.reply_to, received_at=NOW + HOUR)
    assert answer_to(answer).subject == "Passed on to the moderators"
    assert Conduct.objects.get(kind="asked").why.startswith("I do.")
    assert not OrderSet.objects.exists()
    assert Press.objects.count() == 1, "the answer is nobody's press"


def test_the_gm_has_a_copy_and_no_answer_goes_there(told: Cast) -> None:
    (copy,) = [mail for mail in written(told.game) if mail.recipient == told.gm.email]
    assert copy.subject == "[marne] A moderator writes to the players"
    assert TEXT in copy.body
    assert "Answers go to the moderators." in copy.body


def test_a_game_without_a_gm_can_answer_too(told: Cast) -> None:
    Game.objects.update(gm=None)
    told.game.refresh_from_db()
    mails = written(told.game, to=("France",))
    assert [mail.recipient for mail in mails] == [address_of("Carla")]
    answer = write("Carla", "I do.", to=mails[0].reply_to, received_at=NOW + HOUR)
    assert answer_to(answer).subject == "Passed on to the moderators"


def test_before_the_start_and_after_the_end_they_can_answer(told: Cast) -> None:
    game = game_create(name="yser", now=NOW, **PLAIN)
    game_join(game=game, player=told.player("Ben"), preferences="", now=NOW)
    (letter,) = written(game)
    assert "To answer, reply to this mail." in letter.body
    answer = write("Ben", "I wait.", to=letter.reply_to, received_at=NOW + HOUR)
    assert answer_to(answer).subject == "Passed on to the moderators"
    Game.objects.filter(name="marne").update(status=Game.Status.FINISHED, finished_at=NOW)
    told.game.refresh_from_db()
    bodies = [mail.body for mail in written(told.game) if mail.recipient != told.gm.email]
    assert all("To answer, reply to this mail." in body for body in bodies)


def test_observers_read_it_and_cannot_answer(told: Cast) -> None:
    observe(game=told.game, player=told.player("Hugo"), now=NOW)
    mails = {mail.recipient: mail for mail in written(told.game)}
    body = flat(mails[address_of("Hugo")].body)
    assert "Ada Ayer, one of the moderators" in body
    assert "You observe this game, so you cannot answer." in body


@pytest.mark.parametrize("name", ["", "Gerda"])
def test_what_the_gm_writes_is_the_gm_s(told: Cast, name: str) -> None:
    told.gm.first_name = name
    told.gm.save()
    mails = written(told.game, by=told.gm)
    assert {mail.recipient for mail in mails} == set(map(address_of, POWERS))
    assert all("The GM writes to everybody" in mail.body for mail in mails)


def test_a_moderator_who_runs_the_game_writes_as_the_gm(told: Cast) -> None:
    told.gm.first_name = "Gerda"
    told.gm.save()
    moderator_appoint(user=told.gm)
    assert all("The GM writes to everybody" in one.body for one in written(told.game, by=told.gm))


def test_a_moderator_without_a_name_who_runs_another_game_is_not_the_gm_of_this_one(
    told: Cast,
) -> None:
    ada = user_at(email="ada@secret.test")
    ada.first_name = ada.last_name = ""
    ada.save()
    game_create(name="somme", gm=ada, now=NOW)
    write("ada", f"GM marne WRITE TO ALL\n{TEXT}", sender="ada@secret.test")
    question = OutboundMail.objects.filter(kind="question").latest("pk")
    write("ada", "yes", sender="ada@secret.test", to=question.reply_to)
    jobs.tell(NOW + HOUR)
    letter = OutboundMail.objects.get(kind="press_sent", recipient=address_of("Carla"))
    assert letter.subject == "[marne] A moderator writes to you"
    assert "The GM writes" not in letter.body


def test_a_moderator_with_the_gm_s_own_name_is_not_the_gm(told: Cast) -> None:
    told.gm.first_name, told.gm.last_name = ADA.split()
    told.gm.save()
    letters = {mail.recipient: mail for mail in written(told.game)}
    assert letters[address_of("Carla")].subject == "[marne] A moderator writes to you"
    assert "A moderator" in letters[told.gm.email].subject


def test_what_a_moderator_wrote_stays_theirs_if_they_run_the_game_when_it_is_told(
    told: Cast,
) -> None:
    ada = User.objects.get(email="ada@secret.test")
    GAME_ACTS["write"].perform(told.game, Parameters(text=TEXT), by=ada, now=NOW + HOUR)
    Game.objects.update(gm=ada)
    jobs.tell(NOW + HOUR)
    letter = OutboundMail.objects.get(kind="press_sent", recipient=address_of("Carla"))
    assert letter.subject == "[marne] A moderator writes to you"


def test_whoever_runs_the_game_is_its_gm_to_its_players_if_they_have_no_name(told: Cast) -> None:
    helper = co_gm_add(game=told.game, email="helper@secret.test", until=None, by="the GM", now=NOW)
    assert name_in_game(helper.user, told.game, now=NOW) == "the GM"
    assert name_in_game(told.gm, told.game, now=NOW) == "the GM"


def test_the_forecast_says_whose_mail_it_is(told: Cast) -> None:
    act, given = GAME_ACTS["write"], Parameters(text=TEXT)
    ada = User.objects.get(email="ada@secret.test")
    said = "\n".join(act.foresee(told.game, given, by=ada, now=NOW))
    assert f"get this text, as a mail from you:\n{TEXT}" in said
    assert "An answer goes to the moderators, by mail and in the queue." in said
    assert "The GM gets a copy." in said
    said = "\n".join(act.foresee(told.game, given, by=told.gm, now=NOW))
    assert "as a mail from the GM" in said
    assert "moderators" not in said
    user_failed(user=told.gm, since=NOW, failure="550 No such user")
    said = "\n".join(act.foresee(told.game, given, by=ada, now=NOW))
    assert "The GM gets a copy, but mails do not reach them at present." in said


def test_whoever_writes_to_a_gm_that_there_is_not_reads_whom_to_write_to(told: Cast) -> None:
    letter = OutboundMail.objects.get(kind="game_started", recipient=address_of("Ben"))
    Game.objects.update(gm=None)
    answer = answer_to(write("Ben", "PRESS TO GM\nAre you there?", to=letter.reply_to))
    assert "For the moderators, write MODERATOR on a line of its own" in flat(answer.body)
