"""What the form for a new game proposes."""

from __future__ import annotations

from games.admin.forms import GameForm


def proposed() -> dict[str, object]:
    """What the form of a new game holds before anybody types; boxes that are not ticked send
    nothing."""
    form = GameForm()
    values = {name: form[name].value() for name in form.fields}
    typed = {name: value for name, value in values.items() if value is not None}
    return {
        name: "on" if value is True else value
        for name, value in typed.items()
        if value is not False
    }


FORM = {
    **proposed(),
    "name": "verdun",
    "first_extra": "1d",
    "transit_grace": "5m",
    "movement_clock": "Tue Fri 20:00",
    "days_off": "12-25",
    "reminders": "24h 4h",
    "when_missing": "extend",
    "extension_length": "1d",
    "player_extensions": "2",
    "muster": "2d",
    "min_reliability": "80",
    "movement_length": "2d",
    "retreat_length": "12h",
    "adjustment_length": "90m",
    "timezone": "Europe/Berlin",
}
