"""Fixtures that all tests of games may ask for."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from games.queries.access import roles
from tests.cast import Cast
from tests.games.admin.gm_pages import permissions


@pytest.fixture
def as_gm(client: Client, marne: Cast) -> Client:
    """The GM of the game, logged in."""
    marne.gm.groups.add(Group.objects.get_or_create(name=roles.GM)[0])
    marne.gm.user_permissions.set(permissions())
    client.force_login(marne.gm)
    return client
