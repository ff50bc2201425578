"""Send a player nothing but answers, or everything again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.parameters import Ask
from games.acts.players.base import PlayerAct, seat_names
from games.models import Player
from games.queries.access.staff_names import Actor
from games.queries.reports.wording import local_moment
from games.services.moderation.conduct import LONGEST, mail_pause, mail_resume
from games.services.moderation.seats_lost import seats_played


@dataclass(frozen=True, kw_only=True)
class Parameters:
    why: Annotated[
        str,
        Ask(
            "Why",
            "It stays in the player's file. The player is not told.",
            missing="Please say why, for the moderators who come after you.",
            longest=LONGEST,
            rows=3,
        ),
    ]


class PauseMail(PlayerAct[Parameters]):
    name = "pause_mail"
    title = "Pause mail"
    help = (
        "Send the player nothing but answers to their own mails: for when our mails come back, or "
        "somebody marks them as spam. Their games go on."
    )
    undo = "“Resume mail” ends it, and so does MAIL ON from the player."
    parameters = Parameters

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        """Not twice."""
        return f"Mail to {subject.name} is already paused." if subject.mail_paused_at else ""

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        seats = seats_played(subject)
        plays = [f"They play on, and get no results: {seat_names(seats)}."] if seats else []
        return [
            f"{subject.name} gets nothing from us but answers to what they write. We hold the rest "
            "back.",
            *plays,
            "Each answer says so, and that MAIL ON brings everything again, as “Resume mail” does.",
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        mail_pause(player=subject, why=given.why, by=by.name, now=now)
        return Done(f"Mail to {subject.name} is paused.")


class ResumeMail(PlayerAct[Parameters]):
    name = "resume_mail"
    title = "Resume mail"
    help = "Send the player everything again, and one mail that sums up what they missed."
    undo = "“Pause mail” holds it back again."
    parameters = Parameters

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        """Say so if their mail is not paused, and nobody has called a mail spam."""
        stopped = subject.addresses.filter(complained_at__isnull=False)
        if subject.mail_paused_at or stopped.exists():
            return ""
        return f"Mail to {subject.name} is not paused."

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        since = subject.mail_paused_at
        paused = [f"It was paused on {local_moment(since)}."] if since else []
        return [
            *paused,
            f"{subject.name} gets all mails again, reminders and offers of seats, too.",
            "One mail sums up what they missed and where each of their games stands; press to them "
            "and the newest results of each game follow.",
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        mail_resume(player=subject, why=given.why, by=by.name, now=now)
        return Done(f"{subject.name} gets all mails again.")
