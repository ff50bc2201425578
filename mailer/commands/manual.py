"""docs/commands.md, written from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mailer.commands.command import Command
from mailer.commands.gm import GmCommand
from mailer.commands.player import Verb

_HEAD = """\
# Commands

Written by `manage.py command_manual` from the commands themselves; the same texts come by mail with
`HELP` and `HELP` and a command. One command stands on a line, in capitals or not. A command marked
with a key takes proof of who wrote: a reply to a mail of ours (see identity.md).
"""


_MASTERS = """\
# Commands of game masters

They are for the game master of a game, in a reply to a mail that they got as the game master, or
behind `GM` and the game's name. One with a question mark asks you to confirm before it is done.
"""


def manual(commands: Mapping[str, Verb], masters: Mapping[str, GmCommand]) -> str:
    """The manual of all commands, in Markdown: those of players, then those of game masters."""
    return "\n".join(
        [
            _HEAD,
            *(
                part
                for _, verb in sorted(commands.items())
                for part in _section(verb, " 🔑" if verb.secured else "")
            ),
            _MASTERS,
            *(
                part
                for _, one in sorted(masters.items())
                for part in _section(one, " ?" if one.grave else "")
            ),
        ]
    )


def _section(verb: Command, mark: str) -> Iterator[str]:
    yield f"## {verb.name.upper()}{mark}\n"
    yield f"`{verb.usage}`: {verb.summary}.\n"
    examples = [line for line in verb.help.splitlines() if line.startswith("Example: ")]
    texts = [line for line in verb.help.splitlines() if not line.startswith("Example: ")]
    yield f"{' '.join(texts)}\n"
    if examples:
        yield "\n".join(f"* `{_example(line)}`{_remark(line)}" for line in examples) + "\n"
    if verb.aliases:
        yield f"Also: {', '.join(alias.upper() for alias in verb.aliases)}.\n"


def _example(line: str) -> str:
    return line.removeprefix("Example: ").partition(" (")[0]


def _remark(line: str) -> str:
    remark = line.partition(" (")[2]
    return f" ({remark}" if remark else ""
