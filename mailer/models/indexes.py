"""Indexes of columns that most rows leave empty."""

from __future__ import annotations

from django.db import models


def filled_only(field: str, table: str) -> models.Index:
    """Return an index of only the rows that have a value there.

    Other rows then cost nothing: of the eight things that a reply address can stand for, a row has
    two or three, and code that looks for one of them has its key.
    """
    there = models.Q(**{f"{field}__isnull": False})
    return models.Index(fields=[field], condition=there, name=f"{table}_{field}")
