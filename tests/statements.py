"""Builds each statement that is built once (`games/models/prepared.py`), before anybody asks it.

Read by a process that has forked nothing yet (`tests/warm.py`), once Django is set up.
"""

from __future__ import annotations

import gc

from django.core.validators import validate_email
from django.db import connection, transaction

from games.models.prepared import Query, Update


def build() -> None:
    """Build all that the modules have which are loaded, for this process's database.

    The connection that Django wants for that is closed again.
    """
    validate_email("ana@players.example")  # its patterns are compiled when somebody asks
    with transaction.atomic():
        for one in gc.get_objects():
            if issubclass(type(one), Query | Update):
                assert one._ready
    connection.close()
