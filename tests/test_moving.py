"""A whole server moved from one database to another, as from SQLite to PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
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
    gone = Player.objects.create(name="Somebody gone", created_at=NOW)
    gone_number, _ = gone.pk, gone.delete()
    models = (Event, InboundMail, OutboundMail)
    before = [list(model.objects.order_by("pk").values()) for model in models]
    there = f"sqlite:///{sqlite_file(tmp_path / 'there.sqlite3')}"
    backups.manage("copy_database", ours(), url=there)
    assert "whole (1 in all)" in backups.manage("verify_log", url=there)

    call_command("flush", "--noinput", verbosity=0)
    backups.manage("copy_database", there, url=ours())
    assert [list(model.objects.order_by("pk").values()) for model in models] == before
    call_command("verify_log")
    new = Player.objects.create(name="Somebody new", created_at=NOW)
    assert new.pk > gone_number, "reply addresses are made of numbers"


EACH = """
import sys, django
from django.core.management import CommandError, call_command
django.setup()
for url in sys.argv[1:]:
    try:
        call_command("copy_database", url)
    except CommandError as error:
        print(error)
"""
"""Does in one process what takes one each else."""


@pytest.mark.django_db(transaction=True)
def test_what_cannot_be_copied_is_said_in_a_sentence(tmp_path: Path) -> None:
    told_cast()
    empty = tmp_path / "empty.sqlite3"
    empty.touch()
    wanted = {
        "mysql://root@127.0.0.1/games": "names no database",
        "sqlite:////there/is/none.sqlite3": "There is no file /there/is/none",
        "postgres://ada:open-sesame@127.0.0.1:1/games": "cannot be read",
        f"sqlite:///{empty}": "not have the tables of this release. Run `manage.py migr",
        f"sqlite:///{sqlite_file(tmp_path / 'there.sqlite3')}": "is in use: it has",
    }
    env = os.environ | {
        "DATABASE_URL": ours(),
        "DJANGO_SETTINGS_MODULE": "diplomacy_server.settings",
    }
    words = [sys.executable, "-c", EACH, *wanted]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
    said = done.stdout.splitlines()
    assert len(said) == len(wanted), said
    assert {
        url: sentence
        for (url, part), sentence in zip(wanted.items(), said, strict=True)
        if part not in sentence
    } == {}
    assert "open-sesame" not in done.stdout + done.stderr
    assert OutboundMail.objects.exists()
