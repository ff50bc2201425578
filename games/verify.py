"""Check a game, and the mails of its players, without the server that it was played on.

    python -m games.verify --keys keys.txt marne.json receipt.eml results.eml

`marne.json` is a game's proof file (its log page has it, and PROOF mails it: then name that
mail), or what export_game wrote. The mails are saved ones, whole or as their text. A receipt's
signature is checked and its orders are held against those that were used; the digests in a result
mail are looked for in the log.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from games.errors import BadInput, GameError

try:
    from games.proofs.keys import PublicKey, keys_in
except ModuleNotFoundError as error:  # whoever checks a game has nothing that a server installs
    lacks = str(error.name).partition(".")[0]
    print(f"First install {lacks}: python -m pip install {lacks}", file=sys.stderr)
    sys.exit(2)
from games.proofs.saved import packed_in, text_of
from games.queries.checking.record import Record, record_of
from games.queries.checking.report import Finding, SavedMail, findings


def main(arguments: Sequence[str] | None = None) -> int:
    """Check what is named and print what was found out. Return 1 when something is wrong, 2 when
    something cannot be read."""
    given = parser().parse_args(arguments)
    try:
        keys = keys_in(read(given.keys).decode("utf-8", "replace")) if given.keys else {}
        found = check(given.files, keys)
    except GameError as error:
        print(error, file=sys.stderr)
        return 2
    print(findings_text(found))
    return 0 if all(one.good for one in found) else 1


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    made = argparse.ArgumentParser(prog="python -m games.verify", description=__doc__)
    made.formatter_class = argparse.RawDescriptionHelpFormatter
    made.add_argument("files", nargs="+", metavar="FILE", help="a game, and saved mails about it")
    made.add_argument("--keys", help="the server's public keys: the file from its page /proofs/")
    return made


def check(names: Iterable[str], keys: dict[str, PublicKey]) -> list[Finding]:
    """Return what was found out about the game and the mails in these files. Raises BadInput for a
    file that cannot be read, and for two games."""
    record: Record | None = None
    mails: list[SavedMail] = []
    for name in names:
        content = read(name)
        document = _document(content, name)
        if document is None:
            mails.append(SavedMail(Path(name).name, text_of(content)))
        elif record:
            raise BadInput("Name one game at a time.")
        else:
            record = record_of(document)
    return list(findings(record, mails, keys))


def _document(content: bytes, name: str) -> object | None:
    """The game in a file, or in the mail that is in it; None for another mail."""
    if content.lstrip()[:1] not in (b"{", b"["):
        return packed_in(text_of(content))
    try:
        document: object = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{name} cannot be read as JSON: {error}.") from error
    return document


def findings_text(found: Sequence[Finding]) -> str:
    """Return the findings, one per line, faults marked."""
    return "\n".join(one.said if one.good else f"WRONG: {one.said}" for one in found)


def read(name: str) -> bytes:
    """Return what is in a file, or (-) on standard input. Raises BadInput if it cannot be read."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror}.") from error


if __name__ == "__main__":
    sys.exit(main())
