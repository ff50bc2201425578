"""The page of an act: it asks what the act has to know, says what will happen, and then does it.

Nothing is done by looking at the page. What was confirmed is done only while the game still stands
as it stood on the page: who plays, which phase is open and until when.
"""

from __future__ import annotations

import datetime as dt
import enum
from dataclasses import dataclass, field

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from games import log, roles
from games.admin.actions import ACTIONS, Action, Done, Questions
from games.admin.base import Page, name_of, user_of
from games.anonymity import names_shown
from games.errors import GameError, WrongState
from games.lifecycle import state_sentence
from games.models import Game, Seat
from games.selectors import open_phase
from games.services.games import locked


class Stage(enum.Enum):
    """How far a request has come."""

    ASK = "ask"
    SURE = "sure"
    SHOWN = "shown"
    REFUSED = "refused"


CHANGED = (
    "The game has changed since this page was shown, so nothing was done. Please look again at "
    "what would happen now."
)


@dataclass
class Acting:
    """One act on one game, asked for by one request."""

    game: Game
    act: Action
    form: Questions
    by: str
    now: dt.datetime
    forecast: list[str] = field(default_factory=list)

    def rehearse(self) -> None:
        """Say what will happen, and see that it can. Raises GameError; changes nothing."""
        with transaction.atomic():
            self.forecast = list(self.act.foresee(self.game, self.form.cleaned_data, self.now))
            self._do()
            transaction.set_rollback(True)

    def carry_out(self, expected: str) -> Done:
        """Do it, unless the game no longer stands as expected. Raises GameError."""
        with transaction.atomic():
            game = locked(self.game)
            if stamp(game) != expected:
                raise WrongState(CHANGED)
            return self._do()

    def _do(self) -> Done:
        return self.act.do(self.game, self.form.cleaned_data, by=self.by, now=self.now)


def stamp(game: Game) -> str:
    """Return a digest of what a page says of a game: who plays, what is open and until when."""
    phase = open_phase(game)
    seats = Seat.objects.filter(power__game=game, until=None).order_by("pk")
    disorder = game.powers.exclude(disorder_since=None).order_by("pk")
    return log.digest(
        [
            game.status,
            [phase.pk, phase.due_at.isoformat() if phase.due_at else None] if phase else None,
            list(seats.values_list("pk", flat=True)),
            list(disorder.values_list("pk", flat=True)),
        ]
    )


class ActPages(Page):
    """Adds a page for each act to the pages of a game."""

    def get_urls(self) -> list[URLPattern]:
        """Put the acts below the game's own page."""
        view = self.admin_site.admin_view(self.act_view)
        return [
            path("<path:object_id>/act/<slug:act>/", view, name="games_game_act"),
            *super().get_urls(),
        ]

    @method_decorator(sensitive_post_parameters("orders", "text"))
    def act_view(self, request: HttpRequest, object_id: str, act: str) -> HttpResponse:
        """Ask, forecast or do, as far as the request has come."""
        game = self.get_object(request, object_id)
        if game is None or act not in ACTIONS:
            raise Http404("There is no such game or act.")
        if not self.has_view_permission(request, game):
            raise PermissionDenied
        form = _form(request, game, ACTIONS[act])
        acting = Acting(game, ACTIONS[act], form, name_of(request), timezone.now())
        if refusal := roles.refusal(user_of(request), game, act):
            messages.error(request, refusal)
            return self._page(request, acting, stage=Stage.REFUSED, status=403)
        if not acting.act.offered(game):
            messages.error(request, state_sentence(game))
            return self._page(request, acting, stage=Stage.REFUSED)
        if "back" in request.POST or not form.is_valid():
            return self._page(request, acting)
        try:
            if "confirmed" in request.POST:
                return self._carry_out(request, acting)
            acting.rehearse()
        except GameError as error:
            messages.error(request, str(error))
            return self._page(request, acting)
        return self._page(request, acting, stage=Stage.SURE)

    def _carry_out(self, request: HttpRequest, acting: Acting) -> HttpResponse:
        done = acting.carry_out(request.POST.get("expected", ""))
        messages.success(request, done.said)
        # Who plays in an anonymous game reads the admin's history, too.
        named = names_shown(acting.game)
        self.log_change(request, acting.game, done.said if named else acting.act.label)
        if done.shown:
            return self._page(request, acting, stage=Stage.SHOWN, done=done)
        return HttpResponseRedirect(_home(acting.game))

    def _page(
        self,
        request: HttpRequest,
        acting: Acting,
        *,
        stage: Stage = Stage.ASK,
        done: Done | None = None,
        status: int = 200,
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": f"{acting.game.name}: {acting.act.label}",
            "opts": self.opts,
            "subject": acting.game,
            "back": _home(acting.game),
            "act": acting.act,
            "form": acting.form,
            "forecast": acting.forecast,
            "why": acting.form.cleaned_data.get("why") if stage == Stage.SURE else "",
            "shown": done.shown if done else (),
            "stage": stage.value,
            "expected": stamp(acting.game),
        }
        return TemplateResponse(request, "admin/games/game/act.html", context, status=status)


def _home(game: Game) -> str:
    """The page of the game, from which one came."""
    return reverse("admin:games_game_change", args=[game.pk])


def _form(request: HttpRequest, game: Game, act: Action) -> Questions:
    """The act's questions with what was typed; an act without questions is answered at once."""
    if request.method == "POST" or not act.questions(game=game).fields:
        return act.questions(request.POST, game=game)
    return act.questions(game=game, initial=request.GET.dict())
