"""Sentences that more than one command needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.conf import settings

from games.models import Game, Phase
from games.queries.board import phase_title
from games.queries.orders.current_orders import Decisions
from games.queries.phases.decision import decision_of
from games.queries.reports.summary import GameSummary
from games.queries.reports.wording import counted, local_moment
from mailer.identity.senders import Sender

NO_CONDITION = (
    "A command cannot wait for a condition, so we did nothing. To do it now, write it without the "
    "condition."
)
BOARD_UNREADABLE = (
    "We cannot read the board of this game just now. That is our fault, not yours, and nothing "
    "that you sent is lost."
)
UNREADABLE = f"{BOARD_UNREADABLE} But we cannot say whom the game waits for."


def zone_of(sender: Sender) -> str:
    """The reader's time zone; UTC for strangers."""
    return sender.player.timezone if sender.player else "UTC"


def to_other_players(game: Game) -> str:
    """How to write to the other players of a game; "" if nobody can."""
    if game.press_mode == Game.PressMode.NONE:
        return ""
    heading = "BROADCAST" if game.press_mode == Game.PressMode.PUBLIC else "PRESS TO and a power"
    return f"To write to other players, put {heading} on a line, and your text below it."


def how_long(game: GameSummary) -> str:
    """The pace of a game in one sentence."""
    return game.timetable[0]


def is_over(game: Game, so: str = "", *, by_mail: bool = True) -> str:
    """Say that a game is over, `so` that something can no longer be done, and what still can.

    `by_mail` says whether the reader gets the results by mail, as players do.
    """
    name, so = game.name, f", {so}" if so else ""
    others = "LIST shows the games looking for players."
    if game.started_at is None:
        return f"The game {name} was ended before it started{so}. {others}"
    if not by_mail:
        return f"The game {name} is over{so}. Its page shows how it went: {page(game)} {others}"
    ways = " or ".join(f"{word} {name}" for word in looks_back(game))
    return f"The game {name} is over{so}. To read it again, write {ways}; {others}"


def looks_back(game: Game) -> Sequence[str]:
    """The commands that show a game that is over; HISTORY is empty if no phase was played."""
    played = game.phases.filter(status=Phase.Status.PROCESSED).exists()
    return ("HISTORY", "LOG") if played else ("LOG",)


def page(game: Game) -> str:
    """The address of a game's page."""
    return f"{settings.SITE_URL}/games/{game.name}/"


def after_late(game: Game) -> str:
    """The rest of the news that a mail came too late; "" while the game goes on."""
    return f" {is_over(game)}" if game.status == Game.Status.FINISHED else ""


def when_decided(phase: Phase, timezone: str) -> str:
    """When a phase was really decided, and why: `Spring 1901 movement was decided …, as …`"""
    decision, title = decision_of(phase), phase_title(phase.name)
    if decision.how == "undone":
        return f"{title} no longer counts: the game went back."
    if decision.how == "closed":
        return f"{title} was never decided: the game ended before."
    due_at = local_moment(phase.due_at, timezone) if phase.due_at else ""
    if decision.at is None:
        return f"The deadline of {title} was {due_at}." if due_at else ""
    at = f"{title} was decided {local_moment(decision.at, timezone)}"
    if decision.how == "forced":
        return f"{at}, because {decision.by} had it processed{_because(decision.why)}"
    if decision.how == "all in":
        return f"{at}, because all orders were in."
    if decision.how == "waited":
        return f"{at}, when the orders that the game was waiting for had come."
    return f"{title} was decided at its deadline, {due_at}."


def _because(why: str) -> str:
    if not why:
        return "."
    return f": {why}" if why[-1] in ".!?…" else f": {why}."


def mustering(game: Game | GameSummary, silent: int, timezone: str) -> str:
    """How far the muster of a game is, before its start: this many players are `silent`."""
    assert game.muster_until, "only for a game that musters"
    until = local_moment(game.muster_until, timezone)
    return (
        f"all seats are taken, and the players are asked whether they are here, until {until}. "
        f"{counted(silent, 'has', 'have')} still to answer."
    )


def current_text(
    current: Sequence[tuple[str, str | None]],
    step: str,
    before: Mapping[str, str | None] | None = None,
    *,
    over: bool = False,
) -> list[str]:
    """A power's current orders, one line per decision; no line of it can be read as an order.

    Given the earlier orders, lines that have changed say so, unless there were no orders at all.
    `over` means that nothing can be ordered any more.
    """
    total = len(current)
    earlier = before if before and any(before.values()) else dict(current)
    return [
        line
        for number, (unit, order) in enumerate(current, start=1)
        for line in (
            f"{number} of {total}: {order or without_order(unit, step, over=over)}",
            *_change(order, earlier.get(unit)),
        )
    ]


def leave_given(leave: Decisions, before: Decisions = ()) -> list[str]:
    """The powers that a power now lets through a canal, and those that it let through before."""
    now, earlier = dict(leave), dict(before)
    return [
        line
        for canal in {**now, **earlier}
        for line in (
            f"leave given: {now.get(canal) or 'none'}",
            *(_change(now.get(canal), earlier[canal]) if canal in earlier else []),
        )
    ]


def _change(order: str | None, earlier: str | None) -> list[str]:
    if order == earlier:
        return []
    return [f"  before: {earlier}" if earlier else "  before: no order"]


def without_order(unit: str, step: str, *, over: bool) -> str:
    """The end of a sentence: what happens to a unit, build or disband without an order."""
    if over and unit.startswith(("Build", "Disband")):
        return "nothing was chosen in time."
    if over:
        return f"{unit} had no order in time."
    if unit.startswith("Build"):
        return "no build chosen, so it would be lost."
    if unit.startswith("Disband"):
        return "no unit to disband chosen; the rules would choose one."
    if step == "R":
        return f"{unit} has no order yet, so it would be disbanded."
    return f"{unit} has no order yet, so it would hold."
