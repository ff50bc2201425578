"""The manual is what the commands say, and what it shows works."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from mailer.commands import gm, player
from mailer.commands.calls import ORDERS
from mailer.commands.manual import manual
from mailer.commands.player import WORDS
from mailer.commands.script import read_script
from tests.mailer.commands.letters import letter
from tests.rows import each_row

MANUAL = Path(__file__).parents[3] / "docs" / "commands.md"
EXAMPLES = [
    (command.name, line.removeprefix("Example: ").partition(" (")[0])
    for command in player.COMMANDS.values()
    for line in command.help.splitlines()
    if line.startswith("Example: ")
]

GM_EXAMPLES = [
    (command.name, line.removeprefix("Example: "))
    for command in gm.COMMANDS.values()
    for line in command.help.splitlines()
    if line.startswith("Example: ")
]


def test_the_manual_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("command_manual")
    assert capsys.readouterr().out == MANUAL.read_text("utf-8"), (
        "run: manage.py command_manual > docs/commands.md"
    )


def test_every_command_is_in_the_manual() -> None:
    text = manual(player.COMMANDS, gm.COMMANDS)
    told = {command.name: command.summary for command in player.COMMANDS.values()}
    told |= {command.name: command.summary for command in gm.COMMANDS.values()}
    for name, summary in told.items():
        assert f"## {name.upper()}" in text
        assert summary in text
    for word in (*WORDS, *gm.WORDS):
        assert word.upper() in text


@each_row(("name", "line"), EXAMPLES)
def test_every_example_is_a_call_of_its_command(name: str, line: str) -> None:
    (call,) = read_script(letter(line), WORDS)
    assert call.command == (ORDERS if name == ORDERS else name)


@each_row(("name", "line"), GM_EXAMPLES)
def test_every_example_for_game_masters_is_a_call_of_its_command(name: str, line: str) -> None:
    (call,) = read_script(letter(line), gm.WORDS)
    assert call.command == name
