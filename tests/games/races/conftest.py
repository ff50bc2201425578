"""A game in a database that several workers write to at once."""

from __future__ import annotations

import pytest

from tests.cast import Cast, make_cast


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return make_cast()
