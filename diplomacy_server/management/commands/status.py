"""`manage.py status`: how the server is, for people and for programs."""

from __future__ import annotations

import datetime as dt
import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from diplomacy_server.doctor.machine import broker_fault
from diplomacy_server.health import signs
from diplomacy_server.health.findings import Finding, Level, fails, judge
from diplomacy_server.health.signs import Signs
from games.queries.reports.wording import time_left


class Command(BaseCommand):
    help = (
        "Say how the server is: mail read, worked on and sent, phases due, what waits for you. "
        "Exits with 1 if the server does not do its work."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="print one JSON object, for programs"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = signs.take(timezone.now())
        findings = [*judge(now), *_broker()]
        self.stdout.write(as_json(now, findings) if options["json"] else as_lines(now, findings))
        if fails(findings):
            sys.exit(1)


def _broker() -> Iterator[Finding]:
    """Say if the broker is away: on a quiet day it may be hours until mails or phases wait for it.

    A server that runs by cron has none, and names none in its settings.
    """
    if settings.CELERY_BROKER_URL != settings.EMBEDDED_BROKER_URL and broker_fault():
        sentence = "The broker takes no tasks: until it does, nothing is worked on or sent."
        yield Finding(Level.LOOK, "broker", sentence)


def as_lines(now: Signs, findings: list[Finding]) -> str:
    """One line for each finding, the bad ones first, and the delays."""
    order = [Level.FAILS, Level.LOOK, Level.FINE]
    ranked = sorted(findings, key=lambda finding: order.index(finding.level))
    lines = [f"{finding.level.value:<6} {finding.sentence}" for finding in ranked]
    for name, delay in (("Receipts", now.receipts), ("Results", now.results)):
        if delay.mails:
            lines.append(
                f"{Level.FINE.value:<6} {name}: half of the latest {delay.mails} were sent within "
                f"{_delay(delay.median)}, 95 of 100 within {_delay(delay.nearly_all)}."
            )
    return "\n".join(lines)


def _delay(seconds: float) -> str:
    """Write a delay in the unit in which a person would say it."""
    if seconds < 120:
        return f"{seconds:.1f} s"
    end = dt.datetime.min + dt.timedelta(seconds=seconds)
    return time_left(end, dt.datetime.min)


def as_json(now: Signs, findings: list[Finding]) -> str:
    """Every figure, and the findings with their levels."""
    said = [
        {"level": finding.level.name.lower(), "about": finding.about, "says": finding.sentence}
        for finding in findings
    ]
    whole = {"ok": not fails(findings), "findings": said, **asdict(now)}
    return json.dumps(whole, cls=DjangoJSONEncoder, indent=2)
