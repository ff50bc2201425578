"""Headings of quotes in languages and forms that nobody has listed: no words of the writer's."""

from __future__ import annotations

import pytest

from mailer.reading.quotes import own_lines
from tests.rows import each_row

ORDER, JUDGE = "A Paris - Burgundy", "Diplomacy judge <judge@game.test>"
QUOTE = ["> ##- Please write above this line -##", "> A Marseilles - Spain"]
HEADINGS = {
    "Romanian": f"În lun., 2 mar. 2026 la 12:00, {JUDGE} a scris:",
    "Greek": f"Στις Δευ 2 Μαρ 2026 στις 12:00 μ.μ., ο χρήστης {JUDGE} έγραψε:",
    "Ukrainian": f"пн, 2 бер. 2026 р. о 12:00 {JUDGE} пише:",
    "Slovak": f"po 2. 3. 2026 o 12:00 {JUDGE} napísal(a):",
    "Croatian": f"pon, 2. ožu 2026. u 12:00 {JUDGE} napisao je:",
    "Bulgarian": f"На пн, 2.03.2026 г. в 12:00 {JUDGE} написа:",
    "Hungarian": f"{JUDGE} ezt írta (időpont: 2026. márc. 2., H, 12:00):",
    "Vietnamese": f"Vào 12:00, Th 2, 2 thg 3, 2026 {JUDGE} đã viết:",
    "Indonesian": f"Pada tanggal Sen, 2 Mar 2026 12.00, {JUDGE} menulis:",
    "Lithuanian": f"2026-03-02, pr, 12:00 {JUDGE} rašė:",
    "Latvian": "pirmd., 2026. g. 2. marts, plkst. 12:00 — Judge (<judge@game.test>) raksta:",
    "Estonian": "Kasutaja Judge (<judge@game.test>) kirjutas kuupäeval 2. märts 2026 kell 12:00:",
    "Catalan": f"Missatge de {JUDGE} del dia dl., 2 de març 2026 a les 12:00:",
    "Thai": f"เมื่อ จ. 2 มี.ค. 2026 เวลา 12:00 {JUDGE} เขียนว่า:",
}


BROKEN = [one for one in HEADINGS.values() if one.index("12") < one.index("<")]
"""Of the others the first line alone would tell nothing."""


def own(*lines: str) -> list[str]:
    return [line.text for line in own_lines(lines)[0]]


@each_row("language", HEADINGS)
def test_a_heading_right_above_a_quote_is_known_in_every_language(language: str) -> None:
    assert own(ORDER, "", HEADINGS[language], *QUOTE) == [ORDER]


@each_row("heading", BROKEN)
def test_so_is_one_that_was_broken_before_the_address_or_within_it(heading: str) -> None:
    for at in (heading.index("<"), heading.index("<") + 1):
        assert own(ORDER, "", heading[:at].strip(), heading[at:], *QUOTE) == [ORDER]


@each_row(
    "heading",
    [
        f"---- On Mon, 02 Mar 2026 12:00:00 +0000 {JUDGE} wrote ---",
        f"---- Le lun., 02 mars 2026 12:00:00 +0000 {JUDGE} a écrit ---",
        "‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐",
        "-------- Oprindelig meddelelse --------",
        "-------- Mesaj original --------",
        "-------- Αρχικό μήνυμα --------",
    ],
)
def test_what_stands_below_a_heading_between_dashes_is_quoted(heading: str) -> None:
    assert own(ORDER, "", heading, "A Marseilles - Spain") == [ORDER]


COPIED = {
    "Croatian": ("Od", "Poslano: 2. ožujka 2026. 12:00", "Prima", "Predmet"),
    "Slovak": ("Od", "Odoslané: pondelok 2. marca 2026 12:00", "Komu", "Predmet"),
    "Bulgarian": ("От", "Изпратено: 2 март 2026 г. 12:00", "До", "Относно"),
    "Lithuanian": ("Nuo", "Išsiųsta: 2026 m. kovo 2 d. 12:00", "Kam", "Tema"),
    "Estonian": ("Saatja", "Saatmisaeg: 2. märts 2026 12:00", "Adressaat", "Teema"),
    "Catalan": ("De", "Enviat: dilluns, 2 de març de 2026 12:00", "Per a", "Tema"),
    "Hebrew": ("מאת", "נשלח: יום שני 02 מרץ 2026 12:00", "אל", "נושא"),
    "Arabic": ("من", "تاريخ الإرسال: 02/مارس/2026 12:00", "إلى", "الموضوع"),
}


@each_row("language", COPIED)
def test_what_stands_below_a_copied_header_is_quoted_in_every_language(language: str) -> None:
    sender, sent, to, subject = COPIED[language]
    header = [f"{sender}: {JUDGE}", sent, f"{to}: Carla", f"{subject}: [marne] Spring 1901"]
    assert own(ORDER, "", *header, "", "A Marseilles - Spain") == [ORDER]


def test_what_a_player_says_of_themselves_above_their_orders_is_no_copied_header() -> None:
    lines = ["Player: Carla <carla@players.test>", "Game: marne, 1901", "Power: France", ORDER]
    assert own(*lines) == lines


@each_row(
    "text", ["STATUS", "EXTEND TO 2026-12-28 20:00 because I am ill", "A Paris - Burgundy (12:00)"]
)
def test_a_line_right_above_a_heading_stays_its_writer_s(text: str) -> None:
    assert own(text, HEADINGS["Lithuanian"], *QUOTE) == [text]
    assert own(text, f"{JUDGE} rašė:", *QUOTE)[0] == text


@pytest.mark.parametrize(
    "text", ["Write to me at (ana@players.test) from 2 March:", "----- 3 orders of mine -----"]
)
def test_what_only_looks_a_little_like_a_heading_is_read(text: str) -> None:
    assert own(text, ORDER) == [text, ORDER]
