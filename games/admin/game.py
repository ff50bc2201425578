"""The list of games, and a page for each game with all that its GM has to know and can do."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, TypedDict, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from games.acts import GAME_ACTS, Act, Done
from games.admin.acting import LIVE, ActPages
from games.admin.base import KeptForEver, OwnGames, RowForm, now_of, user_of
from games.admin.forms import FIELDSETS, GameForm, without_script, zones
from games.admin.game_page import page_of
from games.admin.game_rows import add_rows, deadline, waited_for
from games.admin.lists import VariantFilter
from games.admin.maps import MapPages
from games.errors import GameError
from games.models import UNFINISHED, CoGM, Game, Phase
from games.queries.access import roles
from games.queries.access.anonymity import names_shown
from games.queries.access.audience import is_foggy
from games.queries.access.staff_names import own_name
from games.queries.board import phase_title
from games.queries.endings.ending import rules_of_end
from games.queries.phases.first_deadlines import first_deadlines, passed_over
from games.queries.players.places import with_places
from games.queries.reports.own_games import DUE
from games.queries.reports.wording import NOTHING, days_off_text
from games.services.moderation.staff import gm_appoint
from games.services.setup.games import game_create, settings_to_copy
from games.settings import SETTINGS
from games.settings.presets import PRESETS

if TYPE_CHECKING:
    from games.admin.game_rows import ListedGame
    from games.queries.players.places import GameWithPlaces

FILLED = (
    "Nothing is made yet. “{}” is filled in below, beside what you typed: change what you like, "
    "then make the game."
)
"""What people read whose browsers run no scripts."""


@admin.register(Game)
class GameAdmin(KeptForEver, OwnGames, MapPages, ActPages[Game]):
    """The games at a glance; a form for a new one; a page for each."""

    path_to_game = "pk"
    acts = GAME_ACTS
    list_display = ["name", "status", "phase", "deadline", "waiting_for", "players", "master"]
    list_filter = ["status", ("variant", VariantFilter)]
    list_select_related = ["gm"]
    list_per_page = 50
    search_fields = ["name", "tournament", "gm__username", "gm__first_name", "gm__last_name"]
    search_help_text = "Part of the name of a game, of its tournament or of its GM"
    show_full_result_count = False
    form = GameForm
    add_form_template = "admin/games/game/add.html"

    def subjects(self, request: HttpRequest) -> QuerySet[Game]:
        """Return the games that the visitor may find, with their GMs."""
        return super().get_queryset(request).select_related("gm")

    def get_queryset(self, request: HttpRequest) -> QuerySet[GameWithPlaces]:
        open_phases = Phase.objects.filter(status__in=UNFINISHED).select_related("game")
        lasting = Q(until=None) | Q(until__gt=now_of(request))
        helped = Exists(CoGM.objects.filter(lasting, game=OuterRef("pk")))
        games = with_places(self.subjects(request)).annotate(due=DUE, helped=helped)
        shown = open_phases.defer("orders", "outcome")
        return games.prefetch_related(Prefetch("phases", shown, to_attr="unfinished"))

    def get_ordering(self, request: HttpRequest) -> Any:
        """Put what is due next first, and games without a deadline last."""
        return [DUE.asc(nulls_last=True), "name"]

    def logged(self, act: Act[Game, Any], subject: Game, done: Done) -> str:
        """Name nobody who plays in an anonymous game and nothing hidden in fog, because some who
        play read this history, too; and no address, because moderators read it."""
        hidden = GAME_ACTS[act.name].names_addresses or is_foggy(subject)
        return done.said if names_shown(subject) and not hidden else f"{act.title}: {subject.name}"

    def has_change_permission(self, request: HttpRequest, obj: Game | None = None) -> bool:
        """Refuse for an existing game: acts change it, each on its own page."""
        return obj is None and super().has_change_permission(request)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Offer no actions on the list: the forecast of an act has to be read game by game."""
        return {}

    def get_fieldsets(self, request: HttpRequest, obj: Game | None = None) -> Any:
        return FIELDSETS

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Propose its maker as its GM, and the settings of the game that is copied."""
        return {
            "gm": request.user.pk,
            **self._settings_to_copy(request),
            **super().get_changeform_initial_data(request),
        }

    def _settings_to_copy(self, request: HttpRequest) -> dict[str, Any]:
        """The settings of the game in `?copy=`, under the next name; nothing if no game is
        named."""
        key = request.GET.get("copy", "")
        game = self.get_object(request, key) if key.isdecimal() else None
        if game is None:
            return {}
        return {**settings_to_copy(game), "name": next_name(game.name)}

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **more: Any) -> Any:
        """Let GMs make games only for themselves: they must not see who else there is."""
        field = super().formfield_for_foreignkey(db_field, request, **more)
        if db_field.name == "gm" and field and not roles.is_operator(user_of(request)):
            field.queryset = User.objects.filter(pk=user_of(request).pk)
            field.required = True
            field.error_messages["required"] = (
                "Please choose yourself: you run the games that you make."
            )
        return field

    def save_model(
        self,
        request: HttpRequest,
        obj: Game,
        form: RowForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Make the game by the service."""
        settings = cast(GameForm, form).settings()
        if gm := settings.get("gm"):
            gm_appoint(user=gm)
        made = game_create(**settings, now=now_of(request))
        obj.pk = made.pk
        obj.refresh_from_db()

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Ask three questions and fold away the rest, with the first deadlines beside them."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if request.method == "POST" and LIVE in request.headers:
            shown = _first_deadlines(self.get_form(request)(request.POST), now_of(request))
            return TemplateResponse(request, "admin/games/game/deadlines.html", {**shown})
        if request.method == "POST":
            if filled := without_script(request.POST):
                messages.info(request, FILLED.format(PRESETS[request.POST["preset"]].title))
                return HttpResponseRedirect(f"{request.path}?{filled.urlencode()}")
            shown = _first_deadlines(self.get_form(request)(request.POST), now_of(request))
        else:
            proposed = Game(**self._settings_to_copy(request))
            shown = _of_new(proposed, now_of(request))
        context = {"title": "New game", "zones": zones(), **shown, **(extra_context or {})}
        try:
            return super().add_view(request, form_url, context)
        except GameError as error:  # somebody took the name, or closed the account, meanwhile
            messages.error(request, str(error))
            return HttpResponseRedirect(reverse("admin:games_game_changelist"))

    def response_add(
        self, request: HttpRequest, obj: Game, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Go on to the page of the new game, which has the invitation."""
        messages.success(request, f"The game {obj.name} has been made. Players join it by mail.")
        return HttpResponseRedirect(reverse("admin:games_game_change", args=[obj.pk]))

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list under a plain title."""
        return super().changelist_view(request, {"title": "Games", **(extra_context or {})})

    @admin.display(description="phase")
    def phase(self, game: ListedGame) -> str:
        return phase_title(game.row.phase.name) if game.row.phase else NOTHING

    @admin.display(description="deadline", ordering="due")
    def deadline(self, game: ListedGame) -> str | SafeString:
        return deadline(game, timezone.now())

    @admin.display(description="waiting for")
    def waiting_for(self, game: ListedGame) -> str:
        return waited_for(game)

    @admin.display(description="GM", ordering="gm__username")
    def master(self, game: ListedGame) -> str:
        return own_name(game.gm) or game.gm.username if game.gm else NOTHING

    @admin.display(description="players")
    def players(self, game: ListedGame) -> str:
        return f"{game.seated if game.started_at else game.taken} of {game.places}"

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Work out at once, for all games on a page of the list, whom they wait for."""
        games = super().get_changelist_instance(request)
        add_rows(games.result_list, user_of(request))
        return games

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the game's page. Nothing changes here: every act has a page of its own."""
        game = self.get_object(request, object_id)
        if game is None:
            raise Http404("There is no such game.")
        if not self.has_view_permission(request, game):
            raise PermissionDenied
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        before = not game.started_at
        applied = game.applications.filter(withdrawn_at=None).select_related("player")
        context = {
            **self.admin_site.each_context(request),
            **page_of(game, user_of(request), now_of(request)),
            "title": f"The game {game.name}",
            "opts": self.opts,
            "game": game,
            "applications": applied if before else (),
        }
        return TemplateResponse(request, "admin/games/game/page.html", context)


class NewGame(TypedDict, total=False):
    """What the page of a new game shows beside the form."""

    faults: list[str]
    deadlines: list[str]
    """When the first phases would be due."""
    passed: str
    """Which times of the clock can never be a deadline."""
    off: str
    """On which days nothing is due."""
    scored: str


def _first_deadlines(form: RowForm, now: dt.datetime) -> NewGame:
    """What the page of a new game shows beside the form: faults, or the first deadlines."""
    if not form.is_valid():
        faults = [
            f"{form.fields[name].label}: {said[0]}"
            for name, said in form.errors.items()
            if name in form.fields and (name != "name" or form.data.get("name"))
        ]
        if faults or "__all__" in form.errors:
            return {"faults": faults or [*form.non_field_errors()], "deadlines": []}
    game = Game(**{name: value for name, value in form.cleaned_data.items() if name in SETTINGS})
    passed, off = passed_over(game, now=now), days_off_text(game.days_off)
    return {"faults": [], **_of_new(game, now), "passed": passed, "off": off}


def _of_new(game: Game, now: dt.datetime) -> NewGame:
    """The first deadlines of a game, and what its scoring gives."""
    return {"deadlines": first_deadlines(game, now=now), "scored": rules_of_end(game)[-1]}


def next_name(name: str) -> str:
    """Return "marne-3" for "marne-2", and "marne-2" for "marne"; if that name is taken, the next
    one that is free."""
    stem, _, number = name.rpartition("-")
    first = int(number) + 1 if stem and number.isdecimal() else 2
    stem = stem if stem and number.isdecimal() else name
    names = (f"{stem[:36]}-{one}" for one in range(first, first + 100))
    return next((one for one in names if not Game.objects.filter(name__iexact=one).exists()), "")
