"""Every kind of our mails, sent back as people quote: only what they wrote above is read.

The mails are made once: two years of a game with every phase, and receipts of every command, with
its help. Each is quoted in every way; what is read in it is compared with what the writer wrote.
"""

from __future__ import annotations

import datetime as dt
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from games.models import Game, Phase
from games.queries.orders.current_orders import is_followed
from games.services.adjudication.phases import phase_process_now
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.pauses import game_pause, game_resume
from judge.text.reader_cache import line_reader_of
from judge.text.written import Written
from judge.variants import load_variant
from mailer.commands.base import MOST_COMMANDS
from mailer.commands.calls import ORDERS, Call
from mailer.commands.orders.viewpoint import Viewpoint
from mailer.commands.player import COMMANDS, WORDS
from mailer.commands.script import read_script
from mailer.letter import read_letter
from mailer.models import OutboundMail
from mailer.outbound.compose import compose
from mailer.outbound.layout import COMMAND_WORDS
from mailer.text import MARKER
from tests.cast import DAY, HOUR, NOW, OPENINGS, POWERS, Cast, submit
from tests.games.proofs.kept import with_key
from tests.mailer.correspondence import tell_all, to_seat, write

pytestmark = pytest.mark.django_db

OWN = ["A Par - Bur", "READY"]
QUOTED_ORDERS = "A Munich - Burgundy\nF Brest Holds\nBuild A Paris\nREADY"


@dataclass(frozen=True)
class Sent:
    """A mail of ours, as its reader has it."""

    kind: str
    subject: str
    body: str
    html: str
    """What stands in the body of the HTML part, as it is sent: buttons, captions and all."""


@dataclass(frozen=True)
class World:
    """Every mail, and every position in which what is quoted could be an order of some power."""

    mails: tuple[Sent, ...]
    views: tuple[Viewpoint, ...]


_made: list[World] = []


@pytest.fixture
def world(request: pytest.FixtureRequest, settings: Settings, tmp_path: Path) -> World:
    """All mails, receipts signed; the database is needed once."""
    if not _made:
        with_key(settings, tmp_path)
        _made.append(_world(request.getfixturevalue("marne")))
    return _made[0]


def _world(cast: Cast) -> World:
    Game.objects.update(press_mode=Game.PressMode.BOTH)
    _tell(NOW)
    for text in _texts(cast):
        to = to_seat(cast)
        write("Carla", text, to=to, subject="Re: [marne]")
    _play(cast)
    unique = {
        mail.body: Sent(mail.kind, mail.subject, mail.body, _html_of(mail)) for mail in _sent()
    }
    phases = list(cast.game.phases.select_related("game"))
    assert {phase.name[-1] for phase in phases} == set("MRA")
    views = [Viewpoint.of(phase, power) for phase in phases for power in POWERS.values()]
    return World(tuple(unique.values()), tuple(views))


def _sent() -> Iterator[OutboundMail]:
    yield from OutboundMail.objects.order_by("pk")


def _html_of(mail: OutboundMail) -> str:
    message = message_from_bytes(compose(mail), policy=policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("html",))
    assert part, mail.subject
    found = re.search(r"<body[^>]*>(.*)</body>", part.get_content(), re.DOTALL)
    assert found
    return found[1]


def _texts(cast: Cast) -> Iterator[str]:
    """Mails of a player: every command with its examples, good orders and bad ones, and press."""
    yield from _together([f"HELP {name}" for name in COMMANDS])
    helps = "\n".join(command.help for command in COMMANDS.values() if not command.has_body)
    examples = re.findall(r"^Example: (.+?)(?: \(.*)?$", helps, re.MULTILINE)
    kept = ("SET ADDRESS", "SET HTML", "SET MAP", "RESIGN", "LEAVE", "READY", "CLEAR")
    yield from _together([one for one in examples if not one.startswith(kept)])
    yield "A Par - Bur\nA Gas - Par\nA Mar S A Parr\nfoo bar\nF Bre - Eng\nGermany: A Mun - Bur"
    yield "A Par - Bur\nA Mar S A Par - Bur\nF Bre - MAO"
    yield f"PHASE F1901M\n{QUOTED_ORDERS}"
    yield f"WHATIF\nFrance: A Par - Bur\nGermany: A Mun - Bur\n{QUOTED_ORDERS}"
    yield f"PRESS TO Germany, Italy\n{QUOTED_ORDERS}"
    yield "Hi Germany, shall we talk about A Munich - Burgundy?\nI am away next week"
    yield "HELP\nORDERS\nLIST\nSTATUS\nLOG\nMAP\nSET\nVOTE DRAW\nPHASE"


def _together(lines: Sequence[str]) -> Iterator[str]:
    """The lines in mails of as many commands as one may have."""
    for first in range(0, len(lines), MOST_COMMANDS):
        yield "\n".join(lines[first : first + MOST_COMMANDS])


def _play(cast: Cast) -> None:
    """Two years with retreats, builds and disbands, a moved deadline and a pause."""
    game = cast.game
    for power, lines in OPENINGS.items():
        submit(cast, power, lines, NOW)
    deadline_move(game=game, to=NOW + 9 * DAY, why="A storm.", by=Mover("Gerda"), now=NOW)
    game_pause(game=game, until=NOW + HOUR, why="A feast.", by="Gerda", now=NOW)
    game_resume(game=game, by="Gerda", now=NOW)
    now = NOW + 9 * DAY
    _process(cast, now)
    _set_position(
        cast.phase,
        "F1901M",
        {
            "France": ["A Burgundy", "A Ruhr", "A Spain"],
            "Germany": ["A Munich", "A Denmark", "F Holland"],
            "Austria": ["A Serbia"],
            "Italy": ["A Tunis"],
            "Russia": ["F Rumania", "A Galicia"],
            "England": ["F Norway"],
        },
    )
    submit(cast, "France", ("A Bur - Mun", "A Ruh S A Bur - Mun"), now)
    for _ in range(3):
        now += 9 * DAY
        _process(cast, now)


def _process(cast: Cast, now: dt.datetime) -> None:
    _tell(now)
    assert phase_process_now(game_id=cast.game.pk, now=now)
    _tell(now)


def _tell(now: dt.datetime) -> None:
    tell_all(now)


def _set_position(phase: Phase, name: str, units: dict[str, list[str]]) -> None:
    phase.name = name
    phase.position = {**phase.position, "phase": name, "units": units}
    phase.save()


# --- The ways to quote ---------------------------------------------------------------------


def _marked(mail: Sent) -> str:
    lines = "\n".join(f"> {line}" for line in mail.body.splitlines())
    return f"On Mon, 2 Mar 2026 at 12:10, Diplomacy Server <judge@game.test> wrote:\n\n{lines}"


def _below_a_header(mail: Sent) -> str:
    return (
        "________________________________\nFrom: Diplomacy Server <judge@game.test>\n"
        f"Sent: Monday, 2 March 2026 12:10\nTo: Carla\nSubject: {mail.subject}\n\n{mail.body}"
    )


def _bare(mail: Sent) -> str:
    return mail.body


def _bare_below_a_heading(mail: Sent) -> str:
    return f"On Mon, 2 Mar 2026 at 12:10 <judge@game.test> wrote:\n{_without_marker(mail)}"


def _without_marker(mail: Sent) -> str:
    return mail.body.replace(MARKER, "").lstrip()


def _as_html(quoted: Callable[[Sent], str]) -> Callable[[Sent], str]:
    def page(mail: Sent) -> str:
        lines = quoted(mail).replace("&", "&amp;").replace("<", "&lt;").splitlines()
        return "<br>".join(lines)

    return page


QUOTES: dict[str, Callable[[Sent], str]] = {
    "marked": _marked,
    "below an Outlook header": _below_a_header,
    "bare": _bare,
    "bare below a heading": _bare_below_a_heading,
}


def calls(text: str, kind: str = "plain") -> Sequence[Call]:
    head = f"From: ana@players.test\nContent-Type: text/{kind}; charset=utf-8\n\n"
    return read_script(read_letter((head + text).encode()), WORDS)


def said(found: Sequence[Call]) -> list[str]:
    return [
        text
        for call in found
        for text in (
            [line.text for line in call.lines] if call.command == ORDERS else [call.command]
        )
    ]


@pytest.mark.parametrize("way", QUOTES)
def test_only_what_stands_above_a_quote_is_read(world: World, way: str) -> None:
    for mail in world.mails:
        text = "\n".join([*OWN, "", QUOTES[way](mail)])
        assert said(calls(text)) == ["A Par - Bur", "ready"], mail.subject


@pytest.mark.parametrize("way", QUOTES)
def test_only_what_stands_above_a_quote_is_read_in_html(world: World, way: str) -> None:
    own = "".join(f"<div>{line}</div>" for line in OWN)
    for mail in world.mails:
        quoted = _as_html(QUOTES[way])(mail)
        if way == "marked":
            quoted = f'<blockquote type="cite">{_as_html(_without_marker)(mail)}</blockquote>'
        assert said(calls(f"{own}<br>{quoted}", "html")) == ["A Par - Bur", "ready"], mail.subject


def _own_html() -> str:
    return "".join(f"<div>{line}</div>" for line in OWN)


SENT = "<b>From:</b> Diplomacy judge<br><b>Sent:</b> Monday, 2 March 2026 12:10<br><b>To:</b> Carla"
HTML_QUOTES: dict[str, Callable[[Sent], str]] = {
    "marked": lambda mail: f'<blockquote type="cite">{_html_without_marker(mail)}</blockquote>',
    "below an Outlook header": lambda mail: (
        f"<hr><div>{SENT}<br></div>{_html_without_marker(mail)}"
    ),
    "bare": lambda mail: mail.html,
    "bare below a heading": lambda mail: (
        "<div>On Mon, 2 Mar 2026 at 12:10 &lt;judge@game.test&gt; wrote:</div>"
        + _html_without_marker(mail)
    ),
}
"""The HTML part as programs quote it: what they keep of it, they keep as it was."""


def _html_without_marker(mail: Sent) -> str:
    return re.sub(r"<p[^>]*>[^<]*write above this line[^<]*</p>", "", mail.html)


@pytest.mark.parametrize("way", HTML_QUOTES)
def test_only_what_stands_above_our_own_html_is_read(world: World, way: str) -> None:
    for mail in world.mails:
        page = f"{_own_html()}<br>{HTML_QUOTES[way](mail)}"
        assert said(calls(page, "html")) == ["A Par - Bur", "ready"], mail.subject


def test_our_own_html_bare_and_without_the_marker_holds_no_order_and_no_command(
    world: World,
) -> None:
    """Labels of buttons, captions of pictures and what stands for them where none are shown."""
    lines: dict[str, str] = {}
    for mail in world.mails:
        if mail.kind == "press_sent":
            continue
        found = calls(_html_without_marker(mail), "html")
        assert [call for call in found if call.command != ORDERS] == [], mail.subject
        lines |= {line.text: mail.subject for call in found for line in call.lines}
    readable = [line for line in lines if _may_be_order(line)]
    for view in world.views:
        followed = [one for one in view.readings(readable) if is_followed(one)]
        assert [(readable[one.line], lines[readable[one.line]]) for one in followed] == []


def test_buttons_captions_and_pictures_are_among_what_is_quoted(world: World) -> None:
    everything = "".join(mail.html for mail in world.mails)
    for one in ("mailto:judge%2B", "mailto:judge+", "cid:orders.", "cid:position.", "Retreat to"):
        assert one in everything or one.startswith("mailto"), one
    assert "mailto:" in everything
    assert all("write above this line" in mail.html for mail in world.mails if mail.kind == "reply")


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_bare_and_without_the_marker_there_is_still_no_order_or_command(
    world: World, kind: str
) -> None:
    """Lines of ours are then taken for the writer's own, and none of them is an order they have."""
    quote = _as_html(_without_marker) if kind == "html" else _without_marker
    lines: dict[str, str] = {}
    for mail in world.mails:
        if mail.kind == "press_sent":
            continue  # a reply to it goes to an address where no command is read
        found = calls(quote(mail), kind)
        commands = {call.number: call.command for call in found if call.command != ORDERS}
        shown = quote(mail).replace("<br>", "\n").splitlines()
        assert {command: shown[number - 2 : number] for number, command in commands.items()} == {}
        lines |= {line.text: mail.subject for call in found for line in call.lines}
        lines |= dict.fromkeys(mail.body.splitlines(), mail.subject)
    readable = [line for line in lines if _may_be_order(line)]
    for view in world.views:
        followed = [one for one in view.readings(readable) if is_followed(one)]
        assert [(readable[one.line], lines[readable[one.line]]) for one in followed] == []


@cache
def _may_be_order(line: str) -> bool:
    """Whether some order can be read in the line, on some board: most lines of ours are none."""
    pieces = line_reader_of(load_variant()).pieces(line)
    return any(isinstance(piece.written, Written) for piece in pieces)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_quote_that_a_program_wraps_anew_brings_no_command(data: st.DataObject) -> None:
    if not _made:  # the tests above make it
        return
    mail = data.draw(st.sampled_from(_made[0].mails))
    width = data.draw(st.integers(30, 90))
    prefix = data.draw(st.sampled_from(["> ", ">", "> > "]))
    wrapped = [
        f"{prefix}{part}"
        for line in mail.body.splitlines()
        for part in textwrap.wrap(line, width) or [""]
    ]
    text = "\n".join([*OWN, "", "Diplomacy Server <judge@game.test> wrote:", "", *wrapped])
    assert said(calls(text)) == ["A Par - Bur", "ready"]


def test_every_kind_of_mail_is_among_them(world: World) -> None:
    kinds = {mail.kind for mail in world.mails}
    assert {"reply", "game_started", "phase_processed", "press_sent", "deadline_moved"} <= kinds
    assert len(world.mails) > 50


def test_the_layout_knows_every_word_that_begins_a_command() -> None:
    assert set(COMMAND_WORDS) == set(WORDS)
