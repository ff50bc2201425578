"""What is promised when the database has no room for a change (`machine`): it is done later, and
counts against no mail and no phase."""

from __future__ import annotations

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.machinery.process import DiskFull

BLAMED = {
    "mail": "select '#' || id as what from mailer_inboundmail where error like :full",
    "phase": "select name as what from games_phase where error like :full and attempts > 0",
}


def look(seen: Evidence) -> None:
    """Check that nothing is blamed for a full disk. Raises Broken."""
    for kind, query in BLAMED.items():
        for row in seen.rows(query, full=f"{DiskFull.__name__} in %"):
            raise Broken(f"the {kind} {row['what']} is blamed for a full disk")
