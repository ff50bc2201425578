"""Press, as far as the viewer may read it: its content stays between its readers."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from games.admin.base import OthersGames, ReadOnlyAdmin, note_look, now_of, user_of
from games.admin.lists import GameFilter
from games.models import Press, StaffEntry
from games.models.phase import OF_PHASE
from games.queries.access import disclosure, roles
from games.queries.reports.wording import utc_moment

HIDDEN = (
    "Hidden: it is for its readers only until the game is over. Those who may look do so on the "
    "page of the phase, and all players are told."
)


@admin.register(Press)
class PressAdmin(OthersGames, ReadOnlyAdmin):
    """Every message: that there was one, and when; if it is open, also from whom, to whom, and its
    text.

    What was written to everybody is no secret, and what the GM wrote is no secret from the GM. The
    writer of grey press is secret until the game is over. The writer of fake press is shown, since
    nobody who plays in the game finds its press here.
    """

    list_display = ["number", "game", "phase_name", "kind", "when"]
    list_filter = ["public", "grey", ("game", GameFilter)]
    list_select_related = ["game", "phase"]
    search_fields = ["game__name"]
    search_help_text = "Part of the name of a game"
    sortable_by = ["when"]
    ordering = ["-id"]
    readonly_fields = ["kind", "writer", "readers", "words", "hidden"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Press]:
        """Leave the texts in the database until the page shows them."""
        rows: QuerySet[Press] = super().get_queryset(request)
        return rows.defer("text", *OF_PHASE)

    def get_fields(self, request: HttpRequest, obj: Press | None = None) -> Any:
        """Show what is open to this user."""
        facts = ["game", "phase", "number", "kind", "created_at"]
        if obj is None:
            return facts
        user, now = user_of(request), now_of(request)
        over = disclosure.may_see_press(user, obj.game, now=now)
        own = obj.seat_id is None and roles.is_gm_of(user, obj.game, now=now)
        if over and not (obj.public or own):
            note_look(request, StaffEntry.What.PRESS, f"{obj.game.name}: press {obj.number}")
        if over or obj.public or own:
            return [*facts, "seat" if over and obj.seat_id else "writer", "readers", "words"]
        return [*facts, "hidden"]

    @admin.display(description="phase")
    def phase_name(self, press: Press) -> str:
        return press.phase.name if press.phase else ""

    @admin.display(description="kind")
    def kind(self, press: Press) -> str:
        who = "the GM" if press.seat_id is None else "a power"
        grey = ", grey" if press.grey else ""
        fake = ", fake" if press.fake else ""
        return f"from {who} to {'everybody' if press.public else 'some'}{grey}{fake}"

    @admin.display(description="when", ordering="id")
    def when(self, press: Press) -> str:
        return utc_moment(press.created_at)

    @admin.display(description="from")
    def writer(self, press: Press) -> str:
        return press.true_writer if press.fake else press.writer

    @admin.display(description="to")
    def readers(self, press: Press) -> str:
        if press.public:
            return "everybody"
        real = ", ".join([*press.to, "the GM"] if press.to_gm else press.to)
        shown = "everybody" if press.shown_public else ", ".join(press.shown_to)
        return f"{real}, as if to {shown}" if shown else real

    @admin.display(description="text")
    def words(self, press: Press) -> str:
        return press.text

    @admin.display(description="text")
    def hidden(self, press: Press) -> str:
        return HIDDEN
