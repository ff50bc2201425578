"""What the moderators' queue suggests."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from games.queries.moderators.suggestions import (
    GmReach,
    about_open_power,
    about_overdue,
    about_paused,
    about_unreachable,
)
from games.queries.players.reliability import Reliability
from tests.cast import DAY, HOUR, NOW

GOOD, BAD = Reliability(in_time=40, missed=2), Reliability(in_time=4, missed=6)


@pytest.mark.parametrize(
    ("can_ask", "missed", "found", "offers", "fitting", "said"),
    [
        (True, 2, BAD, 2, 3, "Wait: 2 players have still to answer an offer."),
        (True, 2, BAD, 1, 0, "Wait: 1 player has still to answer an offer."),
        (
            True,
            2,
            BAD,
            0,
            3,
            "Offer the seat: missed 2 in a row, 3 players on the standby list could",
        ),
        (False, 0, BAD, 0, 1, "Offer the seat: 1 player on the standby list could"),
        (True, 2, GOOD, 0, 0, "Write to the player first: with 96% they may have a reason."),
        (False, 2, GOOD, 0, 0, "Seat somebody you know: nobody on the standby list"),
        (True, 2, BAD, 0, 0, "Seat somebody you know: nobody on the standby list"),
        (False, 0, None, 0, 0, "Seat somebody you know: nobody on the standby list"),
    ],
)
def test_for_an_open_seat(
    can_ask: bool, missed: int, found: Reliability | None, offers: int, fitting: int, said: str
) -> None:
    text = about_open_power(
        can_ask=can_ask, missed=missed, found=found, offers=offers, fitting=fitting
    )
    assert text.startswith(said)


@pytest.mark.parametrize(
    ("reached_at", "due_at", "said"),
    [
        ("a@x.test", NOW + HOUR, "Nothing: meanwhile our mails go to their other address"),
        ("", None, "Write to them in another way"),
        ("", NOW - HOUR, "Open their seat: the deadline has passed"),
        ("", NOW, "Open their seat: the deadline has passed"),
        ("", NOW + 2 * DAY, "Put the deadline off, or open their seat: 2 days left"),
        ("", NOW + dt.timedelta(seconds=20), "Put the deadline off, or open their seat: 1 minute"),
        ("", NOW + 3 * DAY, "Ask the GM whether somebody knows another way"),
    ],
)
def test_for_a_player_whom_mails_do_not_reach(
    reached_at: str, due_at: dt.datetime | None, said: str
) -> None:
    text = about_unreachable(reached_at=reached_at, has_gm=True, due_at=due_at, now=NOW)
    assert text.startswith(said)


def test_where_no_game_has_a_gm_nobody_is_to_ask_one() -> None:
    text = about_unreachable(reached_at="", has_gm=False, due_at=NOW + 9 * DAY, now=NOW)
    assert text.startswith("Find out whether somebody knows another way")


@pytest.mark.parametrize(
    ("stuck", "policy", "gm", "said"),
    [
        (True, "wait", "gm", "Tell whoever runs the server: the phase should have been processed."),
        (False, "wait", "gm", "Find players for Italy, Turkey: the game goes on when their orders"),
        (False, "gm", "Gerda", "Write to the GM, Gerda: it is theirs to decide."),
        (False, "gm", "", "Ask whoever runs the server: the game has no GM to decide."),
    ],
)
def test_for_a_game_that_stands_still(stuck: bool, policy: str, gm: str, said: str) -> None:
    powers = ["Italy", "Turkey"]
    reach = GmReach(gm, asks=True, fails=False) if gm else None
    text = about_overdue(stuck=stuck, policy=policy, gm=reach, powers=powers)
    assert text.startswith(said)


def test_a_gm_who_does_not_play_here_is_reached_by_what_the_players_read() -> None:
    gerda = GmReach("Gerda", asks=False, fails=False)
    text = about_overdue(stuck=False, policy="gm", gm=gerda, powers=["Italy"])
    assert text == (
        "It is for the GM, Gerda, to decide. They do not play here, but get a copy of what you "
        "write to the players. If they stay silent, whoever runs the server can let somebody else "
        "run the game."
    )
    assert "get a copy" in about_paused(gerda)
    assert about_paused(replace(gerda, asks=True)) == (
        "It is paused without an end: ask the GM, Gerda, when it goes on. Resume it when its "
        "powers have players."
    )
    assert "find out whether anybody plays on. Resume" in about_paused(None)


@pytest.mark.parametrize("asks", [False, True])
def test_nobody_waits_for_a_gm_to_whom_mails_do_not_arrive(asks: bool) -> None:
    gerda = GmReach("Gerda", asks=asks, fails=True)
    text = about_overdue(stuck=False, policy="gm", gm=gerda, powers=["Italy"])
    assert "but mails do not reach them: whoever runs the server can let" in text
    text = about_paused(gerda)
    assert "find out whether anybody plays on. Resume" in text


def test_a_game_for_which_all_is_in_needs_nobody() -> None:
    text = about_overdue(stuck=False, policy="wait", gm=None, powers=[])
    assert text == "Nothing: all that it waited for is in."
