"""Tells the operators when a backup fails, since nobody reads the journal of a timer."""

from __future__ import annotations

import datetime as dt
import logging

from django.db import DatabaseError

from mailer.outbound import operators

logger = logging.getLogger(__name__)


def tell_operators(said: str, *, subject: str, now: dt.datetime, is_drill: bool = False) -> None:
    """Mail them what the command says, once a day, however often it is tried again. `is_drill`: no
    backup failed, but an attempt to restore one."""
    try:
        operators.tell(
            key=f"backup/{subject}/{now:%Y%m%d}",
            kind="backup",
            subject=subject,
            context={"said": said, "is_drill": is_drill},
            now=now,
        )
    except DatabaseError:  # it may be what cannot be backed up
        logger.warning(
            "The operators could not be told: the database does not take the mail to them"
        )
