"""What a picture of a phase is drawn from, for each audience."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atlas import PhasePicture, Subject, influence_after, phase_pictures
from games.models import Phase
from games.queries import board
from games.queries.audience import Audience, results_shown, shows_board


@dataclass(frozen=True, slots=True)
class Trial:
    """Orders tried out in a phase, and what they would bring; the game keeps nothing of it.

    `results` and `next` are the judge's, as a phase would store them: of the results only those
    that whoever sees the picture may see.
    """

    phase: Phase
    results: Sequence[Mapping[str, Any]]
    next: Mapping[str, Any]


def trial_pictures(trial: Trial) -> tuple[PhasePicture, ...]:
    """Return the pictures of a trial: its orders, and the board that they would leave."""
    phase, variant = trial.phase, trial.phase.game.variant
    subject = Subject(
        board.position_of(variant, phase.position),
        tuple(
            board.OrderResult(
                one["power"],
                one["text"],
                one["order"],
                tuple(one["result"]),
                one["reason"],
                one["automatic"],
                one.get("ends"),
            )
            for one in trial.results
        ),
        board.position_of(variant, trial.next),
        is_trial=True,
    )
    return phase_pictures(subject, f"{phase.game.name} · tried out", influence_before(phase))


def influence_before(phase: Phase) -> dict[str, str]:
    """Return who was last in each province without a centre when the phase began."""
    played = phase.game.phases.filter(number__lte=phase.number).exclude(status=Phase.Status.UNDONE)
    states = played.order_by("number").values_list("position", flat=True)
    return influence_of(phase.game.variant, states)


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
        line.as_result(power.power)
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
