"""Faults in the settings of a game: all of them at once, each with its setting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q

from games.errors import BadInput
from games.models import Game
from games.queries import board
from games.queries.reports.wording import did_you_mean
from games.queries.tournaments.tournament import games_of
from games.scoring.systems import system_named
from games.services.accounts.profile import zone_named
from games.settings import SETTINGS
from games.timing.clock import read_clock, read_days_off
from games.timing.deadlines import NOTHING
from games.timing.pace import pace_of
from games.timing.reminders import read_ladder
from games.timing.zones import known_zones

Fault = tuple[str, str]
"""The name of a setting, and the sentence on what is wrong with it; no name: with several."""

LENGTHS = ("movement_length", "retreat_length", "adjustment_length", "extension_length")
EXTRAS = ("first_extra", "transit_grace", "early_delay", "muster", "takeover_time")
CLOCKS = ("movement_clock", "retreat_clock", "adjustment_clock")
MOST_GAMES = 100
"""Of one tournament: its table is worked out again whenever somebody looks."""


def game_faults(game: Game) -> list[Fault]:
    """Return all that is wrong with a game that is not yet made."""
    found = [*_board_faults(game), *_name_faults(game), *_gm_faults(game), *time_faults(game)]
    found += tournament_faults(game)
    board_is_known = "variant" not in (name for name, _ in found)
    return [*found, *(end_faults(game) if board_is_known else ())]


def time_faults(game: Game) -> list[Fault]:
    """Return what cannot be read or makes no sense in a game's times."""
    found = list(_time_faults(game))
    if not found:
        found += _fault_in("", lambda: pace_of(game).check())
    return found


def end_faults(game: Game) -> list[Fault]:
    """Return what makes no sense in how the game is to end and to be scored."""
    found = list(_fault_in("scoring", lambda: system_named(game.scoring)))
    first = board.year_of(board.first_state(game.variant)["phase"])
    if game.last_year is not None and game.last_year < first:
        said = f"The game begins in {first}, so it cannot end after {game.last_year}."
        found.append(("last_year", said))
    return found


def tournament_faults(game: Game) -> Iterator[Fault]:
    """Yield why a game cannot be one of the tournament that it names.

    Nobody can join another's tournament: a table to which anybody could add a game would be worth
    nothing.
    """
    if not game.tournament:
        return
    others = games_of(game.tournament).exclude(pk=game.pk)
    first = others.first()
    if first and not others.filter(_same_hands(game)).exists():
        yield (
            "tournament",
            f"The games of the tournament {first.tournament} have another game master. Please "
            "choose another name, or ask to be made co-GM of one of them.",
        )
    elif others.count() >= MOST_GAMES:
        yield "tournament", f"A tournament has {MOST_GAMES} games at most."


def _same_hands(game: Game) -> Q:
    """Games that the GM of this one looks after, too; without a GM, those that its maker made."""
    if game.gm_id is None:
        return Q(gm=None, maker=game.maker_id)
    return Q(gm=game.gm_id) | Q(co_gms__user=game.gm_id)


def name_taken(game: Game) -> str:
    """Return the sentence that another game has its name."""
    return f"There is already a game {game.name}. Please choose another name."


@contextmanager
def name_guarded(game: Game) -> Iterator[None]:
    """Raise BadInput if another game takes the name while this one is saved: two people may ask for
    it at the same moment, or one person twice."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise BadInput(name_taken(game)) from None


def require_none(faults: list[Fault]) -> None:
    """Raise BadInput for the first fault."""
    if faults:
        raise BadInput(faults[0][1])


def _board_faults(game: Game) -> Iterator[Fault]:
    unknown = list(_fault_in("variant", lambda: board.variant_named(game.variant)))
    yield from unknown or _fault_in(
        "variant_options", lambda: board.variant_chosen(game.variant, game.variant_options)
    )
    yield from _fault_in("rules", lambda: board.rulebook_of(game.rules))


def _name_faults(game: Game) -> Iterator[Fault]:
    if Game.objects.filter(name__iexact=game.name).exclude(pk=game.pk).exists():
        yield "name", name_taken(game)
    try:
        game.full_clean(exclude=["created_at"], validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        for name, wrong in error.error_dict.items():
            yield name, " ".join(_in_words(name, one) for one in wrong)


_BOUNDS = {
    "blank": "cannot be empty.",
    "max_length": "can have at most {limit_value} characters; this has {show_value}.",
    "max_value": "can be at most {limit_value}.",
    "min_value": "has to be at least {limit_value}.",
}
"""By the codes of Django, whose own sentences do not say of which setting they are."""


def _in_words(name: str, error: ValidationError) -> str:
    if error.code not in _BOUNDS or name not in SETTINGS:
        return " ".join(error.messages)
    return f"“{SETTINGS[name].label}” {_BOUNDS[error.code].format(**error.params or {})}"


def _gm_faults(game: Game) -> Iterator[Fault]:
    """The settings that would wait for a game master in a game that has none.

    Nobody else would be told.
    """
    if game.gm is None and game.entry == Game.Entry.APPROVAL:
        yield "entry", "This takes a game master: without one nobody lets players in."
    if game.gm is None and game.when_missing == Game.WhenMissing.GM:
        yield "when_missing", "This takes a game master: without one nobody decides how it goes on."


def _of_no_zone(name: str) -> str:
    """That there is no such time zone, and which may be meant: that of a city, or one spelt much
    like it."""
    try:
        near = f" Did you mean {zone_named(name)}?"
    except BadInput as error:
        near = did_you_mean(name, known_zones())
        if "Did you mean" in str(error):
            return str(error)
    return f"There is no time zone “{name}”. Write it like Europe/Berlin or UTC.{near}"


def _time_faults(game: Game) -> Iterator[Fault]:
    if game.timezone not in known_zones():
        yield "timezone", _of_no_zone(game.timezone)
    for name in LENGTHS:
        if getattr(game, name) <= NOTHING:
            yield name, "A phase has to last longer than no time at all."
    for name in EXTRAS:
        if (getattr(game, name) or NOTHING) < NOTHING:
            yield name, "A length of time cannot be negative."
    for name in CLOCKS:
        yield from _fault_in(name, lambda name=name: read_clock(getattr(game, name)))  # type: ignore[misc]
    yield from _fault_in("days_off", lambda: read_days_off(game.days_off))
    yield from _fault_in("reminders", lambda: read_ladder(game.reminders))


def _fault_in(name: str, read: Callable[[], object]) -> Iterator[Fault]:
    try:
        read()
    except BadInput as error:
        yield name, str(error)
