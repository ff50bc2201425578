"""The answers of the JSON Lines door as text.

An answer has thirty orders of the same five fields and sixty names of units and centres. Put
together field by field the orders take 30 µs less of a question's 380 than as objects that `json`
turns into text, and all names together 2 µs less (2026-11). `json` does all the rest, and tests
compare it with ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from json.encoder import encode_basestring_ascii as quoted

from judge.outcome import Columns, Outcome, Row
from judge.state import StateJson

encode = json.JSONEncoder(allow_nan=False).encode


def is_plain(line: bytes) -> bool:
    """Tell whether JSON writes the strings of a line, which was read as JSON, as they are there."""
    return line.isascii() and b"\\" not in line and b"\x7f" not in line


def outcome_text(
    name: str | int | None, outcome: Outcome, reasons: bool, plain: bool = False
) -> str:
    """Return the answer to the question with that ``id``, its orders with or without ``reasons``.

    ``plain`` says that JSON writes the lines of the question and all names as they are.
    """
    columns = outcome.columns(reasons=reasons) if plain else None
    if columns:
        entries = plain_texts(columns, reasons)
    else:
        entries = order_texts(outcome.rows(reasons=reasons), reasons)
    after, winner = state_text(outcome.next.to_state(), plain), outcome.winner
    won = "null" if winner is None else quoted(winner)
    asked = "null" if name is None else encode(name)
    return f'{{"id": {asked}, "orders": [{", ".join(entries)}], "next": {after}, "winner": {won}}}'


def plain_texts(columns: Columns, reasons: bool) -> list[str]:
    """Return what `order_texts` does, in half the time, for results by columns whose texts need no
    escapes."""
    powers, texts, orders, results, why = columns
    heads, ends = map(_heads.__getitem__, powers), map(_results.__getitem__, results)
    tails: Iterable[str] = repeat("")
    if reasons:
        tails = [f', "reason": {quoted(one)}' if one else _NO_REASON for one in why]
    return [
        f'{head}"{text}", "order": "{order}"{end}{tail}}}'
        for head, text, order, end, tail in zip(heads, texts, orders, ends, tails)  # noqa: B905
    ]


def order_texts(results: Iterable[Row], reasons: bool) -> list[str]:
    """Return the entries of ``orders``. Only a ride by rail has ``ends``, and only an order that
    the judge gave has ``automatic``.

    Nothing is kept for the next time: with 30,000 entries in memory a question took 5 % longer,
    though 8 % fewer instructions, as they crowd the processor's cache (2026-11).
    """
    texts = []
    for power, text, order, words, reason, automatic, ends in results:
        head = _heads[power]
        written = "null" if text is None else quoted(text)
        # Most lines are written just as we print them.
        printed = written if order == text else "null" if order is None else quoted(order)
        rest = ""
        if reasons:
            rest = f', "reason": {quoted(reason)}' if reason else _NO_REASON
        if ends or automatic:
            rest += f', "ends": {quoted(ends)}' if ends else ""
            rest += ', "automatic": true' if automatic else ""
        texts.append(f'{head}{written}, "order": {printed}{_results[words]}{rest}}}')
    return texts


_NO_REASON = ', "reason": null'


class _Heads(dict[str, str]):
    """How an entry of each power begins."""

    def __missing__(self, power: str) -> str:
        made = self[power] = f'{{"power": {quoted(power)}, "text": '
        return made


_heads = _Heads()


class _Results(dict[tuple[str, ...], str]):
    """The JSON of what became of an order, by its words; there are some twenty."""

    def __missing__(self, words: tuple[str, ...]) -> str:
        made = self[words] = f', "result": [{", ".join(map(quoted, words))}]'
        return made


_results = _Results()


def state_text(state: StateJson, plain: bool = False) -> str:
    """Return a position as `Position.to_state` does; ``plain`` says that JSON writes all its names
    as they are."""
    by_power = _by_power if plain else encode
    units, centers = by_power(state["units"]), by_power(state["centers"])
    dislodged = encode(state["dislodged"]) if state["dislodged"] else "[]"
    return (
        f'{{"phase": {quoted(state["phase"])}, "units": {units}, '
        f'"centers": {centers}, "dislodged": {dislodged}}}'
    )


def _by_power(lists: Mapping[str, Sequence[str]]) -> str:
    """Return each power's names, between quotation marks as they are."""
    text = ", ".join([f'"{power}": ["{_BETWEEN.join(names)}"]' for power, names in lists.items()])
    return f"{{{text}}}"


_BETWEEN = '", "'
