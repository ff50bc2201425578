"""What the players wrote, as they know it: a line for each time a mail was handed in."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["letter", "orders"]


@dataclass(frozen=True)
class Attempt:
    """A mail was handed in: `taken` says whether the 250 was heard.

    Without it the mail may have arrived all the same.
    """

    message_id: str
    sender: str
    kind: Kind
    game: str
    at: float
    taken: bool


class Diary:
    """A file of attempts."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def note(self, attempt: Attempt) -> None:
        """Add a line."""
        with self.path.open("a") as file:
            print(json.dumps(asdict(attempt)), file=file)

    def read(self) -> list[Attempt]:
        """All of them, oldest first."""
        if not self.path.exists():
            return []
        return [Attempt(**json.loads(line)) for line in self.path.read_text().splitlines()]
