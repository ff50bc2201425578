"""The app that wires the rooms together."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.core.checks import register

from diplomacy_server.checks import settings_are_safe


class DiplomacyServerConfig(AppConfig):
    """Brings the system checks with it."""

    name = "diplomacy_server"

    def ready(self) -> None:
        """Let Django run our checks with its own."""
        register(settings_are_safe, "server")


class StaffAdminConfig(admin_apps.SimpleAdminConfig):
    """The admin with a first page for each role."""

    default = False
    default_site = "diplomacy_server.staff.StaffSite"
