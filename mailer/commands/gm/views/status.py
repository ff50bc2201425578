"""STATUS: who plays, and who still owes orders."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from django.contrib.auth.models import User

from games.acts.let_in import waiting
from games.models import Game, Invitation, Power
from games.queries import lookup
from games.queries.access.roles import plays_in
from games.queries.board import phase_title
from games.queries.endings.ending import result_sentence
from games.queries.endings.votes import open_proposals, what_of
from games.queries.orders.waiting import missing_powers, powers_not_in, words_said
from games.queries.phases.musters import players_with_place, silent_players
from games.queries.players.places import kept_out
from games.queries.players.seats import seats_free
from games.queries.reports.summary import GameSummary, game_summary
from games.queries.reports.what_game import starts
from mailer.commands.calls import Call, QuestionMark
from mailer.commands.gm.base import GmAnswer, GmCommand
from mailer.commands.texts.sentences import UNREADABLE, mustering
from mailer.text import deadline


class Status(GmCommand):
    name = "status"
    asked = QuestionMark.SHOWN
    aliases = ("game", "list")
    usage = "STATUS"
    summary = "see who plays, and who still owes orders"
    help = "It shows no orders."

    def run(self, call: Call, game: Game, user: User, now: dt.datetime) -> GmAnswer:
        phase = lookup.open_phase(game)
        if game.status == Game.Status.FORMING:
            return GmAnswer("\n".join(_forming(game)))
        if game.status == Game.Status.MUSTER:
            return GmAnswer("\n".join(_mustering(game)))
        if game.status == Game.Status.FINISHED:
            return GmAnswer(f"The game {game.name} is over: {result_sentence(game)}.")
        if phase is None:
            return GmAnswer(f"The game {game.name} is {game.get_status_display()}.")
        plays = plays_in(user, game)
        silent = () if plays else missing_powers(phase)
        owing = powers_not_in(phase)
        summary, players = game_summary(game), lookup.players_for_gm(game, user)
        paused, again = game.status == Game.Status.PAUSED, game.resume_at
        when = deadline(phase.due_at, game.timezone, now, paused=paused, resumes_at=again)
        said = {} if plays else words_said(phase)
        known = not summary.outstanding.unreadable
        lines = [
            f"{game.name}: {phase_title(phase.name)}. {when}",
            "",
            *(
                f"{power.name}: {players.get(power.name, 'nobody')}. "
                f"{_state(power, silent, owing, said.get(power.name, ''), known=known)}".rstrip()
                for power in game.powers.order_by("name")
            ),
            *_rest(summary),
            *_proposal_lines(game),
        ]
        return GmAnswer("\n".join(lines))


def _forming(game: Game) -> Iterator[str]:
    """How many seats of a game that has not started are free, when it starts, and who has a place,
    waits for an answer, is invited or is kept out."""
    free, seats = seats_free(game), game.powers.count()
    taken = f"{free} of {seats} seats {'is' if free == 1 else 'are'} free"
    taken = taken if free else "all seats are taken"
    yield f"The game {game.name} has not started: {taken}."
    yield from starts(game, full=not free)
    invited = game.invitations.filter(kind=Invitation.Kind.INVITED).order_by("pk")
    asking = [f"{player.name} ({row.email})" for player, row in waiting(game).values()]
    lists = (
        ("Have joined", [player.name for player in players_with_place(game)]),
        ("Wait for your answer (APPROVE or REFUSE)", asking),
        ("Invited", list(invited.values_list("email", flat=True))),
        ("Kept out", kept_out(game)),
    )
    yield from (f"{title}: {', '.join(names)}." for title, names in lists if names)
    if game.code:
        yield f"Its code: {game.code}."


def _mustering(game: Game) -> Iterator[str]:
    """Who has yet to say that they are here, and who need not: nobody has a power yet."""
    silent = silent_players(game)
    others = [player.name for player in players_with_place(game) if player not in silent]
    yield f"The game {game.name} has not started: {mustering(game, len(silent), game.timezone)}"
    yield f"Not heard from yet: {', '.join(player.name for player in silent)}."
    if others:
        yield f"Sure of their seats: {', '.join(others)}."
    yield "To start with everybody, whether they have answered or not, write START."


def _rest(summary: GameSummary) -> list[str]:
    """What is still missing when no power owes an order, and why we cannot say who owes one."""
    if summary.outstanding.unreadable:
        return ["", UNREADABLE]
    is_rest = summary.to_confirm and not summary.waiting_for
    return ["", f"All orders are in{summary.to_confirm}."] if is_rest else []


def _proposal_lines(game: Game) -> list[str]:
    """The open proposals, without how anybody voted."""
    proposed = [f"Proposal {one.number} is open: {what_of(one)}." for one in open_proposals(game)]
    return ["", *proposed] if proposed else []


def _state(
    power: Power, silent: Sequence[str], owing: Sequence[str], word: str, *, known: bool
) -> str:
    """What a power owes, if that is `known`, whether it said READY or WAIT, and whether somebody
    may take its seat."""
    owes = "Orders are missing." if power.name in owing else "Owes nothing." * known
    if power.name in silent:
        owes = "Nothing has come yet."
    if power.disorder_since:
        owes = "In civil disorder, so nobody waits for it."
    said = [f"Said {word.upper()}."] if word else []
    seat = ["Its seat is open."] if power.open_since else []
    return " ".join(filter(None, [owes, *said, *seat]))
