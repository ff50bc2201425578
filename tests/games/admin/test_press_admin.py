"""Press in the admin: what is open to everybody, and what is hidden until the game is over."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import Game, Press
from games.queries.access.staff_names import Actor
from games.queries.parsing.press_audience import Audience
from games.services.messages.announcements import gm_write
from games.services.messages.press import press_send
from games.services.moderation.staff import gm_appoint, moderator_appoint
from games.services.seating.observers import observe
from tests.cast import NOW, OPENINGS, Cast, make_cast

pytestmark = pytest.mark.django_db
OTHERS = tuple(power for power in OPENINGS if power != "France")


@pytest.fixture
def cast(db: None) -> Cast:
    """A game with press of every kind: to some, to all, grey to all, and from the GM."""
    cast = make_cast(grey_press=True)
    for to, grey, text in (
        (Audience(("Germany",)), False, "For Germany alone."),
        (Audience(OTHERS, gm=True, public=True), False, "For all of you."),
        (Audience(OTHERS, gm=True, public=True), True, "Grey words."),
    ):
        seat = cast.seat("France")
        press_send(seat=seat, to=to, text=text, source="<1@x>", grey=grey, now=NOW)
    gm_write(game=cast.game, to=["Italy"], text="From the GM.", by=Actor("gm"), now=NOW)
    return cast


def test_the_title_of_a_page_says_once_what_it_shows(cast: Cast) -> None:
    client = logged_in(User.objects.create_superuser("root"))
    press, event = Press.objects.earliest("pk"), cast.game.events.get(kind="game_created")
    shown = [
        client.get(reverse(f"admin:games_{row._meta.model_name}_change", args=[row.pk])).content
        for row in (press, event)
    ]
    assert b"<h1>Press 1 in marne</h1>" in shown[0]
    assert "<h1>Event “Game created” in marne</h1>" in shown[1].decode()


def gm_of(cast: Cast) -> Client:
    gm_appoint(user=cast.gm)
    return logged_in(cast.gm)


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def pages(client: Client) -> list[str]:
    """The page of each message, in the order in which they were written."""
    urls = [
        reverse("admin:games_press_change", args=[one.pk]) for one in Press.objects.order_by("pk")
    ]
    return [client.get(url).content.decode() for url in urls]


def test_a_gm_reads_what_is_for_all_and_what_is_their_own(cast: Cast) -> None:
    private, public, grey, own = pages(gm_of(cast))
    assert "For Germany alone." not in private
    assert "Hidden" in private
    assert "For all of you." in public
    assert "France" in public
    assert "Grey words." in grey
    assert "From the GM." in own


def test_who_wrote_to_whom_is_hidden_too_and_so_is_the_writer_of_grey_press(cast: Cast) -> None:
    private, _, grey, _ = pages(gm_of(cast))
    assert "Germany" not in private
    assert "France" not in private
    assert "France" not in grey
    assert "somebody" in grey


def test_the_list_names_neither_writers_nor_readers(cast: Cast) -> None:
    listed = gm_of(cast).get(reverse("admin:games_press_changelist")).content.decode()
    assert "from a power to some" in listed
    for secret in ("France", "Germany", "alone", "Grey words"):
        assert secret not in listed


def test_when_the_game_is_over_the_gm_reads_all_of_it(cast: Cast) -> None:
    Game.objects.update(status=Game.Status.FINISHED)
    private, _, grey, _ = pages(gm_of(cast))
    assert "For Germany alone." in private
    assert "France of Carla" in grey


def test_another_gm_finds_none_of_it(cast: Cast) -> None:
    other = User.objects.create_user("other", "other@players.test")
    gm_appoint(user=other)
    client = logged_in(other)
    listed = client.get(reverse("admin:games_press_changelist")).content.decode()
    assert "from a power" not in listed
    assert all("For all of you." not in page for page in pages(client))


def test_a_moderator_has_no_press(cast: Cast) -> None:
    moderator = User.objects.create_user("mod", "mod@players.test")
    moderator_appoint(user=moderator)
    response = logged_in(moderator).get(reverse("admin:games_press_changelist"))
    assert response.status_code == 403


def test_an_operator_reads_no_running_games_press_in_passing(cast: Cast) -> None:
    client = logged_in(User.objects.create_superuser("root", "root@players.test"))
    private, _, grey, of_gm = pages(client)
    assert "For Germany alone." not in private
    assert "France" not in grey
    assert "From the GM." not in of_gm


def test_no_filter_or_search_tells_what_is_hidden(cast: Cast) -> None:
    client = gm_of(cast)
    url = reverse("admin:games_press_changelist")
    for lookup in ("text__contains=alone", "seat__power__name=France", "circle=France"):
        response = client.get(f"{url}?{lookup}")
        assert response.status_code in (302, 400), lookup
    found = client.get(f"{url}?q=alone").content.decode()
    assert "from a power" not in found


def test_nobody_changes_or_deletes_press(cast: Cast) -> None:
    client = logged_in(User.objects.create_superuser("root", "root@players.test"))
    one = Press.objects.order_by("pk")[0]
    for page in ("delete", "change"):
        url = reverse(f"admin:games_press_{page}", args=[one.pk])
        assert client.post(url, {"post": "yes", "text": "other"}).status_code == 403
    one.refresh_from_db()
    assert one.text == "For Germany alone."


def test_moderators_and_operators_see_who_observes(cast: Cast) -> None:
    observe(game=cast.game, player=cast.player("Hugo"), now=NOW)
    moderator = User.objects.create_user("mod", "mod@players.test")
    moderator_appoint(user=moderator)
    for user in (moderator, User.objects.create_superuser("root", "root@players.test")):
        listed = logged_in(user).get(reverse("admin:games_observer_changelist"))
        assert "Hugo" in listed.content.decode()
