"""The subject of an answer: the worst news in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailer.commands.player import Receipt
from mailer.letter import Letter
from mailer.outbound import threads

NOT_DONE = "NOT done: "
_TAG = re.compile(r"\[[\w-]+\]")


def subject_of(receipts: Sequence[Receipt], letter: Letter, root: threads.Root) -> str:
    """The worst news of the answer, and whether there is more.

    If all is well, the answer keeps the subject of its thread, so that Gmail leaves it there.
    """
    if root.subject and all(map(_is_quiet, receipts)):
        return _answering(root.subject)
    worst_first = sorted(receipts, key=lambda receipt: (receipt.done, receipt.whole))
    subjects = [receipt.subject for receipt in worst_first if receipt.subject]
    if not subjects:
        return _without_news(worst_first, letter)
    refused = [one for one in receipts if not one.done and not one.subject]
    if refused:
        return _with_refused(subjects[0], refused)
    return subjects[0] if len(subjects) == 1 else f"{subjects[0]}, and more"


def _with_refused(subject: str, refused: Sequence[Receipt]) -> str:
    """`[marne] NOT done: TAKEOVER; Spring 1901 movement: …`: the worst news stands first."""
    game = _TAG.match(subject)
    words = (one.refused.removeprefix(NOT_DONE) or "some lines" for one in refused)
    said = f"{NOT_DONE}{', '.join(dict.fromkeys(words))}"
    rest = subject.removeprefix(game[0]).lstrip() if game else subject
    return f"{f'{game[0]} ' if game else ''}{said}; {rest}"


def _without_news(receipts: Sequence[Receipt], letter: Letter) -> str:
    """The subject where no receipt brings one: what was refused, or that of the mail."""
    title = letter.subject or "your mail"
    refused = next((one.refused for one in receipts if one.refused), "")
    if refused:
        game = _TAG.search(title)
        return f"{game[0]} {refused}" if game else refused
    return _answering(title)


def _is_quiet(receipt: Receipt) -> bool:
    """Whether all is well, and nothing happened that a player should notice in the inbox."""
    all_well = receipt.done and receipt.whole and receipt.wish is None
    return all_well and (receipt.routine or not receipt.subject)


def _answering(subject: str) -> str:
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"
