"""The moderators' queue of a moderator who plays: what is theirs to see and do, and what is not."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import Conduct, Game, Phase, Player
from games.queue import queue
from games.queue.parts import Case
from games.services.moderation.conduct import moderators_ask, player_note
from games.services.moderation.staff import moderator_appoint, user_at
from games.services.ordering.disorder import disorder_declare
from mailer.models import OutboundMail
from mailer.notices.messages import moderation_mail
from tests.cast import HOUR, NOW, Cast, make_player

LATER = NOW + HOUR
WORDS = "Austria insults me."


@pytest.fixture
def mo(marne: Cast) -> User:
    """A moderator who plays Austria, as Ana."""
    user = user_at(email="mo@staff.test", name="Mo Moder")
    moderator_appoint(user=user)
    Player.objects.filter(name="Ana").update(user=user)
    return user


@pytest.fixture
def di(marne: Cast) -> User:
    """A moderator who plays nowhere."""
    user = user_at(email="di@staff.test", name="Di Dort")
    moderator_appoint(user=user)
    return user


def cases(user: User) -> dict[str, Case]:
    """The cases that wait, by their titles."""
    return {case.title: case for case in queue(user, LATER).waiting}


def words(user: User, title: str) -> list[str]:
    """What is on the buttons of a case."""
    return [link.words for link in cases(user)[title].acts]


def asked() -> set[str]:
    """Who was mailed what a player asked."""
    moderation_mail.tell_all(LATER)
    mails = OutboundMail.objects.filter(kind="asked", body__contains=WORDS)
    return set(mails.values_list("recipient", flat=True))


def player_page(user: User, player: Player) -> str:
    client = Client()
    client.force_login(user)
    with time_machine.travel(LATER, tick=False):
        page = client.get(reverse("admin:games_player_change", args=[player.pk]))
    return page.content.decode()


def test_a_letter_is_for_the_moderators_who_do_not_play_with_its_writer(
    marne: Cast, mo: User, di: User
) -> None:
    moderators_ask(player=marne.player("Ben"), text=WORDS, now=NOW)
    assert asked() == {"di@staff.test"}
    assert cases(di)["Ben"].facts == (WORDS,)
    case = cases(mo)["Ben"]
    assert (case.facts, case.acts, case.closed) == ((), (), True)
    assert case.suggestion.endswith("another moderator has to decide.")


def test_a_letter_from_somebody_else_is_for_all_moderators(marne: Cast, mo: User, di: User) -> None:
    moderators_ask(player=marne.player("Hugo"), text=WORDS, now=NOW)
    assert asked() == {"mo@staff.test", "di@staff.test"}
    assert words(mo, "Hugo") == ["Answer", "Note"]


def test_where_all_moderators_play_along_an_operator_reads_the_letter(
    marne: Cast, mo: User, settings: object
) -> None:
    settings.OPERATOR_ADDRESSES = ["op@staff.test"]  # type: ignore[attr-defined]
    moderators_ask(player=marne.player("Ben"), text=WORDS, now=NOW)
    assert asked() == {"op@staff.test"}


def test_a_letter_reaches_somebody_where_nobody_else_is_there(marne: Cast, mo: User) -> None:
    moderators_ask(player=marne.player("Ben"), text=WORDS, now=NOW)
    assert asked() == {"mo@staff.test"}


def test_the_page_of_a_fellow_player_has_no_letter_no_file_and_no_act(
    marne: Cast, mo: User, di: User
) -> None:
    ben = marne.player("Ben")
    moderators_ask(player=ben, text=WORDS, now=NOW)
    player_note(player=ben, text="He may be Carla.", by="Di", now=NOW)
    shown = player_page(di, ben)
    assert WORDS in shown
    assert "He may be Carla." in shown
    shown = player_page(mo, ben)
    assert WORDS not in shown
    assert "He may be Carla." not in shown
    assert f"/player/{ben.pk}/act/" not in shown
    assert "their letters and their file are closed to you" in shown


def test_a_moderator_does_not_read_their_own_file(marne: Cast, mo: User) -> None:
    ana = marne.player("Ana")
    player_note(player=ana, text="Is she fair?", by="Di", now=NOW)
    assert "Is she fair?" not in player_page(mo, ana)


def test_a_power_of_a_game_they_play_in_has_no_button_that_would_be_refused(
    marne: Cast, mo: User, di: User
) -> None:
    italy = marne.seat("Italy").power
    disorder_declare(game=marne.game, power=italy, why="Silent.", by="Di", now=NOW)
    assert "Seat a player" in words(di, "Italy in marne")
    case = cases(mo)["Italy in marne"]
    assert case.acts == ()
    assert case.suggestion.startswith("You play in the game marne yourself")


@pytest.mark.parametrize("operator", [False, True])
def test_every_button_of_the_queue_opens_its_page(marne: Cast, mo: User, operator: bool) -> None:
    """An operator who plays may still do what helps no power more than another."""
    User.objects.filter(pk=mo.pk).update(is_superuser=operator)
    user = User.objects.get(pk=mo.pk)
    italy = marne.seat("Italy").power
    disorder_declare(game=marne.game, power=italy, why="Silent.", by="Di", now=NOW)
    marne.player("Carla").addresses.update(failing_since=NOW)
    moderators_ask(player=marne.player("Ben"), text=WORDS, now=NOW)
    Game.objects.update(when_missing=Game.WhenMissing.GM)
    Phase.objects.update(overdue_at=NOW)
    links = [link for case in queue(user, LATER).waiting for link in case.acts]
    assert [link.words for link in links] == (
        ["Remind the missing", "Write to the players"] if operator else []
    )
    game = cases(user)["marne"]
    assert game.closed is not operator
    assert game.suggestion.startswith("You play in the game marne yourself") is not operator
    client = Client()
    client.force_login(user)
    for link in links:
        assert client.get(unquote(link.url)).status_code == 200, link


def test_what_the_queue_closes_cannot_be_put_off_from_it(marne: Cast, mo: User) -> None:
    moderators_ask(player=marne.player("Ben"), text=WORDS, now=NOW)
    moderators_ask(player=make_player("Ida"), text="Where is my game?", now=NOW)
    client = Client()
    client.force_login(mo)
    page = client.get(reverse("admin:games_player_queue")).content.decode()
    put_off = re.findall(r'name="case" value="asked/(\d+)"', page)
    assert put_off == [str(Conduct.objects.get(player__name="Ida").pk)]
