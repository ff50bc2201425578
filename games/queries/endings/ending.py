"""How games end by rule, and how an ended game is told in a sentence.

A power with enough centres to win ends the game at once, as the judge says. The other rules are
settings, and apply when a year's centres have been counted: a fixed last year, a number of years,
and a number of years in a row without a capture (the Diplomacy Player's Technical Guide, chapter
II, has thirty-five and seven). By these rules, all who own a centre share a draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.board_json import StateJson
from games.models import Game, Phase
from games.models.prepared import Given, Query
from games.queries import board
from games.queries.reports.wording import counted, draw_among, listed
from games.scoring.systems import UNRANKED, system_named

Ending = Game.Ending


@dataclass(frozen=True, slots=True)
class End:
    """How a game ends, and who wins (one power) or shares the draw (several)."""

    how: Game.Ending
    winners: tuple[str, ...]


def end_after(game: Game, phase: str, after: StateJson, winner: str) -> End | None:
    """Return how the game ends with the phase of this name, or None when it goes on.

    `after` and `winner` are the state and the winner that the judge gives for afterwards. The
    phases of the game hold the owners of earlier years.
    """
    if winner:
        return End(Ending.SOLO, (winner,))
    if not counts_centers(phase, after["phase"]):
        return None
    how = _rule_that_ends(game, board.year_of(phase), after)
    return End(how, survivors_with_centers(after)) if how else None


def survivors_with_centers(state: StateJson) -> tuple[str, ...]:
    """Return the powers that own a centre."""
    return tuple(sorted(power for power, centers in state["centers"].items() if centers))


def alive(state: StateJson) -> frozenset[str]:
    """Return the powers that have a centre or a unit, dislodged ones included."""
    dislodged = {one["power"] for one in state["dislodged"]}
    lists = state["units"], state["centers"]
    return frozenset(dislodged.union(power for one in lists for power, has in one.items() if has))


def last_phase(game: Game) -> Phase | None:
    """Return the phase that came last, without those that were taken back; None before the
    start."""
    phase = _LAST.first(game=game.pk)
    if phase is not None:
        phase.game = game
    return phase


_LAST = Query(
    lambda: (
        Phase.objects.filter(game=Given("game"))
        .exclude(status=Phase.Status.UNDONE)
        .order_by("-number")[:1]
    )
)


def final_state(game: Game) -> StateJson | None:
    """Return the position now, or when the game ended; None before the start."""
    phase = last_phase(game)
    return phase.state_left if phase else None


def result_sentence(game: Game) -> str:
    """Say how an ended game ended: "France has won with 18 centres"; "" while it goes on."""
    return ended_at(game, final_state(game)) if game.status == Game.Status.FINISHED else ""


def ended_at(game: Game, state: StateJson | None) -> str:
    """Say how an ended game ended, for whoever has read its last position already."""
    how = Ending(game.ending) if game.ending else Ending.SOLO
    return sentence_of(how, winners_of(game), state, game)


def winners_of(game: Game) -> tuple[str, ...]:
    """Return who won or shares the draw; nobody if the game ended without a result."""
    return tuple(game.winners or ([game.winner] if game.winner else []))


def sentence_of(
    how: Game.Ending, winners: Sequence[str], state: StateJson | None, game: Game
) -> str:
    """Say how a game ends in this way, without a full stop."""
    who = listed(winners)
    if game.started_at is None:
        return "it had not started, and will not be played"
    if not winners:
        return "there is no result"
    if how == Ending.CONCESSION:
        return f"the others have conceded the victory to {who}"
    draw = draw_among(winners) if len(winners) > 1 else f"a win for {who}"
    if how == Ending.DRAW:
        return f"the players have agreed on {draw}"
    if how == Ending.QUIET_YEARS:
        return f"no centre was captured for {_years(game.quiet_years)}, which makes it {draw}"
    if how == Ending.MOST_YEARS:
        return f"the game has lasted {_years(game.most_years)}, which makes it {draw}"
    if how == Ending.LAST_YEAR:
        return f"{game.last_year} was the last year, which makes it {draw}"
    if how == Ending.GM:
        return f"the GM has decided on {draw}"
    number = len(state["centers"].get(winners[0], ())) if state else 0
    return f"{who} has won with {counted(number, 'centre')}"


def says_that_gm_decided(game: Game) -> bool:
    """Whether the sentence on how the game ended names the GM as whoever decided on it."""
    return game.started_at is not None and game.ending == Ending.GM and bool(winners_of(game))


def rules_of_end(game: Game) -> tuple[str, ...]:
    """Say how else than by a solo this game may end, and how its end is scored."""
    summary = system_named(game.scoring).summary if is_scored(game) else ""
    return (_votes(game), *ends_by_rule(game), f"{scoring_sentence(game)} {summary}".rstrip())


def is_scored(game: Game) -> bool:
    """Say whether the end of the game is worth points."""
    return game.scoring != UNRANKED


def scoring_sentence(game: Game) -> str:
    """Say by which system the game is scored, if it is scored."""
    if not is_scored(game):
        return "It is not scored."
    return f"Scoring: {scoring_of(game)}."


def ends_by_rule(game: Game) -> tuple[str, ...]:
    """Say after which years this game ends; nothing if it sets no such year."""
    in_a_row = "" if game.quiet_years == 1 else " in a row"
    ends = {
        f"It ends after {game.last_year} at the latest, {_SHARED}.": game.last_year,
        f"After {_years(game.most_years)} it ends, {_SHARED}.": game.most_years,
        f"After {_years(game.quiet_years)}{in_a_row} without a capture it ends, {_SHARED}.": (
            game.quiet_years
        ),
    }
    return tuple(sentence for sentence, setting in ends.items() if setting)


def _years(number: int) -> str:
    return counted(number, "year")


def scoring_of(game: Game) -> str:
    """Return the title of the system by which the game's end is scored."""
    return system_named(game.scoring).title


_SHARED = "as a draw among all who own a centre"
_DRAWS = {
    Game.Draws.NONE: "",
    Game.Draws.SURVIVORS: "a draw among all survivors",
    Game.Draws.SUBSET: "a draw among any of the survivors",
}


def _votes(game: Game) -> str:
    draw = _DRAWS[Game.Draws(game.draws)]
    conceding = "to concede the victory" if game.concessions else ""
    possible = " or ".join(filter(None, [draw and f"for {draw}", conceding]))
    if not possible:
        return "Nobody votes on the end of the game."
    told = "votes are secret" if game.secret_votes else "everybody is told how each power votes"
    return f"The players may vote {possible}; {told}."


def counts_centers(phase: str, following: str) -> bool:
    """Say whether a year's centres are counted between these phases, because its fall is over then.

    A spring may be years before its fall, and another year begins without a count.
    """
    return phase.startswith("F") and not following.startswith("F")


def _rule_that_ends(game: Game, year: int, after: StateJson) -> Game.Ending | None:
    if game.last_year and year >= game.last_year:
        return Ending.LAST_YEAR
    if not game.most_years and not game.quiet_years:
        return None
    begun = _first_phases(game)
    if game.most_years and year - min(begun) + 1 >= game.most_years:
        return Ending.MOST_YEARS
    if game.quiet_years and _is_quiet(begun, year, game.quiet_years, _owners(after)):
        return Ending.QUIET_YEARS
    return None


def _is_quiet(begun: Mapping[int, int], year: int, years: int, now: Mapping[str, str]) -> bool:
    """Say whether nobody has captured a centre for this many years up to this one."""
    if year - min(begun) + 1 < years:
        return False
    quiet = [pk for one, pk in begun.items() if year - years < one <= year]
    positions = Phase.objects.filter(pk__in=quiet).order_by().values_list("position", flat=True)
    return all(_owners(one) == now for one in positions)


def _first_phases(game: Game) -> dict[int, int]:
    """Return the id of the phase with which each year began."""
    played = game.phases.exclude(status=Phase.Status.UNDONE).order_by("-number")
    return {board.year_of(name): pk for name, pk in played.values_list("name", "pk")}


def _owners(state: StateJson) -> Mapping[str, str]:
    return {center: power for power, centers in state["centers"].items() for center in centers}
