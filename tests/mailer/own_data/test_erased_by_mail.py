"""A player who writes that they want to be erased waits in the moderators' queue."""

from __future__ import annotations

import pytest

from games.models import DataRequest
from tests.cast import HOUR, Cast
from tests.mailer.correspondence import answer_to, flat, write
from tests.mailer.own_data.exports import LATER, ask
from tests.rows import each_row

pytestmark = pytest.mark.django_db


@each_row("word", ["ERASE", "Erase me", "FORGET ME", "Delete my account", "please delete my data."])
def test_a_player_who_wants_to_be_erased_waits_in_the_moderators_queue(
    cast: Cast, word: str
) -> None:
    receipt = flat(answer_to(ask(word)).body)
    assert "Nothing is erased yet" in receipt
    assert "You still play Austria in marne. Once you are erased, that seat is offered" in receipt
    entry = cast.player("Ana").conduct.get()
    assert (entry.kind, entry.settled_at) == ("asked", None)
    assert "erase" in entry.why
    assert cast.player("Ana").erased_at is None


def test_asking_twice_makes_one_case(cast: Cast) -> None:
    ask("ERASE")
    receipt = answer_to(ask("ERASE", at=LATER + HOUR))
    assert "already have your request" in flat(receipt.body)
    assert cast.player("Ana").conduct.count() == 1


def test_whoever_has_asked_for_their_data_is_not_told_to_ask_again(cast: Cast) -> None:
    assert "about you first, write EXPORT" in flat(answer_to(ask("ERASE")).body)
    ask("EXPORT")
    said = flat(answer_to(ask("ERASE", at=LATER + HOUR)).body)
    assert "All that we keep about you is on its way" in said
    assert "EXPORT" not in said


def test_who_changes_their_mind_takes_the_wish_back(cast: Cast) -> None:
    assert "write ERASE OFF" in flat(answer_to(ask("ERASE")).body)
    assert "nothing is erased" in flat(answer_to(ask("Erase off", at=LATER + HOUR)).body)
    assert cast.player("Ana").conduct.get().settled_at is not None
    again = flat(answer_to(ask("ERASE OFF", at=LATER + 2 * HOUR)).body)
    assert "You have not asked to be erased" in again
    ask("ERASE", at=LATER + 3 * HOUR)
    assert cast.player("Ana").conduct.filter(settled_at=None).count() == 1


def test_nobody_else_can_ask_for_it(cast: Cast) -> None:
    assert write("Ana", "ERASE").state == "held"
    assert not cast.player("Ana").conduct.exists()


@each_row("line", ["Delete A Paris", "Forget it", "Delete", "Export A Paris"])
def test_a_line_that_only_begins_so_is_no_such_wish(cast: Cast, line: str) -> None:
    ask(line)
    assert not cast.player("Ana").conduct.exists()
    assert not DataRequest.objects.exists()
