from __future__ import annotations

import json
from collections import deque
from pathlib import Path

import pytest

from judge import Board, BoardError, UnknownName, load_variant
from judge.board import bits, mask_of
from judge.board_edits import apply_edits
from tests.rows import each_row

BOARD = load_variant("standard").board
DATA = Path(__file__).parents[2] / "judge" / "data"


def names(places) -> set[str]:
    return {str(place) for place in places}


def test_the_standard_board_has_its_75_provinces_and_34_centers():
    playable = [p for p in BOARD.provinces if p.kind != "impassable"]
    kinds = [p.kind for p in playable]
    assert (len(playable), len(BOARD.centers)) == (75, 34)
    assert (kinds.count("sea"), kinds.count("land"), kinds.count("coast")) == (19, 14, 42)


def test_an_army_goes_over_land_and_a_fleet_along_its_coast():
    rome, venice = BOARD.place("Rome"), BOARD.province("Venice")
    assert BOARD.arrivals("A", rome, venice)
    assert not BOARD.arrivals("F", rome, venice)


def test_liverpool_touches_the_north_atlantic_and_clyde_not_the_irish_sea():
    assert BOARD.arrivals("F", BOARD.place("Liverpool"), BOARD.province("North Atlantic Ocean"))
    assert not BOARD.arrivals("F", BOARD.place("Clyde"), BOARD.province("Irish Sea"))


def test_a_fleet_reaches_the_coasts_it_can():
    assert names(BOARD.arrivals("F", BOARD.place("Portugal"), BOARD.province("Spain"))) == {
        "Spain(nc)",
        "Spain(sc)",
    }
    assert names(BOARD.arrivals("F", BOARD.place("Gascony"), BOARD.province("Spain"))) == {
        "Spain(nc)"
    }
    assert not BOARD.arrivals("F", BOARD.place("Spain(nc)"), BOARD.province("Gulf of Lyon"))


def test_every_border_can_be_passed_both_ways():
    for start in BOARD.locations:
        for kind in ("A", "F"):
            for end in BOARD.steps(kind, start):
                assert start in BOARD.steps(kind, end), (start, end)


def test_armies_never_stand_at_sea_and_fleets_never_inland():
    for place in BOARD.locations:
        steps = BOARD.steps("A", place)
        assert not steps or place.province.kind in ("land", "coast")
        assert all(BOARD.can_stand("A", end) for end in steps)
        assert all(BOARD.can_stand("F", end) for end in BOARD.steps("F", place))


def test_switzerland_touches_nothing():
    switzerland = BOARD.province("Switzerland")
    assert BOARD.neighbours[switzerland.index] == ()
    assert not BOARD.can_stand("A", BOARD.location(switzerland))


def test_all_provinces_hang_together():
    seen, queue = {BOARD.province("Paris").index}, deque([BOARD.province("Paris").index])
    while queue:
        for neighbour in BOARD.neighbours[queue.popleft()]:
            if neighbour not in seen:
                seen.add(neighbour)
                queue.append(neighbour)
    assert len(seen) == 75


@each_row("text", ["Spain(nc)", "spa/nc", "SPAIN (N.C.)", " spain(nc) "])
def test_a_place_is_found_by_any_of_its_exact_spellings(text: str):
    assert str(BOARD.place(text)) == "Spain(nc)"


@each_row("text", ["Spain(wc)", "Atlantis", "", "Paris(nc)"])
def test_an_unknown_place_is_refused_in_a_sentence(text: str):
    with pytest.raises(UnknownName, match=r"^There is no .*\.$"):
        BOARD.place(text)


def test_a_unit_of_no_kind_goes_and_stands_nowhere():
    paris = BOARD.place("Paris")
    assert BOARD.steps("A", paris)
    assert BOARD.steps("", paris) == BOARD.arrivals("", paris, BOARD.province("bur")) == ()
    assert BOARD.reach("", paris) == 0
    assert not BOARD.can_stand("", BOARD.place("Brest"))


def test_places_in_which_a_fleet_may_stand():
    assert names(BOARD.fleet_places(BOARD.province("St Petersburg"))) == {
        "St Petersburg(nc)",
        "St Petersburg(sc)",
    }
    assert names(BOARD.fleet_places(BOARD.province("Brest"))) == {"Brest"}
    assert names(BOARD.fleet_places(BOARD.province("Paris"))) == set()


def test_bits_and_masks_are_inverse():
    assert list(bits(mask_of([0, 3, 75]))) == [0, 3, 75]


def test_an_edit_adds_borders_and_convoying_coasts_to_a_new_board():
    changed = apply_edits(
        BOARD, {"convoyable_coasts_add": ["Sweden"], "fleet_borders_add": [["Berlin", "Denmark"]]}
    )
    assert changed.province("Sweden").convoys
    assert not BOARD.province("Sweden").convoys
    assert changed.arrivals("F", changed.place("Berlin"), changed.province("Denmark"))
    assert not BOARD.arrivals("F", BOARD.place("Berlin"), BOARD.province("Denmark"))


@each_row(
    ("edits", "wrong"),
    [
        ({"army_borders_add": [["Paris", "Atlantis"]]}, "Atlantis"),
        ({"army_borders_add": [["Paris"]]}, "two places"),
        ({"army_border_add": "Paris"}, "no edit “army_border_add”; there are army_borders_add, "),
        ({"army_borders_add": "Paris"}, "needs a list"),
        ({"mountains_add": []}, "mountains_add"),
    ],
)
def test_an_edit_that_makes_no_sense_is_refused(edits: dict, wrong: str):
    with pytest.raises(BoardError, match=wrong):
        apply_edits(BOARD, edits)


def test_a_border_to_nowhere_is_refused_when_the_map_is_loaded():
    with pytest.raises(BoardError, match="xyz"):
        Board(BOARD.provinces, [*BOARD.borders, type(BOARD.borders[0])("par", "xyz", "A")])


def test_each_variant_is_a_folder_whose_description_is_json():
    for folder in DATA.iterdir():
        if folder.is_dir() and not folder.name.startswith("_"):
            assert json.loads((folder / "variant.json").read_text("utf-8"))["title"]
