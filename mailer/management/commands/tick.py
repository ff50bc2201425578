"""One round of every duty, without a broker."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from mailer import jobs


class Command(BaseCommand):
    """`manage.py tick`: what a cron job calls where no worker runs."""

    help = "Fetch mail, work on it, process due phases, write notices, send mail: once."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(str(jobs.round(timezone.now())))
