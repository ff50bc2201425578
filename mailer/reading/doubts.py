"""Words with which people take back an order in the same mail, attach a condition to it, or say
that they do not order it at all.

As in `phrases.py`, we try every pattern on short lines only, and each reads them once.
"""

from __future__ import annotations

import re

from mailer.reading import courtesies, seasons
from mailer.reading.patterns import any_of, one_word, says

_CALLS_OFF = (
    r"(?:ignore|disregard|forget|scrap|scratch|strike|cancel|delete|discard|drop|replaces?)"
)
_CALLS_OFF_ABROAD = (
    r"(?:vergiss|vergesst|(?<!nicht\s)vergessen\b|ignorier\w*|streich\w*|lösch\w*|oublie[zr]?|ignorez|annule[zr]?"
    r"|supprime[zr]?|olvid[ae]\w{0,3}|ignor[aei]\w{0,2}|cancel[ae]\w{0,2}|anul[ae]\w{0,3}|dimentica\w{0,2}"
    r"|annulla\w{0,2}|vergeet|negeer|schrap|esque[cç]\w{1,3}|glöm|stryk|ignorera|zapomnij\w{0,3}|zignoruj\w{0,3}"
    r"|anuluj\w{0,3}|забудь\w{0,2}|отмени\w{0,3})"
)
_DO_NOT_USE = (
    r"\b(?:do\s+not|don['’]?t)\s+(?:use|enter|process|count|follow|submit|execute|record)\s+"
    r"(?:any\s+of\s+)?(?:these|this|those|them|it|the\s+following)\b(?:\s+(?:orders?|moves?|yet|now|please))*"
)
_NO_ORDERS = (
    r"\b(?:th(?:is|ese)\s+(?:is|are)\s+not|(?:nothing|none)\s+of\s+(?:this|these|it|them)\s+(?:is|are))"
    r"\s+(?:(?:an|my|the|real|actual)\s+)*orders?"
)
_IS = r"(?:(?:this|that|it) (?:is|was)|it['’]s|just|only) "
_TEST = rf"(?:{_IS})*(?:an? )?test(?: (?:mail|message|only))*"
_IGNORE_IT = (
    r"(?:please )?(?:ignore|disregard)(?: (?:this|that|it|me|please|e-?mail|mail|message))*"
)
_NOT_DENIED = r"(?<!\bnot\s)(?<!n['’]t\s)(?<!\bnever\s)(?<!\bnot\sto\s)"
CALLS_OFF_ALL = says(
    rf"^\W*(?:{_TEST}\W+)?{_IGNORE_IT}[\s.!]*$",
    rf"{_NOT_DENIED}\b{_CALLS_OFF}\b.{{0,30}}\babove\b",
    r"(?<!\bnothing\s)\babove\b(?!.{0,40}(?:\bnot|\bnever|n['’]t)\b).{0,40}\b(?:wrong|void|obsolete|mistaken?|jokes?|fake|nonsense|cancell?ed"
    r"|withdrawn)\b",
    r"\btak(?:e|ing) (?:(?:it|that|this) all|(?:all of )?(?:them|these|those)|everything)"
    r" back\b",
    rf"{_NOT_DENIED}\b{_CALLS_OFF} (?:all (?:of )?(?:this|that|it)|(?:all of )?(?:these|them|those)"
    r"|everything)(?: (?:orders?|moves?|all|please|for now))*[\s.!]*$",
    rf"(?!.*:$)(?:{_DO_NOT_USE}|{_NO_ORDERS})[\s.!]*$",
)
"""Takes back everything above it in the mail: "Please ignore the above"."""
_CALLED_OFF = (
    r"(?:ignored?|disregarded?|void(?:ed)?|obsolete|cancell?ed|withdrawn|revoked|deleted|discarded"
    r"|scrapped|superseded|fakes?|bogus|false|invalid|never"
    r"|no(?: to (?:all (?:of )?)?(?:this|these))?)"
)
_PLACE_IN_LIST = (
    r"(?:very )?(?:first|second|third|fourth|fifth|last|middle)(?: (?:one|orders?|moves?|line))?"
)
CALLS_OFF_ONE = says(
    rf"\W*(?:(?:please|and|but|oh|no|just|ok|okay|sorry|actually)\W+)*{_CALLS_OFF} (?:the|that"
    r"|this|my) (?!.*\b(?:previous|earlier|old|former|mails?|messages?)\b)(?:.{0,40}\b"
    "(?:ones?|lines?)|(?:very )?(?:first|second|third|fourth|fifth|middle|top|bottom|other)"
    r"|(?:\w+ )?(?:first|second|third|fourth|fifth|middle|top|bottom|red|green|blue|yellow)"
    r" (?:orders?|moves?))\W*$",
    rf"\W*(?:but )?(?:not|except|without|minus)(?: for)? (?:the|my) {_PLACE_IN_LIST}\W*",
    rf"\W*(?:the|my) {_PLACE_IN_LIST} (?:is|was|does|should)(?:(?: not|n['’]t)\b"
    rf"(?!(?: an?)? (?:jokes?|mistakes?|typo|wrong|draft|{_CALLED_OFF})\b).{{0,30}}"
    rf"|(?: only| just| an?)* (?:jokes?|mistakes?|typo|wrong|draft|{_CALLED_OFF}))\W*",
)
"""Takes back one of the orders above without naming it: "Forget the second one"."""
_JUST = one_word("just only nur bloß solo soltanto apenas bara tylko alleen juste")
JOKES = says(
    r"\W*(?:(?:ha){1,5}h?\W+|lol\W+|(?:ok|okay|no|nah)\W+)?"
    rf"(?:(?:i am|i['’]m|i was|(?:this|that|it|these) (?:is|was|are|were)|(?:that|it)['’]s) )?"
    rf"(?:{_JUST} )?(?:joking|kidding|(?:an? )?jokes?|jk|j/k|teasing)(?: (?:of course|again))?\W*",
    rf"\W*(?:(?:das|dies|es) )?(?:(?:ist|war) )?(?:{_JUST} )?(?:ein )?(?:kleiner )?"
    r"(?:scherz|witz)(?: gewesen)?\W*|\W*nur spaß\W*",
    r"\W*(?:je (?:plaisante|rigole|blague)|(?:c['’](?:est|était) )?une (?:blague|plaisanterie)"
    r"|(?:es|era) (?:una )?broma|(?:sto )?scherz(?:o|ando)|(?:era )?uno scherzo|grapje"
    r"|(?:é|era) brincadeira|żart(?:uję|owałem)?|skämt(?:ar)?(?: bara)?|шучу|шутка)\W*",
)
"""A line that calls everything above it a joke: "Only joking."."""
_NEW_MIND = (
    rf"{_CALLS_OFF}|{_CALLS_OFF_ABROAD}|no,?\s+wait|wait,?\s+no|h?mm+,?\s+no|on\s+(?:second\s+thoughts?|reflection)"
    r"|chang(?:ed?|ing)\s+(?:of|my)\s+mind|(?:make|made)\s+that|i\s+meant?|instead|rather"
    r"|corr?ections?|corrected|edit(?:ed)?|updated?"
    r"|(?:final|real|new|correct|revised)\s+(?:orders?|moves?|version)|decided\s+against"
    r"|take\s+(?:it|that|this)\s+back"
    r"|changes?\W{0,3}(?=:)|korrektur|stattdessen|doch\s+lieber|corrección|mejor|plutôt|correzione|anzi|invece"
)
NEW_MIND = re.compile(rf"\b(?:{_NEW_MIND})(?!\w)", re.IGNORECASE)
"""Words after which people order again: "Changed my mind:"."""
_SLIP = any_of(
    *("sorry", "oops", "whoops", "mistakes?", "typo", "wrong"),
    *(r"falsch\w*", "entschuldigung", "sondern"),
    *("faux", "erreur", "désolé", "pardon"),
    *("error", r"equivoqu\w+", "perdón"),
    *("errore", r"sbagli\w+", "scusa", "scusate"),
    *("fout", r"errad[oa]", "fel", "błąd"),
)
_OTHERWISE = any_of(
    r"(?<=^)no(?=\s*[,.:;!–-])",
    r"(?<=^)or(?=\s)",
    "(?<=^)(?:alternatively|maybe|perhaps|otherwise)",
    r"(?<!no\s)(?<!may\s)(?<!might\s)chang(?:e|ed|ing)",
    *(r"p{1,3}\.?s", "actually", "after all"),
    r"not\b.{1,40}\bbut",
)
DOUBT = says(rf"\b(?:{_NEW_MIND}|{_OTHERWISE}|{_SLIP})(?!\w)")
"""All of these, and words that may correct an order by naming it: "PS: A Par - Gas"."""
APOLOGY = re.compile(r"\W*(?:sorry|pardon|oops|whoops|entschuldigung)\b", re.IGNORECASE)
# As in lists on phones and in Markdown.
UNTICKED, TICKED = re.compile(r"\W{0,3}(?:\[ ?\]|[☐□])"), re.compile(r"\W{0,3}(?:\[[xX]\]|[☑☒])")
HEADS_OLD = says(
    r"\W*(?:th[ei]se? (?:are|were) )?(?:(?:my|the) )?(?:old|previous|former|earlier|wrong"
    r"|last (?:turn|season|phase|year)(?:['’]?s)?) (?:orders?|moves?)(?: (?:are|were))?\W*",
    r"\W*(?:\w+\W*\|\s*)?(?:old|before|was)(?: orders?)?\s*\|\s*(?:new|now|after)"
    r"(?: orders?)?\W*",
)
"""A heading of orders that no longer count: "My old orders:", "Old | New"."""
_FOLLOW = one_word(
    "use take read enter process count follow obey submit execute record adjudicate accept send"
)
_BELOW = (
    r"(?:(?:the|my|all|any(?: of)?) )*"
    r"(?:(?:orders?|moves?|lines?) below|below (?:orders?|moves?|lines?))"
)
HEADS_IGNORED = says(
    rf"\W*(?:please )?{_CALLS_OFF} (?:all (?:of )?)?(?:this|these|those|the following"
    rf"|everything below|{_BELOW})"
    r"(?: (?:orders?|moves?|lines?|below|please|for now))*\W*",
    rf"\W*(?:{_TEST}\W+{_IGNORE_IT}|(?={_IS}){_TEST}|{_IGNORE_IT})\W*",
    rf"(?!.*\byet\b)\W*(?:please )?(?:{_DO_NOT_USE}|{_NO_ORDERS})\W*",
    rf"(?!.*\byet\b)\W*(?:please )?(?:do not|don['’]?t|never) {_FOLLOW} {_BELOW}\W*",
    r".{0,40}\bnot (?:to be |for )(?:process|adjudicat|us|enter|follow|execut|count)(?:ed|ing)\W*",
    rf"\W*(?:(?:orders?|moves?|th(?:is|ese)(?: (?:orders?|moves?))?) (?:is|are) )?{_CALLED_OFF}"
    r"(?: (?:orders?|moves?))?\W*",
    rf"\W*{_CALLED_OFF} (?:orders?|moves?)\b.{{0,40}}:\W*",
    r"(?:.{0,40}\W)?not (?:(?:as|really|actually|any|my|the|real|actual) )*orders?\s*:\W*",
    r"\W*(?:what )?(?:i|we) (?:(?:will|shall|do|am|are|would|may) not|won['’]t|don['’]t|refuse to"
    r"|never)(?: (?:do|order|want|go|use|play|move|make|going to|be doing)){0,3}"
    r"(?: (?:this|these))?\W*",
    r"(?!.*\b(?:last|previous|earlier|former|old|other)\b).{0,60}\b(?:by|in) (?:mistake|error)\W+"
    r"(?:please )?(?:ignore|disregard).{0,20}",
    r"(?!.*(?:\bnot|n['’]t)\b)(?:.{0,60}\W)?for (?:the|an|my) ?other game\W*",
    r"\W*(?:only |just )?(?:(?:any )?one|either|some) of (?:these|them|the following)\b"
    r"(?! (?:is|are|may|might|will|look|looks|seem|seems)\b).{0,20}",
)
"""A line above all orders that calls them off: "Ignore these:", "A test, please ignore."."""
VOID = says(rf"\W*(?:an? )?(?:draft|{_CALLED_OFF})\W*")
"""A note that says that its order does not count: "cancelled"."""
HEADS_NONE = says(
    r"(?!(?!.*\bchang).*\b(?:but|except|besides|than) (?:for )?(?:this|these|the following)\b)"
    rf"{courtesies.NONE_WANTED}"
)
"""A heading of orders that are not wanted: "No disbands:", but not "No builds but these:"."""
HEADS_TALK = re.compile(
    r"\W*(?:an?\s+)?examples?\W*|\W*(?:for\s+(?:example|instance)\W+)?(?:what\s+)?if\s+(?:i|we)"
    r"\s+(?:wrote|write|ordered|sent|were\s+to\s+(?:write|order|send))\W*"
    r"|\W*(?:is|are)\s+(?:this|these|that|it|the\s+following)\s+(?:orders?\s+|moves?\s+)?"
    r"(?:legal|possible|allowed)\s*\?\W*"
    rf"|.{{0,60}}(?:{_DO_NOT_USE}|{_NO_ORDERS})\W*:\s*"
    r"|(?:.{0,30}\W)?(?:would|could)\s+(?:this|these|it|that|the\s+following)\b.{0,20}"
    r"\b(?:legal|possible|allowed|valid|works?|happen)\W*"
    r"|what\s+(?:would\s+)?happens?\s+(?:if|when)\b.{0,40}"
    r"|(?:as|for|zum|par|por|per|na)\s+(?:an\s+)?(?:example|instance|beispiel|exemple|ejemplo|esempio"
    r"|exemplo|przykład)\W*|(?:bijvoorbeeld|örneğin|e\.g\.|(?:just\s+)?imagine)\W*"
    r"|.{0,30}\b(?:can(?:not|['’]?t)\s+decide|undecided)\s+(?:between|which)\b[^:]{0,40}:?\s*",
    re.IGNORECASE,
)
"""A heading of moves that the writer only talks about: "Would this be possible?"."""
_SAID_BEFORE = (
    r"(?:yesterday|before|earlier|previously|so\s+far|last\s+(?:time|night|week)|gestern|ayer|ieri)"
)
_SENT = r"(?:sent|ordered|wrote|written|had|gave|submitted|stood|was|were|geschickt|gesendet)"
_FROM_BELOW = one_word(
    "reversed? inverse inverted backwards? ascending increasing least worst not never which keep"
    " keeping spare save protect retain"
)
HEADS_RANKED = says(
    rf"(?=.*\b{_FROM_BELOW}\b|.*n['’]t\b).{{0,60}}\bin (?:\w+ ){{0,2}}order(?: of \w+)?\s*[:.?]+"
)
"""A heading that ranks units in another way than ours, which is from the top down: "Keep in this
order:", "In reverse order of preference:"."""
HEADS_CHAT = says(
    r"[^\W\d].{0,40}\s[-–—|·]?\s*\(?(?:(?:today|yesterday|heute|gestern|aujourd['’]hui|hier"
    r"|hoy|ayer|oggi|ieri)\b.{0,5}\s)\d{1,2}[:.]\d\d(?:\s?[ap]m)?\)?\W*",
)
"""A heading of somebody's words in a copied chat: "Dora — Today at 10:04"."""
CALLS_OFF_NAMED = says(
    rf"\W*(?:(?:please|and|but|oh|no|actually)\W+)*(?:{_CALLS_OFF}|hold off|never mind|do not move"
    r"|don['’]t move) (?:(?:the|my|on|about|order|orders|move|for|of|from|in|army|fleet|to) ){0,4}"
    r"(?P<name>[^\W\d_][\w .'’-]{1,25}?)(?: (?:orders?|moves?|army|fleet))?\W*",
    rf"\W*(?P<place>[^\W\d_][\w .'’-]{{1,25}}?)(?:\s*:\s*|\s+is\s+|\s+)"
    rf"(?:cancel|{_CALLED_OFF}|(?:should|must|will|does) not (?:move|go))\W*",
)
"""Calls off an order by the name of a place alone: "Cancel Marseilles"."""
STARRED = re.compile(r"\*\s?[^\W\d_][\w .'-]{1,24}\*?\W*")
"""A correction of a word mistyped in the line above: "*Bur"."""
MENTIONS = says(
    r"(?!.*(?:\b(?:not?|never|without|if|unless|or|nicht|kein\w*|pas|non|niet|não|inte|nie|не)"
    r"\b|n['’]t\b))\W*p{1,3}\.?s\b(?P<said>.*)",
)
"""A postscript that denies nothing."""
HEADS_SENT = says(
    r"\W*instead of(?: th[ei]se)?\W*",
    "i (?:had |was |first |originally |only )*(?:thought|thinking|considered|considering)"
    r"\b.{0,20}",
    r"(?!.*\b(?:should|same|except|but|chang\w*|about)\b).{0,60}\b"
    rf"(?:{_SENT}\b.{{0,30}}\b{_SAID_BEFORE}|{_SAID_BEFORE}\b.{{0,30}}\b{_SENT})\b[^:]"
    r"{0,20}:\s*",
)
"""A heading of an earlier mail's orders, if this mail's stand below another heading: "Here is what
I sent yesterday:"."""
IF_ABROAD = (
    *("sofern", "vorausgesetzt", "es sei denn", "außer wenn", "à condition", "pourvu", "sauf si"),
    *("à moins que", "siempre que", "a condición", "a menos que", "a condizione", "purché"),
    *("a meno che", "mits", "tenzij", "pod warunkiem", "chyba że", "desde que", "a não ser"),
    *("förutsatt", "såvida", "при условии"),
)
"""Words that make an order depend on something, besides the plain words for “if”."""
HEADS_LATER = says(
    r"\W*(?:(?:for|in|and|but|then|so|my|the|plans?|ideas?|orders?|moves?|für|im|den|dann|pour"
    r"|puis|en|para|per|el|la|il|voor|de|het) |l['’])*"
    r"(?:next (?:turn|season|phase|move|year)|later|afterwards?"
    rf"|(?P<season>{seasons.WORDS})(?: (?:orders?|moves?|builds?))?)"
    rf"(?P<case>\W+(?:if|unless|provided|assuming|wenn|falls|si|{any_of(*IF_ABROAD)})\b[^:]{{1,60}})?"
    r"\W*",
)
"""A heading of orders for a later phase, without its year: "Fall:", "Next turn, if all goes
well:"."""
_BEFORE_IF = one_word(
    "but and or only nur aber seulement mais solo pero ma alleen maar apenas mas bara men tylko ale"
)
_IF = any_of(
    "(?P<if>if)",
    *("in case", "unless", "subject to", r"provided(?! (?:below|here)\b)", "providing that"),
    *("on (?:the )?condition", "(?:as|so) long as", "assuming", "in the event"),
    r"should(?! (?:be|do|have|i|we|you)\b)",
    *("falls", "wenn", "si", "se", "als", "indien", "jeśli", "jeżeli", "om", "если"),
    *IF_ABROAD,
)
_BUT_NOW = (
    r"\b(?:but|aber|mais|pero|ma|maar)\W+"
    + any_of(
        *("(?:for|right|till|until) now", "(?:un)?till? then", "for the (?:moment|present)"),
        *("vorerst", "erst ?mal", "pour l['’]instant", "por ahora", "per ora", "voorlopig"),
    )
    + r"(?: (?:i|we|my|the|orders?|moves?|do|want|are|is)){0,5}\s*:"
)
"""The end of a heading that has just discussed another case: "If Italy comes I'd go back, but
now:"."""
HEADS_CONDITION = says(
    rf"(?!.*{_BUT_NOW})(?!\W*if (?:i may|you please)\W*$)"
    rf"\W*(?:{_BEFORE_IF} )*(?:{_IF}\b,?\s++(?P<said>.+?)(?<!\s)|(?:otherwise|failing that)\b)"
    r"\s*+(?P<end>[:,]|,?\s*\b(?:then|dann)\b\W*|)"
)
"""A heading of orders for one case only: "In case Germany attacks Burgundy:"."""
_BEFORE_CONDITION = says(
    r"\W*(?:(?=[^,(:–—]{0,60}\b(?:orders?|moves|retreats|builds|disbands)\b)[^,(:–—]{1,60}[,(–—]\s*"
    r"|(?:(?:my|our|the|these|this|here|are|for|in|all|orders?|moves?|set|plans?|turn|phase|season"
    rf"|movement|{seasons.WORDS}|\d{{4}}|[sfw]\d{{2,4}}[mra]?)\b[\s,(–—-]*){{1,7}})"
    r"(?!\W*(?:if (?:any|needed|necessary|required|possible|i may|(?:a )?(?:bit|little)|late"
    r"|you (?:need|want|like|missed|please))|in case (?:you|they|it)|unless (?:i|you))\b)",
)
"""Words of a heading before its condition: "My orders for spring, if Italy agrees:"."""
IF_DISLODGED = says(
    r"^\W*(?:if|when|where) (?:(?:it|they|i) (?:is|are|am|gets?)"
    r" )?dislodged\s*[,:]?\s*(?:then )?",
)
"""A condition that every unit that has to retreat meets."""
_UNLESS_I = any_of(
    "unless (?:i|you|we)",
    r"(?:if|in case) (?:i|you|we) "
    r"(?:(?:do|did|have|ca|can|could|wo|will)(?:\s*not|n['’]?t)|forget|miss)",
    "if nothing",
)
_WRITE_AGAIN = any_of(
    *(r"writ\w+", "send", "sent", r"hear\w*", "say", "said", r"mail\w*", r"receive\w*", "reply"),
    r"g[eo]t(?= (?:back|home|to|any))",
    *("comes?", "make", "manage", "change", "you", "from", "of", "me", "we", "i", "us", "my"),
    *("again", "anything", "something", "otherwise", "else", "any", "more", "other", "different"),
    *("new", "orders?", "moves?", "mind", "them", "these", "further", "later"),
    *(r"\w{3,6}day", "before", "by", "until", "till", "then", "the", "a", "deadline", "tonight"),
    *("tomorrow", "today", "back", "in", "on", "at", "time", "it", "to", "home"),
)
_IT_IS = r"(?:(?:it|this|that)(?: is|['’]s)|(?:they|these|we)(?: are|['’]re)|i(?: am|['’]m))"
OF_NO_MATTER = says(
    rf"\W*(?:(?:but|and|or|just|only) )*{_UNLESS_I}(?: {_WRITE_AGAIN})+(?:\s*,[^:]{{0,40}})?\W*",
    rf"\W*(?:but )?if (?:{_IT_IS} )?"
    r"(?:not (?:yet |already )?too late|still (?:in time|possible|of (?:any )?use)|in time"
    r"|(?:ok(?:ay)?|fine|all ?right)(?: (?:with|by|for) (?:you|all|everybody|everyone))?)\W*",
    rf"\W*unless {_IT_IS} (?:already )?too late\W*|\W*if (?:it|this|that) (?:helps|works)\W*",
    r"\W*(?:th(?:is|ese) (?:is|are) )?(?:only |just )?"
    r"(?:provisional(?:ly)?|preliminary|tentative(?:ly)?|for now|for the moment)"
    r"(?: (?:orders|moves|set))?\W*",
    r"\W*(?:all )?subject to (?:later |any |further )?changes?\W*",
    r"\W*(?:unless|if not) (?:otherwise )?"
    r"(?:told|stated|noted|advised|changed|corrected)(?: otherwise)?\W*",
)
"""Conditions that hold until another mail comes: "Unless you hear from me again:"."""


PROVISIONAL = says(
    r"\W*(?:(?:th(?:is|ese) (?:is|are)|my|only|just|still) )*"
    r"(?:provisional(?:ly)?|preliminary|tentative(?:ly)?)\b"
    r"(?: (?:orders|moves|set))?\W*(?:(?:they |it )?(?:may|might|can) change\b.{0,40})?",
    rf".{{0,40}}(?:{_DO_NOT_USE}|\bnot (?:to be )?(?:processed|used|final) yet)\W*",
)
"""A heading of orders that may still be replaced: "Provisional orders:"."""
SHOULD_BE = says(r"\bshould (?:be|read|say|have been)\W*$")
"""The end of an order that the next one replaces: “A Par - Bur should be”."""
THINKS_ON = says(
    r"\b(?:let me|(?:i|we)(?:['’]ll| will| need to| have to| must| want to|['’]d like to))"
    r" (?:re-?)?think (?:again|about|it over|more|some more|twice)\b",
    r"(?<!\bwas\s)(?<!\bwere\s)(?<!\bnot\s)"
    r"\bstill (?:thinking|deciding|undecided|talking to|negotiating)\b",
    r"\b(?:i|we|they|these|this|it|orders) (?:may|might|could) (?:still )?change\b",
    r"(?<!\bi\s)(?<!\bwe\s)\b(?:do\s*not|don['’]t) count on (?:it|that|(?:these|those|this|them|my)"
    r"(?: (?:orders?|moves?|set))?)(?: yet| please)?\b(?! \w)",
)
"""Words anywhere in a line that say that its writer may still order something else."""


def condition_of(heading: str) -> str:
    """Return a heading from its condition on: "if Italy agrees:" of "My orders, if Italy agrees:".
    Any other line is returned whole."""
    before = _BEFORE_CONDITION.match(heading)
    rest = heading[before.end() :] if before else ""
    return rest if HEADS_CONDITION.fullmatch(rest) else heading


def without_no_matter(text: str) -> str:
    """The line without a harmless condition before its order, as in "Unless I write again: A Par -
    Bur"."""
    head, _, rest = text.partition(":")
    return rest.strip() if rest.strip() and OF_NO_MATTER.fullmatch(head) else text


HEADS_BUILDS = re.compile(
    r"\W*(?:(?:for|if|any|my|the|and|winter)\s+)*(?:builds?|adjustments?|construction)\W*",
    re.IGNORECASE,
)
"""A heading of builds: "Builds:"."""
HEADS_RETREATS = re.compile(
    r"\W*(?:(?:for|if|any|my)\s+)?retreats?\b(?:\s+(?:\d{1,2}|one|two|three|four|five))?(?:\W*:\s*\S.*|\W*)",
    re.IGNORECASE,
)
"""A heading of retreats: "Retreats:"."""
