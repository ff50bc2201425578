"""Saying what broke without quoting anybody: the text of an error may hold a player's orders."""

from __future__ import annotations

import traceback


def fault(error: BaseException) -> str:
    """Return the kind and the place of an error: "KeyError in judge/movement.py, line 12 (settle)".

    What the error says is left out: "KeyError: 'A Par - Bur'" would show an order.
    """
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    last = frames[-1]
    place = "/".join(last.filename.replace("\\", "/").split("/")[-2:])
    return f"{type(error).__name__} in {place}, line {last.lineno} ({last.name})"
