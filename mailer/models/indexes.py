"""Indexes of columns that most rows leave empty."""

from __future__ import annotations

from django.db import models


def filled_only(field: str, table: str) -> models.Index:
    """Return an index of the rows that have a value there.

    A row without one costs nothing then: of the eight things that a reply address may stand for it
    has two or three, and whoever looks for one of them has its key.
    """
    there = models.Q(**{f"{field}__isnull": False})
    return models.Index(fields=[field], condition=there, name=f"{table}_{field}")
