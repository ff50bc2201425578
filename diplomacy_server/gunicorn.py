"""How the pages are served: `gunicorn diplomacy_server.wsgi -c python:diplomacy_server.gunicorn`.

On a small machine by one process, which is loaded in that process alone: what is loaded before a
fork is soon there twice, since Python writes to whatever it uses.
"""

from __future__ import annotations

import gc
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_server.settings")

from django.conf import settings

preload_app = not settings.SMALL_MACHINE
workers, threads = (1, 8) if settings.SMALL_MACHINE else (2, 4)
control_socket_disable = True


def pre_fork(_arbiter: object, _worker: object) -> None:
    """Have both share what is loaded by now: the next look for garbage would write to all of it."""
    gc.collect()
    gc.freeze()
