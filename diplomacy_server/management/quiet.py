"""Commands that cron runs: it mails the operator anything else they write."""

from __future__ import annotations

from io import StringIO
from typing import Any

from django.core.management.base import BaseCommand, OutputWrapper


class QuietCommand(BaseCommand):
    """A command that refuses unsafe settings like all others, but leaves warnings, which would come
    every minute, to `manage.py check`."""

    def check(self, *args: Any, **options: Any) -> None:
        loud, self.stderr = self.stderr, OutputWrapper(StringIO())
        try:
            super().check(*args, **options)
        finally:
            self.stderr = loud
