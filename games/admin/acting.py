"""The page of an act: it asks what the act has to be told, says what will happen, and then does it.

Looking at the page does nothing. The act that somebody confirms is done only while everything that
the page said still holds: who plays, which phase is open and until when, what stands in the
player's file.
"""

from __future__ import annotations

import datetime as dt
import enum
import hashlib
import logging
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from games.acts import Act, Done
from games.acts.base import P, Subject
from games.admin.act_form import ActForm, form_for
from games.admin.base import Page, now_of, user_of
from games.errors import BadInput, GameError
from games.queries.reports.pictures import Trial, trial_pictures

logger = logging.getLogger(__name__)


class Stage(enum.Enum):
    """How far a request has come."""

    ASK = "ask"
    SHOWN = "shown"
    REFUSED = "refused"


LIVE = "X-Forecast"
"""The header of a request for the forecast alone, which a page sends while somebody types."""
CHANGED = (
    "You have changed something since you were shown what would happen, so nothing was done. "
    "Please read it again."
)


@dataclass
class Acting(Generic[Subject, P]):
    """One act on one game or player, for one request."""

    subject: Subject
    act: Act[Subject, P]
    form: ActForm[Subject, P]
    by: User
    now: dt.datetime
    typed: bool
    """Whether somebody filled in the form; before that, only the link that led here did."""
    forecast: list[str] = field(default_factory=list)
    trouble: str = ""
    """Why it cannot be done this way."""

    def foresee(self) -> None:
        """Say what will happen, or why it cannot; change nothing."""
        self.forecast, self.trouble = [], ""
        if not self.form.is_bound or not self.form.is_valid():
            return
        try:
            given = self.form.given()
            self.forecast = self.act.foresee(self.subject, given, by=self.by, now=self.now)
        except GameError as error:
            self.trouble = "" if self.is_blank or self._still_to_type(error) else str(error)

    @property
    def is_blank(self) -> bool:
        """Whether nobody has typed anything yet, and so made no mistake."""
        return bool(self.form.fields) and not any(self.form.data.values())

    def _still_to_type(self, error: GameError) -> bool:
        """Whether a link filled in some of the form, and the rest is still to come."""
        return isinstance(error, BadInput) and not self.typed

    @property
    def faults(self) -> list[str]:
        """What is wrong with what was typed, each fault after its field; what is still missing is
        not a fault."""
        if not self.form.is_bound:
            return []
        return [
            f"{self.form[name].label}: {said[0]}"
            for name, said in self.form.errors.items()
            if name in self.form.fields and self.form[name].data
        ]

    @property
    def given(self) -> str:
        """A digest of what was typed: what somebody confirms must be what was forecast."""
        typed = self.form.cleaned_data if self.form.is_bound and self.form.is_valid() else {}
        return hashlib.sha256(repr(sorted(typed.items())).encode()).hexdigest()[:16]

    @property
    def expected(self) -> str:
        """The stamp of everything that the forecast depends on."""
        if not self.forecast:
            return self.act.stamp(self.subject)
        return self.act.stamp_with(self.subject, self.form.given())

    def unsure(self, post: QueryDict) -> str:
        """Return why a confirmation is not enough, "" if it is."""
        if post.get("given", self.given) != self.given:
            return CHANGED
        name = self.subject.name
        if self.act.grave and post.get("typed_name", "").strip().lower() != name.lower():
            return f"Please type “{name}” below, to show that you mean it."
        return ""

    def carry_out(self, expected: str) -> Done:
        """Do it, unless something is no longer as expected. Raises GameError."""
        given = self.form.given()
        return self.act.perform(self.subject, given, by=self.by, now=self.now, expected=expected)


class PagePicture(NamedTuple):
    """A picture in a page: the PNG in base64, its words, its size in pixels."""

    png: str
    alt: str
    caption: str
    width: int
    height: int


class ActPages(Page, Generic[Subject]):
    """Adds a page for each act to the pages of games or players."""

    acts: Mapping[str, Act[Subject, Any]]

    def get_urls(self) -> list[URLPattern]:
        """Put the acts below the page of the game or player."""
        view = self.admin_site.admin_view(self.act_view)
        name = f"games_{self.opts.model_name}_act"
        return [path("<path:object_id>/act/<slug:act>/", view, name=name), *super().get_urls()]

    def subjects(self, request: HttpRequest) -> QuerySet[Subject]:
        """Return the rows that the visitor may find, without columns that only lists show."""
        return self.get_queryset(request)

    def may_come(self, request: HttpRequest, subject: Subject) -> bool:
        """Say whether these pages are for the visitor at all."""
        return self.has_view_permission(request, subject)

    def logged(self, act: Act[Subject, Any], subject: Subject, done: Done) -> str:
        """Return what the admin's own history says was done."""
        return done.said

    @method_decorator(sensitive_post_parameters("orders", "text"))
    def act_view(self, request: HttpRequest, object_id: str, act: str) -> HttpResponse:
        """Ask, forecast or act, depending on how far the request has come."""
        subject = self._subject(request, object_id)
        if subject is None or act not in self.acts:
            raise Http404("There is no such page.")
        if not self.may_come(request, subject):
            raise PermissionDenied
        known, user, now = self.acts[act], user_of(request), now_of(request)
        if refusal := known.refusal(user, subject, now):
            return self._refuse(request, subject, known, refusal, status=403)
        if why_not := known.why_not(subject, now):
            return self._refuse(request, subject, known, why_not, status=200)
        acting = _acting(request, subject, known)
        if "confirmed" in request.POST and acting.form.is_valid():
            return self._confirm(request, acting)
        acting.foresee()
        return self._page(request, acting)

    def _subject(self, request: HttpRequest, object_id: str) -> Subject | None:
        is_key = object_id.isdecimal()
        return self.subjects(request).filter(pk=object_id).first() if is_key else None

    def _confirm(self, request: HttpRequest, acting: Acting[Subject, Any]) -> HttpResponse:
        """Do it, or show again what would happen, with the reason why it was not done."""
        trouble = acting.unsure(request.POST)
        try:
            if not trouble:
                return self._carry_out(request, acting)
        except GameError as error:
            trouble = str(error)
        acting.foresee()
        acting.trouble = acting.trouble or trouble
        return self._page(request, acting)

    def _carry_out(self, request: HttpRequest, acting: Acting[Subject, Any]) -> HttpResponse:
        done = acting.carry_out(request.POST.get("expected", ""))
        messages.success(request, done.said)
        if not done.gone:
            acting.subject.refresh_from_db()  # its name may have changed
        self.log_change(request, acting.subject, self.logged(acting.act, acting.subject, done))
        if done.gone:
            return HttpResponseRedirect(reverse("admin:index"))
        if done.shown:
            return self._page(request, acting, stage=Stage.SHOWN, done=done)
        return HttpResponseRedirect(self._home(acting.subject))

    def _refuse(
        self,
        request: HttpRequest,
        subject: Subject,
        act: Act[Subject, Any],
        said: str,
        *,
        status: int,
    ) -> HttpResponse:
        """Say why this cannot be done; there is nothing to ask, so there is no form. Somebody who
        is typing reads it beside the form."""
        if LIVE in request.headers:
            said_alone = {"trouble": said, "expected": ""}
            return TemplateResponse(request, self._template("forecast"), said_alone)
        messages.error(request, said)
        context = {
            **self._frame(request, subject, act, Stage.REFUSED),
            "instead": self._ways_on(request, subject, act),
        }
        return TemplateResponse(request, self._template("act"), context, status=status)

    def _ways_on(
        self, request: HttpRequest, subject: Subject, act: Act[Subject, Any]
    ) -> list[Act[Subject, Any]]:
        """The acts that help the visitor on who cannot do this one now."""
        user, now = user_of(request), now_of(request)
        ways = [self.acts[name] for name in act.way_on(subject)]
        return [
            one
            for one in ways
            if not one.refusal(user, subject, now) and not one.why_not(subject, now)
        ]

    def _page(
        self,
        request: HttpRequest,
        acting: Acting[Subject, Any],
        *,
        stage: Stage = Stage.ASK,
        done: Done | None = None,
    ) -> HttpResponse:
        context = {
            **self._frame(request, acting.subject, acting.act, stage),
            "form": acting.form,
            "forecast": acting.forecast,
            "undo": acting.act.undo_of(acting.subject),
            "trouble": acting.trouble,
            "faults": acting.faults if LIVE in request.headers else (),
            "given": acting.given,
            "why": acting.form.cleaned_data.get("why") if acting.forecast else "",
            "shown": done.shown if done else (),
            "pictures": _pictures(done.trial) if done and done.trial else (),
            "expected": acting.expected,
        }
        part = "forecast" if LIVE in request.headers and stage is Stage.ASK else "act"
        return TemplateResponse(request, self._template(part), context)

    def _frame(
        self, request: HttpRequest, subject: Subject, act: Act[Subject, Any], stage: Stage
    ) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "title": f"{act.done_to(subject)}: {act.title}",
            "opts": self.opts,
            "subject": subject,
            "back": self._home(subject),
            "act": act,
            "stage": stage.value,
        }

    def _template(self, part: str) -> str:
        return f"admin/games/{self.opts.model_name}/{part}.html"

    def _home(self, subject: Subject) -> str:
        """The page of the game or player from which the visitor came."""
        return reverse(f"admin:games_{self.opts.model_name}_change", args=[subject.pk])


def _pictures(trial: Trial) -> list[PagePicture]:
    """Pictures of what was tried out, part of the page itself, so that nobody else can load them by
    an address."""
    try:
        drawn = trial_pictures(trial)
    except Exception:  # the page has the same as text
        logger.exception("What was tried out in %s cannot be drawn", trial.phase)
        return []
    return [
        PagePicture(b64encode(one.png).decode(), one.alt, one.caption, *one.size) for one in drawn
    ]


def _acting(request: HttpRequest, subject: Subject, act: Act[Subject, P]) -> Acting[Subject, P]:
    """The act with what was typed or, failing that, what is proposed, if that is enough for a
    forecast."""
    now = now_of(request)
    typed = request.POST if request.method == "POST" else request.GET
    form = form_for(act, subject, typed, now=now)
    if request.method != "POST" and not form.is_valid():
        form = form_for(act, subject, initial=request.GET.dict(), now=now)
    return Acting(subject, act, form, user_of(request), now, request.method == "POST")
