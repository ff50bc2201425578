"""What a picture of a phase shows to each audience."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from atlas import PhasePicture, Subject, phase_pictures
from games.board_json import ResultJson, StateJson
from games.models import UNFINISHED, Phase
from games.queries import board
from games.queries.access import sight
from games.queries.access.audience import (
    Audience,
    is_foggy,
    outcome_shown,
    shows_board,
    state_shown,
)
from games.queries.orders.order_lines import OrderLine, orders_shown


@dataclass(frozen=True, slots=True)
class Trial:
    """Orders tried out in a phase, and their results; the game keeps nothing of it."""

    phase: Phase
    results: Sequence[ResultJson]
    """The judge's, as a phase would store them: only those that the viewer may see."""
    next: StateJson
    """The state after it, as a phase would store it."""
    viewer: str | None
    """The power of that viewer; None for the GM."""


def trial_pictures(trial: Trial) -> tuple[PhasePicture, ...]:
    """Return the pictures of a trial: its orders, and the board that they would leave."""
    return phase_pictures(*sketch_of_trial(trial))


def sketch_of_trial(trial: Trial) -> tuple[Subject, str, Mapping[str, str]]:
    """Return what the pictures of a trial are drawn from, as `atlas.phase_pictures` takes it."""
    phase, variant = trial.phase, trial.phase.game.variant
    before = state_shown(phase.game, phase.position, trial.viewer)
    subject = Subject(
        board.position_of(variant, before),
        tuple(OrderLine.of(one).as_result(one["power"]) for one in trial.results),
        board.position_of(variant, trial.next),
        is_trial=True,
        seen_by=trial.viewer or "",
        in_sight=_in_sight(variant, trial.viewer or "", before, trial.next),
    )
    return subject, f"{phase.game.name} · tried out", influence_before(phase, trial.viewer)


def influence_before(phase: Phase, viewer: str | None) -> dict[str, str]:
    """Return who was last in each province without a centre when the phase began; for a power's
    player, as far as they saw it; for everybody else, as it really was.

    For a long game this reads only the units, unless each board was seen through fog.
    """
    game = phase.game
    played = Phase.objects.filter(game=phase.game_id, number__lte=phase.number)
    played = played.exclude(status=Phase.Status.UNDONE).order_by("number")
    if viewer is None or not is_foggy(game):
        return influence_of(game.variant, played.values_list("position__units", flat=True))
    states = played.values_list("position", flat=True)
    seen = (state_shown(game, state, viewer)["units"] for state in states)
    return influence_of(game.variant, seen)


def subject_of(phase: Phase, audience: Audience, viewer: str | None = None) -> Subject | None:
    """Return what may be drawn of a phase, None if the audience may see nothing of the board.

    A phase that is not adjudicated is drawn as it began, since its orders are nobody's business
    yet; one that a rollback has undone, as its results were told, for mails that have yet to leave.
    `viewer` is the power whose player will see it, None for the GM or for everybody.
    """
    game = phase.game
    if not shows_board(game, audience):
        return None
    position = board.position_of(game.variant, state_shown(game, phase.position, viewer))
    seen_by = (viewer or "") if is_foggy(game) else ""
    in_sight = _in_sight(game.variant, seen_by, phase.position, phase.state_left)
    if phase.status in UNFINISHED or not phase.outcome:
        return Subject(position, seen_by=seen_by, in_sight=in_sight)
    results = tuple(
        line.as_result(power.power)
        for power in orders_shown(outcome_shown(phase, viewer), None)
        for line in power.lines
    )
    after = state_shown(game, phase.outcome["next"], viewer)
    following = board.position_of(game.variant, after)
    return Subject(position, results, following, seen_by=seen_by, in_sight=in_sight)


def _in_sight(
    variant: str, viewer: str, before: StateJson, after: StateJson
) -> tuple[frozenset[str], frozenset[str]]:
    """Return what the viewer sees as a phase begins, and afterwards; nothing without a viewer."""
    if not viewer:
        return frozenset(), frozenset()
    return sight.sight(variant, before, viewer), sight.sight(variant, after, viewer)


def influence_of(variant: str, boards: Iterable[Mapping[str, Sequence[str]]]) -> dict[str, str]:
    """Return who was last in each province without a centre: `boards` are the units of each power
    on a game's boards in turn. It is what `atlas.influence_after` finds, position by position."""
    lands = board.lands_without_center(variant)
    return {
        lands[place]: power
        for units in boards
        for power, names in units.items()
        for place in map(sight.place_of, names)
        if place in lands
    }
