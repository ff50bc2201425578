"""The outside door: one position with its orders per line in, one outcome per line out.

Each line is a JSON object; the answers come in the order of the lines and each is flushed before the
next line is read, so that another program can hold a conversation over a pipe. The format is a public
contract and is written down in docs/judge.md. A line that makes no sense is answered by
``{"id": ..., "error": sentence}`` and the lines after it are still answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, BinaryIO

from judge.adjudicate import adjudicate
from judge.outcome import OrderResult, Outcome
from judge.position import Position, PositionError
from judge.rulebook import Rulebook, UnknownRule
from judge.variants import UnknownVariant, Variant, load_variant

DEFAULT_VARIANT = "standard"
DEFAULT_RULES = "DATC"

# Fields of the contract that change the map of one position and that no map here knows yet.
UNSUPPORTED = ("edits", "map_options")

type Fields = dict[str, Any]


class BadLine(ValueError):
    """A line that cannot be adjudicated; the message says what is wrong and where."""


def serve(source: Iterable[bytes], sink: BinaryIO) -> int:
    """Answer every line of ``source`` on ``sink``; return 1 if any answer was an error, else 0."""
    status = 0
    for number, line in enumerate(source, start=1):
        answer = answer_line(line, number)
        if "error" in answer:
            status = 1
        sink.write(json.dumps(answer, allow_nan=False).encode("ascii") + b"\n")
        sink.flush()
    return status
