"""Answer what a player asked the moderators."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.acts.base import Done
from games.acts.parameters import Ask
from games.acts.players.base import PlayerAct, To, how_it_reaches, read_by_all
from games.acts.players.ready_texts import ReadyText, text_of
from games.errors import BadInput, WrongState
from games.models import Conduct, Player
from games.queries.access.staff_names import Actor
from games.services.accounts.erasing import WISH
from games.services.moderation.conduct import LONGEST, player_answer, player_write, request_settle

STAYS = (
    "The wish to be erased stays in the queue, until you erase the player, they write ERASE OFF, "
    "or you settle it without an answer."
)


SHOWN = 80
"""The list of choices shows this many characters of a question."""


def _open(player: Player) -> dict[str, Conduct]:
    asked = player.conduct.filter(kind__in=Conduct.FOR_MODERATORS, settled_at=None)
    return {str(one.pk): one for one in asked.order_by("at", "pk")}


def _choices(player: Player, now: dt.datetime) -> Mapping[str, str]:
    return {key: one.why[:SHOWN] for key, one in _open(player).items()}


def _in_full(player: Player) -> str:
    """Return in full the questions that are too long for the list of choices."""
    longer = [one.why for one in _open(player).values() if len(one.why) > SHOWN]
    return " ".join(f"{player.name} wrote: “{why}”" for why in longer)


def _choices_without_answer(player: Player, now: dt.datetime) -> Mapping[str, str]:
    return {"": "No, I answer it", "yes": "Yes, and the player is not told"}


@dataclass(frozen=True, kw_only=True)
class Parameters:
    entry: Annotated[
        str, Ask("Asked", missing="Please say what you answer.", choices=_choices, note=_in_full)
    ]
    """The number of its row in the player's file."""
    only_to: To = ""
    ready: ReadyText = ""
    text: Annotated[
        str,
        Ask(
            "Answer",
            "It goes to the player by mail.",
            longest=LONGEST,
            rows=5,
        ),
    ] = ""
    unanswered: Annotated[
        str, Ask("Settle it without an answer?", choices=_choices_without_answer)
    ] = ""


_WHO = {
    Conduct.Kind.COMPLAINED: "The mail server said",
    Conduct.Kind.ALIKE: "This server said",
}
"""Who put something into the queue that no player asked about, by its kind."""


class Answer(PlayerAct[Parameters]):
    name = "answer"
    title = "Answer"
    help = "Answer what the player asked the moderators, or settle it without an answer."
    undo = "What you settle or mail cannot be taken back, but you can write again."
    parameters = Parameters

    def why_not(self, subject: Player, now: dt.datetime) -> str:
        """Say so if there is no question."""
        return "" if _open(subject) else f"No question of {subject.name} is open."

    def forecast(self, subject: Player, given: Parameters, now: dt.datetime) -> Sequence[str]:
        entry = _entry(subject, given.entry)
        who = _WHO.get(Conduct.Kind(entry.kind), f"{subject.name} asked")
        asked = f"{who}: “{entry.why}”"
        if not _is_decided(given):
            return []
        text = text_of(given.ready, given.text)
        if not text:
            return [asked, _settling_sentence(entry)]
        is_wish = entry.why == WISH
        return [
            asked,
            f"Your answer: “{text}”",
            how_it_reaches(subject, answers=not is_wish, only_to=given.only_to),
            *read_by_all(subject, given.only_to),
            *([STAYS] if is_wish else []),
        ]

    def do(self, subject: Player, given: Parameters, *, by: Actor, now: dt.datetime) -> Done:
        entry = _entry(subject, given.entry)
        if not _is_decided(given):
            raise BadInput("Please write an answer, or choose to settle the question without one.")
        text = text_of(given.ready, given.text)
        if not text:
            request_settle(entry=entry, now=now)
            return Done("The question is settled.")
        if entry.why == WISH:
            player_write(player=subject, text=text, by=by.name, now=now, only_to=given.only_to)
        else:
            player_answer(entry=entry, text=text, by=by.name, now=now, only_to=given.only_to)
        return Done(f"Your answer goes to {subject.name}.")


def _settling_sentence(entry: Conduct) -> str:
    """Say what it means to settle it without an answer."""
    what = "The question is settled without an answer."
    if entry.why == WISH:
        what = "The wish is settled, and nothing is erased."
    return f"{what} The player is not told."


def _is_decided(given: Parameters) -> bool:
    """Say whether there is an answer, or the wish to give none. Raises BadInput for both at
    once."""
    answer = given.ready or given.text
    if answer and given.unanswered:
        raise BadInput("Please either answer the question, or settle it without an answer.")
    return bool(answer or given.unanswered)


def _entry(player: Player, key: str) -> Conduct:
    entry = _open(player).get(key)
    if entry is None:
        raise WrongState("Somebody has already dealt with that.")
    return entry
