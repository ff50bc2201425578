"""The answers of the JSON Lines door as text.

An answer has thirty orders of the same five fields and sixty names of units and centres. Put
together field by field the orders take 30 µs less of a question's 380 than as objects that `json`
turns into text, and all names together 2 µs less (2026-11). `json` does all the rest, and tests
compare it with ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from json.encoder import encode_basestring_ascii as quoted

from judge.outcome import Outcome, Row
from judge.state import StateJson

encode = json.JSONEncoder(allow_nan=False).encode


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
    the judge gave has ``automatic``.

    Nothing is kept for the next time: with 30,000 entries in memory a question took 5 % longer,
    though 8 % fewer instructions, as they crowd the processor's cache (2026-11).
    """
    texts = []
    last: str | None = None
    head = ""
    for power, text, order, words, reason, automatic, ends in results:
        if power != last:  # A power's orders stand together.
            last, head = power, f'{{"power": {quoted(power)}, "text": '
        written = "null" if text is None else quoted(text)
        # Most lines are written just as we print them.
        printed = written if order == text else "null" if order is None else quoted(order)
        rest = ""
        if reasons:
            rest = ', "reason": null' if reason is None else f', "reason": {quoted(reason)}'
        if ends or automatic:
            rest += f', "ends": {quoted(ends)}' if ends else ""
            rest += ', "automatic": true' if automatic else ""
        texts.append(f'{head}{written}, "order": {printed}{_results[words]}{rest}}}')
    return texts


class _Results(dict[tuple[str, ...], str]):
    """The JSON of what became of an order, by its words; there are some twenty."""

    def __missing__(self, words: tuple[str, ...]) -> str:
        made = self[words] = f', "result": [{", ".join(map(quoted, words))}]'
        return made


_results = _Results()


def state_text(state: StateJson) -> str:
    """Return a position as `Position.to_state` does."""
    units, centers = _by_power(state["units"]), _by_power(state["centers"])
    dislodged = encode(state["dislodged"]) if state["dislodged"] else "[]"
    return (
        f'{{"phase": {quoted(state["phase"])}, "units": {units}, '
        f'"centers": {centers}, "dislodged": {dislodged}}}'
    )


def _by_power(lists: Mapping[str, Sequence[str]]) -> str:
    """Return each power's names. Nearly all can stand as they are: then JSON would change nothing
    in the whole text but the quotation marks that we put round names and powers."""
    text = ", ".join([f'"{power}": ["{_BETWEEN.join(names)}"]' for power, names in lists.items()])
    marks = 2 * (len(lists) + sum(map(len, lists.values())))
    return f"{{{text}}}" if len(quoted(text)) == len(text) + marks + 2 else encode(lists)


_BETWEEN = '", "'
