"""DIARY: notes that a player keeps with a game; nobody else reads them before its end."""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.errors import BadInput
from games.models import DiaryEntry, Game, Seat
from games.queries.board import phase_title
from games.queries.parsing.press_audience import power_meant
from games.queries.players.seats import power_names
from games.queries.reports.wording import counted
from games.services.messages.diaries import (
    diary_delete,
    diary_note,
    diary_of,
    diary_revealed,
    diary_write,
    require_diaries,
)
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.player.messages.press import with_stray_order
from mailer.commands.receipt import Receipt
from mailer.commands.seats import game_watched, seat_named, seat_of
from mailer.identity.senders import Sender
from mailer.letter import text_of
from mailer.text import quoted_text

LONGEST_NUMBER = 50
"""In characters; Python refuses to read a number with thousands of digits."""
BELOW_DIARY = "below a line END DIARY, or in a mail without DIARY"
_RECORD = re.compile(r"(?:record|write|new)\b\s*:?\s*(.*)|", re.IGNORECASE)
_READ = re.compile(r"(?:list|show|read)\b\s*(.*)", re.IGNORECASE)
_DELETE = re.compile(r"(?:delete|remove)\b\s*(.*)", re.IGNORECASE)


class Diary(PlayerCommand):
    name = "diary"
    usage = "DIARY RECORD"
    summary = "keep a note with the game, for yourself"
    help = (
        "In games that have diaries: write DIARY RECORD and your note on the lines below it; END "
        "DIARY closes it, and orders may follow. Nobody else reads it, not even the game master, "
        "and nobody learns that you wrote one. Some games reveal all diaries when they are over; "
        "the start mail says so.\n"
        "Example: DIARY RECORD\n"
        "Example: DIARY LIST (all your notes)\n"
        "Example: DIARY READ 3\n"
        "Example: DIARY DELETE 3\n"
        "Example: DIARY marne (your notes in a game that is over)\n"
        "Example: DIARY marne Turkey (another's, when the game is over and reveals them)"
    )
    takes = Takes.MAYBE
    asked = QuestionMark.ITSELF
    argument = re.compile(
        r"(?:(?:record|write|new)\b.*|(?:list|show|read|delete|remove)?(?:\s*\S+){0,2})",
        re.IGNORECASE,
    )
    bodiless = re.compile(r"(?!(?:record|write|new)\b).+", re.IGNORECASE)
    has_body = True
    prose = True
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        argument = call.argument.strip(" .!").lstrip("? ")
        if recorded := _RECORD.fullmatch(argument):
            text = "\n".join(filter(None, [recorded[1], text_of(call.lines)]))
            if text.strip() or argument:
                receipt = _write(seat_of(sender), text, arrival)
                return with_stray_order(receipt, call, BELOW_DIARY, became="kept")
            argument = "list"
        argument = argument.rstrip("? ")
        if deleted := _DELETE.fullmatch(argument):
            return _delete(seat_of(sender), _number(deleted[1]))
        listed = _READ.fullmatch(argument)
        words = (listed[1] if listed else argument).split()
        if words and words[0].isdecimal():
            return _one(seat_of(sender), _number(words[0]))
        return _all(" ".join(words), sender)


def _write(seat: Seat, text: str, arrival: Arrival) -> Receipt:
    note = diary_write(seat=seat, text=text, now=arrival.now)
    game = seat.power.game
    return Receipt(
        title="Your diary",
        text=f"Note {note.number} is kept. {_who_reads(game)}\n\n{quoted_text(note.text)}",
        subject=f"[{game.name}] Note {note.number} is in your diary",
    )


def _delete(seat: Seat, number: int) -> Receipt:
    game = seat.power.game
    diary_delete(game=game, player=seat.player, number=number)
    return Receipt(
        title="Your diary",
        text=f"Note {number} is deleted for good.",
        subject=f"[{game.name}] Note {number} is deleted",
    )


def _one(seat: Seat, number: int) -> Receipt:
    game = seat.power.game
    require_diaries(game)
    note = diary_note(game, seat.player, number)
    return Receipt(
        title="Your diary",
        text=_note(note),
        subject=f"[{game.name}] Note {number} of your diary",
    )


def _all(named: str, sender: Sender) -> Receipt:
    """The reader's own notes; with a power after the game's name, those of everybody who played
    it."""
    if len(named.split()) > 1:
        return _reveal(named, sender)
    seat, _ = seat_named(named, sender)
    game = seat.power.game
    require_diaries(game)
    notes = list(diary_of(game, player_of(sender)))
    head = f"Your diary of the game {game.name}: {counted(len(notes), 'note')}. {_who_reads(game)}"
    return Receipt(
        title="Your diary",
        text="\n\n".join([head, *map(_note, notes)]),
        subject=f"[{game.name}] Your diary",
    )


def _reveal(named: str, sender: Sender) -> Receipt:
    game, _, words = game_watched(named, sender)
    name = power_meant(" ".join(words), power_names(game))
    notes = list(diary_revealed(game, game.powers.get(name=name)))
    return Receipt(
        title=f"The diary of {name}",
        text="\n\n".join([_counted_notes(notes, name, game), *map(_note, notes)]),
        subject=f"[{game.name}] The diary of {name}",
    )


def _counted_notes(notes: Iterable[DiaryEntry], name: str, game: Game) -> str:
    number = len(list(notes))
    if not number:
        return f"{name} kept no diary in the game {game.name}."
    return f"The diary of {name} in the game {game.name}: {counted(number, 'note')}."


def _who_reads(game: Game) -> str:
    if game.status == Game.Status.FINISHED:
        revealed = game.diaries == Game.Diaries.REVEALED
        return "Everybody can read it now." if revealed else "Nobody else can read it."
    if game.diaries == Game.Diaries.REVEALED:
        return "Nobody else reads it before the game is over; then everybody can."
    return "Nobody else can read it, not even after the end."


def _note(note: DiaryEntry) -> str:
    phase = f", {phase_title(note.phase_name)}" if note.phase_name else ""
    return f"{note.number}. {note.seat.power.name}{phase}:\n\n{quoted_text(note.text)}"


def _number(text: str) -> int:
    if not text.strip().isdecimal() or len(text) > LONGEST_NUMBER:
        raise BadInput("Please name the note by its number, like: DIARY DELETE 3")
    return int(text)
