"""The other players: their addresses, those who are silent, and who reads what one writes."""

from __future__ import annotations

from collections.abc import Sequence

from mailer.commands.advice.knowing import POWER
from mailer.commands.advice.row import Advice
from mailer.reading.patterns import says

_THEY = rf"(?:him|her|them|{POWER}|(?:this|that|the) (?:player|power))"
_MY_PRESS = r"(?:what (?:i|we) (?:write|say|send)|my (?:press|letters?|messages?))"
OTHER_PLAYERS: Sequence[Advice] = (
    Advice(
        says(
            rf"\b(?:{POWER}|their|his|her|(?:an)?other players?|players?)(?:['’]s|s?['’])?"
            r" (?:real )?e-?mail(?: address(?:es)?)?\b.*\?",
            rf"\be-?mail(?: address(?:es)?)? of (?:the )?(?:{POWER}|(?:other )?players?)\b",
        ),
        "We give nobody's address away. To write to another power, put PRESS TO and its name on a "
        "line, and your text below it: we pass it on.",
        "PRESS",
    ),
    Advice(
        says(
            r"\b(?:can|could|please|should|will|would)\b.{0,25}"
            rf"\b(?:kick|replace|expel|throw|remove)(?: out)? {_THEY}\b",
        ),
        "Your game master can take a power from its player: to ask for that, write PRESS TO GM on "
        "a line, and your text below it. STATUS on a line of its own shows whom the game waits "
        "for.",
        "PRESS TO GM",
    ),
    Advice(
        says(
            r"\b(?:can|could|will|does|do|who|is)\b.{0,30}\b(?:sees?|reads?|knows?|private|secret)"
            rf"\b.{{0,15}}\b{_MY_PRESS}\b",
            rf"\b{_MY_PRESS}\b.{{0,15}}\b(?:private|secret)\b.*\?",
            rf"\bwhen\b.{{0,30}}\b(?:get|reads?|receive)\b.{{0,10}}\b{_MY_PRESS}\b",
        ),
        "Press goes out at once, to the powers that you name above it and to nobody else; "
        "BROADCAST goes to everybody. If a game master or operator looks at press while the game "
        "is played, all its players are told. HELP PRESS on a line of its own explains it.",
        "PRESS",
    ),
)
