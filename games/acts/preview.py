"""Try out the orders that stand now."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from games.acts.base import Done, Part
from games.acts.game import GameAct, Group, phase_of
from games.acts.parameters import Why
from games.acts.sentences import title_of, who_is_told
from games.board_json import ResultJson
from games.models import Game
from games.queries.access.staff_names import Actor
from games.queries.board import with_reason
from games.queries.phases.centers import board_text
from games.queries.reports.pictures import Trial
from games.queries.reports.wording import listed
from games.services.moderation.looks import Secret, look_record
from games.services.ordering.gm_orders import preview


@dataclass(frozen=True, kw_only=True)
class Parameters:
    why: Why


class Preview(GameAct[Parameters]):
    name = "preview"
    title = "Preview"
    help = "Adjudicate the open phase without storing anything. It shows orders, so all are told."
    group = Group.ORDERS
    undo = "A look cannot be taken back."
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        return [
            f"You see what {title_of(phase_of(subject))} would bring with the orders that stand "
            "now, and so you see everybody's orders.",
            "We store nothing, but the log keeps for good that you looked, and why.",
            who_is_told(subject, now),
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        shown = preview(subject)
        look_record(
            phase=shown.phase,
            what=[Secret.PREVIEW],
            powers=[],
            why=given.why,
            by=by,
            now=now,
        )
        orders = sorted(shown.results, key=lambda one: one["power"])
        lines = [_line(one) for one in orders]
        if shown.missing:
            lines.append(f"Nothing has come from {listed(shown.missing)}.")
        if shown.ending:
            lines.append(f"The game would be over: {shown.ending}.")
        board = board_text(shown.after).splitlines()
        return Done(
            f"What {title_of(shown.phase)} of {subject.name} would bring. Nothing was stored.",
            (Part("Orders", tuple(lines)), Part("The board after them", tuple(board))),
            Trial(shown.phase, shown.results, shown.after.to_state(), None),
        )


def _line(one: ResultJson) -> str:
    words = ", ".join(one["result"])
    return (
        f"{one['power']}: {one['order'] or one['text']}: {with_reason(words, one['reason'] or '')}"
    )
