"""The door for other programs: makes a subject of a line of the judge's JSON Lines, question and
answer.

The line is `{"question": {...}, "answer": {...}}` with the fields of docs/judge.md. Without
`answer`, the position of the question is drawn.
"""

from __future__ import annotations

import json
from typing import Any

from atlas.picture import Subject
from judge import (
    BoardError,
    OrderResult,
    Position,
    PositionError,
    UnknownVariant,
    Variant,
    load_variant,
)

_DEFAULT = "standard"
_LONGEST_NAME = 200  # bytes; most file systems take 255, the ending included


class BadLine(ValueError):
    """A line that cannot be drawn; the message is one sentence that says what is wrong."""


def read_subject(line: str) -> Subject:
    """Return what a line shows. Raises BadLine."""
    return _subject(*_fields(line))


def read_named(line: str) -> tuple[str, Subject]:
    """Return the question's id, which is to name a file, and what the line shows. Raises BadLine,
    also for an id that would lead out of a folder."""
    fields, question = _fields(line)
    name = question.get("id")
    if name is None:
        raise BadLine('The question needs an "id", which names the file.')
    if not isinstance(name, str | int) or not _may_name_a_file(str(name)):
        raise BadLine(
            'The "id" cannot name a file: write a short text without / or \\ '
            "that does not begin with a dot."
        )
    return str(name), _subject(fields, question)


def _may_name_a_file(name: str) -> bool:
    return (
        name.isprintable()
        and bool(name.strip())
        and not name.startswith(".")
        and not set(name) & set("/\\")
        and len(name.encode()) <= _LONGEST_NAME
    )


def _fields(line: str) -> tuple[dict[str, Any], dict[str, Any]]:
    fields = _object(_json(line), "The line")
    return fields, _object(fields.get("question"), '"question"')


def _subject(fields: dict[str, Any], question: dict[str, Any]) -> Subject:
    try:
        variant = _variant(question)
        position = Position.from_state(variant, question)
        if fields.get("answer") is None:
            return Subject(position)
        answer = _object(fields["answer"], '"answer"')
        if "error" in answer:
            raise BadLine(f"The answer is an error: {answer['error']}")
        after = Position.from_state(variant, _object(answer.get("next"), '"next"'))
        return Subject(position, _results(answer, variant), after)
    except (BoardError, PositionError, UnknownVariant) as wrong:
        raise BadLine(str(wrong)) from None


def _json(line: str) -> object:
    try:
        return json.loads(line)
    except json.JSONDecodeError as wrong:
        message = f"This is no JSON: {wrong.msg} at column {wrong.colno}."
    except RecursionError:
        message = "This is nested too deeply."
    except ValueError:
        message = "This holds a number that is too long."
    raise BadLine(message)


def _object(value: object, name: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise BadLine(f'{name} is no JSON object. Write {{"question": …, "answer": …}} on one line.')


def _variant(question: dict[str, Any]) -> Variant:
    name = question.get("variant", _DEFAULT)
    if not isinstance(name, str):
        raise BadLine('"variant" must be the name of a variant, such as "standard".')
    options, edits = question.get("map_options") or {}, question.get("edits") or {}
    variant = load_variant(name).with_options(_object(options, '"map_options"'))
    return variant.edited(_object(edits, '"edits"')) if edits else variant


def _text(entry: dict[str, Any], field: str) -> str | None:
    value = entry.get(field)
    if value is None or isinstance(value, str):
        return value
    raise BadLine(f'"{field}" in "orders" of the answer must be a text or null.')


def _results(answer: dict[str, Any], variant: Variant) -> tuple[OrderResult, ...]:
    entries = answer.get("orders")
    if not isinstance(entries, list):
        raise BadLine('"orders" of the answer must be a list.')
    return tuple(_result(_object(entry, 'Each of "orders"'), variant) for entry in entries)


def _result(entry: dict[str, Any], variant: Variant) -> OrderResult:
    words = entry.get("result")
    if not isinstance(words, list) or entry.get("power") not in variant.powers:
        raise BadLine('Each of "orders" of the answer needs a "power" of the game and a "result".')
    return OrderResult(
        power=entry["power"],
        text=_text(entry, "text"),
        order=_text(entry, "order"),
        result=tuple(str(word) for word in words),
        reason=_text(entry, "reason"),
        automatic=bool(entry.get("automatic")),
        ends=_text(entry, "ends"),
    )
