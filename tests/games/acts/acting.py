"""An act as its page does it, without the page: its form, its forecast, and the doing."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.db.backends.utils import CursorWrapper

from games.acts import GAME_ACTS, PLAYER_ACTS, Act
from games.admin.act_form import form_for
from games.errors import GameError
from games.models import (
    Address,
    BarredAddress,
    Conduct,
    DataRequest,
    Event,
    Game,
    OrderSet,
    Phase,
    Player,
    Press,
    Seat,
    StaffEntry,
)
from tests.cast import HOUR, NOW
from tests.locks import locks_in_order

LATER = NOW + HOUR


def staff(name: str) -> User:
    """One of the staff, who goes by this name."""
    user, _ = User.objects.get_or_create(username=name)
    user.first_name = name
    return user


class Acting:
    """One act on a game or about a player, an hour after the cast's game began.

    What is typed goes through the act's form; what comes back is what whoever acts would read. It
    has to keep to the order of locks.
    """

    def __init__(self, subject: Game | Player, name: str) -> None:
        self.subject: Any = subject
        self.act: Act[Any, Any] = (GAME_ACTS if isinstance(subject, Game) else PLAYER_ACTS)[name]
        self.by = staff("gm" if isinstance(subject, Game) else "mo")
        self.expected = self.act.stamp(self.subject)

    def foresee(self, **typed: object) -> str:
        """What it would do, or why it cannot; the subject is seen as it is now."""
        self._read_anew()
        self.expected = self.act.stamp(self.subject)
        try:
            given = self._given(typed)
            self.expected = self.act.stamp_with(self.subject, given)
            with locks_in_order():
                said = self.act.foresee(self.subject, given, by=self.by, now=LATER)
            return "\n".join(said)
        except GameError as error:
            return str(error)

    def confirm(self, **typed: object) -> str:
        """What it did, or why it did not: it rests on the subject as it was seen last."""
        self._read_anew()
        try:
            given = self._given(typed)
            with locks_in_order():
                done = self.act.perform(
                    self.subject, given, by=self.by, now=LATER, expected=self.expected
                )
        except GameError as error:
            return str(error)
        return "\n".join([done.said, *(line for _, lines in done.shown for line in lines)])

    def _given(self, typed: dict[str, Any]) -> Any:
        if why_not := self.act.why_not(self.subject, LATER):
            raise GameError(why_not)
        form = form_for(self.act, self.subject, typed, now=LATER)
        if not form.is_valid():
            raise GameError(form.errors.as_text())
        return form.given()

    def _read_anew(self) -> None:
        self.subject = type(self.subject).objects.get(pk=self.subject.pk)


def world() -> list[object]:
    """All that an act could change in games."""
    tables = (
        *(Game, Phase, Seat, OrderSet, Press, Event, Player, Address, Conduct),
        *(DataRequest, BarredAddress, StaffEntry),
    )
    with connection.cursor() as cursor:
        return [_rows(cursor, table._meta.db_table) for table in tables]


def _rows(cursor: CursorWrapper, table: str) -> list[Any]:
    cursor.execute(f'SELECT * FROM "{table}" ORDER BY id')
    return list(cursor.fetchall())
