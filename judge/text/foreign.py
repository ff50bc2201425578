"""Lines in the languages of players, or with a name that English mistakes for another.

English is read first; `judge.text.languages` translates what it does not make clear.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace

from judge.text.brackets import COAST_WORDS
from judge.text.languages import LONGEST_LINE, Language, folded_words
from judge.text.names import Gazetteer, key_of
from judge.text.pieces import Meaning, ReadPiece, are_clear, meaning_of, places_of
from judge.text.vocabulary import ENGLISH
from judge.text.words import is_quoted
from judge.text.written import AmbiguousName, UnknownProvince, UnreadableOrder
from judge.variant import Variant
from judge.wording import either

InEnglish = Callable[[str], tuple[ReadPiece, ...]]
"""Reads a line that is in English."""


class ForeignReader:
    """Reads those lines of one variant that are not, or not only, in English."""

    def __init__(
        self,
        variant: Variant,
        gazetteer: Gazetteer,
        nations: Container[str],
        in_english: InEnglish,
    ) -> None:
        self._gazetteer, self._nations, self._in_english = gazetteer, nations, in_english
        self._languages = variant.languages
        self._name_words = frozenset(_words_of_names(variant)) | COAST_WORDS
        self._unsafe = frozenset(self._unsafe_words())
        self._signs = {one.title: self._signs_of(one) for one in self._languages}

    def pieces(self, line: str, english: tuple[ReadPiece, ...]) -> tuple[ReadPiece, ...]:
        """Return the orders of a line that English does not make clear, or not alone.

        In another language a line counts only if it is clear there, and means the same in every
        language that makes it clear.
        """
        clear = are_clear(english)
        if not english or len(line) > LONGEST_LINE or is_quoted(line):
            return english
        if clear and not self.unclear_words(line):
            return english
        words = folded_words(line)
        meanings = {meaning_of(english): english} if clear else {}
        for language in self._languages:
            if self._signs[language.title].isdisjoint(words):
                continue
            for translated in language.in_english(line, self._is_english):
                pieces = self._in_english(translated)
                if are_clear(pieces):
                    meanings.setdefault(meaning_of(pieces), pieces)
        if not meanings:
            return self._with_unknown_name(line, english) or english
        if len(meanings) > 1:
            return (ReadPiece(line.strip(), self._question(line, [*meanings])),)
        (pieces,) = meanings.values()
        return tuple(replace(piece, text=line.strip()) for piece in pieces)

    def _with_unknown_name(
        self, line: str, english: tuple[ReadPiece, ...]
    ) -> tuple[ReadPiece, ...]:
        """Return the refusal of a line that is in another language but for one name that nobody
        knows; nothing for other lines.

        In English all its words would be unknown.
        """
        if any(type(piece.written) is not UnreadableOrder for piece in english):
            return ()
        for language in self._languages:
            if self._signs[language.title].isdisjoint(folded_words(line)):
                continue
            for translated in language.in_english(line, lambda _: True):
                pieces = self._in_english(translated)
                if len(pieces) == 1 and isinstance(pieces[0].written, UnknownProvince):
                    return (replace(pieces[0], text=line.strip()),)
        return ()

    def _question(self, line: str, meanings: Sequence[Meaning]) -> AmbiguousName:
        """Return the question for a player whose line means different things in two languages."""
        for places in zip(*(places_of(one) for one in meanings), strict=False):
            meant = tuple(dict.fromkeys(places))
            if len(meant) > 1:
                names = tuple(self._gazetteer.provinces[index].name for index in meant)
                shorts = tuple(self._gazetteer.abbreviation(index) for index in meant)
                sentence = f"A name here could be {either(names)}; write {either(shorts)}."
                return AmbiguousName(sentence, line, names)
        return AmbiguousName("This can be read in two ways; please write it in English.", line)

    def unclear_words(self, line: str) -> frozenset[str]:
        """Return the words of a line that English may mistake for something else."""
        return self._unsafe.intersection(folded_words(line))

    def _is_english(self, word: str) -> bool:
        """Tell whether an order in English may contain the word."""
        known = word in ENGLISH or word in self._name_words or word in self._nations
        return known or word.isdecimal() or self._gazetteer.find(word) is not None

    def _signs_of(self, language: Language) -> frozenset[str]:
        """Return the words that show a line is in a language: none of them English."""
        return frozenset(
            word
            for word in language.signs - ENGLISH
            if word in self._unsafe or self._gazetteer.find(word) is None
        )

    def _unsafe_words(self) -> Iterator[str]:
        """Yield the last words of phrases that English mistakes for something else: "Norwegia" is
        Norway in Polish, and the Norwegian Sea cut short in English."""
        for language in self._languages:
            for phrase, english in {**language.words, **language.names}.items():
                found = self._gazetteer.find(" ".join(phrase))
                meant = self._gazetteer.find(key_of(english))
                if found and (meant is None or found.provinces != meant.provinces):
                    yield phrase[-1]


def _words_of_names(variant: Variant) -> Iterator[str]:
    for province in variant.board.provinces:
        for name in (province.name, *variant.names.spellings.get(province.name, ())):
            yield from key_of(name).split()
