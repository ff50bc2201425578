"""No parameter of a header, however it is written (RFC 2231), costs a mail its orders."""

from __future__ import annotations

from mailer.letter import read_letter
from tests.rows import each_row

PLAIN = "From: ana@players.test\r\nTo: judge@game.test\r\n"
ODD_PARAMETERS = (
    *("*=utf-8''utf-8", "*0=utf; {0}*1=-8", "*0*=utf-8''ut; {0}*1=f-8", "*0*=bogus''x; {0}*1*=y"),
    *("*=", "*=''", "*='", "*=us-ascii'en'%FF%FE", "*1=x", "*a=x", "**=x", '="x\0y"', '="x'),
    *("*=x\0''y", "*=idna''x", "*=undefined''x", "*=hex''x", "=idna", "=hex", "=undefined"),
    *("=x; {0}=y", "*0=a; {0}*0=b", "*99999=x"),
)
"""How programs, and people who mean harm, write the parameter {0} of a header (RFC 2231)."""


@each_row("odd", ODD_PARAMETERS)
@each_row("name", ["charset", "format", "delsp", "name", "boundary"])
@each_row("encoding", ["8bit", "quoted-printable"])
def test_no_parameter_of_a_text_costs_its_orders(name: str, odd: str, encoding: str) -> None:
    head = f"Content-Type: text/plain; {name}{odd.format(name)}\r\n"
    raw = f"{PLAIN}{head}Content-Transfer-Encoding: {encoding}\r\n\r\nA Par - Bur\r\nZüge\r\n"
    for charset in ("utf-8", "cp1252"):
        letter = read_letter(raw.encode(charset))
        assert [line.text for line in letter.lines] == ["A Par - Bur", "Züge"]
        assert letter.left_out == ()


@each_row("odd", ODD_PARAMETERS)
@each_row("name", ["filename", "name", "boundary", "charset"])
def test_no_parameter_of_a_file_costs_the_orders_beside_it(name: str, odd: str) -> None:
    said = f"{name}{odd.format(name)}"
    raw = (
        f"{PLAIN}Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nA Par - Bur\r\n"
        f"--b\r\nContent-Type: application/pdf; {said}\r\n"
        f"Content-Disposition: attachment; {said}\r\n\r\nx\r\n--b--\r\n"
    )
    letter = read_letter(raw.encode())
    assert [line.text for line in letter.lines] == ["A Par - Bur"]
    assert len(letter.left_out) == 1
    assert letter.left_out[0].startswith("the attachment ")


@each_row(
    "odd", ["*=utf-8''b", "*0=b", "*0*=utf-8''%62", "*=idna''b", "*=x\0''b", "*=undefined''b"]
)
def test_parts_are_found_however_their_boundary_is_written(odd: str) -> None:
    raw = (
        f"{PLAIN}Content-Type: multipart/mixed; boundary{odd}\r\n\r\n"
        "--b\r\nContent-Type: text/plain; charset=cp1252\r\n\r\nA Par - Bur\r\nZüge\r\n--b--\r\n"
    )
    letter = read_letter(raw.encode("cp1252"))
    assert [line.text for line in letter.lines] == ["A Par - Bur", "Züge"]


def test_a_charset_in_pieces_is_the_one_by_which_a_text_is_read() -> None:
    head = "Content-Type: text/plain; charset*0*=us-ascii'en'koi; charset*1=8-r\r\n\r\n"
    letter = read_letter((PLAIN + head + "A Par - Bur\r\nПариж\r\n").encode("koi8-r"))
    assert [line.text for line in letter.lines] == ["A Par - Bur", "Париж"]
