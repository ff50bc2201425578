"""What the simulation takes for proposed, and for refused."""

from __future__ import annotations

import sqlite3
from typing import cast

import pytest

from tests.simulate.proposed import proposed_in
from tests.simulate.rehearsal import _refuses

HERE = "Reply to this mail with the word CONFIRM; then you play."
ELSEWHERE = "We have asked there. Reply CONFIRM to that mail; then you play."


@pytest.mark.parametrize(("body", "proposed"), [(HERE, ["CONFIRM"]), (ELSEWHERE, [])])
def test_a_word_for_another_mail_is_not_proposed(body: str, proposed: list[str]) -> None:
    mail = {"subject": "Re: Diplomacy", "buttons": "[]", "body": body}
    assert proposed_in(cast(sqlite3.Row, mail), {}) == proposed


@pytest.mark.parametrize(
    ("kind", "subject", "answer", "is_refused"),
    [
        ("question", "NOT done yet: was this mail yours?", "NOT done: GM", False),
        ("question", "NOT done yet: was this mail yours?", "NOT done: YES", True),
        ("question", "NOT done yet: was this mail yours?", "[ypern] NOT SENT to Italy", False),
        ("question", "NOT done yet: please confirm", "NOT done: ROLLBACK", True),
        ("reply", "Welcome", "NOT understood: LIST", True),
        ("reply", "Welcome", "The games", False),
    ],
)
def test_whose_mail_it_was_may_be_known_and_what_it_asks_refused(
    kind: str, subject: str, answer: str, is_refused: bool
) -> None:
    mail = {"kind": kind, "subject": subject}
    assert _refuses(cast(sqlite3.Row, mail), answer) == is_refused
