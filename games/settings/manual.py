"""docs/settings.md: every setting of a game, from the table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from games.settings import SETTINGS
from games.settings.setting import Setting

_HEAD = """\
# The settings of a game

You choose the settings when you make a game, in the admin or with `manage.py create_game NAME`. The
third column says what holds if you leave one out. The GM can change a setting that *may change* as
long as the game is not over (*Change settings*), and everybody is told. The others never change,
because players joined for them. [gms.md](gms.md) says more about what each setting does.

`manage.py settings_manual` writes this page.
"""
_COLUMNS = "| setting | option | if left out | may change | what it means |\n|---|---|---|---|---|"


def manual() -> str:
    """Return the page."""
    return "\n".join([_HEAD, *_parts()])


def _parts() -> Iterator[str]:
    for group, several in groupby(SETTINGS.values(), key=lambda one: one.group):
        yield f"## {group}\n\n{_COLUMNS}"
        yield "".join(f"{_row(one)}\n" for one in several)


def _row(one: Setting) -> str:
    changes = {True: "yes", False: "no"}[one.may_change]
    default = one.words(one.default) if one.kind is bool else one.usual
    values = f" {one.one_of('`')}" if one.choices else ""
    option = one.name.upper() if one.name == "name" else one.option
    cells = [one.label, f"`{option}`", default, changes, f"{one.about.help}{values}"]
    return f"| {' | '.join(cells)} |"
