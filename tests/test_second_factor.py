"""The second step of signing in: who is asked for a code, which are right, and who lets one in."""

from __future__ import annotations

import datetime as dt
import io
import re
from base64 import b32decode
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from diplomacy_server.signin import second_factor
from mailer.models import OutboundMail
from tests.cast import NOW

pytestmark = pytest.mark.django_db

PASSWORD = "a long walk by the Marne"
HOME, CODE, SET_UP = "/admin/", "/admin/second-factor/", "/admin/second-factor/set-up/"
RFC_KEY = b"12345678901234567890"
RFC_CODES = [
    (59, "94287082"),
    (1111111109, "07081804"),
    (1111111111, "14050471"),
    (1234567890, "89005924"),
    (2000000000, "69279037"),
    (20000000000, "65353130"),
]
"""RFC 6238, appendix B, the rows of SHA-1."""


@pytest.fixture(autouse=True)
def at_noon() -> object:
    """Codes hang on the clock."""
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def ada() -> User:
    return User.objects.create_superuser("ada", "ada@example.org", PASSWORD)


def signed_in() -> Client:
    """A browser in which Ada gave her password."""
    client = Client()
    answer = client.post("/admin/login/", {"username": "ada", "password": PASSWORD, "next": HOME})
    assert answer.status_code == 302
    return client


def set_up(client: Client) -> list[str]:
    """Set the second step up as the page says; the recovery codes."""
    page = client.get(SET_UP).content.decode()
    (shown,) = re.findall(r"<code>([A-Z2-7 ]+)</code>", page)
    key = b32decode(shown.replace(" ", ""))
    answer = client.post(SET_UP, {"code": code_of(key), "next": HOME}).content.decode()
    return re.findall(r"<li><code>(\w+)</code></li>", answer)


def code_of(key: bytes) -> str:
    totp = TOTP(key)
    totp.time = dt.datetime.now(dt.UTC).timestamp()
    return f"{totp.token():06}"


def phone() -> bytes:
    """The key in Ada's phone."""
    key: bytes = TOTPDevice.objects.get(confirmed=True).bin_key
    return key


def ready(at_noon: time_machine.Traveller) -> list[str]:
    """Ada has set it up a minute ago; her recovery codes."""
    codes = set_up(signed_in())
    at_noon.shift(60)
    return codes


def leads_to(answer: Any) -> str:
    return str(answer.headers.get("Location", ""))


@pytest.mark.parametrize(("seconds", "code"), RFC_CODES)
def test_codes_are_those_of_the_rfc(ada: User, seconds: int, code: str) -> None:
    device = TOTPDevice(user=ada, key=RFC_KEY.hex(), digits=8, confirmed=True)
    device.save()
    with time_machine.travel(seconds, tick=False):
        assert device.verify_token(code)


def test_who_has_set_nothing_up_comes_in_by_the_password(ada: User) -> None:
    client = signed_in()
    page = client.get(HOME)
    assert page.status_code == 200
    assert SET_UP in page.content.decode()


def test_where_it_is_required_the_first_page_is_the_one_that_sets_it_up(
    ada: User, settings: Settings
) -> None:
    settings.SECOND_FACTOR = "REQUIRED"
    client = signed_in()
    answer = client.get("/admin/games/game/")
    assert leads_to(answer) == f"{SET_UP}?next=%2Fadmin%2Fgames%2Fgame%2F"
    assert len(set_up(client)) == 10
    assert client.get("/admin/games/game/").status_code == 200


def test_the_key_is_on_the_page_as_a_square_and_in_letters_and_stays_the_same(ada: User) -> None:
    client = signed_in()
    pages = [client.get(SET_UP).content.decode() for _ in range(2)]
    assert "<svg" in pages[0]
    assert re.findall(r"<code>(.+?)</code>", pages[0]) == re.findall(
        r"<code>(.+?)</code>", pages[1]
    )


def test_whose_account_wants_a_code_from_now_on_is_told_by_mail(
    at_noon: time_machine.Traveller, ada: User
) -> None:
    set_up(signed_in())
    mail = OutboundMail.objects.get(kind="password")
    assert mail.recipient == ada.email
    assert "somebody knows your password" in " ".join(mail.body.split())


def test_a_wrong_first_code_sets_nothing_up(ada: User) -> None:
    client = signed_in()
    client.get(SET_UP)
    page = client.post(SET_UP, {"code": "000000"}).content.decode()
    assert "This code is not right." in page
    assert not second_factor.has_phone(ada)
    assert not OutboundMail.objects.exists()
    assert client.get(HOME).status_code == 200


def test_after_the_password_every_page_of_the_admin_leads_to_the_code(
    ada: User, at_noon: time_machine.Traveller
) -> None:
    ready(at_noon)
    client = signed_in()
    for page in (HOME, "/admin/games/game/", "/admin/password_change/", "/admin/nonsense/"):
        assert leads_to(client.get(page)).startswith(f"{CODE}?next=")
    assert leads_to(client.get(SET_UP)) == CODE
    assert client.get("/").status_code == 200


def test_the_page_asks_for_the_code_and_the_phone_may_fill_it_in(
    ada: User, at_noon: time_machine.Traveller
) -> None:
    ready(at_noon)
    shown = signed_in().get(CODE)
    assert shown.status_code == 200
    assert 'autocomplete="one-time-code"' in shown.content.decode()


def test_the_right_code_leads_on_to_where_one_was_going(
    ada: User, at_noon: time_machine.Traveller
) -> None:
    ready(at_noon)
    client = signed_in()
    before = client.session.session_key
    answer = client.post(CODE, {"code": code_of(phone()), "next": "/admin/games/game/"})
    assert leads_to(answer) == "/admin/games/game/"
    assert client.get("/admin/games/game/").status_code == 200
    assert client.session.session_key != before
    assert leads_to(client.get(CODE)) == HOME


def test_it_never_leads_to_another_site(ada: User, at_noon: time_machine.Traveller) -> None:
    ready(at_noon)
    answer = signed_in().post(CODE, {"code": code_of(phone()), "next": "https://evil.test/"})
    assert leads_to(answer) == HOME


def test_a_code_is_right_once(ada: User, at_noon: time_machine.Traveller) -> None:
    ready(at_noon)
    code = code_of(phone())
    assert signed_in().post(CODE, {"code": code}).status_code == 302
    assert "This code is not right." in signed_in().post(CODE, {"code": code}).content.decode()


def test_after_a_wrong_code_even_the_right_one_waits(
    ada: User, at_noon: time_machine.Traveller
) -> None:
    ready(at_noon)
    client = signed_in()
    for _ in range(3):
        client.post(CODE, {"code": "000000"})
    assert client.post(CODE, {"code": code_of(phone())}).status_code == 200
    at_noon.shift(60)
    assert client.post(CODE, {"code": code_of(phone())}).status_code == 302


def test_a_recovery_code_takes_the_place_of_the_phone_once(
    ada: User, at_noon: time_machine.Traveller
) -> None:
    code = ready(at_noon)[0]
    assert signed_in().post(CODE, {"code": f" {code.upper()} "}).status_code == 302
    assert signed_in().post(CODE, {"code": code}).status_code == 200
    assert StaticToken.objects.count() == 9


def test_new_recovery_codes_take_the_place_of_the_old_ones(
    ada: User, at_noon: time_machine.Traveller
) -> None:
    client = signed_in()
    old = set_up(client)
    page = client.post(SET_UP, {"codes": ""}).content.decode()
    new = re.findall(r"<li><code>(\w+)</code></li>", page)
    assert len(new) == 10
    assert not set(old) & set(new)
    assert set(StaticToken.objects.values_list("token", flat=True)) == set(new)


def test_one_can_take_it_back_unless_it_is_required(ada: User, settings: Settings) -> None:
    client = signed_in()
    set_up(client)
    settings.SECOND_FACTOR = "REQUIRED"
    assert "with the password alone" not in client.get(SET_UP).content.decode()
    client.post(SET_UP, {"remove": ""})
    assert second_factor.has_phone(ada)
    settings.SECOND_FACTOR = "OFFERED"
    client.post(SET_UP, {"remove": ""})
    assert not second_factor.has_phone(ada)
    assert signed_in().get(HOME).status_code == 200


def test_who_owes_a_code_can_neither_take_it_back_nor_set_it_up_anew(
    ada: User, at_noon: time_machine.Traveller
) -> None:
    ready(at_noon)
    thief = signed_in()
    for what in ({"remove": ""}, {"codes": ""}, {"code": "000000"}):
        assert leads_to(thief.post(SET_UP, what)) == CODE
    assert second_factor.has_phone(ada)


def test_an_operator_lets_somebody_in_who_lost_the_phone(
    ada: User, at_noon: time_machine.Traveller
) -> None:
    ready(at_noon)
    out = io.StringIO()
    call_command("reset_second_factor", "ADA@example.org", stdout=out)
    assert out.getvalue() == (
        "ada signs in with the password alone until they set it up again. They and the operators "
        "are told by mail.\n"
    )
    assert signed_in().get(HOME).status_code == 200
    told = OutboundMail.objects.filter(subject="ada signs in without a second step now")
    assert {one.recipient for one in told} == {"ada@example.org", *settings.OPERATOR_ADDRESSES}
    assert "an operator removed the second step" in " ".join(told[0].body.split())
    call_command("reset_second_factor", "ada", stdout=out)
    assert "ada has no second step to sign in." in out.getvalue()
    with pytest.raises(CommandError, match=r"There is no user nobody\."):
        call_command("reset_second_factor", "nobody")


def test_a_server_that_wants_no_second_step_asks_for_none(
    ada: User, at_noon: time_machine.Traveller, settings: Settings
) -> None:
    ready(at_noon)
    settings.SECOND_FACTOR = "OFF"
    client = signed_in()
    page = client.get(HOME)
    assert page.status_code == 200
    assert SET_UP not in page.content.decode()
    assert leads_to(client.get(SET_UP)) == HOME


def test_nobody_without_a_password_sees_these_pages() -> None:
    for page in (CODE, SET_UP):
        assert leads_to(Client().get(page)).startswith("/admin/login/?next=")


def test_a_player_who_is_no_staff_sets_nothing_up() -> None:
    client = Client()
    client.force_login(User.objects.create_user("carla"))
    assert leads_to(client.get(SET_UP)) == HOME


def test_keys_and_codes_can_be_read_nowhere_in_the_admin() -> None:
    assert [model for model in admin.site._registry if "otp" in model._meta.app_label] == []
