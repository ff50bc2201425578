"""Orders in ten languages beside English: names, words, and what may mean two things."""

from __future__ import annotations

import itertools

import pytest

from judge.position import Position
from judge.text.languages import Language, LanguageError, load_languages
from judge.text.read import Reading, read_orders
from judge.text.reader_cache import line_reader_of
from judge.variant_files import folder_of
from judge.variants import load_variant
from tests.rows import each_row

STANDARD = load_variant("standard")
LANGUAGES = {language.title: language for language in load_languages(folder_of("standard"))}
WHERE = Position.from_state(
    STANDARD,
    {
        "phase": "S1902M",
        "units": {
            "France": ["A Paris", "A Marseilles", "F Brest", "F Mid-Atlantic Ocean", "A Burgundy"],
            "England": ["F North Sea", "A London", "F Norway"],
            "Germany": ["A Munich", "F Kiel", "A Berlin"],
            "Russia": ["A Moscow", "F Sevastopol", "A Warsaw"],
        },
    },
)


def read(power: str, line: str) -> Reading:
    (reading,) = read_orders(WHERE, power, [line])
    return reading


@each_row(
    ("power", "line", "order"),
    [
        ("Germany", "Armee München nach Tirol", "A Munich - Tyrolia"),
        ("Germany", "Flotte Kiel hält", "F Kiel Holds"),
        ("Russia", "Flotte Sevastopol ins Schwarze Meer", "F Sevastopol - Black Sea"),
        ("Russia", "Flotte Sewastopol in das Schwarze Meer", "F Sevastopol - Black Sea"),
        ("France", "Flotte Brest in den Mittleren Atlantik", "F Brest - Mid-Atlantic Ocean"),
        ("Germany", "A Berlin unterstützt A München - Schlesien", "A Berlin S A Munich - Silesia"),
        ("Germany", "A MUENCHEN - Boehmen", "A Munich - Bohemia"),
        ("Germany", "A Mün - Tir", "A Munich - Tyrolia"),
        ("Germany", "A Mün U A Ber", "A Munich S A Berlin"),
        ("Germany", "A MÜN U A BER - SCHLESIEN", "A Munich S A Berlin - Silesia"),
        ("England", "F Nth K A Lon - Nwy", "F North Sea C A London - Norway"),
        ("England", "F Nordsee konvoiert A London - Norwegen", "F North Sea C A London - Norway"),
        ("England", "Armee London nach Norwegen per Konvoi", "A London - Norway via Convoy"),
        ("France", "L'armée de Paris va en Picardie", "A Paris - Picardy"),
        ("France", "La flotte de Brest s'en va dans la Manche", "F Brest - English Channel"),
        ("France", "F Brest va vers l'Atlantique moyen", "F Brest - Mid-Atlantic Ocean"),
        ("France", "A Bour soutient A Paris - Picardie", "A Burgundy S A Paris - Picardy"),
        ("France", "A Paris soutient A Bourgogne - Belgique", "A Paris S A Burgundy - Belgium"),
        ("France", "Flotte Moyen Atlantique - Espagne (cs)", "F Mid-Atlantic Ocean - Spain(sc)"),
        ("France", "F Brest - Manche", "F Brest - English Channel"),
        ("France", "F Brest tient", "F Brest Holds"),
        ("France", "Ejército París a Borgoña", "A Paris - Burgundy"),
        ("France", "A Marsella apoya A París - Borgoña", "A Marseilles S A Paris - Burgundy"),
        (
            "France",
            "F Atlántico Medio - España (costa norte)",
            "F Mid-Atlantic Ocean - Spain(nc)",
        ),
        ("France", "Armata Parigi a Borgogna", "A Paris - Burgundy"),
        ("France", "Armata Parigi in Borgogna", "A Paris - Burgundy"),
        ("France", "Armata in Parigi - Borgogna", "A Paris - Burgundy"),
        ("France", "A Marsiglia appoggia A Parigi - Borgogna", "A Marseilles S A Paris - Burgundy"),
        ("England", "Vloot Noordzee naar Noorse Zee", "F North Sea - Norwegian Sea"),
        ("England", "F Noordzee steunt F Noorwegen - Zweden", "F North Sea S F Norway - Sweden"),
        ("England", "Flota Norwegia - Szwecja", "F Norway - Sweden"),
        ("England", "Armia Londyn do Walii", "A London - Wales"),
        (
            "England",
            "Frota Mar do Norte apoia F Noruega - Suécia",
            "F North Sea S F Norway - Sweden",
        ),
        ("England", "Flottan Norge till Barents hav", "F Norway - Barents Sea"),
        ("Russia", "Armiya Moskva - Ukrainu", "A Moscow - Ukraine"),
        ("Russia", "Flot Sevastopol - Chernoe more", "F Sevastopol - Black Sea"),
        (
            "Russia",
            "Armiya Varshava podderzhivaet Moskva - Ukraina",
            "A Warsaw S A Moscow - Ukraine",
        ),
        ("Russia", "Donanma Sivastopol - Karadeniz", "F Sevastopol - Black Sea"),
        ("Russia", "Ordu Varşova destekler Moskova - Ukrayna", "A Warsaw S A Moscow - Ukraine"),
        ("France", "Ordu Paris → Burgonya'ya", "A Paris - Burgundy"),
        ("France", "Ordu Marsilya bekler", "A Marseilles Holds"),
        ("England", "F Nordsjön stöder F Norge - Sverige", "F North Sea S F Norway - Sweden"),
        ("Russia", "А Москва - Украина", "A Moscow - Ukraine"),
        ("Russia", "Армия Варшава в Галицию", "A Warsaw - Galicia"),
        (
            "Russia",
            "Флот Севастополь поддерживает А Москва - Украина",
            "F Sevastopol S A Moscow - Ukraine",
        ),
        ("Russia", "Ф Севастополь держит (как договорились)", "F Sevastopol Holds"),
    ],
)
def test_an_order_in_another_language_is_read(power: str, line: str, order: str) -> None:
    reading = read(power, line)
    said = order.replace(" S ", " Supports ").replace(" C ", " Convoys ")
    assert (str(reading.order), reading.text, reading.guessed) == (said, line, False)


def test_every_language_has_a_file() -> None:
    assert set(LANGUAGES) == {
        *("dutch", "french", "german", "italian", "polish", "portuguese", "russian"),
        *("spanish", "swedish", "turkish"),
    }


@pytest.mark.parametrize(
    "line",
    ["Flotte Kiel haelt", "Flotte Kiel - Daenemark", "A Muenchen - Boehmen"],
)
def test_umlauts_may_be_written_out(line: str) -> None:
    assert read("Germany", line).order is not None


@each_row(
    ("variant", "power", "line", "order"),
    [
        ("modern", "France", "Armée Lyon - Suisse", "A Lyon - Switzerland"),
        ("modern", "Germany", "Flotte Hamburg - Niederlande", "F Hamburg - Holland"),
        ("modern", "Spain", "Ejército Madrid a Navarra", "A Madrid - Navarra"),
        ("modern", "France", "Armée Marseille - Monaco", "A Marseilles - Monaco"),
        ("modern", "Germany", "Armee München nach Österreich", "A Munich - Austria"),
        ("modern", "Italy", "Armata Milano - Monaco", "A Milan - Monaco"),
        ("1900", "Germany", "A Köln - Niederlande", "A Cologne - Netherlands"),
        ("colonial", "Russia", "Armee Omsk nach Akmolinsk", "A Omsk - Akmolinsk"),
        ("colonial", "Russia", "Flotte Port Arthur ins Gelbe Meer", "F Port Arthur - Yellow Sea"),
        ("loeb9", "Spain", "Ejército Córdoba a Cataluña", "A Cordoba - Catalonia"),
        ("ancient_med", "Rome", "Flotta Neapolis - Mar Tirreno", "F Neapolis - Tyrrhenian Sea"),
        ("youngstown", "Germany", "Flotte Kiel nach Dänemark", "F Kiel - Denmark"),
        ("loeb9", "Norway", "Flotta Danmark till Nordsjön", "F Denmark - North Sea"),
        ("hundred", "France", "Armée de Provence tient", "A Provence Holds"),
    ],
)
def test_other_maps_are_read_in_these_languages_too(
    variant: str, power: str, line: str, order: str
) -> None:
    (reading,) = read_orders(Position.start(load_variant(variant)), power, [line])
    assert (str(reading.order), reading.guessed) == (order, False)


@each_row(("variant", "name"), [("modern", "Monaco"), ("youngstown", "Dan"), ("colonial", "Del")])
def test_a_name_of_another_map_is_not_what_it_is_in_some_language(variant: str, name: str) -> None:
    """Monaco is Munich in Italian, "Dän" Denmark in German, and "del" an article."""
    reader = line_reader_of(load_variant(variant))
    line = f"A {name} H"
    assert reader.pieces(line) == reader._in_english(line)
    phrase = (name.lower(),)
    assert any(phrase in {**one.names, **one.words} for one in LANGUAGES.values())
    for language in load_variant(variant).languages:
        assert phrase not in {**language.names, **language.words}


@each_row("title", LANGUAGES)
def test_every_name_is_a_province_s_and_no_other_s_in_any_language(title: str) -> None:
    """What English takes for another province's name, even cut short, is asked about."""
    reader = line_reader_of(STANDARD)
    provinces = {province.name: province.index for province in STANDARD.board.provinces}
    known = {
        "".join(phrase): name for one in LANGUAGES.values() for phrase, name in one.names.items()
    }
    for phrase, name in LANGUAGES[title].names.items():
        assert name in provinces, name
        assert known["".join(phrase)] == name, phrase
        english = reader.gazetteer.find(" ".join(phrase))
        if english is not None and english.provinces != (provinces[name],):
            (piece,) = reader.pieces(f"F Nao - {' '.join(phrase)}")
            assert "could be" in str(piece.written)


@each_row("title", LANGUAGES)
def test_every_name_is_read_as_its_province(title: str) -> None:
    reader = line_reader_of(STANDARD)
    provinces = {province.name: province.index for province in STANDARD.board.provinces}
    asked = set()
    for phrase, name in LANGUAGES[title].names.items():
        (piece,) = reader.pieces(f"{' '.join(phrase).title()} H")
        if piece.provinces is None:
            asked.add(" ".join(phrase))
        else:
            assert piece.provinces == (provinces[name],), phrase
    assert asked <= {"norwegia"}


def test_what_means_two_provinces_in_two_languages_is_asked() -> None:
    reading = read("England", "F Nth - Norwegia")
    assert reading.problem is not None
    assert reading.problem.kind == "ambiguous"
    assert reading.problem.suggestions == ("Norwegian Sea", "Norway")


@each_row(
    "line",
    [
        "we go to la mer",
        "F Brest - la mer",
        "A Paris nach Burgunt",  # misspelt in another language: not guessed at
        "Armee München nach Burgund, falls Frankreich geht",
        "A München - Burgund oder Tirol",
        "Armee München nicht nach Burgund",
        "A Mün u A Ber halten",
        "A MÜN U A BER HALTEN",
    ],
)
def test_what_is_not_clear_in_any_language_is_not_followed(line: str) -> None:
    assert not any(one.counts and one.order for one in read_orders(WHERE, "Germany", [line]))


@pytest.mark.parametrize("line", ["Flotte Brest vers Atlantique", "Flotta Brest in Atlantique"])
def test_of_a_line_in_another_language_only_the_unknown_name_is_refused(line: str) -> None:
    problem = read("France", line).problem
    assert problem
    assert problem.sentence.startswith("There is no province “Atlantique”")


@each_row(
    "line",
    [
        *("Befehle für Frühjahr 1901:", "Herbst 1902", "Ordres printemps 1903", "Pour l'automne :"),
        *(
            "Órdenes primavera de 1901",
            "Ordini autunno 1901",
            "Najaar 1901:",
            "Rozkazy jesień 1903",
        ),
        *("Ordens verão 1901", "Order vår 1901:", "Приказы, осень 1903:", "летом 1902:"),
    ],
)
def test_a_heading_with_a_season_in_another_language_gives_no_reading(line: str) -> None:
    assert not read_orders(WHERE, "France", [line])


@each_row("line", ["de la", "Den", "Herbst Paris", "den Sommer über"])
def test_words_of_headings_without_a_season_or_beside_other_words_are_read(line: str) -> None:
    assert read_orders(WHERE, "France", [line])


def test_english_is_read_as_if_there_were_no_other_language() -> None:
    reader = line_reader_of(STANDARD)
    names = [province.name for province in STANDARD.board.provinces]
    shorts = [reader.gazetteer.abbreviation(index) for index in range(len(names))]
    for start, end in itertools.islice(itertools.product([*names, *shorts], repeat=2), 0, None, 23):
        for line in (f"A {start} - {end}", f"F {start} S {end}"):
            assert reader.pieces(line) == reader._in_english(line), line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Paris | Lutetia", "without a section"),
        ("[names]\nLutetia", "without a section or a sign"),
        ("[names]\nParis | Stadt\nRome | Stadt", "means two things"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(text: str, said: str) -> None:
    with pytest.raises(LanguageError, match=said):
        Language.parse("test", text)
