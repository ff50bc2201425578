"""Reading the environment without ever breaking on it.

A value that makes no sense is remembered as a fault and replaced by the default, so that the
system checks (checks.py) can name every one of them at once, in a sentence. They are errors: no
server starts with one.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from environ import Env

Value = TypeVar("Value")

YES, NO = ("1", "true", "yes", "on", "y", "ok"), ("0", "false", "no", "off", "n")
ENGINES = ("django.db.backends.postgresql", "django.db.backends.sqlite3")


A_DATABASE = "postgres://user:password@host:port/name or sqlite:////path"
PREPARES_NOTHING = 1_000_000
"""With this `prepare_threshold` docs/operators.md has the driver prepare nothing."""

MOST_SECONDS, MOST_DAYS, MOST_THINGS = 366 * 24 * 3600, 36_500, 1_000_000_000
"""A year, a century, and more than a server ever sees. Larger numbers would overflow dates and a
database's columns."""


def database_config(url: str) -> dict[str, Any]:
    """Return Django's settings of the database that a URL names. Raises ValueError if it names
    none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would print the password
        config: dict[str, Any] = Env.db_url_config(url)
    # `sqlite://` without a path would be a database in memory: each process would have its own.
    if config.get("ENGINE") not in ENGINES or config.get("NAME") in (None, "", ":memory:"):
        raise ValueError
    options = config.get("OPTIONS", {})
    if int(options.get("prepare_threshold") or 0) >= PREPARES_NOTHING:
        # psycopg prepares what writes many rows below any threshold; only None prevents that.
        options["prepare_threshold"] = None
    return config


@dataclass(frozen=True, slots=True)
class Fault:
    """A variable that makes no sense, and what would make sense."""

    name: str
    value: str
    wanted: str
    """What the variable has to be, in words that follow "has to be": "a number of seconds, at least
    1"."""


@dataclass
class Environment:
    """The environment as `env` sees it, `.env` included, and the faults found in it."""

    env: Env
    faults: list[Fault] = field(default_factory=list)

    def seconds(self, name: str, default: float, *, least: float) -> float:
        """A length of time in seconds."""
        wanted = f"a number of seconds, at least {least:g} and at most {MOST_SECONDS}"
        return self._read(
            name, default, lambda text: _between(least, float(text), MOST_SECONDS), wanted
        )

    def count(self, name: str, default: int, *, least: int = 1, most: int = MOST_THINGS) -> int:
        """A whole number of things."""
        wanted = f"a whole number, at least {least} and at most {most}"
        return self._read(name, default, lambda text: _between(least, int(text), most), wanted)

    def port(self, name: str, default: int) -> int:
        """A TCP port."""
        return self._read(
            name,
            default,
            lambda text: _one_of(int(text), range(1, 65536)),
            "a port, from 1 to 65535",
        )

    def switch(self, name: str, *, default: bool) -> bool:
        """Read on or off."""
        return self._read(name, default, _switch, "1 (on) or 0 (off)")

    def choice(self, name: str, default: str, choices: Collection[str]) -> str:
        """Read one of these words, in upper or lower case."""
        wanted = "one of " + ", ".join(choices)
        return self._read(name, default, lambda text: _one_of(text.upper(), choices), wanted)

    def database(self, name: str, default: str) -> dict[str, Any]:
        """Django's settings of the database that a URL names."""
        standard: dict[str, Any] = self.env.db_url_config(default)
        return self._read(name, standard, database_config, A_DATABASE)

    def folder(self, name: str, default: Path) -> Path:
        """Read a folder that we may write to; if it is missing, make it, for us alone."""
        return self.made(name, Path(self.env.str(name, "") or default).resolve())

    def made(self, name: str, path: Path) -> Path:
        """Return a folder whose place the variable `name` decides; if it is missing, make it, for
        us alone."""
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            if all(fault.name != name for fault in self.faults):
                self.fault(name, str(path), f"a folder this user can make ({error.strerror})")
        return path

    def fault(self, name: str, value: str, wanted: str) -> None:
        """Remember that a variable makes no sense."""
        self.faults.append(Fault(name, value, wanted))

    def _read(self, name: str, default: Value, read: Callable[[str], Value], wanted: str) -> Value:
        text = self.env.str(name, "").strip()
        if not text:
            return default
        try:
            return read(text)
        except (ValueError, KeyError, ArithmeticError):
            self.fault(name, text, wanted)
            return default


def parts_of(url: str) -> SplitResult:
    """Return the parts of a URL; none if it cannot be read, for example because of a [ in a
    password. The checks then name it."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


Number = TypeVar("Number", int, float)


def _between(least: Number, number: Number, most: Number) -> Number:
    if not least <= number <= most:  # nor is NaN
        raise ValueError
    return number


def _one_of(value: Value, choices: Collection[Value]) -> Value:
    if value not in choices:
        raise ValueError
    return value


def _switch(text: str) -> bool:
    if text.lower() not in YES + NO:
        raise ValueError
    return text.lower() in YES
