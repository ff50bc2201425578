"""Names of players: each is unique, and none looks like another's, a power's or an order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise

from django.db import connection

from games.errors import BadInput
from games.models import Address, Player
from games.queries import board

_CAPITALS_ALIKE = str.maketrans("ΗΜΝΖ", "hmnz")
"""Greek ones that look like others than their small letters do."""
_ALIKE = str.maketrans(
    {
        **dict(zip("авезікмнорстухјѕԁԛԝһӏ", "abe3ikmhopctyxjsdqwhi", strict=True)),  # Cyrillic
        **dict(zip("αβεηικνορτυχω", "abeniknoptuxw", strict=True)),  # Greek
        **dict(zip("ıɩɑɡłøđ", "iiagiod", strict=True)),  # Latin without an accent to take away
        **dict(zip("ɢɪɴʀʏʙʜʟᴀᴄᴅᴇᴊᴋᴍ", "ginrybhiacdejkm", strict=True)),  # small Latin capitals
        **dict(zip("ᴏᴘᴛᴜᴠᴡᴢꜰꜱ", "optuvwzfs", strict=True)),
        **dict(zip("01358$@!|", "oiesbsaii", strict=True)),
    }
)
_LIKE_LATIN = frozenset({"CHEROKEE", "COPTIC", "DESERET", "LISU", "OLD", "OSAGE"})
"""Alphabets, as Unicode calls them, in which whole names can be written that look Latin."""
_WITH_ANY = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "MODIFIER"}
"""Alphabets, as Unicode calls them, in which no letter looks like one of another."""

_OFFICES = (
    *("judge", "GM", "co-GM", "game master", "moderator", "admin", "administrator", "operator"),
    *("server", "support", "staff", "system", "postmaster", "webmaster"),
)
"""Roles whose words players trust: nobody may have such a name, alone or with other words."""

_ITS_YOU = (
    "If that is you, and you can no longer read your mail there, register under a slightly "
    "different name, then write MODERATOR and what has happened: the moderators can merge the two "
    "accounts. "
)
"""Said to somebody who registers: the same name is most often the same person's."""

_MANY = frozenset(
    {"all", "all players", "anonymous", "anybody", "anyone", "everybody", "everyone"}
    | {"nobody", "no one", "public", "somebody", "someone", "the players"}
)
"""Words for players that nobody names: where one stands, nobody would take it for a name."""

_PLAYS = re.compile(
    r"\bplay(?:s|ing)\b|\bplayer\s+(?:of|in|for|from|at)\b"
    r"|^\W*(?:(?:the|an?|another)\s+)?player(?:\W+\d+)?\W*$|['’]s\s+player\b",
    re.IGNORECASE,
)
_PLAYER = re.compile(r"\W*\bplayer\b\W*", re.IGNORECASE)
"""Some people are called Player, too."""
_THE = re.compile(r"^the\s+", re.IGNORECASE)
_OF_A_GAME = re.compile(
    r"(?:\s+(?:of|in|from|at|for)\b|\s*[,;:(/@\[]).*", re.IGNORECASE | re.DOTALL
)

_ORDER = re.compile(
    r"\b(?:holds|supports|convoys|disband|build|waive)\b|\s[-–—]+\s|[-–—]>"
    r"|\bon\s+a\s+line\b|\bwith\s+the\s+word\b",  # so our mails ask for an answer
    re.IGNORECASE,
)


def key_of(name: str) -> str:
    """Return what similar names have in common: no accents, capitals, blanks or signs."""
    plain = "".join(
        one for one in unicodedata.normalize("NFKD", name) if not unicodedata.combining(one)
    )
    alike = (
        plain.translate(_CAPITALS_ALIKE)
        .casefold()
        .translate(_ALIKE)
        .replace("3", "e")
        .replace("l", "i")
        .replace("rn", "m")
    )
    return "".join(one for one in alike if one.isalnum())


_LOCK = 0x6E616D65
"""The number of the lock in PostgreSQL. Nothing else there uses one."""
_ERASED = key_of("Former player")


def require_name_free(name: str, player: Player | None) -> None:
    """Make sure that nobody else has that name, and nothing in the game. Raises BadInput.

    Only people who confirmed an address count: nobody keeps a name with a mail that anybody can
    write.
    """
    key = key_of(name)
    if _is_power(name):
        raise BadInput(
            f"“{name}” is the name of a power, so the others would take you for it. Please "
            "choose another name."
        )
    if key.startswith(_ERASED):
        raise BadInput(
            f"“{name}” is what we call somebody who has left this server. Please choose another "
            "name."
        )
    plays = _PLAYS.search(name) or _is_power(_PLAYER.sub("", name))
    if plays or key in map(key_of, _MANY):
        raise BadInput(f"“{name}” could be anybody. Please choose a name of your own.")
    if office := _office(name):
        raise BadInput(
            f"“{name}” sounds like the {office}, whom players trust. Please choose another name."
        )
    if "[" in name or "]" in name:  # so the subjects of our mails name their game
        raise BadInput(
            f"“{name}” has brackets, in which we write the names of games. Please choose "
            "a name without them."
        )
    if _ORDER.search(name):
        raise BadInput(f"“{name}” reads like an order. Please choose another name.")
    own = player.pk if player else None
    confirmed = Address.objects.filter(confirmed_at__isnull=False).exclude(player=own)
    others = Player.objects.filter(pk__in=confirmed.values("player")).values_list("name", flat=True)
    taken = {key_of(one) for one in others}
    if key in taken:
        raise BadInput(
            f"Another player here is called “{name}”, or so much like it that people would mix you "
            f"up. {'' if player else _ITS_YOU}Please choose another name, for example: "
            f"{_suggestion(name, taken)}"
        )
    require_one_alphabet(name)


def lock_names() -> None:
    """Let nobody else decide about a name until the transaction ends: two people who get the same
    one at the same moment would not see each other. SQLite has one writer at a time anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _is_power(name: str) -> bool:
    """Whether it is the name of a power, with or without that of a game: “Austria of marne”,
    “The Austria (marne)”."""
    said = (name, _OF_A_GAME.sub("", _THE.sub("", name)))
    return any(_names_one_of(powers(variant), said) for variant in board.variant_names())


def _names_one_of(named: tuple[str, ...], said: Iterable[str]) -> bool:
    """Whether one of these is a power's name, in any language in which players may write it."""
    keys = {key_of(one) for text in said for one in (text, board.powers_in_english(text, named))}
    return any(key_of(power) in keys for power in named)


def require_one_alphabet(name: str) -> None:
    """Make sure that no word has letters of several alphabets, or of one that looks like ours.
    Raises BadInput.

    With several, anybody's name can be written to look the same, whatever letters we know to be
    alike (Unicode TS 39).
    """
    if word := next((one for one in name.split() if len(_alphabets(one)) > 1), None):
        raise BadInput(
            f"“{word}” has letters of two alphabets, so that it could be taken for another name. "
            "Please write each word of your name in one alphabet."
        )
    if _alphabets(name) & _LIKE_LATIN:
        raise BadInput(
            f"“{name}” could be taken for another name, because its letters look like those of "
            "another alphabet. Please write your name in a more common one."
        )


def _alphabets(word: str) -> set[str]:
    letters = (one for one in unicodedata.normalize("NFKD", word) if one.isalpha())
    return {unicodedata.name(one, "").partition(" ")[0] for one in letters} - _WITH_ANY


def _office(name: str) -> str | None:
    """Return the role that a name claims, in one word or several, in any letters."""
    words = [key_of(word) for word in re.split(r"[\W_]+", name)]
    said = {*words, key_of(name), *(a + b for a, b in pairwise(words) if len(a) > 1)}
    return next((one for one in _OFFICES if {key_of(one), key_of(f"{one}s")} & said), None)


def powers(variant: str) -> tuple[str, ...]:
    """Return the names of a variant's powers; players of Chaos may be called like a town."""
    named = board.variant_named(variant).powers
    return named if len(named) < 10 else ()


def _suggestion(name: str, taken: set[str]) -> str:
    """Return the name with a letter or a number after it, so that nobody has it."""
    base = re.sub(r"\W+\w{1,2}\.?$", "", name) or name
    tried = (*(f"{base} {letter}." for letter in "BCDKMRST"), *(f"{base} {n}" for n in (7, 77)))
    return next((one for one in tried if key_of(one) not in taken), f"{base} of somewhere")
