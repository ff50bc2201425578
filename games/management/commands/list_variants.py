"""`manage.py list_variants`: every variant that a game can be made with."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from games.management.plain import PlainCommand
from games.queries.variants import all_variants, variants_page


class Command(PlainCommand):
    help = "List the variants: name, designer, powers, centres. --page writes docs/variants.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the choice between the list and the page."""
        parser.add_argument(
            "--page", action="store_true", help="write docs/variants.md to standard output"
        )

    def run(self, **options: Any) -> str:
        """Return the list, or the page."""
        if options["page"]:
            return variants_page().rstrip("\n")
        return "\n".join(f"{one.name}: {one.in_short}" for one in all_variants())
