"""What a GM or operator can do to games: each act is a small class, confirmed before it is done."""

from __future__ import annotations

import abc
import datetime as dt
from typing import Any

from django import forms

from games.admin.forms import LengthField
from games.errors import GameError, WrongState
from games.models import Game
from games.selectors import open_phase
from games.services.deadlines import deadline_move, game_pause, game_resume
from games.services.games import game_start
from games.services.phases import phase_process
from games.services.rollback import game_rollback


class Questions(forms.Form):
    """What the confirming page asks; nothing by itself."""

    required_css_class = "required"


class Action(abc.ABC):
    """An act. `expected` is the phase that stood on the confirming page, empty for none."""

    name: str
    label: str
    what: str
    questions: type[Questions] = Questions

    @property
    def short(self) -> str:
        """The label's first words, for a button."""
        return self.label.partition(":")[0]

    @abc.abstractmethod
    def do(
        self, game: Game, typed: dict[str, Any], *, by: str, expected: str, now: dt.datetime
    ) -> str:
        """Do it to one game and say in a sentence what was done. Raises GameError."""


class Start(Action):
    name = "start"
    label = "Start: give out the powers and open the first phase"
    what = "Give out the powers by the preference lists, open the first phase and tell everybody."

    def do(
        self, game: Game, typed: dict[str, Any], *, by: str, expected: str, now: dt.datetime
    ) -> str:
        game_start(game=game, now=now)
        return f"The game {game.name} has started."


class ProcessNow(Action):
    name = "process_now"
    label = "Process now: adjudicate the open phase, whatever the deadline"
    what = (
        "Adjudicate the open phase with the orders that are in, and mail the results. "
        "Units without an order hold."
    )

    def do(
        self, game: Game, typed: dict[str, Any], *, by: str, expected: str, now: dt.datetime
    ) -> str:
        event = phase_process(game_id=game.pk, now=now, force=True, expected=expected or None)
        if event is None:
            broken = open_phase(game)
            raise GameError(
                f"The game {game.name} could not be adjudicated: {broken.error if broken else ''}. "
                "Nothing has changed; the log has the details."
            )
        return f"Processed {event.payload['phase']} of {game.name}."


class ExtendQuestions(Questions):
    later = LengthField(label="How much later", initial="24h", help_text="24h, 3d, 1d12h")
    why = forms.CharField(max_length=200, help_text="One sentence, which everybody is told")


class Extend(Action):
    name = "extend"
    label = "Extend: move the deadline of the open phase"
    what = (
        "Move the deadline of the open phase and tell everybody. Nobody is ready any more: before "
        "the phase is processed early, everybody has to speak again."
    )
    questions = ExtendQuestions

    def do(
        self, game: Game, typed: dict[str, Any], *, by: str, expected: str, now: dt.datetime
    ) -> str:
        phase = open_phase(game)
        if phase is None or phase.due_at is None or phase.name != expected:
            raise WrongState(f"{expected or 'The phase'} of {game.name} has no deadline any more.")
        to = phase.due_at + typed["later"]
        deadline_move(game=game, to=to, why=typed["why"], by=by, now=now)
        return f"{phase.name} of {game.name} is due at {to:%F %R} UTC now."


class PauseQuestions(Questions):
    length = LengthField(
        label="For how long",
        required=False,
        help_text="10d, for example; empty: until somebody resumes the game",
    )
    why = forms.CharField(max_length=200, help_text="One sentence, which everybody is told")


class Pause(Action):
    name = "pause"
    label = "Pause: stop the clock"
    what = "Stop the clock of the game and tell everybody. Orders are still taken."
    questions = PauseQuestions

    def do(
        self, game: Game, typed: dict[str, Any], *, by: str, expected: str, now: dt.datetime
    ) -> str:
        until = now + typed["length"] if typed["length"] else None
        game_pause(game=game, until=until, why=typed["why"], by=by, now=now)
        return f"The game {game.name} is paused" + (f" until {until:%F %R} UTC." if until else ".")


class Resume(Action):
    name = "resume"
    label = "Resume: let the clock run again"
    what = "End the pause and tell everybody. Everybody has the time that was left when it began."

    def do(
        self, game: Game, typed: dict[str, Any], *, by: str, expected: str, now: dt.datetime
    ) -> str:
        game_resume(game=game, by=by, now=now)
        return f"The clock of {game.name} runs again."


class RollbackQuestions(Questions):
    phase = forms.CharField(max_length=10, help_text="Where to go on, like F1902M")
    why = forms.CharField(max_length=200, help_text="One sentence, which everybody is told")


class Rollback(Action):
    name = "rollback"
    label = "Roll back: play again from an earlier phase"
    what = (
        "Open an earlier phase anew, with the position it had, a new deadline and no orders, and "
        "tell everybody. What is undone is kept and stays in the log."
    )
    questions = RollbackQuestions

    def do(
        self, game: Game, typed: dict[str, Any], *, by: str, expected: str, now: dt.datetime
    ) -> str:
        event = game_rollback(game=game, phase=typed["phase"], why=typed["why"], by=by, now=now)
        undone = ", ".join(event.payload["undone"])
        return (
            f"The game {game.name} is back at {event.payload['phase']}. Undone, but kept: {undone}."
        )


ACTIONS = (Start(), ProcessNow(), Extend(), Pause(), Resume(), Rollback())
