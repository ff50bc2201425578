"""The answers of the JSON Lines door as text.

An answer has thirty orders of the same five fields and sixty names of units and centres. Writing
the orders field by field takes 30 µs less of a question's 380 than having `json` turn objects into
text. And JSON changes nothing in nearly all texts: we find that out once, not for each (2026-11).
`json` does all the rest, and tests compare its text with ours.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from json.encoder import encode_basestring_ascii as quoted

from judge.outcome import Columns, Outcome, Row
from judge.position import Position
from judge.variant import Ownership

Lists = dict[str, list[str]]
encode = json.JSONEncoder(allow_nan=False).encode


def is_plain(line: bytes) -> bool:
    """Tell whether JSON would write the strings of a line, itself read as JSON, unchanged.

    They must not have an "&" either: if a line has several orders, we repeat each as we read it,
    without HTML, so "&quot;" becomes a quotation mark.
    """
    unusual = b"\\" in line or b"\x7f" in line or b"&" in line
    return line.isascii() and not unusual


def outcome_text(
    name: str | int | None, outcome: Outcome, reasons: bool, plain: bool = False
) -> str:
    """Return the answer to the question with that ``id``, its orders with or without ``reasons``.

    ``plain`` says that JSON changes nothing in the lines of the question or in any name.
    """
    columns = outcome.columns(reasons=reasons) if plain else None
    if columns:
        entries = plain_texts(columns, reasons)
    else:
        entries = ", ".join(order_texts(outcome.rows(reasons=reasons), reasons))
    after, winner = state_text(outcome.next, plain), outcome.winner
    won = "null" if winner is None else quoted(winner)
    asked = "null" if name is None else encode(name)
    return f'{{"id": {asked}, "orders": [{entries}], "next": {after}, "winner": {won}}}'


def plain_texts(columns: Columns, reasons: bool) -> str:
    """Return what `order_texts` does, one entry after the other, for results by columns whose texts
    need no escapes.

    All pieces are put together at once: thirty entries one by one take three times as long
    (2026-11).
    """
    powers, texts, orders, results, why = columns
    width = 6 if reasons else 5
    pieces = ['", "order": "'] * (width * len(powers))
    # The columns are of one length, and each head closes the entry before it.
    pieces[0::width] = map(_further_heads.__getitem__, powers)
    pieces[1::width] = texts
    pieces[3::width] = orders
    pieces[4::width] = map(_ends.__getitem__, results)
    if reasons:
        pieces[5::width] = [
            _NO_REASON if one is None else f', "reason": {quoted(one)}' for one in why
        ]
    text = "".join(pieces)
    return text and f"{text[len(_CLOSE) :]}}}"


def order_texts(results: Iterable[Row], reasons: bool) -> list[str]:
    """Return the entries of ``orders``. Only a ride by rail has ``ends``, and only an order that
    the judge gave has ``automatic``.

    We keep no entries for the next time: with 30,000 in memory a question took 5 % longer, though 8
    % fewer instructions, because they crowd the processor's cache (2026-11).
    """
    texts = []
    for power, text, order, words, reason, automatic, ends in results:
        head = _heads[power]
        written = "null" if text is None else quoted(text)
        # Most lines are written just as we print them.
        printed = written if order == text else "null" if order is None else quoted(order)
        rest = ""
        if reasons:
            rest = _NO_REASON if reason is None else f', "reason": {quoted(reason)}'
        if ends or automatic:
            rest += f', "ends": {quoted(ends)}' if ends else ""
            rest += ', "automatic": true' if automatic else ""
        texts.append(f'{head}{written}, "order": {printed}{_results[words]}{rest}}}')
    return texts


_NO_REASON = ', "reason": null'


_CLOSE = "}, "


class _Heads(dict[str, str]):
    """How an entry of each power begins, between what stands `before` it and its text."""

    def __init__(self, before: str = "", after: str = "") -> None:
        self.before, self.after = before, after

    def __missing__(self, power: str) -> str:
        made = self[power] = f'{self.before}{{"power": {quoted(power)}, "text": {self.after}'
        return made


_heads, _further_heads = _Heads(), _Heads(_CLOSE, '"')


class _Results(dict[tuple[str, ...], str]):
    """The JSON of what became of an order, by its words; there are some twenty."""

    def __init__(self, before: str = "") -> None:
        self.before = before

    def __missing__(self, words: tuple[str, ...]) -> str:
        made = self[words] = f'{self.before}, "result": [{", ".join(map(quoted, words))}]'
        return made


_results, _ends = _Results(), _Results('"')


def state_text(position: Position, plain: bool = False) -> str:
    """Return what `Position.to_state` does; ``plain`` says that JSON changes nothing in any
    name."""
    by_power = _by_power if plain else encode
    units, centers = by_power(position.unit_names()), _centers_text(position, by_power)
    dislodged = "[]"  # Even this takes `json` 2 µs.
    if position.dislodged:
        dislodged = encode([one.to_json() for one in position.dislodged])
    return (
        f'{{"phase": "{position.phase}", "units": {units}, '
        f'"centers": {centers}, "dislodged": {dislodged}}}'
    )


def _centers_text(position: Position, by_power: Callable[[Lists], str]) -> str:
    """Return who owns which centres: as we wrote it last, if nothing changed."""
    last, centers = position.variant.last_ownership, position.centers
    for known in last:
        if known.centers is centers and known.text:
            return known.text
    lists = position.center_names()
    text = by_power(lists)
    last[:] = [Ownership(centers, position.holdings, [*lists.items()], text)]
    return text


def _by_power(lists: Lists) -> str:
    """Return each power's names in quotation marks, otherwise unchanged."""
    text = ", ".join([f'"{power}": ["{_BETWEEN.join(names)}"]' for power, names in lists.items()])
    return f"{{{text}}}"


_BETWEEN = '", "'
