"""The server's log of errors: what the program did not expect is a fault, though it lives on.

A job that breaks is logged and left until the next tick, a mail that breaks the program is tried
again, a notice that cannot be written is skipped. Tried again it may work, and then nobody would
have noticed.
"""

from __future__ import annotations

import sys
import traceback
from logging import Logger

from games.services.sick_database import _causes
from tests.simulate.checks.evidence import Broken
from tests.simulate.machinery.easel import Refused
from tests.simulate.machinery.process import DiskFull

EXPECTED = ("Mail in: %s",)
"""A mailbox that answers nonsense."""


def exception(logger: Logger, message: str, *values: object, **_: object) -> None:
    """Stand in for `Logger.exception`. Raises Broken unless the weather explains it."""
    causes = _causes(sys.exception())
    if message in EXPECTED or any(isinstance(one, (DiskFull, Refused)) for one in causes):
        return
    where = traceback.format_exception(sys.exception(), limit=-6)
    raise Broken(f"{logger.name} logged: {message % values}\n{''.join(where)}")


def warning(
    logger: Logger, message: str, *values: object, exc_info: object = None, **_: object
) -> None:
    """Stand in for `Logger.warning`. Raises Broken when it comes with an error of the program, and
    not with one by which Django says what it answers a browser."""
    if exc_info and not logger.name.startswith("django."):
        exception(logger, message, *values)
