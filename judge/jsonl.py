"""The outside door: one position with its orders per line in, one outcome per line out.

Each line is a JSON object; the answers come in the order of the lines and each is flushed before
the next line is read, so that another program can hold a conversation over a pipe. The format is
a public contract and is written down in docs/judge.md. A line that makes no sense is answered by
``{"id": ..., "error": sentence}`` and the lines after it are still answered.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO, NoReturn

from judge.adjudicate import adjudicate
from judge.board import BoardError
from judge.errors import PositionError, UnknownVariant
from judge.jsonl_text import encode, is_plain, outcome_text
from judge.outcome import logger
from judge.position import Position
from judge.rulebook import Rulebook, UnknownRule
from judge.state import FIELDS
from judge.text.spelling import near_word
from judge.variant import Variant
from judge.variant_files import variant_names
from judge.variants import load_variant

DEFAULT_VARIANT = "standard"
DEFAULT_RULES = "DATC"
_KNOWN_FIELDS = frozenset(FIELDS)
MOST_LINES, MOST_CHARACTERS = 500, 20_000
"""The most that a power may write; the largest one has some 60 units. This many lines of rubbish
hold up the lines after them for a second or two."""
MOST_FIELDS = 1000
LONGEST_SENTENCE = 1000
"""The most characters of an error: what it quotes of a line may be megabytes long."""


Own = Mapping[str, Variant]
"""The variants from folders of your own, which questions may name."""
NONE_OF_ONES_OWN: Own = {}


class BadLine(ValueError):
    """A line that cannot be adjudicated; the message says what is wrong and where."""


def serve(source: Iterable[bytes], sink: BinaryIO, own: Own = NONE_OF_ONES_OWN) -> int:
    """Answer each line of ``source`` on ``sink``; return 1 if any answer was an error, else 0."""
    status = 0
    for number, line in enumerate(source, start=1):
        answer, failed = answer_text(line, number, own)
        status = status or failed
        sink.write(answer.encode("ascii") + b"\n")
        sink.flush()
    return status


def answer_line(line: bytes, number: int = 1) -> dict[str, Any]:
    """Return the answer to one line as an object, read back from what is written for it."""
    answer: dict[str, Any] = json.loads(answer_text(line, number)[0])
    return answer


def answer_text(line: bytes, number: int = 1, own: Own = NONE_OF_ONES_OWN) -> tuple[str, int]:
    """Return the answer to one line and its exit status: an outcome and 0, or an error and 1. The
    error names line ``number`` and the cause."""
    fields: dict[str, Any] = {}
    try:
        fields = read_line(line)
        refuse_misspelt(fields)
        if "list" in fields:
            return encode({"id": line_id(fields), **describe_list(fields["list"], own)}), 0
        variant = read_variant(fields, own)
        position = Position.from_state(variant, fields)
        orders = read_orders_by_power(fields, variant)
        outcome = adjudicate(position, orders, read_rules(fields))
        plain = variant.has_plain_names and is_plain(line)
        return outcome_text(line_id(fields), outcome, wants_reasons(fields), plain), 0
    except (BadLine, BoardError, PositionError, UnknownRule, UnknownVariant) as wrong:
        return error_text(fields, number, str(wrong)), 1
    except Exception as fault:
        # The next lines belong to other positions, and must still be answered.
        logger.exception("Line %d could not be answered", number)
        kind = type(fault).__name__
        sentence = f"The judge itself failed ({kind}: {fault}). Please report this line."
        return error_text(fields, number, sentence), 1


def error_text(fields: dict[str, Any], number: int, sentence: str) -> str:
    """Return the answer to a line that makes no sense."""
    if len(sentence) > LONGEST_SENTENCE:
        half = LONGEST_SENTENCE // 2
        sentence = f"{sentence[:half]}…{sentence[-half:]}"
    return encode({"id": line_id(fields), "error": f"Line {number}: {sentence}"})


def describe_list(what: object, own: Own) -> dict[str, Any]:
    """Return what can be chosen: the variants with their map options."""
    if what != "variants":
        raise BadLine('"list" must be "variants".')
    known = {name: load_variant(name) for name in variant_names()} | {**own}
    return {"variants": [describe_variant(known[name]) for name in sorted(known)]}


def describe_variant(variant: Variant) -> dict[str, Any]:
    """Describe one variant: the names for a question, who plays from when, and how many centres
    win."""
    return {
        "name": variant.name,
        "title": variant.title,
        "designer": variant.designer,
        "powers": list(variant.powers),
        "first_phase": str(variant.first_phase),
        "victory_centers": variant.victory_centers,
        "differs": list(variant.differs),
        "map_options": {
            name: {
                "about": option.about,
                "default": option.default,
                "choices": {key: choice["text"] for key, choice in option.choices.items()},
            }
            for name, option in variant.map_options.items()
        },
    }


def read_line(line: bytes) -> dict[str, Any]:
    """Return the fields of a line. Raise BadLine unless it is a JSON object that we understand."""
    try:
        fields = _decode(line.removeprefix(BOM_UTF8).decode())
    except UnicodeDecodeError as wrong:
        raise BadLine(f"This is not UTF-8 at byte {wrong.start + 1}.") from None
    except json.JSONDecodeError as wrong:
        raise BadLine(f"This is not JSON: {wrong.msg} at column {wrong.colno}.") from None
    except RecursionError:
        raise BadLine("This is nested too deeply.") from None
    except BadLine:
        raise
    except ValueError:
        # Python reads no integer of more than some thousand digits.
        raise BadLine("This holds a number that is too long.") from None
    if not isinstance(fields, dict):
        raise BadLine("This is not a JSON object. Write {...} on one line.")
    if isinstance(name := fields.get("id"), bool) or not isinstance(name, str | int | None):
        del fields["id"]
        raise BadLine('"id" must be a string or a whole number.')
    return fields


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity: Python knows them, JSON does not, and an answer that echoed them
    would not be JSON."""
    raise BadLine(f"This is not JSON: {name} is not a JSON number.")


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of ``pairs``. Raise BadLine for a field given twice: the second would hide
    the first."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadLine(f'"{twice}" is there twice in one object.')
    return fields


_decode = json.JSONDecoder(parse_constant=refuse_constant, object_pairs_hook=unique).decode
"""Made once: with options, `json.loads` makes a decoder each time, 5 of its 17 µs (2026-11)."""


def refuse_misspelt(fields: dict[str, Any]) -> None:
    """Raise BadLine for a field that is nearly one of ours; others are the sender's own.

    If we passed over a misspelt "rules", the answer would be wrong and look right.
    """
    if len(fields) > MOST_FIELDS:
        raise BadLine(f"This has {len(fields):,} fields; {MOST_FIELDS} are the most.")
    if fields.keys() <= _KNOWN_FIELDS:
        return
    for name in fields:
        if name not in FIELDS and (meant := near_word(name.casefold(), FIELDS)):
            raise BadLine(f'There is no field "{name}"; do you mean "{meant}"?')


def line_id(fields: dict[str, Any]) -> str | int | None:
    """Return the name that the sender gave the line, None if it has no name or cannot be read."""
    name: str | int | None = fields.get("id")
    return name


def characters_in(lines: object) -> int | None:
    """Return how many characters the lines have together, None if this is not a list of strings."""
    try:
        return len("".join(lines)) if isinstance(lines, list) else None
    except TypeError:
        return None


def flood(power: str, lines: list[str]) -> str:
    """Say that a power wrote more than anybody could mean: reading it would hold up everybody."""
    number, most, what = len(lines), MOST_LINES, "lines"
    if number <= most:
        number, most, what = sum(map(len, lines)), MOST_CHARACTERS, "characters"
    return f'"orders" of {power} has {number:,} {what}; a power may write {most:,} at most.'


def wants_reasons(fields: dict[str, Any]) -> bool:
    """Return whether the answer should have reasons, which take time to make. Raise BadLine."""
    wants = fields.get("reasons", True)
    if not isinstance(wants, bool):
        raise BadLine('"reasons" must be true or false.')
    return wants


def read_rules(fields: dict[str, Any]) -> Rulebook:
    """Return the rulebook of ``rules``: a preset's name, or an object of a preset and single
    issues."""
    rules = fields.get("rules", DEFAULT_RULES)
    if isinstance(rules, str):
        return Rulebook.named(rules)
    if isinstance(rules, dict):
        return Rulebook.from_json(rules)
    raise BadLine(
        '"rules" must be the name of a rulebook, or an object such as {"preset": "DATC"}.'
    )


def read_variant(fields: dict[str, Any], own: Own) -> Variant:
    """Return the variant of a line, its map edited. Raise BadLine, BoardError or UnknownVariant."""
    options = fields.get("map_options", {})
    if not isinstance(options, dict):
        raise BadLine('"map_options" must be an object such as {"land_bridges": "hawes"}.')
    name = fields.get("variant", DEFAULT_VARIANT)
    if not isinstance(name, str):
        raise BadLine('"variant" must be the name of a variant, such as "standard".')
    variant = load_variant(own.get(name, name))
    if options:
        variant = variant.with_options(options)
    edits = fields.get("edits", {})
    if not isinstance(edits, dict):
        raise BadLine('"edits" must be an object such as {"convoyable_coasts_add": ["Sweden"]}.')
    return variant.edited(edits) if edits else variant


def read_orders_by_power(fields: dict[str, Any], variant: Variant) -> dict[str, list[str]]:
    """Return each power's lines as written, top to bottom. Raise BadLine if they are malformed."""
    lists = fields.get("orders", {})
    if not isinstance(lists, dict):
        raise BadLine('"orders" must be an object with one list of lines per power.')
    orders: dict[str, list[str]] = {}
    for name, lines in lists.items():
        power = name if name in variant.by_name else variant.power_called(name)
        if power is None:
            known = ", ".join(variant.powers)
            raise BadLine(f'"orders" names {name!r}, which is not a power here. There are {known}.')
        characters = characters_in(lines)
        if characters is None:
            raise BadLine(f'"orders" of {power} must be a list of strings.')
        if power in orders:
            raise BadLine(f'"orders" has {power} twice.')
        if len(lines) > MOST_LINES or characters > MOST_CHARACTERS:
            raise BadLine(flood(power, lines))
        orders[power] = lines
    return orders
