"""The words of orders other than names: what each of them asks for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from judge.seasons import ABROAD, IN_ENGLISH
from judge.text.folding import fold

Action = Literal["hold", "move", "support", "convoy", "build", "disband", "waive", "ride", "permit"]
"""The last two only on a map with a railway or a canal."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LETTERS: dict[str, Literal["A", "F"]] = {
    "a": "A",
    "army": "A",
    "armies": "A",
    "troops": "A",
    "amy": "A",
    "f": "F",
    "fleet": "F",
    "fleets": "F",
    "boat": "F",
    "flt": "F",
    "navy": "F",
    "ships": "F",
}
"""Words for the kind of a unit."""

_WORDS: dict[Action, str] = {
    "hold": """
        h hold holds holding held hld stand stands standing stay stays staying remain remains defend
        defends rests wait waits waiting sit sits""",
    "move": """
        - 2 m mv to into onto on upon against toward towards move moves moving go goes going attack
        attacks attacking advance advances retreat retreats retreating ret withdraw withdraws sail
        sails sailing mto rto march marches marching head heads heading walk walks walking proceed
        proceeds proceeding travel travels travelling traveling invade invades invading enter enters
        entering send sends sending takes captures occupies cross crosses crossing steam steams
        steaming""",
    "support": """
        s sup sups supp spt supps supported support supports supporting help helps helping assist
        assists assisting aid aids aiding back backs backing reinforce reinforces reinforcing
        suport suports supprt sprt sppt sustain sustains sustaining""",
    "convoy": """
        c cvy conv convoy convoys convoying convoyed convey conveys convoi transport transports
        transporting ferry ferries ferrying carry carries carrying escort escorts escorting cnv""",
    "build": "b bld build builds building raise raises recruit construct new",
    "disband": """
        d dsb disband disbands disbanding disbanded r rem remove removes removing removed
        retire destroy destroys destroyed debuild otb dissolve dissolves dissolved scrap scraps
        delete kill decommissioned demobilised demobilized""",
    "waive": "w wve waive waives waived wave decline declines pass skip postpone",
}

VERBS: dict[str, Action] = {word: does for does, words in _WORDS.items() for word in words.split()}
"""What an order word asks for. "-" is any arrow or dash."""

OFF_THE_BOARD = "otb"
"""What stands for the words "off the board"."""

TRAINS = frozenset(("rail", "train", "railway", "railroad"))
"""What a railway may be called on a map that has one."""

FIRST_VERBS: dict[str, Action] = {
    word: does
    for word, does in VERBS.items()
    if word in _words("b d r w")
    or (len(word) > 2 and word not in _words("into onto upon against toward towards wait waits"))
}
"""Verbs that may stand before their unit ("Build A Paris", "Hold A Paris"); to wait is said of
people, too ("Wait for me")."""

BY_CONVOY = _words("via by using with through vc convoyed")
"""Words that begin "by convoy"."""

SEA_WORDS = _words("convoy convoys convoyed c sea boat water fleet")
"""Words that end "by convoy"."""

ARTICLES = _words("the an in at from of my our your his its their unit for located stationed based")
"""Words that may stand before a name or a unit and mean nothing there."""

FILLERS = ARTICLES | _words(
    "and order orders move moves moving attack attacks advance advances going with to on into up"
)
"""Words that may follow "supports" and mean nothing there ("supports the move of A Mar to Bur")."""

COURTESIES = _words(
    "please kindly pls plz thanks thank thx cheers ok okay will shall should must would like want"
    " wants let i we is are be id ill im so um uh order orders also then and finally lastly"
    " first second third fourth fifth sixth bitte danke merci svp gracias grazie prego tack"
    " obrigado obrigada dziekuje prosze"
)
"""Words around an order that do not change it."""

AGAIN = frozenset(("it", "he", "she", "they"))
"""Words that name the unit once more: "The army of Venice, it goes to Trieste"."""

PLAINLY = frozenset(("just", "simply"))
"""Words between a unit and its verb that mean nothing there: "A Par just holds". In front of an
order they may mean that no other order changes."""

AROUND = COURTESIES | {"now"}
"""The same, where no name can stand: "now" may be a slip for Norway."""

ASIDES = frozenset(
    {("of", "course")}
    | {
        ("as", word)
        for word in _words("agreed always announced arranged discussed planned promised")
    }
    | {("as", "usual"), ("without", "prejudice")}
)
"""How clauses begin that follow an order and a comma, and do not change the order."""

CONDITIONS = _words(
    "if unless or not no none never do does did dont doesnt wont cannot cant but when while because"
    " except instead otherwise until has had could might were"
)
"""Words that do not continue an order, and are not misspelt names."""

IFS = _words("if unless falls wenn sofern si sauf salvo se tenzij indien jesli eger")
"""Those of these words and the following that begin a condition, whatever stands after them."""

FOREIGN_CONDITIONS = _words(
    "falls wenn nur ausser nicht kein ohne aber oder sofern si sauf pas non sinon mais ou seulement"
    " no salvo pero solo se tranne ma niet geen als tenzij indien maar of jesli nie chyba ale lub"
    " albo nao exceto mas om inte utom men eller если не кроме только но или esli krome tolko ili"
    " eger degil ama fakat veya yoksa haric sadece"
)
"""The same words in the languages in which we read orders: what follows may change an order."""

CALLING_OFF = (
    *("cancel", "void", "ignore", "delete", "withdrawn", "scratch", "obsolete", "wrong", "mistak"),
)
"""How words begin with which a note, or a polite word after an order, calls it off."""

DOUBTING = _words(
    "if unless or not else otherwise except instead until maybe perhaps possibly probably either"
    " tbd tbc unsure depending depends provided assuming tentative tentatively pending nope"
    " draft alternative alternatively alternately"
    " wenn falls oder sofern ausser nicht vielleicht eventuell sauf sinon ou quizas salvo"
    " oppure tenzij misschien chyba moze talvez kanske eller если или"
    " esli ili eger veya belki"
)
"""Words of a note, in brackets or after slashes, that make its order uncertain, or no order."""

_SLIPS = _words("oops ups whoops typo actually correction edit")
_CORRECTING = frozenset(
    {(word, follows) for word in _words("i you we") for follows in _words("mean meant")}
    | {("make", "that"), ("make", "it"), ("should", "be"), ("should", "read")}
)
_CORRECTED = _SLIPS | _words(
    "i you we mean meant make made that this it so is as was what should be read now really just"
    " sorry forgot fixed in my the a one last mail order business happy happen let s will want"
    " fun safe fine enough ok okay good well , ;"
)
"""Words of a note that put nothing in place of its order: "(oops, forgot this one)"."""


def corrects(words: Sequence[str]) -> bool:
    """Tell whether the words of a note put something else in place of its order: "(I mean Bur)",
    but not "(I mean it)"."""
    if _SLIPS.isdisjoint(words) and _CORRECTING.isdisjoint(pairwise(words)):
        return False
    return not _CORRECTED.issuperset(words)


NOTED_LETTERS: dict[str, Literal["A", "F"]] = {"(a)": "A", "(f)": "F"}
"""What stands for a letter in brackets after a name: "Brest (F)". It belongs to nothing else."""

ASKING = _words("should shall would will")
"""Words before "I" or "we" that ask rather than order."""

HOLD_TOGETHER = _words("hold stand stay remain")
"""What several units do; one holds."""

SWAPPING = _words("swap swaps swapping exchange exchanges trade trades")
"""Words for what two units do that go where the other one is, each by an order of its own."""

WAYS = _words("up down over across back on out straight")
"""Words that mean nothing before another word of a move ("goes up to")."""

IN_PLACE = _words("position put still tight ground fast firm there here in at home place its the")
"""Words that may follow a hold and add nothing ("holds its position")."""

BEFORE_MOVING = _words("as it is in its their they are")
"""Words between a supported unit and its move that mean nothing ("in its move to Bur")."""

EXCEPT = _words("except but save")
"""Words between what all units do and the orders of those that do something else."""

LINKS = _words("and & +")
"""Words between two units or two orders."""

EVERYBODY = _words("all everything everybody everyone rest remaining others")
ALL_WORDS = EVERYBODY | ARTICLES | _words("other else units armies fleets")
"""Words that stand for all units that have no other order ("all other units hold")."""

ALL_LEFT = _words("all rest remaining other others everything builds")
"""Words after "waive" that mean all builds that are left, where no number stands beside them."""

COUNTS = (
    {"one": 1, "two": 2, "both": 2, "three": 3, "four": 4}
    | dict.fromkeys(ALL_LEFT, 0)
    | dict.fromkeys(_words("build my the a of on them this year winter turn season time"), 0)
    | dict.fromkeys(_words("second third last"), 0)
)
"""Words that may follow "waive", with the number they mean."""

_LIKE_OTHERS = _words(
    "head heads heading walk walks walking takes captures cross crosses crossing steam steams"
)
"""Order words one slip away from plain words of prose: "heard", "leads", "talks", "across"."""

SPELT_OUT = tuple(word for word in VERBS if len(word) > 3 and word not in _LIKE_OTHERS)
"""Order words that are long enough to be recognised when misspelt."""

EXPECTING = LETTERS.keys() | {
    word for word, does in VERBS.items() if does not in ("hold", "disband", "waive")
}
"""Words after which an order cannot end: brackets that follow are not a note."""

SEASONS = _words(" ".join(IN_ENGLISH.values()))
HEADINGS = SEASONS | _words(
    "order orders move moves movement movements phase retreat retreats build builds adjustment"
    " adjustments removal removals disbands end"
)
"""Words of headings over orders ("Orders for Spring 1901")."""

SEASONS_ABROAD = _words(fold(" ".join(ABROAD.values()))) - SEASONS
HEADINGS_ABROAD = SEASONS_ABROAD | _words(
    "befehle zuge fur im den ordres pour le la de ordenes para el ordini per il ordens order"
    " voor van rozkazy na приказы на hier sind meine die voici mes aqui van estas son mis ecco i"
    " miei hierbij mijn oto moje har ar mina for"
)
"""The same in the languages in which names are read, where a season is among them."""

RANKS = _words("preference preferences priority")
"""Words of headings that say that the first order is wanted most: builds are taken from the top."""

GREETINGS = _words(
    "hi hello hey dear greetings good thanks thank thx cheers regards best kind yours sincerely"
    " sorry here these this below attached sent ciao bye"
)
"""Words that begin a line of politeness ("Hello everybody", "Best regards, Ann")."""

ENGLISH = (
    VERBS.keys()
    | LETTERS.keys()
    | COUNTS.keys()
    | BY_CONVOY
    | SEA_WORDS
    | FILLERS
    | COURTESIES
    | CONDITIONS
    | ASKING
    | IN_PLACE
    | LINKS
    | ALL_WORDS
    | HEADINGS
    | GREETINGS
)
"""All of these words; none of them shows that a line is in another language."""
