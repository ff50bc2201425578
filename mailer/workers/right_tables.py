"""Makes sure that `migrate` has been run to its end: nothing works on tables of another release.

A power cut in the middle of an upgrade leaves some of them unchanged, and then every service starts
with the machine. Some jobs would break, and others would do half of their work.
"""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

from django.apps import apps
from django.db import InterfaceError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.module_loading import module_has_submodule

REFUSAL = "The database does not have the tables of this release. Run `manage.py migrate`."


def need_right_tables() -> None:
    """End this process with a sentence if the tables are not those of the code.

    If the database does not answer, the caller waits for it as always.
    """
    try:
        fit = newest_migrations() <= set(MigrationRecorder(connection).applied_migrations())
    except (OperationalError, InterfaceError):
        return
    if not fit:
        sys.exit(REFUSAL)


def newest_migrations() -> set[tuple[str, str]]:
    """Return the last migration of each app, by the numbers of the files.

    Reading all of them, as Django does to run them, takes a quarter of a second, which a tick does
    not have.
    """
    return {
        (app.label, max(module.name for module in pkgutil.iter_modules(package.__path__)))
        for app in apps.get_app_configs()
        if module_has_submodule(app.module, "migrations")
        and (package := import_module(f"{app.name}.migrations"))
    }
