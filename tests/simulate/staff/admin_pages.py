"""The pages of the admin, as the staff use them: what an act would do is read, then it is done."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from games.acts import Act
from games.errors import GameError


def is_done(
    act: Act[Any, Any],
    subject: object,
    given: Mapping[str, Any],
    *,
    by: User,
    now: dt.datetime,
    expected: str | None = None,
) -> bool:
    """Do an act on its page, with what is `given` there; False if the page says that it cannot be
    done. `expected` is the stamp of what a page showed that was opened before."""
    parameters = act.parameters(**given)
    try:
        act.require(by, subject, now)
        if expected is None:
            act.foresee(subject, parameters, by=by, now=now)
        act.perform(subject, parameters, by=by, now=now, expected=expected)
    except GameError:
        return False
    return True
