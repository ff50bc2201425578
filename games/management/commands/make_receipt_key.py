"""manage.py make_receipt_key: make the key that signs receipts, or a new one in its place."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from games.errors import WrongState
from games.management.plain import PlainCommand
from games.proofs.keys import list_beside, make_key
from games.queries.audit.proofs import key_file


class Command(PlainCommand):
    help = (
        "Make the key that signs receipts. --new puts a new key in the place of an old one; old "
        "receipts stay good, because the old key stays in the list of public keys."
    )

    requires_system_checks: list[str] = []
    """The checks refuse a damaged key, and send the operator here."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--new", action="store_true", help="replace the key, if there is one")

    def run(self, **options: Any) -> str:
        path = key_file()
        if path.exists() and not options["new"]:
            raise WrongState(f"{path} is already there. To replace it: make_receipt_key --new")
        made = make_key(path, now=timezone.now())
        return (
            f"Receipts are signed by key {made.name} from now on. It lies in {path}: keep that "
            f"file to yourself, and back it up. The public keys are in {list_beside(path)} and on "
            "the page /proofs/."
        )
