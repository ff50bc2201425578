"""Players with their addresses and seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from games.admin.base import Discreet, KeptForEver, ReadOnlyInline, RowForm, user_of
from games.admin.moderators import ModeratorPages
from games.errors import GameError
from games.models import Address, Game, Player, Seat
from games.queries.access import roles
from games.services.accounts.profile import name_fit, zone_named
from games.services.common import lock_player

OVER = Game.Status.FINISHED


class AddressInline(ReadOnlyInline):
    """The player's addresses; players change them themselves, by mail."""

    model = Address
    fields = [
        *("email", "of_record", "confirmed_at", "failing_since", "failure", "complained_at"),
        "created_at",
    ]


class SeatInline(ReadOnlyInline):
    """What the player plays and played."""

    model = Seat
    fields = ["place", "since", "until", "ended_because"]
    readonly_fields = ["place", "since", "until", "ended_because"]

    @admin.display(description="power")
    def place(self, seat: Seat) -> str:
        """Name the power, with a link to its game."""
        game = seat.power.game
        page = reverse("admin:games_game_change", args=[game.pk])
        over = ", which is over" if game.status == OVER else ""
        return format_html('{} in <a href="{}">{}</a>{}', seat.power.name, page, game.name, over)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return _open_to(request).select_related("power__game", "player")


class PlayerForm(RowForm):
    """What an operator changes about a player, as strictly as if the player did.

    An operator who opened the page before the player changed something does not take that back:
    only what they changed themselves counts, and the page knows what it showed them.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        for field in self.fields.values():
            field.show_hidden_initial = True

    def clean_name(self) -> str:
        """Refuse a name that looks like another's."""
        return self._fit(lambda typed: name_fit(typed, self.instance), "name")

    def clean_timezone(self) -> str:
        """Refuse a zone that does not exist: no mail and no deadline of theirs could be worked
        out."""
        return self._fit(zone_named, "timezone")

    def _fit(self, read: Callable[[str], str], name: str) -> str:
        typed: str = self.cleaned_data[name]
        if name not in self.changed_data:
            return typed
        try:
            lock_player(self.instance)
            return read(typed)
        except GameError as error:
            raise ValidationError(str(error)) from error


@admin.register(Player)
class PlayerAdmin(KeptForEver, Discreet, ModeratorPages):
    """Who plays, under which addresses, and where."""

    form = PlayerForm
    list_display = ["name", "emails", "playing", "timezone", "created_at"]
    search_fields = ["name"]
    search_help_text = "Part of a name, or how an address begins"
    sortable_by = ["name", "created_at"]
    ordering = ["name"]
    fields = ["name", "timezone", "user", "created_at", "merged_into"]
    raw_id_fields = ["user"]
    inlines = [AddressInline, SeatInline]

    def subjects(self, request: HttpRequest) -> QuerySet[Player]:
        """Return all players."""
        return super().get_queryset(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        seats = _open_to(request).filter(until=None).exclude(power__game__status=OVER)
        seats = seats.select_related("power__game")
        shown = Prefetch("seats", seats, to_attr="playing_now")
        return self.subjects(request).prefetch_related("addresses", shown)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """Find players by part of their name, or by the beginning of one of their addresses."""
        named, doubled = super().get_search_results(request, queryset, search_term)
        if not (term := search_term.strip()):
            return named, doubled
        begun = Address.objects.filter(email__istartswith=term).values("player")
        written = queryset.filter(pk__in=begun)
        return (written if "@" in term else named | written), doubled

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> list[str]:
        """Let only superusers say which user somebody is: it decides what they may do."""
        kept = ["created_at", "merged_into"]
        return kept if user_of(request).is_superuser else [*kept, "user"]

    def save_model(
        self,
        request: HttpRequest,
        obj: Player,
        form: RowForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Write only what was changed: a ban, or who the player is, may be newer than the row that
        the request read."""
        obj.save(update_fields=form.changed_data)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: players register by mail, and so prove their addresses."""
        return False

    @admin.display(description="addresses")
    def emails(self, player: Player) -> str:
        return ", ".join(
            one.email if one.confirmed_at else f"{one.email} (unconfirmed)"
            for one in player.addresses.all()
        )

    @admin.display(description="plays")
    def playing(self, player: Any) -> str:
        return ", ".join(f"{one.power.name} in {one.power.game.name}" for one in player.playing_now)


def _open_to(request: HttpRequest) -> QuerySet[Seat]:
    """All tenures except those of anonymous games in which the visitor plays."""
    return Seat.objects.exclude(power__game__in=roles.games_nameless(user_of(request)))
