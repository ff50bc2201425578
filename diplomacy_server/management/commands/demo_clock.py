"""`manage.py demo_clock`: the jobs in a plain loop, for machines without the embedded broker."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import close_old_connections
from django.utils import timezone

from mailer import jobs


class Command(BaseCommand):
    """Do one round of the jobs after another, for ever."""

    help = "Do every job again and again, without a broker, until SIGTERM."

    def handle(self, *args: Any, **options: Any) -> None:
        while True:
            jobs.do_round(timezone.now())
            close_old_connections()
            time.sleep(settings.TICK_SECONDS)
