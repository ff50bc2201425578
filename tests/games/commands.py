"""Commands of manage.py, and what they print."""

from __future__ import annotations

from io import StringIO

import time_machine
from django.core.management import call_command

from tests.cast import NOW


def run(*words: str) -> str:
    out = StringIO()
    with time_machine.travel(NOW, tick=False):
        call_command(*words, stdout=out)
    return out.getvalue()
