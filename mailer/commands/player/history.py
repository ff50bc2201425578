"""HISTORY: what a phase that is over brought. MAP: the board now."""

from __future__ import annotations

from django.template.loader import render_to_string

from games.errors import NotFound
from games.models import Game, Phase
from games.queries import lookup
from games.queries.audience import state_shown
from games.queries.board import is_phase, phase_title, position_of
from games.queries.centers import standings_in
from games.queries.phase_report import dislodged_in
from mailer.commands.base import Arrival, Receipt, Verb
from mailer.commands.calls import Asked, Call, Takes
from mailer.commands.seats import board_viewer, game_watched
from mailer.identity.senders import Sender
from mailer.models import OutboundMail
from mailer.notices import sections
from mailer.notices.phase_processed import after
from mailer.outbound.pictured import Pictured
from mailer.text import listed


class History(Verb):
    name = "history"
    aliases = ("results",)
    usage = "HISTORY [game] [phase]"
    summary = "see the results of the last phase, or of one like F1901M"
    help = (
        "Shows orders and results of the phase before the one being played. Name another as S, F "
        "or W, the year, and M, R or A for movement, retreats or adjustments.\n"
        "Example: HISTORY S1901M\n"
        "It is for those who play, have played or observe the game."
    )
    takes = Takes.MAYBE
    names_game = True
    asked = Asked.SHOWN

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        game, seat, words = game_watched(call.argument, sender)
        phase = _phase_named(game, [word.upper() for word in words if word.lower() != "from"])
        viewer = board_viewer(game, seat)
        report = lookup.phase_report(phase, seat.power if seat and seat.until is None else None)
        text = render_to_string(
            "mail/result.txt",
            {
                "mine": sections.own_orders(report),
                "orders": sections.other_orders(report),
                "in_part": report.in_part,
                "after": after(report),
            },
        )
        title = f"{report.title} in {report.game}"
        over = [f"The game is over: {report.ending}."] if report.ending else []
        return Receipt(
            title="Results again",
            text="\n\n".join([title, *over, text.strip()]),
            pictured=Pictured(OutboundMail.Pictures.RESULTS, phase, viewer),
            subject=f"[{report.game}] {report.title}: results again",
        )


class Map(Verb):
    name = "map"
    aliases = ("board", "position")
    usage = "MAP [game] [phase]"
    summary = "see who has which units and centres"
    help = (
        "Shows every power's centres and units in the phase being played, or at the game's end, as "
        "text and as a picture. Name a phase that is over to see the board with which it began.\n"
        "Example: MAP F1901M"
    )
    takes = Takes.MAYBE
    names_game = True
    asked = Asked.SHOWN

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        game, seat, words = game_watched(call.argument, sender)
        past = _past(game, words)
        phase, viewer = past or lookup.open_phase(game), board_viewer(game, seat)
        shown = _begun(phase, viewer) if phase else _last(game)
        board = render_to_string("mail/board.txt", shown)
        title = _title(phase, is_past=past is not None)
        return Receipt(
            title="The map",
            text=f"{title}, game {game.name}\n\n{board}",
            subject=f"[{game.name}] {title}",
            pictured=_pictured(game, phase, viewer),
        )


def _past(game: Game, words: list[str]) -> Phase | None:
    """The phase that is named, if it is over; None where none is, or the one being played."""
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


def _pictured(game: Game, phase: Phase | None, viewer: str | None) -> Pictured:
    """The board of the open phase, or the last phase of a game that is over."""
    if phase:
        return Pictured(OutboundMail.Pictures.POSITION, phase, viewer)
    return Pictured(OutboundMail.Pictures.RESULTS, _phase_named(game, []), viewer)


def _begun(phase: Phase, viewer: str | None) -> dict[str, list[str] | list[list[str]]]:
    """How all stood as a phase began."""
    game = phase.game
    position = position_of(game.variant, state_shown(game, phase.position, viewer))
    return {
        "board": sections.board(standings_in(game, position, viewer)),
        "driven_out": sections.dislodged(dislodged_in(position, viewer)),
    }


def _last(game: Game) -> dict[str, list[str] | list[list[str]]]:
    """How all stood when the game ended."""
    report = lookup.phase_report(_phase_named(game, []), None)
    return {
        "board": sections.board(report.standings),
        "driven_out": [
            f"{one.power}: {one.unit} was dislodged, and the game ended before it could retreat."
            for one in report.dislodged
        ],
    }


def _phase_named(game: Game, words: list[str]) -> Phase:
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
