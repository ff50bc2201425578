"""Copies the whole content of one database into another, whatever kinds they are.

Django's own dumpdata cuts times to milliseconds, after which every game's log would look tampered
with.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from diplomacy_server.doctor.lines import first_line
from diplomacy_server.environment import A_DATABASE, database_config
from diplomacy_server.row_numbers import begin_after, last_number
from diplomacy_server.tables import migrations_to_run
from games.errors import BadInput, WrongState

SOURCE = "source"
BATCH = 200


def copy_from(url: str) -> int:
    """Copy every row of the database that `url` names into ours, all or nothing; return how many.

    Ours has to have the same tables, with nothing in them but what `migrate` writes. Raises
    BadInput for a URL that makes no sense, WrongState if the two do not fit.
    """
    with _source(url) as source:
        _fits(source, f"{url.partition(':')[0]}://…")
        _fits(connection, "DATABASE_URL")
        with transaction.atomic(), transaction.atomic(using=SOURCE):
            _empty()
            copied = sum(_copy(model) for model in _models())
            _set_sequences()
        return copied


@contextmanager
def _source(url: str) -> Iterator[BaseDatabaseWrapper]:
    others = {**connections.settings[DEFAULT_DB_ALIAS], "OPTIONS": {}}
    connections.settings[SOURCE] = others | _config(url)
    try:
        yield connections[SOURCE]
    finally:
        connections[SOURCE].close()
        del connections[SOURCE], connections.settings[SOURCE]


def _config(url: str) -> dict[str, Any]:
    try:
        config = database_config(url)
    except ValueError as error:
        raise BadInput(f"That names no database: write {A_DATABASE}.") from error
    if "sqlite" in config["ENGINE"] and not Path(config["NAME"]).is_file():
        raise BadInput(f"There is no file {config['NAME']}.")  # SQLite would make it
    return config


def _fits(database: BaseDatabaseWrapper, name: str) -> None:
    try:
        left = migrations_to_run(database)
    except DatabaseError as error:
        raise WrongState(f"{name} cannot be read: {first_line(error)}.") from error
    if left:
        raise WrongState(
            f"{name} does not have the tables of this release. Run `manage.py migrate` with it as "
            "DATABASE_URL first."
        )


def _models() -> list[type[Model]]:
    models = apps.get_models(include_auto_created=True)
    return [model for model in models if model._meta.managed and not model._meta.proxy]


def _empty() -> None:
    """Delete what `migrate` wrote; the source has it under its own numbers."""
    for model in _models():
        is_ours = model._meta.app_label in ("games", "mailer") or model is get_user_model()
        if is_ours and model._base_manager.exists():
            what = model._meta.verbose_name_plural
            raise WrongState(
                f"We copy into the database of DATABASE_URL, but that is in use: it has {what}. "
                "Set DATABASE_URL to a new one, and run `manage.py migrate` on it."
            )
    for model in _models():
        rows = model._base_manager.all()
        rows._raw_delete(rows.db)


def _copy(model: type[Model]) -> int:
    """Copy the rows. Whether each points to one that exists is checked at the commit, when all are
    there."""
    rows = model._base_manager.using(SOURCE).order_by("pk").iterator(chunk_size=BATCH)
    ours, copied = model._base_manager.using(DEFAULT_DB_ALIAS), 0
    while batch := list(islice(rows, BATCH)):
        copied += len(ours.bulk_create(batch))
    return copied


def _set_sequences() -> None:
    """Number new rows after all that are here, and after all that ever were there."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)
    for model in _models():
        begin_after(connection, model, last_number(connections[SOURCE], model))
