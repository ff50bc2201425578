"""What lines say before anybody looks at the board: words, then orders as written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.text.names import Gazetteer, Names
from judge.text.reader_cache import line_reader_of
from judge.text.words import split_line
from judge.text.written import (
    AmbiguousName,
    Piece,
    Place,
    UnknownProvince,
    UnreadableOrder,
    Written,
)
from judge.variants import load_variant
from tests.rows import each_row

LEXICON = line_reader_of(load_variant("standard"))
NAMES = tuple(province.name for province in LEXICON.gazetteer.provinces)


def words(line: str) -> list[tuple[str, ...]]:
    return [wording.words for wording in split_line(line)]


def pieces(line: str) -> list[Piece]:
    return [piece for wording in split_line(line) for piece in LEXICON.parser.pieces(wording)]


def only(line: str) -> Written:
    (piece,) = pieces(line)
    assert isinstance(piece.written, Written), piece
    return piece.written


def refusal(line: str) -> UnreadableOrder:
    refused = [one.written for one in pieces(line) if isinstance(one.written, UnreadableOrder)]
    assert len(refused) == 1, pieces(line)
    return refused[0]


def said(written: Written) -> str:
    """The order as written, in one plain form: "support A Paris A Marseilles > Burgundy"."""
    text: str = written.action or "bare"
    for unit in (written.unit, written.aided):
        if unit:
            text += f" {unit.kind}{' ' * bool(unit.kind)}{named(unit.place)}"
    if written.to:
        text += f" > {named(written.to)}"
    return text + " by convoy" * written.by_convoy


def meanings(line: str) -> list[str]:
    return [said(piece.written) for piece in pieces(line) if isinstance(piece.written, Written)]


def named(place: Place) -> str:
    names = "/".join(NAMES[index] for index in place.provinces)
    return f"{names}({place.coast})" if place.coast else names


# Words.


@each_row(
    "line",
    [
        "A Par - Bur",
        "A Par-Bur",
        "a par–bur",
        "A Par — Bur",
        "A\u00a0Par\u202f→\u2009Bur",
        "A Par -> Bur",
        "A Par --> Bur",
        "A Par => Bur",
        "A Par > Bur",
        "A Par ➡️ Bur",
        "A Par − Bur",
        "Ａ Ｐａｒ － Ｂｕｒ",
        "\ufeffA Par\u00ad - Bur\u200b",
        "* A Par - Bur",
        "- A Par - Bur",
        "– A Par - Bur",
        "•\tA Par - Bur",
        "1. A Par - Bur",
        "(3) A Par - Bur",
        "12) A Par - Bur",
        "[x] A Par - Bur",
        "# A Par - Bur",
        "A Par - Bur.",
        "A Par - Bur!",
        "A Par - Bur (he will let me)",
        "A Par - Bur [sic]",
        '"A Par - Bur"',
        "A Par - Bur 😊",
    ],
)
def test_dashes_arrows_blanks_bullets_numbers_and_notes_make_no_difference(line):
    assert words(line) == [("a", "par", "-", "bur")]


@each_row(
    "coast",
    [
        *("(nc)", "(NC)", "/nc", " nc", " N.C.", " (n.c.)", " (N C)"),
        *("(north coast)", " north coast", "/north coast", "(north)", " (northern coast)"),
    ],
)
def test_every_way_to_write_a_coast_is_one(coast):
    assert words(f"F StP{coast} - Nwy") == [("f", "stp", "/nc", "-", "nwy")]


def test_semicolons_and_commas_separate_orders():
    assert words("A Par-Bur; A Mar-Spa, F Bre H;") == [
        ("a", "par", "-", "bur"),
        ("a", "mar", "-", "spa"),
        ("f", "bre", "h"),
    ]


@each_row("line", ["", "   ", ";;,", "((((", "(", ")", "[", "{", "...", "-", "🙂"])
def test_a_line_without_words_has_no_pieces(line):
    assert all(piece == ("-",) for piece in words(line))


def test_brackets_around_a_part_of_the_order_are_kept_open():
    assert words("F Nth S (A Lon - Bel) (via convoy)") == words("F Nth S A Lon - Bel via convoy")
    assert words("(A Par) - Bur") == words("A Par - Bur")


# Orders.


@each_row(
    ("line", "meaning"),
    [
        # Holds.
        ("A Venice Holds", "hold A Venice"),
        ("A Venice Hold", "hold A Venice"),
        ("A VEN H", "hold A Venice"),
        ("Army Galicia holds", "hold A Galicia"),
        ("Fleet Bulgaria (south coast) holds", "hold F Bulgaria(sc)"),
        ("A Ven - Hold", "hold A Venice"),
        ("Ven stands", "hold Venice"),
        ("Hold A Venice", "hold A Venice"),
        ("my army in Venice stays", "hold A Venice"),
        ("F. Nth.S. holds", "hold F North Sea"),
        # Moves.
        ("A Vienna - Tyrolia", "move A Vienna > Tyrolia"),
        ("A Berlin -> Silesia", "move A Berlin > Silesia"),
        ("Army Bulgaria-Constantinople", "move A Bulgaria > Constantinople"),
        ("A Tri-Alb", "move A Trieste > Albania"),
        ("Army Galicia to Silesia", "move A Galicia > Silesia"),
        ("Army Berlin to the Baltic Sea", "move A Berlin > Baltic Sea"),
        ("A Par moves to Bur", "move A Paris > Burgundy"),
        ("A PAR BUR", "move A Paris > Burgundy"),
        ("Par Bur", "move Paris > Burgundy"),
        ("A Par m Bur", "move A Paris > Burgundy"),
        ("A Par attacks Bur", "move A Paris > Burgundy"),
        ("Move A Par to Bur", "move A Paris > Burgundy"),
        ("The French army in Paris will march into Burgundy, please", "move A Paris > Burgundy"),
        ("F Mid-Atlantic Ocean - Spain(nc)", "move F Mid-Atlantic Ocean > Spain(nc)"),
        ("F Mid-Atlantic-Spain (south coast)", "move F Mid-Atlantic Ocean > Spain(sc)"),
        ("Fleet Bulgaria (e.c.) to the Black Sea", "move F Bulgaria(ec) > Black Sea"),
        ("F StP(nc)-Mos", "move F St Petersburg(nc) > Moscow"),
        ("F stpsc - Bot", "move F St Petersburg(sc) > Gulf of Bothnia"),
        ("F. St. Petersburg (s.c.) - Bothnia.", "move F St Petersburg(sc) > Gulf of Bothnia"),
        ("F Kiel - Kiel", "move F Kiel > Kiel"),
        ("A Spain - Portugal via convoy", "move A Spain > Portugal by convoy"),
        ("A Rumania to Sevastopol by convoy", "move A Rumania > Sevastopol by convoy"),
        ("A Lon - Bel (via convoy)", "move A London > Belgium by convoy"),
        ("A Lon - Bel via", "move A London > Belgium by convoy"),
        ("A Lon via convoy to Bel", "move A London > Belgium by convoy"),
        ("A Lon - Bel via North Sea", "move A London > Belgium by convoy"),
        ("A Yorkshire - North Sea - Holland", "move A Yorkshire > Holland"),
        ("Army Gal retreats to Silesia", "move A Galicia > Silesia"),
        ("A Gal r Sil", "move A Galicia > Silesia"),
        # Supports.
        ("A Tyrolia Supports A Venice", "support A Tyrolia A Venice"),
        ("A Holland Supports Kiel", "support A Holland Kiel"),
        ("A Ruh S A Mun", "support A Ruhr A Munich"),
        ("Army Smyrna Supports Fleet Constantinople-Hold", "support A Smyrna F Constantinople"),
        ("Fleet Edinburgh supports Fleet North Sea to hold", "support F Edinburgh F North Sea"),
        ("F. North Sea supp. German A. Hol. to hold", "support F North Sea A Holland"),
        ("A Munich Supports F Kiel - Berlin", "support A Munich F Kiel > Berlin"),
        ("F Bal S A Pru - Kie", "support F Baltic Sea A Prussia > Kiel"),
        ("A Con S A Bul - Gre", "support A Constantinople A Bulgaria > Greece"),
        ("A Munich Supports Berlin -> Silesia", "support A Munich Berlin > Silesia"),
        ("Army Moscow supports Army Galicia to Warsaw", "support A Moscow A Galicia > Warsaw"),
        ("F Eng to support A Lon - Bel", "support F English Channel A London > Belgium"),
        ("F Eng to support Belgium - H", "support F English Channel Belgium"),
        ("F Eng to convoy A Lon - Bel", "convoy F English Channel A London > Belgium"),
        ("F Tri to hold its position", "hold F Trieste"),
        ("F Mao to Spa", "move F Mid-Atlantic Ocean > Spain"),
        ("A Par S MAR BUR", "support A Paris Marseilles > Burgundy"),
        ("A Mun supports A Mar's move to Bur", "support A Munich A Marseilles > Burgundy"),
        ("A Mun supports the attack of A Mar on Bur", "support A Munich A Marseilles > Burgundy"),
        ("A Rum S Turkish F Con-Bul(sc)", "support A Rumania F Constantinople > Bulgaria(sc)"),
        ("A Rum S Turkey's F Con-Bul(sc)", "support A Rumania F Constantinople > Bulgaria(sc)"),
        ("F Nth S A Lon - Bel via convoy", "support F North Sea A London > Belgium"),
        ("Support A Mar - Bur with A Par", "support A Paris A Marseilles > Burgundy"),
        ("Support A Bur", None),
        ("F Gulf of Lyon supports Italian Fleet Tyrrhenian to W. Med.",
         "support F Gulf of Lyon F Tyrrhenian Sea > Western Mediterranean"),
        ("F W Med - E. Med", "move F Western Mediterranean > Eastern Mediterranean"),
        # Convoys.
        ("F North Sea Convoys A London - Belgium", "convoy F North Sea A London > Belgium"),
        ("F North Sea Convoys Sevastopol - Ankara", "convoy F North Sea Sevastopol > Ankara"),
        ("F Eng C FRENCH A Pic-Bel", "convoy F English Channel A Picardy > Belgium"),
        ("Fleet Black Sea convoys A. Rumania to Ank..", "convoy F Black Sea A Rumania > Ankara"),
        (
            "F. E.Med. convoys Turk. A. Alb. to Smyrna",
            "convoy F Eastern Mediterranean A Albania > Smyrna",
        ),
        # Builds, disbands.
        ("Build A Kiel", "build A Kiel"),
        ("Build F St. Petersburg", "build F St Petersburg"),
        ("Build F St Petersburg(nc)", "build F St Petersburg(nc)"),
        ("Build a fleet in Brest", "build F Brest"),
        ("Build Paris", "build Paris"),
        ("A Par builds", "build A Paris"),
        ("Disband A Picardy", "disband A Picardy"),
        ("Remove A Picardy", "disband A Picardy"),
        ("A Pic disbands", "disband A Picardy"),
        ("A Pic d", "disband A Picardy"),
        ("Waive", "waive"),
        ("Decline build", "waive"),
        ("A Par", "bare A Paris"),
    ],
)  # fmt: skip
def test_an_order_is_read_whatever_way_it_is_written(line, meaning):
    if meaning is None:
        assert refusal(line)
    else:
        assert said(only(line.replace(", please", " please"))) == meaning


def test_a_power_in_front_is_remembered():
    assert only("France: A Par - Bur").nation == "France"
    assert only("Austria A Serbia - Bulgaria").nation == "Austria"
    assert only("Russia builds Fleet St. Petersburg (north coast)").nation == "Russia"
    assert only("Turkey removes Army Albania").nation == "Turkey"
    assert only("A Par - Bur").nation is None


def test_a_nation_before_a_supported_unit_is_remembered_too():
    aided = only("Russian Fleet Edinburgh supports French Fleet North Sea to hold").aided
    assert aided is not None
    assert aided.nation == "France"


def test_english_is_the_channel_before_a_verb_and_the_power_before_a_unit():
    assert said(only("F English S F Nth")) == "support F English Channel F North Sea"
    assert (
        said(only("F Nth S English F English - Bel"))
        == "support F North Sea F English Channel > Belgium"
    )
    assert said(only("F English Channel H")) == "hold F English Channel"


def test_orders_run_together_are_told_apart():
    assert meanings("A Par-Bur A Mar S A Par-Bur. F Bre H") == [
        "move A Paris > Burgundy",
        "support A Marseilles A Paris > Burgundy",
        "hold F Brest",
    ]


def test_the_end_of_one_order_is_no_nation_of_the_next():
    assert meanings("F Bel S F Eng A Lon H") == [
        "support F Belgium F English Channel",
        "hold A London",
    ]


def test_two_supporters_of_one_unit_are_two_orders():
    assert meanings("F Bre & F Por S F Mid") == [
        "support F Brest F Mid-Atlantic Ocean",
        "support F Portugal F Mid-Atlantic Ocean",
    ]


def test_a_move_with_its_helpers_after_it_is_as_many_orders():
    line = "A Spa-Nap C by F Lyo & F Tyn and S by A Apu"
    assert meanings(line) == [
        "move A Spain > Naples",
        "convoy F Gulf of Lyon A Spain > Naples",
        "convoy F Tyrrhenian Sea A Spain > Naples",
        "support A Apulia A Spain > Naples",
    ]


def test_several_builds_may_be_declined_in_one_line():
    assert meanings("Waive both builds") == ["waive", "waive"]
    assert len(pieces("waive 3")) == 3


@each_row(
    ("line", "piece"),
    [
        ('A Mun whistles "Dixie"', 'whistles "Dixie'),
        ("A Par - Bur unless Germany attacks", "unless Germany attacks"),
        ("A Mun loot and pillage", "loot and pillage"),
        ("A Mun-Oz", "Oz"),
        ("A Par - ", "-"),
        ("A", "A"),
        ("A Par S", "S"),
    ],
)
def test_the_smallest_wrong_piece_is_named(line, piece):
    wrong = refusal(line)
    assert wrong.piece == piece
    assert piece in wrong.sentence


def test_an_unknown_province_and_an_ambiguous_name_are_told_apart():
    assert isinstance(refusal("A Mun - Oz"), UnknownProvince)
    ambiguous = refusal("A Mos - Liv")
    assert isinstance(ambiguous, AmbiguousName)
    assert ambiguous.sentence == "“Liv” could be Livonia or Liverpool; write Lvn or Lvp."
    assert ambiguous.suggestions == ("Livonia", "Liverpool")


def test_a_name_cut_short_keeps_all_its_meanings():
    place = only("F Nwg - Nort").to
    assert place is not None
    assert not place.guessed
    assert [NAMES[index] for index in place.provinces] == [
        "North Africa",
        "North Atlantic Ocean",
        "North Sea",
    ]


@each_row(
    "line",
    [
        "A Mar - North See",
        "F Mar - Gulf of Lion",
        "F Bre - Mid Atlantik",
        "F Bre - Mid-Atlantik",
        "F Bre - Mad-Atlantic Ocaen",
        "F Bre - Englsh Channel",
        "F Mar - Gulf off Lyon",
    ],
)
def test_a_long_name_is_misspelt_as_a_whole(line):
    place = only(line).to
    assert place is not None
    assert place.guessed
    assert place.text == line.split(" - ")[1]


SIGNS = "AaFfSsCcHh1 -–>()[]/.,;:&'’éß\u0130🙂\u00a0\n\t"
SOME_WORDS = ("StP", "liv", "nc", "via", "convoy", "to", "by", "Germany", "waive", "Pariz", "build")
ALPHABET = st.sampled_from([*SIGNS, *NAMES, *SOME_WORDS])


@given(st.lists(ALPHABET, max_size=60).map("".join))
@example("A" * 1000)
@example("A Par S " * 200)
@example("(" * 500 + "A" + ")" * 500)
def test_no_line_of_orderly_words_crashes_the_reader(line):
    for piece in pieces(line):
        assert isinstance(piece.written, Written | UnreadableOrder)


@given(st.text())
def test_no_text_at_all_crashes_the_reader(line):
    for piece in pieces(line):
        assert isinstance(piece.written, Written | UnreadableOrder)


NASTY = [
    *(
        "A ",
        "F ",
        "(",
        ")",
        "([{",
        "-",
        " - ",
        "/",
        "/nc",
        "north coast ",
        "Gulf of ",
        "North ",
        "N ",
    ),
    *(
        "A Par - Bur ",
        "A Pariz - Bur; ",
        "A Par S ",
        "all ",
        "of ",
        "from ",
        "via ",
        "by ",
        "1 ",
        "x ",
    ),
    *(
        "Mid-",
        "St ",
        "French ",
        "England: ",
        "& ",
        "and A Par ",
        "A Par S by ",
        "hold ",
        "waive ",
        "&",
    ),
]


class Counted(tuple[str, ...]):
    """The words of a piece; counts how many are taken out of it, one by one or together."""

    taken = 0

    def __getitem__(self, at):
        found = super().__getitem__(at)
        Counted.taken += len(found) if isinstance(at, slice) else 1
        return found


@pytest.mark.parametrize("piece", NASTY)
def test_the_work_grows_with_the_line_and_no_faster(piece, monkeypatch):
    looked_up = 0
    find: Callable[[Gazetteer, str], Names | None] = Gazetteer.find

    def counting(self, key):
        nonlocal looked_up
        looked_up += 1
        return find(self, key)

    monkeypatch.setattr(Gazetteer, "find", counting)

    def work(times: int) -> int:
        nonlocal looked_up
        looked_up = Counted.taken = 0
        split = split_line(piece * times)
        wordings = [replace(wording, words=Counted(wording.words)) for wording in split]
        read = sum(1 for wording in wordings for _ in LEXICON.parser.pieces(wording))
        return looked_up + Counted.taken + read + sum(len(wording.words) for wording in wordings)

    assert work(2000) <= 11 * work(200) + 100
