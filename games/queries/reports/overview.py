"""A game at a glance, for those who look after it: its powers, its board, its phases, what is new.

Nothing here is an order or a word of press. Viewers who play in the game see less (`inside` False).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from games.board_json import StateJson
from games.events import GamePaused
from games.models import UNFINISHED, Attendance, Event, Game, Phase, Proposal
from games.models.phase import OF_PHASE
from games.queries import board
from games.queries.access.audience import hides_who_decides, is_foggy, untold_facts
from games.queries.orders.current_orders import deciding, is_readable
from games.queries.orders.waiting import early_at, to_confirm_text
from games.queries.orders.wishes import unanswered_wishes
from games.queries.phases.centers import board_text
from games.queries.phases.sheet import sheet_of
from games.queries.reports.log_text import SHOWN, sentence
from games.queries.reports.next_step import Situation, Wish
from games.queries.reports.power_rows import AGAIN, OWING, PowerRow, PowerRows
from games.queries.reports.wording import opening

LAST = 15
"""How many entries of the log a page shows; the whole log has pages of its own."""
PHASES = 8
"""How many phases a page shows, the newest."""
RECENT = 4
"""For how many phases we say how much press was written in each."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry of the log."""

    number: int
    at: dt.datetime
    sentence: str
    digest: str


@dataclass(frozen=True, slots=True)
class Overview:
    """All of it."""

    game: Game
    phase: Phase | None
    """The open phase."""
    title: str
    """The title of the open phase, empty without one."""
    rows: tuple[PowerRow, ...]
    board: str
    """The newest board as text; empty if the viewer may not see it."""
    lines: tuple[LogLine, ...]
    """The latest entries of the log, the newest first."""
    events: int
    """How many entries the log has in all."""
    phases: tuple[Phase, ...]
    """The latest phases, the newest first."""
    phases_in_all: int
    press_phases: tuple[Phase, ...]
    """The phases for which we say how much press was written, the oldest first."""
    grey: tuple[int, ...]
    """How much grey and fake press there was in each of them, and at last all of it: whose it is
    stays secret."""
    proposals: tuple[Proposal, ...]
    to_confirm: str
    """What is still to come when every order is in, as `to_confirm_text` has it."""
    asked: tuple[Wish, ...]
    """The wishes for more time that wait for an answer."""
    veiled: bool
    """The viewer, who plays in fog of war, may not know whom it waits for."""

    @property
    def shows_press(self) -> bool:
        """Whether there may be press to count: a game without any may have letters to its GM."""
        has_press = self.game.press_mode != Game.PressMode.NONE
        return bool(self.press_phases) and (has_press or any(row.press_total for row in self.rows))

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The powers that still owe an order, or a word since the deadline moved."""
        return tuple(row.power for row in self.rows if row.state in OWING)

    @property
    def situation(self) -> Situation:
        """How it stands, for what it needs next."""
        game, phase = self.game, self.phase
        adrift = {row.power for row in self.rows if row.is_adrift}
        again = tuple(row.power for row in self.rows if row.state == AGAIN)
        return Situation(
            status=game.status,
            title=self.title,
            due_at=phase.due_at if phase else None,
            stuck=phase is not None and phase.status == Phase.Status.STUCK,
            veiled=self.veiled,
            waits=phase is not None and phase.overdue_at is not None,
            policy=game.when_missing,
            missing=tuple(one for one in self.waiting_for if one not in {*adrift, *again}),
            to_speak_again=again,
            to_confirm=self.to_confirm,
            deciding=len(deciding(phase)) if phase else 0,
            by_itself=game.process_early,
            early_at=early_at(phase) if phase and game.process_early else None,
            adrift=tuple(sorted(adrift)) if phase else (),
            asked=self.asked,
            resume_at=game.resume_at,
            starts_at=game.starts_at,
            clock=game.timezone,
            free=getattr(game, "places", 0) - getattr(game, "taken", 0),
            asking=getattr(game, "asking", 0),
            silent=getattr(game, "silent", 0),
        )


def pause_reason(game: Game) -> str:
    """Write who paused the game and why, "The server: Easter."; "" unless it is paused."""
    said = game.events.filter(kind=GamePaused.kind).order_by("-number")
    pause = said.first() if game.status == Game.Status.PAUSED else None
    if pause is None:
        return ""
    facts = GamePaused.of(pause)
    return f"{opening(facts.by)}: {facts.why}"


def overview(
    game: Game,
    *,
    now: dt.datetime,
    inside: bool,
    known: QuerySet[Attendance] | None = None,
) -> Overview:
    """Look at the game. With `inside` False, show only what STATUS tells everybody; players are
    judged by what is `known`, by everything without it."""
    phases = tuple(game.phases.defer("orders", "outcome").order_by("-number")[:PHASES])
    phase = next((one for one in phases if one.status in UNFINISHED), None)
    if phase is not None:
        phase.game = game
    recent = [one for one in phases if one.status != Phase.Status.UNDONE][:RECENT]
    state = _state_of(phase, recent) if inside or not is_foggy(game) else None
    sheet = sheet_of(phase) if phase else None
    rows = PowerRows(game, sheet, recent, state, now, inside=inside, known=known)
    lines = _lines(game, inside=inside)
    return Overview(
        game=game,
        phase=phase,
        title=board.phase_title(phase.name) if phase else "",
        rows=rows.rows(),
        board=_board(game, phase, state),
        lines=lines,
        events=lines[0].number if lines else 0,
        phases=phases,
        phases_in_all=phases[0].number if phases else 0,
        press_phases=tuple(recent[::-1]),
        grey=rows.grey() if inside else (),
        proposals=_proposals(game) if inside else (),
        to_confirm=to_confirm_text(sheet.to_confirm(rows.awaited)) if sheet else "",
        asked=unanswered_wishes([phase]).get(phase.pk, ()) if phase else (),
        veiled=not inside and phase is not None and hides_who_decides(phase),
    )


def _state_of(phase: Phase | None, recent: Sequence[Phase]) -> StateJson | None:
    """The newest board: of the open phase, or what the last one left."""
    newest = phase or next(iter(recent), None)
    return newest.state_left if newest else None


def _board(game: Game, phase: Phase | None, state: StateJson | None) -> str:
    """The board as text; empty if the viewer may not see it, or the judge cannot read it."""
    if state is None or (phase and not is_readable(phase)):
        return ""
    return board_text(board.position_of(game.variant, state))


def _proposals(game: Game) -> tuple[Proposal, ...]:
    found = game.proposals.filter(state=Proposal.State.OPEN)
    return tuple(found.select_related("seat__power"))


def _lines(game: Game, *, inside: bool) -> tuple[LogLine, ...]:
    newest = game.events.select_related("phase").defer(*OF_PHASE).order_by("-number")[:LAST]
    return tuple(_line(one, game, inside=inside) for one in newest)


def _line(event: Event, game: Game, *, inside: bool) -> LogLine:
    event.game = game
    if event.phase:
        event.phase.game = game
    said = sentence(event, untold=() if inside else untold_facts(event))
    return LogLine(event.number, event.created_at, said, event.digest[:SHOWN])
