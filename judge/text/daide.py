"""Orders in the notation of programs that play (DAIDE), put into the words that people write.

( ( FRA AMY PAR ) MTO BUR )                          A PAR - BUR
( ( ENG AMY LON ) CTO BEL VIA ( ECH ) )              A LON - BEL via convoy
( ( FRA FLT GOL ) SUP ( FRA FLT MAO ) MTO SPA )      F GOL S F MAO - SPA
( ( RUS FLT ( STP SCS ) ) HLD )                      F STP/sc H
( ( FRA FLT PAR ) BLD )   ( FRA WVE )                Build F PAR; waive
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ORDER = re.compile(r"\(\s*[A-Za-z]{3}\s+(?:(?:AMY|FLT)\b|WVE\s*\))")
_WITHOUT_BRACKETS = re.compile(r"\s*\(\s*[A-Za-z]{3}\s+(?:AMY|FLT)\b")
"""How an order begins without brackets around it: "(FRA AMY PAR) MTO BUR"."""
_UNIT = re.compile(r"[A-Z]{3} (AMY|FLT)\b")
_COAST = re.compile(r" ([NSEW])CS\b")
_VIA = re.compile(r" VIA .*")
_FIRST = {"BLD": "build", "REM": "disband", "DSB": "disband"}
"""What stands after its unit there, and before it here."""
_WORDS = {"MTO": "-", "CTO": "-", "RTO": "-", "HLD": "H", "SUP": "S", "CVY": "C"}
_KINDS = {"AMY": "A", "FLT": "F"}
_NAMES = {"ECH": "English Channel", "GOB": "Gulf of Bothnia", "NWG": "Norwegian Sea"}


def without_daide(line: str) -> str:
    """Return the line with such orders in people's words, others as they are."""
    if "(" not in line or not _ORDER.search(line):
        return line
    whole = f"({line})" if _WITHOUT_BRACKETS.match(line) else line
    return "; ".join(map(_in_words, _groups(whole))) or line


def _groups(line: str) -> Iterator[str]:
    """Yield what stands in each outermost pair of brackets, without the brackets."""
    depth, words = 0, list[str]()
    for word in re.findall(r"[()]|[^\s()]+", line.upper()):
        depth += {"(": 1, ")": -1}.get(word, 0)
        if word not in "()" and depth > 0:
            words.append(word)
        elif word == ")" and depth == 0:
            yield " ".join(words)
            words = []


def _in_words(order: str) -> str:
    order = _COAST.sub(lambda match: f"/{match[1].lower()}c", _VIA.sub(" via convoy", order))
    if order.endswith(" WVE"):
        return "waive"
    unit, _, verb = order.rpartition(" ")
    if verb in _FIRST:
        order = f"{_FIRST[verb]} {unit}"
    order = _UNIT.sub(lambda match: _KINDS[match[1]], order)
    words = [_WORDS.get(word) or _NAMES.get(word, word) for word in order.split()]
    return " ".join(words)
