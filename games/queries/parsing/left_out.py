"""Whom a letter leaves out by its own words: "Not for Germany's eyes", "Only for Italy"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from games.queries.parsing.press_audience import (
    LEAVING_OUT,
    names_first,
    power_or_none,
    whole_names,
)
from games.queries.reports.wording import nearest

_SHORTEST_NAME = 3
"""Letters of a name that a letter cuts short; shorter ones are words like "a"."""
_SHORTEST_MISSPELT = 5
_MOST_READ = 120
"""Letters of a sentence that may say whom the letter leaves out."""
_FIRST, _LAST = 4, 2
"""How many of a letter's lines may say so at its beginning, and at its end."""
_SHORTEST_LINE = 5
"""Words of a line that may go on in the next; a shorter one is a greeting, or a heading."""
_BETWEEN_NAMES = frozenset(
    (
        *("and", "or", "nor", "to", "of", "the", "our", "my", "dear", "an", "und", "oder", "für"),
        *("den", "die", "la", "le", "les", "à", "et", "ou", "pour", "a", "y", "o", "el", "para"),
        *("al", "e", "ed", "il", "i", "per", "de", "het", "en", "aan", "oraz", "dla", "för", "och"),
        *("и", "или", "для", "ve", "veya"),
    )
)
_PEOPLE = MappingProxyType(
    {
        **dict.fromkeys(("austrian", "austrians", "archduke"), "Austria"),
        **dict.fromkeys(("english", "british", "brits", "englishman"), "England"),
        **dict.fromkeys(("french", "frenchman"), "France"),
        **dict.fromkeys(("german", "germans", "kaiser"), "Germany"),
        **dict.fromkeys(("italian", "italians"), "Italy"),
        **dict.fromkeys(("russian", "russians", "tsar", "czar"), "Russia"),
        **dict.fromkeys(("turk", "turks", "turkish", "sultan"), "Turkey"),
    }
)
_ALL = (
    r"(?:all|everybody|everyone|alle[nr]?|tous|toutes|todos|todas|tutti|tutte|iedereen|wszyscy"
    r"|wszystkich|wszystkim|alla|все|всем|всех|herkes|herkese)"
)
_ENDS = r"\s*(?:[,:;.!?)\]*–—-]|$)"
_THIS_IS = (
    r"(?:(?:this|it)(?:\s+(?:letter|message|e-?mail|mail|press|one|note))?\s+(?:is|was)\s"
    r"|but\s|p\.?\s?p?\.?\s?s\b\.?\W)\s*"
)
_GOES_ON = (
    r"['’]s?\s+(?!eyes|ears)|\s+(?:alone|only)\b|(?:\s+\w+)?\s+(?:would|will|could|can|should|might|must|do|does|did|am|have"
    r"|had)\s+(?:I|we|you|they|he|she|it|any|my|our)\b"
)
"""After "Not for Germany" the rest of a sentence: "would I give up Burgundy"."""
_NOT = (
    r"(?:(?:not|(?:this|it)\s+isn['’]t)\s+(?:meant\s+|intended\s+)?(?:to|for)"
    r"|nicht\s+für|pas\s+pour|no\s+para|non\s+per)\s"
)
_LEFT_OUT = (
    r"(?:\s+is|\s+are)?\s+(?:excluded|excepted|left\s+out|excluding|ausgenommen|excepté|exclue?"
    r"|esclus[oa]|excluid[oa]|uitgezonderd|hariç)\b"
)
_SAYS_SO = tuple(
    (re.compile(begins, re.IGNORECASE), re.compile(after, re.IGNORECASE))
    for begins, after in (
        (
            rf"\W*(?:{_THIS_IS})*(?:\w+\W+){{0,2}}{_ALL}(?:\s+(?:powers|players|of\s+you))?"
            rf"[\s,(–—-]+(?:{LEAVING_OUT}|no)\s",
            rf"(?:\s+friends?)?(?:,?\s+(?:of\s+course|obviously|please))?{_ENDS}",
        ),
        (rf"\W*(?:\w+\W+){{0,2}}{_ALL}[\s,(–—-]+", _LEFT_OUT),
        (r"\W*", rf"{_LEFT_OUT}(?:{_ENDS}|\s+{_ALL}\b)"),
        (rf"\W*(?:{_THIS_IS})*{_NOT}", rf"(?!{_GOES_ON})"),
        (rf"\W*(?:{LEAVING_OUT}\s|not\s*:)", r"\W*$|:"),
        (
            r"\W*(?:please\s+)?(?:do\s+not|don['’]t)\s+"
            r"(?:tell|(?:show|forward|pass|give|send|mention)\s+(?:this|it)(?:\s+on)?\s+to)\s",
            _ENDS,
        ),
    )
)
"""How a sentence begins that says whom a letter leaves out, and what follows the names."""
_ONLY_FOR = tuple(
    (re.compile(begins, re.IGNORECASE), re.compile(after, re.IGNORECASE))
    for begins, after in (
        (
            rf"\W*(?:{_THIS_IS})?(?:only|nur|seulement)\s+(?:meant\s+)?(?:for|to|für|pour)\s",
            r"(?:['’]s?)?(?:\s+eyes)?\s*(?:[:!.)\]]|$)",
        ),
        (
            rf"\W*(?:{_THIS_IS})?for\s",
            rf"(?:['’]s?)?(?:(?:\s+eyes)?\s+only{_ENDS}|\s+eyes\s+alone{_ENDS}|\s+alone\s*(?::|$))",
        ),
        (r"\W*", r"\s+only\s*(?::|\W*$)"),
    )
)
"""The same of one that says whom alone it is for."""


def left_out_of(
    text: str, powers: Sequence[str], names: Mapping[str, str] = MappingProxyType({})
) -> tuple[str, list[str]]:
    """Return those of these powers that a letter says it is not for, at its beginning or its end,
    and the words in which it says so.

    `names` are the names of players, with their powers.
    """
    people = {name.lower(): power for name, power in (*_PEOPLE.items(), *names.items())}
    known = {name: power for name, power in people.items() if power in powers}

    def meant(word: str) -> str:
        if power := known.get(word.lower()):
            return power
        if len(word) < _SHORTEST_NAME:
            return ""
        near = nearest(word, powers) if len(word) >= _SHORTEST_MISSPELT else ""
        return power_or_none(word, powers) or near or ""

    for said in _sentences(text):
        plain = re.sub(r"\bl['’]", "", said)
        for name in (one for one in names if " " in one):
            plain = plain.replace(name, names[name])
        sentence = whole_names(plain, powers)
        for forms, is_only in ((_SAYS_SO, False), (_ONLY_FOR, True)):
            for begins, after in forms:
                match = begins.match(sentence)
                rest = sentence[match.end() :] if match else ""
                named, rest = names_first(rest, meant, _BETWEEN_NAMES)
                if named and after.match(rest):
                    return said, [one for one in powers if (one in named) != is_only]
    return "", []


def _sentences(text: str) -> Iterator[str]:
    """What may say so: the sentences that begin in the letter's first lines or its last ones."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for at, line in enumerate(lines):
        if _FIRST <= at < len(lines) - _LAST:
            continue
        goes_on = at and len(lines[at - 1].split()) >= _SHORTEST_LINE
        parts = re.split(r"(?<=[.!?])\s+", line[: 2 * _MOST_READ])
        if goes_on and lines[at - 1][-1].isalnum():
            del parts[0]
        yield from (part[:_MOST_READ] for part in parts)
        if parts and at + 1 < len(lines):
            yield f"{parts[-1]} {lines[at + 1]}"[:_MOST_READ]
