"""How the pages are served: `gunicorn diplomacy_server.wsgi -c python:diplomacy_server.gunicorn`.

By one process, which draws in another. A second one would take 70 MB more once its pages have been
looked at. A site with many readers has `--workers 2 --preload` in its unit.
"""

from __future__ import annotations

workers, threads = 1, 8
control_socket_disable = True
