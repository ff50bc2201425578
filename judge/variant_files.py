"""The files of a variant, read: a folder to the facts and the board in it.

Our own variants are the folders under `judge/data`; a program may have others anywhere.

If something makes no sense, one sentence tells the author what, and in which file. Accepted in
silence, it would make another game: a border that nobody passes, a home that is not a centre.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from judge.board import Board
from judge.errors import UnknownVariant
from judge.places import Border, Province, ProvinceKind
from judge.text.names import load_names
from judge.variant_rules.table import BORDER_MARKS, FIELDS
from judge.wording import either

DATA = Path(__file__).parent / "data"

_MUST = ("title", "board", "first_phase", "victory_centers", "builds", "powers")
_MAY = ("designer", "designer_source", "removals", "calendar", "centers_add", "map_options")
_POWER_MUST, _POWER_MAY = ("adjective", "home", "units"), ("centers",)
_KINDS = ("land", "coast", "sea", "impassable")
_COASTS = ("nc", "sc", "ec", "wc")
_PROVINCE_MARKS = ("convoys", "ice")


class VariantError(UnknownVariant):
    """A variant's files make no sense; the message says which one, and where."""


def variant_names() -> tuple[str, ...]:
    """Return the names that `load_variant` knows, alphabetically."""
    folders = (entry for entry in DATA.iterdir() if (entry / "variant.json").is_file())
    return tuple(sorted(folder.name for folder in folders))


def folder_of(name: str) -> Path:
    """Return the folder of that name under `judge/data`, whether or not it exists."""
    return DATA / name


def board_folder(home: Path, name: str) -> Path:
    """Return the folder with the board of that name: beside a variant's own folder, or ours."""
    beside = home.parent / name
    return beside if (beside / "provinces.csv").is_file() else folder_of(name)


def facts_of(folder: Path) -> dict[str, Any]:
    """Return the `variant.json` of that folder. Raises VariantError."""
    if not folder.is_dir():
        raise VariantError(f"There is no folder {folder}.")
    file = f"{folder.name}/variant.json"
    try:
        facts: dict[str, Any] = json.loads(_text(folder, "variant.json"))
    except json.JSONDecodeError as wrong:
        raise VariantError(f"{file} is not JSON: {wrong}.") from None
    _check_fields(facts, _MUST, (*_MAY, *FIELDS), file)
    _check_fields(facts["powers"], (), facts["powers"], f"powers in {file}")
    for power, about in facts["powers"].items():
        _check_fields(about, _POWER_MUST, _POWER_MAY, f"{power} in {file}")
    _check_word(facts["builds"], ("home", "owned"), f"builds in {file}")
    _check_word(facts.get("removals", "home"), ("home", "owned"), f"removals in {file}")
    if not isinstance(facts["victory_centers"], int):
        raise VariantError(f"victory_centers in {file} must be a number.")
    return facts


class Paragraph(NamedTuple):
    """A paragraph of a `rules.txt`: "[builds] Units are built in home centres only."."""

    text: str
    untrue_with: str = ""
    """The choice of a game that says otherwise, "" if none does."""


def paragraphs_of(folder: Path) -> tuple[Paragraph, ...]:
    """Return the paragraphs of the variant's `rules.txt`, none where it has none."""
    text = _text(folder, "rules.txt") if (folder / "rules.txt").is_file() else ""
    parts = (" ".join(part.split()) for part in text.split("\n\n") if part.strip())
    return tuple(map(_paragraph, parts))


def _paragraph(part: str) -> Paragraph:
    tag, sign, text = part.partition("] ")
    return Paragraph(text, tag[1:]) if sign and tag.startswith("[") else Paragraph(part)


@cache
def board_of(folder: Path, slots: int, centers: tuple[str, ...]) -> Board:
    """Return the board in that folder, with these provinces as further centres. Raises
    VariantError."""
    table = load_names(folder)
    provinces = [
        _province(row, table.spellings, centers)
        for row in _rows(folder, "provinces.csv", ("id", "name", "kind", "coasts", "center"))
    ]
    file = f"{folder.name}/provinces.csv"
    _check_known(_twice(p.id for p in provinces), (), f"{file} has", "twice")
    known = {province.id: province for province in provinces}
    _check_known(centers, known, "centers_add names", f"which is not in {file}")
    names = {province.name for province in provinces}
    _check_known(
        table.spellings, names, f"{folder.name}/names.txt names", f"which is not in {file}"
    )
    rows = _rows(folder, "borders.csv", ("one", "other", "passable"))
    borders = [Border(row["one"], row["other"], row["passable"], row["mark"]) for row in rows]
    board = Board(provinces, borders, slots)
    _check_borders(borders, known, f"{folder.name}/borders.csv")
    return board


def check_on_board(name: str, facts: Mapping[str, Any], board: Board) -> None:
    """Raise VariantError if more centres are to win than the board has, or for a map option whose
    default is not among its choices, or which names no province."""
    most = len(board.centers)
    if facts["victory_centers"] not in range(1, most + 1):
        raise VariantError(f"victory_centers in {name}/variant.json must be from 1 to {most}.")
    known = {province.id for province in board.provinces}
    for option, about in facts.get("map_options", {}).items():
        where = f"The option {option} in {name}/variant.json"
        _check_word(about["default"], tuple(about["choices"]), where)
        for change in about["choices"].values():
            for pair in (*change.get("add", ()), *change.get("remove", ())):
                _check_known(pair, known, f"{where} names", "which is not a province")


def _province(
    row: Mapping[str, str], spellings: Mapping[str, tuple[str, ...]], centers: Collection[str]
) -> Province:
    where, coasts, marks = row["where"], row["coasts"].split(), row["marks"].split()
    _check_word(row["kind"], _KINDS, f"The kind in {where}")
    _check_word(row["center"], ("", "yes"), f"The center in {where}")
    for words, known in ((coasts, _COASTS), (marks, _PROVINCE_MARKS)):
        for word in words:
            _check_word(word, known, f"A word in {where}")
    return Province(
        id=row["id"],
        name=row["name"],
        kind=cast(ProvinceKind, row["kind"]),
        coasts=tuple(coasts),
        center=row["center"] == "yes" or row["id"] in centers,
        abbreviations=spellings.get(row["name"], (row["id"].capitalize(),)),
        convoys=row["kind"] == "sea" or "convoys" in marks,
        ice="ice" in marks,
    )


def _check_borders(borders: Iterable[Border], known: Mapping[str, Province], file: str) -> None:
    """Raise VariantError for a border that no unit of its kind can pass, and for a province that
    has no border.

    Each end is known to be a place of the board by then.
    """
    passed: set[tuple[str, str, str]] = set()
    for border in borders:
        where = f"The border {border.one} - {border.other} in {file}"
        _check_word(border.passable, ("A", "F", "AF"), where)
        _check_word(border.mark, ("", *BORDER_MARKS), where)
        for kind in border.passable:
            for end in (border.one, border.other):
                _check_end(kind, end, known, where)
            one, other = sorted((border.one, border.other))
            if (one, other, kind) in passed or one == other:
                raise VariantError(f"{where} is there twice, or leads back to where it begins.")
            passed.add((one, other, kind))
    reached = {end.partition("/")[0] for one, other, _ in passed for end in (one, other)}
    lost = [p.id for p in known.values() if p.kind != "impassable" and p.id not in reached]
    _check_known(lost, (), f"{file} has no border of", "so that nobody gets there")


def _check_end(kind: str, end: str, known: Mapping[str, Province], where: str) -> None:
    """Raise VariantError where a unit of that kind cannot stand at this end of a border."""
    key, _, coast = end.partition("/")
    province = known[key]
    if kind == "A" and (coast or province.kind not in ("land", "coast")):
        raise VariantError(f"{where} lets armies pass, but none can stand in {end}.")
    if kind == "F" and province.kind not in ("sea", "coast"):
        raise VariantError(f"{where} lets fleets pass, but none can stand in {end}.")
    if kind == "F" and province.coasts and not coast:
        coasts = either([f"{key}/{one}" for one in province.coasts])
        raise VariantError(f"{where} lets fleets pass and must name a coast: {coasts}.")


def _check_fields(
    facts: Mapping[str, Any], must: Iterable[str], may: Iterable[str], where: str
) -> None:
    if not isinstance(facts, dict):
        raise VariantError(f"{where} must be an object.")
    _check_known(facts, {*must, *may}, f"{where} has a field", "which there is not")
    _check_known(must, facts, f"{where} lacks", "which there must be")


def _check_known(names: Iterable[str], known: Collection[str], before: str, after: str) -> None:
    for name in names:
        if name not in known:
            raise VariantError(f"{before} “{name}”, {after}.")


def _check_word(word: object, known: tuple[str, ...], where: str) -> None:
    if word not in known:
        words = either([f"“{one}”" if one else "nothing" for one in known])
        raise VariantError(f"{where}: “{word}” must be {words}.")


def _twice(words: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            yield word
        seen.add(word)


def _rows(folder: Path, file: str, columns: Iterable[str]) -> Iterator[dict[str, str]]:
    """Yield the rows of a table, without blanks around the cells; cells left out at the end of a
    row are empty.

    `where` says which row it is.
    """
    path = f"{folder.name}/{file}"
    table = csv.DictReader(_text(folder, file).splitlines(), restval="")
    _check_known(columns, table.fieldnames or (), f"{path} lacks the column", "or its first line")
    for row in table:
        if None in row:
            raise VariantError(f"Line {table.line_num} of {path} has more cells than columns.")
        stripped = {column: cell.strip() for column, cell in row.items()}
        yield {"marks": "", "mark": "", **stripped, "where": f"line {table.line_num} of {path}"}


def _text(folder: Path, file: str) -> str:
    try:
        return (folder / file).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise VariantError(f"There is no {folder.name}/{file}.") from None
    except UnicodeDecodeError:
        raise VariantError(f"{folder.name}/{file} is not in UTF-8.") from None
