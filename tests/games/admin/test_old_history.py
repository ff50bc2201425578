"""The admin's history of games from before addresses were left out of it."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import connection

from games.models import Game
from tests.cast import Cast

pytestmark = pytest.mark.django_db


def note(cast: Cast, said: str) -> None:
    games = Game.objects.filter(pk=cast.game.pk)
    LogEntry.objects.log_actions(cast.gm.pk, games, CHANGE, said, single_object=True)


def test_no_address_stays_in_the_history_of_a_game_and_everything_else_does(marne: Cast) -> None:
    note(marne, "Invited to marne: hugo@players.test, z.vé+dip@far.test and IDA@FAR.TEST.")
    note(marne, "Processed Spring 1901 movement of marne, @ 20:00.")
    note(marne, '[{"added": {"name": "invitation", "object": "ida@far.test"}}]')
    note(marne, "Kept out:ben@far.test,<di@far.test>;(“eve@far.test”).")
    users = User.objects.filter(pk=marne.gm.pk)
    LogEntry.objects.log_actions(marne.gm.pk, users, CHANGE, "a@b.test", single_object=True)
    migration = import_module("games.migrations.0047_addresses_out_of_the_history")
    migration.forget_addresses(apps, connection.schema_editor())
    assert list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True)) == [
        "Invited to marne: an address, an address and an address.",
        "Processed Spring 1901 movement of marne, @ 20:00.",
        '[{"added": {"name": "invitation", "object": "an address"}}]',
        "Kept out:an address,<an address>;(“an address”).",
        "a@b.test",
    ]
