"""docs/commands.md, written from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mailer.commands.base import PlayerCommand
from mailer.commands.command import Command
from mailer.commands.gm import GmCommand

_HEAD = """\
# Commands

Written by `manage.py command_manual` from the commands themselves; the same texts come by mail with
`HELP` and `HELP` and a command. One command stands on a line, in capitals or not. A command marked
with a key takes proof of who wrote: a reply to a mail of ours ([identity.md](identity.md)).
"""

_MASTERS = """\
# Commands of game masters

They are for the game master of a game, in a reply to a mail that they got as the game master, or
after `GM` and the game's name. One with a question mark asks you to confirm before it is done.
"""


def manual(commands: Mapping[str, PlayerCommand], masters: Mapping[str, GmCommand]) -> str:
    """The manual of all commands, in Markdown: those of players, then those of game masters."""
    return "\n".join(
        [
            _HEAD,
            *(
                part
                for _, command in sorted(commands.items())
                for part in _section(command, " 🔑" if command.secured else "")
            ),
            _MASTERS,
            *(
                part
                for _, one in sorted(masters.items())
                for part in _section(one, " ?" if one.grave else "")
            ),
        ]
    )


def _section(command: Command, mark: str) -> Iterator[str]:
    yield f"## {command.name.upper()}{mark}\n"
    yield f"`{command.usage}`: {command.summary}.\n"
    for is_list, lines in command.help_parts():
        yield "\n".join(map(_item, lines) if is_list else [" ".join(lines)]) + "\n"
    if command.aliases:
        yield f"Also: {', '.join(alias.upper() for alias in command.aliases)}.\n"


def _item(line: str) -> str:
    """An example with its remark, or a word with what it means."""
    word, _, said = line.partition(": ")
    if word != "Example":
        return f"* `{word}`: {said}"
    example, bracket, remark = said.partition(" (")
    return f"* `{example}`{bracket}{remark}"
