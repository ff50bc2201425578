"""Orders in the languages of players: their names and words put into English, line by line.

The folder of a map may hold a folder `languages` with one file for each language (`german.txt`
explains the format). A map without one is read with the files of the standard map, with which it
shares the words of orders and many names. English is read first, and alone where it is clear. If a
line is not clear in English, each language of which it has a name, a kind of unit or a verb puts
it into English word by word. The result counts only if it is clear, and the same for every
language that makes it clear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from judge.errors import JudgeError
from judge.text.folding import fold
from judge.text.names import key_of

LONGEST_LINE = 160
"""How many letters a line may have to be translated."""

_WORD = re.compile(
    r"(?:(?<![^\W_])l['’](?=[aeiouyhàâéèêëîïôöûœæ]))?([^\W_]+(?:['’][^\W_]+)*)", re.IGNORECASE
)
"""A word, without the article that French and Italian put before it: "l'Atlantique"."""
_APART = re.compile(r"[ \t\u00a0]{1,3}|\.[ \t]?|-|:")
"""What may stand between the words of a name; a colon in "S:t Petersburg"."""
_CAPITAL = re.compile(r"(?<!\w)[A-Z](?=\s*(?:,|$))")
_WITHOUT_DOTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa"})
_NOTE = re.compile(r"\([^()]*\)|\s--\s.*|#.*|//.*")
_MEANINGLESS = frozenset(("the", "and", "from", "to", "-", "nc", "sc", "ec"))
"""English words whose translations do not tell which language a line is in."""
_ANY_MOVE = "-"
"""Replaces a preposition that is also a unit's letter: "A Parigi a Borgogna"."""


class LanguageError(JudgeError):
    """A file of a language contradicts itself; the message says where."""


@dataclass(frozen=True, slots=True)
class Language:
    """The names and words of one language: the folded words of each, and its English."""

    title: str
    names: Mapping[tuple[str, ...], str]
    words: Mapping[tuple[str, ...], str]
    prepositions: frozenset[str]
    """Words that mean "to" and are also a unit's letter."""
    capitals: frozenset[tuple[str, ...]]
    """Words of one letter that count only as capitals: in German U supports, and u is “and”."""
    signs: frozenset[str]
    """Words of its names, kinds of units and verbs, which may show that a line is in it."""
    longest: int
    """How many words its longest phrase has."""

    @classmethod
    def parse(cls, title: str, text: str) -> Language:
        """Read the text of a language's file. Raises LanguageError with the faulty line."""
        sections: dict[str, dict[tuple[str, ...], str]] = {"[names]": {}, "[words]": {}}
        prepositions: set[str] = set()
        capitals: set[tuple[str, ...]] = set()
        section: dict[tuple[str, ...], str] | None = None
        for line in text.splitlines():
            if line in sections:
                section = sections[line]
            elif line.strip() and not line.startswith("#"):
                english, sign, listed = line.partition("|")
                if section is None or not sign:
                    raise LanguageError(f"A line without a section or a sign in {title}: {line}")
                phrases = [one for text in listed.split(",") for one in ways_to_write(text)]
                if english.strip() == _ANY_MOVE:
                    prepositions |= {one[0] for one in phrases}
                    continue
                capitals |= {(fold(one),) for one in _CAPITAL.findall(listed)}
                for phrase in phrases:
                    if section.setdefault(phrase, english.strip()) != english.strip():
                        raise LanguageError(f"{' '.join(phrase)!r} means two things in {title}.")
        names, words = sections["[names]"], sections["[words]"]
        return cls._of(title, names, words, frozenset(prepositions), frozenset(capitals))

    @classmethod
    def _of(
        cls,
        title: str,
        names: Mapping[tuple[str, ...], str],
        words: Mapping[tuple[str, ...], str],
        prepositions: frozenset[str],
        capitals: frozenset[tuple[str, ...]],
    ) -> Language:
        telling = [one for one, english in words.items() if english not in _MEANINGLESS]
        signs = frozenset(word for phrase in [*names, *telling] for word in phrase)
        longest = max(map(len, [*names, *words]), default=0)
        return cls(title, names, words, prepositions, capitals, signs, longest)

    def on_another_map(self, listed: Collection[str]) -> Language:
        """Return the language for a map on which places are called so in English: without the
        names of places it does not have, and what means a place there: "Monaco" is Munich in
        Italian."""
        begun = {name[:end] for name in listed for end in range(1, len(name) + 1)}
        names = {
            one: english
            for one, english in self.names.items()
            if " ".join(one) not in listed and key_of(english) in begun
        }
        words = {one: english for one, english in self.words.items() if " ".join(one) not in listed}
        return self._of(self.title, names, words, self.prepositions, self.capitals)

    def in_english(self, line: str, is_english: Callable[[str], bool]) -> Iterator[str]:
        """Yield the line in English; twice if a word may be "to" or a unit's letter.

        Nothing if a word outside brackets is neither in this language nor in English, or may mean
        something else.
        """
        tokens = [(fold(match[1]), *match.span()) for match in _WORD.finditer(line)]
        notes = [match.span() for match in _NOTE.finditer(line)]
        at, phrases = 0, list[tuple[int, int, str]]()
        while at < len(tokens):
            word, first, _ = tokens[at]
            end, english = self._longest_at(line, tokens, at)
            if end > at:
                phrases.append((first, tokens[end - 1][2], english))
            elif not (is_english(word) or any(begin < first < close for begin, close in notes)):
                return
            at = max(end, at + 1)
        if line.isupper() and self._may_join(tokens, phrases):
            return
        yield _put_in(line, phrases)
        moves = [
            (first, last, "-")
            for word, first, last in tokens[1:]
            if word in self.prepositions and line[first:last].islower()
        ]
        if moves:
            yield _put_in(line, sorted([*phrases, *moves]))

    def _may_join(
        self, tokens: Sequence[tuple[str, int, int]], phrases: Sequence[tuple[int, int, str]]
    ) -> bool:
        """Tell whether a letter of a line in capitals may be “and”: "A MÜN U A BER HALTEN"."""
        has_letter = any((word,) in self.capitals for word, _, _ in tokens)
        return has_letter and any(english == "holds" for _, _, english in phrases)

    def _longest_at(
        self, line: str, tokens: list[tuple[str, int, int]], at: int
    ) -> tuple[int, str]:
        """Return where the longest phrase that begins at a token ends, and its English."""
        found, phrase = (at, ""), list[str]()
        for end in range(at, min(at + self.longest, len(tokens))):
            if end > at and not _APART.fullmatch(line, tokens[end - 1][2], tokens[end][1]):
                break
            phrase.append(tokens[end][0])
            key = tuple(phrase)
            english = self.names.get(key) or self.words.get(key)
            if english and (key not in self.capitals or line[tokens[at][1]].isupper()):
                found = end + 1, english
        return found


def folded_words(line: str) -> frozenset[str]:
    """Return the words of a line in the form in which the languages keep theirs."""
    return frozenset(fold(match[1]) for match in _WORD.finditer(line[:LONGEST_LINE]))


@cache
def load_languages(folder: Path) -> tuple[Language, ...]:
    """Return the languages of the map in the folder; none where it has no files."""
    path = folder / "languages"
    if not path.is_dir():
        return ()
    found = sorted(path.iterdir(), key=lambda one: one.name)
    return tuple(
        Language.parse(one.name.removesuffix(".txt"), one.read_text(encoding="utf-8"))
        for one in found
        if one.name.endswith(".txt")
    )


def ways_to_write(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the folded words of a name or word, and once more with "ue" for "ü" and the like."""
    for written in dict.fromkeys((text, text.casefold().translate(_WITHOUT_DOTS))):
        yield tuple(fold(match[1]) for match in _WORD.finditer(written))


def _put_in(line: str, phrases: Sequence[tuple[int, int, str]]) -> str:
    """Return the line with the English of each phrase in its place."""
    parts, done = list[str](), 0
    for first, last, english in phrases:
        if first >= done:
            parts += [line[done:first], english]
            done = last
    return "".join([*parts, line[done:]])
