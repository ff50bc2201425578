"""Words for yes and no in the languages in which people play, and what a line says with them."""

from __future__ import annotations

import re
from collections.abc import Collection

from mailer.reading.patterns import says

# Polish "tak" is not among them: in Danish it means thanks.
WORDS_FOR_YES = ("yes", "ok", "okay", "ja", "oui", "si", "sí", "sim")
WORDS_FOR_NO = ("no", "nein", "non", "nee", "não", "nie")
_SPOKEN_YES = ("yep", "yeah", "yup")
_SPOKEN_NO = ("nope",)
_BY_THEMSELVES = frozenset({"confirm", *WORDS_FOR_YES, *_SPOKEN_YES})
# "Ok, thanks" may only mean that they read a mail, and SURE above press that others should read it.
_CLEAR_YES = "|".join((*(one for one in WORDS_FOR_YES if one not in ("ok", "okay")), *_SPOKEN_YES))
ANY_YES = "|".join((*WORDS_FOR_YES, *_SPOKEN_YES, "sure"))
ANY_NO = "|".join((*WORDS_FOR_NO, *_SPOKEN_NO))
_THANKS = r"please|thanks|thank\s+you|danke|merci|gracias|grazie|obrigad[oa]"

YES_KINDLY = re.compile(
    rf"(?:{_CLEAR_YES})"
    rf"(?:\W+(?:{_THANKS}|bitte|por\s+favor|per\s+favore|(?:do|for)\s+(?:it|so|that|all)|do|go\s+ahead"
    r"|i\s+(?:do|confirm)|i(?:\s+a|['’])?m(?:\s+sure)?"
    r"|let\s+(?:him|her|them)\s+in"
    r"|(?:that|this|it)(?:['’]?s|\s+is|\s+was)(?:\s+(?:me|mine|right|correct))?))*\W*$",
    re.IGNORECASE,
)
"""A line that says yes in a kind way."""
NO_KINDLY = re.compile(
    rf"(?:{ANY_NO})"
    rf"(?:\W+(?:{_THANKS}|sorry|stop|do\s*n['’]?o?t(?:\s+do\s+(?:it|that|this))?|not\s+mine"
    r"|(?:that|this|it)\s*(?:is|was)(?:\s+not|n['’]?t)(?:\s+(?:me|mine))?))*\W*$",
    re.IGNORECASE,
)
_THAT_IS_ME = says(
    rf"(?:(?:{ANY_YES})\W+)?(?:(?:that|this|it)(?:['’]?s| is| was)"
    r" (?:me|mine|my (?:e-?mail\s*)?(?:add?ress?|mail)|right|correct)|das bin ich|c['’]est moi"
    r"|soy yo|dat ben ik|sou eu)(?:\W+(?:thanks|thank you))?",
    rf"(?:{ANY_YES})(?:\W+(?:{_THANKS}|i am|it is|i confirm))*",
)
_SAYS_YES = re.compile(
    rf"(?:{ANY_YES}|of course|gladly|with pleasure|count me in"
    r"|i['’]d (?:love|like) to|i would (?:love|like) to)\b(.*)",
    re.IGNORECASE,
)
_AGREEING = frozenset(
    re.findall(
        r"\S+",
        """
        a absolutely all am and be by can course count definitely delighted do fine for game gladly
        glad go good great happy have he her here him i i'd i'll i'm in is it join know let like
        love may me means much of ok okay over play please pleasure ready seat she still sure take
        thank thanks that that's the them they this to very welcome we we'd will with would yes you
        """,
    )
)
"""With these words a yes is still a yes; programs that answer for absent people use others."""
_AROUND = re.compile(r"^[\W_]+|(?<![\W_])[\W_]++$")


_DENIES = says(
    r"\b(?:was|is)(?: not|n['’]?t) (?:me|mine|from me|my (?:e-?)?mail)\b",
    r"\bnot (?:me|mine|from me)\b",
    r"\b(?:did|have)(?: not|n['’]?t) (?:write|written|send|sent)\b",
    r"\b(?:never (?:wrote|sent)|nicht von mir|pas (?:de )?moi|no (?:es|era) m[ií]o|niet van mij)\b",
)
_TAKES_BACK = re.compile(
    rf"(?:(?:oh|sorry|hmm+|actually)\W+)?(?:{ANY_NO}|wait|never\s*mind)\b", re.IGNORECASE
)
_BACK = frozenset(
    re.findall(
        r"\S+",
        """
        a actually after all changed do don't hmm i i've it make mean meant mind mistake my never no
        nope not oh on please say second sorry still that that's thought thoughts to wait was yes
        """,
    )
)
"""With these words a no is still just a no."""


def takes_back(text: str) -> bool:
    """Whether a line takes back a yes above it, and says nothing else: "Oh no, I meant no"."""
    said = bare(text).replace("’", "'")
    words = re.findall(r"[\w']+", said.lower())
    return bool(_TAKES_BACK.match(said)) and (is_no(said) or _BACK.issuperset(words))


def denies(text: str) -> bool:
    """Whether a line says that a mail was not its writer's: "I did not send this!"."""
    return _DENIES.search(text) is not None


def bare(text: str) -> str:
    """A line without the marks around it: `*Yes!*`."""
    return _AROUND.sub("", text)


def is_yes(text: str) -> bool:
    """Whether a line says only yes, apart from polite words."""
    said = bare(text)
    return said.lower() in _BY_THEMSELVES or YES_KINDLY.fullmatch(said) is not None


def is_no(text: str) -> bool:
    """Whether a line says only no, apart from polite words."""
    return NO_KINDLY.fullmatch(bare(text)) is not None


def says_it_is_me(text: str) -> bool:
    """Whether a line says only yes to the question after REGISTER: "Yes, that's me!"."""
    return _THAT_IS_ME.fullmatch(bare(text)) is not None


def begins_with_yes(text: str) -> bool:
    """Whether a line begins with a yes, whatever follows."""
    return _yes_in(text) is not None


def agrees_gladly(text: str, *, also: Collection[str] = ()) -> bool:
    """Whether a line says yes and then only agrees, or names somebody (`also`)."""
    match = _yes_in(text)
    words = re.findall(r"[\w']+", match[1].lower()) if match else []
    return match is not None and _AGREEING.union(also).issuperset(words)


def _yes_in(text: str) -> re.Match[str] | None:
    return _SAYS_YES.fullmatch(" ".join(bare(text).replace("’", "'").split()))
