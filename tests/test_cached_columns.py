"""A statement whose columns were written before is what Django writes, and reads the same rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.backends.postgresql import compiler as given
from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery

from diplomacy_server import cached_columns
from games.models import Event, Game, Phase, Player, Power, Seat
from tests.cast import Cast
from tests.rows import each_row

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("PostgreSQL")]

Asked = Callable[[], "QuerySet[Any, Any]"]
OTHERS = Seat.objects.filter(power__game=OuterRef("pk")).order_by("pk")

STATEMENTS: dict[str, Asked] = {
    "one table": lambda: Game.objects.filter(name="marne"),
    "a row of JSON": lambda: Phase.objects.order_by("pk"),
    "joined tables": lambda: Seat.objects.select_related("power__game", "player").order_by("pk"),
    "one table twice": lambda: Event.objects.select_related("game__gm", "phase__game"),
    "a table under other names": lambda: Power.objects.filter(
        game__in=Game.objects.filter(powers__seats__in=Seat.objects.filter(until=None))
    ),
    "some columns": lambda: Game.objects.only("name"),
    "all columns but some": lambda: Seat.objects.defer("since").select_related("player"),
    "some columns of joined tables": lambda: Seat.objects.select_related("player").only(
        "until", "player__name"
    ),
    "counted": lambda: Game.objects.annotate(many=Count("powers")).order_by("many", "pk"),
    "with a column of another": lambda: Game.objects.annotate(
        seat=Subquery(OTHERS.values("pk")[:1]), taken=Exists(OTHERS)
    ),
    "values": lambda: Game.objects.values_list("pk", "name"),
    "values and a sum": lambda: Game.objects.alias(n=F("pk") + 1).filter(n__gt=1),
    "both of two": lambda: Player.objects.filter(name="Ana").union(Player.objects.all()),
    "one of each": lambda: Event.objects.order_by("kind", "pk").distinct("kind"),
    "locked": lambda: Game.objects.select_for_update().order_by("pk"),
}


def read(asked: Asked) -> tuple[str, Any, list[Any]]:
    """The SQL, its values, and all that the rows hold."""
    sql, values = asked().query.get_compiler(connection=connection).as_sql()
    return sql, values, [_held(row) for row in asked()]


def _held(row: Any) -> Any:
    """The values of a row, and of those that were joined to it."""
    if not hasattr(row, "_state"):
        return row
    known = row._state.fields_cache.items()
    held = {name: value for name, value in vars(row).items() if name != "_state"}
    return type(row), held, {name: value and _held(value) for name, value in known}


@each_row("asked", STATEMENTS.values(), ids=list(STATEMENTS))
def test_it_is_what_django_writes(asked: Asked, marne: Cast) -> None:
    assert connection.ops.compiler_module == cached_columns.__name__
    first, again = read(asked), read(asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection.ops, "_cache", given)
        djangos = read(asked)
    assert first == djangos
    assert again == djangos
    assert djangos[2], "no row was read"


def test_the_columns_of_a_table_are_written_once() -> None:
    game = Game.objects.all().query.get_compiler(connection=connection)
    first, again = game.get_default_columns({}), game.get_default_columns({})
    assert [id(one) for one in first] == [id(one) for one in again]
    first.clear()
    assert again
