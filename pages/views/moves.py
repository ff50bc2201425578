"""All moves of a finished game on one page of plain text, to keep, to print or to hand on."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from games.models import Game, Phase
from games.queries import board
from games.queries.audience import Audience, results_shown
from games.queries.end_report import tenures_of
from games.queries.ending import ended_at
from games.queries.order_lines import OrderLine
from games.queries.phase_report import captures_between
from games.queries.staff_names import own_name
from games.queries.what_game import preset_of
from pages.story import Story, story_of
from pages.web import public_page


@public_page
def moves(request: HttpRequest, name: str) -> HttpResponse:
    """Return the orders and results of every phase of a finished game. Raises Http404 while it is
    being played."""
    story = story_of(name)
    if story.game.status != Game.Status.FINISHED or not story.over:
        raise Http404(f"{story.game.name} is not over yet.")
    story.read_boards(*story.phases)
    parts = [_head(story), *(_phase(one) for one in story.over)]
    text = "\n\n\n".join("\n".join(lines) for lines in parts)
    return HttpResponse(f"{text}\n", content_type="text/plain; charset=utf-8")


def _head(story: Story) -> Iterator[str]:
    """Say which game it was, how it ended, and who played it."""
    game, how = story.game, ended_at(story.game, story.state)
    yield game.name
    yield f"{board.variant_named(game.variant).title}, {preset_of(game)} rules"
    if game.gm and (gm := own_name(game.gm)):
        yield f"Game master: {gm}"
    if game.started_at and game.finished_at:
        yield f"Played from {game.started_at:%-d %b %Y} to {game.finished_at:%-d %b %Y} (UTC)"
    yield f"{how[0].upper()}{how[1:]}."
    yield f"{settings.SITE_URL}{reverse('game', kwargs={'name': game.name})}"
    yield ""
    for one in tenures_of(game):
        since, until = one.since or "the start", one.until or "the end"
        yield f"{one.power}: {one.player}, from {since} to {until}"
    yield ""
    for year in story.years:
        ranked = sorted(year.centers.items(), key=lambda one: (-one[1], one[0]))
        yield f"{year.title}: {', '.join(f'{power} {owns}' for power, owns in ranked if owns)}"


def _phase(phase: Phase) -> Iterator[str]:
    """Say what each power ordered and what came of it, and which centres changed hands."""
    assert phase.outcome, "a phase that is over has an outcome"
    title = board.phase_title(phase.name)
    yield f"{title} ({phase.name})"
    yield "-" * len(f"{title} ({phase.name})")
    for power in results_shown(phase, Audience.EVERYBODY):
        yield f"{power.power}:"
        yield from (f"  {_order(line)}" for line in power.lines)
        if power.unbuilt:
            yield f"  builds not used: {power.unbuilt}"
    for one in captures_between(phase.position["centers"], phase.outcome["next"]["centers"]):
        whose = f" from {one.before}" if one.before else ""
        yield f"{one.after or 'Nobody'} takes {one.center}{whose}."


def _order(line: OrderLine) -> str:
    """Write `A Paris - Burgundy: bounced.`, and where the rules chose, that nobody ordered it."""
    came = f": {', '.join(line.result)}" if line.result else ""
    unasked = " (nobody ordered it)" if line.text is None or line.automatic else ""
    return f"{line.order}{came}{unasked}"
