"""The answers of the JSON Lines door as text.

An answer has thirty orders of the same five fields and sixty names of units and centres. Put
together field by field the orders take 30 µs less of a question's 380 than as objects that `json`
turns into text, and the names 2 µs less (2026-11). `json` does all the rest, and a test compares
its orders with ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted

from judge.outcome import Outcome, Row
from judge.state import StateJson

encode = json.JSONEncoder(allow_nan=False).encode

_MOST_NAMES = 10_000


class _Quoted(dict[str, str]):
    """Names of powers, units and places as JSON has them, each made once.

    A map has some two hundred. Lines are not kept: there are so many that finding one takes as long
    as making it. Whole entries are not kept either: with 30,000 of them a question took 5 % longer,
    though 8 % fewer instructions, as they crowd the processor's cache (2026-11).
    """

    def __missing__(self, name: str) -> str:
        made = quoted(name)
        if len(self) < _MOST_NAMES:
            self[name] = made
        return made


_quoted = _Quoted()


def outcome_text(name: str | int | None, outcome: Outcome, reasons: bool) -> str:
    """Return the answer to the question with that ``id``, its orders with or without
    ``reasons``."""
    orders = ", ".join(order_texts(outcome.rows(reasons=reasons), reasons))
    after, winner = state_text(outcome.next.to_state()), outcome.winner
    won = "null" if winner is None else quoted(winner)
    asked = "null" if name is None else encode(name)
    return f'{{"id": {asked}, "orders": [{orders}], "next": {after}, "winner": {won}}}'


def order_texts(results: Iterable[Row], reasons: bool) -> list[str]:
    """Return the entries of ``orders``. Only a ride by rail has ``ends``, and only an order that
    the judge gave has ``automatic``."""
    texts = []
    last, whose = "", '""'
    for power, text, order, words, reason, automatic, ends in results:
        if power != last:  # A power's orders stand together.
            last, whose = power, _quoted[power]
        written = "null" if text is None else quoted(text)
        # Most lines are written just as we print them.
        printed = written if order == text else "null" if order is None else quoted(order)
        rest = ""
        if reasons:
            rest = ', "reason": null' if reason is None else f', "reason": {quoted(reason)}'
        if ends or automatic:
            rest += f', "ends": {quoted(ends)}' if ends else ""
            rest += ', "automatic": true' if automatic else ""
        texts.append(
            f'{{"power": {whose}, "text": {written}, "order": {printed}, '
            f'"result": {_listed(words)}{rest}}}'
        )
    return texts


@lru_cache(maxsize=256)
def _listed(words: tuple[str, ...]) -> str:
    """Return the words for what became of an order; there are some twenty."""
    return f"[{', '.join(map(quoted, words))}]"


def state_text(state: StateJson) -> str:
    """Return a position as `Position.to_state` does."""
    units, centers = _by_power(state["units"]), _by_power(state["centers"])
    dislodged = encode(state["dislodged"]) if state["dislodged"] else "[]"
    return (
        f'{{"phase": {quoted(state["phase"])}, "units": {units}, '
        f'"centers": {centers}, "dislodged": {dislodged}}}'
    )


def _by_power(lists: Mapping[str, Sequence[str]]) -> str:
    """Return each power's names."""
    as_json = _quoted.__getitem__
    each = [
        f"{as_json(power)}: [{', '.join(map(as_json, names))}]" for power, names in lists.items()
    ]
    return f"{{{', '.join(each)}}}"
