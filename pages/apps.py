"""The app of the public pages."""

from __future__ import annotations

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Pages that belong to no model."""

    name = "pages"
