"""Whatever comes back of our own mails orders nothing: quoted in four ways, as text and as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from games.models import Phase
from games.queries.orders.current_orders import is_followed, readings
from mailer import jobs
from mailer.commands.calls import ORDERS
from mailer.commands.player import WORDS
from mailer.commands.script import read_script
from mailer.letter import read_letter
from mailer.models import OutboundMail
from mailer.outbound.compose import compose
from mailer.text import MARKER
from tests.cast import HOUR, POWERS
from tests.mailer.correspondence import told_cast, write
from tests.mailer.notices.played import LATER, order, order_openings, process, set_position

pytestmark = pytest.mark.django_db

Quote = Callable[[str], str]
HEADER = "From: Diplomacy judge <judge@game.test>\nSent: Monday, 2 March 2026 13:00\nTo: Ana\n"

TEXT: dict[str, Quote] = {
    "marked": lambda text: (
        "On Mon, 2 Mar 2026 at 13:00, Diplomacy judge <judge@game.test> wrote:\n"
        + "".join(f"> {line}\n" for line in text.splitlines())
    ),
    "Outlook": lambda text: f"{HEADER}Subject: [marne] results\n\n{text}",
    "bare": lambda text: text,
    "bare, the marker lost": lambda text: text.replace(MARKER, ""),
}
HTML: dict[str, Quote] = {
    "marked": lambda html: (
        f'<div class="gmail_quote"><blockquote type="cite">{html}</blockquote></div>'
    ),
    "Outlook": lambda html: (
        '<div id="divRplyFwdMsg"><b>From:</b> Diplomacy judge &lt;judge@game.test&gt;<br>'
        "<b>Sent:</b> Monday, 2 March 2026 13:00<br><b>To:</b> Ana<br><b>Subject:</b> x</div>"
        + html
    ),
    "bare": lambda html: html,
    "bare, the marker lost": lambda html: html.replace(MARKER, ""),
}


@pytest.fixture
def mails(db: None) -> list[OutboundMail]:
    """A mail of each kind, and of some kinds one for each thing that there may be to do."""
    cast = told_cast()
    to = OutboundMail.objects.get(kind="game_started", recipient="carla@players.test").reply_to
    for text in ("A Par - Bur\nA Mar - Spa\nWAIT\nfoo bar", "HELP\nMAP\nSTATUS\nLIST\nSET"):
        write("Carla", text, to=to)
    write("Carla", "PRESS TO Italy\nShall we?\nEND PRESS", to=to)
    order_openings(cast, "England")
    process(cast)
    units = {
        "France": ["A Burgundy", "A Ruhr", "A Spain"],
        "Germany": ["A Munich", "A Denmark", "F Holland"],
        "Russia": ["F Rumania", "A Galicia"],
        "England": ["F Norway"],
    }
    set_position(cast, "F1901M", units=units)
    order(cast, "France", "A Bur - Mun", "A Ruh S A Bur - Mun", "A Spa H", at=LATER)
    order(cast, "Germany", "A Munich H", at=LATER)
    for days in (3, 6, 9):
        process(cast, LATER + days * 24 * HOUR)
    jobs.tell(LATER + 9 * 24 * HOUR)
    every = OutboundMail.objects.order_by("pk")
    found = {(mail.kind, tuple(label for label, _ in mail.buttons)): mail for mail in every}
    return list(found.values())


def part(mail: OutboundMail, kind: str) -> str:
    message = message_from_bytes(compose(mail), policy=policy.default)
    assert isinstance(message, EmailMessage)
    found = message.get_body((kind,))
    assert found is not None
    return str(found.get_content())


def sent_back(text: str, kind: str) -> bytes:
    head = f"From: ana@players.test\nSubject: Re: x\nContent-Type: text/{kind}; charset=utf-8\n\n"
    return (head + text).encode()


def forms(mails: list[OutboundMail]) -> Iterator[tuple[str, bytes]]:
    for mail in mails:
        for how, quote in TEXT.items():
            yield f"{mail.kind}, text, {how}", sent_back(quote(part(mail, "plain")), "plain")
        for how, quote in HTML.items():
            yield f"{mail.kind}, HTML, {how}", sent_back(quote(part(mail, "html")), "html")


def test_nothing_of_our_mails_is_an_order_or_a_command_when_it_comes_back(
    mails: list[OutboundMail],
) -> None:
    assert {mail.kind for mail in mails} >= {
        "phase_processed",
        "game_started",
        "reply",
        "press_sent",
    }
    lines: dict[str, str] = {}
    for what, raw in forms(mails):
        calls = read_script(read_letter(raw), WORDS)
        assert [(call.command, call.argument) for call in calls if call.command != ORDERS] == [], (
            what
        )
        found = [line.text for call in calls for line in call.lines]
        if "lost" not in what:
            assert found == [], what
        lines |= dict.fromkeys(found, what)
    assert {what.split(", ")[1] for what in lines.values()} == {"text", "HTML"}
    texts = list(lines)
    assert len(texts) > 100
    for phase in Phase.objects.select_related("game"):
        for power in POWERS.values():
            read = [one for one in readings(phase, power, texts) if is_followed(one)]
            assert [(lines[texts[one.line]], texts[one.line]) for one in read] == []
