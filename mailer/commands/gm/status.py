"""STATUS: who plays, and who still owes orders."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.contrib.auth.models import User

from games.acts.let_in import waiting
from games.models import Game, Invitation
from games.queries import lookup
from games.queries.board import phase_title
from games.queries.ending import result_sentence
from games.queries.musters import players_with_place, silent_players
from games.queries.roles import plays_in
from games.queries.summary import GameSummary, game_summary
from mailer.commands.calls import Asked, Call
from mailer.commands.gm.base import GmCommand, Said
from mailer.commands.texts.sentences import mustering
from mailer.text import deadline


class Status(GmCommand):
    name = "status"
    asked = Asked.SHOWN
    aliases = ("game", "list")
    usage = "STATUS"
    summary = "see who plays, and who still owes orders"
    help = "It shows no orders."

    def run(self, call: Call, game: Game, user: User, now: dt.datetime) -> Said:
        phase = lookup.open_phase(game)
        if game.status == Game.Status.FORMING:
            return Said("\n".join(_forming(game)))
        if game.status == Game.Status.MUSTER:
            return Said("\n".join(_mustering(game)))
        if game.status == Game.Status.FINISHED:
            return Said(f"The game {game.name} is over: {result_sentence(game)}.")
        if phase is None:
            return Said(f"The game {game.name} is {game.get_status_display()}.")
        plays = plays_in(user, game)
        silent = () if plays else lookup.missing_powers(phase)
        owing = lookup.powers_not_in(phase)
        summary, players = game_summary(game), lookup.players_for_gm(game, user)
        paused, again = game.status == Game.Status.PAUSED, game.resume_at
        when = deadline(phase.due_at, game.timezone, now, paused=paused, resumes_at=again)
        lines = [
            f"{game.name}: {phase_title(phase.name)}. {when}",
            "",
            *(
                f"{power}: {players.get(power, 'nobody')}. {_state(power, silent, owing)}"
                for power in summary.powers
            ),
            *_rest(summary),
        ]
        return Said("\n".join(lines))


def _forming(game: Game) -> Iterator[str]:
    """Who has a place in a game that has not started, who waits for an answer, who is invited and
    who is kept out."""
    yield f"The game {game.name} has not started."
    rows = list(game.invitations.order_by("pk"))
    of = {kind: [row.email for row in rows if row.kind == kind] for kind in Invitation.Kind}
    asking = [f"{player.name} ({row.email})" for player, row in waiting(game).values()]
    lists = (
        ("Have joined", [player.name for player in players_with_place(game)]),
        ("Wait for your answer (APPROVE or REFUSE)", asking),
        ("Invited", of[Invitation.Kind.INVITED]),
        ("Kept out", of[Invitation.Kind.DENIED]),
    )
    yield from (f"{title}: {', '.join(names)}." for title, names in lists if names)
    if game.code:
        yield f"Its code: {game.code}."


def _mustering(game: Game) -> Iterator[str]:
    """Who has still to say that they are here, and who need not: nobody has a power so far."""
    silent = silent_players(game)
    others = [player.name for player in players_with_place(game) if player not in silent]
    yield f"The game {game.name} has not started: {mustering(game, len(silent), game.timezone)}"
    yield f"Not heard from yet: {', '.join(player.name for player in silent)}."
    if others:
        yield f"Sure of their seats: {', '.join(others)}."
    yield "To start with everybody, whether they have answered or not, write START."


def _rest(summary: GameSummary) -> list[str]:
    """What is still to come when no power owes an order."""
    is_rest = summary.to_confirm and not summary.waiting_for
    return ["", f"All orders are in{summary.to_confirm}."] if is_rest else []


def _state(power: str, silent: tuple[str, ...], owing: tuple[str, ...]) -> str:
    if power in silent:
        return "Nothing has come yet."
    return "Orders are missing." if power in owing else "Owes nothing."
