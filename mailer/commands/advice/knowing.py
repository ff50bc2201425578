"""What people want to know: the board, the rules, what happens, what we keep about them."""

from __future__ import annotations

from collections.abc import Sequence

from mailer.commands.advice.row import Advice
from mailer.reading.patterns import says

NEW_ADDRESS = (
    "To write from another address, too, write SET ADDRESS and the address: we ask there whether "
    "it is yours. After that SET RECORD and the address has us write to it."
)
POWER = r"(?:austria|england|france|germany|italy|russia|turkey)"
KNOWING: Sequence[Advice] = (
    Advice(
        says(
            r"\b(?:password|passwort|contraseña)\b(?!.{0,15}\bwas stolen\b)",
            r"\b(?:log|sign)(?:ging|ing)?[ -]?in\b(?! to (?!(?:the|my|your|this)"
            r" (?:site|server|account|website|admin|pages?)\b))|\blogin\b",
        ),
        "Players need no password and never sign in: you play by mail alone, so just reply to any "
        "mail of ours. STATUS on a line of its own shows how your game stands, and the address of "
        "its page. A game master chooses a new password in the admin, by mail.",
        "STATUS",
    ),
    Advice(
        says(
            r"^(?!\W*(?:do|does|will|when|how long)\b)"
            r"(?!.*(?:\bnot|n['’]t|\bnever) (?:delete|erase|remove)\b).*\b(?:delete|erase|remove)"
            r" (?:(?:all|any|of|my|the) )*(?:personal )?(?:data|account|information)\b",
            r"\bright to (?:be forgotten|erasure)\b",
        ),
        "To have us forget you, write ERASE on a line of its own, and the moderators will see to "
        "it. To get everything we keep about you first, write EXPORT.",
        "ERASE",
    ),
    Advice(
        says(
            r"\b(?:code|invitation)\b.{0,40}\bwhat\b.{0,12}\bdo\b",
            r"\b(?:where|how|what)\b.{0,25}\b(?:code|invitation)\b",
            r"^\W*(?:(?:here is|my|the|an?) )*(?:invite|invitation|join) code\b",
        ),
        "To join a game by invitation, write one line: JOIN, the game's name, its code and the "
        "powers you would like, best first, for example JOIN marne k7m2p9ab France; Italy.",
        "JOIN",
    ),
    Advice(
        says(
            r"\bmy (?:\w+ )?(?:e-?mail )?address (?:will|has|is going to|is|was|must|had)"
            r" (?:\w+ )?chang\w+\b",
            r"\bchang(?:e|ed|ing) my (?:\w+ )?(?:e-?mail )?address\b",
            r"\b(?:reach|contact|e-?mail|mail|write to) (?:me|us) (?:\w+ ){0,3}(?:at|on|under)"
            r" \S+@",
            r"\b(?:this|my|that) (?:\w+ )?(?:e-?mail )?(?:address|mailbox|inbox|account)\b.{0,20}"
            r"\b(?:stops?|dies?|dying|expires?|closed|closes|closing|gone|shut|shuts|disappears?)\b",
            r"\bmy (?:\w+ )?provider\b.{0,20}\b(?:stops?|dies|closes|closing|shut\w*|ends?)\b",
            r"\bi\b.{0,20}\b(?:write|answer|reply|mail) (?:\w+ )?from (?:\S+@|(?:my|the|two)\b"
            r".{0,15}\b(?:address|account|work|office|phone)\w*)",
            r"\b(?:have|has|use|using|from) (?:two|2|several|more than one) (?:\w+ )?"
            r"(?:addresses|accounts|mailboxes)\b",
        ),
        NEW_ADDRESS,
        "SET ADDRESS",
    ),
    Advice(
        says(
            rf"\b(?:have|play|be|get|take) (?:as )?{POWER} instead\b"
            rf"(?: (?:of {POWER}|in [\w-]+))*\W*$",
            rf"^\W*(?:can|could|may) i (?:please )?(?:be|have|play(?: as)?) {POWER}"
            r"(?: please)?\W*$",
            r"\b(?:change|switch|swap|choose|pick|trade)"
            r" (?:(?:my|our) )?(?:powers?|country|countries|nations?)\b",
            r"\b(?:play|have|be|want|get|like) an?(?:other| different)"
            r" (?:power|country|nation)\b",
        ),
        "We give out the powers when a game starts, by the list after each player's JOIN. Until "
        "then you can change yours: write JOIN, the game's name and a new list. Once it has "
        "started, everybody keeps their power. HELP JOIN on a line of its own explains it.",
        "HELP JOIN",
    ),
    Advice(
        says(
            r"\bwho\b.{0,12}\b(?:win(?:s|ning)?|ahead|leading|leads|first)\b",
            r"^\W*(?:did|have) (?:i|we) (?:win|won)\b",
            r"\bhow\b.{0,10}\bam i doing\b",
        ),
        "Nobody has won until the game is over. To see how many centres each power has, write MAP "
        "on a line of its own.",
        "MAP",
    ),
    Advice(
        says(
            r"\bwhat\b.{0,15}\bhappens?\b.{0,15}\b(?:if|when)\b.{0,15}\b(?:i|we)\b.{0,15}\b"
            r"(?:not|n['’]?t|late|miss|forget|never)\b",
            r"\bif (?:i|we) (?:miss|forget)\b.{0,25}\?",
        ),
        "If we have no orders from you by the deadline, your units hold, those that must retreat "
        "are disbanded, and you lose your builds; in some games everybody waits for you first. "
        "STATUS on a line of its own shows the deadline.",
        "STATUS",
    ),
    Advice(
        says(
            r"\b(?:sandbox|simulat\w+|dry run)\b.*\?",
            r"\b(?:try|test)(?:ing)? (?:out )?(?:\w+ )?(?:orders|moves)\b.*\?",
            r"\bwhat (?:would )?happens? (?:if|when)\b(?!.*\byou\b).{0,40}\b(?:both|bounces?"
            r"|moves?|attacks?|supports?|convoys?|dislodged|retreats?|swaps?)\b",
        ),
        "To try out orders, write WHATIF on a line, and below it orders for any powers: you get "
        "what would happen, and nothing is kept. HELP WHATIF explains it, and RULES the rules in "
        "short.",
        "HELP WHATIF",
    ),
    Advice(
        says(
            r"\b(?:mails?|answers?|receipts?|texts?|you|reply|this)\b.{0,15}\bin (?:german|french"
            r"|spanish|italian|dutch|polish|portuguese|swedish|russian|(?:\w+ )?(?:other|another|my"
            r"|different) (?:\w+ )?language)\b(?!.{0,15}\b(?:waters|hands|territory|soil)\b)",
            r"\bspr(?:echen|echt|ichst) \w+ deutsch\b",
            r"\bparle[zs][ -](?:vous|tu) fran[çc]ais\b",
            r"\b(?:habl[ae](?:s|n|is)? (?:usted )?español|parl(?:a|i|ate) italiano)\b",
        ),
        "Our mails are in English. Orders and the names of powers and provinces may be in German, "
        "French, Spanish, Italian, Dutch, Polish, Portuguese, Swedish, Russian or Turkish, too: "
        "HELP ORDERS on a line of its own shows how they are written.",
        "HELP ORDERS",
    ),
    Advice(
        says(
            r"\b(?:enter|join|sign up for|register for|take part in|play in|organi[sz]e|run|score"
            r"|points|rank(?:ing)?|standings?|table|results?|doing|how)\b.{0,30}"
            r"\b(?:tournaments?|cup|league)\b",
            r"\b(?:my|our) (?:score|points|rank(?:ing)?)\b.*\?|\btournaments?\b.*\?",
        ),
        "A tournament is several games whose scores add up: TABLE on a line of its own lists them "
        "all, and TABLE and a tournament's name shows how everybody stands. LIST shows the games "
        "that you can join.",
        "TABLE",
    ),
    Advice(
        says(
            r"\b(?:mov(?:e|ing)|transfer|continue|import|bring|migrate|go on with)\b"
            r" (?:\w+ ){0,3}(?:game|it)\b (?:\w+ ){0,3}(?:here|over(?! to\b)|to (?:this|your)"
            r" (?:server|site|judge))\b",
        ),
        "Every game here starts from the beginning: you cannot bring a position from another "
        "server. CREATE, a name and how you want to play makes a new game; HELP CREATE explains "
        "it.",
        "CREATE",
    ),
    Advice(
        says(
            r"\b(?:replay|rewatch|time[\s-]*lapse|animation)\b",
            r"\b(?:watch|see)\b.{0,25}\b(?:whole|entire) game\b",
            r"\b(?:web\s*(?:site|page)|browser|click|online|app)\b.*\?",
            r"\b(?:is|are) there\b.{0,15}\b(?:app|web\s*(?:site|page))\b",
        ),
        "Orders come by mail alone. To look at the game in a browser, phase by phase, write STATUS "
        "on a line of its own: the answer has the address of the game's page, unless only its "
        "players may see the board.",
        "STATUS",
    ),
    Advice(
        says(
            r"\b(?:picture|image|map|board)\b.{0,20}\b(?:where|missing|not see|read)\b",
            r"\b(?:where|read|no|not|n['’]?t)\b.{0,15}\b(?:picture|image|map|board)"
            r"s?\b.{0,20}$(?<!off)(?<!off\.)",
        ),
        "To read who has which units and centres, write MAP on a line of its own: the answer has "
        "the board as text, and as a picture where your mail program shows pictures.",
        "MAP",
    ),
    Advice(
        says(
            r"\bwhere\b.{0,30}\b(?:can|could|may|do|does|should|must)\b.{0,30}\bretreat\b",
            r"\bhow many (?:\w+ )?(?:builds?|disbands?)\b",
            r"\bhow many\b.{0,25}\b(?:can|may|must|should|do) (?:i|we) (?:\w+ )?"
            r"(?:build|disband|remove)\b",
        ),
        "The mail with the results says where a unit can retreat, and how many units you may build "
        "or must disband; RULES on a line of its own explains why.",
        "RULES",
    ),
    Advice(
        says(
            r"\bwhat\b.{0,15}\b(?:is|are|does|mean|means|meaning)\b.{0,20}\b"
            r"(?:support|convoy|retreat|bounce|stand-?off|dislodge|disband|cut)\w*\b",
            r"\bhow (?:do|does)\b.{0,12}\b(?:supports?|convoys?|retreats?)\b.{0,10}\bwork",
            r"\bwhat happens? (?:if|when)\b.{0,15}\b(?:army|armies|fleets?|units?)\b",
            r"^\W*can (?:two|2|several) (?:armies|fleets|units)\b",
            r"^\W*(?:can|could|may|does|do) (?:an?|any|the|all)"
            r" (?:\w+ )?(?:army|armies|fleets?|units?|convoys?|supports?)\b[^:>→–—]*\?\W*$",
            r"^\W*(?:is|are|does|do) (?:an? |the |my |every )?(?:supports?"
            r"|convoys?|retreats?|builds?)\b(?!.*\b(?:you|in\W*$|ok|okay|noted|received))[^:>→–—]*"
            r"\?\W*$",
            r"^\W*(?:can|could|may) (?:i|we) (?:also |even )?(?:convoy|support|retreat|build)"
            r"\b[^:>→–—]{0,40}\?\W*$",
        ),
        "RULES on a line of its own explains moves, supports, convoys and retreats in short; HELP "
        "ORDERS shows how they are written.",
        "RULES",
    ),
    Advice(
        says(
            r"^(?!.*\b(?:win|need|take)\b).*\bhow many (?:supply )?(?:cent(?:er|re)s?|scs?|units"
            r"|armies|fleets)\b(?!.{0,25}\b(?:you|build|disband|remove)\b).{0,20}"
            r"\b(?:has|have|does|do|is|are|own)\b",
            r"\b(?:what|which) (?:units?|pieces|armies|fleets|cent(?:re|er)s) (?:do|have) i\b",
            r"^(?!.*\byour?\b).*\b(?:what|which|does|do|is|are)\b.{0,30}"
            r"\b(?:borders?|bordering|adjacent|neighbou?r(?:s|ing)?|next) (?:on|to|of|with)\b.*\?",
            r"\b(?:where|what|which) (?:is|are)"
            r" (?:my (?:units?|pieces|arm(?:y|ies)|fleets?)|the (?:map|board))\b",
            r"\b(?:see|send|show|text)\b.{0,20}\b(?:map|board)\b",
        ),
        "To read who has which units and centres, write MAP on a line of its own. Its picture "
        "shows what borders on what.",
        "MAP",
    ),
    Advice(
        says(
            r"\bhow (?:to|do (?:i|we|you))\b(?!.{0,20}\b"
            r"(?:take back|cancel|undo|withdraw|change)\b).{0,20}\b(?:order|move|build|retreat"
            "|support|convoy)",
            r"\bnever played\b",
            r"\bwhat (?:do|should|must|can) (?:i|we) (?:do|write|send)\b",
            r"\bwhat (?:do i have|do i need|have i(?: got)?|am i supposed)"
            r" to (?:do|write|send)\b",
            r"^\W*what now\b",
            r"\bi\b.{0,6}\bforg[oe]t(?:ten)? how\b",
            r"^\W*i (?:do not|don['’]t) (?:get|understand) (?:it|this|that|anything)\W*$",
            r"\bwhat does \W?[shc]\W? mean\b",
        ),
        "To see how orders are written, write HELP ORDERS on a line of its own; HELP alone shows "
        "everything else you can write, and RULES the rules in short.",
        "HELP ORDERS",
    ),
    Advice(
        says(
            r"\b(?:how (?:to|do (?:i|we|you)|can (?:i|we))"
            r"|whom? (?:do|can|should|must) (?:i|we))\b.{0,20}\b(?:write|talk|speak|send"
            r"|message|negotiate|press)\b",
            rf"^\W*(?:can|could|may) (?:i|we) (?:write|talk|speak|send (?:a |an )?"
            rf"(?:\w+ )?(?:message|letter|mail|press)) to\b.{{0,20}}\b{POWER}\b.*\?\W*$",
        ),
        "To write to another power, write PRESS TO and its name on a line, and your text below it. "
        "HELP PRESS explains it.",
        "PRESS",
    ),
    Advice(
        says(
            r"\b(?:let|whatever) the rules\b",
            r"\byou (?:choose|decide|pick)\b",
        ),
        "The rules decide for every unit that has no order from you at the deadline. If the others "
        "need not wait until then, write READY on a line of its own.",
        "READY",
    ),
    Advice(
        says(
            r"\b(?:the|what|which)\b.{0,10}\brules\b",
            r"\bhow many (?:\w+ )?(?:cent(?:er|re)s?|scs?)\b.{0,20}\bwin\b",
            r"^\W*(?:and |so |but )*how (?:do|can|does|could) (?:i|we|you|one|anybody|somebody) win"
            r"(?: (?:a|the|this|my) game)?\W*$",
            r"\bvictory (?:conditions?|criteria)\b",
            r"\bhouse rules\b",
        ),
        "To read the rules in short, write RULES on a line of its own.",
        "RULES",
    ),
    Advice(
        says(
            r"\b(?:do|does|will|when|how long)\b.{0,30}\b(?:delete|erase|keep|store)\b.{0,20}"
            r"\b(?:data|mails?|information)\b.*\?",
            r"\b(?:gdpr|dsgvo|rgpd|privacy)\b",
        ),
        "Games stay as they were played, with orders and votes. EXPORT on a line of its own gets "
        "you everything we keep about you; ERASE asks the moderators to erase it, and the words of "
        "all your mails with it.",
        "EXPORT",
    ),
    Advice(
        says(
            r"\b(?:copy|all) of my (?:personal )?data\b",
            r"\b(?:what|which)\b.{0,30}\b(?:data|information|details|know|store|keep)"
            r"\b.{0,25}\babout me\b",
        ),
        "To get everything we keep about you, write EXPORT on a line of its own.",
        "EXPORT",
    ),
)
