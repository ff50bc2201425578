"""Shows again what was mailed before: the results of a phase, and its board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.template.loader import render_to_string

from games.errors import NotFound
from games.models import Game, Phase, Power
from games.queries import lookup
from games.queries.access.audience import state_shown
from games.queries.board import is_phase, phase_title, position_of
from games.queries.phases.centers import possessions_in
from games.queries.reports.phase_report import dislodged_in, phase_report
from games.queries.reports.wording import listed
from mailer.models import OutboundMail
from mailer.notices.parts import sections
from mailer.notices.phases.phase_processed import after
from mailer.outbound.pictured import PictureRequest

_Board = Mapping[str, Sequence[str] | Sequence[Sequence[str]]]


class Retelling(NamedTuple):
    """Something shown again: its title, the whole text, and what its pictures show."""

    title: str
    text: str
    pictured: PictureRequest


def results_again(
    game: Game, words: Sequence[str], viewer: str | None, power: Power | None = None
) -> Retelling:
    """The results of the phase named, or of the last one, with the orders of `power` apart.

    The `viewer` is the power whose player will read it; None: they see the whole board. Raises
    NotFound.
    """
    phase = _phase_named(game, [word.upper() for word in words if word.lower() != "from"])
    report = phase_report(phase, power)
    text = render_to_string(
        "mail/result.txt",
        {
            "mine": sections.own_orders(report),
            "orders": sections.other_orders(report),
            "in_part": report.in_part,
            "after": after(report),
        },
    )
    over = [f"The game is over: {report.ending}."] if report.ending else []
    whole = "\n\n".join([f"{report.title} in {report.game}", *over, text.strip()])
    return Retelling(
        report.title, whole, PictureRequest(OutboundMail.Pictures.RESULTS, phase, viewer)
    )


def board_again(
    game: Game, words: Sequence[str], viewer: str | None, own: str | None = None
) -> Retelling:
    """The board of the open phase, or at the end, or as a finished phase that is named began.

    The reader's `own` power comes first. The `viewer` is as for `results_again`. Raises NotFound.
    """
    past = _past(game, words)
    phase = past or lookup.open_phase(game)
    shown = _board_before(phase, viewer, own) if phase else _last(game)
    title = _title(phase, is_past=past is not None)
    board = render_to_string("mail/board.txt", shown)
    return Retelling(
        title, f"{title}, game {game.name}\n\n{board}", _picture_request(game, phase, viewer)
    )


def _past(game: Game, words: Sequence[str]) -> Phase | None:
    """The phase named, if it is over; None if no phase is named, or the one being played."""
    name = words[0].upper() if words else ""
    now = lookup.open_phase(game)
    if not is_phase(name) or (now and now.name == name):
        return None
    return _phase_named(game, [name])


def _title(phase: Phase | None, *, is_past: bool) -> str:
    if phase is None:
        return "The board at the end"
    title = phase_title(phase.name)
    return f"The board as {title} began" if is_past else f"The board in {title}"


def _picture_request(game: Game, phase: Phase | None, viewer: str | None) -> PictureRequest:
    """A picture of the board in the open phase, or in the last phase of a finished game."""
    if phase:
        return PictureRequest(OutboundMail.Pictures.POSITION, phase, viewer)
    return PictureRequest(OutboundMail.Pictures.RESULTS, _phase_named(game, []), viewer)


def _board_before(phase: Phase, viewer: str | None, own: str | None) -> _Board:
    """The board as a phase began."""
    game = phase.game
    position = position_of(game.variant, state_shown(game, phase.position, viewer))
    return {
        "board": sections.board(possessions_in(game, position, viewer), first=[own or ""]),
        "driven_out": sections.dislodged_lines(dislodged_in(position, viewer)),
    }


def _last(game: Game) -> _Board:
    """The board when the game ended."""
    report = phase_report(_phase_named(game, []), None)
    return {
        "board": sections.board(report.possessions),
        "driven_out": [
            f"{one.power}: {one.unit} was dislodged, and the game ended before it could retreat."
            for one in report.dislodged
        ],
    }


def _phase_named(game: Game, words: Sequence[str]) -> Phase:
    over = game.phases.select_related("game").filter(status=Phase.Status.PROCESSED)
    phase = (over.filter(name=words[0]) if words else over).order_by("-number").first()
    if phase is None:
        names = list(over.order_by("-number").values_list("name", flat=True)[:6])
        if not names and game.status == Game.Status.FINISHED:
            raise NotFound(f"The game {game.name} ended before its first phase was over.")
        if not names:
            raise NotFound(f"No phase of the game {game.name} is over yet.")
        asked = f" {words[0]}" if words else ""
        were = "one was" if len(names) == 1 else "ones were"
        known = f"The last {were} {listed(names)}."
        raise NotFound(f"There is no phase{asked} that is over in the game {game.name}. {known}")
    return phase
