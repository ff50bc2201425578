"""Invite players to a game that has not started, or keep them out of it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.game import GameAct, Group, Status
from games.acts.parameters import Ask
from games.models import Game
from games.queries.access.staff_names import Actor
from games.queries.players.places import wishes_to_join
from games.queries.reports.wording import listed
from games.services.seating.invitations import players_deny, players_invite


def addresses(text: str) -> tuple[str, ...]:
    """Return the addresses in a text, each once.

    They may be separated by blanks, commas, lines or the word "and", or have names as mail programs
    write them: "Smith, Ana" <ana@example.org>.
    """
    parts = re.split(r"[,;\n]+", re.sub(r'"[^"\n]*"', " ", text))
    found = [word for part in parts for word in re.findall(r"<([^<>]*)>", part) or part.split()]
    words = (word.strip() for word in found if word.lower() not in ("and", "&"))
    return tuple({word.lower(): word for word in words if word}.values())


def _code(game: Game) -> str:
    if not game.code:
        return ""
    return (
        f"Anybody with the code {game.code} can join uninvited, too: JOIN {game.name} {game.code}."
    )


@dataclass(frozen=True, kw_only=True)
class Parameters:
    emails: Annotated[
        tuple[str, ...],
        Ask(
            "Addresses",
            "One per line, or separated by commas.",
            missing="Please write at least one address.",
            rows=5,
            read=addresses,
        ),
    ]


class Invite(GameAct[Parameters]):
    name = "invite"
    title = "Invite players"
    help = (
        "Let people join by their addresses. Those who are registered here get a mail; we do not "
        "say who they are."
    )
    group = Group.SEATS
    when = frozenset({Status.FORMING})
    undo = "“Keep somebody out” takes an invitation back."
    names_addresses = True
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        # Not who is registered: anybody can make a game to try out others' addresses.
        return [
            f"{listed(list(given.emails))} may join {subject.name}.",
            "Those who are registered here get a mail. We do not say who they are, so send "
            "everybody the invitation from the game's page yourself, too.",
            *([_code(subject)] if subject.code else []),
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        players_invite(game=subject, emails=given.emails, by=by.name, now=now)
        code = f" {_code(subject)}" if subject.code else ""
        return Done(f"Invited to {subject.name}: {listed(list(given.emails))}.{code}")


class Deny(GameAct[Parameters]):
    name = "deny"
    title = "Keep somebody out"
    help = (
        "Keep people out of the game by their addresses. They are told if they have asked to join, "
        "or try to."
    )
    group = Group.SEATS
    when = frozenset({Status.FORMING})
    undo = "“Invite players” lets them join again."
    names_addresses = True
    parameters = Parameters

    def forecast(self, subject: Game, given: Parameters, now: dt.datetime) -> Sequence[str]:
        emails = [email.lower() for email in given.emails]
        asked = [player.name for player, row in wishes_to_join(subject) if row.email in emails]
        told = f"Told by mail, because they have asked to join: {listed(asked)}." if asked else ""
        return [
            f"{listed(list(given.emails))} cannot join {subject.name}, whatever code they have.",
            told
            or "Nobody is told; anybody who tries to join reads that the GM does not let them.",
        ]

    def do(self, subject: Game, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        players_deny(game=subject, emails=given.emails, by=by.name, now=now)
        return Done(f"Kept out of {subject.name}: {listed(list(given.emails))}.")
