"""See what the orders that stand would bring."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from games.admin.acting import Done, Typed
from games.admin.actions.base import Action, Group, Reason, phase_of, title_of, told
from games.models import Game
from games.reports import board_text
from games.services.gm_orders import preview
from games.services.looks import Secret, look_record
from games.wording import listed


class Preview(Action):
    name = "preview"
    label = "Preview"
    what = "Adjudicate the open phase without storing anything. It shows orders: all are told."
    group = Group.ORDERS
    questions = Reason

    def foresee(self, game: Game, typed: Typed, now: dt.datetime) -> Sequence[str]:
        return [
            f"You see what {title_of(phase_of(game))} would bring with the orders that stand now, "
            "and so everybody's orders.",
            "Nothing of it is stored. That you looked, and why, stands in the log for ever.",
            told(game),
        ]

    def do(self, game: Game, typed: Typed, *, by: str, now: dt.datetime) -> Done:
        shown = preview(game)
        look_record(
            game=game,
            phase=shown.phase,
            what=[Secret.PREVIEW],
            powers=[],
            why=typed["why"],
            by=by,
            now=now,
        )
        orders = sorted(shown.results, key=lambda one: str(one["power"]))
        lines = [_line(one) for one in orders]
        if shown.missing:
            lines.append(f"Nothing has come from {listed(shown.missing)}.")
        if shown.ending:
            lines.append(f"The game would be over: {shown.ending}.")
        board = board_text(shown.after).splitlines()
        return Done(
            f"What {title_of(shown.phase)} of {game.name} would bring. Nothing was stored.",
            (("Orders", tuple(lines)), ("The board after them", tuple(board))),
        )


def _line(one: Mapping[str, Any]) -> str:
    words = ", ".join(one["result"])
    return f"{one['power']}: {one['order'] or one['text']}: {words}. {one['reason'] or ''}".strip()
