"""One thing that people say in their own words."""

from __future__ import annotations

import re
from typing import NamedTuple


class Advice(NamedTuple):
    """Words that people may write, our answer, and the command that it names."""

    words: re.Pattern[str]
    said: str
    command: str
