"""A GM's mail ends with commands that the game can follow as it stands."""

from __future__ import annotations

import pytest

from games.models import Game
from games.services.adjudication.phases import phase_process_now
from mailer import notices
from mailer.models import OutboundMail
from mailer.notices.notice import gm_hint
from tests.cast import HOUR, NOW, Cast
from tests.mailer.correspondence import flat
from tests.rows import each_row


@each_row(
    ("status", "offered", "useless"),
    [
        ("forming", "INVITE", "EXTEND"),
        ("muster", "START", "EXTEND"),
        ("active", "EXTEND", "RESUME"),
        ("paused", "RESUME", "EXTEND"),
        ("finished", "LOG", "EXTEND"),
    ],
)
def test_a_gm_is_offered_what_the_game_can_follow(status: str, offered: str, useless: str) -> None:
    written = gm_hint(Game(status=status))
    assert [line for line in written.splitlines() if line.endswith(" ")] == [], "wrapped"
    hint = flat(written)
    assert f" {offered}" in hint
    assert useless not in hint
    assert hint.endswith("HELP lists them all.")


@pytest.mark.parametrize("status", ["active", "paused"])
def test_a_gm_who_plays_is_offered_nothing_that_they_may_not_do(status: str) -> None:
    hint = flat(gm_hint(Game(status=status), plays=True))
    assert " or WRITE TO ALL" in hint
    assert not any(word in hint for word in ("EXTEND", "PROCESS", "EXCUSE"))


@pytest.mark.parametrize("known_by", ["user", "address in capitals"])
def test_the_results_of_a_gm_who_plays_offer_nothing_that_they_may_not_do(
    marne: Cast, known_by: str
) -> None:
    ana = marne.player("Ana")
    if known_by == "user":
        ana.user = marne.gm
        ana.save()
    else:
        marne.gm.email = "Ana@players.test"
        marne.gm.save()
    phase_process_now(game_id=marne.game.pk, now=NOW + HOUR)
    notices.tell_event(marne.events("phase_processed")[0], now=NOW + HOUR)
    mail = OutboundMail.objects.get(kind="phase_processed", key__endswith="/gm")
    assert "PAUSE, REMIND or WRITE TO ALL" in flat(mail.body)
    assert "EXTEND" not in mail.body
