"""Copies of this process: whatever is done in one leaves no trace here."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable
from typing import Any


def in_a_copy(do: Callable[[], Any]) -> Any:
    """Do something in a child of this process; return what it returns, by way of JSON. Raises
    RuntimeError, with the trace, when it breaks, or with the exit code of one that was killed."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        try:
            said = json.dumps({"done": do()})
        except BaseException:
            said = json.dumps({"broke": traceback.format_exc()})
        with os.fdopen(write_end, "w") as pipe:
            pipe.write(said)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        said = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if not said:
        raise RuntimeError(f"a copy of this process ended with {code}, and said nothing")
    found = json.loads(said)
    if "broke" in found:
        raise RuntimeError(found["broke"])
    return found["done"]
