"""Tells whether a line asks us in plain words not to write any more: "Please remove me", "stop
e-mailing me", "wrong address". Players write STOP; this is how strangers say it."""

from __future__ import annotations

import re

from mailer.reading.patterns import any_of, one_word, says

_MAILS = "(?:e-?)?(?:mail|message)s?"
_NOT = "(?:do not|don['’]t|never)"
_BEFORE = any_of(
    "please",
    *("bonjour", "hallo", "hola", "ciao", "guten tag"),
    *("pls", "kindly", "hi", "hello", "and", "now", "just", "(?:can|could|would|will) you"),
    *("you (?:must|should)", "i want (?:you )?to", r"[\s,.!]"),
)
_TAKE_OFF = any_of(
    *("remove", "delete", "erase", "unsubscribe", "drop"),
    # "Take the name Hugo" is a wish to play.
    r"take\b(?=.{0,40}\b(?:off|from|out)\b)",
)
_ASKS = any_of(
    rf"{_TAKE_OFF} me(?=\W*$| (?:please|from|off|out)\b)",
    f"{_TAKE_OFF} (?:all )?(?:of )?(?:this|my|the) (?:personal |e-?mail )?"
    r"(?:address|name|e-?mail|account|data)\b",
    rf"{one_word('remove delete erase')} all (?:my |personal )?data\b",
    r"stop (?:sending|(?:e-?)?mailing|writing|contacting|spamming)\b"
    rf"(?: (?:to|me|us|these|this|any|more|your|spam)| {_MAILS})*(?:\W*$| or\b)",
    r"stop (?:it|this|that)\W*$",
    rf"{_NOT} (?:contact|(?:e-?)?mail|write(?: to)?|spam) (?:me|us)\b",
    rf"i (?:do not|don['’]t|no longer) (?:want|wish)\b.{{0,20}}\b{_MAILS}\b",
    f"no more {_MAILS}",
    one_word("abmelden afmelden uitschrijven cancellami cancellatemi"),
    r"(?:merci de |veuillez )?(?:me )?d[ée]s(?:abonne|inscri)",
    "je ne (?:veux|souhaite) plus (?:(?:de|rien|vos|ces) |être )*"
    r"(?:recevoir|contacté|dérangé|inscrit|sollicité|mails?|courriels?|messages?)",
    rf"ich (?:möchte|will) (?:nicht mehr|keine) (?:\w+ ){{0,3}}(?:{_MAILS}|nachrichten|post\b"
    r"|\w*(?:schrieben|kontaktiert|benachrichtigt|belästigt)\b)",
    r"ich (?:möchte|will) nicht mehr (?:mit)?(?:spielen|machen)\b",
    r"(?:lösch|borr|supprim|elimin)\w+.{0,20} (?:dat[aeiosn]{1,3}|données)\b",
    "d(?:ar|e)(?:me|se) de baja",
    f"keine {_MAILS}",
    rf"(?:bitte )?(?:keine|lösch)\w*\b.{{0,30}}(?:{_MAILS}|adresse)",  # codespell:ignore adresse
)
_NOT_ME = any_of(
    "by mistake",
    "in error",
    "wrong (?:(?:e-?)?mail )?(?:address|person)",
)
_NEVER_CAME = any_of(
    r"i (?:have )?(?:never|did not|didn['’]t) (?:sign(?:ed)? up|register|subscribe|join|ask)"
)
_SAYS = says(
    rf"{_BEFORE}*{_ASKS}.{{0,60}}",
    rf"(?!.*\b(?:orders?|moves?|yet|how|where)\b).{{0,40}}(?:\b{_NOT_ME}\b|\b{_NEVER_CAME}).{{0,40}}",
)


_LAST_SENTENCE = re.compile(r"(?<=[.!?])(?<!\s)\s++(?=\S)")
_OF_PLAY = says(r"\b(?:orders?|moves?)\b")


def wants_no_mail(line: str) -> bool:
    """Say whether the whole line, or its last sentence, asks that: “Who are you? Stop it.”"""
    if _SAYS.fullmatch(line):
        return True
    _, *more = _LAST_SENTENCE.split(line)
    return bool(more and not _OF_PLAY.search(line) and _SAYS.fullmatch(more[-1]))
