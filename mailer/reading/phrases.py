"""How mail programs and people around the world mark what is not theirs: words, by language.

English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Swedish (with Danish and
Norwegian), Japanese; the header blocks and verbs of Chinese, Korean, Russian, Turkish and some
more. Every pattern is tried on at most `LONGEST_RULED` characters and reads them once.
"""

from __future__ import annotations

import re

from mailer.reading import seasons
from mailer.reading.patterns import any_of, followed_by, led_by, one_word, says

SIGNED = "\ue001 "
"""What stands before a line of a signature in an HTML mail: a sign that nobody writes."""
STUB = re.compile(
    r"\bhtml\b|(view|read|see|open|display)\b.{0,40}\b(browser|online|web page)"
    r"|im browser (ansehen|öffnen)|dans (un|votre) navigateur",
    re.IGNORECASE,
)
SAYS_ATTACHED = re.compile(
    r".{0,60}\b(attach(ed|ment|ments)|enclosed|anhang|angehängt|beigefügt|pi[èe]ce jointe"
    r"|ci-joint\w*|adjunt[oa]s?|allegat[oaie]|bijlage|bijgevoegd|załącz\w*|anexo|anexad[oa]s?"
    r"|bifogad\w*|bilag\w*|вложени\w*|приложени\w*)\b.{0,60}",
    re.IGNORECASE,
)
MARKER = re.compile(r"##-\s?.{3,80}\s?-##")
# "… wrote:" with the verb at the end; with the name behind it (then a date or address must be
# there); and Gmail's "date, name <address>:" without any verb (Japanese among others).
WROTE = re.compile(
    r"(wrote|writes|écrit|escribi[oó]|scritto|geschreven|escreveu|napisał\(a\)|napisała?|skrev"
    r"|schrieb|schreef|napsala?|kirjoitti|написала?|пишет|írta|yazdı|さんは書きました|のメール"
    r"|写道|寫道|님이 작성|작성)\s?[:：]$",
    re.IGNORECASE,
)
WROTE_BEFORE_NAME = re.compile(
    r"\b(schrieb|skrev|schreef|escreveu|napisał\(a\)|kirjoitti|wrote|writes)(?!\w)", re.IGNORECASE
)
# The same with the first line of what it quotes run on behind it.
RUN_ON = re.compile(
    r"\d.*<[^<>\s]{1,254}>\s?(wrote|écrit|escribi[oó]|ha scritto|schreef|escreveu"
    r"|napisał\(a\)|skrev)?\s?[:：]\s+\S",
    re.IGNORECASE,
)
BETWEEN_DASHES = re.compile(r"-{2,4}\s(?=.*\d).*<[^<>\s]{1,254}@[^<>\s]{1,254}>.*\s-{2,4}")
"""As Zoho has it: "---- On Mon, 02 Mar 2026 12:00:00 +0000 Ana <ana@…> wrote ---"."""
ADDRESS = re.compile(r"[<(]\s?[^<>()\s@]{1,254}@[^<>()\s]{1,254}[>)]")
CLOCK = re.compile(r"\d{1,2}[:.]\d\d(?!\d)")
TIME = re.compile(r"\d{1,2}[:.]\d\d(?!\d)|(?<!\d)\d{4}(?!\d)")
ADDRESS_AT_END = re.compile(r"<[^<>\s]{1,254}>\s?[:：]$")
OPENS_ATTRIBUTION = re.compile(
    r"(on|am|le|el|il|op|em|w dniu|den|dnia|dne|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa"
    r"|so|lun|mar|mer|jeu|ven|sam|dim|pon|wt|śr|czw|pt|sob|niedz|mån|tis|ons|tors|fre|lör|sön"
    r"|seg|ter|qua|qui|sex|sáb|dom|ma|woe?|vr|za|zo|\d{4}年.*|\d{1,4}[./-]\d{1,2}.*)\b",
    re.IGNORECASE,
)
HEADER_LABELS = (
    r"from|sent|date|to|cc|subject|reply-to|importance|von|gesendet|datum|an|betreff|kopie"
    r"|de|envoy[ée]|à|a|objet|date d'envoi|enviad[oa]( el)?|para|asunto|assunto|data|fecha|da"
    r"|inviato|oggetto|van|verzonden|aan|onderwerp|od|wysłano|do|temat|från|skickat|till|ämne"
    r"|fra|sendt|til|emne|差出人|送信日時|送信元|送信日|宛先|件名|日時"
    r"|发件人|发送时间|发送日期|收件人|抄送|主题|时间"
    r"|寄件者|寄件人|寄件日期|傳送時間|收件者|副本|主旨|主題|日期"
    r"|보낸 ?사람|보낸 ?날짜|받는 ?사람|참조|제목|날짜|보낸이|받는이"
    r"|от|отправлено|кому|копия|тема|дата|від|надіслано|kimden|gönderil\w+|tarih|kime|konu"
    r"|lähettäjä|lähetetty|vastaanottaja|aihe|odesláno|komu|předmět|feladó|elküldve|címzett|tárgy"
    r"|de la|trimis|către|subiect|από|στάλθηκε|προς|θέμα"
)
HEADER_LINE = re.compile(rf"[*_]?({HEADER_LABELS})\s?[:：][*_]?(\s|$).*", re.IGNORECASE)
ANY_HEADER_LINE = re.compile(r"[*_]?[^\W\d_][\w '.-]{0,24}\s?[:：][*_]?(\s|$).*")
FIRST_HEADER = re.compile(
    r"[*_]?(from|von|de|da|van|od|från|fra|差出人|sent|gesendet|date|datum"
    r"|发件人|寄件者|寄件人|보낸 ?사람|보낸이|от|від|kimden|lähettäjä|feladó|de la|από|送信元)"
    r"\s?[:：]",
    re.IGNORECASE,
)
ORIGINAL = re.compile(
    r"[-‐=_*]{2,}\s*(original|forwarded|previous (?:conversation|message|mail)"
    r"|ursprüngliche|weitergeleitete|message|mensaje|messaggio"
    r"|oorspronkelijk|doorgestuurd|mensagem|oryginalna|wiadomość|vidarebefordrat|original-"
    r"|transfér|元の|転送|原始邮件|原始郵件|转发|轉寄|원본 ?메시지|전달된"
    r"|исходное|пересылаемое|orijinal|alkuperäinen|původní|pôvodná|eredeti|oprindelig|opprinnelig"
    r"|mesaj|izvorna|izvirno|вихідне|оригинално|αρχικό|προωθημένο|videresendt).*[-‐=_*]{2,}\s*$"
    r"|(begin forwarded message|anfang der weitergeleiteten|début du message|inizio messaggio)",
    re.IGNORECASE,
)
DASHES = re.compile(r"(?:- )?--\s?$|—\s?$|__\s?$")
"""Those that begin a line have one more before them in what OpenPGP signs."""
SEALED = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----")
SEALED_HEADER = re.compile(r"[A-Z][A-Za-z-]{2,20}: .{0,100}")
SEAL = re.compile(r"-----BEGIN PGP (?:SIGNATURE|PUBLIC KEY BLOCK|MESSAGE)-----")
ENCRYPTED = "-----BEGIN PGP MESSAGE-----"
IN_SEAL = re.compile(r"[A-Z][A-Za-z-]{2,20}: .{0,100}|[A-Za-z0-9+/=]{0,80}")
SEAL_ENDS = re.compile(r"-----END PGP [A-Z ]{3,30}-----")
SENT_FROM = re.compile(
    r"(sent|get|gesendet|von mein\w+|diese nachricht wurde von|envoyé|téléchargez|obtenir"
    r"|enviad[oa]|obtén|obter|inviato|scarica|ottieni|verstuurd|verzonden|outlook voor|wysłan[eoy]"
    r"|skickat|hämta|downloade?n?|отправлено|надіслано|odesláno|odoslané|sendt|lähetetty|elküldve"
    r"|trimis|στάλθηκε)\b.{0,60}\b"
    r"(iphon\w*|ipad\w*|android|mobile?|mobil\w*|smartphone|handy|samsung|galaxy|huawei|xiaomi|pixel"
    r"|blackberry|windows|outlook\w*|yahoo\w*|gmail|gmx\w*|web\.de|mail|proton\w*|thunderbird|mutt"
    r"|tutanota|fairphone|phone|téléphone|móvil|cellulare|telefoon|celular|telefonu?|tablet)\b.*"
    r"|iphone\s?から送信|.{0,30}から送信$|yahoo\s?mail\s?:.*|sent from .{1,40}$"
    # The verb comes last, or without a blank: Turkish, Hungarian, Korean, Chinese.
    r"|.{1,40}\b(gönderildi|küldve)\W*$|.{1,40}에서\s?보냄$|.{0,4}发自.{1,40}|.{0,4}(從|从).{1,30}(傳送|发送|寄出)$",
    re.IGNORECASE,
)
UNSUBSCRIBES = re.compile(r"unsubscribe(\s+[\w-]{1,40}){0,6}\W*", re.IGNORECASE)
"""A whole line of somebody who wants no more mails, perhaps about one game; among other lines it is
a footer."""
FOOTER = re.compile(
    r"((important|notice|please note)\W+)?"
    r"(confidentiality notice|disclaimer\b|this (e-?mail|message|communication)\b.{0,60}"
    r"(confidential|intended|virus|checked)|the (information|contents?) (contained )?(in|of) this"
    r" (e-?mail|message)"
    r"|diese e-?mail (enthält|kann)|ce (message|courriel) (et|est|peut)|este (mensaje|correo) "
    r"|virus-?free|virenfrei|please consider the environment|to unsubscribe|unsubscribe\b"
    r"|you received this message because)",
    re.IGNORECASE,
)
LIST_FOOTER = re.compile(r"_+\._[,._]*_[,._]*|_{10,}|-=(?:-=){5,}-?")
"""What some mailing lists draw above their footer."""
OF_LIST = re.compile(
    r"groups\.io links\b|posted by\s*:|reply via web post|view/reply online|mute this topic"
    r"|[\w .-]{1,40}\bmailing list\b",
    re.IGNORECASE,
)
"""What the footer begins with."""
FORWARDED = re.compile(
    r"\s*(?:fwd?|wg|tr|rv|enc|vs|vb|pd|doorst)\s*:|-{2,}\s*forwarded|begin forwarded message",
    re.IGNORECASE,
)
"""The subject of a mail that is passed on, or the line above it."""
SAYS_FORWARDED = re.compile(
    r"(?!.*\b(?:not|no|never|none|why|if|unless|instead|different|ignore|disregard|forget|cancel|undo"
    r"|delete|withdraw|(?:last|old|other|another)\s+(?:game|turn|phase|season|year|orders|moves))\b"
    r"|.*(?:n['’]t\b|\?))"
    r".{0,80}\b(?:again|once more|my (?:orders|moves)"
    r"|here (?:it|they|is|are)|see below)\b.{0,30}",
    re.IGNORECASE,
)
"""What people write above a mail of their own that they pass on: "Here it is again:"."""
SAYS_SUBJECT = re.compile(
    r"\W*(?:please\s+)?(?:see|as\s+in|(?:my\s+)?orders?\s+(?:are\s+)?in)(?:\s+(?:the|my))?"
    r"\s+(?:subject|title)(?:\s+line)?(?:\s+(?:please|above))?\W*",
    re.IGNORECASE,
)
"""All that people write below a subject which says it all: "See subject line."."""
TAG = re.compile(r"\s*\[[\w-]{1,40}\]\s*")
"""The name of a game in brackets, in front of a subject."""
NAMES_ORDERS = re.compile(
    r"\b(?:orders?|moves?|retreats?|builds?|adjustments?|züge|befehle|ordres|órdenes|ordini|ordens"
    rf"|rozkazy|приказы|{seasons.WORDS}|[sfw]\d{{2,4}})\b",
    re.IGNORECASE,
)
"""What says in a subject that a mail is for us."""
_ORDERS = (
    r"(?:orders?|moves?|retreats?|builds?|adjustments?|züge|befehle|ordres|órdenes|ordini|ordens"
    r"|rozkazy|приказы)"
)
_OF_PHASE = (
    rf"\b(?:(?:{seasons.WITH_YEAR})[mra]?|(?:{seasons.WORDS})\W{{1,3}}(?:\w{{1,20}}\s){{0,2}}{_ORDERS}"
    rf"|{_ORDERS}\W{{1,3}}(?:\w{{1,20}}\s){{0,2}}(?:{seasons.WORDS}))\b"
)
_WHOSE = (
    r"(?:(?:\[[^\]]{0,40}\]|(?!(?:i|we|you|they|will|to|free|may|can)\b)[^\W\d_]{1,20}\b)\W{1,3})?"
)
SUBJECT_OF_PHASE = says(
    r"[*_]?(?:subject|betreff|objet|asunto|assunto|oggetto|onderwerp|temat|ämne|emne)\s?:"
    rf"(?=.{{0,200}}{_OF_PHASE}|(?:\W|\b(?:re|aw|fwd?|wg|tr|rv)\s?:)*{_WHOSE}"
    rf"(?:{seasons.WORDS})(?: (?:turn|phase|season))?\W*$)",
)
"""The subject of a mail with orders that names their phase: "Subject: orders Spring 1902", or with
the season alone; among other words that names none: "Subject: I will fall back"."""
NAMES_PHASE = re.compile(_OF_PHASE, re.IGNORECASE)
SENT_LINE = re.compile(
    r"[*_]?(?:sent|date|gesendet|datum|envoyé|date d'envoi|enviad[oa](?: el)?|fecha|data|inviato"
    r"|verzonden|wysłano|skickat|sendt|отправлено|дата)\s?:(?=.*\d)",
    re.IGNORECASE,
)
"""The line of a copied header that says when the mail was sent."""
SAYS_WHEN = re.compile(r"(?:ready|wait)[\s.!]*", re.IGNORECASE)
"""What a player says of the phase, not of the mail in which it stands."""
TALKS = re.compile(r"\?|\b(?:i|we|you|me|us|your)\b", re.IGNORECASE)
"""What shows that a mail that is passed on was a letter to somebody."""
PLAIN_ADDRESS = re.compile(r"[^\s<>()\[\]:;,\"'*]+@[^\s<>()\[\]:;,\"'*]+")
ADDED = re.compile(
    r"\[\w{2,20}\]\s.{1,80}\b(reacted|reagiert|réagi|reaccion\w{1,5}|reagi\w{1,5})\b.{0,40}"
    r"|.{0,40}\b(e-?mail|message)\b.{0,20}\b(originate[sd]|came|comes|(was|is) (sent|received))\b"
    r".{0,10}\b(outside|external)\b.*",
    re.IGNORECASE,
)
"""What programs write among other lines: Outlook for somebody who pressed a button ("[like] Ana
Smith reacted to your message:"), which names them, so it must not be passed on; offices on top of
a mail ("CAUTION: This e-mail originated from outside")."""
_HELLO = (
    r"(hi|hello|hey|dear|greetings|good (morning|evening|afternoon|day)|hallo|liebe[rs]?|moin"
    r"|servus|guten (tag|morgen|abend)|bonjour|bonsoir|salut|cher|chère|hola|buen[oa]s (días"
    r"|tardes|noches)|estimad[oa]|boa (noite|tarde)|bom dia|goede(morgen|middag|navond)"
    r"|god (morgon|kväll|dag)|dobry wieczór|добрый (день|вечер)|доброе утро"
    r"|ciao|salve|gentile|buongiorno|buonasera|beste|hoi|dag|olá|oi|caro|cześć|witam"
    r"|dzień dobry|hej"
    r"|こんにちは)\b"
)
HAS_GREETED = re.compile(
    rf"(?:@\s?(?:judge|server|gm)\b|(?:to\s+(?:the\s+)?)?(?:judge|server)\b(?=\s?[:,])|{_HELLO})"
    r"(?: (?:(?:an?|à) )?(?:alle|all|zusammen|leute|tous|todos|tutti|allemaal|there"
    r"|every(?:body|one)|again|folks|guys|judge|server|gm|sir|team))*"
    r"(?P<pause>[,.!:–—-]*)\s+",
    re.IGNORECASE,
)
"""A greeting and whom it is for, with the pause behind it: "Hi there, "."""
GREETING = re.compile(
    _HELLO +
    # "Hi, small change, the rest as before" keeps earlier orders.
    r"(?!.*\b(?:as\s+before|unchanged|amend|(?:rest|else)\b.*\bsame)\b)"
    # "Hello, how do I join a game?" and "Hi, I'd like to play" ask for something.
    r"(?!.*\b(?:how|where|when|can|could|may|do|must)\s+(?:\w+\s+)?(?:i|we)\b)"
    r"(?!.*\b(?:i|we)\s*(?:want|need|wish|would|['’]d)\b)"
    r"[^:\->–—]{0,40}",
    re.IGNORECASE,
)
EXPRESSIVE = re.compile("[?!\u2600-\u27bf\u2b50-\u2b55\U0001f000-\U0001faff]|[:;]-?[()]")
"""Signs by which people say something to each other without a word."""
_CHANGES = any_of(
    *("add", "amend", "change", "same", "except", "missing", "forg[eo]t"),
    r"(?:not|none|nothing|against)\b",
)
_ORDERS_ABROAD = one_word(
    "befehle züge rückzüge aufbauten ordres retraites constructions? órdenes retiradas"
    " construcciones ordini ritirate costruzioni ordens rozkazy odwroty"
)
INTRODUCTION = says(  # for which phase they are, and that others stay, has to be heeded
    rf"(?!.*\b(?:{seasons.WITH_YEAR}))(?!.*\b{_CHANGES}|.*n['’]t\b)(?=.{{0,80}}[:：]$)"
    rf".{{0,60}}\b(?:orders?|moves|retreats|builds|disbands|adjustments|{_ORDERS_ABROAD})"
    rf"\b.{{0,40}}"
)
_I_ORDER = (
    "(?:i|we)(?:['’]d)? (?:(?:would|will|want|wish|like|to|hereby) ){0,5}order "
    "(?:as follows|the following)"
)
_NOW = "(?:this|the (?:first|opening|current|present)) (?:time|turn|phase|season|round|move)"
HEADS_ORDERS = says(
    r"(?:please|pls|kindly)?\s*(?:find|see(?=.*\b(?:below|attached|enclosed)\b)) "
    + led_by("my our the attached below enclosed here")
    + r"(?:orders|moves)(?: (?:below|here))?[\s.!]*",
    r"(?:here|these|below|following) (?:are|is) (?:my|our|the) (?:orders|moves)"
    r"(?: for this \w+)?[\s.!]*",
    rf"(?:my|our) (?:orders|moves)(?![\s.]*$)(?: (?:for )?{_NOW})?(?: are)?"
    r"(?: \(sorry\b[^()\d]{0,40}\))?[\s.:]*",
    led_by("my our the these here are") + r"final (?:orders|moves)[\s.:]*",
    rf"{_I_ORDER}[\s.:]*",
    r"as (?:discussed|agreed|promised|announced|always|usual)\s*:+",
    r"(?:[*•·-] )?(?:armies|fleets)\s*:?",
)
"""What heads orders and says nothing about them: "Please find my orders below.", "Fleets:"."""
_ABOUT_ORDERS = (
    r"(?:are|is|as|this|the|our|game|turn|phase|season|round|year|movement|follows?|following|below|here"
    rf"|for|of|in|{seasons.WORDS})\b"
)
# One word is read in one way only: where it could be in two, a long line would take for ever.
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
"""A sentence that says that orders follow, and for whom and when, but nothing else about them:
"Here are my orders for Spring 1901."."""
FINAL_ORDERS = re.compile(
    r"(?:(?:my|our|the|these|here|are)\s+){0,4}final\s+(?:orders|moves)(?:\s+are)?\s*:",
    re.IGNORECASE,
)
"""The same in few words: "Final orders: "."""
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
"""What says that a mail of ours was read: "Thanks, confirmed!". It is no yes, and for no others."""
COMMENTS = {"/*": "*/", "<!--": "-->"}
"""What begins lines which somebody has left out, and what ends them. They have a meaning, unlike
other ornaments."""
_BUILDS_ARE = one_word(
    "my our the please pls here are winter builds? building disbands? disbanding removals? removes?"
    " removing adjustments? retreats? moves? orders? units?"
)
RANKING = says(
    rf"(?:{_BUILDS_ARE} ){{0,4}}in (?:(?:this|descending) )?order"
    r"(?: of (?:preference|priority))?\s*[:.]"
)
"""What heads builds or disbands, which are taken from the top: "Builds in order of preference:"."""
_I_HAVE = one_word(
    "i we have got just only here are also my an? some few couple of two three four quick short"
    " more other"
)
HEADS_QUESTIONS = says(rf"(?:{_I_HAVE} ){{0,8}}questions?(?: (?:for you|please))?\s*[:.!]*")
"""What says that questions follow: "A few questions:"."""
CLOSING = re.compile(
    r"([aà]\+|[aà] plus|[aà] bient[oô]t|bi[sz]ous?|bises|(xo){2,4}|xx+"
    r"|(many )?(thanks|thank you|thx|cheers|regards|sincerely|danke( schön)?"
    r"|(with )?(friendly|kind|best|many) greetings"
    r"|(best|kind|warm|yours)( regards| wishes| sincerely| truly| faithfully)?"
    r"|(viele|liebe|beste|schöne|mit freundlichen) grü(ß|ss)e?n?|grü(ß|ss)e|gruß|vg|lg|mfg"
    r"|merci( beaucoup)?|cordialement|amicalement|bien à vous|gracias|saludos( cordiales)?"
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
    r"|send(?=\s*[.!])"
    r"|submit|(?:save|submit|enter|send)\s+(?:(?:my|these|the|all)\s+)*(?:orders|moves)"
    r"|that(?:'s|’s| is) all( for now)?|end of (message|orders)"
    r"|see you( (all|there|soon|later|around|then|on the board|next time))?"
    r"|talk (to you )?(soon|later)"
    r"|(i'm |i am )?looking forward( to (it|this|that|the game|playing))?"
    r"|viel (glück|erfolg|spaß)|bonne (chance|partie|journée)|buena suerte|buona fortuna)"
    r"(,? (to )?(you )?(all|everyone|everybody)( of you)?)?\s*[,.!;)–-]*",
    re.IGNORECASE,
)
"""Good wishes on a line of their own. Unlike a closing they say nothing about the lines below."""
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
    *(_IF_IT_PLEASES, _THANKS),
)
_SMILES = r"(?:[\s.!]|[:;]-?[()D]|[\u2600-\u27bf\U0001f000-\U0001faff])*$"
# A run of blanks is gone through once, not from each of them.
THANKS_BEHIND = says(rf"(?<![\s,;.–-])[\s,;.–-]++{_MEANS_NOTHING}{_SMILES}")
"""What stands behind an order and changes nothing: "please and thank you", "as well"."""
THANKS_BEFORE = re.compile(
    r"\W*if\s+(?:(?:i|we)\s+may|you\s+please|it\s+pleases?\s+you)\s*[,:–-]\s*", re.IGNORECASE
)
"""The same before an order: "If I may, "."""
CONTACT = re.compile(
    r"\+\d[\d ()/.-]{6,30}|\bwww\.|https?://|[^\s@]{1,64}@[^\s@]{1,64}\.[a-z]"
    r"|\b(tel|phone|mobile?|mob|cell|fax|e-?mail)\b\s?[.:]",
    re.IGNORECASE,
)
"""How to reach somebody, as it stands in signatures."""
SAID_ALONE = re.compile(
    r"(absence|amend|answer|broadcast|clear|confirm|diary|draw|erase|export|games?|help|here|history"
    r"|hold all|ja|list|log|map|moderator|nee|nein|nie|non?|não|ok|okay|orders?|oui|phase|present"
    r"|proofs?|quit|ready|refuse|register|resign|return|rules|s[ií]|sim|same|set|signon|standby"
    r"|status|stop|table|takeover|unsubscribe|variants|vote|wait|whatif|yes)\W*",
    re.IGNORECASE,
)
"""A line that is nothing but a command, whatever name it would be."""
BEGINS_COMMAND = re.compile(
    r"(ABSENCE|AMEND|BROADCAST|CLEAR|CONCEDE|CREATE|DIARY|ERASE|EXTEND|GM|HISTORY|HOLD|JOIN|LEAVE|LOG"
    r"|MAIL|MAP|OBSERVE|PHASE|PRESS|PROPOSE|REGISTER|RESIGN|RETURN|SET|STANDBY|STATUS|TABLE|TAKEOVER"
    r"|VOTE|WHATIF) ",
)
"""In capitals: "Press Officer" may be what somebody is."""
PARTICLE = re.compile(
    r"(af|al|and|bin|da|das|de|del|della|den|der|di|dos|du|e|el|et|for|für|la|le|of|the|und|van|vom"
    r"|von|y|zu|zum)\b",
)
"""Words within a name or a title that are not written in capitals."""
ENDS_PRESS = re.compile(r"end\W*(press|broadcast)?\W*|signoff\W*", re.IGNORECASE)
LOOKS_LIKE_ORDER = says(
    "(a|f|army|fleet|build|builds|disband|remove|waive|retreat"
    "|armeen?|flott[ea]n?|arm[ée]e?n?|l'arm[ée]e|ej[ée]rcito|flota|armata|leger|vloot"
    r"|armi[aęi]|ex[ée]rcito|frota|арми[яюи]|флот|а|ф)\b",
    r".*(\s[-–—]+>?\s|->|→|\b(holds?|supports?|convoys?|via)\b)",
)
UNIT_AND_PLACE = re.compile(r"\b([AF]|Army|Fleet)\.? +[A-Z][a-zA-Z]{2}")
ENDS_WITH_UNIT = re.compile(
    r"(.*\b(supports?|convoys?|s|c)\s+)?(a|f|army|fleet)\.?\s+[^\W\d_][^-–—>:]{2,40}", re.IGNORECASE
)
BULLET = re.compile(r"([-*•·▪◦–]\s+|\(?\d{1,2}[.)]\s+)(?=\S)")
STRUCK = re.compile(r"~~(?=[^\s~])[^~\n]{1,200}~~|(?:[^\n][\u0335\u0336])+")
"""In plain text: "~~A Par - Bur~~", or a line through each letter."""
LONGEST_RULED = 400
