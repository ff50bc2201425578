"""The name that players see of one of the staff: they choose it themselves."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.queries.access.staff_names import name_shown, staff_name
from games.services.moderation.staff import gm_appoint
from tests.cast import Cast

pytestmark = pytest.mark.django_db
PAGE = "/admin/your-name/"


@pytest.fixture
def gm(marne: Cast, client: Client) -> User:
    """The GM, who signs in with an address and has no name."""
    marne.gm.username, marne.gm.first_name = "gm@players.test", ""
    marne.gm.save()
    gm_appoint(user=marne.gm)
    client.force_login(marne.gm)
    return marne.gm


def shown(client: Client, name: str | None = None) -> str:
    """The page, or the one to which it leads once a name is typed."""
    answer = client.get(PAGE) if name is None else client.post(PAGE, {"name": name}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_gm_gives_themselves_the_name_that_players_read(gm: User, client: Client) -> None:
    assert reverse("admin:own_name") == PAGE
    assert PAGE in client.get("/admin/").content.decode()
    assert "<strong>the GM</strong>" in shown(client)
    assert "players see you as Gerda Marx." in shown(client, " Gerda  Marx ")
    gm.refresh_from_db()
    assert name_shown(gm) == staff_name(gm) == "Gerda Marx"
    assert 'value="Gerda Marx"' in shown(client)
    assert LogEntry.objects.get().change_message == "Changed their name."


def test_a_name_can_be_taken_back(gm: User, client: Client) -> None:
    shown(client, "Gerda")
    assert "players see you as the GM." in shown(client, "")
    gm.refresh_from_db()
    assert (name_shown(gm), staff_name(gm)) == ("the GM", "gm@players.test")


@pytest.mark.parametrize(
    "name", ["gerda@home.test", "https://gerda.test", "x" * 200, "Ger\u202eda"]
)
def test_what_is_no_plain_name_is_not_taken(gm: User, client: Client, name: str) -> None:
    assert "Please write a plain name" in shown(client, name)
    gm.refresh_from_db()
    assert gm.get_full_name() == ""


def test_nobody_takes_the_name_of_another_of_the_staff(gm: User, client: Client) -> None:
    User.objects.create_user("di", "di@x.test", first_name="Di", last_name="Ott", is_staff=True)
    for name in ("di ott", "Dı Ött"):
        assert "Somebody else here goes by that name." in shown(client, name)
    assert "letters of two alphabets" in shown(client, "ΟTT")
    assert not LogEntry.objects.exists()


def test_whoever_is_not_signed_in_finds_no_such_page(client: Client) -> None:
    assert client.get(PAGE).status_code == 302
