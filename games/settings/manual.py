"""docs/settings.md: every setting of a game, from the table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from games.settings import SETTINGS
from games.settings.setting import Setting

_HEAD = """\
# The settings of a game

Whoever makes a game chooses them, in the admin or with `manage.py create_game NAME`. What they
leave out is as the third column says. The GM can change a setting that *may change* until the game
is over (*Change settings*), and everybody is told; the others hold for good, because players joined
for them. [gms.md](gms.md) says more about what they lead to.

This page is written by `manage.py settings_manual`.
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
