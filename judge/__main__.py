"""``python -m judge``: positions with orders on standard input, outcomes on standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from judge.errors import JudgeError
from judge.jsonl import serve
from judge.variant import Variant
from judge.variants import load_variant

INTERRUPTED, WRONG_USE = 130, 2
USAGE = """\
usage: python -m judge [FOLDER ...] < questions > answers

Reads one position with its orders per line, as JSON, and writes one outcome per line. For example

{"phase": "S1901M", "units": {"France": ["A Paris"]}, "orders": {"France": ["A Par - Bur"]}}

A FOLDER has the files of a variant of your own, which questions call by the folder's name.
"""


def main() -> int:
    """Serve standard input until it ends; return the exit status."""
    folders = sys.argv[1:]
    if any(folder.startswith("-") for folder in folders):
        asked = folders[0] in ("-h", "--help")
        print(USAGE, end="", file=sys.stdout if asked else sys.stderr)
        return 0 if asked else WRONG_USE
    try:
        own = variants_in(folders)
    except JudgeError as wrong:
        print(wrong, file=sys.stderr)
        return WRONG_USE
    try:
        return serve(sys.stdin.buffer, sys.stdout.buffer, own)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        # What is still buffered would raise again when Python closes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # then the reader went away, and knows it
            print(f"The answers cannot be written: {error.strerror}.", file=sys.stderr)
        return 1


def variants_in(folders: Sequence[str]) -> dict[str, Variant]:
    """Return the variants in these folders by name. Raises VariantError."""
    variants = (load_variant(Path(folder)) for folder in folders)
    return {variant.name: variant for variant in variants}


if __name__ == "__main__":
    sys.exit(main())
