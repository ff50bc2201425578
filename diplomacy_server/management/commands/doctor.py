"""`manage.py doctor`: tries everything that a real server needs."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from diplomacy_server.doctor import machine, mail, names, reachability, roundtrip
from diplomacy_server.doctor.lines import Level, Line
from diplomacy_server.mail_checks import mail_urls_can_be_read


class Command(BaseCommand):
    help = (
        "Try what real installations get wrong: settings, database, broker, worker, mailbox, "
        "relay, a mail to itself, pages, DNS. Prints a line for each, with what to do. Exits with "
        "1 if something needs fixing."
    )
    requires_system_checks: list[str] = []  # their findings are among the lines

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-mail", action="store_true", help="do not send the mail to itself")
        parser.add_argument(
            "--wait", type=float, default=60.0, help="how many seconds to wait for that mail (60)"
        )

        parser.add_argument(
            "--cron", action="store_true", help="do without a broker: cron runs `manage.py tick`"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        worst = Level.OK
        wait = None if options["no_mail"] else options["wait"]
        for line in lines(wait=wait, broker=not options["cron"]):
            self.stdout.write(str(line))
            worst = Level.MEND if line.level is Level.MEND else worst
        if worst is Level.MEND:
            sys.exit(1)


def lines(*, wait: float | None, broker: bool) -> Iterator[Line]:
    """Yield every line once it is known; send no mail without time to wait for it."""
    yield from machine.look_at_settings()
    yield from machine.look_at_disk()
    if sys.platform == "linux":
        yield from machine.look_at_clock()
    yield from machine.look_at_database()
    if broker:
        yield from (answer := list(machine.look_at_broker()))
        if all(line.level is Level.OK for line in answer):
            yield from reachability.look_at_workers()
    if not list(mail_urls_can_be_read()):  # the lines about settings say what is wrong with them
        yield from mail.look_at_mailboxes()
        yield from mail.look_at_relay()
        if wait is not None:
            yield from roundtrip.look_at_round_trip(timezone.now(), wait=wait)
    yield from reachability.look_at_pages()
    yield from names.look_at_names()
