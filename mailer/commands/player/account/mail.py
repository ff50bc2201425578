"""MAIL: a player wants no mail for a while, from no game."""

from __future__ import annotations

import re

from games.errors import WrongState
from games.models import Player
from games.queries.reports.wording import listed, local_moment
from games.services.moderation.conduct import mail_pause, mail_resume
from games.services.moderation.seats_lost import seats_played
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, Takes
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Sender
from mailer.outbound.ended_by_link import bring_back, what_links_ended

_OFF = {"off", "no", "stop", "pause"}
PAUSED = (
    "Your mail is paused: we only send you answers like this one. To get everything again, write "
    "MAIL ON."
)


def what_stopped(player: Player) -> list[str]:
    """Say which mails no longer go to which of their addresses because somebody there called one
    spam, and which a link in a mail has ended."""
    spam = player.addresses.filter(complained_at__isnull=False).order_by("pk")
    by_links = [
        f"A link to unsubscribe was used on {local_moment(at, player.timezone)}, so you get no "
        f"{what}. MAIL ON brings them back."
        for what, at in what_links_ended(player).items()
    ]
    return by_links + [
        f"A mail of ours was marked as spam at {email}, so no reminders, offers of seats or news "
        "of games that you observe go there. MAIL ON brings them back."
        for email in spam.values_list("email", flat=True)
    ]


class Mail(PlayerCommand):
    name = "mail"
    usage = "MAIL OFF | ON"
    summary = "pause all our mails to you, and get them again"
    help = (
        "After MAIL OFF we only answer what you write: no results, no press, no reminders. We hold "
        "all of that back. Your games go on meanwhile, so first tell us that you will be away "
        "(ABSENCE), or give up your seat (RESIGN).\n"
        "MAIL ON starts our mails again. One mail says what happened and where each of your games "
        "stands; the press you missed and the latest results follow. It also brings back what a "
        "link to unsubscribe ended.\n"
        "PAUSE MAIL and RESUME MAIL say the same."
    )
    takes = Takes.SOMETHING
    argument = re.compile(r"(on|yes|resume|off|no|stop|pause)[ .!]*", re.IGNORECASE)
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        off = call.argument.strip(" .!").lower() in _OFF
        try:
            return _off(player, arrival) if off else _on(player, arrival)
        except WrongState:
            said = "is already paused" if off else "is not paused"
            return Receipt(title="Your mails", text=f"Mail to you {said}.")


def _off(player: Player, arrival: Arrival) -> Receipt:
    mail_pause(player=player, why="They asked for it by mail.", by=player.name, now=arrival.now)
    seats = [f"{seat.power.name} in {seat.power.game.name}" for seat in seats_played(player)]
    games = (
        f"\n\nYou still play {listed(seats)}, and the deadlines there do not wait. If you cannot "
        "send orders meanwhile, write ABSENCE FROM date TO date, or RESIGN."
        if seats
        else ""
    )
    return Receipt(
        title="Your mails",
        text="From now on we hold back all our mails to you. When you want them again, write MAIL "
        f"ON: one mail sums up what you missed.{games}",
        subject="Mail to you is paused",
    )


def _on(player: Player, arrival: Arrival) -> Receipt:
    now, why = arrival.now, "They asked for it by mail."
    back = listed(bring_back(player=player, now=now))
    again = f"You get {back} again." if back else ""
    try:
        mail_resume(player=player, why=why, by=player.name, now=now)
    except WrongState:
        if not back:
            raise
        return Receipt(title="Your mails", text=again, subject="You get these mails again")
    return Receipt(
        title="Your mails",
        text="You get all our mails again. The next one tells you what you missed and where each "
        f"of your games stands. {again}".strip(),
        subject="You get all our mails again",
    )
