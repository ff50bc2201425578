"""A NUL in a request, which PostgreSQL takes nowhere, is nobody's error but the sender's."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db

FILTERS = {
    "games_phase": "game__name__iexact",
    "games_game": "status__exact",
    "games_event": "kind__exact",
    "mailer_outboundmail": "kind",
    "auth_user": "username",
}


@pytest.mark.parametrize("model", FILTERS)
def test_a_list_is_not_filtered_by_a_nul(client: Client, model: str) -> None:
    client.force_login(User.objects.create_superuser("root"))
    answer = client.get(reverse(f"admin:{model}_changelist"), {FILTERS[model]: "a\0"})
    assert answer.status_code == 400
    assert "We did not understand that" in answer.content.decode()


def test_a_session_whose_key_has_a_nul_opens_no_page() -> None:
    key = r"\000" * 8
    answer = Client(headers={"Cookie": f'sessionid="{key}"'}).get("/admin/")
    assert answer.status_code == 400


@pytest.mark.parametrize("asked", ["many fields", "a NUL"])
def test_what_anybody_can_ask_leaves_one_line_in_the_log(
    client: Client, caplog: pytest.LogCaptureFixture, asked: str
) -> None:
    if asked == "a NUL":
        answer = client.get("/?page=%00")
    else:
        answer = client.post("/admin/login/", {f"a{number}": "x" for number in range(2000)})
    assert answer.status_code == 400
    assert caplog.records
    for record in caplog.records:
        assert record.levelname == "WARNING"
        assert record.exc_info is None


def test_a_fault_of_ours_keeps_its_trace(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("pages.views.front.render_page", lambda *_, **__: 1 / 0)
    Client(raise_request_exception=False).get("/")
    [record] = [one for one in caplog.records if one.levelname == "ERROR"]
    assert record.exc_info


def test_what_is_written_like_a_nul_is_none(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root"))
    answer = client.get(reverse("admin:games_event_changelist"), {"q": "%00"})
    assert answer.status_code == 200
