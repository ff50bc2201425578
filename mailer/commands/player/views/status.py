"""STATUS: how a game stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from games.errors import NotAllowed
from games.models import Game, Phase, Player, Proposal, Seat
from games.queries import lookup
from games.queries.access.anonymity import names_shown
from games.queries.access.audience import Audience, shows_board
from games.queries.access.run_by import names_run_by
from games.queries.board import Reading
from games.queries.endings.votes import proposals_by_game, what_of
from games.queries.orders.advance_orders import LaterOrders, orders_kept_by_seat
from games.queries.orders.current_orders import unconfirmed_by_seat
from games.queries.orders.waiting import Outstanding, to_confirm_text
from games.queries.parsing.game_names import game_by_name
from games.queries.players.attendance import reliability
from games.queries.players.places import places_of, wishes_of
from games.queries.players.reliability import reliability_text
from games.queries.reports.summary import GameSummary, game_summaries
from games.queries.reports.wording import counted, listed, local_moment
from games.services.moderation.conduct import require_not_banned
from games.services.seating.observers import games_observed, observes
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.player.account.mail import what_stopped
from mailer.commands.receipt import Receipt
from mailer.commands.seats import last_over, took_part
from mailer.commands.texts.prospects import kept_text
from mailer.commands.texts.sentences import UNREADABLE, how_long, mustering, zone_of
from mailer.identity.claims import running_seats
from mailer.identity.senders import Sender, about_another, seat_meant
from mailer.notices.parts.sections import guess_sentence, in_one_paragraph, page
from mailer.text import due


class Status(PlayerCommand):
    name = "status"
    aliases = ("game",)
    usage = "STATUS [game]"
    summary = "see where a game stands and whom it waits for"
    help = (
        "Write STATUS for the games you play, or STATUS and a game's name. It shows the phase, "
        "the deadline, which powers still owe an order, who plays what, and how reliable you have "
        "been. It never shows orders."
    )
    takes = Takes.MAYBE
    names_game = True
    asked = QuestionMark.SHOWN
    only_shows = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        named = call.argument.strip(" .!?")
        games = _games_asked_for(named, sender)
        phases = lookup.open_phases(games)
        summaries, reader = game_summaries(games, phases), _Reader.of(sender, games, phases)
        # Each of several games is a paragraph; one alone has room for more.
        between = "\n" if len(games) > 1 else "\n\n"
        told = (_paragraphs(game, summaries[game.pk], reader, sender, arrival) for game in games)
        texts = [between.join("\n".join(part) for part in parts if part) for parts in told]
        if not named:
            texts += [_request(game) for game in wishes_of(player_of(sender))]
        if not texts:
            texts = [_none(player_of(sender))]
        if not named and (run := names_run_by(player_of(sender), arrival.now)):
            texts += [f"You run {listed(run)}: GM {run[0]} STATUS shows how it stands."]
        texts += [*_reliable(sender, arrival), *what_stopped(player_of(sender))]
        tag = f"[{games[0].name}] " if len(games) == 1 else ""
        return Receipt(title="Where it stands", text="\n\n".join(texts), subject=f"{tag}Status")


def _paragraphs(
    game: Game, summary: GameSummary, reader: _Reader, sender: Sender, arrival: Arrival
) -> list[list[str]]:
    """How a game stands, the reader's own affairs in it, what was agreed, and where to see it."""
    at = page(game)
    news = [
        *_news(summary, sender, arrival),
        *reader.part(game),
        *_waits(summary, told=reader.is_told_of(game)),
    ]
    where = [f"Every phase with its map is on the game's page: {at}"] if at else []
    return [news, reader.lines(game), _terms(summary), where]


def _none(player: Player) -> str:
    """Say that they play nowhere, and how to see games that they observe, or the one that ended
    last."""
    none = "You are not playing in any game at the moment."
    try:
        require_not_banned(player)
        none += " Write LIST to see those you can join."
    except NotAllowed as refused:
        none += f" {refused}"
    if watched := [game.name for game in games_observed(player)]:
        return f"{none} You observe {listed(watched)}: write STATUS {watched[0]}."
    if last := last_over(player):
        return f"{none} To see how the game {last.name} ended, write STATUS {last.name}."
    return none


def _games_asked_for(name: str, sender: Sender) -> list[Game]:
    player = player_of(sender)
    if name:
        return [game_by_name(name)]
    if seat := seat_meant(sender):
        return [seat.power.game]
    about = about_another(sender)
    if about and (observes(about, player) or took_part(about, player)):
        return [about]
    return [*(seat.power.game for seat in running_seats(player)), *places_of(player)]


def _request(game: Game) -> str:
    """The state of the reader's request to join a game."""
    return (
        f"{game.name}: you have asked to join, and the game master has not answered yet. "
        f"LEAVE {game.name} takes that back."
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Secrets of the players of these games, and of the reader, by the keys of the games or of the
    reader's seats; all read at once."""

    player: Player | None
    seats: Mapping[int, list[Seat]]
    places: Set[int]
    """The games that have not started in which the reader has a place."""
    tenures: Mapping[int, list[Seat]]
    proposals: Mapping[int, list[Proposal]]
    guesses: Mapping[Seat, tuple[Reading, ...]]
    """Which of their orders the reader has yet to confirm; nobody else may see this."""
    kept: Mapping[Seat, tuple[LaterOrders, ...]]

    @classmethod
    def of(cls, sender: Sender, games: Sequence[Game], phases: Mapping[int, Phase]) -> _Reader:
        """Read it all; nothing of games in which they hold no seat."""
        seats: dict[int, list[Seat]] = {game.pk: [] for game in games}
        for seat in running_seats(sender.player) if sender.player else ():
            if seat.power.game_id in seats:
                seats[seat.power.game_id].append(seat)
        played = [game for game in games if seats[game.pk]]
        now = {seat: phases[key] for key in phases for seat in seats[key]}
        early = {
            seat: phase
            for seat, phase in now.items()
            if not phase.overdue_at and phase.game.process_early
        }
        return cls(
            player=sender.player,
            seats=seats,
            places={game.pk for game in places_of(sender.player)} if sender.player else set(),
            tenures=lookup.running_tenures([game for game in played if names_shown(game)]),
            proposals=proposals_by_game(played),
            guesses=unconfirmed_by_seat(early),
            kept=orders_kept_by_seat(now),
        )

    def is_told_of(self, game: Game) -> bool:
        """Whether the reader may see the game's board, as HISTORY and MAP show it."""
        if self.seats[game.pk] or shows_board(game, Audience.EVERYBODY):
            return True
        return Seat.objects.filter(power__game=game, player=self.player).exists()

    def part(self, game: Game) -> list[str]:
        """Which power they play: in an anonymous game nothing else says so."""
        played = [one.power.name for one in self.seats[game.pk] if not one.power.open_since]
        return [f"You play {listed(played)}."] if played else []

    def lines(self, game: Game) -> list[str]:
        """The state of their seat, who plays which power, the proposals they can vote on, and the
        later phases that they sent orders for."""
        seats = self.seats[game.pk]
        place = game.pk in self.places
        return [
            *([f"You have a place in it; LEAVE {game.name} gives it back."] if place else []),
            *(_open(seat) for seat in seats if seat.power.open_since),
            *_players(self.tenures.get(game.pk, ())),
            *(_proposal_line(one) for one in self.proposals.get(game.pk, ())),
            *(guess_sentence(self.guesses[seat]) for seat in seats if self.guesses.get(seat)),
            *(line for seat in seats for line in kept_text(self.kept.get(seat, ()))),
        ]


def _open(seat: Seat) -> str:
    """Say that others may take the reader's seat, and how to keep it."""
    power = seat.power
    if power.disorder_since:
        return (
            f"Your power {power.name} is in civil disorder. Until somebody takes its seat, your "
            "orders, READY or RETURN bring you back."
        )
    return (
        f"The seat of your power {power.name} is open to others. Until somebody takes it, your "
        "orders, READY or RETURN keep it."
    )


def _players(seats: Sequence[Seat]) -> list[str]:
    played = (f"{seat.power.name}: {seat.player.name}" for seat in seats)
    return [f"Who plays: {in_one_paragraph(played)}."] if seats else []


def _proposal_line(one: Proposal) -> str:
    return f"Proposal {one.number} is open: {what_of(one)}. HELP VOTE explains how to vote on it."


def _reliable(sender: Sender, arrival: Arrival) -> list[str]:
    """The reader's reliability in all games; for them alone, once there is anything to say."""
    found = reliability(player_of(sender), now=arrival.now)
    return [f"Your reliability: {reliability_text(found)}."] if found.is_known else []


_FOR_PLAYERS_ONLY = "Only its players see its board and whom it waits for."
"""Knowing whom it waits for includes knowing who has to retreat or build."""


def _outstanding(phase: Outstanding) -> list[str]:
    """A sentence for each thing that the open phase waits for."""
    if phase.untold:
        return ["You cannot see who has something to decide in this phase."]
    if phase.unreadable:
        return [UNREADABLE]
    lines = []
    if phase.owing:
        lines.append(f"Still without complete orders: {listed(phase.owing)}.")
    if phase.to_speak_again:
        lines.append(
            "The deadline has moved since these powers ordered. For an early decision, they have "
            f"to write READY or send their orders again: {listed(phase.to_speak_again)}."
        )
    if phase.without_player:
        lines.append(f"Without a player: {listed(phase.without_player)}.")
    return lines or [f"All orders are in{to_confirm_text(phase.to_confirm)}."]


def _whom(game: GameSummary) -> str:
    """Who may join, unless everybody may."""
    return (
        ", by invitation only" if game.invites else ", whom its GM lets in" if game.lets_in else ""
    )


def _news(game: GameSummary, sender: Sender, arrival: Arrival) -> list[str]:
    """How the game stands, and until when."""
    if game.ending:
        return [f"The game {game.name} is over: {game.ending}."]
    if game.phase:
        until = due(
            game.due_at,
            zone_of(sender),
            game.timezone,
            arrival.now,
            paused=game.status == Game.Status.PAUSED,
            resumes_at=game.resume_at,
        )
        return [f"{game.name}: it is {game.phase_title}.", *until]
    if game.muster_until:
        return [f"Before {game.name} starts, {mustering(game, game.silent, zone_of(sender))}"]
    if game.status == Game.Status.FORMING:
        free = counted(game.seats_free, "seat")
        at = local_moment(game.starts_at, zone_of(sender)) if game.starts_at else ""
        starts = f" It is to start {at}." if at else ""
        return [f"{game.name} is looking for players{_whom(game)}: {free} free.{starts}"]
    return []


def _waits(game: GameSummary, *, told: bool) -> list[str]:
    """The powers that the open phase waits for, if the reader may see the board (`told`)."""
    if game.ending or not game.phase:
        return []
    return _outstanding(game.outstanding) if told else [_FOR_PLAYERS_ONLY]


def _terms(game: GameSummary) -> list[str]:
    """What is played, how fast, and how it may end."""
    chosen = "".join(f" {one}" for one in game.chosen)
    played = f"{game.variant}, {game.rules} rules.{chosen} {game.press} {how_long(game)}"
    master = [f"Its game master is {game.gm}."] if game.gm else []
    goes_on = not game.ending and not game.muster_until
    return [played, *master, *([" ".join(game.ends)] if goes_on else [])]
