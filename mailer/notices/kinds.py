"""What staff call each kind of our mails in lists, on pages and in letters to moderators."""

from __future__ import annotations

from games.events.facts import in_words
from mailer.notices.table import TABLE

_WORDS = {
    "asked": "letter to the moderators",
    "backup": "to operators: a backup or its drill failed",
    "board_unreadable": "to operators: a board cannot be read",
    "called_spam": "fewer mails, after one was called spam",
    "conduct": "from the moderators",
    "copy": "copy of an answer",
    "ended_by_link": "unsubscribed by a link",
    "erased": "everything about them was erased",
    "game_started": "start of a game",
    "later": "too many mails: answers come later",
    "mail_set_aside": "to staff: a mail was set aside",
    "orders_missing": "reminder",
    "own_address": "their addresses changed",
    "own_data": "all that is kept about them",
    "password": "new password",
    "phase_processed": "results",
    "press_sent": "press",
    "probe": "probe, to ourselves",
    "question": "question of ours",
    "reply": "answer to their mail",
    "resumed": "what happened while mail was paused",
    "set_aside": "their mail was set aside",
    "strangers": "to operators: too many strangers write",
    "unanswered": "too many mails without proof: no answers",
    "unasked": "too many mails without proof: no questions",
    "undelivered": "to the GM: a player’s mail came back",
    "undelivered_staff": "to staff: another’s mail came back",
    "unfetched": "to operators: a mail cannot be fetched",
    "unreadable": "to operators: a mailbox cannot be read",
}
"""For kinds whose code does not say it, or that have no event. “They” is the mail's reader."""


def words_of(kind: str) -> str:
    """Say in a few words what mails of a kind are about."""
    return _WORDS.get(kind) or in_words(kind)


KINDS = sorted({*_WORDS, *(facts.kind for facts in TABLE)}, key=lambda kind: words_of(kind).lower())
