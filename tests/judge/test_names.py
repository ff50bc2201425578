from __future__ import annotations

import re

import pytest

from judge import parse_order, read_orders
from judge.text.folding import fold
from judge.text.names import Gazetteer, NamedProvince, NameTable, NameTableError, key_of, load_names
from judge.text.parse import OrderParser
from judge.text.reader_cache import LineReader, line_reader_of
from judge.text.words import split_line
from judge.text.written import Written
from judge.variant_files import folder_of, variant_names
from judge.variants import load_variant
from tests.judge.table import stand
from tests.rows import each_row

STANDARD = load_variant("standard")
GAZETTEER = line_reader_of(STANDARD).gazetteer


def meant(text: str) -> tuple[str, ...] | None:
    names = GAZETTEER.find(key_of(text))
    if names is None:
        return None
    return tuple(GAZETTEER.provinces[index].name for index in names.provinces)


@each_row("province", STANDARD.board.provinces, ids=str)
def test_a_full_name_an_id_and_the_printed_abbreviation_mean_their_province(province):
    short = GAZETTEER.abbreviation(province.index)
    assert short.lower() == province.id
    for text in (province.name, province.name.upper(), re.sub(r"\W", "", province.name), short):
        assert meant(text) == (province.name,)


@each_row(
    ("text", "name"),
    [
        ("nor", "Norway"),
        ("Norw.", "Norway"),
        ("Norw. Sea", "Norwegian Sea"),
        ("Nwg. Sea", "Norwegian Sea"),
        ("Nor Sea", "North Sea"),
        ("tyr", "Tyrolia"),
        ("Tyn", "Tyrrhenian Sea"),
        ("bal", "Baltic Sea"),
        ("bar", "Barents Sea"),
        ("bs", "Black Sea"),
        ("N.Atl.", "North Atlantic Ocean"),
        ("NAt", "North Atlantic Ocean"),
        ("Mid-Atlantic", "Mid-Atlantic Ocean"),
        ("M.Atl.", "Mid-Atlantic Ocean"),
        ("MAt", "Mid-Atlantic Ocean"),
        ("Engl. Ch.", "English Channel"),
        ("Eng.Ch.", "English Channel"),
        ("Both.", "Gulf of Bothnia"),
        ("Gulf of Both", "Gulf of Bothnia"),
        ("Gulf Lyon", "Gulf of Lyon"),
        ("E.Med.", "Eastern Mediterranean"),
        ("Western Med.", "Western Mediterranean"),
        ("N. Africa", "North Africa"),
        ("N.Afr.", "North Africa"),
        ("Const.", "Constantinople"),
        ("St. Petersburg", "St Petersburg"),
        ("StP", "St Petersburg"),
        ("York", "Yorkshire"),
        ("Münich", "Munich"),
        ("Skaggerrak", "Skagerrak"),
        ("Heligoland Bight", "Helgoland Bight"),
        ("Belg", "Belgium"),
        ("livo", "Livonia"),
        ("liver", "Liverpool"),
        ("Burgu", "Burgundy"),
    ],
)
def test_spellings_of_the_source_documents_are_understood(text, name):
    assert meant(text) == (name,)


@each_row(
    ("text", "names"),
    [
        ("nort", ("North Africa", "North Atlantic Ocean", "North Sea")),
        ("gul", ("Gulf of Bothnia", "Gulf of Lyon")),
        ("tyrr", ("Tyrrhenian Sea",)),
        ("N Sea", ("North Sea", "Norwegian Sea")),
        ("liv", ("Livonia", "Liverpool")),
        ("bas", ("Baltic Sea", "Barents Sea")),
    ],
)
def test_a_beginning_of_several_names_means_all_of_them(text, names):
    assert meant(text) == names


def test_what_other_systems_read_in_two_ways_is_marked_as_unclear():
    assert {text for text in ("liv", "bas", "nort", "bal") if unclear(text)} == {"liv", "bas"}


def unclear(text: str) -> bool:
    names = GAZETTEER.find(text)
    return names is not None and names.how == "unclear"


@each_row("text", ["", "pa", "oz", "man", "atlantis", "bal s", "con s"])
def test_what_is_no_name_means_nothing(text):
    assert meant(text) is None


def test_a_coast_may_be_glued_to_the_abbreviation():
    names = GAZETTEER.find("stpsc")
    assert names is not None
    assert names.coast == "sc"
    assert GAZETTEER.provinces[names.provinces[0]].name == "St Petersburg"


@each_row("variant", variant_names())
def test_every_variant_has_a_gazetteer_that_knows_its_map(variant):
    loaded = load_variant(variant)
    gazetteer = line_reader_of(loaded).gazetteer
    for province in loaded.board.provinces:
        names = gazetteer.find(key_of(province.name))
        assert names is not None
        assert names.provinces == (province.index,)


def test_an_edited_map_is_read_with_the_same_vocabulary():
    edited = STANDARD.edited({"convoyable_coasts_add": ["Sweden"]})
    assert line_reader_of(edited) is line_reader_of(STANDARD)


def test_a_map_without_a_names_file_has_its_full_names_and_ids():
    assert load_names(folder_of("nowhere")) == NameTable()
    gazetteer = Gazetteer(
        [NamedProvince("tha", "Thassos"), NamedProvince("les", "Lesbos")], NameTable()
    )
    assert {key: gazetteer.find(key) for key in ("thassos", "les", "thas")}.keys()
    assert gazetteer.abbreviation(1) == "Les"
    assert gazetteer.longest == 1


@pytest.mark.parametrize(
    "text",
    ["Thassos | Tha", "Thassos | Tha | \nThassos | Tho | ", "? t | Thassos | more"],
)
def test_a_faulty_names_file_is_refused_with_its_line(text):
    with pytest.raises(NameTableError, match="Thassos"):
        NameTable.parse(text)


def test_a_spelling_listed_for_two_provinces_is_refused():
    table = NameTable.parse("Thassos | Tha | island\nLesbos | Les | island")
    provinces = [NamedProvince("tha", "Thassos"), NamedProvince("les", "Lesbos")]
    with pytest.raises(NameTableError, match="island"):
        Gazetteer(provinces, table)


@each_row(
    ("word", "folded"),
    [
        ("PARIS", "paris"),
        ("Münich", "munich"),
        ("Øresund", "oresund"),
        ("l’Ile", "lile"),
        ("İ", "i"),
    ],
)
def test_words_are_compared_without_capitals_accents_and_apostrophes(word, folded):
    assert fold(word) == folded


@each_row("name", ["Marches", "Holding", "Stay", "New Haven", "Kill Island"])
@each_row(
    ("line", "action"),
    [
        ("A Alpha - {}", "move"),
        ("{} - Alpha", "move"),
        ("A {} S A Alpha - {}", "support"),
        ("F Alpha C A Beta - {}", "convoy"),
        ("A {} H", "hold"),
        ("Build A {}", "build"),
    ],
)
def test_a_province_may_be_called_what_an_order_says(name: str, line: str, action: str):
    names = ("Alpha", "Beta", name)
    gazetteer = Gazetteer([NamedProvince(one[:2], one) for one in names], NameTable())
    (wording,) = split_line(line.format(name, name))
    (piece,) = OrderParser(gazetteer, {}).pieces(wording)
    written = piece.written
    assert isinstance(written, Written)
    assert written.action == action
    assert written.unit is not None
    places = [written.unit.place, written.to]
    assert (2,) in [place.provinces for place in places if place]


def test_new_guinea_is_no_build():
    position = stand({"Holland": ["F New Guinea"]}, variant="colonial")
    (reading,) = read_orders(position, "Holland", ["New Guinea - Celebes Sea"])
    assert str(reading.order) == "F New Guinea - Celebes Sea"


def maps() -> list[str]:
    """One variant of each map: whoever shares its board and its names reads alike."""
    found = {(id(one.board), id(one.names)): one.name for one in map(load_variant, variant_names())}
    return sorted(found.values())


@each_row("name", maps())
def test_every_spelling_of_a_map_can_be_written_in_an_order(name: str) -> None:
    """ "Ecs" looks like a coast, and "For" is a word that means nothing before other places."""
    variant = load_variant(name)
    for province in variant.board.provinces:
        spellings = variant.names.spellings.get(province.name, ())
        for text in (province.name, province.id, *spellings):
            said = {
                f"A {text} H": f"A {province} Holds",
                f"F {text}-{text}": f"F {province} - {province}",
                f"A {text} S {text}": f"A {province} Supports {province}",
                f"Build F {text}": f"Build F {province}",
            }
            read = {line: str(parse_order(line, variant)) for line in said}
            assert read == said


@each_row(
    ("line", "read"),
    [
        ("F Ecs - Yel", "F East China Sea - Yellow Sea"),
        ("For - Mna", "Formosa - Manila"),
        ("A Mna - For via convoy", "A Manila - Formosa via Convoy"),
        ("And S F Bob - Ars", "Andaman Sea Supports F Bay of Bengal - Arabian Sea"),
        ("F And H", "F Andaman Sea Holds"),
        ("A Mna S for Ceb", "A Manila Supports Cebu"),
        ("F Hon S move of F Scs to Sul", "F Hong Kong Supports F South China Sea - Sulu Sea"),
        ("F Seo(wc) - Yel", "F Seoul(wc) - Yellow Sea"),
        ("and F Bob H", "F Bay of Bengal Holds"),
    ],
)
def test_a_name_like_a_small_word_is_a_name_where_one_is_expected(line: str, read: str) -> None:
    assert str(parse_order(line, load_variant("colonial"))) == read


OWN_MEANING = {
    ("hundred", "channel"),  # the Bristol one, or the English
    ("loeb9", "sicilia"),  # it has a Sicily
    ("modern", "lyon"),
    ("modern", "lyons"),
}
"""Spellings of the standard map that mean something else on another, or nothing clear."""


@each_row("name", sorted({load_variant(one).facts["board"] for one in variant_names()}))
def test_a_province_is_called_on_every_map_what_it_is_called_on_the_standard_one(name: str) -> None:
    """A player of Loeb9 or Modern writes “Romania” and “München”, too. Words of fewer letters are
    abbreviations, and every map has its own."""
    variant = load_variant(name)
    for province in variant.board.provinces:
        for text in STANDARD.names.spellings.get(province.name, ()):
            if len(text) >= 6 and (name, text) not in OWN_MEANING:
                found = line_reader_of(variant).gazetteer.find(key_of(text))
                assert found, (province, text)
                assert province.index in found.provinces


@each_row(
    ("name", "text", "province"),
    [
        ("youngstown", "offboard a", "Off Board A"),
        ("youngstown", "Box F", "Off Board F"),
        ("modern", "Mid-Atlantic", "Mid Atlantic Ocean"),
        ("colonial", "Romania", "Rumania"),
    ],
)
def test_a_place_of_one_map_has_the_names_that_players_know(name, text, province):
    assert str(parse_order(f"F {text} H", load_variant(name))) == f"F {province} Holds"


def test_what_only_positions_need_is_not_made_to_ask_whether_a_line_is_an_order():
    """A third of a megabyte a map: every worker reads lines on all of them."""
    reader = LineReader(STANDARD)
    assert reader.pieces("A Par - Bur")
    assert "canonical" not in vars(reader)
    assert reader.canonical is reader.canonical


def test_keys_that_mean_the_same_share_what_they_mean():
    """There are a dozen for each province: 3 MB on all maps."""
    assert GAZETTEER.find("portug") is GAZETTEER.find("portuga")
