"""A game's page: its newest phase, when it is due, who plays, the centres over the years."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from games.models import Game, Phase, Player, Power, Seat
from games.queries import board
from games.queries.access.audience import Audience, attendance_shown, shows_names
from games.queries.access.staff_names import own_name
from games.queries.endings.ending import ended_at, rules_of_end
from games.queries.orders.current_orders import is_readable
from games.queries.orders.waiting import Outstanding, outstanding, to_confirm_text
from games.queries.players.attendance import reliabilities
from games.queries.players.places import free_places
from games.queries.players.reliability import Reliability
from games.queries.players.seats import BEFORE_START, PLAYED, powers_shown
from games.queries.reports.end_report import Score, scores_of
from games.queries.reports.press_words import press_sentence
from games.queries.reports.timetable import timetable
from games.queries.reports.what_game import particulars, preset_of, starts, who_may_join
from games.queries.reports.wording import listed
from games.queries.variants import variant_text
from pages.chart import chart_of
from pages.mailto import mail_with
from pages.maps import start_address, start_on_page, svg_on_page
from pages.results import shown_phase
from pages.story import Story, story_of, version_of
from pages.views.compose import ordered_now, pages_to_order
from pages.web import public_page, render_page

Status = Game.Status


@dataclass(frozen=True)
class SeatRow:
    """A power and its player, as everybody may know them."""

    power: str
    player: Player | None
    before: tuple[Player, ...]
    """Its earlier players, the first of them first."""
    found: Reliability | None
    is_open: bool
    disorder: bool
    takeover: str
    """A link to a mail that takes over the power; empty unless everybody may."""


@public_page
def game(request: HttpRequest, name: str) -> HttpResponse:
    """Show a game with the newest of its phases that are over."""
    story = story_of(name)
    return game_page(story, story.newest, timezone.now())


def game_page(story: Story, phase: Phase | None, now: dt.datetime) -> HttpResponse:
    """Show a game with this phase of it."""
    one, powers = story.game, _powers(story)
    story.read_boards(phase, story.now)
    phase = phase if phase and is_readable(phase) else None
    context = {
        "game": one,
        "variant": board.variant_named(one.variant),
        "status": status_words(one),
        "now": story.now,
        "now_title": board.phase_title(story.now.name) if story.now else "",
        "is_past": bool(story.now and story.now.due_at and story.now.due_at <= now),
        "is_paused": one.status == Status.PAUSED,
        "waiting_for": listed((awaited := _powers_awaited(story)).waiting_for),
        "to_confirm": to_confirm_text(awaited.to_confirm),
        "is_unreadable": awaited.unreadable,
        "ending": _ending(story),
        "gm": own_name(one.gm) if one.gm else "",
        "about": variant_text(one.variant),
        "particulars": particulars(one),
        "starts": " ".join(starts(one)),
        "who_may_join": who_may_join(one),
        "press": press_sentence(one),
        "rules": preset_of(one),
        "timetable": timetable(one),
        "ends": rules_of_end(one),
        "seats": (seats := _seats(story, powers, now)),
        "any_seat": any(row.disorder or row.is_open or row.player for row in seats),
        "named": shows_names(one, Audience.EVERYBODY),
        "shows_board": story.open,
        "to_order": pages_to_order(one, ordered_now(story)),
        "free": free_places(one) if one.status == Status.FORMING else None,
        "join": mail_with(f"JOIN {one.name}"),
        "observe": mail_with(f"OBSERVE {one.name}"),
        "powers": (names := board.variant_named(one.variant).powers),
        "year_rows": [(y.title, [y.centers.get(p, 0) for p in names]) for y in story.years],
        "chart": chart_of(story.years, one.variant),
        "scores": (scores := _scores(story)),
        "any_out": any(score.out for score in scores),
        "start": start_on_page(one.variant) if one.status in BEFORE_START else "",
        "preview": start_address(one.variant) if one.status in BEFORE_START else "",
        **phase_context(story, phase),
    }
    return render_page("pages/game.html", context)


def phase_context(story: Story, phase: Phase | None) -> dict[str, object]:
    """Return what a page needs to show one phase and reach the others."""
    if phase is None:
        return {"phase": None}
    stops = story.stops
    here = next(index for index, stop in enumerate(stops) if stop.name == phase.name)
    return {
        "phase": shown_phase(phase),
        "version": version_of(phase),
        "picture": svg_on_page(story, phase),
        "stops": stops,
        "here": here,
        "before": stops[here - 1] if here else None,
        "after": stops[here + 1] if here + 1 < len(stops) else None,
        "last": len(stops) - 1,
    }


def status_words(one: Game) -> str:
    """Say in what state a game is, in words that follow its name: "is being played"."""
    return f"is {one.get_status_display()}"


def _powers_awaited(story: Story) -> Outstanding:
    """Return the powers for whom the open phase waits, as STATUS tells everybody."""
    return outstanding(story.now) if story.now and story.open else Outstanding()


def _ending(story: Story) -> str:
    one = story.game
    if one.status != Status.FINISHED:
        return ""
    return ended_at(one, story.state)


def _scores(story: Story) -> tuple[Score, ...]:
    return scores_of(story.game, story.years) if story.game.status == Status.FINISHED else ()


def _powers(story: Story) -> list[Power]:
    tenures = Seat.objects.select_related("player").order_by("since", "pk")
    prefetched = Prefetch("seats", tenures)
    return list(powers_shown(story.game).prefetch_related(prefetched))


def _seats(story: Story, powers: list[Power], now: dt.datetime) -> list[SeatRow]:
    named = shows_names(story.game, Audience.EVERYBODY)
    players = [seat.player for power in powers for seat in _running(power)] if named else []
    found = reliabilities(players, now=now, known=attendance_shown()) if players else {}
    return [_row(story.game, power, found, named=named) for power in powers]


def _row(one: Game, power: Power, found: dict[int, Reliability], *, named: bool) -> SeatRow:
    player = next((seat.player for seat in _running(power)), None) if named else None
    is_open: bool = vars(power)["is_open"]
    for_all = one.entry != Game.Entry.INVITED
    return SeatRow(
        power=power.name,
        player=player,
        before=_before(power, player) if named else (),
        found=found.get(player.pk) if player else None,
        is_open=is_open,
        disorder=power.disorder_since is not None and one.status in PLAYED,
        takeover=mail_with(f"TAKEOVER {one.name} {power.name}") if is_open and for_all else "",
    )


def _running(power: Power) -> list[Seat]:
    return [seat for seat in power.seats.all() if seat.until is None]


def _before(power: Power, player: Player | None) -> tuple[Player, ...]:
    """Return the earlier players of the power."""
    earlier = dict.fromkeys(seat.player for seat in power.seats.all() if seat.until is not None)
    return tuple(one for one in earlier if one != player)
