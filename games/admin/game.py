"""One page per game: who plays, where it stands, who is missing, and what a GM can do about it."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import User
from django.db.models import Count, Model, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.admin.actions import ACTIONS, Action
from games.admin.base import NOTHING, KeptForEver, Page, ReadOnlyInline, RowForm, countdown, moment
from games.admin.forms import NEW_GAME, GameForm
from games.board import phase_title, position_of
from games.durations import duration_text
from games.errors import GameError
from games.models import UNFINISHED, Application, Game, Phase, Power, Seat
from games.reports import board_text
from games.selectors import open_phase
from games.services.games import game_create
from games.standing import powers_not_in
from games.timetable import timetable


class PowerInline(ReadOnlyInline):
    """The powers with who plays them and what came from them in the open phase."""

    model = Power
    fields = ["name", "player", "since", "last_set", "word"]
    readonly_fields = ["player", "since", "last_set", "word"]
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Power]:
        running = Seat.objects.filter(until=None).select_related("player")
        return (
            super()
            .get_queryset(request)
            .select_related("game")
            .prefetch_related(Prefetch("seats", running, to_attr="running"))
        )

    @admin.display(description="player")
    def player(self, power: Any) -> str:
        return power.running[0].player.name if power.running else NOTHING

    @admin.display(description="since")
    def since(self, power: Any) -> str:
        return moment(power.running[0].since) if power.running else NOTHING

    @admin.display(description="orders in this phase")
    def last_set(self, power: Power) -> str:
        sets = power.order_sets.filter(phase__status__in=UNFINISHED, counts=True)
        at = sets.order_by("-received_at").values_list("received_at", flat=True).first()
        return moment(at)

    @admin.display(description="word")
    def word(self, power: Power) -> str:
        words = power.readiness.filter(phase__status__in=UNFINISHED)
        return words.values_list("word", flat=True).first() or NOTHING


class ApplicationInline(ReadOnlyInline):
    """Who asked for a seat. The preference lists stay secret, as the Guide wants it."""

    model = Application
    fields = ["player", "created_at", "withdrawn_at"]
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Application]:
        return super().get_queryset(request).select_related("player", "game")


class PhaseInline(ReadOnlyInline):
    """The phases so far, newest first."""

    model = Phase
    fields = ["name", "status", "opened_at", "due_at", "processed_at", "attempts"]
    ordering = ["-number"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Phase]:
        return super().get_queryset(request).select_related("game")


@admin.register(Game)
class GameAdmin(KeptForEver, Page):
    """The games at a glance; a game's page; starting and processing."""

    list_display = [
        "name",
        "status",
        "phase",
        "deadline",
        "waiting_for",
        "players",
        "gm",
    ]
    list_filter = ["status", "variant", "gm"]
    list_select_related = ["gm"]
    list_per_page = 50
    search_fields = ["name", "powers__seats__player__name"]
    ordering = ["name"]
    form = GameForm

    def get_queryset(self, request: HttpRequest) -> Any:
        open_phases = Phase.objects.filter(status__in=UNFINISHED).select_related("game")
        seated = Q(powers__seats__isnull=False, powers__seats__until=None)
        return (
            super()
            .get_queryset(request)
            .annotate(
                seated=Count("powers__seats", seated, distinct=True),
                wanted=Count("applications", Q(applications__withdrawn_at=None), distinct=True),
                places=Count("powers", distinct=True),
            )
            .prefetch_related(Prefetch("phases", open_phases, to_attr="unfinished"))
        )

    def get_inlines(self, request: HttpRequest, obj: Model | None) -> list[Any]:
        return [PowerInline, ApplicationInline, PhaseInline] if obj else []

    def get_fieldsets(self, request: HttpRequest, obj: Game | None = None) -> Any:
        if obj is None:
            return NEW_GAME
        now = ["status", "phase", "deadline", "waiting_for", "winner", "trouble"]
        return [
            (None, {"fields": ["name", *now]}),
            ("Board", {"fields": ["board"]}),
            ("Settings", {"fields": ["variant", "rules", "gm", "created_at", "started_at"]}),
            ("Time", {"fields": ["pace", "early", "time_off", "when_missing", "reminders"]}),
        ]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Propose the user himself as the GM."""
        return {"gm": request.user.pk, **super().get_changeform_initial_data(request)}

    def get_readonly_fields(self, request: HttpRequest, obj: Game | None = None) -> list[str]:
        if obj is None:
            return []
        facts = ["phase", "deadline", "waiting_for", "trouble", "board"]
        facts += ["pace", "early", "time_off"]
        return facts + [field.name for field in Game._meta.fields]

    def save_model(self, request: HttpRequest, obj: Game, form: RowForm, change: bool) -> None:
        """Make the game by the service; what is made already does not change here."""
        if not change:
            made = game_create(**cast(GameForm, form).settings(), now=timezone.now())
            obj.pk = made.pk
            obj.refresh_from_db()

    @admin.display(description="phase")
    def phase(self, game: Any) -> str:
        return phase_title(game.unfinished[0].name) if game.unfinished else NOTHING

    @admin.display(description="deadline (UTC)")
    def deadline(self, game: Any) -> str | SafeString:
        if not game.unfinished:
            return f"over since {moment(game.finished_at)}" if game.finished_at else NOTHING
        phase = game.unfinished[0]
        if phase.status == Phase.Status.STUCK:
            return format_html("<strong>stuck</strong> since {}", moment(phase.due_at))
        return countdown(phase.due_at, timezone.now())

    @admin.display(description="waiting for")
    def waiting_for(self, game: Any) -> str:
        if not game.unfinished:
            return NOTHING
        missing = powers_not_in(game.unfinished[0])
        if len(missing) > 1 and len(missing) == game.places:
            return f"all {game.places}"
        return ", ".join(missing) or "nobody: all orders are in"

    @admin.display(description="players")
    def players(self, game: Any) -> str:
        taken = game.wanted if game.status == Game.Status.FORMING else game.seated
        return f"{taken} of {game.places}"

    @admin.display(description="trouble")
    def trouble(self, game: Any) -> str:
        return (game.unfinished[0].error if game.unfinished else "") or "none"

    @admin.display(description="pace")
    def pace(self, game: Game) -> str | SafeString:
        lines = timetable(game)
        return format_html_join("", "<div>{}</div>", ((line,) for line in lines))

    @admin.display(description="early processing")
    def early(self, game: Game) -> str:
        if not game.process_early:
            return "never: the game waits for its deadlines"
        delay = f", {duration_text(game.early_delay)} later" if game.early_delay else ""
        return f"when all orders are in{delay}"

    @admin.display(description="days without deadlines")
    def time_off(self, game: Game) -> str:
        away = "days for which a player said he is away" if game.waits_for_absent else ""
        return ", ".join(part for part in (game.days_off, away) if part) or "none"

    @admin.display(description="board")
    def board(self, game: Game) -> str | SafeString:
        phase = open_phase(game) or game.phases.order_by("number").last()
        if phase is None:
            return "The game has not started yet."
        state = phase.outcome["next"] if phase.outcome else phase.position
        text = board_text(position_of(game.variant, state))
        return format_html('<pre class="diplomacy-board">{}</pre>', text)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the game's page with a button for every act, to those who may change games."""
        acts = ACTIONS if self.has_change_permission(request) else ()
        context = {"acts": acts, **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def get_actions(self, request: HttpRequest) -> Any:
        """Offer every act to those who may change games."""
        if not self.has_change_permission(request):
            return {}
        return {act.name: (_confirmed(act), act.name, act.label) for act in ACTIONS}

    def confirm(
        self, request: HttpRequest, games: QuerySet[Game], act: Action
    ) -> HttpResponse | None:
        """Do it once it was confirmed; before, show the page that says what will happen."""
        answered = "confirmed" in request.POST
        questions = act.questions(request.POST if answered else None)
        if answered and questions.is_valid():
            for game in games:
                self.do(request, game, act, questions.cleaned_data)
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": act.label,
            "opts": self.model._meta,
            "games": [
                (game, open_phase(game), self.phase(game), self.waiting_for(game)) for game in games
            ],
            "act": act,
            "questions": questions,
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/games/confirm.html", context)

    def do(self, request: HttpRequest, game: Game, act: Action, typed: dict[str, Any]) -> None:
        """Do it to one game, and say what came of it."""
        user = cast(User, request.user)
        by = user.get_full_name() or user.get_username()
        expected = request.POST.get(f"phase-{game.pk}", "")
        try:
            said = act.do(game, typed, by=by, expected=expected, now=timezone.now())
        except GameError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, said)
            self.log_change(request, game, said)


def _confirmed(act: Action) -> Any:
    def run(page: GameAdmin, request: HttpRequest, games: QuerySet[Game]) -> HttpResponse | None:
        return page.confirm(request, games, act)

    return run
