"""The powers in the languages in which orders are read."""

from __future__ import annotations

import pytest

from judge import UnknownName, load_variant, power_named, powers_in_english, variant_names
from judge.text.languages import load_languages
from judge.text.power_names import PowerNamesError, by_name, parse_names
from judge.variant_files import folder_of
from tests.rows import each_row

STANDARD = load_variant("standard")
SPOKEN = {
    "german": "England Frankreich Deutschland Italien Österreich Russland Türkei",
    "french": "Angleterre France Allemagne Italie Autriche Russie Turquie",
    "spanish": "Inglaterra Francia Alemania Italia Austria Rusia Turquía",
    "italian": "Inghilterra Francia Germania Italia Austria Russia Turchia",
    "dutch": "Engeland Frankrijk Duitsland Italië Oostenrijk Rusland Turkije",
    "polish": "Anglia Francja Niemcy Włochy Austria Rosja Turcja",
    "portuguese": "Inglaterra França Alemanha Itália Áustria Rússia Turquia",
    "swedish": "England Frankrike Tyskland Italien Österrike Ryssland Turkiet",
    "russian": "Англия Франция Германия Италия Австрия Россия Турция",
    "turkish": "İngiltere Fransa Almanya İtalya Avusturya Rusya Türkiye",
}
ENGLISH = ["England", "France", "Germany", "Italy", "Austria", "Russia", "Turkey"]


@each_row("language", load_languages(folder_of("standard")), ids=lambda one: one.title)
def test_every_language_in_which_orders_are_read_has_all_powers(language):
    spoken = SPOKEN[language.title]
    assert powers_in_english(spoken, STANDARD.powers).split() == ENGLISH
    assert [power_named(STANDARD, word) for word in spoken.split()] == ENGLISH


@each_row(
    ("written", "english"),
    [
        ("ÖSTERREICH-UNGARN", "Austria"),
        ("Oesterreich", "Austria"),
        ("Tuerkei, italien", "Turkey, Italy"),
        ("Rußland; [Frankreich/Ger]", "Russia; [France/Ger]"),
        ("Россию и Германию", "Russia и Germany"),
        ("Francia", "France"),
    ],
)
def test_a_name_is_known_however_it_is_written(written, english):
    assert powers_in_english(written, STANDARD.powers) == english


@each_row("text", ["", "France", "Frankreichs", "Franko", "A Par - Bur", "Nord-Italien"])
def test_what_is_no_whole_name_stays(text):
    assert powers_in_english(text, STANDARD.powers) == text


def test_a_power_that_is_not_in_the_game_is_not_named():
    assert powers_in_english("Frankreich, Italien", ["Italy"]) == "Frankreich, Italy"
    with pytest.raises(UnknownName):
        power_named(load_variant("germany_italy"), "Frankreich")


@each_row("variant", variant_names())
def test_no_power_of_any_variant_loses_its_own_name(variant):
    for power in load_variant(variant).powers:
        assert powers_in_english(power, load_variant(variant).powers) == power


def test_each_name_in_the_file_is_of_a_power_of_the_standard_game_or_its_kin():
    assert set(by_name().values()) == {*STANDARD.powers, "Britain"}


def test_england_and_britain_are_one_where_only_one_of_them_plays():
    assert powers_in_english("England, Italy", load_variant("1900").powers) == "Britain, Italy"
    assert powers_in_english("Britain, Italy", STANDARD.powers) == "England, Italy"


def test_a_name_of_two_powers_is_a_fault_of_the_file():
    with pytest.raises(PowerNamesError, match="France and Spain"):
        parse_names("France | Gallia\nSpain | Gallia")
