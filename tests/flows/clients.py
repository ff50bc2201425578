"""How mail programs write a reply: the same few lines of text in very different envelopes.

Each function takes the text that a person typed at the top, the mail that is answered (or None)
and an EmailMessage with its addresses already set, and fills in the body.
"""

from __future__ import annotations

import base64
import html
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage


@dataclass(frozen=True)
class Quoted:
    """What is known of the mail that is answered."""

    sender: str
    date: str
    subject: str
    text: str


Client = Callable[[EmailMessage, str, Quoted | None], None]


def quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def top_post(text: str, quoted: Quoted | None, attribution: str) -> str:
    if quoted is None:
        return text + "\n"
    return f"{text}\n\n{attribution}\n{quote(quoted.text)}\n"


def mutt(message: EmailMessage, text: str, quoted: Quoted | None) -> None:
    """Plain ASCII, question marks for the rest, everything quoted, a signature below."""
    attribution = quoted and f"On {quoted.date}, {quoted.sender} wrote:"
    body = top_post(text, quoted, str(attribution)).encode("ascii", "replace").decode()
    message.set_content(f"{body}\n-- \nA Paris - Moscow is a long walk.\n", cte="7bit")


def gmail(message: EmailMessage, text: str, quoted: Quoted | None) -> None:
    """Quoted-printable text and HTML side by side; the reply is quoted in both."""
    attribution = quoted and f"On {quoted.date} {quoted.sender} wrote:"
    plain = top_post(text, quoted, str(attribution))
    message.set_content(plain, cte="quoted-printable")
    rich = "<div dir='ltr'>" + "<br>".join(html.escape(text).splitlines()) + "</div>"
    if quoted:
        rich += (
            f"<br><div class='gmail_quote'><div class='gmail_attr'>{html.escape(str(attribution))}"
            f"</div><blockquote>{html.escape(quoted.text)}</blockquote></div>"
        )
    message.add_alternative(rich, subtype="html", cte="quoted-printable")


def outlook(message: EmailMessage, text: str, quoted: Quoted | None) -> None:
    """HTML and nothing else, a paragraph for each line, the old mail under a rule."""
    lines = "".join(f"<p class=MsoNormal>{html.escape(line)}</p>" for line in text.splitlines())
    if quoted:
        lines += (
            "<div style='border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal>"
            f"<b>From:</b> {html.escape(quoted.sender)}<br><b>Sent:</b> {quoted.date}<br>"
            f"<b>Subject:</b> {html.escape(quoted.subject)}</p></div>"
            f"<pre>{html.escape(quoted.text)}</pre>"
        )
    message.set_content(f"<html><body>{lines}</body></html>", subtype="html", cte="base64")


def iphone(message: EmailMessage, text: str, quoted: Quoted | None) -> None:
    """UTF-8 in base64, hyphens turned into dashes, spaces that do not break."""
    typed = text.replace(" - ", "\u00a0\u2013 ") + "\n\nSent from my iPhone"
    attribution = quoted and f"On {quoted.date}, {quoted.sender} wrote:"
    message.set_content(top_post(typed, quoted, "> " + str(attribution)), cte="base64")


def thunderbird(message: EmailMessage, text: str, quoted: Quoted | None) -> None:
    """format=flowed: lines that end in a blank go on in the next one."""
    attribution = quoted and f"Am {quoted.date} schrieb {quoted.sender}:"
    body = top_post(text, quoted, str(attribution)) + "\n-- \nVon meinem Rechner gesendet\n"
    message.set_content(body, cte="8bit", params={"format": "flowed"})


def webmail(message: EmailMessage, text: str, quoted: Quoted | None) -> None:
    """No quote, Latin-1, a polite word before and after."""
    message.set_content(f"Hello judge,\n\n{text}\n\nTh\xe4nks\n", charset="iso-8859-1")


def old_unix(message: EmailMessage, text: str, quoted: Quoted | None) -> None:
    """No MIME at all, yet letters beyond ASCII."""
    body = top_post(text, quoted, "You wrote:").replace("\n", "\r\n")
    message.set_payload(body.encode("cp1252", "replace").decode("ascii", "surrogateescape"))


CLIENTS: tuple[Client, ...] = (mutt, gmail, outlook, iphone, thunderbird, webmail, old_unix)


def quoted_printable_reply(address: str, to: str, text: str, quoted: Quoted) -> bytes:
    """A raw reply written out by hand: soft line breaks inside the orders, =20 at line ends."""
    body = top_post(text, quoted, f"On {quoted.date}, {quoted.sender} wrote:")
    body += "\n--=20\nCarla\nA Paris - Moscow\n"
    lines = [soft_break(line) for line in body.splitlines()]
    head = textwrap.dedent(f"""\
        From: Carla <{address}>
        To: {to}
        Subject: Re: {quoted.subject}
        Message-ID: <{base64.b16encode(to.encode())[-16:].decode()}@players.test>
        MIME-Version: 1.0
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: quoted-printable
        """)
    return (head + "\n" + "\n".join(lines) + "\n").replace("\n", "\r\n").encode()


def soft_break(line: str) -> str:
    """The line broken once in the middle, as quoted-printable may (RFC 2045, 6.7)."""
    half = len(line) // 2
    return line if half < 4 or line.startswith("--") else f"{line[:half]}=\n{line[half:]}"
