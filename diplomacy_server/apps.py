"""The app that wires the rooms together."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.core.checks import register
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.utils.module_loading import import_string

from diplomacy_server.checks import settings_are_safe


def tune_connection(*, connection: BaseDatabaseWrapper, **_: object) -> None:
    """Speed up a new connection to PostgreSQL: reading times, building statements, savepoints and
    compressing texts."""
    if connection.vendor == "postgresql":  # SQLite needs no psycopg loaded
        import_string("diplomacy_server.cached_columns.cache_columns")(connection)
        import_string("diplomacy_server.fast_times.use_fast_times")(connection)
        import_string("diplomacy_server.quick_savepoints.use_quick_savepoints")(connection)
        import_string("diplomacy_server.compression.use_lz4")(connection)


class DiplomacyServerConfig(AppConfig):
    """Brings the system checks, and what each connection to the database needs."""

    name = "diplomacy_server"

    def ready(self) -> None:
        """Register our checks with Django's, and listen for new connections."""
        register(settings_are_safe, "server")
        connection_created.connect(tune_connection)


class StaffAdminConfig(admin_apps.SimpleAdminConfig):
    """The admin, with a first page for each role."""

    default = False
    default_site = "diplomacy_server.staff.StaffSite"
