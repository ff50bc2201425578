"""Whoever writes a variant is told what makes no sense in its files, and where."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge import (
    Game,
    JudgeError,
    Position,
    UnknownVariant,
    Variant,
    VariantError,
    all_power_names,
    load_variant,
    variant_files,
)

PAGE = Path(__file__).parents[2] / "docs" / "judge.md"
FILES = dict(re.findall(r"`(\w+\.\w+)`:\n\n```\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))
FACTS = json.loads(FILES["variant.json"])

Load = Callable[[dict[str, str]], Variant]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Loads the variant of the page with some of its files in another wording."""
    monkeypatch.setattr(variant_files, "DATA", tmp_path)
    # Boards are remembered by their folders, so every test has one of its own.
    folder = tmp_path / re.sub(r"\W", "_", tmp_path.name)
    folder.mkdir()

    def written(files: dict[str, str]) -> Variant:
        facts = json.dumps({**FACTS, "board": folder.name})
        for name, text in {**FILES, "variant.json": facts, **files}.items():
            (folder / name).write_text(text.replace('"islands"', f'"{folder.name}"'), "utf-8")
        return load_variant(folder.name)

    return written


def changed(facts: dict[str, Any], change: dict[str, Any]) -> str:
    """Return the facts as JSON, None taking a field away."""
    together = {**facts, **change}
    return json.dumps({key: value for key, value in together.items() if value is not None})


def north(**change: Any) -> dict[str, Any]:
    power = json.loads(changed(FACTS["powers"]["North"], change))
    return {"powers": {**FACTS["powers"], "North": power}}


def test_the_variant_of_the_page_is_loaded(load: Load) -> None:
    assert Position.start(load({})).units_of("North")[0].name == "A Alpha"


def test_blanks_in_a_table_and_what_is_left_out_at_its_end_change_nothing(load: Load) -> None:
    table = FILES["provinces.csv"].replace("mid,Middle Sea,sea,,", "mid, Middle Sea , sea")
    assert load({"provinces.csv": table}).board.province("Middle Sea").kind == "sea"


def test_a_province_without_a_line_in_names_txt_has_an_abbreviation(load: Load) -> None:
    assert load({}).board.province("Alpha").abbreviations == ("Alp",)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"title": None}, "lacks “title”"),
        ({"removal": "owned"}, "has a field “removal”"),
        ({"builds": "anywhere"}, "“anywhere” must be “home” or “owned”"),
        ({"removals": "all"}, "“all” must be “home” or “owned”"),
        ({"victory_centers": "3"}, "must be a number"),
        ({"victory_centers": 4}, "must be from 1 to 3"),
        ({"board": "atlantis"}, "There is no atlantis/provinces.csv"),
        ({"first_phase": "X1"}, "“X1” is not a phase"),
        ({"calendar": {"spring": 1}}, "makes no sense"),
        ({"centers_add": ["xyz"]}, "names “xyz”"),
        ({"canals": [{"id": "SC", "name": "Canal", "ends": ["mid", "sou"]}]}, "'keeper'"),
        ({"powers": ["North"]}, "powers .* must be an object"),
        (north(adjective=None), "North in .* lacks “adjective”"),
        (north(home=["xyz"]), "There is no province “xyz”"),
        (north(home=["mid"]), "begins with Middle Sea, which is not a centre"),
        (north(home=["bet"]), "begins with Beta, which is taken"),
        (north(units=["A bet"]), "begins with Beta, which is taken"),
        (north(units=["A mid"]), "North cannot begin with “A mid”"),
        (north(units=["F gam"]), "North cannot begin with “F gam”"),
        (north(units=["F bet"]), "North cannot begin with “F bet”"),
        (north(units=["X alp"]), "North cannot begin with “X alp”"),
        (
            {"map_options": {"bridge": {"about": "it", "default": "no", "choices": {"yes": {}}}}},
            "“no” must be “yes”",
        ),
        (
            {
                "map_options": {
                    "bridge": {
                        "about": "it",
                        "default": "yes",
                        "choices": {"yes": {"text": "one", "add": [["alp", "xyz"]]}},
                    }
                }
            },
            "bridge .* names “xyz”",
        ),
    ],
)
def test_a_fact_that_makes_no_sense_is_named(load: Load, change: dict[str, Any], told: str) -> None:
    with pytest.raises(VariantError, match=told):
        load({"variant.json": changed(FACTS, change)})


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("variant.json", "{", "", r"variant\.json is not JSON"),
        ("provinces.csv", "land", "mountain", r"line 4 of .*provinces\.csv: “mountain” must be"),
        ("provinces.csv", ",,yes", ",,Yes", "line 2 .* “Yes” must be nothing or “yes”"),
        ("provinces.csv", "nc sc", "north south", "“north” must be “nc”"),
        ("provinces.csv", "id,name,kind,coasts,center", "id,name", "lacks the column “kind”"),
        ("provinces.csv", FILES["provinces.csv"], "", "lacks the column “id”"),
        ("provinces.csv", "gam,Gamma", "alp,Gamma", "has “alp”, twice"),
        ("provinces.csv", "gam,Gamma,land,,yes", "gam,Gamma,land,,yes,,,", "more cells"),
        ("borders.csv", "alp,gam,A", "alp,xyz,A", "names xyz, which is not a place"),
        ("borders.csv", "alp,gam,A", "alp,gam,FA", "alp - gam .*: “FA” must be"),
        ("borders.csv", "alp,gam,A", "alp,gam,F", "lets fleets pass, but none .* in gam"),
        ("borders.csv", "alp,mid,F", "alp,mid,AF", "lets armies pass, but none .* in mid"),
        ("borders.csv", "alp,bet/nc,F", "alp,bet,F", "must name a coast: bet/nc or bet/sc"),
        ("borders.csv", "alp,bet/nc,F", "alp,bet/nc,AF", "none can stand in bet/nc"),
        ("borders.csv", "alp,gam,A", "alp,gam,A\ngam,alp,A", "gam - alp .* is there twice"),
        ("borders.csv", "alp,gam,A", "alp,alp,A", "leads back to where it begins"),
        ("borders.csv", "bet/sc,sou,F\nmid,sou,F\n", "", "no border of “sou”"),
    ],
)
def test_a_line_that_makes_no_sense_is_named(
    load: Load, file: str, old: str, new: str, told: str
) -> None:
    text = changed(FACTS, {}) if file == "variant.json" else FILES[file]
    assert old in text
    with pytest.raises(VariantError, match=told):
        load({file: text.replace(old, new, 1)})


def test_a_variant_that_makes_no_sense_stops_no_other(load: Load, tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "variant.json").write_text('{"title": "Odd"')
    assert load({}).powers == ("North", "South")
    assert all_power_names() == {"North", "South"}
    with pytest.raises(VariantError):
        load_variant("odd")


def test_a_file_that_is_missing_or_no_text_is_named(load: Load, tmp_path: Path) -> None:
    with pytest.raises(VariantError, match=r"There is no gone/provinces\.csv"):
        variant_files.board_of(tmp_path / "gone", 0, ())
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "provinces.csv").write_bytes(b"id,name\n\xff")
    with pytest.raises(VariantError, match=r"odd/provinces\.csv is not in UTF-8"):
        variant_files.board_of(tmp_path / "odd", 0, ())


@pytest.fixture
def islands(tmp_path: Path) -> Path:
    """The variant of the page in a folder of somebody's own, under a name that no other test loads.

    What was loaded once by its name is kept to the end of the process.
    """
    folder = tmp_path / "isles"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text.replace('"islands"', '"isles"'), "utf-8")
    return folder


def test_a_folder_of_ones_own_is_played_saved_and_sent_to_other_processes(islands: Path) -> None:
    game = Game(islands)
    game.order("North", "A Alp - Gam")
    assert game.process()["A Alpha"].result == ("succeeds",)
    game.save(islands / "game.json")
    assert Game.load(islands / "game.json", islands).position == game.position
    assert pickle.loads(pickle.dumps(game.position)).variant is load_variant(islands)
    with pytest.raises(UnknownVariant, match="no variant 'isles'"):
        Game.load(islands / "game.json")
    with pytest.raises(JudgeError, match="one of “isles”, not of “standard”"):
        Game.load(islands / "game.json", "standard")


def test_a_folder_of_ones_own_may_have_one_of_our_boards(islands: Path) -> None:
    powers = {"North": {"adjective": "Northern", "home": ["lon"], "units": ["A lon"]}}
    own = {**FACTS, "board": "standard", "powers": powers}
    for file in islands.iterdir():
        file.unlink()
    (islands / "variant.json").write_text(json.dumps(own), "utf-8")
    assert load_variant(islands).board is load_variant("standard").board


def test_the_door_knows_the_variants_in_the_folders_it_is_given(islands: Path) -> None:
    start = {"variant": "isles", **Position.start(islands).to_state()}
    lines = [start | {"orders": {"North": ["A Alp - Gam"]}}, {"list": "variants"}]
    command = [sys.executable, "-m", "judge", str(islands)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    moved, listed = map(json.loads, done.stdout.splitlines())
    assert moved["next"]["units"]["North"] == ["A Gamma"]
    assert {"isles", "standard"} <= {one["name"] for one in listed["variants"]}


def test_a_folder_without_a_variant_ends_the_door_with_a_sentence(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    command = [sys.executable, "-m", "judge", str(nowhere)]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"There is no folder {nowhere}.\n")
    nowhere.mkdir()
    with pytest.raises(VariantError, match=r"^There is no nowhere/variant\.json\.$"):
        load_variant(nowhere)
