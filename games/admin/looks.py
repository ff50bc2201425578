"""The page for a look at a secret: it asks why, tells all players, and then shows it."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from games.admin.base import Page, now_of, user_of
from games.errors import GameError
from games.models import Phase
from games.queries.access import disclosure
from games.queries.access.staff_names import actor_in_game
from games.queries.board import phase_title
from games.queries.players.seats import power_names
from games.services.moderation.looks import ROOM_FOR_WHY, Glimpse, Secret, look

SHOWN_HERE = (Secret.ORDERS, Secret.AHEAD, Secret.PRESS)


class WhyForm(forms.Form):
    """The reason of a look."""

    required_css_class = "required"
    why = forms.CharField(max_length=ROOM_FOR_WHY, help_text="One sentence; all players are told.")


class LookForm(WhyForm):
    """What to look at, and why."""

    what = forms.MultipleChoiceField(
        choices=[(one.value, str(one)) for one in SHOWN_HERE],
        initial=[Secret.ORDERS.value],
        widget=forms.CheckboxSelectMultiple,
    )
    powers = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Tick none to look at all of them.",
    )
    field_order = ("what", "powers", "why")

    def __init__(self, phase: Phase, typed: Any = None) -> None:
        super().__init__(typed)
        powers = cast(forms.MultipleChoiceField, self.fields["powers"])
        powers.choices = [(name, name) for name in power_names(phase.game)]


class LookPage(Page):
    """Adds the page to that of a phase."""

    def get_urls(self) -> list[URLPattern]:
        """Put the page below the phase's own."""
        view = self.admin_site.admin_view(self.look_view)
        return [path("<path:object_id>/look/", view, name="games_phase_look"), *super().get_urls()]

    def look_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for a reason; then write the look into the log, and show what was asked for."""
        phase = self.get_object(request, object_id)
        if phase is None:
            raise Http404("There is no such phase.")
        user, now = user_of(request), now_of(request)
        if disclosure.may_see_orders(user, phase, now=now):
            messages.info(request, "Nothing about this phase is secret now.")
            return HttpResponseRedirect(reverse("admin:games_phase_change", args=[phase.pk]))
        may_look = disclosure.may_look(user, phase.game, now=now)
        if not may_look or not self.has_view_permission(request, phase):
            raise PermissionDenied
        form = LookForm(phase, request.POST if request.method == "POST" else None)
        seen = self._look(request, phase, form) if form.is_valid() else None
        return TemplateResponse(
            request,
            "admin/games/look.html",
            {
                **self.admin_site.each_context(request),
                "title": f"Look at what is secret: {phase.game.name}, {phase_title(phase.name)}",
                "opts": self.model._meta,
                "back": reverse("admin:games_phase_change", args=[phase.pk]),
                "phase": phase,
                "form": form,
                "seen": seen,
            },
        )

    def _look(self, request: HttpRequest, phase: Phase, form: LookForm) -> Glimpse | None:
        typed = form.cleaned_data
        try:
            return look(
                phase=phase,
                what=[Secret(one) for one in typed["what"]],
                powers=typed["powers"],
                why=typed["why"],
                by=actor_in_game(user_of(request), phase.game, now=now_of(request)),
                now=now_of(request),
            )
        except GameError as error:
            form.add_error(None, str(error))
            return None
