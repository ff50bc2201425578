"""Keep a player's addresses unchanged while somebody else may write in their name, or end that."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.parameters import Ask
from games.acts.players.base import PlayerAct, WhyToPlayer, lately_changed
from games.models import Player
from games.queries.access.staff_names import Actor
from games.queries.reports.wording import listed
from games.services.accounts.erasing import emails_of
from games.services.moderation.conduct import LONGEST
from games.services.moderation.frozen_addresses import (
    addresses_freeze,
    addresses_unfreeze,
    cannot_be_frozen,
)


def _where(player: Player, now: dt.datetime) -> Mapping[str, str]:
    others = [email for email in emails_of(player) if email != player.address]
    return {"": f"{player.address}, as now", **{email: email for email in others}}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    record: Annotated[
        str,
        Ask(
            "Where results and press go meanwhile",
            "Choose the one that you trust most. We take orders from all of them.",
            choices=_where,
        ),
    ] = ""
    why: Annotated[
        str,
        Ask(
            "Why",
            "All of the player’s addresses read it, and so does whoever writes in their name: say "
            "no more than you want them to know. It stays in the file for good.",
            missing="Please say why: the player is told.",
            longest=LONGEST,
            rows=3,
        ),
    ]


class FreezeAddresses(PlayerAct[Parameters]):
    name = "freeze_addresses"
    title = "Freeze addresses"
    help = (
        "Keep the player’s addresses unchanged while you find out who writes in their name: nobody "
        "can add, change or forget one, get their data or have them erased. Their games go on."
    )
    undo = "“Unfreeze addresses” ends it."
    parameters = Parameters

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        return cannot_be_frozen(subject)

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        emails = emails_of(subject)
        words = _of_several(subject, given, emails) if len(emails) > 1 else _of_one(subject, emails)
        return [
            *lately_changed(subject, now),
            *words,
            "Until you unfreeze them, we refuse SET ADDRESS, SET RECORD, SET FORGET, EXPORT and "
            "ERASE. Orders, press and all other commands are taken as before.",
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        addresses_freeze(player=subject, why=given.why, by=by.name, now=now, record=given.record)
        return Done(f"The addresses of {subject.name} are frozen.")


def _of_several(player: Player, given: Parameters, emails: Sequence[str]) -> list[str]:
    record = f"to {given.record}" if given.record else f"on to {player.address}"
    return [
        f"These stay the addresses of {player.name}: {listed(emails)}. Results and press go "
        f"{record} alone.",
        f"{player.name} is told at each of these addresses: whoever else writes in their name "
        "reads it, too. What you write to them meanwhile goes to each, or only to the one that "
        "you choose. Replies come to the queue and say where they come from.",
    ]


def _of_one(player: Player, emails: Sequence[str]) -> list[str]:
    return [
        f"{listed(emails)} stays the only address of {player.name}, and all our mails go there.",
        f"{player.name} is told there, and what you write to them meanwhile goes there: whoever "
        "else reads that mailbox reads it, too. Replies come to the queue.",
    ]


def _whose(player: Player, now: dt.datetime) -> Mapping[str, str]:
    alone = {email: f"Only {email}: forget the others" for email in emails_of(player)}
    return {"": "All stay, as they are now", **(alone if len(alone) > 1 else {})}


@dataclass(frozen=True, kw_only=True)
class Ending:
    only: Annotated[
        str,
        Ask("Which are theirs?", "We write to the one you choose from then on.", choices=_whose),
    ] = ""
    why: WhyToPlayer


class UnfreezeAddresses(PlayerAct[Ending]):
    name = "unfreeze_addresses"
    title = "Unfreeze addresses"
    help = "Let the player change their addresses again; if somebody else has one, forget it."
    undo = "“Freeze addresses” stops changes again."
    parameters = Ending

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        """Say so if their addresses are not frozen."""
        frozen = subject.addresses_frozen_at
        return "" if frozen else f"The addresses of {subject.name} are not frozen."

    def forecast(self, subject: Player, given: Ending, now: dt.datetime) -> Sequence[str]:
        emails = emails_of(subject)
        kept = [given.only] if given.only else emails
        return [
            *(_addresses_to_forget(emails, given.only) if given.only else ()),
            f"We write to {given.only or subject.address}. {subject.name} can change their "
            "addresses, have their data sent and ask to be erased again.",
            f"{subject.name} is told at {listed(kept)}.",
        ]

    def do(self, subject: Player, given: Ending, *, by: Actor, now: dt.datetime) -> Done:
        addresses_unfreeze(player=subject, only=given.only, why=given.why, by=by.name, now=now)
        return Done(f"{subject.name} can change their addresses again.")


def _addresses_to_forget(emails: Sequence[str], only: str) -> Sequence[str]:
    others = [email for email in emails if email != only]
    return [
        f"We forget {listed(others)}. Mails from there are a stranger’s from then on, and nobody "
        "there is told. No such address comes back by itself: its owner would have to register "
        "again, and you would have to merge the two accounts.",
        "The player’s calendar gets a new address, too.",
    ]
