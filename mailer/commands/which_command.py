"""Which command a line is, however people write it: as two words, joined to another one, with a
slip of the pen, as a question, or with a kind word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from games.queries.wording import nearest
from mailer.commands.calls import (
    HELP,
    Asked,
    Takes,
    Word,
)
from mailer.commands.yes_and_no import NO_KINDLY, YES_KINDLY

SHORTEST_MISSPELT = 4
"""How many letters a word must have to be a command with a slip of the pen in it."""

# Commands of two words, and two commands written as one: so the older judges have them.
_SPELLED: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(r"sign\s+(on|off)\b", re.IGNORECASE), r"sign\1"),
    (re.compile(r"set(?=(?:no)?(?:wait|draw|concede|absence|holiday|vacation)\b)", re.I), "set "),
    # "Who is winning", "who is still missing" and "who is Italy?" ask about a game, not about a
    # player.
    (
        re.compile(
            r"(who)\s+(is(?!\s+(?:\w+ing|ahead|in|late|left|not|next|still|the|there|out)\b"
            r"|\s+[^\W\d_]+\s*\?)|game)\b",
            re.IGNORECASE,
        ),
        r"\1\2",
    ),
    (re.compile(r"i\s+am\s+also\b", re.IGNORECASE), "iamalso"),
    (re.compile(r"force\s+begin\b", re.IGNORECASE), "forcebegin"),
    (re.compile(r"postal\s+press\b", re.IGNORECASE), "postalpress"),
    (re.compile(r"(?:gr[ea]y|anon(?:ymous)?)\s+(press|broadcast)\b", re.IGNORECASE), r"\1 grey"),
    (re.compile(r"fake\s+(press|broadcast)(?=\s+(?:to|from|as)\b)", re.I), r"\1 fake"),
    (re.compile(r"get\s+dedication\b", re.IGNORECASE), "getdedication"),
    (re.compile(r"roll\s+(back|forward)\b", re.IGNORECASE), r"roll\1"),
    (re.compile(r"set\s+orders\b", re.IGNORECASE), "setorders"),
    (re.compile(r"end\s+(?:the\s+)?game\b", re.IGNORECASE), "endgame"),
    (re.compile(r"civil\s+disorder\b", re.IGNORECASE), "disorder"),
    # A slip in this word would turn orders that were only to be tried out into real ones. Unless a
    # game's name, a power or an order follows, "what if" is how a sentence begins.
    (
        re.compile(
            r"w(?:h?at+|ha|ht|ath|hta|aht)[\s_'’–-]*(?:if+|fi)(?:[\s?!.:,;-]*$|(?=\s*[:,]|"
            r"\s+[\w-]+$|\s+[^\W\d]+\s*:|\s+(?:a|f|army|fleet)\s[^?!.]*(?:[-–—→]|\bh)))",
            re.IGNORECASE,
        ),
        "whatif ",
    ),
    (re.compile(r"(?:please\s+)?opt[\s-]*out\b", re.IGNORECASE), "optout"),
    (YES_KINDLY, "yes"),
    (NO_KINDLY, "no"),
    (
        re.compile(
            r"(?:please\s+)?(?:cancel|withdraw|revoke|take\s+back)\s+(?:all\s+)?(?:of\s+)?(?:my\s+)?"
            r"orders(?:\s+please)?[ .!]*$",
            re.IGNORECASE,
        ),
        "clear",
    ),
    (
        re.compile(
            r"(?:please\s+)?amend(?:\s+(?:my|the|these))?(?:\s+(?:orders?|moves?))?"
            r"(?:\s+as\s+follows)?\s*(?:[:.]+\s*|$|(?<=\s))",
            re.IGNORECASE,
        ),
        "amend ",
    ),
    (
        re.compile(
            r"(?:please|i\s+(?:want|need|would\s+like)|i['’]d\s+like)?(?:\s*to)?\s*"
            r"(?:change\s+(?:my|the)\s+(?:orders?|moves?)"
            r"|(?:my|the|following|\s)*(?:changes?|amendments?)\s+(?:to|in|of)\s+(?:my|the)\s+(?:orders?|moves))"
            r"(?:\s+(?:as\s+follows|below|like\s+this)\s*[:.]*|\s*:)\s*",
            re.IGNORECASE,
        ),
        "amend ",
    ),
    (
        re.compile(
            r"(?:(?:and|please|keep|leave|all|the)\s+)*(?:rest|others?|(?:everything|all)\s+else)"
            r"(?:\s+(?:of|the|my|orders?|moves?|units?|is|are|as|stays?|remains?|keeps?|two|three|four|five))*\s+"
            r"(?:same(?:\s+as\s+before)?|unchanged|(?:as\s+)?before|as\s+(?:it|they)\s+(?:is|are|was|were)"
            r"|as\s+(?:i\s+)?sent(?:\s+(?:before|earlier|already|yesterday))?"
            r"|as\s+in\s+my\s+(?:last|previous|first|earlier|other)\s+(?:e-?mail|mail|message|orders))"
            r"(?:\s+please)?[\s.!]*$"
            r"|(?:(?:der|die|alles|de|het|le|il|el)\s+)?(?:rest|andere[ns]?|übrigen?|reste|resto|demás)\s+"
            r"(?:bleib(?:t|en)|blijf(?:t|ven)|ne\s+change(?:nt)?\s+pas|(?:est\s+)?inchangée?|igual|sin\s+cambios"
            r"|(?:resta\s+)?(?:uguale|invariato)|wie\s+gehabt)(?:\s+(?:so|gleich|unverändert|bestehen|wie\s+(?:es\s+ist|gehabt)"
            r"|hetzelfde|zo|staan|ongewijzigd))?[\s.!]*$"
            r"|(?:(?:and|all|of|the|my)\s+)*(?:others?|remaining|earlier|previous|rest\s+of\s+(?:my|the))\s+"
            r"(?:orders?|moves?)(?:\s+(?:that|i|sent|from|before|yesterday|\w+day))*\s+(?:still\s+)?"
            r"(?:stand|stay|remain|apply|are\s+(?:still\s+)?(?:valid|good|fine|ok(?:ay)?))"
            r"(?:\s+(?:valid|in\s+force|unchanged|the\s+same))?[\s.!]*$",
            re.IGNORECASE,
        ),
        "amend",
    ),
    (
        re.compile(
            r"(?:(?:please|the|all|my|keep|use)\s+)*same(?:\s+(?:orders?|moves?))?(?:\s+as\s+before)?"
            r"\s*,?\s*(?:but|except|with\s+(?:this|these|one)\s+changes?)(?:\s+(?:for|that|this))?"
            r"[\s:.…-]*$"
            r"|(?:(?:please|keep|use|the)\s+)*(?:all|everything|my|same|as)\b"
            r"[^,;:.!?]{0,40}\b(?:orders|moves|mail|sent|before)\b[^,;:.!?]{0,30},?\s*"
            r"(?:(?:except|but|apart\s+from)(?:\s+(?:for|that|this|these|here|one|the|following|changes?))*"
            r"|only\s+(?:[\w-]+\s+){1,3}(?:is|are|changes?)(?:\s+different)?)[\s:.…-]*$"
            r"|(?:(?:just|only|one|a|two|small|minor)\s+)*(?:changes?|corr?ections?|update)"
            r"(?:\s+(?:to|in|of)\s+(?:my|the)\s+(?:\w+\s+)?(?:orders?|moves?))?,?(?:\s+please)?\s*:\s*$"
            r"|(?:please\s+)?(?:keep\s+)?(?:everything|all)\b[\w\s]{0,15}\b(?:but|except(?:\s+for)?|apart\s+from)\s+"
            r"[^,;:.!?–—>-]{1,30}\s(?:(?:is|are|stays?|remains?|as|the|it|was)\s+)*"
            r"(?:before|unchanged|same)[\s.:!]*$"
            r"|in\s+addition\s+to\s+(?:my|the)\s+(?:\w+\s+)?(?:orders?|moves?)\s*:?\s*$"
            r"|(?:[^:]{0,40}[,.;]\s*)?(?:please\s+)?add\s+(?:(?:it|these|this|the\s+following)\s+)?"
            r"to\s+(?:my|the)\s+(?:\w+\s+)?(?:orders?|moves?)\s*:?\s*$"
            r"|(?:[^:]{0,20}[,.;]\s*)?(?:but\s+)?(?:please\s+)?change\s+(?:only\s+)?(?!my\s+mind)"
            r"\w+(?:\s+\w+)?\s*:\s*$"
            r"|(?:here(?:['’]s|\s+is|\s+are|\s+comes?)\s+)?(?:the|my|an?|one)\s+(?:missing|forgotten)\s+"
            r"(?:orders?|moves?|one)\s*[:.]?\s*$"
            r"|(?:(?:[^:]{0,60}[,.;!]\s*)?(?:please\s+)?add\s+(?:it|them|this|that|these|the\s+following)"
            r"|(?:[^:]{0,20}[,.;!]\s*)?(?:i\s+|we\s+)?forgot\s+(?:about\s+)?(?:my|the|one|an?)\s+"
            r"(?:\w+\s+)?(?:fleet|army|unit|order|move|one)s?[,.!]*(?:\s+sorry)?)"
            r"(?:\s+(?:orders?|moves?))?(?:,?\s+please)?\s*:\s*$"
            r"|(?:(?:please|and|just)\s+)*(?:keep|leave)\s+(?:(?:all|of|the|my)\s+)*"
            r"(?:rest|others|other\s+(?:two|three|four|five)|everything\s+else|all\s+else)"
            r"(?:\s+(?:alone|orders|moves))?(?:\s+please)?[\s.!]*$"
            r"|(?:(?:yes|ok(?:ay)?|all|of)\W+)*(?:my|our)\s+(?:orders|moves|builds|retreats|disbands)\s+"
            r"(?:still\s+)?stand(?:\s+as\s+(?:they\s+are|sent))?[\s.!]*$"
            r"|(?:please\s+)?(?:keep|leave)\s+(?:all\s+)?(?:of\s+)?my\s+other\s+(?:orders?|moves?)"
            r"(?:\s+(?:as\s+(?:they|it)\s+(?:is|are|was|were)|the\s+same|unchanged))?"
            r"(?:\s+please)?[\s.!]*$",
            re.IGNORECASE,
        ),
        "amend",
    ),
    (
        re.compile(
            r"(?=.{0,60}\b(?:before|sent|mail|message|unchanged|stands?)\b)"
            r"(?:(?:please|keep|leave|use|the)\s+)*(?:all|everything|same|as)\b"
            r"(?:\s+(?:of|my|the|orders?|moves?|as|in|i|it|they|is|are|was|were|stays?|remains?|sent|stands?"
            r"|unchanged|before|last|previous|first|earlier|e-?mail|mail|message|yesterday))*\s*[,;:–-]*\s*"
            r"(?:but|except|apart\s+from|only|plus|just|with)\b"
            r"(?:\s+(?:for|the|my|that|this|these|now|also|one|following|changes?|fleets?|arm(?:y|ies)(?=\W*:)))*"
            r"\s*[:.…-]*\s*(?=$|(?:a|f|army|fleet)\b)"
            r"|(?:(?:sorry|oops)\W+)?(?:i\s+)?forgot(?:\s+(?:the|my|an?|one|to\s+order(?:\s+the)?)\s+"
            r"(?:fleet|army|unit|order|move|one)s?)?\s*[:!.–-]+\s*(?=(?:a|f|army|fleet)\b)"
            r"|(?:(?:just|only|one|a|small|quick|minor|tiny|little)\s+){1,4}(?:change|corr?ection)\s*:\s*"
            r"(?=(?:a|f|army|fleet|build|disband)\b)(?!.*\binstead\b)"
            r"|(?:(?:please|also)\s+)*add\s*:?\s*(?=(?:(?-i:[AF])|army|fleet)\s+\S+(?:\s*[-–—>→]|\s+(?:[hsc]|to"
            r"|holds?|supports?|convoys?)\b)|build\s+(?:[af]|army|fleet)\b)",
            re.IGNORECASE,
        ),
        "amend ",
    ),
    (
        re.compile(
            r"(?:please|pls|(?:can|could|would|will)\s+you(?:\s+please)?)\s+(help|list|map|status|rules|history)"
            r"(?:[\s,]+(?:please|thanks|thank\s+you))*[\s.!?]*$",
            re.IGNORECASE,
        ),
        r"\1",
    ),
    (re.compile(r"please\s+(clear|extend|list|stop|unsubscribe|vote|wait)\b", re.I), r"\1"),
    (re.compile(r"pause\s+(?:all\s+|my\s+)*mails?\b", re.IGNORECASE), "mail off"),
    (re.compile(r"(?:resume|restart)\s+(?:all\s+|my\s+)*mails?\b", re.I), "mail on"),
    (re.compile(r"(?:(?:all\s+)?(?:of\s+)?my\s+)data[ .!]*$", re.IGNORECASE), "export"),
    (
        re.compile(
            r"(?:please\s+)?(?:erase|delete|forget|unregister)\s+"
            r"(?:me|(?:all\s+)?(?:of\s+)?my\s+(?:account|data|registration))(?:\s+please)?[ .!]*$",
            re.IGNORECASE,
        ),
        "erase",
    ),
)
_KIND_END = re.compile(
    r"(?:(?:^|(?<=[\s,.!;–-]))(?:please|pls|plz|thanks?|thank\s+you|thx|cheers|bitte|danke|merci)\b"
    r"|[:;]-?[()D]|[\u2600-\u2793\u2b50-\u2b55\U0001f000-\U0001faff]|[\s,.!;–-])+$",
    re.IGNORECASE,
)
SAID_ALONE = ("confirm", "refuse")
"""Somebody who writes "Ok, thanks" may only say that they have read a mail."""
LONGEST_LINE = 200
LONGEST_ARGUMENT = 1000
"""How many characters may follow a command: no command needs more, and patterns take long over
more."""
_FIRST_WORD = re.compile(r"([^\W\d_]+)\s*[:.!,]*\s*(.*)", re.DOTALL)
# `STATUS?`, `STATUS? marne`, `STATUS marne?`; a longer sentence is not such a question.
_QUESTION = re.compile(r"([^\W\d_]+)(?:\s*\?+\s*|\s+)([\w-]*)[\s.!?]*")
# A heading of orders, which asks for nothing: "Game verdun:", "Game: marne", "Game 2: marne".
_HEADS_GAME = re.compile(r"game\s*(?:\d{1,2}\s*)?:\s*[\w-]+\W*|game\s+[\w-]+\s*:\s*", re.IGNORECASE)
# Words of these commands begin sentences, too: "History will judge us!", "Help is on the way".
_NOUNS = ("help", "history", "list", "log", "map", "orders", "rules", "status", "table")
_GOES_ON_AS_SENTENCE = re.compile(
    r"(?:games?\s+)?(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|does|did"
    r"|looks?|seems?|shows?|says?|tells?|teaches|repeats?)(?:n['’]t)?\s+\w",
    re.IGNORECASE,
)
# But a question for help is one for us, as it begins with what asks: "HELP can I convoy an army?".
_ASKED = re.compile(r"\w+\s+(?:i|we|you|it)\b.*|.*\?\W*", re.IGNORECASE)
_BEFORE_NAME = re.compile(
    r"^(?:(?:from|of|for|in|about)\s+)?(?:(?:the|this|my|our)\s+game\b\s*|game\s+(?=\w))?",
    re.IGNORECASE,
)


def command_of(text: str, words: Mapping[str, Word]) -> str | None:
    """The name of the command that a line is; None for any other line."""
    word, _ = command_in(text, words)
    return word.command if word else None


def command_in(text: str, words: Mapping[str, Word]) -> tuple[Word | None, str]:
    """The command word of a line and what follows it; None and "" for a line that is no command."""
    line = as_one_word(text)
    return _question(line, words) or _statement(line, words)


def _question(line: str, words: Mapping[str, Word]) -> tuple[Word | None, str] | None:
    """What a command's word with a question mark asks for, None for any other line."""
    is_short = "?" in line and len(line) < LONGEST_LINE
    match = _QUESTION.fullmatch(line) if is_short else None
    word = words.get(match[1].lower()) if match else None
    if match is None or word is None or word.asked is Asked.ITSELF:
        return None
    meant = _statement(f"{match[1]} {match[2]}", words)
    if word.asked is Asked.SHOWN:
        return meant
    if match[2] and (word.has_body or meant[0] is None):
        return None
    return words[HELP], match[1].lower()


def _statement(line: str, words: Mapping[str, Word]) -> tuple[Word | None, str]:
    if _HEADS_GAME.fullmatch(line):
        return None, ""
    match = _FIRST_WORD.fullmatch(line)
    word = words.get(match.group(1).lower()) if match else None
    if match is None or word is None:
        return None, ""
    argument = match.group(2).strip()
    if not word.prose:
        argument = " ".join(argument.split())
        if len(argument) > LONGEST_ARGUMENT:
            return None, ""
        if word.command not in SAID_ALONE:
            argument = without_kind_end(argument)
    asked = word.command == "help" and _ASKED.fullmatch(argument)
    if word.command in _NOUNS and _GOES_ON_AS_SENTENCE.match(argument) and not asked:
        return None, ""
    if word.names_game:
        argument = _BEFORE_NAME.sub("", argument)
    if argument and word.takes is Takes.NOTHING:
        return None, ""
    if word.argument and not word.argument.fullmatch(argument):
        return None, ""
    return word, argument


def begins_sentence(text: str) -> bool:
    """Whether a command's word only begins a sentence: "History will judge us!"."""
    match = _FIRST_WORD.fullmatch(text)
    return match is not None and _GOES_ON_AS_SENTENCE.match(match[2]) is not None


def word_of(text: str) -> str:
    """The word that begins a line that is a command, in lower case."""
    match = _FIRST_WORD.fullmatch(as_one_word(text))
    return match.group(1).lower() if match else ""


def without_kind_end(text: str) -> str:
    """What follows a command, without the kind words and smileys at its end."""
    kind = _KIND_END.search(text)
    return text[: kind.start()] if kind and kind[0].strip(" ,.!;–-") else text


def nearest_command(word: str, commands: Iterable[str]) -> str:
    """The only one of the words that is much like this one; "" if there is no such word. Few people
    get the first letter wrong: "resend" does not mean PRESENT."""
    near = nearest(word, commands) or ""
    if near[:1] != word[:1].lower():
        return ""
    return near if len(word) > SHORTEST_MISSPELT or _is_one_slip(word.lower(), near) else ""


def _is_one_slip(word: str, right: str) -> bool:
    """Whether one letter is wrong, missing or extra, or two are swapped: even a name, such as Dora,
    can look like a command, such as DRAW."""
    if len(word) == len(right):
        wrong = [at for at in range(len(word)) if word[at] != right[at]]
        return len(wrong) < 2 or sorted(word[wrong[0] : wrong[-1] + 1]) == sorted(
            right[wrong[0] : wrong[-1] + 1]
        )
    short, long = sorted((word, right), key=len)
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def as_one_word(text: str) -> str:
    """A line in which a command of two words is one word, and two commands in one are two."""
    for spelled, meant in _SPELLED:
        if spelled.match(text):
            return spelled.sub(meant, text, count=1)
    return text
