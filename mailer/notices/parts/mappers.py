"""The header by which map-drawing programs have recognised a judge's mail since njudge (1987).

njudge puts it at the top of every mail; we put it at the end, where it disturbs nobody:

    :: Judge: JUDGE  Game: marne  Variant: Standard
    :: Deadline: F1901M Sun Mar 08 2026 12:00:00 UTC
"""

from __future__ import annotations

import datetime as dt

from django.conf import settings

from games.models import Game
from games.queries.reports.phase_report import PhaseReport


def mapper_lines(report: PhaseReport, game: Game) -> list[str]:
    """The two lines; only the first if the game is over, since nothing is due any more."""
    name = settings.JUDGE_ADDRESS.partition("@")[0].upper()
    variant = game.variant.partition("+")[0].title()
    flags = " Gunboat" if game.anonymous else ""
    lines = [f":: Judge: {name}  Game: {report.game}  Variant: {variant}{flags}"]
    if report.next and report.next.due_at:
        due_at = report.next.due_at.astimezone(dt.UTC)
        lines.append(f":: Deadline: {report.next.name} {due_at:%a %b %d %Y %H:%M:%S} UTC")
    return lines
