"""Orders to choose instead of typing them: a form that writes the mail, and sends nothing
itself."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify

from games.models import Game, Phase
from games.queries import board
from games.queries.orders.current_orders import deciding
from pages.mailto import mail_about
from pages.maps import svg_on_page
from pages.story import Story, story_of
from pages.web import public_page, render_form
from pages.written import WrittenOrders, written_orders

ON_A_PHONE = 34
"""How many letters of an order fit into a row on a phone."""


@public_page
def compose(request: HttpRequest, name: str, power: str) -> HttpResponse:
    """Show what a power can order now, and a mail with what is chosen in the address.

    The page knows nothing of orders that somebody sent: it is the same for everybody.
    """
    story = story_of(name)
    phase = ordered_now(story)
    powers = board.variant_named(story.game.variant).powers
    named = next((one for one in powers if slugify(one) == power.lower()), None)
    if phase is None or named is None:
        raise Http404("There are no orders to write here.")
    story.read_boards(phase)
    asked = request.GET.getlist("order")
    fits = request.GET.get("phase") == phase.name
    made = written_orders(phase, named, asked if fits else [])
    stale = any(asked) and not fits
    context = _context(phase, named, made, stale=stale)
    context["picture"] = svg_on_page(story, phase)
    response = render_form("pages/compose.html", context)
    response.headers["Referrer-Policy"] = "no-referrer"  # the form puts the orders into the address
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def ordered_now(story: Story) -> Phase | None:
    """Return the open phase, without its board, if everybody may see what can be ordered in it."""
    phase = story.now
    if phase is None or not story.open or story.game.status != Game.Status.ACTIVE:
        return None
    return phase if phase.status == Phase.Status.OPEN else None


def pages_to_order(game: Game, phase: Phase | None) -> list[tuple[str, str]]:
    """Return each power that has something to decide in the phase, with its page."""
    if phase is None:
        return []
    powers = deciding(phase)
    return [(one, reverse("compose", args=[game.name, slugify(one)])) for one in powers]


def _context(phase: Phase, power: str, made: WrittenOrders, *, stale: bool) -> dict[str, object]:
    game, title = phase.game, board.phase_title(phase.name)
    # The phase comes before the orders: they count for no other, however late somebody sends the
    # mail.
    lines = [f"PHASE {phase.name}", *made.orders]
    return {
        "game": game,
        "power": power,
        "phase": phase,
        "title": title,
        "is_past": bool(phase.due_at and phase.due_at <= timezone.now()) and not phase.overdue_at,
        "fields": made.fields,
        "faults": made.faults,
        "undecided": made.undecided,
        "stale": stale,
        "lines": lines if made.orders else [],
        "rows": sum(1 + len(line) // ON_A_PHONE for line in lines),
        "mail": mail_about(f"[{game.name}] {power}, {title}", lines),
    }
