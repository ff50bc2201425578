"""An act as its page does it, without the page: its form, its forecast, and the doing."""

from __future__ import annotations

from typing import Any

from games.acts import GAME_ACTS
from games.admin.act_form import form_for
from games.errors import GameError
from games.models import Event, Game, OrderSet, Phase, Press, Seat
from tests.cast import HOUR, NOW

LATER = NOW + HOUR


class Acting:
    """One act of the GM on a game, an hour after the cast's game began.

    What is typed goes through the act's form; what comes back is what the GM would read.
    """

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.act = game, GAME_ACTS[name]
        self.expected = self.act.stamp(game)

    def foresee(self, **typed: object) -> str:
        """What it would do, or why it cannot; the GM has seen the game as it is now."""
        self._read_anew()
        self.expected = self.act.stamp(self.game)
        try:
            given = self._given(typed)
            return "\n".join(self.act.foresee(self.game, given, by="gm", now=LATER))
        except GameError as error:
            return str(error)

    def confirm(self, **typed: object) -> str:
        """What it did, or why it did not: it rests on the game as it was seen last."""
        self._read_anew()
        try:
            given = self._given(typed)
            done = self.act.perform(self.game, given, by="gm", now=LATER, expected=self.expected)
        except GameError as error:
            return str(error)
        return "\n".join([done.said, *(line for _, lines in done.shown for line in lines)])

    def _given(self, typed: dict[str, Any]) -> Any:
        if why_not := self.act.why_not(self.game, LATER):
            raise GameError(why_not)
        form = form_for(self.act, self.game, typed)
        if not form.is_valid():
            raise GameError(form.errors.as_text())
        return form.given()

    def _read_anew(self) -> None:
        self.game = Game.objects.get(pk=self.game.pk)


def world() -> list[object]:
    """All that an act could change in games."""
    tables = (Game, Phase, Seat, OrderSet, Press, Event)
    return [list(table.objects.order_by("pk").values()) for table in tables]  # type: ignore[attr-defined]
