"""Whose lines are these? Quotes, their headings, signatures and courtesies are told from orders.

The rules go line by line and never look further than a few lines ahead, so that no text can make
them slow. When in doubt a line stays: the reply tells what was not understood, while an order
taken for a quote would be lost.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

QUOTED = "quoted"
ATTRIBUTION = "heading of a quote"
SIGNATURE = "signature"
COURTESY = "courtesy"
FOOTER = "footer"
ORNAMENT = "only signs"

_MARKER = re.compile(r"##-\s?.{3,80}\s?-##")
# "… wrote:" with the verb at the end; with the name behind it (then a date or address must be
# there); and Gmail's "date, name <address>:" without any verb (Japanese among others).
_WROTE = re.compile(
    r"(wrote|writes|écrit|escribi[oó]|scritto|geschreven|escreveu|napisał\(a\)|napisała?|skrev"
    r"|schrieb|schreef|napsala?|kirjoitti|написала?|пишет|írta|さんは書きました|のメール)\s?[:：]$",
    re.IGNORECASE,
)
_WROTE_BEFORE_NAME = re.compile(
    r"\b(schrieb|skrev|schreef|escreveu|napisał\(a\)|kirjoitti|wrote|writes)(?!\w)", re.IGNORECASE
)
_ADDRESS_AT_END = re.compile(r"<[^<>\s]{1,254}>\s?[:：]$")
_OPENS_ATTRIBUTION = re.compile(
    r"(on|am|le|el|il|op|em|w dniu|den|dnia|dne|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa"
    r"|so|lun|mar|mer|jeu|ven|sam|dim|pon|wt|śr|czw|pt|sob|niedz|mån|tis|ons|tors|fre|lör|sön"
    r"|seg|ter|qua|qui|sex|sáb|dom|ma|woe?|vr|za|zo|\d{4}年.*|\d{1,4}[./-]\d{1,2}.*)\b",
    re.IGNORECASE,
)
_HEADER_LABELS = (
    r"from|sent|date|to|cc|subject|reply-to|importance|von|gesendet|datum|an|betreff|kopie"
    r"|de|envoy[ée]|à|a|objet|date d'envoi|enviad[oa]( el)?|para|asunto|assunto|data|fecha|da"
    r"|inviato|oggetto|van|verzonden|aan|onderwerp|od|wysłano|do|temat|från|skickat|till|ämne"
    r"|fra|sendt|til|emne|差出人|送信日時|宛先|件名|日時"
)
_HEADER_LINE = re.compile(rf"[*_]?({_HEADER_LABELS})\s?[:：][*_]?(\s|$).*", re.IGNORECASE)
_FIRST_HEADER = re.compile(
    r"[*_]?(from|von|de|da|van|od|från|fra|差出人|sent|gesendet|date|datum)\s?[:：]", re.IGNORECASE
)
_ORIGINAL = re.compile(
    r"-{2,}\s*(original|forwarded|ursprüngliche|weitergeleitete|message|mensaje|messaggio"
    r"|oorspronkelijk|doorgestuurd|mensagem|oryginalna|wiadomość|vidarebefordrat|original-"
    r"|transfér|元の|転送).*-{2,}\s*$"
    r"|(begin forwarded message|anfang der weitergeleiteten|début du message|inizio messaggio)",
    re.IGNORECASE,
)
_DASHES = re.compile(r"--\s?$|—\s?$|__\s?$")
_SENT_FROM = re.compile(
    r"(sent|get|gesendet|von mein\w+|diese nachricht wurde von|envoyé|téléchargez|obtenir"
    r"|enviad[oa]|obtén|obter|inviato|scarica|ottieni|verstuurd|verzonden|outlook voor|wysłan[eoy]"
    r"|skickat|hämta|downloade?n?)\b.{0,60}\b"
    r"(iphone|ipad|android|mobile?|mobil\w*|smartphone|handy|samsung|galaxy|huawei|xiaomi|pixel"
    r"|blackberry|windows|outlook\w*|yahoo\w*|gmail|gmx\w*|web\.de|mail|proton\w*|thunderbird|mutt"
    r"|tutanota|fairphone|phone|téléphone|móvil|cellulare|telefoon|celular|telefonu?|tablet)\b.*"
    r"|iphone\s?から送信|.{0,30}から送信$|yahoo\s?mail\s?:.*|sent from .{1,40}$",
    re.IGNORECASE,
)
_FOOTER = re.compile(
    r"(confidentiality notice|disclaimer\b|this (e-?mail|message|communication)\b.{0,60}"
    r"(confidential|intended|virus|checked)|the information (contained )?in this (e-?mail|message)"
    r"|diese e-?mail (enthält|kann)|ce (message|courriel) (et|est|peut)|este (mensaje|correo) "
    r"|virus-?free|virenfrei|please consider the environment|to unsubscribe|unsubscribe\b"
    r"|you received this message because)",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(hi|hello|hey|dear|greetings|good (morning|evening|afternoon|day)|hallo|liebe[rs]?|moin"
    r"|servus|guten (tag|morgen|abend)|bonjour|bonsoir|salut|cher|chère|hola|buenos días"
    r"|estimad[oa]"
    r"|ciao|salve|gentile|buongiorno|beste|hoi|dag|olá|oi|caro|cześć|witam|dzień dobry|hej"
    r"|こんにちは)\b[^:\->–—]{0,40}",
    re.IGNORECASE,
)
_INTRODUCTION = re.compile(
    r"(?=.{0,80}[:：]$).{0,60}\b(orders?|moves|retreats|builds|disbands|adjustments|befehle|züge"
    r"|ordres|órdenes|ordini|ordens|rozkazy)\b.{0,40}",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(many )?(thanks|thank you|thx|cheers|regards|sincerely|danke( schön)?"
    r"|(best|kind|warm|yours)( regards| wishes| sincerely| truly| faithfully)?"
    r"|(viele|liebe|beste|schöne|mit freundlichen) grü(ß|ss)e?n?|grü(ß|ss)e|gruß|vg|lg|mfg"
    r"|merci( beaucoup)?|cordialement|amicalement|bien à vous|gracias|saludos( cordiales)?"
    r"|un saludo|grazie( mille)?|(cordiali )?saluti|bedankt|groet(en|jes)?"
    r"|met vriendelijke groeten?|obrigad[oa]|abraços?|cumprimentos|dziękuję|pozdrawiam|pozdrowienia"
    r"|tack|hälsningar|(med vänliga|vänliga) hälsningar|mvh|よろしくお願いします)"
    r"(\s+(in advance|im voraus|d'avance|a lot|again))?\s*[,.!;–-]*",
    re.IGNORECASE,
)
_LOOKS_LIKE_ORDER = re.compile(
    r"(a|f|army|fleet|build|builds|disband|remove|waive|retreat)\b"
    r"|.*(\s[-–—]+>?\s|->|→|\b(holds?|supports?|convoys?|via)\b)",
    re.IGNORECASE,
)
_UNIT_AND_PLACE = re.compile(r"\b([AF]|Army|Fleet)\.? +[A-Z][a-zA-Z]{2}")
_BULLET = re.compile(r"([-*•·▪◦–]\s+|\(?\d{1,2}[.)]\s+)(?=\S)")
_LONGEST_RULED = 400


@dataclasses.dataclass(frozen=True)
class Line:
    """A line that its writer wrote himself; `number` counts the lines of the text from 1."""

    number: int
    text: str


@dataclasses.dataclass(frozen=True)
class Ignored:
    """A line that was left out, and why."""

    number: int
    text: str
    why: str


class _Reader:
    """One walk over the lines, top to bottom; `index` is the line being looked at."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = [line.strip() for line in lines]
        self.kept: list[Line] = []
        self.ignored: list[Ignored] = []
        self.index = 0

    def read(self) -> None:
        while self.index < len(self.lines):
            self._step(self.lines[self.index])

    def _step(self, text: str) -> None:
        if not text:
            self.index += 1
        elif text.startswith(">"):
            self._ignore(QUOTED)
        elif self._starts_foreign_rest(text):
            self._ignore_rest(QUOTED)
        elif length := self._attribution():
            for _ in range(length):
                self._ignore(ATTRIBUTION)
            if not self._quote_marks_follow():
                self._ignore_rest(QUOTED)
        elif _DASHES.fullmatch(text):
            self._ignore_until_quote(SIGNATURE)
        elif _FOOTER.match(text):
            self._ignore_until_quote(FOOTER)
        else:
            self._own_line(text)

    def _own_line(self, text: str) -> None:
        short = text[:_LONGEST_RULED]
        if not any(character.isalnum() for character in short):
            self._ignore(ORNAMENT)
        elif _SENT_FROM.fullmatch(short):
            self._ignore(SIGNATURE)
        elif _is_courtesy(short):
            self._ignore(COURTESY)
        elif _CLOSING.fullmatch(short):
            self._close()
        else:
            self.kept.append(Line(self.index + 1, _without_bullet(text)))
            self.index += 1

    def _close(self) -> None:
        """A closing formula, and the name below it: at most three lines that are no orders."""
        self._ignore(COURTESY)
        for _ in range(3):
            if self.index >= len(self.lines):
                return
            text = self.lines[self.index]
            if text and (
                len(text) > 40
                or text.startswith((">", "#"))
                or _DASHES.fullmatch(text)
                or _looks_like_order(text)
                or self._starts_foreign_rest(text)
                or self._attribution()
                or _SENT_FROM.fullmatch(text)
            ):
                return
            if text:
                self._ignore(SIGNATURE)
            else:
                self.index += 1

    def _starts_foreign_rest(self, text: str) -> bool:
        """Whether everything from here on is somebody else's: our marker, a copied header."""
        short = text[:_LONGEST_RULED]
        if _MARKER.search(short) or _ORIGINAL.match(short):
            return True
        if re.fullmatch(r"[_=-]{10,}", short):
            return self._copied_header(self._next_text(self.index + 1))
        return self._copied_header(self.index)

    def _copied_header(self, start: int) -> bool:
        """Whether a mail's header (From, Sent, To, Subject) was copied into the text here."""
        if start >= len(self.lines) or not _FIRST_HEADER.match(self.lines[start]):
            return False
        following = self.lines[start + 1 : start + 7]
        labelled = [line for line in following if _HEADER_LINE.fullmatch(line[:_LONGEST_RULED])]
        return len(labelled) >= 2

    def _attribution(self) -> int:
        """Over how many lines an attribution (`On Friday, X wrote:`) goes from here; 0: none."""
        first = self.lines[self.index]
        opens = _OPENS_ATTRIBUTION.match(first) and not _looks_like_order(first)
        for length in range(1, 5 if opens else 2):
            part = self.lines[self.index : self.index + length]
            if len(part) < length or not part[-1] or part[-1].startswith(">"):
                return 0
            if _is_attribution(" ".join(part)):
                return length
        return 0

    def _quote_marks_follow(self) -> bool:
        following = self._next_text(self.index)
        return following < len(self.lines) and self.lines[following].startswith(">")

    def _next_text(self, start: int) -> int:
        """The index of the next line that is not blank."""
        while start < len(self.lines) and not self.lines[start]:
            start += 1
        return start

    def _ignore(self, why: str) -> None:
        self.ignored.append(Ignored(self.index + 1, self.lines[self.index], why))
        self.index += 1

    def _ignore_until_quote(self, why: str) -> None:
        """A signature ends where a quote begins: people answer above or below what they quote."""
        self._ignore(why)
        while self.index < len(self.lines):
            text = self.lines[self.index]
            if text.startswith(">") or self._attribution() or self._starts_foreign_rest(text):
                return
            self._ignore_unless_blank(why)

    def _ignore_rest(self, why: str) -> None:
        while self.index < len(self.lines):
            self._ignore_unless_blank(why)

    def _ignore_unless_blank(self, why: str) -> None:
        if self.lines[self.index]:
            self._ignore(why)
        else:
            self.index += 1


def own_lines(lines: Sequence[str]) -> tuple[tuple[Line, ...], tuple[Ignored, ...]]:
    """The lines their sender wrote himself, and the others with the reason for each."""
    reader = _Reader(lines)
    reader.read()
    return tuple(reader.kept), tuple(reader.ignored)


def _is_attribution(text: str) -> bool:
    if len(text) > _LONGEST_RULED or not text.endswith((":", "：")):
        return False
    if _WROTE.search(text):
        return True
    dated = any(character.isdigit() for character in text)
    if _WROTE_BEFORE_NAME.search(text):
        return dated or "@" in text
    return dated and (bool(_ADDRESS_AT_END.search(text)) or "年" in text)


def _without_bullet(text: str) -> str:
    bullet = _BULLET.match(text)
    return text[bullet.end() :] if bullet else text


def _is_courtesy(text: str) -> bool:
    """Whether a line greets, or only says that orders follow."""
    found = _GREETING.fullmatch(text) or _INTRODUCTION.fullmatch(text)
    return bool(found) and not _looks_like_order(text)


def _looks_like_order(text: str) -> bool:
    return bool(_LOOKS_LIKE_ORDER.match(text) or _UNIT_AND_PLACE.search(text))
