"""How mail programs and people around the world mark what they did not write, by language.

English, German, French, Spanish, Italian, Dutch, Portuguese, Polish, Swedish (with Danish and
Norwegian), Japanese; the header blocks and verbs of Chinese, Korean, Russian, Turkish and some
more. We try every pattern on at most `LONGEST_RULED` characters, and each reads them once.
"""

from __future__ import annotations

import re

from mailer.reading import seasons
from mailer.reading.patterns import one_word, says

SIGNED = "\ue001 "
"""Our sign before each line of a signature in an HTML mail; nobody types it."""
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
# "… wrote:" with the verb at the end, or with the name after it (then a date or address must be
# there); and Gmail's "date, name <address>:" without any verb (in Japanese, among others).
WROTE = re.compile(
    r"(wrote|writes|écrit|escribi[oó]|scritto|geschreven|escreveu|napisał\(a\)|napisała?|skrev"
    r"|schrieb|schreef|napsala?|kirjoitti|написала?|пишет|írta|yazdı|さんは書きました|のメール"
    r"|写道|寫道|님이 작성|작성)\s?[:：]$",
    re.IGNORECASE,
)
WROTE_BEFORE_NAME = re.compile(
    r"\b(schrieb|skrev|schreef|escreveu|napisał\(a\)|kirjoitti|wrote|writes)(?!\w)", re.IGNORECASE
)
# The same, with the first line of the quote on the same line.
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
"""OpenPGP puts one more before a dash that begins a signed line."""
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
"""The whole line of somebody who wants no more mails, perhaps about one game. Among other lines it
is a footer."""
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
"""The line that some mailing lists draw above their footer."""
OF_LIST = re.compile(
    r"groups\.io links\b|posted by\s*:|reply via web post|view/reply online|mute this topic"
    r"|[\w .-]{1,40}\bmailing list\b",
    re.IGNORECASE,
)
"""How the footer begins."""
ANSWERED = r"(?:re|res|aw|sv|svar|antw|rif|odp|ynt)(?:\s?\[\d{1,3}\])?\s*:"
"""How the subject of an answer begins: "Re:", "AW:", "Re[2]:"."""
PASSED_ON = r"(?:fwd?|wg|tr|rv|enc|vs|vb|pd|doorst|ilt)\s*:"
"""How that of a mail passed on begins; in Finnish "VS:" is an answer."""
FORWARDED = re.compile(
    rf"\s*{PASSED_ON}|-{{2,}}\s*forwarded|begin forwarded message", re.IGNORECASE
)
"""The subject of a mail passed on, or the line above it."""
SAYS_FORWARDED = re.compile(
    r"(?!.*\b(?:not|no|never|none|why|if|unless|instead|different|ignore|disregard|forget|cancel|undo"
    r"|delete|withdraw|(?:last|old|other|another)\s+(?:game|turn|phase|season|year|orders|moves))\b"
    r"|.*(?:n['’]t\b|\?))"
    r".{0,80}\b(?:again|once more|my (?:orders|moves)"
    r"|here (?:it|they|is|are)|see below)\b.{0,30}",
    re.IGNORECASE,
)
"""What people write above an earlier mail of their own: "Here it is again:"."""
SAYS_SUBJECT = re.compile(
    r"\W*(?:please\s+)?(?:see|as\s+in|(?:my\s+)?orders?\s+(?:are\s+)?in)(?:\s+(?:the|my))?"
    r"\s+(?:subject|title)(?:\s+line)?(?:\W+(?:please|above|sorry|thanks|thank\s+you))*\W*",
    re.IGNORECASE,
)
"""All that people write in the text when their subject says everything: "See subject line."."""
TAG = re.compile(r"\s*\[[\w-]{1,40}\]\s*")
"""The name of a game in brackets, in front of a subject."""
_ORDERS = one_word(
    "orders? moves? retreats? builds? adjustments? züge befehle ordres órdenes ordini ordens"
    " rozkazy приказы"
)
NAMES_ORDERS = says(rf"\b(?:{_ORDERS}|{seasons.WORDS}|[sfw]\d{{2,4}})\b")
"""Words in a subject that show that a mail is for us."""
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
"""The subject of a mail with orders that names their phase: "Subject: orders Spring 1902". A season
alone will do, but not among other words: "Subject: I will fall back"."""
NAMES_PHASE = re.compile(_OF_PHASE, re.IGNORECASE)
SENT_LINE = re.compile(
    r"[*_]?(?:sent|date|gesendet|datum|envoyé|date d'envoi|enviad[oa](?: el)?|fecha|data|inviato"
    r"|verzonden|wysłano|skickat|sendt|отправлено|дата)\s?:(?=.*\d)",
    re.IGNORECASE,
)
"""The line of a copied header with the time at which the mail was sent."""
SAYS_WHEN = re.compile(r"(?:ready|wait)[\s.!]*", re.IGNORECASE)
"""READY or WAIT: said about the phase, and not about the mail in which it stands."""
TALKS = re.compile(r"\?|\b(?:i|we|you|me|us|your)\b", re.IGNORECASE)
"""Words that show that a mail passed on was a letter to somebody."""
PLAIN_ADDRESS = re.compile(r"[^\s<>()\[\]:;,\"'*]+@[^\s<>()\[\]:;,\"'*]+")
ADDED = re.compile(
    r"\[\w{2,20}\]\s.{1,80}\b(reacted|reagiert|réagi|reaccion\w{1,5}|reagi\w{1,5})\b.{0,40}"
    r"|.{0,40}\b(e-?mail|message)\b.{0,20}\b(originate[sd]|came|comes|(was|is) (sent|received))\b"
    r".{0,10}\b(outside|external)\b.*",
    re.IGNORECASE,
)
"""Lines that programs add among others.

Outlook adds one for somebody who pressed a button ("[like] Ana Smith reacted to your message:"),
which names them, so we must not pass it on; offices add one on top of a mail ("CAUTION: This e-mail
originated from outside").
"""
COMMENTS = {"/*": "*/", "<!--": "-->"}
"""Signs around lines that somebody has commented out. Unlike other ornaments they mean
something."""
CONTACT = re.compile(
    r"\+\d[\d ()/.-]{6,30}|\bwww\.|https?://|[^\s@]{1,64}@[^\s@]{1,64}\.[a-z]"
    r"|\b(tel|phone|mobile?|mob|cell|fax|e-?mail)\b\s?[.:]",
    re.IGNORECASE,
)
"""How to reach somebody, as signatures have it."""
SAID_ALONE = re.compile(
    r"(absence|amend|answer|broadcast|clear|confirm|diary|draw|erase|export|games?|help|here|history"
    r"|hold all|ja|list|log|map|moderator|nee|nein|nie|non?|não|ok|okay|orders?|oui|phase|present"
    r"|proofs?|quit|ready|refuse|register|resign|return|rules|s[ií]|sim|same|set|signon|standby"
    r"|status|stop|table|takeover|unsubscribe|variants|vote|wait|whatif|yes)\W*",
    re.IGNORECASE,
)
"""A line that is nothing but a command, even if it could be a name."""
BEGINS_COMMAND = re.compile(
    r"(ABSENCE|AMEND|BROADCAST|CLEAR|CONCEDE|CREATE|DIARY|ERASE|EXTEND|GM|HISTORY|HOLD|JOIN|LEAVE|LOG"
    r"|MAIL|MAP|OBSERVE|PHASE|PRESS|PROPOSE|REGISTER|RESIGN|RETURN|SET|STANDBY|STATUS|TABLE|TAKEOVER"
    r"|VOTE|WHATIF) ",
)
"""In capitals: "Press Officer" may be somebody's title."""
PARTICLE = re.compile(
    r"(af|al|and|bin|da|das|de|del|della|den|der|di|dos|du|e|el|et|for|für|la|le|of|the|und|van|vom"
    r"|von|y|zu|zum)\b",
)
"""Words inside a name or a title that have no capital letter."""
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
