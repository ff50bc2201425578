"""``python -m judge``: positions with orders on standard input, outcomes on standard output."""

from __future__ import annotations

import os
import sys

from judge.jsonl import serve

INTERRUPTED, WRONG_USE = 130, 2
USAGE = """\
usage: python -m judge < questions > answers

Reads one position with its orders per line, as JSON, and writes one outcome per line. For example

{"phase": "S1901M", "units": {"France": ["A Paris"]}, "orders": {"France": ["A Par - Bur"]}}
"""


def main() -> int:
    """Serve standard input until it ends; return the exit status. There are no options."""
    if options := sys.argv[1:]:
        asked = options[0] in ("-h", "--help")
        print(USAGE, end="", file=sys.stdout if asked else sys.stderr)
        return 0 if asked else WRONG_USE
    try:
        return serve(sys.stdin.buffer, sys.stdout.buffer)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away. What is still buffered would raise again when Python closes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
