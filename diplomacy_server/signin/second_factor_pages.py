"""The pages of the second step of signing in: asking for a code, and setting it up."""

from __future__ import annotations

from base64 import b32encode
from typing import Any

import segno
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from diplomacy_server.signin import second_factor
from diplomacy_server.signin.second_factor import DUE, GIVEN, REQUIRED, SESSION_KEY
from games.staff_request import user_of

WRONG = (
    "This code is not right. Wait for the next one in the app, and see that your phone's clock is "
    "right. After a wrong code the next one is looked at only after a pause, which grows."
)

page = [never_cache, login_required(login_url="admin:login")]


class CodeForm(forms.Form):
    """One field, for a code from the app or a recovery code."""

    code = forms.CharField(
        label="Code",
        max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}
        ),
    )


@method_decorator(page, name="dispatch")
class CodePage(View):
    """Asks for the code after the password."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the question."""
        has_phone = second_factor.has_phone(user_of(request))
        if request.session.get(SESSION_KEY) == GIVEN or not has_phone:
            return HttpResponseRedirect(second_factor.safe_next(request))
        return _page(request, "code", CodeForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        """Let in whoever knows the code."""
        form = CodeForm(request.POST)
        if form.is_valid() and second_factor.is_right(user_of(request), form.cleaned_data["code"]):
            _let_in(request)
            return HttpResponseRedirect(second_factor.safe_next(request))
        form.add_error("code", WRONG)
        return _page(request, "code", form)


@method_decorator(page, name="dispatch")
class SetUpPage(View):
    """Sets up the second step on a phone; later, draws new recovery codes or switches the step
    off."""

    def dispatch(self, request: HttpRequest, *args: object, **named: object) -> Any:
        """Keep out people who are not staff, and people who owe a code for the phone they have."""
        user = user_of(request)
        if not user.is_staff or settings.SECOND_FACTOR == second_factor.OFF:
            return HttpResponseRedirect(second_factor.safe_next(request))
        owes = request.session.get(SESSION_KEY) != GIVEN and second_factor.has_phone(user)
        if owes:
            request.session[SESSION_KEY] = DUE
            return HttpResponseRedirect(reverse("second-factor"))
        return super().dispatch(request, *args, **named)

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the key, or what the user has already set up."""
        user = user_of(request)
        if second_factor.has_phone(user):
            return _page(request, "ready", None)
        return self._key(request, user, CodeForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        """Do what the button says."""
        user = user_of(request)
        if not second_factor.has_phone(user):
            return self._confirm(request, user)
        if "remove" in request.POST and settings.SECOND_FACTOR != REQUIRED:
            second_factor.forget(user, by="they themselves", now=timezone.now())
            request.session.pop(SESSION_KEY, None)
            messages.success(request, "You are asked for no code any more when you sign in.")
            return HttpResponseRedirect(second_factor.safe_next(request))
        return _page(request, "codes", None, codes=second_factor.new_recovery_codes(user))

    def _confirm(self, request: HttpRequest, user: User) -> HttpResponse:
        form = CodeForm(request.POST)
        codes = form.is_valid() and second_factor.confirm_phone(
            user, form.cleaned_data["code"], now=timezone.now()
        )
        if codes:
            _let_in(request)
            return _page(request, "codes", None, codes=codes)
        form.add_error("code", WRONG)
        return self._key(request, user, form)

    def _key(self, request: HttpRequest, user: User, form: CodeForm) -> HttpResponse:
        device = second_factor.new_phone(user)
        key = b32encode(device.bin_key).decode().rstrip("=")
        square = segno.make(device.config_url, error="m").svg_inline(
            scale=5, border=4, light="#fff", omitsize=True
        )
        return _page(
            request,
            "key",
            form,
            key=" ".join(key[at : at + 4] for at in range(0, len(key), 4)),
            square=square,
        )


def _page(
    request: HttpRequest, step: str, form: CodeForm | None, **more: object
) -> TemplateResponse:
    context = {
        **admin.site.each_context(request),
        "has_permission": False,  # the way into the admin is not open yet, and no menu is needed
        "title": "Your second step to sign in",
        "step": step,
        "form": form,
        "next": second_factor.safe_next(request),
        "required": settings.SECOND_FACTOR == REQUIRED,
        **more,
    }
    return TemplateResponse(request, "admin/second_factor.html", context)


def _let_in(request: HttpRequest) -> None:
    """Let them in, in a new session: whoever had stolen the old one has nothing."""
    request.session.cycle_key()
    request.session[SESSION_KEY] = GIVEN
