"""Players with their addresses and seats."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from games.admin.base import Discreet, KeptForEver, ReadOnlyInline, user_of
from games.admin.desk import ModeratorPages
from games.models import Address, Player, Seat


class AddressInline(ReadOnlyInline):
    """The player's addresses; he changes them himself, by mail."""

    model = Address
    fields = ["email", "of_record", "confirmed_at", "failing_since", "failure", "created_at"]


class SeatInline(ReadOnlyInline):
    """What the player plays and played."""

    model = Seat
    fields = ["power", "since", "until", "ended_because"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("power__game", "player")


@admin.register(Player)
class PlayerAdmin(KeptForEver, Discreet, ModeratorPages):
    """Who plays, under which addresses, and where."""

    list_display = ["name", "emails", "playing", "timezone", "created_at"]
    search_fields = ["name", "addresses__email"]
    ordering = ["name"]
    fields = ["name", "timezone", "user", "created_at", "merged_into"]
    raw_id_fields = ["user"]
    inlines = [AddressInline, SeatInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        players = super().get_queryset(request)
        return players.prefetch_related("addresses", "seats__power__game")

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> list[str]:
        """Keep from all but superusers who somebody is in the admin: it decides what he may do."""
        kept = ["created_at", "merged_into"]
        return kept if user_of(request).is_superuser else [*kept, "user"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: a player registers by mail, and so proves his address."""
        return False

    @admin.display(description="addresses")
    def emails(self, player: Player) -> str:
        return ", ".join(
            one.email if one.confirmed_at else f"{one.email} (unconfirmed)"
            for one in player.addresses.all()
        )

    @admin.display(description="plays")
    def playing(self, player: Player) -> str:
        seats = [seat for seat in player.seats.all() if seat.until is None]
        return ", ".join(f"{seat.power.name} in {seat.power.game.name}" for seat in seats)
