"""What every act of the GM's desk is: a name, questions, a forecast and a deed."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.contrib.auth.models import User

from games import log, roles
from games.admin.acting import Act, Done
from games.admin.base import moment
from games.anonymity import names_shown
from games.board import phase_title
from games.durations import duration_text
from games.ending import alive, final_state
from games.lifecycle import state_sentence
from games.models import Event, Game, Phase, Power, Seat
from games.seats import PLAYED
from games.selectors import open_phase, seats_of
from games.services.games import locked, power_names
from games.wording import listed

Status = Game.Status
FEW = 10
"""Up to so many people are named one by one."""


class Group(enum.StrEnum):
    """Where the button of an act stands on a game's page."""

    TIME = "Time"
    ORDERS = "Orders"
    SEATS = "Players"
    WORDS = "Mail"
    GAME = "Game"


class Questions(forms.Form):
    """What an act has to know; nothing by itself."""

    required_css_class = "required"
    use_required_attribute = False

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game


class Reason(Questions):
    """Why it is done."""

    why = forms.CharField(
        label="Why", max_length=200, help_text="One sentence; all players are told."
    )


class OptionalReason(Questions):
    """Why it is done, for whoever wants to say."""

    why = forms.CharField(
        label="Why",
        max_length=200,
        required=False,
        help_text="One sentence, if you like; all players are told.",
    )


class OfPower(Questions):
    """Which power; `choose` says among which."""

    field_order: list[str] = ["power"]
    power = forms.ChoiceField(label="Power")

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, game=game, **kwargs)
        players = {seat.power.name: seat.player.name for seat in seats_of(game)}
        left = remaining(game)
        self.names = [name for name in self.choose(game, players) if name in left]
        set_choices(self, "power", [(name, _with(name, players.get(name))) for name in self.names])

    def choose(self, game: Game, players: Mapping[str, str]) -> Sequence[str]:
        """Return the powers to choose from; `players` has the name of each power's player."""
        return power_names(game)

    def clean_power(self) -> Power:
        """Return the power's row."""
        return self.game.powers.get(name=self.cleaned_data["power"])


class Action(Act[Game]):
    """An act on a game. Its `name` is also what `games.roles` knows it by.

    The caller of `do` holds the game's lock and has seen to it that the game stands as on the page
    that was confirmed.
    """

    group: ClassVar[Group]
    when: ClassVar[Collection[Status]] = PLAYED
    questions: ClassVar[type[Questions]] = Questions
    for_power: ClassVar[bool] = False
    """Whether it has a question `power`, and so a link beside each power."""
    stale = (
        "The game has changed since this page was shown, so nothing was done. Please look again at "
        "what would happen now."
    )

    def form(self, subject: Game, now: dt.datetime, *typed: Any, **more: Any) -> Questions:
        return self.questions(*typed, game=subject, **more)

    def refusal(self, user: User, subject: Game) -> str:
        return roles.refusal(user, subject, self.name)

    def offered(self, subject: Game, now: dt.datetime) -> bool:
        return subject.status in self.when

    def unoffered(self, subject: Game) -> str:
        if subject.status in self.when:
            return f"There is nothing of the kind to do in the game {subject.name} now."
        return state_sentence(subject)

    def stamp(self, subject: Game) -> str:
        return log.digest([stamp(subject), _done_already(subject)])

    def held(self, subject: Game) -> Game:
        return locked(subject)

    def logged(self, subject: Game, done: Done) -> str:
        """Who plays in an anonymous game reads the admin's history, too."""
        return done.said if names_shown(subject) else self.label

    def powers(self, game: Game) -> Collection[str]:
        """Return the powers that its question `power` can be answered with."""
        form = self.questions(game=game)
        assert isinstance(form, OfPower), "an act for a power asks for which"
        return form.names


def stamp(game: Game) -> str:
    """Return a digest of what a page says of a game: who plays, what is open and until when."""
    phase = open_phase(game)
    seats = Seat.objects.filter(power__game=game, until=None).order_by("pk")
    disorder = game.powers.exclude(disorder_since=None).order_by("pk")
    return log.digest(
        [
            game.status,
            [phase.pk, phase.due_at.isoformat() if phase.due_at else None] if phase else None,
            list(seats.values_list("pk", flat=True)),
            list(disorder.values_list("pk", flat=True)),
        ]
    )


REPEATABLE = (
    Event.Kind.ORDERS_SET,
    Event.Kind.ORDERS_LOOKED_AT,
    Event.Kind.SETTINGS_CHANGED,
    Event.Kind.SEAT_OFFERED,
    Event.Kind.MISS_EXCUSED,
)
"""Acts after which the game stands as before: a second click would do and tell them again."""


def _done_already(game: Game) -> list[int]:
    written = game.press.filter(seat=None)
    return [game.events.filter(kind__in=REPEATABLE).count(), written.count()]


def told(game: Game) -> str:
    """Say who is mailed when everybody is: "Told by mail: Ana, Ben, … and the GM.".

    By their names: in the order of the powers they would tell who plays what.
    """
    names = sorted(seat.player.name for seat in seats_of(game))
    people = names if len(names) <= FEW else [f"all {len(names)} players"]
    everybody = [*people, "the GM"] if game.gm and game.gm.email else people
    return f"Told by mail: {listed(everybody) or 'nobody'}."


def set_choices(form: forms.Form, name: str, choices: Sequence[tuple[str, str]]) -> None:
    """Say what can be chosen in a field of the form."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField), "only such a field has choices"
    field.choices = list(choices)


def remaining(game: Game) -> Collection[str]:
    """Return the powers of which anything is left; all of them before the start."""
    state = final_state(game)
    return power_names(game) if state is None else alive(state)


def _with(power: str, player: str | None) -> str:
    return f"{power} ({player or 'nobody'})"


def title_of(phase: Phase) -> str:
    """Return "Spring 1901 movement"."""
    return phase_title(phase.name)


def phase_of(game: Game) -> Phase:
    """Return the open phase of a game that is being played."""
    phase = open_phase(game)
    assert phase is not None, "a game that is being played has an open phase"
    return phase


def from_now(at: dt.datetime, now: dt.datetime) -> str:
    """Write "Thu 5 Mar 2026 12:00 UTC, in 3 days"."""
    left = dt.timedelta(minutes=int((at - now).total_seconds()) // 60)
    return f"{moment(at)} UTC" + (f", in {duration_text(left)}" if left else "")
