"""What wires the rooms together; nobody imports it."""

from __future__ import annotations

from diplomacy_server.celery import app as celery_app

__all__ = ["celery_app"]
