"""The words of a notice, and how they make a subject and a body from an event."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, field
from functools import partial

from games.events import GameRolledBack, InPhase, OnProposal, facts_of
from games.models import Event, Game
from games.queries.access.audience import untold_facts
from games.queries.board import phase_title
from games.queries.reports.log_text import SOMEBODY
from games.queries.reports.wording import listed, local_moment
from mailer.notices.notice import Notice
from mailer.outbound import layout
from mailer.text import brief


@dataclass(frozen=True, slots=True)
class News:
    """The words that tell an event."""

    news: str
    """The subject; it may name any field of the event, and `title`, the title of its phase."""
    _: KW_ONLY
    mine: str = ""
    """The subject for the player concerned, if they are told first."""
    template: str = ""
    """templates/mail/<template>.txt, which gets what `said_by` returns. If empty, the kind's
    name."""

    def subject(
        self, event: Event, *, mine: bool = False, timezone: str = "", **context: str
    ) -> str:
        """Return the subject, for the player concerned or for all others; times are in this zone,
        or else in the game's."""
        words = (mine and self.mine) or self.news
        moment = partial(brief, now=event.created_at)
        said = said_by(event, timezone or event.game.timezone, moment=moment)
        return words.format_map({**said, **context})

    def body(self, event: Event, timezone: str, **context: object) -> str:
        """Return the body for a reader in this zone."""
        said = {**said_by(event, timezone), **context}
        return layout.render(self.template or event.kind, **said)


Audience = Callable[[Event, News, dt.datetime], Iterable[Notice]]
"""Writes the notices of an event, at this time."""


@dataclass(frozen=True, slots=True)
class Row(News):
    """A row of the table: the words, and their readers."""

    to: Audience = field(kw_only=True)
    """One of `audiences`."""


def said_by(
    event: Event, timezone: str, *, moment: Callable[[dt.datetime, str], str] = local_moment
) -> dict[str, object]:
    """Return what the event says for a reader in this zone: all times as text by `moment`, the name
    of the game, and the title of the phase it names, which may not be its row's.

    It also names the event's power, if there is one; code that writes to others has to make sure
    that they may know it.
    """
    facts = facts_of(event)
    said = {
        name: moment(value, timezone) if isinstance(value, dt.datetime) else value
        for name, value in facts.said()
    }
    for name in untold_facts(event) & said.keys() - {"power"}:
        said[name] = False if isinstance(said[name], bool) else (SOMEBODY,)
    phase = facts.phase if isinstance(facts, InPhase | OnProposal) else None
    if isinstance(facts, GameRolledBack):
        said["undone"] = listed([phase_title(one) for one in facts.undone])
        said["fresh"] = facts.is_fresh_start
    return {
        **said,
        "game": event.game.name,
        "by_invitation": event.game.entry == Game.Entry.INVITED,
        "lets_in": event.game.entry == Game.Entry.APPROVAL,
        "has_gm": event.game.gm_id is not None,
        "title": phase_title(phase) if phase else "",
    }
