"""Written lines cut into words: the first step of reading orders, in time linear in the text.

People write on phones and paste from everywhere: dashes of all lengths, arrows, no-break spaces,
bullets, numbers, brackets. Here all of that becomes a plain list of words in which "-" stands for
any sign of movement, "/nc" for any way to write a coast, and notes in brackets are gone.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import pairwise

from judge.text.folding import fold
from judge.text.idioms import IDLE_ENDS, in_one_word
from judge.text.separators import COASTS, LONGEST_LIST, Token, goes_on, is_within, separates
from judge.text.vocabulary import (
    BY_CONVOY,
    CALLING_OFF,
    DOUBTING,
    EXPECTING,
    LETTERS,
    NOTED_LETTERS,
    VERBS,
    corrects,
)

_DASHES = "‐‑‒–—―−﹘﹣－‾˗⁃»►▶▸👉ー"
_ARROWS = (0x2190, 0x21FF), (0x2794, 0x27BF), (0x27F0, 0x27FF), (0x2900, 0x297F), (0x2B00, 0x2BFF)
_UNSEEN = (0xAD, 0xAD), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFEFF, 0xFEFF)


def _points_on(code: int) -> bool:
    name = unicodedata.name(chr(code), "")
    return "ARROW" in name and not any(
        turn in name for turn in ("LEFTWARDS", "CIRCLE", "CLOCKWISE")
    )


def _points_back(code: int) -> bool:
    return "LEFTWARDS" in unicodedata.name(chr(code), "")


_SIGNS: dict[int, str | None] = {
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict.fromkeys(map(ord, "‘’`´"), "'"),
    ord("×"): "x",
    **dict.fromkeys(map(ord, "✗✘❌❎🚫👎"), " cancelled "),
    **{code: "-" for low, high in _ARROWS for code in range(low, high + 1) if _points_on(code)},
    **{code: "<" for low, high in _ARROWS for code in range(low, high + 1) if _points_back(code)},
    **{code: None for low, high in _UNSEEN for code in range(low, high + 1)},
}
_SPELT_NUMBER = (
    "one|two|three|four|five|six|seven|eight|nine|ten"
    "|first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth|fifth"
)
_LEADER = re.compile(
    r"\s*(?:(?:[-*+#·•‣▪▫◦●○■□☐☑✓✔✅★☆◆◇♦]+|(?:(?:step|unit|number)\s+)?\(?\d{1,3}[.):\]]+"
    rf"|(?:(?:step|unit|number)\s+)?(?:{_SPELT_NUMBER})\s*[.:,)]+(?=\s)|number\s+(?:{_SPELT_NUMBER})(?=\s)"
    r"|\d{1,2}(?:st|nd|rd|th)(?=\s+(?:army|fleet)\b)"
    r"|\(?[a-z]\)|\[[ xX]?\]|(?:i{1,3}|i?v|vi{1,3}|i?x)[.)](?=\s))\s*)+",
    re.IGNORECASE,
)
_SMILEY = re.compile(r"(?<!\S)[:;]-?[()DPp](?!\S)")
_SPOKEN = re.compile(  # blanks are gone through once, not from each of them; so are letters below
    r"(?:(?<![\s,.])|(?<=\w,))[\s,.]++(?:(?P<end>full\s+stop|period|comma|semicolon|new\s?line|new\s+paragraph"
    rf"|number\s+(?:{_SPELT_NUMBER})\b,?)"
    r"|(?:dash|hyphen))(?=[\s.,;]|$)",
    re.IGNORECASE,
)
"""Signs that somebody dictated and the phone wrote out: "army Paris to Burgundy full stop"."""
_REQUEST = re.compile(
    r"\s*(?:could|can|will|would)\s+you\s+(?:please|kindly)\s+([^?]{1,200}?)(?:\s+for\s+me)?\s*\?[^?]{0,30}",
    re.IGNORECASE,
)
"""A polite order: "Could you please move A Par to Bur for me? Thanks"."""
_TOKEN = re.compile(
    r"(?P<dotted>\b[nsew](?:\.[ \t]?|/)c\b\.?)"
    r"|(?P<note>//|#)"
    r"|(?P<word>[^\W_]+(?:'[^\W_]+)*)"
    r"|(?P<arrow>(?:(?<![-=~])[-=~]*+)?>+|[-=]+)"
    r"|(?P<sign>[()\[\]{}/:&+<?])"
    r"|(?P<stop>[;,])",
    re.IGNORECASE,
)
_NOTED = re.compile(r"[^\W_]+|\?")
# Word writes "-->" as a letter in a font of signs, which is this letter in any other font; in
# French it is the word for "to".
_WINGDINGS_ARROW = re.compile(r"(?<=\s)à(?=\s)")
_LOOK_LATIN = str.maketrans(
    "АВЕКМНОРСТХаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧαορν", "ABEKMHOPCTXaeopcyxijsABEZHIKMNOPTYXaopv"
)
_MIXED = re.compile(r"(?<![^\W\d_])[^\W\d_]*[\u0370-\u03ff\u0400-\u04ff][^\W\d_]*")
_QUOTATION_MARK = re.compile(r"[\"“”„]")
_UNIT_LETTER = re.compile(r"\s*(?:a|f|army|fleet)\b", re.IGNORECASE)
SIDES = {
    side + end: f"/{side[0]}c" for side in ("north", "south", "east", "west") for end in ("", "ern")
}
"""Words of coasts that may also begin the name of another place: "Stp north"."""
_INITIALS = {letter: f"/{letter}c" for letter in "nsew"}
_SHORE = frozenset(("coast", "cst", "coastal", "c", "shore"))
COAST_WORDS = frozenset((*SIDES, *_SHORE, *COASTS))
"""The words of coasts, in full or in short."""
_COUNTED = {"one": "1", "two": "2", "three": "3", "four": "4"}
_OPENING = {")": "(", "]": "[", "}": "{"}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_SIGNS_WITHOUT_MEANING = frozenset(")]}")


@dataclass(frozen=True, slots=True)
class Wording:
    """A piece of a line that stands by itself: its words, and where each was written."""

    text: str
    words: tuple[str, ...]
    """Folded (see `judge.text.folding`)."""
    spans: tuple[tuple[int, int], ...]
    """Where each word stands in `text`."""
    behind: str = ""
    """The sign that separates it from the piece before: ";", "," or "/"; "" for the first."""

    def written(self, first: int, last: int) -> str:
        """Return the words from `first` up to, not including, `last` as they were written."""
        if first >= last:
            return ""
        start, end = self.spans[first][0], self.spans[last - 1][1]
        said, behind = self.text[start:end], self.text[end : end + 1]
        opened = said.count(_OPENING[behind]) if behind in _OPENING else 0
        return said + behind if opened > said.count(behind) else said


def split_line(line: str, passages: Container[str] = ()) -> Iterator[Wording]:
    """Yield the pieces of a line between ";", "," and "/", leaving out empty ones.

    `passages` are the names of railways and trains on its map: in brackets they are not a note.
    """
    text = _plain(line)
    start = _leader_end(text)
    tokens = list(_unbracketed(text, start, passages))
    piece: list[Token] = []
    behind = ""
    for at, token in enumerate(tokens):
        if not separates(tokens, at):
            piece.append(token)
        elif token[0] == "," and is_within(piece, tokens[at + 1 : at + 1 + LONGEST_LIST]):
            piece.append(("+", *token[1:]))
        elif piece and not goes_on(tokens[at + 1 : at + 3]):
            yield _wording(text, piece, behind)
            piece, behind = [], token[0]
    if piece:
        yield _wording(text, piece, behind)


def _plain(line: str) -> str:
    """Return the line in plain signs: one kind of dash, no invisible characters, no HTML
    entities."""
    if "&" in line:
        line = html.unescape(html.unescape(line))  # "&amp;ndash;": encoded twice
    if asked := _REQUEST.fullmatch(line):
        line = asked[1]
    line = _SPOKEN.sub(_as_sign, _SMILEY.sub(" ", line))
    if line.isascii():
        return line
    plain = unicodedata.normalize("NFKC", line.translate(_SIGNS)).translate(_SIGNS)
    return _MIXED.sub(_in_one_script, _WINGDINGS_ARROW.sub("-", plain))


def _as_sign(match: re.Match[str]) -> str:
    return ";" if match["end"] else " -"


def _in_one_script(match: re.Match[str]) -> str:
    """Return a word in Latin letters if it has a few similar ones from another script."""
    word = match[0]
    if any(letter.isascii() and letter.isalpha() for letter in word) or len(word) == 1:
        return word.translate(_LOOK_LATIN)
    return word


def is_quoted(line: str) -> bool:
    """Tell whether the line is marked as quoted from another mail."""
    return line.lstrip().startswith(">")


def quotes_an_order(line: str) -> bool:
    """Tell whether the line is a sentence about an order: `You wrote "A Par - Bur"`.

    A part of such a sentence is one as well, if a mail program broke it off and left half a pair of
    quotes.
    """
    marks = [match.start() for match in _QUOTATION_MARK.finditer(line)]
    if len(marks) % 2:
        return True
    first_word = re.search(r"\w", line)
    return any(
        first_word and first_word.start() < mark and _UNIT_LETTER.match(line, mark + 1)
        for mark in marks[::2]
    )


def _leader_end(text: str) -> int:
    """Return where bullets and numbering end."""
    match = _LEADER.match(text)
    return match.end() if match else 0


def _wording(text: str, piece: list[Token], behind: str) -> Wording:
    start, end = piece[0][1], piece[-1][2]
    end += text[end : end + 1] in _SIGNS_WITHOUT_MEANING
    words = tuple(word for word, _, _ in piece)
    if "board" in words or words[-1] in IDLE_ENDS:
        piece = in_one_word(piece)
        words = tuple(word for word, _, _ in piece)
    if not _COUNTED.keys().isdisjoint(words):
        words = tuple(
            _COUNTED.get(word, word) if _counts(words, at) else word
            for at, word in enumerate(words)
        )
    if "x" in words:
        words = tuple("-" if _is_arrow(words, at) else word for at, word in enumerate(words))
    spans = tuple((first - start, last - start) for _, first, last in piece)
    return Wording(text[start:end], words, spans, behind)


def _counts(words: tuple[str, ...], at: int) -> bool:
    """Tell whether a word says how many units come: "two fleets", "one army", "two units"."""
    following = words[at + 1 : at + 2]
    if not following:
        return False
    return following[0] == "units" or (len(following[0]) > 1 and following[0] in LETTERS)


def _is_arrow(words: tuple[str, ...], at: int) -> bool:
    """Tell whether a word is the x that some write between two places: "A Bul x Rum"."""
    between = words[at - 1 : at] + words[at + 1 : at + 2]
    return words[at] == "x" and len(between) == 2 and all(len(word) > 1 for word in between)


def _tokens(text: str, start: int) -> Iterator[Token]:
    for match in _TOKEN.finditer(text, start):
        kind, (first, last) = match.lastgroup, match.span()
        if kind == "note":
            if not _are_doubting([fold(word) for word in _NOTED.findall(text, last)]):
                return
            continue
        if kind == "word":
            word = fold(match[0].removesuffix("'s").removesuffix("'S"))
            yield COASTS.get(word, word), first, last
        elif kind == "dotted":
            yield f"/{match[0][0].lower()}c", first, last
        else:
            yield ("-" if kind == "arrow" else match[0]), first, last


def _unbracketed(text: str, start: int, passages: Container[str]) -> Iterator[Token]:
    """Yield the tokens, coasts recognised and notes in brackets left out."""
    tokens = list(_tokens(text, start))
    closers = {sign: _last(tokens, closing) for sign, closing in _CLOSING.items()}
    at, before, told = 0, ";", False
    kind: bool | str = False
    while at < len(tokens):
        word, first, last = tokens[at]
        if word in _CLOSING and at < closers[word]:
            end = next(i for i in range(at, len(tokens)) if tokens[i][0] == _CLOSING[word])
            inside = tokens[at + 1 : end]
            at = end + 1
            coast = _coast(inside, loose=True)
            # "(S)" before a unit is a support, not a south coast: "A Mar (S) A Par - Bur".
            if at < len(tokens) and tokens[at][0] in LETTERS and _is_verb(inside) and not told:
                coast = None
            if coast and coast[1] == len(inside):
                yield coast[0], first, tokens[end][2]
            elif (
                _is_part_of_order(inside, before) or _calls_off(inside) or _text(inside) in passages
            ):
                yield from _with_plain_coasts(inside)
            elif not told and _is_verb(inside):
                yield from inside
                before, told = inside[0][0], True
            elif _is_kind(inside, kind):
                yield from inside  # what says otherwise than before is no note: "A Bre (fleet)"
                kind = LETTERS[inside[0][0]]
            elif _is_letter_of_name(inside, before, kind):
                yield f"({inside[0][0]})", *inside[0][1:]
            continue
        coast = (
            _coast(tokens[at + 1 : at + 3], loose=True)
            if word == "/"
            else _coast(tokens[at : at + 2])
        )
        if coast:
            at += coast[1] + (word == "/")
            word, last = coast[0], tokens[at - 1][2]
        else:
            at += 1
        if word not in _CLOSING and word not in _SIGNS_WITHOUT_MEANING:
            yield word, first, last
        told = word not in (";", ",") and (told or word in VERBS)
        kind = word not in (";", ",") and (kind or word == "-" or LETTERS.get(word, False))
        before = "" if before in BY_CONVOY else word


def _with_plain_coasts(inside: list[Token]) -> Iterator[Token]:
    """Yield the tokens without the slash before a coast: "F (StP/nc)"."""
    for token, following in pairwise([*inside, ("", 0, 0)]):
        if token[0] != "/" or following[0] not in COASTS.values():
            yield token


def _last(tokens: list[Token], sign: str) -> int:
    return max((at for at, token in enumerate(tokens) if token[0] == sign), default=-1)


def _coast(tokens: list[Token], *, loose: bool = False) -> tuple[str, int] | None:
    """Return the coast that begins the tokens, and how many tokens it has: "/nc", "north coast".

    `loose`, in brackets or after a slash, takes "north", "n" and "n c" as well.
    """
    if not tokens:
        return None
    word = tokens[0][0]
    if word[0] == "/" and len(word) > 1:
        return word, 1
    side = SIDES.get(word) or (_INITIALS.get(word) if loose else None)
    if side is None:
        return None
    if len(tokens) > 1 and tokens[1][0] in _SHORE and (loose or tokens[1][0] != "c"):
        return side, 2
    return (side, 1) if loose else None


def _calls_off(inside: list[Token]) -> bool:
    """Tell whether words in brackets call off the order beside them, or make it uncertain:
    "(cancelled)", "(?)", "(if Italy agrees)"; "A Mun (keep)" is not a unit to disband."""
    words = [word for word, _, _ in inside]
    return words == ["keep"] or _are_doubting(words)


def _are_doubting(words: list[str]) -> bool:
    doubts = any(word in DOUBTING or word == "?" or word.startswith(CALLING_OFF) for word in words)
    return doubts or corrects(words)


def _text(inside: list[Token]) -> str:
    return " ".join(word for word, _, _ in inside)


def _is_verb(inside: list[Token]) -> bool:
    """Tell whether there is nothing but what the unit does, as zines print it: "A Mar (S)"."""
    return len(inside) == 1 and VERBS.get(inside[0][0]) in ("hold", "support", "convoy")


def _is_kind(inside: list[Token], kind: bool | str) -> bool:
    """Tell whether there is nothing but the kind of the unit before it, and not the `kind` that was
    said before: "Brest (fleet)"."""
    if len(inside) != 1 or len(inside[0][0]) == 1 or inside[0][0] not in LETTERS:
        return False
    return kind not in (True, LETTERS[inside[0][0]])


def _is_letter_of_name(inside: list[Token], before: str, kind: bool | str) -> bool:
    """Tell whether there is nothing but the letter of the unit before it: "Brest (F)". Behind a
    verb or another letter, it may say how an order fared: "A Bur H (F)"."""
    return (
        len(inside) == 1 and f"({inside[0][0]})" in NOTED_LETTERS and not (kind or before in VERBS)
    )


def _is_part_of_order(inside: list[Token], before: str) -> bool:
    """Tell whether words in brackets belong to the order: "(via convoy)", "S (A Mar - Bur)"."""
    words = [token[0] for token in inside]
    if before in EXPECTING:
        return True
    if before in (";", ","):
        return bool(words) and words[0] in LETTERS
    return bool(words) and words[0] in BY_CONVOY
