"""The admin's door: guesses are stopped, passwords are kept well, and pages load what is ours."""

from __future__ import annotations

import datetime as dt
import io
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.template.loader import get_template
from django.test import Client, RequestFactory
from django.urls import URLResolver, get_resolver, reverse
from pytest_django import Settings

from diplomacy_server.log_limits import RepeatedFaults
from diplomacy_server.signin.addresses import client_address
from mailer.models import OutboundMail
from tests.cast import NOW

pytestmark = pytest.mark.django_db

PASSWORD = "a long walk by the Marne"
LOGIN = "/admin/login/?next=/admin/"
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def ada(db: None) -> User:
    """A GM with a password."""
    return User.objects.create_user("ada", "ada@example.org", PASSWORD, is_staff=True)


def sign_in(password: str, *, name: str = "ada", **headers: str) -> int:
    answer = Client().post(LOGIN, {"username": name, "password": password}, **headers)
    return answer.status_code


def test_the_right_password_leads_in(ada: User) -> None:
    assert sign_in(PASSWORD) == 302


@pytest.mark.parametrize("page", ["//evil.test/x", "https://evil.test", "javascript:alert(1)", ""])
def test_whoever_signs_in_on_the_way_to_no_page_of_ours_comes_to_the_first_page(
    ada: User, page: str
) -> None:
    answer = Client().post(LOGIN, {"username": "ada", "password": PASSWORD, "next": page})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/")


def test_after_ten_wrong_passwords_even_the_right_one_waits_a_quarter_of_an_hour(ada: User) -> None:
    with time_machine.travel(NOW, tick=False):
        for number in range(10):
            sign_in(f"guess {number}")
        assert sign_in(PASSWORD) == 429
    with time_machine.travel(NOW + 16 * MINUTE, tick=False):
        assert sign_in(PASSWORD) == 302


def test_the_page_of_a_locked_name_says_what_to_do_and_programs_when(ada: User) -> None:
    for number in range(10):
        sign_in(f"guess {number}")
    answer = Client().post(LOGIN, {"username": "ada", "password": PASSWORD})
    page = answer.content.decode()
    assert "Wait a quarter of an hour" in page
    assert "/admin/password/" in page
    assert answer.headers["Retry-After"] == "900"


def test_whoever_tries_again_too_soon_waits_anew_as_the_page_says(ada: User) -> None:
    for minutes, answered in ((0, 429), (14, 429), (16, 429), (32, 302)):
        with time_machine.travel(NOW + minutes * MINUTE, tick=False):
            for number in range(10 if minutes == 0 else 0):
                sign_in(f"guess {number}")
            assert sign_in(PASSWORD) == answered
    page = " ".join(get_template("admin/locked.html").render().split())
    assert "every attempt starts the wait over" in page


def test_nobody_locks_a_gm_out_from_elsewhere(ada: User) -> None:
    for number in range(12):
        sign_in(f"guess {number}", REMOTE_ADDR="192.0.2.7")
    assert sign_in(PASSWORD, REMOTE_ADDR="192.0.2.7") == 429
    assert sign_in(PASSWORD, REMOTE_ADDR="198.51.100.4") == 302


def test_behind_a_proxy_failures_count_against_whom_it_saw(ada: User) -> None:
    for number in range(12):
        sign_in(f"guess {number}", HTTP_X_FORWARDED_FOR=f"203.0.113.{number}, 192.0.2.7")
    assert sign_in(PASSWORD, HTTP_X_FORWARDED_FOR="192.0.2.7") == 429
    assert sign_in(PASSWORD, HTTP_X_FORWARDED_FOR="198.51.100.4") == 302


@pytest.mark.parametrize(
    ("connected", "forwarded", "counted"),
    [
        ("127.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("10.0.0.2", "1.1.1.1, 192.0.2.7", "192.0.2.7"),
        ("8.8.8.8", "192.0.2.7", "8.8.8.8"),
        ("127.0.0.1", "nonsense", "127.0.0.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("", "2001:db8::1", "2001:db8::1"),
    ],
)
def test_only_a_proxy_of_ours_is_believed(connected: str, forwarded: str, counted: str) -> None:
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    request = RequestFactory().get("/", REMOTE_ADDR=connected, headers=headers)
    assert client_address(request) == counted


def test_a_guess_is_logged_by_its_address_and_nothing_else(
    ada: User, caplog: pytest.LogCaptureFixture
) -> None:
    sign_in("open-sesame", REMOTE_ADDR="192.0.2.7")
    assert "192.0.2.7" in caplog.text
    assert "open-sesame" not in caplog.text


def test_each_wrong_password_is_written_for_fail2ban_to_count(ada: User) -> None:
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    handler.addFilter(RepeatedFaults())
    logging.getLogger().addHandler(handler)
    try:
        for number in range(5):
            sign_in(f"guess {number}", REMOTE_ADDR="192.0.2.7")
    finally:
        logging.getLogger().removeHandler(handler)
    assert said.getvalue().count("192.0.2.7") >= 5


def test_passwords_are_kept_by_argon2(ada: User) -> None:
    assert ada.password.startswith("argon2")


def test_an_old_password_still_leads_in_and_is_kept_anew(ada: User) -> None:
    ada.password = make_password(PASSWORD, hasher="pbkdf2_sha256")
    ada.save()
    assert sign_in(PASSWORD) == 302
    ada.refresh_from_db()
    assert ada.password.startswith("argon2")


# --- A new password by mail -----------------------------------------------------------------------


def asked_for(address: str) -> int:
    """Ask for a new password, and see the same page whoever it was."""
    answer = Client().post("/admin/password/", {"email": address})
    assert (answer.status_code, answer["Location"]) == (302, "/admin/password/sent/")
    return OutboundMail.objects.filter(kind="password").count()


def test_the_login_offers_a_new_password(db: None) -> None:
    login = Client().get(LOGIN).content.decode()
    assert "/admin/password/" in login
    assert "<title>Sign in | " in login, "what its button says, too"
    assert "Diplomacy by mail" in Client().get("/admin/password/").content.decode()


def test_the_link_to_a_new_password_leads_to_our_site_whatever_host_was_asked(
    ada: User, settings: Settings
) -> None:
    settings.SITE_URL = "https://games.example.org"
    Client().post("/admin/password/", {"email": ada.email}, headers={"Host": "testserver:2525"})
    said = OutboundMail.objects.get(kind="password").body
    assert "https://games.example.org/admin/password/" in said
    assert "testserver" not in said


def test_a_new_password_is_chosen_by_the_link_in_the_mail(ada: User, settings: Settings) -> None:
    assert asked_for("Ada@example.org") == 1
    mail = OutboundMail.objects.get(kind="password")
    assert (mail.recipient, mail.subject) == (
        "ada@example.org",
        "A new password for Diplomacy by mail",
    )
    link = re.search(rf"^{re.escape(settings.SITE_URL)}(/\S+)$", mail.body, re.MULTILINE)
    assert link
    assert mail.body.splitlines()[0].endswith(" "), "the line flows on: the HTML part has no break"
    visitor = Client()
    form = visitor.get(link[1], follow=True).redirect_chain[-1][0]
    new = "the lamps go out all over"
    done = visitor.post(form, {"new_password1": new, "new_password2": new})
    assert (done.status_code, done["Location"]) == (302, "/admin/password/done/")
    assert sign_in(new) == 302
    assert visitor.get("/admin/password/done/").status_code == 200


def test_a_gm_who_never_had_a_password_chooses_the_first(db: None) -> None:
    maria = User.objects.create_user("maria", "maria@example.org", is_staff=True)
    maria.set_unusable_password()
    maria.save()
    assert asked_for("maria@example.org") == 1


def test_nobody_is_pestered_more_than_once_an_hour(ada: User) -> None:
    with time_machine.travel(NOW, tick=False):
        assert [asked_for("ada@example.org") for _ in range(3)] == [1, 1, 1]
    with time_machine.travel(NOW + 60 * MINUTE, tick=False):
        assert asked_for("ada@example.org") == 2
    done = Client().get(reverse("password_reset_done")).content.decode()
    assert "We send one an hour at most" in done


@pytest.mark.parametrize("address", ["eve@example.org", "player@example.org", "gone@example.org"])
def test_only_staff_who_may_come_in_get_a_mail(ada: User, address: str) -> None:
    User.objects.create_user("player", "player@example.org", PASSWORD)
    User.objects.create_user("gone", "gone@example.org", PASSWORD, is_staff=True, is_active=False)
    assert asked_for(address) == 0


def test_an_address_that_only_looks_the_same_gets_no_mail(db: None) -> None:
    User.objects.create_user("kim", "kim@example.org", PASSWORD, is_staff=True)
    assert asked_for("\u212aim@example.org") == 0


# --- What every page says -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/admin/password_change/",
        "/admin/password/",
        "/admin/password/sent/",
        "/admin/nothing/",
        "/games/not-yet/",
        "/players/1/",
        "/calendar/1-00.ics",
        "/unsubscribe/nothing/",
    ],
)
def test_no_cache_keeps_a_page_of_the_staff_or_a_refusal(ada: User, path: str) -> None:
    client = Client()
    client.force_login(ada)
    assert "no-store" in client.get(path)["Cache-Control"]


@pytest.mark.parametrize("path", ["/", LOGIN, "/admin/password/"])
def test_a_page_may_load_only_what_is_ours(db: None, path: str) -> None:
    said = Client().get(path)["Content-Security-Policy"]
    policy = dict(part.strip().split(" ", 1) for part in said.split(";") if part.strip())
    assert policy["default-src"] in ("'self'", "'none'")
    assert policy.get("script-src", "'self'") == "'self'"
    assert policy["frame-ancestors"] == "'none'"


def test_a_login_ends_after_half_a_day(ada: User) -> None:
    client = Client()
    client.post(LOGIN, {"username": "ada", "password": PASSWORD})
    assert client.cookies["sessionid"]["max-age"] == 12 * 3600


def test_robots_stay_out_of_the_admin(db: None) -> None:
    page = Client().get("/robots.txt").content.decode()
    assert "Disallow: /admin/" in page


def test_whoever_finds_a_hole_is_told_whom_to_write_to(db: None, settings: Settings) -> None:
    settings.SECURITY_CONTACT = ""
    assert Client().get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "security@example.org"
    with time_machine.travel(NOW, tick=False):
        page = Client().get("/.well-known/security.txt").content.decode()
    assert "Contact: mailto:security@example.org\n" in page
    assert "Expires: 2026-08-29T12:00:00Z\n" in page


def test_a_wrong_password_and_a_dead_link_say_what_to_do_next(client: Client, db: None) -> None:
    given = {"username": "gm", "password": "wrong"}
    said = client.post(reverse("admin:login"), given).content.decode()
    assert "Nobody on the staff has this name with this password." in said
    assert reverse("admin_password_reset") in said
    dead = client.get("/admin/password/MQ/nobody-has-it/").content.decode()
    assert "no longer works" in dead
    assert reverse("admin_password_reset") in dead.partition('id="content-main"')[2]


def test_every_page_of_the_door_bears_our_name(client: Client, db: None) -> None:
    for page in ("", "sent/", "MQ/nobody-has-it/", "done/"):
        said = client.get(f"/admin/password/{page}").content.decode()
        assert ">Diplomacy by mail</a>" in said, page
        assert "Django" not in said, page


def test_whoever_signs_out_is_out_and_reads_that_they_are(ada: User) -> None:
    client = Client()
    client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/admin/logout/").status_code == 405, "nobody is signed out by a link"
    assert client.get("/admin/").status_code == 200
    answer = client.post("/admin/logout/")
    assert answer.status_code == 200
    assert "Logged out" in answer.content.decode()
    assert client.get("/admin/").status_code == 302


def test_nobody_signs_in_to_a_session_that_somebody_else_slipped_them(ada: User) -> None:
    planted = SessionStore()
    planted["language"] = "en"
    planted.save()
    assert planted.session_key
    victim, planter = Client(), Client()
    for browser in (victim, planter):
        browser.cookies["sessionid"] = planted.session_key
    victim.post(LOGIN, {"username": "ada", "password": PASSWORD})
    assert victim.get("/admin/").status_code == 200
    assert planter.get("/admin/").status_code == 302


def open_to_other_sites(patterns: list[Any]) -> Iterator[str]:
    """Yield the pages that take a form which another site has sent."""
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from open_to_other_sites(one.url_patterns)
        elif getattr(one.callback, "csrf_exempt", False):
            yield str(one.name)


def test_no_page_takes_a_form_from_another_site_but_the_click_that_ends_mails() -> None:
    assert list(open_to_other_sites(get_resolver().url_patterns)) == ["unsubscribe"]


def link_to_password(ada: User) -> str:
    """The page behind the link that a mail brings her."""
    Client().post("/admin/password/", {"email": ada.email})
    body = OutboundMail.objects.latest("pk").body
    found = re.search(r"/admin/password/[^/]+/[^/\s]+/", body)
    assert found
    return found.group(0)


def choose(page: str, password: str) -> bool:
    """Whether somebody who opens the link can choose a password by it."""
    visitor = Client()
    form = visitor.get(page, follow=True).redirect_chain
    if not form:
        return False
    new = {"new_password1": password, "new_password2": password}
    return visitor.post(form[-1][0], new).status_code == 302


def test_a_scanner_that_opens_the_link_to_a_new_password_changes_nothing(ada: User) -> None:
    page = link_to_password(ada)
    answer = Client().get(page)
    assert answer.headers["Location"].endswith("/set-password/"), "no Referer has the secret"
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)
    assert choose(page, "another walk by the Marne")


def test_whoever_is_locked_out_gets_in_at_once_by_a_new_password(ada: User) -> None:
    for number in range(10):
        sign_in(f"guess {number}")
    assert sign_in(PASSWORD) == 429
    assert choose(link_to_password(ada), "another-good-word-47")
    assert sign_in("another-good-word-47") == 302


def test_a_link_to_a_new_password_is_good_once_and_ends_all_sessions(ada: User) -> None:
    elsewhere = Client()
    elsewhere.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    page = link_to_password(ada)
    assert choose(page, "another walk by the Marne")
    assert elsewhere.get("/admin/").status_code == 302
    assert not choose(page, "a third walk by the Marne")


def test_a_link_to_a_new_password_dies_with_the_address_it_went_to(ada: User) -> None:
    page = link_to_password(ada)
    User.objects.filter(pk=ada.pk).update(email="elsewhere@example.org")
    assert not choose(page, "another walk by the Marne")
