"""APPROVE: let in somebody who asked to join."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User

from games.acts import let_in
from games.acts.turn_down import wishes_for_time
from games.errors import BadInput, NotFound
from games.models import Game
from games.queries.reports.wording import did_you_mean, listed
from mailer.commands.calls import Call
from mailer.commands.gm.base import ActCommand
from mailer.commands.gm.lines.arguments import names_apart, power_of, split_reason

_TO_WHAT = (
    "We cannot tell which mail of ours your {} answers, so it changed nothing. {} To say yes or no "
    "to something else, reply to the mail that asks you to."
)
_WANTS_TIME = "To give {} more time, write EXTEND TO {} because, and your reason."

_ANSWERED = (
    "{} no longer waits for more time: somebody has answered, or the phase is over. Nothing has "
    "changed."
)
_BY_EXTEND = (
    "To give {} more time, write EXTEND, how much and why: the deadline moves for everybody."
)


class Approve(ActCommand[let_in.Parameters]):
    name = "approve"
    aliases: ClassVar[tuple[str, ...]] = ("admit", "accept")
    usage = "APPROVE player"
    summary = "let somebody in who asked to join"
    help = (
        "Name them as our mail about them does, or by their first name or address; you can write "
        "several names on a line, with commas or “and” between them. You can leave the name out in "
        "an answer to that mail, where YES is enough, too, or while only one is waiting. They then "
        "have a place, with the list of powers they gave. STATUS says who is waiting.\n"
        "Example: APPROVE Hugo"
    )
    act = let_in.LetIn()
    answer = let_in.YES

    def _parameters(
        self, call: Call, game: Game, user: User, now: dt.datetime
    ) -> let_in.Parameters:
        if power := _power_playing(game, call.argument):
            waits = any(one.power == power for one in wishes_for_time(game))
            raise BadInput((_BY_EXTEND if waits else _ANSWERED).format(power))
        if self._is_bare(call) and not let_in.waiting(game):
            wanted = _time_wanted(game) or self.act.why_not(game, now)
            raise BadInput(_TO_WHAT.format(self.answer.upper(), wanted))
        return super()._parameters(call, game, user, now)

    def _is_bare(self, call: Call) -> bool:
        """Whether it is a bare YES or NO to a mail that we cannot tell."""
        word = call.word and call.word not in (self.name, *self.aliases)
        return bool(word) and not call.argument

    def read(self, call: Call, game: Game) -> let_in.Parameters:
        if self._is_bare(call):
            raise BadInput(_whom(game, f"Please write {self.name.upper()} and the name."))
        return let_in.Parameters(who=waiting_key(game, call.argument), answer=self.answer)

    def each(self, call: Call, game: Game) -> Sequence[Call]:
        """One call for each name on the line, if all of them wait."""
        names = names_apart(call.argument)
        whole = _keys_of(game, call.argument)
        if whole or len(names) == 1 or not all(len(_keys_of(game, one)) == 1 for one in names):
            return [call]
        return [replace(call, argument=one) for one in names]

    def title(self, call: Call, game: Game) -> str:
        """The command, with the name of the person it is about."""
        if self._is_bare(call) and not let_in.waiting(game):
            return call.written
        meant = _keys_of(game, call.argument) if call.argument else list(let_in.waiting(game))
        names = [let_in.waiting(game)[key][0].name for key in meant]
        return f"{self.name.upper()} {names[0] if len(names) == 1 else call.argument}".strip()


def _time_wanted(game: Game) -> str:
    """How to give more time to each power that asks for it; "" if none does."""
    said = (_WANTS_TIME.format(one.power, typed(one.to, game)) for one in wishes_for_time(game))
    return " ".join(said)


def typed(moment: dt.datetime, game: Game) -> str:
    """A moment as a GM writes it, on the game's clock: 2026-03-06 12:00."""
    return f"{moment.astimezone(ZoneInfo(game.timezone)):%Y-%m-%d %H:%M}"


def _power_playing(game: Game, text: str) -> str:
    """The power of a game being played that a text names, if it names nobody who waits; otherwise
    ""."""
    if game.status != Game.Status.ACTIVE or not text or _keys_of(game, text):
        return ""
    with suppress(BadInput):
        return power_of(game, text)
    return ""


def waiting_key(game: Game, text: str) -> str:
    """The key of the request to join that the text means. Raises BadInput, NotFound."""
    waiting = let_in.waiting(game)
    names = [player.name for player, _ in waiting.values()]
    if not text:
        if len(waiting) == 1:
            return next(iter(waiting))
        raise BadInput(_whom(game, "Please say whom."))
    found = _keys_of(game, text)
    if len(found) == 1:
        return found[0]
    if found:
        same = [waiting[key][0].name for key in found]
        raise BadInput(f"{listed(same)} wait to be let in. Please write the whole name.")
    name, why = split_reason(text)
    if why and len(_keys_of(game, name)) == 1:
        raise BadInput(f"Please write the name alone, {name}: we pass no reason on.")
    became = let_in.last_answer(game, text.strip(" ,.;")) or did_you_mean(text, names)
    raise NotFound(f"Nobody called “{text}” waits to be let in.{became}")


def _keys_of(game: Game, text: str) -> list[str]:
    """The keys of waiting people with this name or address, or failing that with this first
    name."""
    said, waiting = text.strip(" ,.;").lower(), let_in.waiting(game)
    whole = [key for key, (one, row) in waiting.items() if said in (one.name.lower(), row.email)]
    first = [key for key, (one, _) in waiting.items() if said == one.name.lower().split()[0]]
    return whole or first


def _whom(game: Game, asks: str) -> str:
    names = [player.name for player, _ in let_in.waiting(game).values()]
    waits = "This player waits" if len(names) == 1 else "These wait"
    return f"{asks} {waits}: {listed(names) or 'nobody'}."
