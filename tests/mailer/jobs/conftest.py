"""A game whose phases come due."""

from __future__ import annotations

import pytest

from tests.cast import Cast
from tests.mailer.correspondence import all_sent, told_cast
from tests.mailer.jobs.due import URL


@pytest.fixture
def game(transactional_db: None, settings) -> Cast:
    """Marne in S1901M, everybody told of the start, the mailbox read at no time so far."""
    settings.IMAP_URLS = [URL]
    settings.SETTLE_SECONDS = 0
    cast = told_cast()
    all_sent()
    return cast
