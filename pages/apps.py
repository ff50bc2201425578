"""The app of the public pages."""

from __future__ import annotations

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Pages without a row of their own."""

    name = "pages"
