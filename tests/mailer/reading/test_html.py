"""HTML as text: what a reader sees, quotes marked, nothing hidden, nothing slow."""

from __future__ import annotations

import time

from mailer.reading.html import read_html
from mailer.reading.quotes import own_lines
from tests.rows import each_row


def lines(html: str) -> list[str]:
    return [line.strip() for line in read_html(html).text.splitlines() if line.strip()]


@each_row(
    ("html", "expected"),
    [
        ("<p>A Par - Bur</p><p>F Bre - MAO</p>", ["A Par - Bur", "F Bre - MAO"]),
        ("A Par - Bur<br>F Bre - MAO", ["A Par - Bur", "F Bre - MAO"]),
        ("<div>one<div>two</div></div>", ["one", "two"]),
        ("A&nbsp;Par&nbsp;&ndash;&nbsp;Bur", ["A Par – Bur"]),
        ("<b>A</b> <i>Par</i> - <span>Bur</span>", ["A Par - Bur"]),
        ("<a href='https://x.test'>A Par H</a>", ["A Par H"]),
        ("<ul><li>A Par H</li></ul>", ["* A Par H"]),
        ("<table><tr><td>A Par</td><td>H</td></tr></table>", ["A Par  H"]),
        ("<p style='display:none'>A Mar H</p>A Par H", ["A Par H"]),
        ("<style>A Mar H</style><script>A Bre H</script>A Par H", ["A Par H"]),
        (
            "<style>p.x, .y {text-decoration:line-through}</style><p class='x'>A Mar H</p>A Par H",
            ["A Par H"],
        ),
        ("<style>.x {color:red}</style><p class='x'>A Mar H</p>", ["A Mar H"]),
        ("<style>.x a {text-decoration:line-through}</style><p class='x'>A Mar H</p>", ["A Mar H"]),
        ("<title>A Mar H</title>A Par H<!-- A Bre H -->", ["A Par H"]),
        ("<?xml version='1.0' encoding='utf-8'?><p>A Par H</p>", ["A Par H"]),
        ("<p>unclosed <b>A Par H", ["unclosed A Par H"]),
        ("plain words", ["plain words"]),
        ("", []),
        ("<!-- nothing -->", []),
    ],
)
def test_the_text_is_what_a_reader_sees(html: str, expected: list[str]) -> None:
    assert lines(html) == expected


def test_a_quote_is_marked_line_by_line_and_what_follows_is_not() -> None:
    html = "A Par H<blockquote>A Mar H<br>A Bre H<blockquote>old</blockquote></blockquote>A Bur H"
    assert lines(html) == ["A Par H", "> A Mar H", "> A Bre H", "> old", "A Bur H"]


@each_row(
    "html",
    [
        "<div>" * 100_000 + "x",
        "<blockquote>" * 5_000 + "x",
        "<table><tr><td>" * 3_000 + "x",
        "<p>" + "a<br>" * 40_000,
        "<" * 100_000,
        "&#" * 100_000,
        "<!--" * 50_000,
        "<p " + "a=b " * 50_000 + ">x",
        "&#1;&#0;&#x1f;\x00\x01" * 1000,
    ],
)
def test_hostile_html_neither_breaks_nor_slows(html: str) -> None:
    begun = time.process_time()
    read_html(html)
    assert time.process_time() - begun < 10  # a minute, where it grows with the square


@each_row(
    "hidden",
    [
        "<p hidden>A Mar H</p>",
        "<p style='DISPLAY : NONE !important'>A Mar H</p>",
        "<p style='color:red;visibility:hidden'>A Mar H</p>",
        "<div style='max-height:0px;overflow:hidden'>A Mar H</div>",
        "<span style='font-size:0'>A Mar H</span>",
        "<span style='opacity: 0;'>A Mar H</span>",
        "<div style='mso-hide:all'><p>A Mar H</p></div>",
        "<!--[if mso]><p>A Mar H</p><![endif]-->",
    ],
)
def test_what_no_reader_sees_is_not_read(hidden: str) -> None:
    assert lines(f"{hidden}<p>A Par H</p>") == ["A Par H"]


@each_row("style", ["opacity:0.9", "font-size:0.9em", "display:block"])
def test_what_is_only_small_is_read(style: str) -> None:
    assert lines(f"<p style='{style}'>A Par H</p>") == ["A Par H"]


def own(html: str) -> list[str]:
    """The lines of an HTML mail that are taken as its sender's."""
    return [line.text for line in own_lines(read_html(html).text.splitlines())[0]]


@each_row(
    ("html", "read"),
    [
        # Apple Mail's button "indent"
        ("<blockquote class='webkit-indent-blockquote'>A Par H</blockquote>", ["A Par H"]),
        ("<p>My orders</p><p></p><hr><blockquote>A Par H</blockquote>", ["My orders", "A Par H"]),
        ("<div><div><div><blockquote>A Par H</blockquote></div></div></div>", ["A Par H"]),
        ("<p>Our moves:</p><blockquote>A Par H</blockquote>", ["A Par H"]),
        # a heading, wherever above
        ("<p>Emma's orders:</p><blockquote>A Par H</blockquote>", []),
        ("<div>Ana wrote:<div><div><blockquote>A Par H</blockquote></div></div></div>", []),
        ("<p>Ana wrote:</p><p></p><p></p><blockquote>A Par H</blockquote>", []),
        # one that holds another
        ("<blockquote>A Par H<blockquote>A Mar H</blockquote></blockquote>", []),
        # a letter that somebody pasted
        ("<p>Her plan</p><blockquote>Dear Ana,<br>A Par H<br>Dora</blockquote>", ["Her plan"]),
        ("<blockquote>please pause because I travel</blockquote>", []),
        ("<blockquote>Hello,<br>A Par H</blockquote>", ["A Par H"]),
    ],
)
def test_an_indent_is_read_and_a_quote_is_not(html: str, read: list[str]) -> None:
    assert own(html) == read


def test_an_order_in_the_place_of_a_signature_is_read_and_the_signature_is_not() -> None:
    html = "A Mar H<div class='gmail_signature'>A Par - Bur<br>Carla, Lyon</div>"
    assert own(html) == ["A Mar H", "A Par - Bur"]


@each_row(
    "kind",
    [
        *("class=MsoNormal", 'class="x_MsoNormal"', "class=MsoListParagraph", 'style="margin:0"'),
        *('style="margin: 0cm 0cm 0.0001pt"', 'style="margin-top:0px; margin-bottom:0px"'),
    ],
)
def test_paragraphs_without_room_between_them_are_lines(kind: str) -> None:
    html = f"<p {kind}>A</p><p {kind}>B</p><p {kind}><o:p>&nbsp;</o:p></p><p {kind}>C</p>"
    assert read_html(html).text.strip() == "A\nB\n\nC"


@each_row(
    "kind",
    [
        "",
        'class=MsoNormal style="margin-bottom:12.0pt"',
        'style="margin:0 0 1em"',
        'style="margin:"',
    ],
)
def test_paragraphs_with_room_between_them_stay_apart(kind: str) -> None:
    assert read_html(f"<p {kind}>A</p><p {kind}>B</p>").text.strip().startswith("A\n\n")
