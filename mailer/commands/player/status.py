"""STATUS: where a game stands."""

from __future__ import annotations

from games.models import Game, Seat
from games.queries import lookup
from games.queries.anonymity import names_shown
from games.queries.attendance import reliability
from games.queries.current_orders import unconfirmed
from games.queries.lookup import GameSummary
from games.queries.places import places_of, wishes_of
from games.queries.reliability import reliability_text
from games.queries.votes import open_proposals, what_of
from games.queries.waiting import Outstanding, to_confirm_text
from mailer.commands.base import Arrival, Receipt, Verb, player_of
from mailer.commands.calls import Call, Takes
from mailer.commands.texts.order_receipt import kept_ahead
from mailer.commands.texts.sentences import how_long, mustering, zone_of
from mailer.identity.identify import running_seats
from mailer.identity.senders import Sender, seat_meant
from mailer.notices.sections import guessed, in_one_paragraph
from mailer.text import counted, due, listed


class Status(Verb):
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

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        games = _asked_for(call.argument, sender)
        texts = [
            "\n".join([_text(lookup.game_summary(game), sender, arrival), *_own(game, sender)])
            for game in games
        ]
        if not call.argument:
            texts += [_asked(game) for game in wishes_of(player_of(sender))]
        if not texts:
            texts = ["You play in no game at the moment. Write LIST to see those you can join."]
        texts += _reliable(sender, arrival)
        tag = f"[{games[0].name}] " if len(games) == 1 else ""
        return Receipt(title="Where it stands", text="\n\n".join(texts), subject=f"{tag}Status")


def _asked_for(name: str, sender: Sender) -> list[Game]:
    player = player_of(sender)
    if name:
        return [lookup.game_by_name(name)]
    if seat := seat_meant(sender):
        return [seat.power.game]
    return [*(seat.power.game for seat in running_seats(player)), *places_of(player)]


def _asked(game: Game) -> str:
    """How the reader's wish to join a game stands."""
    return (
        f"{game.name}: you have asked to join, and the game master has not answered yet. "
        f"LEAVE {game.name} takes that back."
    )


def _own(game: Game, sender: Sender) -> list[str]:
    """What only the game's players may read: who plays what, on what they can vote, and for which
    later phases the reader has sent orders."""
    seats = running_seats(sender.player) if sender.player else []
    mine = [seat for seat in seats if seat.power.game_id == game.pk]
    proposed = [
        f"Proposal {one.number} is open: {what_of(one)}. HELP VOTE explains how to vote on it."
        for one in open_proposals(game)
        if mine
    ]
    asked = [line for seat in mine for line in _guessed(seat)]
    place = sender.player is not None and game in places_of(sender.player)
    return [
        *([f"You have a place in it; LEAVE {game.name} gives it back."] if place else []),
        *(_players(game) if mine else []),
        *proposed,
        *asked,
        *(line for seat in mine for line in kept_ahead(seat)),
    ]


def _players(game: Game) -> list[str]:
    """Who plays what, unless nobody may know."""
    if not names_shown(game):
        return []
    played = (f"{seat.power.name}: {seat.player.name}" for seat in lookup.seats_of(game))
    return [f"Who plays: {in_one_paragraph(played)}."]


def _guessed(seat: Seat) -> list[str]:
    """Which orders of theirs the reader has still to confirm: that is for them alone."""
    phase = lookup.open_phase(seat.power.game)
    if phase is None or phase.overdue_at or not phase.game.process_early:
        return []
    guesses = unconfirmed(phase, seat.power, phase.readiness.filter(power=seat.power).first())
    return [guessed(guesses)] if guesses else []


def _reliable(sender: Sender, arrival: Arrival) -> list[str]:
    """How reliable the reader has been in all games: for them alone, once there is anything."""
    found = reliability(player_of(sender), now=arrival.now)
    return [f"Your reliability: {reliability_text(found)}."] if found.is_known else []


def _outstanding(phase: Outstanding) -> list[str]:
    """What the open phase waits for, a sentence each."""
    if phase.untold:
        return ["You cannot see who has something to decide in this phase."]
    lines = []
    if phase.owing:
        lines.append(f"Still without complete orders: {listed(phase.owing)}.")
    if phase.to_speak_again:
        lines.append(
            "The deadline was moved since these powers ordered, so they have to write READY, or "
            f"their orders once more, for an early decision: {listed(phase.to_speak_again)}."
        )
    if phase.without_player:
        lines.append(f"Without a player: {listed(phase.without_player)}.")
    return lines or [f"All are in{to_confirm_text(phase.to_confirm)}."]


def _text(game: GameSummary, sender: Sender, arrival: Arrival) -> str:
    lines = [
        f"{game.name}: {game.variant}, rules {game.rules}. Press: {game.press}. {how_long(game)}"
    ]
    if game.ending:
        lines.append(f"The game is over: {game.ending}.")
    elif game.phase:
        lines.append(f"It is {game.phase_title}.")
        paused = game.status == Game.Status.PAUSED
        lines += due(game.due_at, zone_of(sender), game.timezone, arrival.now, paused=paused)
        lines += _outstanding(game.outstanding)
        lines.append(" ".join(game.ends))
    elif game.muster_until:
        lines.append(f"Before it starts, {mustering(game, zone_of(sender))}")
    elif game.status == Game.Status.FORMING:
        lines.append(f"It takes players: {counted(game.seats_free, 'seat')} free.")
        lines.append(" ".join(game.ends))
    return "\n".join(lines)
