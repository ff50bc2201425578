"""docs/commands.md, written from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mailer.verbs import Verb

_HEAD = """\
# Commands

Written by `manage.py command_manual` from the commands themselves; the same texts come by mail with
`HELP` and `HELP` and a command. One command stands on a line, in capitals or not. A command marked
with a key takes proof of who wrote: a reply to a mail of ours (see identity.md).
"""


def manual(commands: Mapping[str, Verb]) -> str:
    """The manual of all commands, in Markdown."""
    parts = [_HEAD, *(part for _, verb in sorted(commands.items()) for part in _section(verb))]
    return "\n".join(parts)


def _section(verb: Verb) -> Iterator[str]:
    key = " 🔑" if verb.secured else ""
    yield f"## {verb.name.upper()}{key}\n"
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
