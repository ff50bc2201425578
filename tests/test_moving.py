"""A whole server moved from one database to another, as from SQLite to PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from diplomacy_server import backups
from games.models import Event, Player
from mailer.models import InboundMail, OutboundMail
from tests.cast import NOW, address_of
from tests.mailer.correspondence import eml, receive, told_cast
from tests.migrated import sqlite_file


def ours() -> str:
    """DATABASE_URL of the test's own database."""
    name = str(connection.settings_dict["NAME"])
    return f"sqlite:///{name}" if connection.vendor == "sqlite" else backups._url(name)


@pytest.mark.on_both
@pytest.mark.django_db(transaction=True)
def test_a_server_that_moves_to_another_database_and_back_is_whole(tmp_path: Path) -> None:
    told_cast()
    receive(eml("LIST", sender=address_of("Carla")))
    models = (Event, InboundMail, OutboundMail)
    before = [list(model.objects.order_by("pk").values()) for model in models]
    there = f"sqlite:///{sqlite_file(tmp_path / 'there.sqlite3')}"
    backups.manage("copy_database", ours(), url=there)
    assert "whole (1 in all)" in backups.manage("verify_log", url=there)

    call_command("flush", "--noinput", verbosity=0)
    backups.manage("copy_database", there, url=ours())
    assert [list(model.objects.order_by("pk").values()) for model in models] == before
    call_command("verify_log")
    Player.objects.create(name="Somebody new", created_at=NOW)  # under a number of their own


@pytest.mark.django_db(transaction=True)
def test_nothing_is_copied_over_a_server_that_is_there(tmp_path: Path) -> None:
    told_cast()
    there = sqlite_file(tmp_path / "there.sqlite3")
    with pytest.raises(backups.BackupError, match="is in use: it has"):
        backups.manage("copy_database", f"sqlite:///{there}", url=ours())
    assert OutboundMail.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://root@127.0.0.1/games", "names no database"),
        ("sqlite:////there/is/none.sqlite3", "There is no file /there/is/none"),
        ("postgres://ada:open-sesame@127.0.0.1:1/games", "cannot be read"),
    ],
)
def test_a_database_that_cannot_be_read_is_said_in_a_sentence(url: str, said: str) -> None:
    with pytest.raises(backups.BackupError, match=said) as failed:
        backups.manage("copy_database", url, url=ours())
    assert "open-sesame" not in str(failed.value)


@pytest.mark.django_db(transaction=True)
def test_a_database_of_another_release_is_migrated_first(tmp_path: Path) -> None:
    empty = tmp_path / "empty.sqlite3"
    empty.touch()
    with pytest.raises(
        backups.BackupError, match=r"not have the tables of this release[.] Run `manage.py migr"
    ):
        backups.manage("copy_database", f"sqlite:///{empty}", url=ours())
