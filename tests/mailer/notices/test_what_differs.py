"""The start mail says how the game differs from most, and says it so that nothing is done."""

from __future__ import annotations

import pytest

from games.models import Game
from games.settings import what_differs
from mailer import jobs
from mailer.commands.calls import ORDERS
from mailer.commands.player import WORDS
from mailer.commands.script import read_script
from mailer.letter import read_letter
from mailer.models import OutboundMail
from mailer.outbound.layout import laid_out
from tests.cast import NOW, make_cast
from tests.mailer.correspondence import flat
from tests.rows import each_row

UNUSUAL = {"grey_press": True, "observers": False, "gm_sees": "orders", "waits_for_absent": False}


@each_row("press", ["none", "public", "private"])
@each_row("reminders", ["off", "48h 4h", ""])
def test_wherever_the_lines_break_none_of_them_is_a_command(press: str, reminders: str) -> None:
    game = Game(name="marne", press_mode=press, reminders=reminders, **UNUSUAL)
    for width in range(72):
        body = laid_out(f"{'x' * width} {' '.join(what_differs(game))}")
        calls = read_script(read_letter(b"From: ana@players.test\n\n" + body.encode()), WORDS)
        assert [call for call in calls if call.command != ORDERS] == []


@pytest.mark.django_db
def test_players_read_it_when_the_game_starts() -> None:
    make_cast(**UNUSUAL)
    jobs.tell(NOW)
    mails = OutboundMail.objects.filter(kind="game_started", player__isnull=False)
    assert mails.count() == 7
    for mail in mails:
        said = flat(mail.body)
        assert "Grey press does not say which power wrote it" in said
        assert "What the game master may see while a phase is open: orders and press" in said
