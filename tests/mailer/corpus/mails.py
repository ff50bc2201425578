"""The table of mails: the files `*.txt` beside this one, read into values.

A mail begins with a line `=== id`. Below it, down to a line `---`, stands what it is:

    in: S1901M France          the moment (see scenes.py), and the power that writes
    had: A Par - Bur; Bre H    orders sent before it, if any
    before: AMEND\nA Par H     a mail of the same writer before it; any number of such lines
    to: S1901M                 it answers a mail of that phase, or
        press                  a letter that Italy wrote to the power
    told: Germany Italy        who gets a letter, ALL for everybody; nobody where nothing is said
    takes: A Par - Bur         what stands then, in any form; `nothing` for no order
    says: words                what the answer says somewhere; any number of such lines
    never: words               what it must not say
    kind: html                 the mail has no other part than HTML
    kind: attached orders.txt  the body is in a file of that name, and there is no text
    subject: words             SUBJECT where nothing else is said

The rest, up to the next mail, is its body.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SUBJECT = "Re: [marne] The game starts"
_NOTHING = "nothing"


@dataclass(frozen=True)
class Mail:
    """A mail of the table, and how it is to be read; see above."""

    name: str
    scene: str
    power: str
    body: str
    had: tuple[str, ...]
    before: tuple[str, ...]
    to: str
    told: tuple[str, ...]
    takes: tuple[str, ...]
    says: tuple[str, ...]
    never: tuple[str, ...]
    kind: str
    subject: str


def mails() -> dict[str, list[Mail]]:
    """All mails, by the name of their file."""
    paths = sorted(Path(__file__).parent.glob("*.txt"))
    return {path.stem: [_mail(*entry) for entry in entries_of(path)] for path in paths}


def entries(folder: Path) -> Iterator[tuple[str, Mapping[str, list[str]], str]]:
    """What the files of a folder hold: each mail's name, what it is by key, and its body."""
    for path in sorted(folder.glob("*.txt")):
        yield from entries_of(path)


def entries_of(path: Path) -> Iterator[tuple[str, Mapping[str, list[str]], str]]:
    """The same of one file."""
    for entry in re.split(r"^=== ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        head, _, body = entry.partition("\n---\n")
        name, *lines = head.split("\n")
        said = defaultdict[str, list[str]](list)
        for line in lines:
            key, _, value = line.partition(": ")
            said[key].append(value)
        yield name, said, body


def _mail(name: str, said: Mapping[str, list[str]], body: str) -> Mail:
    scene, power = said["in"][0].split()
    return Mail(
        name=name,
        scene=scene,
        power=power,
        body=body,
        had=_orders(said["had"]),
        before=tuple(text.replace("\\n", "\n") for text in said["before"]),
        to=next(iter(said["to"]), ""),
        told=tuple(sorted(" ".join(said["told"]).split())),
        takes=_orders(said["takes"]),
        says=tuple(said["says"]),
        never=tuple(said["never"]),
        kind=next(iter(said["kind"]), "plain"),
        subject=next(iter(said["subject"]), SUBJECT),
    )


def _orders(values: Sequence[str]) -> tuple[str, ...]:
    orders = [one.strip() for value in values for one in value.split(";")]
    return tuple(one for one in orders if one != _NOTHING)
