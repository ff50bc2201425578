"""Finding places in a run of words, misspelt ones too."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from judge.text.brackets import SIDES
from judge.text.folding import fold
from judge.text.names import Gazetteer, Names
from judge.text.spelling import near_names, near_phrases
from judge.text.vocabulary import (
    ARTICLES,
    BY_CONVOY,
    CONDITIONS,
    COURTESIES,
    EVERYBODY,
    EXPECTING,
    FIRST_VERBS,
    LETTERS,
    LINKS,
    VERBS,
    Action,
)
from judge.text.words import Wording
from judge.text.written import Place, UnknownProvince, UnnamedUnit, UnreadableOrder, two_meanings

_ORDER_WORDS = (
    VERBS.keys()
    | LETTERS.keys()
    | BY_CONVOY
    | LINKS
    | COURTESIES
    | ARTICLES
    | CONDITIONS
    | EVERYBODY
)
_BEFORE_ORDERS = COURTESIES | ARTICLES
_BEFORE_NAMES = EXPECTING | FIRST_VERBS.keys() | {"", ":"}
_AFTER_NAMES = VERBS.keys() | BY_CONVOY | LINKS | {""}

_ONE_UNIT = ("army", "fleet")
_LONGEST_PASSAGE = 5
"""How many words the name of a railway or canal may have."""
_LONGEST_LETTERS = 3
"""How many letters may stand for A or F."""

SURE_AFTER_A_HYPHEN = 5
"""From this length on, a word after a hyphen may be part of a misspelt name; a shorter one may be
a destination of its own."""


class PlaceScan:
    """Stands at `at` in a run of words, and takes places from it."""

    def __init__(self, gazetteer: Gazetteer, wording: Wording) -> None:
        self.gazetteer = gazetteer
        self.wording = wording
        words = own_names(gazetteer, wording) if gazetteer.lookalikes else wording.words
        self.words = (*words, "", "", "")
        self.end = len(wording.words)
        self.at = 0

    def place(self) -> Place:
        """Take a name and its coast. Raises UnreadableOrder, UnknownProvince or AmbiguousName."""
        self.skip(ARTICLES)
        coast = self.coast()
        if coast:
            self.skip(ARTICLES)
        first = self.at
        found = self.longest_name(first)
        if found is None and not (self.is_plain(first) or self.stands_for_name(first)):
            raise self.missing_name()
        misspelt = self.misspelt(first) if found is None or self.is_unsure(first, found) else None
        if misspelt is not None:
            return self.with_coast(misspelt, coast)
        if found is None:
            raise self.unknown_name(first)
        names, self.at = found
        text = self.wording.written(first, self.at)
        if names.how == "unclear":
            raise two_meanings(self.gazetteer, text, names.provinces)
        return self.with_coast(Place(text, names.provinces, names.coast), coast)

    def stands_for_name(self, at: int) -> bool:
        """Tell whether three letters that mean a support or convoy stand where only a name can: in
        "F SPT - BOT"."""
        word, told = self.words[at : at + 2]
        if len(word) != _LONGEST_LETTERS or VERBS.get(word) not in ("support", "convoy"):
            return False
        is_told = not told or VERBS.get(told) or (told == "-" and self.starts_name(at + 2))
        return bool(is_told) and (at == 0 or self.words[at - 1] in LETTERS)

    def with_coast(self, place: Place, before: str | None = None) -> Place:
        """Return the place with a coast named before it or after it: "(nc)" or "-nc"."""
        coasts = any(self.gazetteer.provinces[index].coasts for index in place.provinces)
        if coasts and self.words[self.at] in ("-", ":") and self.words[self.at + 1][:1] == "/":
            self.at += 1
        coast = self.coast() or before
        if coasts and not coast and self.at_side():
            coast = SIDES[self.words[self.at]][1:]
            self.at += 1
        return replace(place, coast=coast) if coast else place

    def at_side(self) -> bool:
        """Tell whether "north" stands here and begins no name, as in "Stp north"."""
        if self.words[self.at] not in SIDES:
            return False
        found = self.longest_name(self.at)
        return found is None or found[1] == self.at + 1

    def coast(self) -> str | None:
        """Take a coast, if there is one: "/nc", or "on the /nc"."""
        at = self.at
        if self.words[at] == "on":
            at += 1 + (self.words[at + 1] == "the")
        word = self.words[at]
        if word[:1] != "/" or len(word) == 1:
            return None
        self.at = at + 1
        return word[1:]

    def longest_name(self, first: int) -> tuple[Names, int] | None:
        """Return the longest name that begins here, and where it ends.

        A hyphen may join the words of a listed name ("Mid-Atlantic"); otherwise it means a move.
        """
        found, key, at, joined = None, "", first, False
        for _ in range(self.gazetteer.longest):
            if not self.is_word(at):
                break
            key = f"{key} {self.words[at]}" if key else self.words[at]
            at += 1
            names = self.gazetteer.find(key)
            if names is not None and not (joined and names.how == "beginning"):
                found = names, at
            if self.words[at] == "-":
                at, joined = at + 1, True
        return found

    def is_unsure(self, first: int, found: tuple[Names, int]) -> bool:
        """Tell whether the name may begin a misspelt longer one ("North See")."""
        names, end = found
        if len(names.provinces) == 1 and self.words[first] not in self.gazetteer.first_words:
            return False
        end += self.words[end] == "-"
        return self.is_plain(end) and not self.starts_name(end)

    def misspelt(self, first: int) -> Place | None:
        """Take the longest run of words that looks like a name, or nothing."""
        if phrase := self.misspelt_phrase(first):
            return phrase
        for last in range(self.end_of_words(first), first, -1):
            near = near_names(self.gazetteer, "".join(self.words[first:last]))
            if near and (last > first + 1 or self.longest_name(first) is None):
                self.at = last
                return Place(self.wording.written(first, last), near, guessed=True)
        return None

    def misspelt_phrase(self, first: int) -> Place | None:
        """Take a name of several words, some of them misspelt ("Englsh Channel", "Mid-Atlantik").

        After a hyphen short words are left alone: "Black-See" may be a move to Sevastopol.
        """
        phrase, words, at = None, list[str](), first
        while len(words) < self.gazetteer.longest and self.is_word(at):
            words.append(self.words[at])
            at += 1
            if near := near_phrases(self.gazetteer, tuple(words)):
                phrase = Place(self.wording.written(first, at), near, guessed=True)
                self.at = at
            at += self.words[at] == "-" and len(self.words[at + 1]) >= SURE_AFTER_A_HYPHEN
        return phrase

    def end_of_words(self, first: int) -> int:
        """Return where a run of words ends that may be one misspelt name."""
        end = first + 1
        while end < first + self.gazetteer.longest and (
            self.is_plain(end) or self.words[end] == "of"
        ):
            if self.starts_name(end):
                break
            end += 1
        return end

    def missing_name(self) -> UnreadableOrder:
        """Return the complaint that no name stands here."""
        at, before = self.at, self.wording.written(max(self.at - 1, 0), min(self.at, self.end))
        if at < self.end and _BEFORE_ORDERS.issuperset(self.words[:at]):
            return self.no_beginning(self.wording.written(0, at + 1))
        if before and self.words[at] in LETTERS and self.starts_name(at + 1):
            unit, name = (self.wording.written(first, at + 2) for first in (at, at + 1))
            sentence = f"“{unit}” is a unit; after “{before}” write only the province, “{name}”."
            return UnreadableOrder(sentence, unit)
        if before and self.at == self.end - 1 and self.words[self.at] in CONDITIONS:
            return self.unknown_name(self.at)
        if at < self.end and self.words[at - 1] in _ONE_UNIT:
            kind = LETTERS[self.words[at - 1]]
            return UnnamedUnit(before, kind, str(self.gazetteer.example.unit))
        where = f"after “{before}”" if before else f"in “{self.wording.text[:80]}”"
        like = str(self.gazetteer.example)
        sentence = f"A province is missing {where}; write it like {like}."
        return UnreadableOrder(sentence, before, example=like)

    def unknown_name(self, first: int) -> UnreadableOrder:
        """Return the complaint that the words here are no name."""
        end = self.end_of_words(first)
        piece = self.wording.written(first, end)
        if first == 0 and len(piece) <= _LONGEST_LETTERS and self.starts_name(end):
            return self.no_unit(piece)
        if first == 0:
            return self.no_beginning(piece)
        sentence = f"There is no province “{piece}”; write its full name or its abbreviation."
        return UnknownProvince(sentence, piece)

    def no_unit(self, piece: str) -> UnreadableOrder:
        """Return the complaint about letters that stand where A or F does."""
        like = f"“{self.gazetteer.example.unit} Holds”"
        sentence = f"“{piece}” is no unit: write A for an army, F for a fleet, like {like}."
        return UnreadableOrder(sentence, piece, example=like)

    def no_beginning(self, piece: str) -> UnreadableOrder:
        """Return the complaint about words that begin no order."""
        like = f"“{self.gazetteer.example.unit} Holds”"
        sentence = f"“{piece}” is not the beginning of an order; write it like {like}."
        return UnreadableOrder(sentence, piece, example=like)

    def is_word(self, at: int) -> bool:
        """Tell whether there is a word, and no sign."""
        return self.words[at][:1].isalnum()

    def is_plain(self, at: int) -> bool:
        """Tell whether there is a word other than those that orders are made of."""
        return self.is_word(at) and self.words[at] not in _ORDER_WORDS

    def action_at(self, at: int) -> Action | None:
        """Return what the order word there asks for; nothing if the map has a place of that name
        ("Marches", "New Guinea")."""
        verb = VERBS.get(self.words[at])
        if verb and self.is_word(at):
            found = self.longest_name(at)
            if found and found[0].how == "listed":
                return None
        return verb

    def starts_name(self, at: int) -> bool:
        """Tell whether a name begins there."""
        return self.longest_name(at) is not None

    def starts_place(self) -> bool:
        """Tell whether a place follows, perhaps misspelt or with its coast in front."""
        at = self.at + (len(self.words[self.at]) > 1 and self.words[self.at][0] == "/")
        if self.starts_name(at):
            return True
        return self.is_plain(at) and bool(near_names(self.gazetteer, self.words[at]))

    def passage(self, names: Mapping[str, str]) -> str:
        """Take the name of a railway or canal; return the name we print, or "".

        A hyphen may join its words, and "SC" alone looks like a coast.
        """
        if not names:
            return ""
        key, at, found, end = "", self.at, "", self.at
        for _ in range(_LONGEST_PASSAGE):
            word = self.words[at].removeprefix("/")
            if not word or not word[0].isalnum():
                break
            key = f"{key} {word}" if key else word
            at += 1
            if key in names:
                found, end = names[key], at
            if self.words[at] == "-":
                at += 1
        self.at = end
        return found

    def skip(self, words: AbstractSet[str]) -> None:
        """Step over these words."""
        while self.words[self.at] in words:
            self.at += 1


def own_names(gazetteer: Gazetteer, wording: Wording) -> tuple[str, ...]:
    """Return the words, with the full names of places whose short names look like a coast ("Ecs")
    or, where a name is expected and nothing but its end follows, like a small word ("For")."""
    around = ("", *wording.words, "")
    words = list(wording.words)
    for at, word in enumerate(words):
        name = gazetteer.lookalikes.get(fold(wording.written(at, at + 1)))
        before, after = around[at], around[at + 2]
        if name and (
            word[0] == "/"
            or (before in _BEFORE_NAMES and (after in _AFTER_NAMES or after[0] == "/"))
        ):
            words[at] = name
    return tuple(words)
