"""The commands of a GM's mail understood, foreseen and carried out as the acts of his desk."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from games import roles
from games.acts import GAME_ACTS, GameAct
from games.admin.act_form import ActForm, form_for
from games.errors import BadInput, GameError, NotFound
from games.models import Game
from games.services.common import locked
from mailer import gm
from mailer.gm.base import Deed, GmCommand, Look
from mailer.gm.looks import explanation
from mailer.letter import Letter
from mailer.reading.quotes import Line, own_lines
from mailer.script import AMEND, ORDERS, SIGNOFF, Call, Takes, read_script

_AGAIN = re.compile(r"gm[\s:,]+(?=\w)", re.IGNORECASE)
ONE_AT_A_TIME = "Please ask for one such act in a mail: what comes after it may be another matter."


@dataclass(frozen=True)
class Errand:
    """One command of a GM for a game, and where it stood."""

    command: GmCommand
    call: Call
    game: Game
    user: User

    @property
    def grave(self) -> bool:
        """Whether it is asked back whoever sent it."""
        return isinstance(self.command, Deed) and self.command.grave


@dataclass(frozen=True)
class Outcome:
    """What becomes of an errand: its title, the sentences, and whether it could be done."""

    title: str
    lines: tuple[str, ...]
    done: bool


def game_meant(call: Call, user: User, subject: str) -> tuple[Game, str]:
    """The game that a line GM means, and what stands behind its name on the line.

    It is named behind GM or in brackets in the subject; whose game master one is in one game
    only need not name it. Raises NotFound, BadInput.
    """
    first, _, rest = call.argument.partition(" ")
    named = first.strip("[](){}:,.")
    games = roles.games_for(user)
    if named and named.lower() not in gm.WORDS:
        found = games.filter(name__iexact=named).first()
        if found is None:
            raise NotFound(f"You are not the game master of a game {named!r}. {_yours(user)}")
        return found, rest.strip()
    tagged = [game for game in games if f"[{game.name}]".lower() in subject.lower()]
    mine = tagged or list(games.filter(gm=user).exclude(status=Game.Status.FINISHED)[:2])
    if len(mine) != 1:
        raise BadInput(f"Which game do you mean? Write GM, its name and the rest. {_yours(user)}")
    return mine[0], call.argument


def errands_of(call: Call, game: Game, first: str, user: User) -> tuple[list[Errand], list[str]]:
    """The commands on the line GM and below it, and the lines that are none."""
    calls = read_script(_letter(call, first), gm.WORDS)
    errands = [
        Errand(gm.COMMANDS[one.verb], one, game, user) for one in calls if one.verb in gm.COMMANDS
    ]
    others = [one for one in calls if one.verb in (ORDERS, AMEND, SIGNOFF)]
    return errands, [line.text for one in others for line in one.lines]


def foreseen(errands: Sequence[Errand], now: dt.datetime) -> list[Outcome]:
    """What the errands would bring, each by itself; nothing is changed."""
    return [_tried(one, _foresee, now) for one in _one_grave(errands)]


def carried_out(errands: Sequence[Errand], now: dt.datetime) -> list[Outcome]:
    """What the errands brought, one after the other; what cannot be done changes nothing."""
    return [_tried(one, _carry_out, now) for one in _one_grave(errands)]


def _one_grave(errands: Sequence[Errand]) -> Iterator[Errand | Outcome]:
    """The errands, any grave one but the first refused: it would meet another phase."""
    graves = 0
    for one in errands:
        graves += one.grave
        if one.grave and graves > 1:
            yield Outcome(_title(one), (ONE_AT_A_TIME,), done=False)
        else:
            yield one


def _tried(
    one: Errand | Outcome, what: Callable[[Errand, dt.datetime], list[str]], now: dt.datetime
) -> Outcome:
    if isinstance(one, Outcome):
        return one
    try:
        with transaction.atomic():
            return Outcome(_title(one), tuple(what(one, now)), done=True)
    except GameError as error:
        return Outcome(_title(one), (str(error),), done=False)


def _foresee(one: Errand, now: dt.datetime) -> list[str]:
    if isinstance(one.command, Look):
        return [one.command.show(one.call, one.game, now)]
    act, given = _understood(one, now)
    return act.foresee(one.game, given, by=_by(one.user), now=now)


def _carry_out(one: Errand, now: dt.datetime) -> list[str]:
    if isinstance(one.command, Look):
        return [one.command.show(one.call, one.game, now)]
    fresh = replace(one, game=locked(one.game))
    act, given = _understood(fresh, now)
    done = act.perform(fresh.game, given, by=_by(one.user), now=now)
    shown = [line for heading, lines in done.shown for line in ("", f"{heading}:", *lines)]
    return [done.said, *shown]


def _understood(one: Errand, now: dt.datetime) -> tuple[GameAct[Any], Any]:
    """The act and its parameters. Raises GameError when he may not, or it cannot be."""
    assert isinstance(one.command, Deed), "a look is no act"
    act = GAME_ACTS[one.command.act]
    act.require(one.user, one.game, now)
    if one.command.takes is Takes.SOMETHING and not one.call.argument:
        raise BadInput(explanation(one.command))
    form = form_for(act, one.game, dict(one.command.answers(one.call, one.game)))
    if not form.is_valid():
        raise BadInput("\n".join([*_faults(form), f"Write: {one.command.usage}"]))
    return act, form.given()


def _faults(form: ActForm) -> list[str]:
    """What is wrong with the answers, each with its question."""
    labels = {name: str(field.label or name) for name, field in form.fields.items()}
    return [
        f"Your command does not say: {labels.get(name, name).lower()}."
        if form.has_error(name, "required")
        else f"{labels.get(name, name)}: {' '.join(map(str, said))}"
        for name, said in form.errors.items()
    ]


def _title(one: Errand) -> str:
    return f"{one.command.name.upper()} in {one.game.name}"


def _by(user: User) -> str:
    """The name under which the players are told who did it, the same as in the admin."""
    return user.get_full_name() or user.get_username()


def _letter(call: Call, first: str) -> Letter:
    """The line GM and those below it as a letter of their own."""
    texts, last = [first] if first else [], call.number
    for line in call.lines:
        texts += [""] * (line.number - last - 1) if last else []
        texts.append(_AGAIN.sub("", line.text, count=1) if _is_again(line) else line.text)
        last = line.number
    lines, ignored = own_lines(texts)
    return Letter(
        sender=None,
        recipients=(),
        subject="",
        message_id="",
        references=(),
        machine=None,
        lines=lines,
        ignored=ignored,
    )


def _is_again(line: Line) -> bool:
    """Whether a line begins with GM once more, and a command behind it."""
    match = _AGAIN.match(line.text)
    rest = line.text[match.end() :].split() if match else []
    return bool(rest) and rest[0].lower().strip(":!.,") in gm.WORDS


def _yours(user: User) -> str:
    names = list(roles.games_for(user).order_by("name").values_list("name", flat=True)[:10])
    return f"Your games: {', '.join(names)}." if names else "You are the game master of no game."
