"""What a picture of a phase is drawn from, for each audience."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from atlas import Subject, influence_after
from games.models import Phase
from games.queries import board
from games.queries.audience import Audience, results_shown, shows_board


def subject_of(phase: Phase, audience: Audience) -> Subject | None:
    """Return what may be drawn of a phase; None when the audience may see nothing of the board.

    A phase that is not adjudicated is drawn as it began: its orders are nobody's business yet.
    """
    if not shows_board(phase.game, audience):
        return None
    variant = phase.game.variant
    position = board.position_of(variant, phase.position)
    if phase.status != Phase.Status.PROCESSED or not phase.outcome:
        return Subject(position)
    results = tuple(
        board.OrderResult(
            power.power, line.text, line.order, line.result, line.reason, line.automatic
        )
        for power in results_shown(phase, audience)
        for line in power.lines
    )
    return Subject(position, results, board.position_of(variant, phase.outcome["next"]))


def influence_of(variant: str, states: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return who was last in each province without a centre, after these states of a game."""
    influence: dict[str, str] = {}
    for state in states:
        influence = influence_after(influence, board.position_of(variant, state))
    return influence
