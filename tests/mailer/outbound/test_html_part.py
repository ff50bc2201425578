"""The HTML part: the text once more for eyes, the same bytes at every attempt, pictures inside."""

from __future__ import annotations

import dataclasses
import re
from email.message import EmailMessage
from html import escape, unescape
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.conf import settings
from django.test import Client

from atlas.tokens import DARK, LIGHT
from games.models import Game, Phase
from games.queries import board
from games.queries.access.audience import Audience
from games.queries.phases.centers import Possessions
from games.queries.phases.next_phase import NextPhase
from games.queries.reports.drawing import DRAWING
from games.queries.reports.pictures import subject_of
from games.services.adjudication.phases import phase_process_now
from games.services.seating.seats import seat_resign
from games.services.seating.standby import standby_join
from mailer import jobs
from mailer.models import OutboundMail, Picture
from mailer.notices.parts import ready_answers
from mailer.outbound import buttons, outbox, pictures, styles
from mailer.outbound.buttons import Button
from mailer.outbound.compose import compose
from mailer.outbound.html_part import Image, Page, html_part
from mailer.outbound.layout import GM_HINT, laid_out
from mailer.outbound.paragraphs import Paragraph, paragraphs
from mailer.text import paragraph, quoted_text
from tests.atlas.test_colours import contrast
from tests.cast import DAY, NOW, Cast
from tests.mailer.correspondence import answer_to, parsed, tell_all, write
from tests.mailer.notices.played import GM, LATER, order, process
from tests.mailer.notices.test_results import BUILDS, FALL, RETREATS, mail_about, ordered, report
from tests.mailer.sink import Sink
from tests.rows import each_row
from tests.servers.chromium import Browser, can_run

BODY = """\
##- Please write above this line -##

Both of your orders worked.
Spring 1904 movement, game marne. You play France.

WHAT YOU MUST DO NOW

Fall 1904 movement: you have 2 units to order.
Deadline: Thu 5 Mar 2026, 12:00 UTC, in 3 days.

YOUR ORDERS

France: A Paris - Burgundy: succeeds.
France: F Brest - English Channel: fails. Bounced with F London - English{soft}
  Channel.

Write WAIT on a line of its own if you want more time. A long line goes{soft}
on here.

  Dear <France>,
  shall we?

THE BOARD NOW

Zürich: no unit

:: Judge: JUDGE  Game: marne  Variant: Standard
""".replace("{soft}", " ")


def shown(html: str) -> str:
    """What a reader sees of HTML, without buttons, pictures, captions and line breaks."""
    html = html.replace("\r\n", "\n").partition("<body")[2].partition(">")[2]
    html = html.replace("<wbr>", "")
    besides = r'<p [^>]*><a class="k".*?</p>|<p [^>]*>(?:<a [^>]*>)?<img .*?</p>\n<p .*?</p>'
    html = re.sub(besides, "", html, flags=re.DOTALL)
    return words(unescape(re.sub(r"<[^>]+>", " ", html)))


def words(text: str) -> str:
    text = re.sub(r"\s+([.,])", r"\1", text.casefold())
    return " ".join(text.split())


def image(name: str, *before: str) -> Image:
    return Image(f"{name}@x", 1000, 992, "What it shows", "What it means", before)


# --- What it is made of --------------------------------------------------------------------


def test_a_text_is_taken_apart_into_its_paragraphs() -> None:
    kinds = [one.kind for one in paragraphs(BODY)]
    assert kinds == [
        *("marker", "lines", "heading", "lines", "heading", "lines", "lines", "quoted"),
        *("heading", "lines", "lines"),
    ]
    assert Paragraph("quoted", ("Dear <France>,", "shall we?")) in list(paragraphs(BODY))
    [_, bounced] = next(one for one in paragraphs(BODY) if "succeeds" in one.lines[0]).lines
    assert bounced.endswith("Bounced with F London - English Channel.")


def test_a_number_stays_with_what_it_counts_and_a_day_whole_wherever_a_line_is_folded() -> None:
    for width in range(20, 72):
        begins = "x" * width
        said = f"{begins} within 1 hour, Thu 5 Mar 2026, 12:00 UTC, in Spring 1901 movement"
        said += f" {begins} after Fall 1901, {begins} before Winter 1901."
        lines = (*laid_out(said).splitlines(), *paragraph(said).splitlines())
        cut = ("1", "Thu", "5", "Mar", "12:00", "Spring", "1901", "Fall", "Winter")
        assert not [one for one in lines if one.rstrip().endswith(cut)]


def test_a_players_word_that_is_longer_than_a_line_stays_within_their_quote() -> None:
    """Below it stands what we say ourselves."""
    body = laid_out(f"France writes:\n\n  {'x' * 80} is\n  {'y' * 80}\n\nReply to this mail.")
    assert [one.kind for one in paragraphs(body)] == ["lines", "quoted", "lines"]


def test_words_that_were_passed_on_are_a_quote_and_run_their_own_way() -> None:
    """From the right, if they are Arabic or Hebrew; and no button does what they ask for."""
    said = quoted_text("\u05e9\u05dc\u05d5\u05dd\nReply with the word HERE.")
    body = f"Passed on to the GM:\n\n{said}\n\nThe GM answers by mail."
    assert [one.kind for one in paragraphs(body)] == ["lines", "quoted", "lines"]
    html = html_part(Page("Hello", body, reply_to="judge@game.test"))
    assert re.search(r'<div class="l" dir="auto" [^>]*>&gt; &#1513;', html)
    assert "mailto:" not in html


def test_a_name_that_runs_from_the_right_moves_nothing_of_ours() -> None:
    """Without it, "3 of 7" behind the name would stand before it."""
    name = "\u05d3\u05d5\u05d3 \u05d1\u05df-\u05d2\u05d5\u05e8\u05d9\u05d5\u05df"
    html = html_part(Page("Hello", f"No word from {name}, 3 of 7."))
    assert unescape(html).count(f'from <span dir="rtl">{name}</span>, 3 of 7.') == 1


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("See https://game.test/games/marne/.", ["/games/marne/"]),
        ("All: https://game.test/", ["/"]),
        ("https://game.test/a.txt, or https://game.test/b", ["/a.txt", "/b"]),
        ("https://game.test.thief.test/ and https://thief.test/?https://game.test", []),
    ],
)
def test_addresses_of_our_pages_and_no_others_are_links(text: str, links: list[str]) -> None:
    html = html_part(Page("x", f"Hello,\n\nlook: {text}\n", site="https://game.test"))
    assert re.findall('<a class="k" href="https://game.test([^"]*)"', html) == links
    assert html.count("<a ") == len(links)
    assert html.count("test/<wbr>") == sum(len(link) > 1 for link in links), "it breaks there"
    assert shown(html) == words(f"Hello, look: {text}")


def test_the_html_says_what_the_text_says_and_nothing_else() -> None:
    page = Page("x", BODY, "judge+1@x", (Button("Write my orders", "A Paris "),), (image("o"),))
    assert shown(html_part(page)) == words(BODY)


def test_it_is_ascii_in_short_lines_and_escapes_what_people_write() -> None:
    html = html_part(Page("<Sub>", BODY, news=True))
    assert html.isascii()
    assert 'lang="en" dir="ltr"' in html.partition("<td")[2], "webmail keeps nothing above it"
    assert max(map(len, html.splitlines())) < 998
    assert 'dir="auto"' in html[: html.index("Dear &lt;France&gt;,")], "Arabic runs from the right"
    assert "<Sub>" not in html
    assert "Z&#252;rich" in html


def test_a_crowded_board_makes_a_small_page() -> None:
    """Gmail cuts what is longer than 102 kB."""
    many = [("F St Petersburg(nc) - Gulf of Bothnia", "fails")] * 34
    orders = [ordered(*many[at : at + 2], power=f"Power{at}") for at in range(0, 34, 2)]
    possessions = [
        Possessions(one.power, "", ("St Petersburg",) * 2, ("F St Petersburg(nc)",) * 2)
        for one in orders
    ]
    text = mail_about(report("M", *orders, possessions=tuple(possessions)))
    page = Page("x", text, "j@x.test", [Button("x", "A Paris \n" * 34)], news=True)
    assert len(html_part(page)) <= 60_000


def test_what_to_do_stands_in_a_panel_with_the_buttons_to_do_it() -> None:
    html = html_part(Page("x", BODY, "judge+1@x", (Button("Retreat to Gascony", "F Bre - Gas"),)))
    panel = html.partition('<div class="p"')[2].partition("</div>")[0]
    assert "Deadline: Thu" in panel
    assert "Retreat to Gascony" in panel
    assert "Ask to wait for the deadline" in panel
    assert "Your orders" not in panel


HUGO = "You play with Mr. F. Hugo of St. Malo."
HELD = "No orders came from you in time, so your dislodged units were disbanded"
ALL_DREW = "a draw among Austria, England, France, Germany, Italy, Russia, Turkey and all others"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hello Ana,\n\nThe game marne starts.\n\nWHO PLAYS\n\nAna", "The game marne starts."),
        ("J. Doe did it. You need not.\n\nNEXT TIME\n\nWait.", "J. Doe did it. You need not."),
        ("The game marne goes on. Well done.\nBy gm.\n\nWHO DID\n\nX", "The game marne goes on."),
        ("Hello,\n\nYOU LEFT MARNE\n\nBye.\n\nHELP\n\nAsk.", "You left marne"),
        ("You play with Mr. F. Hugo of St. Malo. They can wait.\n\nNEXT\n\nWait.", HUGO),
        (f"{HELD}; you lose Munich; you gain Denmark and Holland.\n\nNEXT\n\nA", f"{HELD};"),
        ("The game is paused.\n\nWait.", None),
    ],
)
def test_a_mail_with_headings_has_one_of_its_own_above_them(text: str, title: str | None) -> None:
    html = html_part(Page("x", f"{text}\n"))
    found = re.findall(r"<h([12]) [^>]*>(.*?)</h", html, re.DOTALL)
    levels = "".join(level for level, _ in found)
    assert re.fullmatch("12*" if title else "", levels)
    assert title is None or " ".join(found[0][1].split()) == title
    assert shown(html) == words(text)


@pytest.mark.parametrize(
    ("news", "title"),
    [
        (f"{HELD}; you lose Munich.", f"{HELD};"),
        (f"The game is over: {ALL_DREW}. You held.", "The game is over:"),
        ("The game is over: France has won. You held.", "The game is over: France has won."),
    ],
)
def test_long_news_have_a_short_heading_and_the_rest_below_it(news: str, title: str) -> None:
    text = f"{news}\nFall 1901 retreats, game marne. You play Germany.\n"
    html = html_part(Page("x", text, news=True))
    found = re.findall(r"<h1 [^>]*>(.*?)</h1>", html, re.DOTALL)
    assert [" ".join(one.split()) for one in found] == [title]
    assert shown(html) == words(text)


def test_pictures_stand_above_their_headings_and_are_named_by_content_id() -> None:
    images = (image("orders", "YOUR ORDERS", "ALL ORDERS"), image("board", "THE BOARD NOW"))
    html = html_part(Page("x", BODY, images=images))
    places = [
        html.index(one) for one in ("cid:orders@x", "Your orders", "cid:board@x", "The board now")
    ]
    assert places == sorted(places)
    assert 'alt="What it shows"' in html


def test_a_reply_opens_with_its_text_ready() -> None:
    link = buttons.address(
        Button("x", "AMEND\nA Par - Bur\n"), to="judge+ab@x.test", subject="[m] é"
    )
    parts = urlsplit(link)
    assert (parts.scheme, unquote(parts.path)) == ("mailto", "judge+ab@x.test")
    assert parse_qs(parts.query) == {
        "subject": ["Re: [m] é"],
        "body": ["AMEND\r\nA Par - Bur\r\n"],
    }
    assert buttons.address(Button("x", "A Paris \n" * 200), to="j@x.test", subject="x") == ""


TO_VOTE = (
    "reply to this mail with one line, YES or NO; in any other mail, write VOTE YES 2 or VOTE NO 2"
)


def test_a_button_stands_below_the_words_that_it_writes() -> None:
    body = "Say APPROVE Hugo Miller.\n\nSay APPROVE Hugo; or REFUSE Hugo.\n\nThat is all.\n"
    said = [Button(text.lower(), text) for text in ("APPROVE Hugo", "REFUSE Hugo", "INVITE Ida")]
    page = html_part(Page("x", body, reply_to="judge@game.test", buttons=said))
    parts = ["Hugo Miller", "or REFUSE", ">approve hugo<", ">refuse hugo<", "all.", ">invite ida<"]
    places = [page.index(part) for part in parts]
    assert places == sorted(places)


def test_a_button_for_a_word_stands_below_the_sentence_that_asks_for_it() -> None:
    body = "Reply with the word YES.\n\nIf not, reply with the word REFUSE.\n\nUntil Monday.\n"
    page = html_part(Page("x", body, reply_to="judge@game.test"))
    places = [page.index(part) for part in (">Say yes<", "If not", ">Say no<", "Until Monday")]
    assert places == sorted(places)


def test_a_button_does_not_stand_below_what_somebody_quotes() -> None:
    body = "Hugo writes:\n\n  Just APPROVE Hugo.\n\nWrite APPROVE Hugo.\n\nUntil Monday.\n"
    page = html_part(Page("x", body, "judge@game.test", [Button("Let Hugo in", "APPROVE Hugo")]))
    places = [page.index(part) for part in ("Write APPROVE", ">Let Hugo in<", "Until Monday")]
    assert places == sorted(places)


def test_buttons_stand_above_the_hint_to_the_gm_which_is_small() -> None:
    body = f"Let them in?\n\n{GM_HINT}.\nFor example: STATUS\n"
    page = html_part(Page("x", body, "judge@game.test", [Button("Let Hugo in", "APPROVE Hugo")]))
    assert page.index("Let Hugo in") < page.index(f'style="{styles.SMALL}">{GM_HINT}')


def test_buttons_of_one_sentence_stand_together_below_it() -> None:
    body = "To vote, write VOTE YES 1 or VOTE NO 1.\n\nIt passes when all agree.\n"
    said = [Button("Yes", "VOTE YES 1"), Button("No", "VOTE NO 1")]
    page = html_part(Page("x", body, reply_to="judge@game.test", buttons=said))
    assert page.index(">Yes<") < page.index(">No<") < page.index("It passes")


def test_a_line_that_goes_on_stands_clear_of_the_mark_at_its_beginning() -> None:
    body = "- Write LIST: see the games.\nAs before.\n\nFrance: A Paris Holds: stands.\n\nTo: x\n"
    page = html_part(Page("x", body, colours={"France": "#8888ff"}))
    assert f'<div style="{styles.BULLET}">- Write LIST' in page
    assert "<div>As before.</div>" in page
    assert f'<div style="{styles.CHIP}">\n<span' in page
    assert f'<p style="{styles.PARAGRAPH}">To: x</p>' in page


def test_the_heading_of_the_panel_has_no_more_room_above_than_below() -> None:
    html = html_part(Page("x", BODY))
    assert f'<div class="p" style="{styles.PANEL}">\n<h2 style="{styles.PANEL_HEADING}">' in html
    assert styles.PANEL_HEADING.startswith("margin:0 0 8px;")


def test_words_that_a_mail_asks_for_have_buttons() -> None:
    body = "YES on a line of its own. REFUSE on a line of its\nown. HELP on a line of its own."
    assert [one.text for one in buttons.asked_for(body)] == ["YES", "REFUSE"]


def test_the_last_of_two_words_has_no_button() -> None:
    """NO alone answers a question, and does not vote."""
    body = "To vote no, write VOTE NO on a line of its own; to vote yes, VOTE\nYES on a line of its"
    assert list(buttons.asked_for(f"{body} own.")) == []


def test_a_word_that_is_asked_for_in_passing_has_a_button() -> None:
    body = "Reply with the word YES, and we pass all of it on to Russia.\n"
    assert [one.text for one in buttons.asked_for(body)] == ["YES"]


@each_row(
    "form",
    [
        "Italy writes to you:\n\n  {}\n\nTo answer, reply.\n",
        "Passed on to Italy:\n\n> {}\n",
        "It was: Thursday.\n\nWhy: {}\n",
        "The moderators say why: {}\n",
        "Italy says why: This is \n  {}\n",
        "You wrote “{}”: not understood.\n",
    ],
)
def test_what_somebody_else_wrote_puts_no_button_into_a_mail(form: str) -> None:
    asks = f"READY on a line of its own, or {TO_VOTE}"
    assert list(buttons.asked_for(form.format(asks))) == []
    own = f"{form.format(asks)}\nWAIT on a line of its own keeps it open.\n"
    assert [one.text for one in buttons.asked_for(own)] == ["WAIT"]


def test_a_button_stands_where_its_command_is_told_of() -> None:
    body = (
        "Would you play it?\n\nTo take the seat, write TAKEOVER marne Austria.\n\nTHE BOARD\n\nx\n"
    )
    ready = [Button("Play Austria", "TAKEOVER marne Austria"), Button("Write", "A Paris \n")]
    page = html_part(Page("x", body, reply_to="judge@game.test", buttons=ready))
    assert page.index("Play Austria") < page.index("The board") < page.index("Write")


def test_buttons_of_one_command_stand_together() -> None:
    body = "Write a line like TAKEOVER marne Austria, with the power you want.\n\nUntil Monday.\n"
    seats = [Button(f"Play {name}", f"TAKEOVER marne {name}") for name in ("Austria", "Italy")]
    page = html_part(Page("x", body, reply_to="judge@game.test", buttons=seats))
    assert page.index("Play Austria") < page.index("Play Italy") < page.index("Until Monday")


ANSWERS = [
    (FALL, None, [("Write my orders", "A Paris \nF Brest \n")]),
    (FALL, ("F Brest",), [("Write my orders", "AMEND\nF Brest \n")]),
    (FALL, (), []),
    (None, None, []),
    (
        RETREATS,
        None,
        [
            ("Retreat to Gascony", "F Brest - Gascony\n"),
            ("Retreat to Picardy", "F Brest - Picardy\n"),
            ("Disband it", "Disband F Brest\n"),
        ],
    ),
]


@each_row(("phase", "missing", "expected"), ANSWERS)
def test_what_there_is_to_decide_is_written_already(
    phase: NextPhase | None, missing: tuple[str, ...] | None, expected: list[tuple[str, str]]
) -> None:
    assert [tuple(one) for one in ready_answers.buttons(phase, missing)] == expected


def test_every_build_has_a_button_and_leaves_the_others_as_they_are() -> None:
    phase = dataclasses.replace(BUILDS, build_orders=("Build A Paris", "Build F Brest"))
    assert [tuple(one) for one in ready_answers.buttons(phase)] == [
        ("New army, at Paris", "AMEND\nBuild A Paris\n"),
        ("New fleet, at Brest", "AMEND\nBuild F Brest\n"),
    ]


@pytest.mark.skipif(not can_run(), reason="no browser can be installed here")
def test_no_mail_is_wider_than_a_phone_or_loses_its_colours_on_paper(tmp_path: Path) -> None:
    digest = ":: Digest: " + "0123456789abcdef" * 4
    body = f"{BODY}{digest}\n\n  {'so' * 99}\n\nIts seal: {'f' * 64}\n"
    page = Page("x", body, news=True, colours={"France": "#123456"})
    (tmp_path / "mail.html").write_text(html_part(page))
    with Browser() as browser:
        browser.looks(360, "light")
        browser.open((tmp_path / "mail.html").as_uri())
        assert browser.run("return document.documentElement.scrollWidth") == 360
        browser.on_paper()
        chip = browser.find("span[style*=background]").value_of_css_property
        assert chip("print-color-adjust") == "exact", "an empty box asks to be ticked"


def test_what_drove_a_unit_out_follows_the_word_that_is_marked() -> None:
    line = "Italy: A Rome Holds: dislodged by A Apulia - Rome."
    html = html_part(Page("x", f"{line}\n", colours={"Italy": "#123456"}))
    assert ">dislodged</span> by A&#160;Apulia - Rome.</div>" in html


def test_units_are_kept_on_one_line_and_the_end_of_a_sentence_is_not() -> None:
    prose = (
        "The straits are narrow, so that beside F Brest - English Channel one fleet goes through."
    )
    html = html_part(Page("x", f"{prose}\n"))
    to = '<span style="white-space:nowrap">-&#160;English</span>'
    assert f"beside&#160;F&#160;Brest&#160;{to} Channel one fleet goes through." in html
    due = html_part(
        Page("x", "Spring 1901 movement is due Thu 5 Mar 2026, 12:00 UTC, in 3 days.\n")
    )
    assert (
        "Spring&#160;1901&#160;movement is due Thu&#160;5&#160;Mar&#160;2026, 12:00&#160;UTC" in due
    )
    assert "in 3&#160;days." in due
    assert "(F&#160;St&#160;Petersburg(sc))" in html_part(Page("x", "(F St Petersburg(sc))\n"))
    short = '<span style="white-space:nowrap">Con-Bul(ec)</span>'
    assert f"F&#160;{short} or better" in html_part(Page("x", "F Con-Bul(ec) or better-known\n"))


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_all_that_is_written_can_be_read(colours: dict[str, str]) -> None:
    for ink in ("ink", "quiet", "good", "bad", "accent"):
        for ground in ("paper", "soft"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)


# --- On the wire ---------------------------------------------------------------------------


def types(message: EmailMessage) -> list[str]:
    """The parts for eyes: calendar files and what holds them are tested by themselves."""
    beside = ("multipart/mixed", "text/calendar")
    return [one for part in message.walk() if (one := part.get_content_type()) not in beside]


RELATED = ["multipart/alternative", "text/plain", "multipart/related", "text/html"]


def test_results_carry_the_orders_and_the_board_and_every_copy_the_same(told: Cast) -> None:
    mails = process(told)
    carla = mails["carla@players.test"]
    first, again = compose(carla), compose(carla)
    assert first == again
    assert len(first) <= 400_000
    message = parsed(carla)
    assert types(message) == [*RELATED, "image/png", "image/png"]
    html = message.get_body(("html",))
    text = message.get_body(("plain",))
    assert html
    assert text
    assert shown(html.get_content()) == words(text.get_content())
    for part in message.walk():
        if part.get_content_maintype() == "image":
            assert f"cid:{part['Content-ID'].strip('<>')}" in html.get_content()
            assert part.get_content().startswith(b"\x89PNG")
            assert part.get_content_disposition() == "inline"
    for recipient in ("dmitri@players.test", GM):
        assert types(parsed(mails[recipient])) == types(message)
    assert Picture.objects.count() == 2


PAGE = "/games/marne/S1901M/"


def html_of(mail: OutboundMail) -> str:
    part = parsed(mail).get_body(("html",))
    assert part
    return str(part.get_content())


def links(mail: OutboundMail) -> list[tuple[str, str]]:
    """The words of each link to a map, with its address."""
    link = r'Too small\?\s+<a class="k" href="([^"]*)"\s+style="[^"]*">([^<]*)'
    found = re.findall(link, html_of(mail))
    return [(words, page.removeprefix(settings.SITE_URL)) for page, words in found]


def tapped(mail: OutboundMail) -> list[str]:
    """The address that a tap on each picture opens."""
    found = re.findall(r'(?:<a href="([^"]*)">)?<img ', html_of(mail))
    return [page.removeprefix(settings.SITE_URL) for page in found]


ON_ITS_PAGE = ("Open the map on its page.", f"{PAGE}#board")


def test_a_map_that_is_too_small_on_a_phone_can_be_opened_on_its_page(told: Cast) -> None:
    start = OutboundMail.objects.get(kind="game_started", recipient="carla@players.test")
    assert links(start) == [ON_ITS_PAGE]
    assert tapped(start) == [f"{PAGE}#board"], "a tap does it"


def test_the_board_of_results_opens_on_the_page_of_the_next_phase(
    told: Cast, client: Client
) -> None:
    results = process(told)["carla@players.test"]
    following = "/games/marne/F1901M/"
    assert links(results) == [
        ON_ITS_PAGE,
        ("Open the map of the next phase.", f"{following}#board"),
    ]
    assert tapped(results) == [f"{PAGE}#board", f"{following}#board"]
    assert client.get(following).status_code == 200
    before = compose(results)
    assert phase_process_now(game_id=told.game.pk, now=NOW + 2 * DAY)
    assert compose(results) == before, "sent again, it is the same mail"


def test_the_board_that_a_game_ended_with_opens_on_the_page_of_its_last_phase(
    told: Cast,
) -> None:
    mail = process(told)["carla@players.test"]
    told.game.phases.filter(name="F1901M").update(number=9)
    assert links(mail) == [ON_ITS_PAGE, ON_ITS_PAGE]


def test_a_map_names_no_page_that_its_reader_cannot_open(told: Cast) -> None:
    tried = answer_to(write("Carla", "WHATIF\nA Par - Bur\nEND\n"))
    assert "image/png" in types(parsed(tried))
    assert PAGE not in html_of(tried)
    Game.objects.update(observers=False)
    carla = process(told)["carla@players.test"]
    assert "image/png" in types(parsed(carla))
    assert PAGE not in html_of(carla)
    Game.objects.update(status=Game.Status.FINISHED)
    assert PAGE not in html_of(carla), "sent again, it is the same mail"


def test_start_mails_and_map_show_the_board(told: Cast) -> None:
    start = OutboundMail.objects.get(kind="game_started", recipient="carla@players.test")
    shown_now = answer_to(write("Carla", "MAP", to=start.reply_to))
    standby_join(player=told.player("Hugo"), now=NOW)
    seat_resign(seat=told.seat("Italy"), now=NOW)
    [offer] = [mail for mail in tell_all() if mail.kind == "seat_offered"]
    for mail in (start, shown_now, offer):
        assert types(parsed(mail)) == [*RELATED, "image/png"]
        html = parsed(mail).get_body(("html",)).get_content()
        assert html.index("<img") < html.index("Russia: 4"), "above what every power has"
    assert Picture.objects.get().view == Picture.View.POSITION


def test_only_the_latest_pictures_of_a_game_are_kept(told: Cast) -> None:
    for days in range(pictures.KEPT + 2):
        compose(process(told, LATER + days * 3 * DAY)["carla@players.test"])
    phases = set(Picture.objects.values_list("phase__number", flat=True))
    assert phases == {2, 3, 4}


def test_a_picture_that_cannot_be_drawn_delays_no_mail_and_is_logged(
    told: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object) -> object:
        raise ZeroDivisionError

    start = OutboundMail.objects.get(kind="game_started", recipient="carla@players.test")
    monkeypatch.setattr(DRAWING, "draw", broken)
    first = compose(start)
    assert "cannot be drawn" in caplog.text
    monkeypatch.undo()
    assert compose(start) == first
    assert types(parsed(start)) == ["multipart/alternative", "text/plain", "text/html"]


def test_pictures_show_nothing_that_the_mails_do_not(told: Cast) -> None:
    order(told, "France", "A Paris - Moscow", "I will stab Greta", "F Brest H")
    process(told)
    phase = Phase.objects.get(name="S1901M")
    subject = subject_of(phase, Audience.PLAYERS)
    assert subject
    drawn = [one for one in subject.results if one.power == "France"]
    assert "A Paris - Moscow" not in [one.order for one in drawn]
    assert not [one for one in drawn if "stab" in (one.text or "")]


@each_row(
    ("words", "parts"),
    [
        ("SET HTML OFF", ["text/plain"]),
        ("SET MAP OFF", ["multipart/alternative", "text/plain", "text/html"]),
        ("SET HTML OFF\nSET HTML ON", [*RELATED, "image/png"]),
    ],
)
def test_each_player_says_how_mails_look(told: Cast, words: str, parts: list[str]) -> None:
    start = OutboundMail.objects.get(kind="game_started", recipient="carla@players.test")
    write("Carla", words, to=start.reply_to)
    assert types(parsed(answer_to(write("Carla", "MAP", to=start.reply_to)))) == parts


def test_what_is_neither_on_nor_off_is_refused(told: Cast) -> None:
    start = OutboundMail.objects.get(kind="game_started", recipient="carla@players.test")
    answer = answer_to(write("Carla", "SET HTML maybe", to=start.reply_to))
    assert "“maybe” is neither ON nor OFF" in answer.body
    assert told.player("Carla").html


def test_nothing_is_drawn_before_a_mail_is_sent(told: Cast, sink: Sink) -> None:
    assert not Picture.objects.exists()
    jobs.outbox(NOW)
    assert Picture.objects.count() == 1
    assert len(sink.taken) == OutboundMail.objects.count()


def test_a_receipt_opens_the_orders_that_stand(told: Cast) -> None:
    start = OutboundMail.objects.get(kind="game_started", recipient="carla@players.test")
    answer = answer_to(write("Carla", "A Par - Bur\nSTATUS", to=start.reply_to))
    assert answer.buttons == [["Change my orders", "A Marseilles \nA Paris - Burgundy\nF Brest \n"]]
    html = html_of(answer)
    assert html.index("To change something") < html.index(">Change my orders<")
    assert html.index(">Change my orders<") < html.index(">Where it stands<")


def test_a_mail_that_was_queued_before_goes_as_it_was_written(told: Cast) -> None:
    mail = outbox.enqueue(
        key="x", kind="x", recipient="a@x.test", subject="x", body="x\n", now=NOW, priority=30
    )
    mail.html = False
    assert types(parsed(mail)) == ["text/plain"]


@each_row("variant", ["standard", "chaos", "colonial", "ancient_med", "hundred"])
def test_every_power_of_a_variant_has_its_colour_beside_it(variant: str) -> None:
    drawn = [pictures.EncodedPicture(Picture(phase=Phase(game=Game(variant=variant))), b"")]
    tints = pictures.Album().tints_for(OutboundMail(), drawn)
    powers = board.variant_named(variant).powers
    body = "".join(f"{power}: 1 centre\n" for power in powers)
    html = html_part(Page("x", f"THE BOARD\n\n{body}", colours=tints))
    for power in powers:
        chip = f"background:{tints[power]};border"
        named = re.escape(escape(power))
        assert re.search(rf"{chip}[^\n]*</span>&#160;{named}:", html), power


def test_a_line_has_the_colours_of_its_own_game_wherever_else_it_stood() -> None:
    """Lines are kept for the next mail, which may be of another variant, or of none."""
    body = "France: A Paris - Burgundy: succeeds.\n"
    for colours in ({"France": "#123456"}, {"France": "#654321"}, {}, {"France": "#123456"}):
        html = html_part(Page("x", body, colours=colours))
        assert re.findall(r"<span style=.background:(#\d+);", html) == [*colours.values()]


@each_row(
    ("heading", "body", "shown"),
    [
        ("YOUR ORDERS FOR FRANCE", "Orders of France, for the Fall.", "Your orders for France"),
        (
            "YOUR WORD FOR TURKEY, SPRING 1901 MOVEMENT",
            "Turkey has orders for 0 of 3 units.\nSpring 1901 movement waits for them.",
            "Your word for Turkey, Spring 1901 movement",
        ),
        ("READ IT AGAIN", "To read it again, ask.", "Read it again"),
        ("NOT USED", "1 line NOT used.", "Not used"),
        ("TO BEGIN WITH", "Write PRESS TO power.", "To begin with"),
        ("TO VOTE ON", "It is open: write VOTE YES.", "To vote on"),
        ("THE GM HAS WRITTEN", "It was the GM.", "The GM has written"),
        ("ABOUT JOIN", "Write: JOIN game", "About JOIN"),
        ("NOT DONE: ABOUT PROCESS", "That is for the GM.", "Not done: about PROCESS"),
        ("NOT DONE: JOIN, SET AND LIST", "Not here.", "Not done: JOIN, SET and LIST"),
        ("NOT DONE: ORDERS", "You play in no game.", "Not done: orders"),
        ("NOT DONE: YOUR SUBJECT", "It has an order.", "Not done: your subject"),
        ("PAUSE IN MARNE", "The game marne is paused.", "PAUSE in marne"),
        ("THE BOARD NOW", "Here is the board. THE BOARD", "The board now"),
    ],
)
def test_a_heading_keeps_names_as_the_text_has_them(heading: str, body: str, shown: str) -> None:
    assert f">{shown}</h2>" in html_part(Page("x", f"It is for France.\n\n{heading}\n\n{body}\n"))


def test_a_vote_takes_one_tap() -> None:
    found = [(one.label, one.text) for one in buttons.asked_for(f"To vote, {TO_VOTE}.\n")]
    assert found == [
        ("Say yes to proposal 2", "VOTE YES 2"),
        ("Say no to proposal 2", "VOTE NO 2"),
    ]
