"""The cast is what the other tests take it for."""

from __future__ import annotations

import pytest
from django.db.models import Model

from games.models import Player
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, made_step_by_step, make_cast
from tests.made import models


def test_everybody_plays_the_power_they_asked_for(marne: Cast) -> None:
    seated = {marne.seat(power).player.name: power for power in POWERS.values()}
    assert seated == POWERS


def test_the_game_stands_in_its_first_phase(marne: Cast) -> None:
    assert marne.phase.name == "S1901M"
    assert marne.phase.opened_at == NOW
    assert marne.game.status == "active"


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {
            "movement_length": 6 * HOUR,
            "movement_clock": "Tue Fri 20:00",
            "timezone": "America/New_York",
        },
        {"anonymous": True, "first_extra": 4 * DAY, "early_delay": None, "last_year": 1903},
    ],
    ids=["none", "a clock", "others"],
)
def test_however_the_cast_is_made_the_same_rows_come_out(db: None, settings: dict) -> None:
    make_cast(**settings)
    quickly = rows()
    for model in models():
        model._default_manager.all()._raw_delete("default")
    made_step_by_step(NOW, settings)
    assert rows() == quickly


CHANCE = {"password", "date_joined", "salt", "digest", "previous"}
"""Drawn, by the machine's clock, or made of the database's keys."""


def rows() -> dict[str, list[dict]]:
    """Everything that stands in the tables; the database's keys are told by their order."""
    order = {model: ranks(model) for model in models()}
    return {
        model.__name__: sorted((told(row, order) for row in model._default_manager.all()), key=repr)
        for model in models()
    }


def ranks(model: type[Model]) -> dict[object, int]:
    keys = model._default_manager.order_by("pk").values_list("pk", flat=True)
    return {key: number for number, key in enumerate(keys)}


def told(row: Model, order: dict) -> dict[str, object]:
    values = {}
    for field in row._meta.concrete_fields:
        if not field.primary_key and field.name not in CHANCE:
            value = field.value_from_object(row)
            keys = order.get(field.related_model)
            values[field.name] = keys.get(value) if keys else value
    if "player" in values.get("payload", {}):
        values["payload"]["player"] = order[Player][values["payload"]["player"]]
    return values
