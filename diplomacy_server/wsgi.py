"""The web application, for web.py or any other server that speaks WSGI."""

from __future__ import annotations

import gc
import os

from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.utils.module_loading import import_string

from mailer.workers.right_tables import need_right_tables

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_server.settings")

application = get_wsgi_application()

# A web server does not run the system checks by itself, but an unsafe setting must stop it, too. A
# database that is away must not stop it: once it is back, so are the pages.
call_command("check", databases=[])
need_right_tables()
connection.close()  # several processes may be forked from here

# They share what is loaded, and so does the process that draws, as long as nobody looks through it
# for garbage. Asking for the first page reads and draws what otherwise each would have by itself.
import_string("pages.opening.opening_on_page")()
gc.collect()
gc.freeze()
