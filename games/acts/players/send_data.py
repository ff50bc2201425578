"""Send a player everything we keep about them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.parameters import Ask
from games.acts.players.base import PlayerAct, warned
from games.models import Conduct, DataRequest, Player
from games.queries.access.staff_names import Actor
from games.queries.reports.wording import local_moment
from games.services.accounts.own_data import own_data_send


def _choices(player: Player, now: dt.datetime) -> Mapping[str, str]:
    return {"": "Leave them out", "with": "Send them, too: they say nothing about anybody else"}


def _count(player: Player) -> str:
    number = player.conduct.filter(kind__in=Conduct.NOT_FOR_PLAYER).count()
    return {0: "There are none.", 1: "There is one."}.get(number, f"There are {number}.")


@dataclass(frozen=True, kw_only=True)
class Parameters:
    notes: Annotated[
        str,
        Ask(
            "The moderators’ notes",
            "Read them first: what they tell about others is not for this player.",
            choices=_choices,
            note=_count,
        ),
    ] = ""


class SendData(PlayerAct[Parameters]):
    name = "send_data"
    title = "Send their data"
    help = (
        "Mail the player all that the server keeps about them, to their own address. You see "
        "nothing of it. Players get the same by writing EXPORT, without the moderators’ notes."
    )
    undo = "A mail cannot be taken back."
    parameters = Parameters

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        if subject.addresses_frozen_at:
            return f"The addresses of {subject.name} are frozen."
        return "" if subject.address else f"{subject.name} has no confirmed address to write to."

    def stamp(self, subject: Player) -> str:
        """Return a digest that includes when they last got their data."""
        last = _last(subject)
        return f"{super().stamp(subject)} {last.pk if last else 0}"

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        last = _last(subject)
        return [
            *warned(subject, now),
            f"One mail goes to {subject.address}, with a file of all that we keep about "
            f"{subject.name}: settings, games, orders, press and mails, theirs and ours to them.",
            "The moderators’ notes about them are in it, too."
            if given.notes
            else "The moderators’ notes about them stay out; what you told them is in it.",
            f"They were last sent it on {local_moment(last.at)}."
            if last
            else "We have never sent it to them before.",
            "The staff’s log says that you did this.",
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        own_data_send(player=subject, notes=bool(given.notes), by=by, now=now)
        return Done(f"All that we keep about {subject.name} is on its way to them.")


def _last(player: Player) -> DataRequest | None:
    return player.data_requests.filter(kind=DataRequest.Kind.EXPORT).first()
