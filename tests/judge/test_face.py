"""The face of the package: units, orders and results by name, values that behave like values."""

from __future__ import annotations

import pickle
from random import Random

import pytest

import judge
from benchmarks.random_games import crowd_together, random_orders
from judge import (
    Game,
    JudgeError,
    Position,
    Rulebook,
    UnknownName,
    adjudicate,
    load_variant,
    may_be_orders,
    parse_order,
    power_named,
    province_named,
)
from tests.judge.table import play, stand
from tests.rows import each_row

STANDARD = load_variant("standard")
START = Position.start(STANDARD)
ORDERS = {"Austria": ["A Vie - Gal"], "Russia": ["A War - Gal", "F Sev - Rum"]}


def test_what_is_offered_is_there():
    for name in judge.__all__:
        assert getattr(judge, name) is not None
    assert len(set(judge.__all__)) == len(judge.__all__)


# Positions.


@each_row("name", ["Paris", "par", "PAR", " paris "])
def test_a_unit_is_found_by_its_province(name: str):
    assert str(START[name]) == "A Paris"
    assert START["Burgundy"] is None


def test_a_unit_is_found_by_the_values_that_the_judge_returns():
    for unit in START.units:
        assert START[unit.location] is START[unit.location.province] is unit
        assert START[str(unit.location)] is START[str(unit.location.province)] is unit


@each_row("name", ["Atlantis", "Liv", "", "(nc)"])
def test_a_province_that_is_none_or_two_is_an_error(name: str):
    with pytest.raises(UnknownName, match=r"province|may be Livonia or Liverpool"):
        START[name]


@each_row(
    ("written", "name"),
    [
        ("A Paris", "A Paris"),
        ("a par", "A Paris"),
        ("Paris", "A Paris"),
        ("F St Petersburg(sc)", "F St Petersburg(sc)"),
        ("F StP", "F St Petersburg(sc)"),
        ("f stp/sc", "F St Petersburg(sc)"),
        ("Army Paris", "A Paris"),
        ("fleet StP (sc)", "F St Petersburg(sc)"),
    ],
)
def test_a_unit_is_found_by_its_name(written: str, name: str):
    assert START.unit(written).name == name


@pytest.mark.parametrize("name", ["F Paris", "A Burgundy", "A"])
def test_a_unit_that_is_not_there_is_an_error(name: str):
    with pytest.raises(UnknownName):
        START.unit(name)


def test_a_dislodged_unit_is_found_before_the_one_that_took_its_place():
    leaving = {"power": "France", "unit": "A Paris", "retreats": ["Picardy"]}
    position = stand({"Germany": ["A Paris"]}, phase="S1901R", dislodged=[leaving])
    assert position.unit("A Paris").power == "France"
    assert position["Paris"].power == "Germany"
    outcome = play(position, {"France": ["A Par - Pic"]})
    assert outcome["A Paris"].result == ("succeeds",)


def test_a_position_prints_what_stands_where():
    leaving = {"power": "France", "unit": "A Paris", "retreats": ["Picardy", "Gascony"]}
    position = stand(
        {"Germany": ["A Paris", "F Kiel"]},
        phase="F1901R",
        centers={"Germany": ["Kiel"], "France": ["Brest"]},
        dislodged=[leaving],
    )
    assert str(position) == (
        "Fall 1901 retreats\n"
        "France: no units; 1 centre\n"
        "Germany: A Paris, F Kiel; 1 centre\n"
        "France: A Paris is dislodged and may retreat to Picardy or Gascony"
    )
    assert repr(position) == "<Position F1901R of Standard: 2 units>"


def test_positions_are_equal_whatever_the_order_of_their_units():
    one = stand(
        {"France": ["A Paris", "F Brest"], "Italy": ["A Rome"]}, centers={"Italy": ["Rome"]}
    )
    other = stand(
        {"Italy": ["A Rome"], "France": ["F Brest", "A Paris"]}, centers={"Italy": ["Rome"]}
    )
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1
    assert one != stand({"France": ["A Paris", "F Brest"], "Italy": ["A Rome"]})
    assert one != stand({"France": ["A Paris", "F Brest"], "Turkey": ["A Rome"]})
    assert one != "one"


def test_positions_on_an_edited_map_are_others():
    edited = STANDARD.edited({"army_borders_add": [["Naples", "Tunis"]]})
    assert Position.start(edited) != START
    assert Position.start(STANDARD.edited({})) == START


# Outcomes.


def test_a_result_is_found_by_the_unit():
    outcome = adjudicate(START, ORDERS)
    assert outcome["A Warsaw"].reason == "Bounced with A Vienna - Galicia."
    assert outcome["sev"].result == ("succeeds",)
    assert outcome[START["Moscow"]].order == "A Moscow Holds"
    assert outcome.explain("A War")[0].startswith("A Warsaw - Galicia: fails.")


def test_the_order_that_counted_is_found_and_not_another_line_about_the_unit():
    lines = {"France": ["A Par - Mos", "A Par - Bur"], "Germany": ["A Par H"]}
    assert adjudicate(START, lines)["A Paris"].order == "A Paris - Burgundy"
    assert adjudicate(START, {"Germany": ["A Par H"]})["A Paris"].power == "France"


def test_a_unit_is_not_taken_for_one_whose_name_begins_like_its_own():
    where = {"Holland": ["F Java", "F Java Sea"]}
    orders = {"Holland": ["F Java Sea S F Java", "F Java - Timor Sea"]}
    moves = play(stand(where, phase="S1870M", variant="colonial"), orders)
    assert moves["F Java"].order == "F Java - Timor Sea"
    assert moves["F Java Sea"].order == "F Java Sea Supports F Java"
    leaving = [
        {"power": "Holland", "unit": "F Java Sea", "retreats": ["Borneo"]},
        {"power": "Holland", "unit": "F Java", "retreats": []},
    ]
    position = stand({}, phase="S1870R", variant="colonial", dislodged=leaving)
    retreats = play(position, {"Holland": ["F Java Sea - Borneo"]})
    assert retreats["F Java"].order == "Disband F Java"
    assert len(retreats.explain("F Java")) == 1


def test_builds_and_disbands_are_found_by_the_unit():
    winter = stand({"Italy": ["A Rome"]}, phase="W1901A", centers={"Italy": ["Rome", "Naples"]})
    built = play(winter, {"Italy": ["Build F Nap"]})
    assert built["F Naples"].order == "Build F Naples"
    for outcome in (built, pickle.loads(pickle.dumps(built))):
        assert outcome.explain("F Naples") == ("Build F Naples: succeeds.",)
        assert [outcome.explain(unit) for unit in outcome.next.units] == [
            (),
            ("Build F Naples: succeeds.",),
        ]
    winter = stand({"Italy": ["A Rome", "A Tunis"]}, phase="W1901A", centers={"Italy": ["Rome"]})
    assert play(winter, {})["A Tunis"].automatic


def test_what_became_of_a_unit_in_winter_is_one_sentence_or_two():
    owned = {"Italy": ["Rome"], "Turkey": ["Ankara"]}
    winter = stand(
        {"Italy": ["A Rome", "A Tunis"], "Turkey": ["A Ankara", "A Syria"]},
        phase="W1901A",
        centers=owned,
    )
    outcome = play(winter, {"Italy": ["Disband A Tunis"]})
    assert outcome.explain("A Tunis") == ("Disband A Tunis: succeeds.",)
    assert outcome.explain("A Rome") == ()
    (told,) = outcome.explain("A Syria")
    assert told.startswith("Disband A Syria: succeeds. ")
    assert told.endswith(".")


@pytest.mark.parametrize("unit", ["A Burgundy", "F Paris", "Atlantis"])
def test_what_is_no_unit_has_no_result_and_no_explanation(unit: str):
    outcome = adjudicate(START, ORDERS)
    with pytest.raises(UnknownName):
        outcome[unit]
    with pytest.raises(UnknownName):
        outcome.explain(unit)


def test_a_unit_of_another_position_has_no_explanation():
    stranger = stand({"France": ["A Burgundy"]}).units[0]
    with pytest.raises(UnknownName):
        adjudicate(START, ORDERS).explain(stranger)


def test_outcomes_and_positions_are_pickled():
    rng = Random(5)
    for _ in range(10):
        position = crowd_together(STANDARD, 12, rng)
        outcome = adjudicate(position, random_orders(position, rng, convoyed=0.9))
        again = pickle.loads(pickle.dumps(outcome))
        assert again == outcome
        assert again.results == outcome.results
        assert again.words == outcome.words
        assert again.next == outcome.next
        for unit in position.units:
            assert again.explain(unit) == outcome.explain(unit)
        assert pickle.loads(pickle.dumps(again)).results == outcome.results


def test_a_unit_pickles_alone_and_moves_on_the_map_of_its_position():
    position = Position.from_state(STANDARD, START.to_state())
    unit = position.unit("A Rome")
    adjudicate(position, {"Italy": ["A Rome - Apulia"]})
    assert b"Apulia" not in pickle.dumps(unit)
    assert pickle.loads(pickle.dumps(unit)) == unit
    edited = STANDARD.edited({"army_borders_add": [["Naples", "Tunis"]]})
    after = adjudicate(
        Position(edited, START.phase, (unit,), {}), {"Italy": ["A Rome - Apulia"]}
    ).next
    assert after.units[0].location is edited.board.location(edited.board.province("Apulia"))


def test_a_position_on_an_edited_map_is_pickled():
    edited = STANDARD.edited({"army_borders_add": [["Naples", "Tunis"]]})
    assert pickle.loads(pickle.dumps(Position.start(edited))) == Position.start(edited)


# Orders without a position.


@each_row(
    ("text", "order"),
    [
        ("A Par - Bur", "A Paris - Burgundy"),
        ("par h", "Paris Holds"),
        ("F Nth C A Lon - Nwy", "F North Sea Convoys A London - Norway"),
        ("A Mar S A Par - Bur", "A Marseilles Supports A Paris - Burgundy"),
        ("A Mar S Spa", "A Marseilles Supports Spain"),
        ("F Mao - Spa(nc)", "F Mid-Atlantic Ocean - Spain(nc)"),
        ("A Lon - Bel via convoy", "A London - Belgium via Convoy"),
        ("A Yor - Nth - Hol", "A Yorkshire - North Sea - Holland"),
        ("Build F StP(nc)", "Build F St Petersburg(nc)"),
        ("Remove A Par", "Disband A Paris"),
        ("Waive", "Waive"),
    ],
)
def test_an_order_is_read_without_a_position(text: str, order: str):
    assert str(parse_order(text)) == order


def test_an_order_read_without_a_position_can_be_given():
    orders = [parse_order("A Par - Bur"), parse_order("F Bre - Mao"), parse_order("Mar H")]
    outcome = adjudicate(START, {"France": orders})
    assert outcome["A Paris"].result == outcome["F Brest"].result == ("succeeds",)
    burgundy = outcome.next["Burgundy"]
    assert (burgundy.name, burgundy.power) == ("A Burgundy", "France")
    # A value is taken as it is; a letter that is missing is not repaired.
    assert outcome.results[2].result == ("illegal",)


def test_a_build_read_without_a_position_is_of_whoever_gives_it():
    owned = {"Italy": ["Rome", "Naples", "Venice"]}
    winter = stand({"Italy": ["A Rome"]}, phase="W1901A", centers=owned)
    orders = [parse_order("Build F Nap"), parse_order("Waive")]
    outcome = adjudicate(winter, {"Italy": orders})
    assert outcome.words == (("succeeds",), ("succeeds",))
    assert [(str(unit), unit.power) for unit in outcome.next.units] == [
        ("A Rome", "Italy"),
        ("F Naples", "Italy"),
    ]
    france = adjudicate(winter, {"France": orders[:1]}).results[0]
    assert france.reason == "Naples is not a home centre of France."


def test_a_retreat_read_without_a_position_can_be_given():
    leaving = {"power": "France", "unit": "A Paris", "retreats": ["Picardy"]}
    position = stand({"Germany": ["A Paris"]}, phase="S1901R", dislodged=[leaving])
    outcome = adjudicate(position, {"France": [parse_order("A Par - Pic")]})
    assert [str(unit) for unit in outcome.next.units_of("France")] == ["A Picardy"]


@each_row(
    "text", ["", "A Par", "A Par - Oz", "A Mos - Liv", "A Par - Bur; A Mar H", "A Par - Bugrundy"]
)
def test_what_the_text_alone_does_not_say_is_an_error(text: str):
    with pytest.raises(JudgeError):
        parse_order(text)


def test_orders_are_read_on_the_map_of_a_variant():
    assert str(parse_order("A Par - Bur", load_variant("chaos"))) == "A Paris - Burgundy"


def test_a_unit_whose_orders_are_all_illegal_is_answered_with_the_first_of_them():
    outcome = adjudicate(START, {"France": ["A Par - Mos", "A Par - Mun", "A Mar - Spa"]})
    assert outcome["A Paris"] == outcome.results[0]
    assert outcome["A Paris"].result == ("illegal",)
    first, second, held = outcome.explain("A Paris")
    assert first.startswith("A Paris - Moscow: illegal. A Paris cannot reach Moscow.")
    assert second.startswith("A Paris - Munich: illegal. A Paris cannot reach Munich.")
    assert held == "A Paris Holds: stands."
    assert outcome.explain("A Marseilles") == ("A Marseilles - Spain: succeeds.",)


def test_a_unit_without_legal_retreat_is_told_why():
    leaving = {"power": "France", "unit": "A Paris", "retreats": ["Picardy"]}
    position = stand({"Germany": ["A Paris"]}, phase="S1901R", dislodged=[leaving])
    outcome = adjudicate(position, {"France": ["A Paris - Gascony"]})
    assert outcome["A Paris"].reason == outcome.results[0].reason
    assert "may not retreat to Gascony" in str(outcome["A Paris"].reason)


# Names.


def test_provinces_and_powers_are_found_by_what_they_are_called():
    assert province_named(STANDARD, "gulf of lyon").name == "Gulf of Lyon"
    assert province_named(STANDARD, "nth").name == "North Sea"
    assert power_named(STANDARD, "German") == "Germany"
    assert province_named("standard", "nth") == province_named(STANDARD, "nth")
    assert power_named("standard", "German") == "Germany"
    assert may_be_orders("Fleet Nth - Den", "standard")
    with pytest.raises(UnknownName):
        power_named(STANDARD, "Burgundy")


def test_there_is_one_kind_of_error():
    wrong = [
        lambda: load_variant("mars"),
        lambda: Rulebook.named("1066"),
        lambda: Rulebook.from_json({"4.A.2": "Kant"}),
        lambda: Position.from_state(STANDARD, {"phase": "X"}),
        lambda: Position.from_state(STANDARD, {"phase": "S1901M", "units": {"France": ["A Oz"]}}),
        lambda: judge.Phase.parse("never"),
        lambda: STANDARD.edited({"army_borders_add": [["Oz", "Tunis"]]}),
        lambda: adjudicate(START, {"Burgundy": []}),
        lambda: adjudicate(START, {"France": "A Par - Bur"}),
        lambda: judge.read_orders(START, "Burgundy", []),
        lambda: judge.read_orders(START, "France", "A Par - Bur"),
        lambda: Rulebook(convoy_paradoxes="Kant"),  # type: ignore[arg-type]
        lambda: STANDARD.home_centers("Burgundy"),
        lambda: STANDARD.adjective("Burgundy"),
        lambda: START.adjustment("Burgundy"),
        lambda: START.build_sites("Burgundy"),
        lambda: START.units_of("Burgundy"),
        lambda: START.centers_of("Burgundy"),
        lambda: START.dislodged_of("Burgundy"),
        lambda: START.orderable("Burgundy"),
        lambda: Position.start(load_variant("chaos")).build_sites("France"),
        lambda: adjudicate(START, {"France": None}),  # type: ignore[dict-item]
        lambda: adjudicate(START, {"France": {"A Par - Bur"}}),  # type: ignore[dict-item]
        lambda: judge.read_orders(START, "France", None),  # type: ignore[arg-type]
        lambda: adjudicate(START, {"France": [3]}),  # type: ignore[list-item]
        lambda: adjudicate(START, {"France": ["A Par - Bur", None]}),  # type: ignore[list-item]
        lambda: adjudicate(START, {"France": ["A Par - Bur", ["A Mar H"]]}),  # type: ignore[list-item]
        lambda: judge.illegality("A Par H", START, "France"),  # type: ignore[arg-type]
        lambda: adjudicate(START, {}, "2000"),  # type: ignore[arg-type]
        lambda: adjudicate(START, []),  # type: ignore[arg-type]
        lambda: judge.read_orders(START, "France", [], "2000"),  # type: ignore[arg-type]
        lambda: judge.legal_orders(START, "2000"),  # type: ignore[arg-type]
        lambda: Position.start("mars"),
        lambda: Position.from_state("mars", {}),
        lambda: STANDARD.board.province("Oz"),
        lambda: STANDARD.board.place("Spain(wc)"),
        lambda: load_variant([]),  # type: ignore[arg-type]
        lambda: START[3],  # type: ignore[index]
        lambda: START.unit(3),  # type: ignore[arg-type]
        lambda: adjudicate(START, {})[3],  # type: ignore[index]
        lambda: adjudicate("standard", {}),  # type: ignore[arg-type]
        lambda: Position.from_state(STANDARD, "S1901M"),  # type: ignore[arg-type]
        lambda: judge.Phase.parse(1901),  # type: ignore[arg-type]
        lambda: judge.parse_order("standard", "A Par - Bur"),
        lambda: judge.parse_order(3),  # type: ignore[arg-type]
        lambda: judge.legal_orders(START.to_state()),  # type: ignore[arg-type]
        lambda: judge.legal_orders(START, only="Burgundy"),
        lambda: adjudicate(START, {"FRANCE": [], "France": []}),
        lambda: Game(rules=3),  # type: ignore[arg-type]
        lambda: Game(position=START.to_state()),  # type: ignore[arg-type]
        lambda: Game().order(3, "A Par H"),  # type: ignore[arg-type]
        lambda: Position.from_state("standard", {"phase": "S1901M", "unit": {}}),
        lambda: Position.from_state("standard", {"phase": "W1901A", "centres": {}}),
    ]
    for call in wrong:
        with pytest.raises(JudgeError) as raised:
            call()
        assert str(raised.value).endswith((".", ":", "?"))
        assert len(str(raised.value)) < 400


@each_row("name", ["FRANCE", "france", "France"])
def test_a_power_is_known_in_upper_and_lower_case(name: str):
    """Other programs write FRANCE, also where they save a game."""
    wrote = adjudicate(START, {name: ["A Par - Bur"]})
    assert (wrote["A Paris"].power, wrote["A Paris"].result) == ("France", ("succeeds",))
    assert judge.read_orders(START, name, ["A Par - Bur"])[0].problem is None
    assert judge.legal_orders(START, only=name).keys() == {"France"}
    assert START.units_of(name) == START.units_of("France") != ()
    assert START.centers_of(name) == ("Brest", "Marseilles", "Paris")
    winter = stand({}, phase="W1901A", centers={"France": ["Paris"]})
    assert winter.adjustment(name) == len(winter.build_sites(name)) == 1
    assert STANDARD.adjective(name) == "French"


def test_a_unit_of_the_other_kind_is_named_to_whoever_asks():
    with pytest.raises(UnknownName, match=r"^There is no unit “F Par”; A Paris stands there\.$"):
        START.unit("F Par")


def test_a_variant_may_be_given_by_name():
    assert Position.start("standard") == START
    assert Position.from_state("standard", START.to_state()) == START
    assert load_variant(STANDARD) is STANDARD
    assert str(judge.parse_order("A Mos - TSR - Vla", "colonial")) == "A Moscow - TSR - Vladivostok"
    assert judge.reads_as_orders("A Par - Bur", "chaos")


@pytest.mark.parametrize("value", [START, adjudicate(START, {})])
def test_what_is_asked_by_name_is_not_counted_through_by_index(value: object):
    with pytest.raises(TypeError, match="not iterable"):
        list(value)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="not iterable"):
        assert "Paris" in value  # type: ignore[operator]


@each_row(
    ("value", "shown"),
    [
        (START["Paris"], "<Unit: A Paris (France)>"),
        (judge.parse_order("F StP(sc) - Bot"), "<Move: F St Petersburg(sc) - Gulf of Bothnia>"),
        (judge.parse_order("Disband A Par"), "<Disband: Disband A Paris>"),
        (judge.Waive("France"), "<Waive: Waive>"),
        (STANDARD.board.place("spa/nc"), "<Location: Spain(nc)>"),
        (STANDARD.board.province("par"), "<Province: Paris>"),
        (STANDARD, "<Variant standard>"),
        (Rulebook.named("1982"), "<Rulebook 1982>"),
        (
            Rulebook.from_json({"4.A.2": "1982", "4.A.7": "a"}),
            "<Rulebook DATC, but 4.A.2 1982, 4.A.7 a>",
        ),
    ],
)
def test_a_python_session_shows_values_as_people_write_them(value: object, shown: str):
    assert repr(value) == shown


# Games.


def test_a_game_goes_forth_and_back():
    game = Game()
    game.order("france", "A Par - Bur", parse_order("F Bre - Mao"))
    outcome = game.process()
    assert outcome["A Paris"].result == ("succeeds",)
    assert str(game.position.phase) == "F1901M"
    game.order("France", "A Bur - Bel")
    game.order("France", "A Bur - Mun")
    game.process()
    assert len(game.history) == 2
    undone = game.undo()
    assert str(undone.position.phase) == "F1901M"
    assert game.orders == {"France": ("A Bur - Mun",)}
    assert game.position["Burgundy"].power == "France"
    game.undo()
    assert game.position == START
    with pytest.raises(JudgeError):
        game.undo()


def test_a_game_is_saved_and_loaded(tmp_path):
    game, rng = Game(rules=Rulebook.named("2000")), Random(3)
    for _ in range(12):
        for power, orders in random_orders(game.position, rng).items():
            game.order(power, *orders)
        game.process()
    game.order("France", "A Par H")
    game.save(tmp_path / "game.json")
    again = Game.load(tmp_path / "game.json")
    assert again.position == game.position
    assert again.orders == game.orders
    assert again.rules == game.rules
    assert [turn.orders for turn in again.history] == [turn.orders for turn in game.history]
    assert again.to_json() == game.to_json()


def test_a_saved_game_that_leads_elsewhere_is_refused(tmp_path):
    game = Game()
    game.order("France", "A Par - Bur")
    game.process()
    saved = game.to_json()
    saved["turns"][0]["orders"]["France"] = ["A Par - Pic"]
    with pytest.raises(JudgeError, match="S1901M"):
        Game.from_json(saved)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"variant": "standard", "rules": "DATC"}'])
def test_what_is_no_saved_game_is_refused(text: str, tmp_path):
    (tmp_path / "game.json").write_text(text)
    with pytest.raises(JudgeError):
        Game.load(tmp_path / "game.json")


@each_row("orders", ["A Par - Bur", 3, [3], [["A Par - Bur"]]])
def test_saved_orders_that_are_no_list_of_lines_are_refused(orders: object):
    saved = {**Game().to_json(), "orders": {"France": orders}}
    with pytest.raises(JudgeError, match=r"France must be a list|is not an order"):
        Game.from_json(saved)


def test_orders_are_handed_in_one_by_one_and_not_as_a_list():
    with pytest.raises(JudgeError, match="by itself"):
        Game().order("France", ["A Par - Bur"])  # type: ignore[arg-type]


@pytest.mark.parametrize("data", [b"\xff\xfe", b"[" * 100_000])
def test_a_file_that_is_no_text_or_nested_too_deeply_is_refused(data: bytes, tmp_path):
    (tmp_path / "game.json").write_bytes(data)
    with pytest.raises(JudgeError, match="is not a saved game"):
        Game.load(tmp_path / "game.json")


def test_a_game_on_a_map_that_players_chose_is_saved_and_loaded():
    chosen = load_variant("colonial").with_options({"land_bridges": "hawes"})
    again = Game.from_json(Game(chosen).to_json())
    assert again.variant.has_map_of(chosen)
    assert again.variant.differs == chosen.differs


def test_a_game_on_an_edited_map_is_not_saved_as_one_on_another():
    edited = STANDARD.edited({"army_borders_add": [["Naples", "Tunis"]]})
    with pytest.raises(JudgeError, match="edited map"):
        Game(edited).to_json()


def test_a_game_begins_on_its_own_map():
    loeb9 = load_variant("loeb9")
    fall = Position.from_state(loeb9, {"phase": "F1901M", "units": {"Norway": ["A Norway"]}})
    assert Game("loeb9", position=fall).position == fall
    with pytest.raises(JudgeError, match="is one of “loeb9”, and “standard” is played"):
        Game(position=fall)


def test_a_game_shows_how_far_it_is():
    game = Game()
    game.process()
    assert repr(game) == "<Game of Standard in F1901M>"


def test_a_game_that_is_won_goes_no_further():
    centers = {"France": [center.name for center in STANDARD.board.centers][:18]}
    game = Game(position=stand({"France": ["A Paris"]}, phase="F1901M", centers=centers))
    game.process()
    assert game.winner == "France"
    with pytest.raises(JudgeError, match="France has won"):
        game.process()
