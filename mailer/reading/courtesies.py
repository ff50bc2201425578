"""What people write around orders and commands out of politeness: greetings, good wishes, thanks,
and the announcement that orders follow.

As in `phrases.py`, every pattern is tried on short lines only and reads them once.
"""

from __future__ import annotations

import re

from mailer.reading import seasons
from mailer.reading.patterns import any_of, followed_by, led_by, one_word, says

HELLO = (
    r"(?:hi|hello|hey|dear|greetings|good\s+(?:morning|evening|afternoon|day)|hallo|liebe[rs]?|moin"
    r"|servus|guten (?:tag|morgen|abend)|all[oô]|bonjour|bonsoir|salut|cher|chère|hola"
    r"|buen[oa]s (?:días|tardes|noches)|estimad[oa]|querid[oa]|boa (?:noite|tarde)|bom dia"
    r"|goede(?:morgen|middag|navond)|god (?:morgon|kväll|dag)|dobry wieczór"
    r"|добрый (?:день|вечер)|доброе утро|ciao|salve|gentile|buongiorno|buonasera|beste|hoi|dag|olá"
    r"|oi|car[oa]|cześć|witam|dzień dobry|hej|こんにちは|selam(?:lar)?|merhaba|günaydın"
    r"|iyi (?:akşamlar|günler))\b"
)
"""Words that greet somebody."""
HAS_GREETED = re.compile(
    rf"(?:@\s?(?:judge|server|gm)\b|(?:to\s+(?:the\s+)?)?(?:judge|server)\b(?=\s?[:,])|{HELLO})"
    r"(?: (?:(?:an?|à) )?(?:alle|all|zusammen|leute|tous|todos|tutti|allemaal|there"
    r"|every(?:body|one)|again|folks|guys|judge|server|gm|sir|team))*"
    r"(?P<pause>[,.!:–—-]*)\s+",
    re.IGNORECASE,
)
"""A greeting and its addressee, with the pause after them: "Hi there, "."""
GREETING = re.compile(
    HELLO +
    # "Hi, small change, the rest as before" keeps earlier orders.
    r"(?!.*\b(?:as\s+before|unchanged|amend|(?:rest|else)\b.*\bsame)\b)"
    # "Hello, how do I join a game?" and "Hi, I'd like to play" ask for something.
    r"(?!.*\b(?:how|where|when|can|could|may|do|must)\s+(?:\w+\s+)?(?:i|we)\b)"
    r"(?!.*\b(?:i|we)\s*(?:want|need|wish|would|['’]d)\b)"
    r"[^:\->–—]{0,40}",
    re.IGNORECASE,
)
DASH_AFTER_GREETING = says(
    rf"(?P<greeting>{HELLO}(?: [^\W\d_]+\.?){{0,3}})\s[-–—]{{1,3}}\s(?=(?:[^\W\d_]+ here|"
    + one_word(
        "sorry apologies i we it this thanks thank just nothing hope hoping great good nice"
        " quick short orders"
    )
    + r"|(?:greetings|regards) from)\b)"
)
"""A dash in place of a comma: "Hi all - sorry I'm late"."""
EXPRESSIVE = re.compile("[?!\u2600-\u27bf\u2b50-\u2b55\U0001f000-\U0001faff]|[:;]-?[()]")
"""Signs with which people say something without a word."""
_CHANGES = any_of(
    *("add", "amend", "change", "same", "except", "missing", "forg[eo]t"),
    r"(?:not|none|nothing|against)\b",
)
_NONE = one_word(r"no kein\w* aucune? ning[uú]n\w* nessun\w* geen nenhum\w* żadn\w+ inga? никак\w+")
_ORDERS_ABROAD = one_word(
    "befehle züge rückzüge aufbauten abbau abbauten auflösungen ordres dissolutions"
    " retraites constructions? órdenes retiradas"
    " construcciones ordini ritirate costruzioni ordens rozkazy odwroty"
)
_ORDERED = rf"(?:orders?|moves?|retreats?|builds?|disbands?|removals?|{_ORDERS_ABROAD})\b"
NONE_WANTED = (
    rf"\W*(?:there (?:is|are) )?{_NONE} (?:(?:more|other|further) )?{_ORDERED}"
    rf"(?!.*\b(?:{_ORDERED}|after|these)\b)[^:.,;]{{0,40}}:\s*"
)
"""A heading of orders that are not wanted: "No disbands:", but not "No builds, disbands:"."""
INTRODUCTION = says(  # which phase they are for, and that others stay, must be heeded
    rf"(?!{NONE_WANTED}$)(?!.*\b(?:fakes?|bogus|decoys?|invalid|other game)\b)"
    r"(?!(?!.*\b(?:all|earlier|previous|old|last|former)\b).*\b(?:void|cancell?ed|obsolete|withdrawn)\b)"
    rf"(?!.*\b(?:{seasons.WITH_YEAR}))(?!.*\b{_CHANGES}|.*n['’]t\b)(?=.{{0,80}}[:：]$)"
    r".{0,60}\b(?:orders?|moves|retreats|builds|disbands|removals|adjustments"
    rf"|{_ORDERS_ABROAD})"
    rf"\b.{{0,40}}"
)
_I_ORDER = (
    "(?:i|we)(?:['’]d)? (?:(?:would|will|want|wish|like|to|hereby) ){0,5}order "
    "(?:as follows|the following)"
)
_NOW = "(?:this|the (?:first|opening|current|present)) (?:time|turn|phase|season|round|move)"
HEADS_ORDERS = says(
    # New orders replace those of an earlier mail in any case, except below AMEND.
    r"(?:(?:please|pls|kindly|sorry)\W+)*(?:ignore|disregard|forget|discard|scrap) (?:my|the|that)"
    r" (?:previous|last|earlier|first|other) (?:e-?mail|mail|message|orders|moves|set)\W+"
    r"(?:(?:and )?use )?(?:these|the following|those below)(?: (?:orders|moves|ones))?"
    r"(?: (?:are (?:the|my) (?:right|real|final|new) (?:ones|orders|moves)|count|instead))?\s*:",
    r"(?:please|pls|kindly)?\s*(?:find|see(?=.*\b(?:below|attached|enclosed)\b)) "
    + led_by("my our the attached below enclosed here")
    + r"(?:orders|moves)(?: (?:below|here))?[\s.!]*",
    r"(?:here|these|below|following) (?:are|is) (?:my|our|the) (?:orders|moves)"
    r"(?: for this \w+)?[\s.!]*",
    rf"(?:my|our) (?:orders|moves)(?![\s.]*$)(?: (?:for )?{_NOW})?(?: are)?"
    r"(?: \(sorry\b[^()\d]{0,40}\))?[\s.:]*",
    led_by("my our the these here are") + r"final (?:orders|moves)[\s.:]*",
    rf"{_I_ORDER}[\s.:]*",
    r"orders (?:of|for) the day[\s.:]*",
    r"as (?:discussed|agreed|promised|announced|always|usual)\s*:+",
    r"(?:[*•·-] )?(?:armies|fleets)\s*:?",
)
"""A heading that says nothing about the orders below it: "Please find my orders below.",
"Fleets:"."""
_ABOUT_ORDERS = (
    r"(?:are|is|as|this|the|our|game|turn|phase|season|round|year|movement|follows?|following|below|here"
    rf"|for|of|in|{seasons.WORDS})\b"
)
# Each word can be read in one way only: with two ways, a long line would take for ever.
_FOR_WHOM = (
    rf"\b(?<=for|.of|.in)\s+(?!(?:next|last|later|tomorrow)\b|{_ABOUT_ORDERS})[^\W\d_]{{1,20}}\b"
)
_THESE_ARE = "(?:here|these|the following|below|my|our)" + followed_by(
    "are is my our the here below following"
)
ORDERS_FOLLOW = says(
    rf"\W*(?:{_I_ORDER}"
    rf"|{_THESE_ARE} (?:orders|moves)"
    rf"(?:[\s,]+(?:{_ABOUT_ORDERS}|(?:{seasons.WITH_YEAR})[mra]?\b)|{_FOR_WHOM})*)\s?[.:]"
)
"""A sentence that announces orders, whose and for when, but says nothing else about them: "Here are
my orders for Spring 1901."."""
FINAL_ORDERS = says(
    r"(?:(?:my|our|the|these|here|are) ){0,4}final (?:orders|moves)(?: are)?\s*:",
    r"(?:(?:my|our|the) )?(?:final )?(?:orders|moves)"
    rf"(?:[\s,]+(?:{_ABOUT_ORDERS}|(?:{seasons.WITH_YEAR})[mra]?\b)|{_FOR_WHOM})* are\b(?=\s)",
)
"""The same in a few words: "Final orders: ", "My orders are "."""
_SEEN = any_of(
    *("many", "all", "thanks", "thank you", "thx", "cheers", "danke", "merci", "and"),
    *("confirmed", "received", "noted", "understood", "got (?:it|them|that)"),
    *("great", "perfect", "good", "fine", "right", r"(?:that|this|it)?\s*looks?"),
    r"[\u2600-\u27bf\U0001f000-\U0001faff]",
)
ACKNOWLEDGES = says(
    r"(?=.{0,60}\b(?:confirmed|received|noted|understood|got (?:it|them|that)|looks?|all good)\b)"
    rf"(?:{_SEEN}[\s,.!]*)+"
)
"""An acknowledgement of our mail: "Thanks, confirmed!". It is no yes, and not meant for others."""
_BUILDS_ARE = one_word(
    "my our the please pls here are winter builds? building disbands? disbanding removals? removes?"
    " removing adjustments? retreats? moves? orders? units?"
)
RANKING = says(
    rf"(?:{_BUILDS_ARE} ){{0,4}}in (?:(?:this|descending) )?order"
    r"(?: of (?:preference|priority))?\s*[:.]"
)
"""A heading that ranks builds or disbands, of which we take the first anyway: "Builds in order of
preference:"."""
_I_HAVE = one_word(
    "i we have got just only here are also my an? some few couple of two three four quick short"
    " more other"
)
HEADS_QUESTIONS = says(rf"(?:{_I_HAVE} ){{0,8}}questions?(?: (?:for you|please))?\s*[:.!]*")
"""A heading of questions: "A few questions:"."""
CLOSING = re.compile(
    r"([aà]\+|[aà] plus|[aà] bient[oô]t|bi[sz]ous?|bises|(xo){2,4}|xx+"
    r"|(many )?(thanks( you)?|thank you|thx|cheers|regards|sincerely|danke( schön)?"
    r"|(with )?(friendly|kind|best|many) greetings"
    r"|(best|kind|warm|yours)( regards| wishes| sincerely| truly| faithfully)?"
    r"|(viele|liebe|beste|schöne|mit freundlichen) grü(ß|ss)e?n?|grü(ß|ss)e|gruß|vg|lg|mfg"
    r"|by order(?=,)|merci( beaucoup| bien| ben)?"
    r"|cordialement|amicalement|bien à vous|gracias|saludos( cordiales)?"
    r"|un saludo|grazie( mille)?|(cordiali )?saluti|bedankt|groet(en|jes)?"
    r"|met vriendelijke groeten?|obrigad[oa]|((um|grande|un) )?abra[cçz]os?|abs|abçs?|bjs"
    r"|cumprimentos|dziękuję|pozdrawiam|pozdrowienia"
    r"|tack|hälsningar|(med vänliga|vänliga) hälsningar|mvh|よろしくお願いします"
    r"|с уважением|с наилучшими пожеланиями|всего (доброго|хорошего)|спасибо|з повагою|дякую"
    r"|s (pozdrave?m|pozdravom|poštovanjem|štovanjem)|děkuji|lep pozdrav|üdvözlettel|köszönettel"
    r"|(ystävällisin )?terveisin|(med )?venn?lig hilsen|hilsen|saygılar(ımla)?|cu stimă"
    r"|με εκτίμηση))(?!\w)"
    r"(\s+(in advance|im voraus|d'avance|a lot|again))?"
    r"(\s+(from|aus|de|da|uit|från|fra)(\s+[^\W\d_]{2,20}){1,3})?\s*[,.!;–-]*",
    re.IGNORECASE,
)
GOODWILL = re.compile(
    r"((many )?(thanks|thank you|thx|cheers|danke|merci|gracias|grazie)(,| and|!| &)? )?"
    r"(hello|hi there|good luck|best of luck|have fun|all the best|good game"
    r"|have a (nice|good|great|lovely) (day|evening|night|weekend|week|one|game)"
    r"|(please|pls|plz|kindly) (confirm|acknowledge)( receipt)?"
    r"|send(?=\s*[.!])|gg|gl ?hf|lol|rofl|lmao|well played"
    r"|(?:nice|good|great) (?:one|move|play|job|try)(?:,? [^\W\d_]{3,20})?"
    r"|(?:please\s+)?(?:submit|(?:save|submit|enter|send)\s+(?:(?:my|these|the|all)\s+)*(?:orders|moves))"
    r"(?:\s+please)?"
    r"|that(?:'s|’s| is) all( for now)?|end of (message|orders)"
    r"|see you( (all|there|soon|later|around|then|on the board|next time))?"
    r"|talk (to you )?(soon|later)"
    r"|(i'm |i am )?looking forward( to (it|this|that|the game|playing))?"
    r"|(good\s?)?bye([ -]bye)?|ciao( ciao)?|adi[oó]s|tschüss|au revoir|tot ziens|hej då"
    r"|viel (glück|erfolg|spaß)|bonne (chance|partie|journée)|buena suerte|buona fortuna"
    r"|(noch )?(einen )?(schöne[nrs]?|gute[nrs]?|angenehme[nrs]?) (noch )?"
    r"(abend|morgen|nacht|woche|wochenende|(?:sonn|mon|diens|donners|frei|sams)?tag|mittwoch"
    r"|feiertage|ostern|weihnachten)( noch)?"
    r"( (an |euch )?(alle|allen|zusammen)| euch)?"
    r"|bo(nne?|n) (soirée|nuit|semaine|week-?end|fin de semaine|dimanche|après-midi)"
    r"( à (tous|toutes et tous))?"
    r"|buen (fin de semana|día)( a todos)?|buon(a|o)? (serata|giornata|fine settimana)( a tutti)?"
    r"|(een )?(fijne?|prettige?|goede?) (avond|dag|weekend|week)( nog| allemaal)*)"
    r"(,? (to )?(you )?(all|everyone|everybody)( of you)?)?\s*[,.!;)–-]*",
    re.IGNORECASE,
)
"""Good wishes on a line of their own; unlike a closing they say nothing about the lines below."""
_IF_IT_PLEASES = any_of(
    "if you please",
    "if you (?:do not|don['’]t) mind",
    "if you (?:would|could) be so kind",
    "if (?:i|we) may",
    "if (?:that|this|it)(?: is| would be|['’]s) (?:all right|alright|ok(?:ay)?|fine)"
    "(?: (?:with|by|for) you)?",
)
_THANKS = (
    r"(?:(?:please|pls) (?:and|&) )?"
    r"(?:(?:many|with (?:my )?(?:\w{2,10} )?)?\s*thanks|thank you|thx)"
    r"(?: (?:so|very) much| in advance| a lot)?"
)
_MEANS_NOTHING = any_of(
    "(?:please|pls) (?:confirm|acknowledge)(?: (?:receipt|reception|this))?",
    *("as well", "too", "for (?:now|the moment)", "at the moment"),
    *("again", "once (?:more|again)", "finally", "at (?:long )?last"),
    *(_IF_IT_PLEASES, _THANKS),
)
_SMILES = r"(?:[\s.!]|[:;]-?[()D]|[\u2600-\u27bf\U0001f000-\U0001faff])*$"
# This walks through a run of blanks only once, and not again from each blank.
THANKS_AFTER = says(rf"(?<![\s,;.–-])[\s,;.–-]++{_MEANS_NOTHING}{_SMILES}")
"""Words after an order that change nothing: "please and thank you", "as well"."""
THANKS_BEFORE = re.compile(
    r"\W*if\s+(?:(?:i|we)\s+may|you\s+please|it\s+pleases?\s+you)\s*[,:–-]\s*", re.IGNORECASE
)
"""Words before an order that change nothing: "If I may, "."""
_THANKFUL = one_word(
    "thanks thank\\s+you thx danke merci gracias grazie bedankt obrigado obrigada dziękuję tack"
)
_FOR = one_word("for für fürs pour por per voor pelo pela za för")
_TAKES_BACK = one_word(
    "but not no never nothing none if unless instead rather only until when suggesting suggestion"
    " advice advising idea proposal proposing offer offering aber nein nicht mais pas pero ma maar"
    " niet mas ale nie men inte"
)
_WISHED = one_word(
    "great good nice lovely wonderful pleasant relaxing happy merry sunny quiet safe happier fine"
)
_VERY = led_by("a an the my very really so quite most rather of all this that it's just also")
_WEIGHTY = one_word("important crucial vital key essential urgent obvious easy decisive bold risky")
_APPRECIATED = (
    r"(?:(?:it|this|that)(?: is|['’]s| was| will be) )?"
    r"(?:(?:very|really|so|much|greatly|always) ){0,3}appreciated(?: by (?:all|us|me))?"
)
_AS_EVER = one_word(
    "always usual usually ever expected promised agreed discussed arranged announced"
)
HARMLESS = says(
    rf"(?!.*(?:\b{_TAKES_BACK}\b|n['’]t\b))"
    rf"{_THANKFUL}(?: (?:all|everybody|everyone|again|so much|very much|a lot))*"
    rf"(?: {_FOR} [^,;:.\W][^,;:.]{{1,40}})?(?:\W+{_APPRECIATED})?\W*",
    rf"{_APPRECIATED}\W*",
    rf"(?:this|that|it)(?: one| move| order)?(?: is|['’]s) {_VERY}{_WEIGHTY}"
    r"(?: (?:one|move|order))?\W*",
    rf"{_VERY}{_WEIGHTY}(?: (?:one|move|order))?\W*",
    rf"(?:i hope you )?(?:all )?(?:have|enjoy|wishing you) (?:an? )?{_WISHED} [^,;:.]{{3,30}}\W*",
    rf"{_WISHED} (?:weather|evening|morning|weekend|day|week|easter|christmas|holidays?|new year"
    r"|birthday)(?: (?:here|today|all|everybody|everyone|to (?:you )?all))*\W*",
    r"(?:good|best of) luck (?:to|with) (?:you|all|everybody|everyone|the rest)"
    r"(?: (?:of you|all))?\W*",
    r"(?:please )?wish me luck\W*",
    r"(?:viel (?:glück|erfolg|spaß)|bonne chance|buena suerte|buona fortuna|veel succes|boa sorte"
    r"|powodzenia|lycka till|iyi şanslar)"
    r"(?: (?:euch|allen|an|alle|à|a|tous|todos|tutti|allemaal|iedereen|wszystkim|herkese))*\W*",
    r"(?:that['’]?s|that is) (?:it|all)(?: (?:for )?(?:now|today|from me))?\W*",
    r"(?:done|finished|the end|end|over and out)\W*",
    r"(?:sorry|apologies) for (?:the|my|being|this)(?: so)?"
    r" (?:delay|late|lateness|trouble|slow|late (?:reply|answer|mail|orders))\W*",
    r"i(?: am|['’]m) (?:quite |very |still )?new (?:to this|here|at this)(?: game)?\W*",
    r"(?:please )?(?:let me know|tell me) (?:if|whether) (?:you (?:got|received) (?:this|it|them)"
    r"|(?:this|it) (?:has )?arrived)\W*",
    r"i hope (?:i got )?(?:this|that|it)(?: is|['’]s)? (?:right|correct|ok|okay|fine|clear)\W*",
    r"(?:(?:best|kind|warm|many) )*(?:greetings|regards) (?:from|to) [^,;:.]{2,30}",
    r"(?:keep (?:your|my) )?fingers crossed\W*",
    r"(?:i )?hope (?:this|that|it) (?:works|succeeds|helps|goes well)(?: out)?\W*",
    rf"(?:just )?as {_AS_EVER}(?: with [^\W\d_]+)?\W*",
    r"(?:i am|i['’]m|we are) (?:so |very |really |quite )*"
    r"(?:excited|curious|sure|certain|happy|looking forward)"
    r"(?: (?:about|of|to|with) (?:it|this|that|the (?:game|results?)))?\W*",
    r"(?:let['’]?s|here (?:we|i)) (?:go|come|see|do (?:it|this))(?: again)?\W*",
    r"(?:vive la france|rule,? britannia|forza italia|for the (?:king|tsar|sultan|kaiser|emperor)"
    r"|for glory|to victory|charge|attack|hurra[hy]|hooray|onwards?|forward|avanti|vorwärts)\W*",
    r"[\W_]+",
)
"""A whole sentence that changes nothing about the order before it: "This one is important!". Any
sentence that we do not know to be harmless may be a joke, a doubt, somebody else's order or another
season's."""
