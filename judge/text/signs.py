"""Written lines in plain signs: one kind of dash, no invisible characters, nothing spelt out.

People write on phones and paste from everywhere: dashes of all lengths, arrows, no-break spaces,
bullets and numbers before an order, look-alikes of Latin letters, signs that a phone wrote out.
"""

from __future__ import annotations

import html
import re
import unicodedata

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
_COUNTED = "(?:step|unit|number|move|retreat)"
_LEADER = re.compile(
    r"\s*(?:(?:[-*+#·•‣▪▫◦●○■□☐☑✓✔✅★☆◆◇♦]+"
    r"|(?:new\s?line|next|bullet(?:\s+point)?)\b[.,:]?(?=\s+(?:army|fleet)\b)"
    rf"|(?:{_COUNTED}\s+)?\(?\d{{1,3}}[.):\]]+"
    rf"|(?:{_COUNTED}\s+)?(?:{_SPELT_NUMBER})\s*[.:,)]+(?=\s)|number\s+(?:{_SPELT_NUMBER})(?=\s)"
    r"|\d{1,2}(?:st|nd|rd|th)(?=\s+(?:army|fleet)\b)"
    r"|\(?[a-z]\)|\[[ xX]?\]|(?:i{1,3}|i?v|vi{1,3}|i?x)[.)](?=\s))\s*)+",
    re.IGNORECASE,
)
_SMILEY = re.compile(r"(?<!\S)[:;]-?[()DPp](?!\S)")
_SPOKEN = re.compile(  # blanks are gone through once, not from each of them; so are letters below
    r"(?:(?<![\s,.])|(?<=\w,))[\s,.]++(?:(?P<end>full\s+stop|period|comma|semicolon|new\s?line|new\s+paragraph"
    rf"|number\s+(?:{_SPELT_NUMBER})\b,?|next(?=\s+(?:army|fleet)\b))"
    r"|(?:dash|hyphen))(?=[\s.,;]|$)",
    re.IGNORECASE,
)
"""Signs that somebody dictated and the phone wrote out: "army Paris to Burgundy full stop"."""
_REQUEST = re.compile(
    r"\s*(?:could|can|will|would)\s+you\s+(?:please|kindly)\s+([^?]{1,200}?)(?:\s+for\s+me)?\s*\?[^?]{0,30}",
    re.IGNORECASE,
)
"""A polite order: "Could you please move A Par to Bur for me? Thanks"."""
# Word writes "-->" as a letter in a font of signs, which is this letter in any other font; in
# French it is the word for "to".
_WINGDINGS_ARROW = re.compile(r"(?<=\s)à(?=\s)")
_LOOK_LATIN = str.maketrans(
    "АВЕКМНОРСТХаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧαορν", "ABEKMHOPCTXaeopcyxijsABEZHIKMNOPTYXaopv"
)
_MIXED = re.compile(r"(?<![^\W\d_])[^\W\d_]*[\u0370-\u03ff\u0400-\u04ff][^\W\d_]*")


def in_plain_signs(line: str) -> str:
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


def leader_end(text: str) -> int:
    """Return where bullets and numbering end."""
    match = _LEADER.match(text)
    return match.end() if match else 0
