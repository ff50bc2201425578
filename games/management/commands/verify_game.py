"""manage.py verify_game FILE: check an exported game or a proof file, and saved mails about it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from games import verify
from games.management.plain import PlainCommand
from games.proofs.keys import keys_in
from games.queries.audit.proofs import public_keys


class Command(PlainCommand):
    help = (
        "Check a game that export_game wrote, or a proof file: the chain of its log, the seals of "
        "orders, each phase adjudicated again, and the receipts in saved mails. It looks only at "
        "these files and the public keys; without this server, use `python -m games.verify`."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help="a game, and saved mails about it"
        )
        parser.add_argument("--keys", help="a list of public keys; without it: this server's own")

    def run(self, **options: Any) -> str:
        own = {one.name: one for one in public_keys()}
        given = options["keys"]
        keys = keys_in(verify.read(given).decode("utf-8", "replace")) if given else own
        found = verify.check(options["files"], keys)
        if not all(one.good for one in found):
            raise CommandError(verify.findings_text(found))
        return verify.findings_text(found)
