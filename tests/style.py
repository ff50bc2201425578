"""Which retired words are where: read from docs/glossary.md, searched for room by room."""

from __future__ import annotations

import ast
import io
import itertools
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.structure import ROOMS as ROOMS

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = ROOT / "docs" / "glossary.md"
NOT_OURS = {"migrations", "__pycache__"}

ROW = re.compile(
    r"^\| ([^|]+) \| ((?:names|prose)(?:, (?:names|prose))*)(?: outside ([a-z_]+))? \| ([^|]+) \|$",
    re.M,
)
TAG = re.compile(r"{[%#].*?[%#]}|{{.*?}}", re.DOTALL)
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
SENTENCE = re.compile(r"[A-Z]\S* \S", re.DOTALL)
UNBROKEN = re.compile(r"[\s#]+")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Retired:
    """A word or phrase that is no longer used, where it is not, and what to write instead.

    In the room `outside` (often none) it is used on, for something else.
    """

    word: str
    where: frozenset[str]
    outside: str
    instead: str


@dataclass(frozen=True)
class Found:
    """One retired word in one place."""

    retired: Retired
    room: str
    place: str

    def __str__(self) -> str:
        return f"{self.place}: “{self.retired.word}” is retired: {self.retired.instead}"


def retired_words() -> list[Retired]:
    """Read the second table of the glossary."""
    rows = ROW.findall(GLOSSARY.read_text())
    return [
        Retired(word, frozenset(where.split(", ")), outside, instead)
        for word, where, outside, instead in rows
    ]


@cache
def found() -> list[Found]:
    """Return every retired word in the names and in the prose of the project."""
    words = retired_words()
    in_names = {word.word: word for word in words if "names" in word.where}
    in_prose = {word.word.lower(): word for word in words if "prose" in word.where}
    phrases = sorted(map(re.escape, in_prose), key=len, reverse=True)
    phrase = re.compile(rf"\b({'|'.join(phrases)})\b", re.IGNORECASE)
    return [
        *(
            Found(in_names[part], room, place)
            for room, name, place in names()
            for part in parts(name)
            if part in in_names and room != in_names[part].outside
        ),
        *(
            Found(in_prose[" ".join(match.lower().split())], room, place)
            for room, text, place in prose(phrase)
            for match in phrase.findall(" ".join(text.split()))
            if not match.endswith("None")
        ),
    ]


def parts(name: str) -> list[str]:
    """Split `seat_fill` and `OrdersAhead` into lower-case words, each in the singular."""
    words = [word.lower() for word in WORD.findall(name)]
    return [word[:-1] if word.endswith("s") and len(word) > 3 else word for word in words]


def modules() -> Iterator[tuple[str, Path]]:
    """Yield our own modules, each with its room."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if not NOT_OURS & set(path.parts):
                yield room, path


def names() -> Iterator[tuple[str, str, str]]:
    """Yield the room, the name and the place of modules, folders, classes and functions."""
    for room, path in modules():
        where = str(path.relative_to(ROOT))
        yield room, path.parent.name if path.stem == "__init__" else path.stem, where
        for node in documented(path):
            if not isinstance(node, ast.Module):
                yield room, node.name, f"{where}:{node.lineno}"


def prose(wanted: re.Pattern[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the room, the words and the place of every text: docs, templates, and what stands in
    the code for people: docstrings, comments, sentences. Modules without a wanted word are left
    out: most are, and to parse them takes long."""
    for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]):
        if path not in (GLOSSARY, ROOT / "CHANGELOG.md"):
            yield "docs", CODE.sub(" ", path.read_text()), str(path.relative_to(ROOT))
    for folder in (ROOT / "templates", *(ROOT / room / "templates" for room in ROOMS)):
        for path in sorted(one for one in folder.rglob("*") if one.is_file()):
            yield "templates", TAG.sub(" ", path.read_text()), str(path.relative_to(ROOT))
    for room, path in modules():
        where, code = str(path.relative_to(ROOT)), path.read_text()
        if wanted.search(UNBROKEN.sub(" ", code)):
            for kind, text, line in [*_written(ast.parse(code)), *_comments(code)]:
                yield f"{room} {kind}", CODE.sub(" ", text), f"{where}:{line}"


def _written(tree: ast.Module) -> Iterator[tuple[str, str, int]]:
    """Yield the docstrings of a module, also those below a field, and the sentences in its code:
    strings that begin with a capital and have a blank."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in docs:
                yield "docstrings", node.value, node.lineno
            elif SENTENCE.match(node.value):
                yield "sentences", node.value, node.lineno


def _comments(code: str) -> Iterator[tuple[str, str, int]]:
    """Yield the comments, those on lines that follow each other as one text."""
    lines = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(code).readline)
        if token.type == tokenize.COMMENT
    }
    for first in (line for line in lines if line - 1 not in lines):
        last = next(line for line in itertools.count(first) if line + 1 not in lines)
        yield "comments", " ".join(lines[line] for line in range(first, last + 1)), first


@cache
def documented(path: Path) -> list[Documented]:
    """Return the module and its classes and functions: what may have a docstring."""
    module = ast.parse(path.read_text())
    return [module, *_defined_in(module)]


def _defined_in(node: ast.AST) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """Walk through statements only: no expression defines anything, and most nodes are in one."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
        if not isinstance(child, ast.expr):
            yield from _defined_in(child)
