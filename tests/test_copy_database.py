"""A whole server moved from one database to another, as from SQLite to PostgreSQL."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command

from diplomacy_server.copy_database import _empty
from games.errors import WrongState
from games.models import Event, Player
from mailer.models import InboundMail, OutboundMail
from tests.cast import NOW, address_of
from tests.flows.server import database_url, forked
from tests.mailer.correspondence import eml, receive, told_cast
from tests.migrated import sqlite_file


def manage(*command: str, url: str) -> str:
    """Run `manage.py` on that database; return what it said."""
    code, said = forked(os.environ | {"DATABASE_URL": url}, *command)
    assert code == 0, said
    return said


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
    manage("copy_database", database_url(), url=there)
    assert "whole (1 in all)" in manage("verify_log", url=there)

    call_command("flush", "--noinput", verbosity=0)
    manage("copy_database", there, url=database_url())
    assert [list(model.objects.order_by("pk").values()) for model in models] == before
    call_command("verify_log")
    new = Player.objects.create(name="Somebody new", created_at=NOW)
    assert new.pk > gone_number, "reply addresses are made of numbers"


def refused(url: str) -> str:
    """What `copy_database` says of a database that it cannot copy: one sentence."""
    code, said = forked(os.environ | {"DATABASE_URL": database_url()}, "copy_database", url)
    [sentence] = said.splitlines()
    assert code == 1
    return sentence


@pytest.mark.django_db
def test_a_database_in_which_somebody_may_already_sign_in_is_not_written_over() -> None:
    get_user_model().objects.create(username="boss")
    with pytest.raises(WrongState, match="in use: it has users"):
        _empty()


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
        f"sqlite:///{sqlite_file(tmp_path / 'there.sqlite3')}": "but that is in use: it has",
    }
    said = {url: refused(url) for url in wanted}
    assert {url: said[url] for url, part in wanted.items() if part not in said[url]} == {}
    assert "open-sesame" not in "".join(said.values())
    assert OutboundMail.objects.exists()
