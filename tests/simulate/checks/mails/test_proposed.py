"""What the simulation takes for proposed, and for refused."""

from __future__ import annotations

import sqlite3
from typing import Any, cast

from tests.rows import each_row
from tests.simulate.checks.evidence import Evidence
from tests.simulate.checks.mails.proposed import proposed_in
from tests.simulate.checks.mails.rehearsal import _refuses, has_turned, was_said
from tests.simulate.players.writers import Letter

HERE = "Reply to this mail with the word CONFIRM; then you play."
ELSEWHERE = "We have asked there. Reply CONFIRM to that mail; then you play."


@each_row(("body", "proposed"), [(HERE, ["CONFIRM"]), (ELSEWHERE, [])])
def test_a_word_for_another_mail_is_not_proposed(body: str, proposed: list[str]) -> None:
    mail = {"subject": "Re: Diplomacy", "buttons": "[]", "body": body}
    assert proposed_in(cast(sqlite3.Row, mail), {}) == proposed


@each_row(
    ("kind", "subject", "answer", "is_refused"),
    [
        ("question", "NOT done yet: was this mail yours?", "NOT done: GM", False),
        ("question", "NOT done yet: was this mail yours?", "NOT done: YES", True),
        ("question", "NOT done yet: was this mail yours?", "[ypern] NOT SENT to Italy", False),
        ("question", "NOT done yet: please confirm", "NOT done: ROLLBACK", True),
        ("reply", "Welcome", "NOT understood: LIST", True),
        ("vote_proposed", "Proposal 2", "[ypern] NOT voted yet on proposal 2", True),
        ("reply", "You are away", "NOT noted yet: your absence", True),
        ("reply", "Welcome", "The games", False),
    ],
)
def test_whose_mail_it_was_may_be_known_and_what_it_asks_refused(
    kind: str, subject: str, answer: str, is_refused: bool
) -> None:
    mail = {"kind": kind, "subject": subject}
    assert _refuses(cast(sqlite3.Row, mail), answer) == is_refused


OVER = "The game ypern is \nover."
NOT_YET = "No phase of the game ypern is over yet."


@each_row(
    ("kind", "subject", "created_at", "event", "answer", "is_since"),
    [
        ("reply", "[ypern] You vote yes", "2026-03-09 16:37:00", "game_finished", OVER, True),
        ("reply", "[ypern] You vote yes", "2026-03-09 16:37:01", "game_finished", OVER, False),
        ("reply", "[ypern2] You vote yes", "2026-03-09 16:37:00", "game_finished", OVER, False),
        ("vote_proposed", "[ypern] Votes", "2026-03-09 16:37:00", "game_finished", OVER, False),
        ("reply", "[ypern] Over", "2026-03-09 16:37:00", "game_rolled_back", NOT_YET, True),
        ("reply", "[ypern] Over", "2026-03-09 16:37:00", "press_sent", NOT_YET, False),
    ],
)
def test_a_receipt_does_not_know_that_the_next_mail_ends_its_game_or_rolls_it_back(
    kind: str, subject: str, created_at: str, event: str, answer: str, is_since: bool
) -> None:
    database, nothing = sqlite3.connect(":memory:"), cast(Any, None)
    database.executescript(f"""
        create table games_game (id, name);
        create table games_event (game_id, kind, created_at);
        insert into games_game values (1, 'ypern');
        insert into games_event values (1, '{event}', '2026-03-09 16:37:00');
    """)
    seen = Evidence(lambda: database, nothing, nothing, nothing, set())
    mail = {"kind": kind, "subject": subject, "created_at": created_at}
    answered = cast(sqlite3.Row, mail)
    assert has_turned(seen, answered, answer) == is_since
    assert not has_turned(seen, answered, "There is no proposal 2.")


@each_row(
    ("text", "created_at", "is_said"),
    [
        ("LEAVE ypern", "2026-03-09 16:37:00", True),
        ("LEAVE ypern", "2026-03-09 16:37:01", False),
        ("JOIN ypern", "2026-03-09 16:37:00", False),
    ],
)
def test_a_receipt_does_not_know_what_its_reader_says_in_the_next_mail(
    text: str, created_at: str, is_said: bool
) -> None:
    database, nothing = sqlite3.connect(":memory:"), cast(Any, None)
    database.executescript("""
        create table mailer_inboundmail (message_id, processed_at);
        insert into mailer_inboundmail values ('<1@x>', '2026-03-09 16:37:00');
    """)
    seen = Evidence(lambda: database, nothing, nothing, nothing, set())
    seen.wrote(Letter("<1@x>", "ana@players.example", "judge@game.test", "LEAVE ypern"))
    mail = {"recipient": "ana@players.example", "created_at": created_at}
    assert was_said(seen, cast(sqlite3.Row, mail), text) == is_said
