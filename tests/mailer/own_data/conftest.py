"""A game whose players have ordered, and written to each other."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.models import Game
from tests.cast import Cast
from tests.made import made_once
from tests.mailer.own_data.exports import have_ordered_and_written


@pytest.fixture
def cast(db: None) -> Cast:
    """Marne, told; Ana and Emma have ordered, and written to each other and to others."""
    made_once("the cast that has ordered and written", have_ordered_and_written)
    return Cast(Game.objects.get(name="marne"), User.objects.get(username="gm"))
