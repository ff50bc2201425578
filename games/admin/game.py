"""One page per game: who plays, where it stands, who is missing, and what a GM can do about it."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Count, Model, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.admin.base import NOTHING, KeptForEver, Page, ReadOnlyInline, RowForm, countdown, moment
from games.admin.forms import GameForm
from games.board import phase_title, position_of
from games.errors import GameError
from games.models import Application, Game, Phase, Power, Seat
from games.reports import board_text
from games.selectors import open_phase
from games.services.games import game_create, game_start
from games.services.phases import phase_process
from games.standing import powers_not_in

UNFINISHED = [Phase.Status.OPEN, Phase.Status.STUCK]


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
        "variant",
        "gm",
    ]
    list_filter = ["status", "variant", "gm"]
    list_select_related = ["gm"]
    list_per_page = 50
    search_fields = ["name", "powers__seats__player__name"]
    ordering = ["name"]
    form = GameForm
    actions = ["start", "process_now"]

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
        settings = {"fields": GameForm.Meta.fields}
        if obj is None:
            return [(None, settings)]
        now = ["status", "phase", "deadline", "waiting_for", "winner", "trouble"]
        return [
            (None, {"fields": ["name", *now]}),
            ("Board", {"fields": ["board"]}),
            ("Settings", {"fields": [*GameForm.Meta.fields[1:], "created_at", "started_at"]}),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Game | None = None) -> list[str]:
        if obj is None:
            return []
        facts = ["phase", "deadline", "waiting_for", "trouble", "board"]
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
        return ", ".join(powers_not_in(game.unfinished[0])) or "nobody: all orders are in"

    @admin.display(description="players")
    def players(self, game: Any) -> str:
        taken = game.wanted if game.status == Game.Status.FORMING else game.seated
        return f"{taken} of {game.places}"

    @admin.display(description="trouble")
    def trouble(self, game: Any) -> str:
        return (game.unfinished[0].error if game.unfinished else "") or "none"

    @admin.display(description="board")
    def board(self, game: Game) -> str | SafeString:
        phase = open_phase(game) or game.phases.order_by("number").last()
        if phase is None:
            return "The game has not started yet."
        state = phase.outcome["next"] if phase.outcome else phase.position
        text = board_text(position_of(game.variant, state))
        return format_html('<pre class="diplomacy-board">{}</pre>', text)

    @admin.action(description="Start: give out the powers and open the first phase")
    def start(self, request: HttpRequest, games: QuerySet[Game]) -> HttpResponse | None:
        return self._confirmed(
            request,
            games,
            "start",
            "Give out the powers by the preference lists, open the first phase and tell everybody.",
        )

    @admin.action(description="Process now: adjudicate the open phase, whatever the deadline")
    def process_now(self, request: HttpRequest, games: QuerySet[Game]) -> HttpResponse | None:
        return self._confirmed(
            request,
            games,
            "process_now",
            "Adjudicate the open phase with the orders that are in, and mail the results. "
            "Units without an order hold.",
        )

    def _confirmed(
        self, request: HttpRequest, games: QuerySet[Game], action: str, what: str
    ) -> HttpResponse | None:
        """Do it once it was confirmed; before, show the page that says what will happen."""
        if "confirmed" in request.POST:
            for game in games:
                self._do(request, game, action, request.POST.get(f"phase-{game.pk}", ""))
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": "Are you sure?",
            "opts": self.model._meta,
            "games": [
                (game, open_phase(game), self.phase(game), self.waiting_for(game)) for game in games
            ],
            "action": action,
            "what": what,
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/games/confirm.html", context)

    def _do(self, request: HttpRequest, game: Game, action: str, phase: str) -> None:
        try:
            said = _started(game) if action == "start" else _processed(game, phase)
        except GameError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, said)
            self.log_change(request, game, said)


def _started(game: Game) -> str:
    game_start(game=game, now=timezone.now())
    return f"{game.name} has started."


def _processed(game: Game, phase: str) -> str:
    event = phase_process(game_id=game.pk, now=timezone.now(), force=True, expected=phase or None)
    if event is None:
        broken = open_phase(game)
        raise GameError(
            f"{game.name} could not be adjudicated: {broken.error if broken else ''}. "
            "Nothing has changed; the log has the details."
        )
    return f"Processed {event.payload['phase']} of {game.name}."
