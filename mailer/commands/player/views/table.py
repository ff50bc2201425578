"""TABLE: how everybody stands in a tournament."""

from __future__ import annotations

import re

from django.conf import settings

from games.errors import NotFound
from games.models import Game
from games.queries.parsing.game_names import game_by_name
from games.queries.reports.wording import counted, listed
from games.queries.tournaments.tournament import Rank, Tournament, tournament_named, tournaments
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Sender, seat_meant
from mailer.text import bullets, paragraph

_BEFORE = r"(?:(?:of|for|in|the|tournament)\s+)*"
"""Words before a name, as in a sentence."""
MOST = 60
"""How many players or tournaments the mail shows, so that it does not become a book."""


class Table(PlayerCommand):
    name = "table"
    aliases = ("tournament", "tournaments", "standings")
    usage = "TABLE [tournament]"
    summary = "see how everybody stands in a tournament"
    help = (
        "A tournament is several games whose scores add up. Write TABLE and its name, or the name "
        "of one of its games, for the points of everybody who has finished a game of it. TABLE "
        "alone in an answer to a game's mail is about that game's tournament; anywhere else it "
        "lists all tournaments.\n"
        "Example: TABLE spring-cup"
    )
    takes = Takes.MAYBE
    names_game = True
    asked = QuestionMark.SHOWN
    argument = re.compile(rf"{_BEFORE}[\w-]*[ .!?]*", re.IGNORECASE)
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        """Show the table of the tournament that is meant, or list all tournaments."""
        name = re.sub(f"^{_BEFORE}", "", call.argument, flags=re.IGNORECASE).strip(" .!?")
        if name:
            return _table(_find(name))
        seat = seat_meant(sender)
        if seat and seat.power.game.tournament:
            return _table(tournament_named(seat.power.game.tournament))
        return _all()


def _find(name: str) -> Tournament:
    """The tournament of that name, or the one that a game of that name belongs to."""
    try:
        return tournament_named(name)
    except NotFound as unknown:
        try:
            game = game_by_name(name)
        except NotFound:
            raise unknown from None
    if not game.tournament:
        raise NotFound(f"The game {game.name} belongs to no tournament.")
    return tournament_named(game.tournament)


def _table(one: Tournament) -> Receipt:
    ranks = [paragraph(_rank(rank), indent="   ", first="") for rank in one.ranks[:MOST]]
    parts = [how_far(one), "\n".join(ranks)]
    if len(one.ranks) > MOST:
        parts.append(f"These are the first {MOST}. All of them: {_address(one.name)}")
    besides = (
        _games_line("Not over yet", one.to_come),
        _without_result(one),
        _scoring_sentence(one),
    )
    parts += [paragraph(said) for said in besides if said]
    return Receipt(
        title=f"The tournament {one.name}",
        text="\n\n".join(part for part in parts if part),
        subject=f"The tournament {one.name}",
    )


def how_far(one: Tournament) -> str:
    """Say how many games of a tournament are over."""
    over, number = len(one.over), len(one.games)
    if not over:
        return f"No game of the tournament {one.name} is over yet, so nobody has points."
    if over < number:
        said = f"{over} of its {number} games {'is' if over == 1 else 'are'} over."
    else:
        said = "its game is over." if number == 1 else f"all {number} games are over."
    return f"The tournament {one.name}: {said}"


def _rank(rank: Rank) -> str:
    games = [f"{one.number} as {one.power} in {one.game}" for one in rank.played]
    return f"{rank.place}. {rank.player.name}, {rank.points_text}: {', '.join(games)}"


def _without_result(one: Tournament) -> str:
    return _games_line("Over without a result, and so without points", one.without_result)


def _games_line(said: str, games: tuple[Game, ...]) -> str:
    return f"{said}: {listed([game.name for game in games])}." if games else ""


def _scoring_sentence(one: Tournament) -> str:
    """Say how results turn into points."""
    systems = listed(list(one.systems))
    return f"Scored by: {systems}. A power's points go to the player who has it at the end."


def _all() -> Receipt:
    rows = list(tournaments()[: MOST + 1])
    if not rows:
        text = (
            "There is no tournament yet. A game master makes one by naming the same tournament in "
            "the settings of several games."
        )
        return Receipt(title="The tournaments there are", text=text, subject="Tournaments")
    lines = [f"{row.name}: {counted(row.number, 'game')}" for row in rows[:MOST]]
    more = [f"These are the {MOST} newest. All of them: {_address()}"] if len(rows) > MOST else []
    how = f"To see how everybody stands in one, write TABLE and its name: TABLE {rows[0].name}"
    return Receipt(
        title="The tournaments there are",
        text="\n\n".join(["These are the tournaments:", bullets(lines), *more, how]),
        subject="Tournaments",
    )


def _address(name: str = "") -> str:
    return f"{settings.SITE_URL}/tournaments/{f'{name}/' if name else ''}"
