"""Fixtures that all tests of mails may ask for."""

from __future__ import annotations

import pytest

from tests.cast import Cast
from tests.mailer.correspondence import told_cast


@pytest.fixture
def told(db: None) -> Cast:
    """Marne in S1901M, and everybody told of its start."""
    return told_cast()
