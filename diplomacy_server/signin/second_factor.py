"""The second step of signing in: a code from an app on the user's phone (TOTP, RFC 6238).

Somebody who has set it up gives a code after the password, once for each sign-in. The setting
SECOND_FACTOR says whether staff may set it up, or have to. The session remembers what is still to
do, so a page needs no extra statement. django-otp provides codes, keys and recovery codes, and
makes anybody who guesses wait longer each time.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from games.queries.reports.wording import local_moment
from games.staff_request import user_of
from mailer.models import OutboundMail
from mailer.outbound import layout, outbox

OFF, OFFERED, REQUIRED = "OFF", "OFFERED", "REQUIRED"

SESSION_KEY = "second_factor"
DUE, GIVEN = "due", "given"
NAME = "phone"
RECOVERY_CODES = 10
DIGITS = 6
"""How long the codes of an app are; recovery codes are longer."""

OPEN_PAGES = ("admin:logout", "admin:login", "second-factor", "second-factor-setup")
"""Pages that open before the code is given."""

Response = Callable[[HttpRequest], HttpResponse]


class SecondFactorMiddleware:
    """Sends everybody who still owes a code to the page that asks for it, wherever they go."""

    def __init__(self, get_response: Response) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, or lead elsewhere first."""
        page = missing_page(request)
        if page:
            return HttpResponseRedirect(f"{reverse(page)}?{urlencode({'next': request.path})}")
        return self.get_response(request)


def missing_page(request: HttpRequest) -> str:
    """Return the name of the page that comes first, "" if the way is free."""
    if settings.SECOND_FACTOR == OFF or not request.path.startswith(reverse("admin:index")):
        return ""
    state = request.session.get(SESSION_KEY)
    must = settings.SECOND_FACTOR == REQUIRED and state != GIVEN
    if not (must or state == DUE) or request.path in [reverse(name) for name in OPEN_PAGES]:
        return ""
    if state == DUE:
        return "second-factor"
    if not (request.user.is_authenticated and request.user.is_staff):
        return ""
    return "second-factor" if has_phone(user_of(request)) else "second-factor-setup"


def note_sign_in(sender: object, request: HttpRequest, user: User, **named: Any) -> None:
    """Remember in a new session that the user owes a code, if they have an app that makes them."""
    if settings.SECOND_FACTOR != OFF and has_phone(user):
        request.session[SESSION_KEY] = DUE


user_logged_in.connect(note_sign_in, dispatch_uid="second_factor")


def has_phone(user: User) -> bool:
    """Say whether the user has finished setting it up."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def new_phone(user: User) -> TOTPDevice:
    """Return the key that the user is setting up: the same one until they have given its code."""
    device, _ = TOTPDevice.objects.get_or_create(
        user=user, confirmed=False, defaults={"name": NAME}
    )
    return device


@transaction.atomic
def confirm_phone(user: User, code: str, *, now: dt.datetime) -> list[str]:
    """Finish setting it up with the first code; return the recovery codes, or nothing for a wrong
    code.

    Mail the user: otherwise somebody who knows the password could lock them out unseen.
    """
    device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
    if device is None or not device.verify_token(_digits(code)):
        return []
    TOTPDevice.objects.filter(user=user, confirmed=True).delete()
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    _tell_set_up(user, now)
    return new_recovery_codes(user)


@transaction.atomic
def new_recovery_codes(user: User) -> list[str]:
    """Draw new recovery codes in place of the old; each is good once."""
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


@transaction.atomic
def is_right(user: User, code: str) -> bool:
    """Say whether this is a code of the user's app, or one of their recovery codes, and use it up:
    each works once. After a wrong code the next has to wait: a second, two, four …"""
    written = _digits(code)
    kind = TOTPDevice if len(written) == DIGITS else StaticDevice
    device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
    return device is not None and bool(device.verify_token(written))


@transaction.atomic
def forget(user: User, *, by: str, now: dt.datetime) -> bool:
    """Undo the whole setup; return whether there was one. Mail the user and the operators, so that
    a user who did not ask for it learns that somebody is at their account."""
    devices = [
        *TOTPDevice.objects.filter(user=user),
        *StaticDevice.objects.filter(user=user),
    ]
    for device in devices:
        device.delete()
    if devices:
        _tell_forgotten(user, by, now)
    return bool(devices)


def _tell_set_up(user: User, now: dt.datetime) -> None:
    if user.email:
        _tell(
            user,
            recipient=user.email,
            subject="Signing in now takes a code from your phone",
            body=layout.render(
                "second_step_set_up",
                name=user.get_username(),
                at=local_moment(now),
                site=settings.SITE_URL,
            ),
            now=now,
        )


def _tell_forgotten(user: User, by: str, now: dt.datetime) -> None:
    for address in dict.fromkeys(filter(None, [user.email, *settings.OPERATOR_ADDRESSES])):
        _tell(
            user,
            recipient=address,
            subject=f"{user.get_username()} signs in without a second step now",
            body=layout.render(
                "second_step_gone",
                name=user.get_username(),
                by=by,
                at=local_moment(now),
                site=settings.SITE_URL,
            ),
            now=now,
        )


def _tell(user: User, *, recipient: str, subject: str, body: str, now: dt.datetime) -> None:
    outbox.enqueue(
        key=f"second-step/{user.pk}/{now.isoformat()}/{recipient}"[:200],
        kind="password",
        recipient=recipient,
        subject=subject,
        body=body,
        now=now,
        priority=OutboundMail.Priority.RECEIPT,
    )


def _digits(code: str) -> str:
    return "".join(code.split()).lower()


def safe_next(request: HttpRequest) -> str:
    """Return where the user was going, if that is a page of ours, or else the admin's first
    page."""
    wanted = request.GET.get("next") or request.POST.get("next") or ""
    ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else reverse("admin:index")
