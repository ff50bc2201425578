"""Pages that are not there, or cannot be shown at the moment."""

from __future__ import annotations

import pytest
from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError, connection
from django.template.loader import get_template
from django.test import Client

from games.queries.reports.drawing import NotDrawn
from games.services.sick_database import READ_ONLY
from tests.cast import Cast
from tests.pages.playing import PHASES, played

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(db: None) -> Cast:
    return played(PHASES)


@pytest.mark.parametrize("path", ["/nothing/", "/games/nothing/", "/games/marne/W1999A/"])
def test_a_missing_page_leads_home_without_echo(client: Client, cast: Cast, path: str) -> None:
    answer = client.get(f"{path}?<b>")
    shown = answer.content.decode()
    assert answer.status_code == 404
    assert '<meta name="viewport"' in shown
    assert '<a class="button" href="/">' in shown
    assert "<b>" not in shown
    assert "1999" not in shown


def test_errors_of_ours_have_pages_that_need_nothing() -> None:
    for name in ("500.html", "400.html", "403.html"):
        assert '<a class="button" href="/">' in get_template(name).render()


class ReadOnlyError(InternalError):
    """PostgreSQL refuses a change, as while a standby takes over."""

    sqlstate = READ_ONLY


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (OperationalError("connection refused"), 503, "We will be back soon"),
        (InterfaceError("the connection is closed"), 503, "We will be back soon"),
        (NotDrawn("it died"), 503, "try again in a minute"),
        (ReadOnlyError("in a read-only transaction"), 503, "We will be back soon"),
        (ProgrammingError("there is no such table"), 500, "Something went wrong on our side"),
    ],
)
def test_a_page_asks_for_patience_while_the_database_is_away(
    db: None, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int, said: str
) -> None:
    def away(*_: object) -> None:
        raise error

    monkeypatch.setattr(connection, "cursor", away)
    answer = Client(raise_request_exception=False).get("/")
    assert answer.status_code == code
    assert said in answer.content.decode()
    assert answer.headers.get("Retry-After") == ("60" if code == 503 else None)
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_form_that_came_without_its_cookie_is_to_be_sent_again(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/admin/login/", {"username": "gm", "password": "secret"})
    said = answer.content.decode()
    assert answer.status_code == 403
    assert "Nothing was done." in said
    assert '<a class="button" href="/admin/">' in said
    assert "You may not" not in said


@pytest.mark.parametrize("address", ["/games/nowhere/", "/games/marne/F1999M/", "/players/0/"])
def test_what_is_not_there_is_not_found(client: Client, cast: Cast, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_game_is_found_in_whatever_case(client: Client, cast: Cast) -> None:
    assert client.get("/games/MARNE/").status_code == 200
