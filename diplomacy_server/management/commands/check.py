"""`manage.py check`: Django's own, and the database as well."""

from __future__ import annotations

import sys
from io import StringIO
from typing import Any

from django.contrib import admin
from django.core.checks import Tags, register
from django.core.management.base import OutputWrapper
from django.core.management.commands.check import Command as DjangosCheck
from django.db import connections

from diplomacy_server.database_checks import database_faults
from diplomacy_server.key_check import key_is_the_databases
from diplomacy_server.tables import tables_are_todays


class Command(DjangosCheck):
    """Looks at the settings and asks the database, for which Django would need `--database`. Says
    so if `migrate` was forgotten.

    The servers themselves do not ask: they wait if the database is away.
    """

    def handle(self, *app_labels: Any, **options: Any) -> None:
        admin.autodiscover()  # Django checks only the pages that it knows
        register(tables_are_todays, Tags.database)  # only here, since `migrate` would say it, too
        register(key_is_the_databases, Tags.database)
        faults = []
        if options["databases"] is None:
            faults = database_faults()
            options["databases"] = [] if faults else list(connections)
        for fault in faults:
            self.stderr.write(f"{fault.msg}\n\tHINT: {fault.hint}")
        if faults:
            self.stdout = OutputWrapper(StringIO())  # it would say "no issues" about the rest
        super().handle(*app_labels, **options)
        if faults:
            sys.exit(1)
