"""All moves of a finished game on one page, and as plain text to keep, to print or to hand on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from games.models import Game, Phase
from games.queries import board
from games.queries.access.audience import Audience, results_shown
from games.queries.access.staff_names import own_name
from games.queries.endings.ending import ended_at
from games.queries.orders.order_lines import OrderLine, PowerOrders
from games.queries.reports.end_report import tenures_of
from games.queries.reports.phase_report import captures_between
from games.queries.reports.what_game import preset_of
from pages.story import Story, story_of
from pages.web import public_page, render_page


@dataclass(frozen=True, slots=True)
class Moves:
    """What happened in a phase: each power's lines, then who took which centre."""

    title: str
    name: str
    powers: tuple[tuple[str, tuple[str, ...]], ...]
    captures: tuple[str, ...]


@public_page
def moves(request: HttpRequest, name: str) -> HttpResponse:
    """Show the orders and results of every phase of a finished game. Raises Http404 while it is
    being played."""
    story = _finished_story(name)
    phases = [_phase(one) for one in story.over]
    context = {
        "game": story.game,
        "about": (*_about(story), "", *_players(story)),
        "phases": phases,
    }
    return render_page("pages/moves.html", context)


@public_page
def as_text(request: HttpRequest, name: str) -> HttpResponse:
    """Return the same as plain text. Raises Http404 while the game is being played."""
    story = _finished_story(name)
    parts = [_head(story), *(_phase_text(_phase(one)) for one in story.over)]
    text = "\n\n\n".join("\n".join(lines) for lines in parts)
    return HttpResponse(f"{text}\n", content_type="text/plain; charset=utf-8")


def _finished_story(name: str) -> Story:
    story = story_of(name)
    if story.game.status != Game.Status.FINISHED or not story.over:
        raise Http404(f"{story.game.name} is not over yet.")
    story.read_boards(*story.phases)
    return story


def _head(story: Story) -> Iterator[str]:
    """Name the game and its page, and repeat what the page says of it."""
    yield story.game.name
    yield from _about(story)
    yield f"{settings.SITE_URL}{reverse('game', kwargs={'name': story.game.name})}"
    yield ""
    yield from _players(story)


def _about(story: Story) -> Iterator[str]:
    """Say which game it was, and how it ended."""
    game, how = story.game, ended_at(story.game, story.state)
    yield f"{board.variant_named(game.variant).title}, {preset_of(game)} rules"
    if game.gm and (gm := own_name(game.gm)):
        yield f"Game master: {gm}"
    if game.started_at and game.finished_at:
        yield f"Played from {game.started_at:%-d %b %Y} to {game.finished_at:%-d %b %Y} (UTC)"
    yield f"{how[0].upper()}{how[1:]}."


def _players(story: Story) -> Iterator[str]:
    """Say who played it, and how many centres they had each year."""
    for one in tenures_of(story.game):
        since, until = one.since or "the start", one.until or "the end"
        yield f"{one.power}: {one.player}, from {since} to {until}"
    yield ""
    for year in story.years:
        ranked = sorted(year.centers.items(), key=lambda one: (-one[1], one[0]))
        yield f"{year.title}: {', '.join(f'{power} {owns}' for power, owns in ranked if owns)}"


def _phase(phase: Phase) -> Moves:
    """Say what each power ordered and what became of it, and which centres changed hands."""
    assert phase.outcome, "a phase that is over has an outcome"
    captures = captures_between(phase.position["centers"], phase.outcome["next"]["centers"])
    return Moves(
        title=board.phase_title(phase.name),
        name=phase.name,
        powers=tuple((one.power, _of(one)) for one in results_shown(phase, Audience.EVERYBODY)),
        captures=tuple(one.sentence for one in captures),
    )


def _of(power: PowerOrders) -> tuple[str, ...]:
    unbuilt = (f"builds not used: {power.unbuilt}",) if power.unbuilt else ()
    return (*map(_order, power.lines), *unbuilt)


def _phase_text(phase: Moves) -> Iterator[str]:
    """Write a phase as plain text, below a line that sets it off."""
    yield f"{phase.title} ({phase.name})"
    yield "-" * len(f"{phase.title} ({phase.name})")
    for power, lines in phase.powers:
        yield f"{power}:"
        yield from (f"  {line}" for line in lines)
    yield from phase.captures


def _order(line: OrderLine) -> str:
    """Write `A Paris - Burgundy: bounced.`, and say so if nobody but the rules chose the order."""
    came = f": {', '.join(line.result)}" if line.result else ""
    unasked = " (nobody ordered it)" if line.text is None or line.automatic else ""
    return f"{line.order}{came}{unasked}"
