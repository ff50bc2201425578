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
"""Letters of a name that a letter cuts short; shorter ones are words like "a", unless they are
capitals: "all but G"."""
_WORDS = frozenset({"A", "I"})
"""Capitals that are words, too, though they begin the names of powers."""
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
    r"(?:(?:all|everybody|everyone|anybody|anyone)(?:\s+(?:the\s+)?(?:else|others?|rest))?"
    r"|alle[nr]?|tous|toutes|todos|todas|tutti|tutte|iedereen|wszyscy"
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
_EXCEPT = rf"(?:{LEAVING_OUT}|w/o|exept|execpt|excpet|ecxept)"
_OF_COURSE = r"(?:of\s+course|obviously|maybe|perhaps|please)"
_DO_NOT = r"\W*(?:\w+\W+){0,2}?(?:do\s+not|don['’]?t|never|nobody|no\s+one)\s+(?:anyone\s+)?"
_THIS = r"(?:(?:any\s+of\s+)?(?:this|it|that|these)(?:\s+(?:letter|message|e-?mail|mail|plan))?)"
_LEFT_OUT = (
    r"(?:\s+is|\s+are)?\s+(?:excluded|excepted|not\s+included|left\s+out|excluding|ausgenommen|excepté|exclue?"
    r"|esclus[oa]|excluid[oa]|uitgezonderd|hariç)\b"
)
_SAYS_SO = tuple(
    (re.compile(begins, re.IGNORECASE), re.compile(after, re.IGNORECASE))
    for begins, after in (
        (
            rf"\W*(?:{_THIS_IS}){{0,3}}(?:\w+\W+){{0,2}}{_ALL}(?:\s+(?:powers|players|of\s+you))?"
            rf"[\s,(\[.…–—-]+(?:{_EXCEPT}|no)[\s:,]+(?:{_OF_COURSE}\s+)?",
            rf"(?:\s+friends?)?(?:\s+and\s+(?:me|myself|us))?(?:,?\s+{_OF_COURSE})?"
            rf"(?:\s*\(|{_ENDS})",
        ),
        (rf"\W*(?:\w+\W+){{0,2}}{_ALL}[\s,(–—-]+", _LEFT_OUT),
        (r"\W*", rf"{_LEFT_OUT}(?:{_ENDS}|\s+{_ALL}\b)"),
        (rf"\W*(?:{_THIS_IS}){{0,3}}{_NOT}", rf"(?!{_GOES_ON})"),
        (rf"\W*(?:{_EXCEPT}\s|not\s*:)", rf"(?:,?\s+{_OF_COURSE})?(?:\W*$|:)"),
        (
            rf"{_DO_NOT}(?:(?:show|forward|pass|give|send|mention|share)(?:\s+{_THIS})?"
            r"(?:\s+on)?\s+(?:to|with)|say\s+(?:a\s+word|anything)\s+to)\s",
            _ENDS,
        ),
        (
            rf"{_DO_NOT}(?:tell|inform|warn)\s",
            rf"{_ENDS}|\s+(?:of|about|any\w*|a\s+(?:word|thing)|this|that|it|I|we)\b",
        ),
        (
            rf"{_DO_NOT}let\s",
            rf"\s+(?:know|hear|find\s+out|in\s+on|(?:see|read)\s+{_THIS}{_ENDS})",
        ),
        (r"\W*(?:p\.?\s?s\b\.?\W*)?not\s+a\s+word(?:\s+(?:of|about)\s+this)?\s+to\s", _ENDS),
        (
            rf"\W*(?:\w+\W+){{0,2}}?(?:(?:keep|hide)\s+{_THIS}(?:\s+(?:a\s+)?\w+)?|secret)"
            r"\s+from\s",
            _ENDS,
        ),
        (r"\W*(?:please\s+)?(?:leave\s+out|exclude|omit)\s", rf"{_ENDS}|\s+from\s+{_THIS}{_ENDS}"),
        (r"\W*(?:please\s+)?(?:keep|leave)\s", r"\s+in\s+the\s+dark\b"),
        (rf"[^(\[]{{1,80}}[(\[]\s*(?:this\s+is\s+)?(?:{_EXCEPT}|no)\s", r"\W*[)\]]"),
        (r"[^(\[]{1,80}[(\[]\s*", rf"{_LEFT_OUT}\W*[)\]]"),
        (r"\W*(?:please\s+)?leave\s", rf"\s+out(?:\s+of\s+{_THIS})?{_ENDS}"),
        (
            r"\W*(?:(?:but|and|p\.?\s?s)\b\W*)?",
            r"\s+(?:(?:must|should|may|shall|can|need|do|does|will|is|are)"
            r"\s*(?:not|n['’]t)|won['’]t)\s+(?:(?:allowed|supposed|meant|to|be)\s+)*"
            rf"(?:(?:read|see|receive|(?:hear|learn|know)\s+(?:of|about))\s+{_THIS}{_ENDS}"
            rf"|(?:know|find\s+out){_ENDS})",
        ),
        (r"\W*sagt?\s", r"\s+(?:bitte\s+)?(?:nichts|kein\s+wort)\b"),
        (r"\W*ne\s+(?:le\s+)?(?:dites|dis)\s+(?:rien|pas)\s+à\s", _ENDS),
        (r"\W*no\s+(?:se\s+)?(?:lo\s+)?dig\w+\s+(?:nada\s+)?a\s", _ENDS),
        (r"\W*non\s+(?:dir|dit)\w*\s+(?:(?:niente|nulla)\s+)?all?a?\s", _ENDS),
    )
)
"""How a sentence begins that says whom a letter leaves out, and what follows the names."""
_ONLY_FOR = tuple(
    (re.compile(begins, re.IGNORECASE), re.compile(after, re.IGNORECASE))
    for begins, after in (
        (
            rf"\W*(?:{_THIS_IS})?(?:only|just|private|nur|seulement)\s+(?:meant\s+)?"
            r"(?:for|to|für|pour)\s",
            r"(?:['’]s?)?(?:\s+eyes)?\s*(?:[:!.)\]]|$)",
        ),
        (
            rf"\W*(?:{_THIS_IS})?(?:(?:please\s+)?keep\s+{_THIS}\s+)?"
            r"(?:(?:strictly|just|only|private)\W+)*between\s",
            r",?\s+(?:and|&)\s+(?:me|us|myself)\s*(?::|[.!)]*$)",
        ),
        (r"\W*(?:eyes\s+)?only\b:?\s", r"\s*(?::|$)"),
        (
            r"\W*(?:nobody|no\s+one)\s+(?:(?:else\s+)?(?:but|except|besides)|other\s+than)\s",
            r"\s+(?:may|should|must|can|is\s+to|will)\s+(?:read|see|get|know)\b",
        ),
        (
            rf"\W*(?:{_THIS_IS})?for\s",
            rf"(?:['’]s?)?(?:(?:\s+eyes)?\s+only{_ENDS}|\s+eyes\s+alone{_ENDS}|\s+alone\s*(?::|$))",
        ),
        (
            r"\W*(?:(?:private|confidential|secret)\W+)?",
            r"(?:['’]s?\s+eyes)?\s+only\s*(?::|\W*$)",
        ),
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
        if len(word) < _SHORTEST_NAME and not (word.isupper() and word not in _WORDS):
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
