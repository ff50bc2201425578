"""How the pages are served: `gunicorn diplomacy_server.wsgi -c python:diplomacy_server.gunicorn`.

One process serves them, and has another draw. A second would take 70 MB more as soon as somebody
looks at its pages. A site with many readers has `--workers 2 --preload` in its unit.
"""

from __future__ import annotations

from typing import Any

workers, threads = 1, 8
control_socket_disable = True

LONGEST_SILENCE = 15.0
"""How many seconds a reader may send nothing of a form, or take to read what we answer."""


def pre_request(_worker: object, request: Any) -> None:
    """Wait no longer for the rest of a request: gunicorn would for ever, and eight who were cut off
    in the middle of a form, or pretend to be, would keep all others from every page."""
    request.unreader.sock.settimeout(LONGEST_SILENCE)
