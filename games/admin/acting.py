"""An act on a game or about a player, and its page: it asks what the act has to know, says what
will happen, and then does it.

Nothing is done by looking at the page. What was confirmed is done only while all that the page said
still holds: who plays, which phase is open and until when, what stands in the player's file.
"""

from __future__ import annotations

import abc
import datetime as dt
import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from games.admin.base import Page, name_of, user_of
from games.errors import GameError, WrongState
from games.models import Game, Player

Subject = TypeVar("Subject", Game, Player)
Typed = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Done:
    """A sentence that says what was done. Where there is something to see, `shown` has it: parts
    with a heading and lines each."""

    said: str
    shown: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Act(abc.ABC, Generic[Subject]):
    """An act. `foresee` says in sentences what will happen to whom, `do` does it; both raise
    GameError when it cannot be done. `stale` is said when the page is out of date.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    what: ClassVar[str]
    stale: ClassVar[str]

    @abc.abstractmethod
    def form(self, subject: Subject, now: dt.datetime, *typed: Any, **more: Any) -> forms.Form:
        """Return what the act has to know, with what was typed."""

    @abc.abstractmethod
    def refusal(self, user: User, subject: Subject) -> str:
        """Return the sentence why the user may not do this; an empty one when he may."""

    @abc.abstractmethod
    def offered(self, subject: Subject, now: dt.datetime) -> bool:
        """Say whether there is a button for it now."""

    @abc.abstractmethod
    def unoffered(self, subject: Subject) -> str:
        """Return the sentence why there is none."""

    @abc.abstractmethod
    def stamp(self, subject: Subject) -> str:
        """Return a digest of all that the page rests on."""

    @abc.abstractmethod
    def held(self, subject: Subject) -> Subject:
        """Return the row as it is now, for who does something with it."""

    @abc.abstractmethod
    def foresee(self, subject: Subject, typed: Typed, now: dt.datetime) -> Sequence[str]:
        """Say what will happen."""

    @abc.abstractmethod
    def do(self, subject: Subject, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        """Do it."""

    def logged(self, subject: Subject, done: Done) -> str:
        """Return what the admin's own history has of it."""
        return done.said


class Stage(enum.Enum):
    """How far a request has come."""

    ASK = "ask"
    SURE = "sure"
    SHOWN = "shown"
    REFUSED = "refused"


@dataclass
class Acting(Generic[Subject]):
    """One act on one game or player, asked for by one request."""

    subject: Subject
    act: Act[Subject]
    form: forms.Form
    by: str
    now: dt.datetime
    forecast: list[str] = field(default_factory=list)

    def rehearse(self) -> None:
        """Say what will happen, and see that it can. Raises GameError; changes nothing."""
        with transaction.atomic():
            self.forecast = list(self.act.foresee(self.subject, self.form.cleaned_data, self.now))
            self._do()
            transaction.set_rollback(True)
        self.subject.refresh_from_db()

    def carry_out(self, expected: str) -> Done:
        """Do it, unless something is no longer as expected. Raises GameError."""
        with transaction.atomic():
            if self.act.stamp(self.act.held(self.subject)) != expected:
                raise WrongState(self.act.stale)
            return self._do()

    def _do(self) -> Done:
        return self.act.do(self.subject, self.form.cleaned_data, by=self.by, now=self.now)


class ActPages(Page):
    """Adds a page for each act to the pages of games or players."""

    acts: ClassVar[Mapping[str, Act[Any]]]

    def get_urls(self) -> list[URLPattern]:
        """Put the acts below the page of the game or player."""
        view = self.admin_site.admin_view(self.act_view)
        name = f"games_{self.opts.model_name}_act"
        return [path("<path:object_id>/act/<slug:act>/", view, name=name), *super().get_urls()]

    def may_come(self, request: HttpRequest, subject: Any) -> bool:
        """Say whether these pages are for the visitor at all."""
        return self.has_view_permission(request, subject)

    @method_decorator(sensitive_post_parameters("orders", "text"))
    def act_view(self, request: HttpRequest, object_id: str, act: str) -> HttpResponse:
        """Ask, forecast or do, as far as the request has come."""
        subject = self.get_object(request, object_id)
        if subject is None or act not in self.acts:
            raise Http404("There is no such page.")
        if not self.may_come(request, subject):
            raise PermissionDenied
        acting = _acting(request, subject, self.acts[act])
        if refusal := acting.act.refusal(user_of(request), subject):
            messages.error(request, refusal)
            return self._page(request, acting, stage=Stage.REFUSED, status=403)
        if not acting.act.offered(subject, acting.now):
            messages.error(request, acting.act.unoffered(subject))
            return self._page(request, acting, stage=Stage.REFUSED)
        if "back" in request.POST or not acting.form.is_valid():
            return self._page(request, acting)
        try:
            if "confirmed" in request.POST:
                return self._carry_out(request, acting)
            acting.rehearse()
        except GameError as error:
            messages.error(request, str(error))
            return self._page(request, acting)
        return self._page(request, acting, stage=Stage.SURE)

    def _carry_out(self, request: HttpRequest, acting: Acting[Any]) -> HttpResponse:
        done = acting.carry_out(request.POST.get("expected", ""))
        messages.success(request, done.said)
        self.log_change(request, acting.subject, acting.act.logged(acting.subject, done))
        if done.shown:
            return self._page(request, acting, stage=Stage.SHOWN, done=done)
        return HttpResponseRedirect(self._home(acting.subject))

    def _page(
        self,
        request: HttpRequest,
        acting: Acting[Any],
        *,
        stage: Stage = Stage.ASK,
        done: Done | None = None,
        status: int = 200,
    ) -> HttpResponse:
        subject = acting.subject
        context = {
            **self.admin_site.each_context(request),
            "title": f"{subject.name}: {acting.act.label}",
            "opts": self.opts,
            "subject": subject,
            "back": self._home(subject),
            "act": acting.act,
            "form": acting.form,
            "forecast": acting.forecast,
            "why": acting.form.cleaned_data.get("why") if stage == Stage.SURE else "",
            "shown": done.shown if done else (),
            "stage": stage.value,
            "expected": acting.act.stamp(subject),
        }
        template = f"admin/games/{self.opts.model_name}/act.html"
        return TemplateResponse(request, template, context, status=status)

    def _home(self, subject: Any) -> str:
        """The page of the game or player, from which one came."""
        return reverse(f"admin:games_{self.opts.model_name}_change", args=[subject.pk])


def _acting(request: HttpRequest, subject: Any, act: Act[Any]) -> Acting[Any]:
    """The act with what was typed; an act without questions is answered at once."""
    now = timezone.now()
    if request.method == "POST" or not act.form(subject, now).fields:
        form = act.form(subject, now, request.POST)
    else:
        form = act.form(subject, now, initial=request.GET.dict())
    return Acting(subject, act, form, name_of(request), now)
