"""What spreadsheets and offices put around orders: cells, column headings, titles, numbers.

As in `phrases.py`, every pattern is tried on short lines only and reads them once.
"""

from __future__ import annotations

import re

HEADS_TABLE = re.compile(
    r"[\"#]*(?:no(?:\.|(?=\s*[|;,]))|nr\.?|id|row)?[\s|:;,\"]*(?:units?|type|power|country|from|loc(?:ation)?|province)\b[\s|:;,./#\"]*"
    r"(?:(?:unit|type|from|src|loc(?:ation)?|province|position|orders?|action|command|cmd|to|target"
    r"|dest(?:ination)?|dst|moves?"
    r"|supports?|reasons?|comments?|notes?|results?|status|via\s+convoy)\b[\s|:;,./#\"]*){1,7}",
    re.IGNORECASE,
)
"""The first line of a spreadsheet with orders: "Unit, From, Order, To"."""
CELLS = re.compile(
    r'(?:"?\d{1,3}"?[,;])?"?(?P<kind>a|f|army|fleet)"?[,;]"?[^\W\d_][^,;]*[,;]', re.IGNORECASE
)
"""The beginning of an order whose words are a spreadsheet's cells: "A,Par,-,Bur", "1;A;Par;-;Bur".
"""
PHONE = re.compile(r"[a-z]{1,8}\W{0,3}\+?\d[\d ()/.-]{6,30}(?:\s*\|.*)?", re.IGNORECASE)
"""A telephone or fax number; offices write F for a fax."""
_POSTCODE = r"(?:[A-Z]{1,3}-)?\d{4,6}\s[^\d]{2,40}"
OFFICE = re.compile(
    r"(?!.*(?:\s[-–—]+>?\s|->|→))"
    r"(?:.{2,60}\s[|·•]\s.{2,60}|.{2,60}\b(?:Ltd|GmbH|Inc|LLC|AG|SA|SARL|BV|Sons)\.?"
    rf"|\d{{1,4}}\w?,?\s[^\W\d].{{2,40}},\s{_POSTCODE}|[^\W\d].{{2,40}}\s\d{{1,4}}\w?,\s{_POSTCODE})"
)
"""A title and an employer, or their address, as they stand below a name."""


def as_order(text: str) -> str:
    """A line without the commas between its cells; any other line unchanged."""
    cells = CELLS.match(text)
    return " ".join(re.sub('[,;"]', " ", text[cells.start("kind") :]).split()) if cells else text
