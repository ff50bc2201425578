"""Logs that do not quote: what players wrote stays out of them, and out of reports to Sentry.

An error raised while the server works on orders may quote them ("KeyError: 'A Par - Bur'"), and the
error for a row that the database refuses quotes all its values. What remains is the kind of the
error and the way to it, which is enough to mend it. Errors that come from outside (networks, files,
a database that is away) keep their words.
"""

from __future__ import annotations

import datetime as dt
import json
import logging
import re
import traceback
from collections.abc import Iterator
from typing import Any

from games.services.secrets_in_text import without_secrets
from games.services.sick_database import is_read_only
from games.services.working import worked_on

UNSAID = "(its text is left out: it may quote a player)"


def quotes_nobody(error: BaseException) -> bool:
    """Say whether the error's text comes from outside (from a network, a file, the broker, a
    database that is lost or takes nothing new) or says why there is no picture."""
    named = {kind.__name__ for kind in type(error).__mro__}  # the clock loads none of them
    return (
        not named.isdisjoint({"OperationalError", "NotDrawn", "RedisError"})
        or isinstance(error, OSError)
        or is_read_only(error)
    )


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and the errors that led to it, the last first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        before = None if error.__suppress_context__ else error.__context__
        error = error.__cause__ or before


def way_to(error: BaseException | None) -> str:
    """Return the traceback of an error and of its causes, the earliest first, without their
    words."""
    return "\n".join(_way(one) for one in reversed(list(causes(error))))


class Discreet(logging.Formatter):
    """Writes where an error happened and of what kind it is, and nothing else; addresses of mails
    and pages lose their secrets.

    After the message comes what was being worked on: `[game=marne mail=12]`.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Write the first line; a message that repeats the error's text, as Celery's do, loses that
        text."""
        if isinstance(record.exc_info, tuple):
            for error in causes(record.exc_info[1]):
                record.message = _without_words(record.message, error)
        ids = " ".join(f"{key}={value}" for key, value in worked_on().items())
        return f"{super().formatMessage(record)} [{ids}]" if ids else super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        """Write the line and the way to the error, whatever another handler has written of it."""
        record.exc_text = None
        return without_secrets(super().format(record))

    def formatException(self, ei: Any) -> str:
        """Write the way to the error."""
        return way_to(ei[1])


class JsonLines(Discreet):
    """Writes the same as one JSON object a line, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        """Write time (UTC), level, logger, message and what was being worked on; after an error,
        `trace` as well.

        The message is as discreet as the line that people read.
        """
        message, _, trace = super().format(record).partition("\n")
        at = dt.datetime.fromtimestamp(record.created, dt.UTC)
        said = {
            "time": at.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": message,
            **worked_on(),
        }
        return json.dumps({**said, "trace": trace} if trace else said, ensure_ascii=False)

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Write only the message: what was being worked on has fields of its own."""
        super().formatMessage(record)
        return record.message


def without_words(report: dict[str, Any], hint: dict[str, Any]) -> dict[str, Any]:
    """Take out of a report (Sentry's before_send) the texts of errors, the latest log lines, and
    everything about a request but its page: searches name people, and links hold secrets."""
    for error in report.get("exception", {}).get("values", []):
        error["value"] = UNSAID
    report.pop("breadcrumbs", None)
    report.pop("logentry", None)
    if asked := report.pop("request", None):
        kept = {name: asked[name] for name in ("method", "url") if name in asked}
        report["request"] = {name: without_secrets(kept[name]) for name in kept}
    return report


def _way(error: BaseException) -> str:
    frames = "".join(traceback.format_tb(error.__traceback__))
    said = str(error) if quotes_nobody(error) else UNSAID
    return f"Traceback (most recent call last):\n{frames}{type(error).__name__}: {said}"


def _without_words(line: str, error: BaseException) -> str:
    if quotes_nobody(error):
        return line
    for text in (repr(error), str(error)):
        if text:
            # Of whole words: the text of an error may be "0", and a line has many of these.
            whole = rf"(?!\B\w){re.escape(text)}(?<!\w\B)"
            line = re.sub(whole, f"{type(error).__name__} {UNSAID}", line)
    return line
