"""``python -m judge``: positions with orders on standard input, outcomes on standard output."""

from __future__ import annotations

import os
import sys

from judge.jsonl import serve

INTERRUPTED = 130


def main() -> int:
    """Serve standard input until it ends; return the exit status."""
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
