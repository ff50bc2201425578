"""Players: what they have played and how reliable they are, as far as that is public."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from games.models import Game, Player, Seat
from games.queries.access.audience import attendance_shown, seats_shown
from games.queries.endings.ending import winners_of
from games.queries.players.attendance import reliabilities
from games.queries.players.reliability import reliability_text
from pages.web import public_page, render_page

PAGE = 100
FINISHED = Game.Status.FINISHED


@public_page
def players(request: HttpRequest) -> HttpResponse:
    """Show who plays here and how reliable they are."""
    seats = seats_shown().filter(player=OuterRef("pk"))
    people = Player.objects.filter(Exists(seats), merged_into=None).order_by("name", "pk")
    page = Paginator(people, PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    found = reliabilities(shown, now=timezone.now(), known=attendance_shown())
    counts = _game_counts(shown)
    rows = [(one, found[one.pk], *counts[one.pk]) for one in shown]
    return render_page("pages/players.html", {"page": page, "rows": rows})


def _game_counts(people: list[Player]) -> dict[int, tuple[int, int]]:
    """In how many games each is playing now, and how many they have finished."""
    seats = seats_shown().filter(player__in=people).order_by()
    is_over = Q(power__game__status=FINISHED)
    rows = seats.values("player").annotate(
        playing=Count("power__game", ~is_over & Q(until=None)),
        over=Count("power__game", is_over, distinct=True),
    )
    return {row["player"]: (row["playing"], row["over"]) for row in rows}


@public_page
def player(request: HttpRequest, key: int) -> HttpResponse:
    """Show one player's reliability and games."""
    one = Player.objects.filter(pk=key, merged_into=None).first()
    seats = list(seats_shown(one).select_related("power__game").order_by("-since")) if one else []
    if one is None or not seats:
        raise Http404("There is no such player, or nothing that everybody may know.")
    found = reliabilities([one], now=timezone.now(), known=attendance_shown())[one.pk]
    context = {
        "player": one,
        "found": found,
        "reliability": reliability_text(found),
        "is_known": found.is_known,
        "seats": [(seat, _outcome(seat), _when(seat)) for seat in seats],
    }
    return render_page("pages/player.html", context)


def _when(seat: Seat) -> str:
    """Say when a tenure was: `Oct 2026 – Nov 2026`, `May 2026`, `since May 2026`."""
    until = seat.until or seat.power.game.finished_at
    first, last = f"{seat.since:%b %Y}", f"{until:%b %Y}" if until else ""
    if not last:
        return f"since {first}"
    return first if first == last else f"{first} – {last}"


def _outcome(seat: Seat) -> str:
    """Say what became of a tenure."""
    game = seat.power.game
    if seat.until is not None:
        left = {
            Seat.Ended.RESIGNED: "resigned",
            Seat.Ended.TAKEN_OVER: "taken over by another",
            Seat.Ended.REPLACED: "replaced",
            Seat.Ended.VACATED: "seat taken away",
        }
        return left.get(Seat.Ended(seat.ended_because), "left") if seat.ended_because else "left"
    if game.status != FINISHED:
        return "playing"
    winners = winners_of(game)
    if seat.power.name not in winners:
        return "lost" if winners else "no result"
    return "won" if len(winners) == 1 else f"shared the draw of {len(winners)}"
