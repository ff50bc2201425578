"""What people really type: on phones, in a hurry, pasted from other systems and from chats."""

from __future__ import annotations

import pytest

from judge.position import Position
from judge.text.read import Reading, read_orders
from judge.variants import load_variant
from tests.rows import each_row

WHERE = Position.from_state(
    load_variant("standard"),
    {
        "phase": "S1902M",
        "units": {
            "France": ["A Paris", "A Marseilles", "F Brest", "F Mid-Atlantic Ocean", "A Spain"],
            "England": ["F North Sea", "A London"],
            "Germany": ["A Munich", "F Kiel", "A Ruhr"],
        },
    },
)


def read(line: str, power: str = "France") -> tuple[Reading, ...]:
    return read_orders(WHERE, power, [line])


def orders(line: str, power: str = "France") -> list[str]:
    readings = read(line, power)
    assert all(reading.counts for reading in readings), readings
    return [str(reading.order) for reading in readings]


@each_row(
    "line",
    """
A Par - Bur
a par-bur
par bur
par>bur
PARIS BURGUNDY
A PAR MOVE BUR
A Par 2 Bur
Army Paris two Bur
Army 1 Paris - Bur
Army 1: Paris - Bur
1st Army Paris - Burgundy
I'm moving A Par - Bur
so um army Paris goes to Burgundy
the army goes from Paris to Burgundy
Paris (army): Burgundy
A Par to to Bur
A Par - - Bur
A Par–>Bur
A Par ==> Bur
A Par x Bur
A Par × Bur
A Par dash Bur
A Par ー Bur
kindly A Par - Bur full stop
A Par - Bur, as agreed with Germany
A Par - Bur, of course
Par: army - Bur
A Par~>Bur
A Par ⟶ Bur
A Par ➤ Bur
A Par 👉 Bur
A Par › Bur
A Par_Bur
A Par -&gt; Bur
APar-Bur
Par A - Bur
Paris army to Burgundy
Paris (A) - Burgundy
(A) Par - Bur
A(Par)-Bur
A "Par" - "Bur"
"A Par - Bur"
“A Par - Bur”
Army [Paris] -> [Burgundy]
Army at Paris goes to Burgundy
**A Par - Bur**
`A Par - Bur`
| A Par | Bur |
1 A Par - Bur
1 - A Par - Bur
#1 A Par - Bur
i) A Par - Bur
a. A Par - Bur
Order 1: A Par - Bur
(France) A Par - Bur
France: A Par - Bur
France - A Par - Bur
FRANCE A PAR-BUR
French Army Paris to Burgundy
France's army in Paris to Burgundy
FRA AMY PAR MTO BUR
A Par: Bur
Paris: move to Burgundy
Army Paris: Move to Burgundy
Move to Burgundy from Paris
I order A Par to Bur
My orders: A Par - Bur
I would like my army in Paris to move to Burgundy
Please move my army in Paris to Burgundy
My army in Paris shall move to Burgundy
A Par - Bur // bounce Germany
A Par - Bur # comment
A Par - Bur (S by A Mar)
A Par - Bur ;-)
A Par - Bur :)
A Par - Bur 👍
A Paris to Burgandy
A Pariss to Burgunday
A Prais - Bur
A Parsi - Burgund
A Par mvoes to Bur
A Par atacks Bur
""".strip().split("\n"),
)
def test_paris_moves_to_burgundy_however_it_is_typed(line):
    assert orders(line) == ["A Paris - Burgundy"]


@each_row(
    "line",
    """
A Mar S A Par->Bur
A Mar s par-bur
A Mar supports A Par into Bur
A Mar supporting Paris to Burgundy
A Mar S Paris's attack on Burgundy
A Mar suports A Par - Bur
A Mar support move to Burgundy from Paris
Marseilles supports Paris -> Burgundy
Marseilles: support Paris to Burgundy
A Mar S (A Par - Bur)
A Mar S French A Par - Bur
A MAR S PAR BUR
Mar = S Par - Bur
A Mar - supports A Par - Bur
""".strip().split("\n"),
)
def test_marseilles_supports_paris_however_it_is_typed(line):
    assert orders(line) == ["A Marseilles Supports A Paris - Burgundy"]


@each_row(
    "line",
    """
A Mar S A Spa
A Mar S Spain
A Mar S A Spa H
A Mar S A Spa (hold)
A Mar supports Spain holding
A Mar support hold to Spain
A Mar support hold A Spa
A Mar S hold A Spa
A Mar supports my army in Spain to hold
A Mar supports Spain in place
A Mar S A Spa where it is
""".strip().split("\n"),
)
def test_a_support_to_hold_however_it_is_typed(line):
    assert orders(line) == ["A Marseilles Supports A Spain"]


@each_row(
    "line",
    """
A Par H
A Par: hold
A Par = hold
Hold Paris
A Par hodls
A Par heald
A Par stays put
A Par holds its position
A Par remains where it is
A Par stays at home
A Par waits
A Par rests
A Par is to hold
A Par H, please
A Par no move
A Par - not moving
Army Paris: does nothing
A Par doesn't move
Paris does not move
""".strip().split("\n"),
)
def test_paris_holds_however_it_is_typed(line):
    assert orders(line) == ["A Paris Holds"]


@each_row(
    "coast",
    """
Spa nc
Spain-NC
Spain N/C
Spain (N)
NC Spain
north coast of Spain
Spain's north coast
Spain, north coast
Spain, NC.
Spain on the north coast
the north coast of Spain
""".strip().split("\n"),
)
def test_the_north_coast_however_it_is_typed(coast):
    assert orders(f"F MAO - {coast}") == ["F Mid-Atlantic Ocean - Spain(nc)"]


@each_row(
    ("line", "order"),
    [
        ("F Nth C Lon-Nwy", "F North Sea Convoys A London - Norway"),
        ("F Nth convoys London to Norway", "F North Sea Convoys A London - Norway"),
        ("F Nth convoy to Norway from London", "F North Sea Convoys A London - Norway"),
        ("F NTH C LON NWY", "F North Sea Convoys A London - Norway"),
        ("A Lon - Nth - Nwy", "A London - Norway"),
        ("A Lon > Nth > Nwy", "A London - Norway"),
        ("A Lon - Nwy, via convoy", "A London - Norway via Convoy"),
        ("A Lon - Norway via the North Sea", "A London - Norway via Convoy"),
        ("A Lon - Nwy via F Nth", "A London - Norway via Convoy"),
        ("A Lon convoy to Norway", "A London - Norway via Convoy"),
        ("London to Norway by convoy", "A London - Norway via Convoy"),
        ("A Lon - Nwy (via convoy Nth)", "A London - Norway via Convoy"),
        ("A Lon - Nwy via convoy with F Nth", "A London - Norway via Convoy"),
        ("Army London to Norway by fleet North Sea", "A London - Norway via Convoy"),
        ("Army London is convoyed to Norway", "A London - Norway via Convoy"),
        ("F North See - Helgoland", "F North Sea - Helgoland Bight"),
        ("F Norht Sea - Norwegain Sea", "F North Sea - Norwegian Sea"),
        ("F N Sea - Norw. Sea", "F North Sea - Norwegian Sea"),
        ("F Nth S Germany's F Kiel to Denmark", "F North Sea Supports F Kiel - Denmark"),
        ("F Nth S F Kie-Den (Germany)", "F North Sea Supports F Kiel - Denmark"),
        ("F Nth S German fleet in Kiel to Den", "F North Sea Supports F Kiel - Denmark"),
    ],
)
def test_fleets_and_convoys_however_they_are_typed(line, order):
    assert orders(line, "England") == [order]


@each_row(
    "line",
    [
        "A Par-Bur; A Mar-Pie; F Bre-Pic",
        "A Par-Bur, A Mar-Pie, F Bre-Pic",
        "A Par-Bur. A Mar-Pie. F Bre-Pic.",
        "A Par-Bur A Mar-Pie F Bre-Pic",
        "A Par - Bur and A Mar - Pie and F Bre - Pic",
        "1) A Par - Bur   2) A Mar - Pie  3) F Bre - Pic",
        "A Par-Bur / A Mar-Pie / F Bre-Pic",
        "APar-Bur;AMar-Pie;FBre-Pic",
        "okay A Par - Bur and then A Mar - Pie and uh boat Bre - Pic",
    ],
)
def test_several_orders_on_a_line_however_they_are_separated(line):
    assert orders(line) == ["A Paris - Burgundy", "A Marseilles - Piedmont", "F Brest - Picardy"]


@each_row(
    "line",
    [
        "Holding: A Lon, F Nth",
        "Holds: Lon, Nth",
        "Hold A Lon, F Nth",
        "A Lon, F Nth hold",
    ],
)
def test_units_in_a_list_hold_together(line):
    assert orders(line, "England") == ["A London Holds", "F North Sea Holds"]


def test_armies_of_which_only_the_first_is_called_so_hold_together():
    armies = ["A Paris Holds", "A Marseilles Holds", "A Spain Holds"]
    assert orders("The armies in Paris, Marseilles and Spain hold") == armies


@each_row(
    "line",
    ["A Lon, F Nth holds", "Hold: A Lon, maybe F Nth", "Hold Lon, Nth", "A Lon, F Nth, hold"],
)
def test_a_list_of_units_of_which_one_may_hold_orders_nothing(line):
    assert not any(one.counts for one in read_orders(WHERE, "England", [line]))


def test_the_last_of_a_list_of_units_may_move():
    assert orders("Hold A Lon, F Nth - Nwy", "England") == [
        "A London Holds",
        "F North Sea - Norway",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Supports: A Mar S A Par - Bur",
        "Supporting: Mar S Par-Bur",
        "Support: A Par - Bur with A Mar",
    ],
)
def test_a_support_below_its_heading(line):
    assert orders(line) == ["A Marseilles Supports A Paris - Burgundy"]


def test_a_list_of_units_between_slashes_orders_nothing():
    """So our own mails list them, and people quote our mails."""
    line = "France has 3 units: A Paris / A Marseilles / F Brest."
    assert [(one.text, one.order) for one in read(line, "France")] == [(line, None)]


def test_a_mover_with_its_supporter_is_two_orders():
    expected = ["A Paris - Burgundy", "A Marseilles Supports A Paris - Burgundy"]
    assert orders("A Par - Bur, supported by A Mar") == expected
    assert orders("A Par - Bur S by A Mar") == expected
    assert orders("A Par - Bur with the support of A Mar") == expected
    assert orders("Paris follows into Burgundy with support from Mar") == expected
    assert orders("A Par - Gas supported by Mar and Bre") == [
        "A Paris - Gascony",
        "A Marseilles Supports A Paris - Gascony",
        "F Brest Supports A Paris - Gascony",
    ]


def test_the_rest_may_follow_the_other_orders_on_their_line():
    readings = read_orders(WHERE, "England", ["A Lon - Yor. The rest hold."])
    assert [str(one.order) for one in readings] == ["A London - Yorkshire", "F North Sea Holds"]


@each_row(
    "line",
    [
        *("All hold!", "all units hold", "everything else holds", "hold all", "The rest hold"),
        "everyone else stays put",
    ],
)
def test_all_hold_is_an_order_for_every_unit_without_another(line):
    readings = read_orders(WHERE, "England", [line, "A Lon - Yor", "F Nth - Lon nowhere"])
    counting = [(reading.line, str(reading.order)) for reading in readings if reading.counts]
    assert counting == [(0, "F North Sea Holds"), (1, "A London - Yorkshire")]


def test_all_but_some_hold_where_those_are_ordered_after_it():
    read = read_orders(WHERE, "England", ["All units hold except A Lon - Yor"])
    assert [str(one.order) for one in read] == ["A London - Yorkshire", "F North Sea Holds"]
    assert not any(one.counts for one in read_orders(WHERE, "England", ["All hold except A Lon"]))


@each_row(
    ("line", "held"),
    [
        ("All armies hold", ["A London Holds"]),
        ("Hold all fleets!", ["F North Sea Holds"]),
        ("All my other fleets hold", ["F North Sea Holds"]),
        ("all units hold", ["A London Holds", "F North Sea Holds"]),
    ],
)
def test_an_order_for_all_units_of_a_kind_is_for_no_other(line: str, held: list[str]):
    assert sorted(str(one.order) for one in read_orders(WHERE, "England", [line])) == held


@each_row(
    ("lines", "said"),
    [
        (["all fleets hold"], "France has no fleet to order."),
        (["the other two fleets hold"], "France has no fleet to order."),
        (["the other two armies hold"], "You have 1 army without another order; write an order"),
        (["A Par - Bur", "the other two hold"], "You have no unit without another order."),
    ],
)
def test_who_has_no_such_units_is_told_so_once_when_all_or_several_are_ordered(
    lines: list[str], said: str
):
    state = {"phase": "S1902M", "units": {"France": ["A Paris"]}}
    where = Position.from_state(load_variant("standard"), state)
    problems = [one.problem for one in read_orders(where, "France", lines)]
    [problem] = filter(None, problems)
    assert problem.sentence.startswith(said)


def test_all_disband_is_an_order_for_every_dislodged_unit_in_a_retreat_phase_only():
    where = Position.from_state(
        load_variant("standard"),
        {
            "phase": "S1902R",
            "dislodged": [
                {"power": "France", "unit": "A Paris", "retreats": ["Picardy"]},
                {"power": "France", "unit": "A Gascony", "retreats": ["Spain"]},
            ],
        },
    )
    (reading, other) = read_orders(where, "France", ["A Gas - Spa", "others disband"])
    assert [str(reading.order), str(other.order)] == ["A Gascony - Spain", "Disband A Paris"]
    refused = read_orders(where, "France", ["all hold"])
    assert [one.problem is not None for one in refused] == [True, True]
    refused = read_orders(WHERE, "England", ["all disband"])
    assert [one.problem is not None for one in refused] == [True, True]


RETREATS = Position.from_state(
    load_variant("standard"),
    {
        "phase": "S1902R",
        "units": {"Germany": ["A Paris"]},
        "dislodged": [{"power": "France", "unit": "A Paris", "retreats": ["Picardy", "Gascony"]}],
    },
)
WINTER = Position.from_state(
    load_variant("standard"),
    {
        "phase": "W1902A",
        "units": {"France": ["A Burgundy"], "Germany": ["A Ruhr", "F Kiel", "A Munich"]},
        "centers": {"France": ["Paris", "Brest", "Marseilles"], "Germany": ["Kiel"]},
    },
)


def canonical(where: Position, power: str, line: str) -> list[str]:
    readings = read_orders(where, power, [line])
    assert all(reading.counts for reading in readings), readings
    return [str(reading.order) for reading in readings]


@each_row(
    "line",
    """
A Par - Pic
A PAR PIC
A Par R Pic
A Par R - Pic
A Par ret Pic
A Paris retreats to Picardy
Retreat A Par - Pic
Retreat Paris to Picardy
my army in Paris withdraws to Picardy
A Paris - Pi
""".strip().split("\n"),
)
def test_a_retreat_however_it_is_typed(line):
    assert canonical(RETREATS, "France", line) == ["A Paris - Picardy"]


@each_row(
    "line",
    """
A Par disband
A Par - disband
A Par D
A Par: disband
A Par OTB
Disband A Par
A Par off
Disband Paris
Remove Par
destroy my army in Paris
""".strip().split("\n"),
)
def test_a_disband_in_retreat_however_it_is_typed(line):
    assert canonical(RETREATS, "France", line) == ["Disband A Paris"]


@each_row(
    "line",
    """
Build A Par, F Bre
Build A Par and F Bre
Builds: A Par, F Bre
Build 2: A Par; F Bre
b a par; b f bre
Build 1 army in Paris and 1 fleet in Brest
I build an army in Paris and a fleet in Brest
A Par; F Bre
Paris: build army; Brest: build fleet
Build Paris army, Brest fleet
new army in Paris, new fleet in Brest
Biuld A Pariz; F Breste
Build one army in Paris and one fleet in Brest
Build 2 units: A Par, F Bre
I build two units: an army in Paris and a fleet in Brest
New units: Paris (army), Brest (fleet)
Build: Paris (A), Brest (F)
Build Paris (A); Build Brest (F)
""".strip().split("\n"),
)
def test_builds_however_they_are_typed(line):
    assert canonical(WINTER, "France", line) == ["Build A Paris", "Build F Brest"]


@each_row(
    ("line", "expected"),
    [
        ("Par and Mar hold", "A Paris Holds; A Marseilles Holds"),
        ("A Par, A Mar: hold", "A Paris Holds; A Marseilles Holds"),
        ("A Par, A Mar hold. F Bre - Pic", "A Paris Holds; A Marseilles Holds; F Brest - Picardy"),
        ("My fleets hold", "F Brest Holds; F Mid-Atlantic Ocean Holds"),
        ("My fleets hold, F Bre - Pic", "F Brest - Picardy; F Mid-Atlantic Ocean Holds"),
        ("Par holds and move Mar to Bur", "A Paris Holds; A Marseilles - Burgundy"),
        ("A Par - Bur (was Pic)", "A Paris - Burgundy"),
        ("A Par - Bur (edited)", "A Paris - Burgundy"),
        ("A Par - Bur (F)", "A Paris - Burgundy"),
        ("A Par H (F)", "A Paris Holds"),
        ("A Par - Bur (I mean it!)", "A Paris - Burgundy"),
        ("A Par - Bur (oops, forgot this one)", "A Paris - Burgundy"),
        ("A Par - Bur -- should be fine", "A Paris - Burgundy"),
        ("Par to Bur (F)", "A Paris - Burgundy"),
        ("Par Bur (A)", "A Paris - Burgundy"),
        ("Bre (F): Pic", "F Brest - Picardy"),
        ("Bre (F) Pic", "F Brest - Picardy"),
        ("A Mar S () A Par - Bur", "A Marseilles Supports A Paris - Burgundy"),
    ],
)
def test_what_several_units_do_and_what_a_note_adds(line, expected):
    assert orders(line) == expected.split("; ")


@each_row(
    "line",
    """
A Par - Pic (oops, make that Bur)
A Par - Pic (I mean Bur)
A Par - Pic (actually Bur)
A Par - Pic (should be Bur)
A Par - Pic [edit: Bur]
A Par - Pic // make it Bur
A Par - Pic # typo: Bur
A Par - Pic -- oops Bur
A Par - Pic -- I meant Bur
A Par | Pic | I meant Bur
A Par, A Mar hold Bur
Par and Mar holds
Armies hold Bur
F MAO - S Spa
A Bre (fleet)
A Mar S ()
A Mar - ()
A Par - Bur (oops, Pic)
Move Par to Bur and attack Spa from Mar
""".strip().split("\n"),
)
def test_what_a_note_corrects_or_leaves_open_is_not_followed(line):
    assert not [one for one in read(line) if one.counts]


@each_row(
    ("line", "order"),
    [
        ("F(StP/nc) - Bar", "F St Petersburg(nc) - Barents Sea"),
        ("F (StP nc) - Bar", "F St Petersburg(nc) - Barents Sea"),
        ("A(Mos) - [StP]", "A Moscow - St Petersburg"),
        ("A Mos S F (StP/nc)", "A Moscow Supports F St Petersburg(nc)"),
    ],
)
def test_brackets_around_a_place_and_its_coast(line, order):
    units = {"Russia": ["F St Petersburg(nc)", "A Moscow"]}
    where = Position.from_state(load_variant("standard"), {"phase": "S1902M", "units": units})
    [read] = read_orders(where, "Russia", [line])
    assert str(read.order) == order
    assert read.problem is None


@pytest.mark.parametrize(
    "line",
    [
        "Build two fleets: Brest and Marseilles",
        "Build 2 fleets in Brest and Marseilles",
        "Builds: 2 fleets in Brest and Marseilles",
        "Fleets in Brest and Marseilles",
        "Two fleets, one in Brest, one in Marseilles",
        "Two new fleets: one in Brest and the other in Marseilles",
    ],
)
def test_builds_that_are_counted(line):
    assert canonical(WINTER, "France", line) == ["Build F Brest", "Build F Marseilles"]


@each_row("line", ["fleets Brest", "Build fleets Brest", "Build fleets in Brest"])
def test_one_build_of_a_kind_said_as_if_there_were_more(line):
    assert canonical(WINTER, "France", line) == ["Build F Brest"]


@each_row(
    "line",
    [
        *("Waive", "no second build", "waive build", "waive a build", "pass", "skip my build"),
        *("Waive the second build", "Second build waived", "Keep the second build in hand"),
        *("I'll save the other build for later", "Keep one build in reserve"),
    ],
)
def test_a_declined_build_however_it_is_typed(line):
    assert canonical(WINTER, "France", line) == ["Waive"]


@each_row(
    "line",
    ["Build F Bre. Keep the second build in hand.", "F Bre, save the other build for next year"],
)
def test_one_build_and_one_for_later(line):
    assert canonical(WINTER, "France", line) == ["Build F Brest", "Waive"]


@each_row("line", ["Keep the other build", "Keep the build.", "Keep F Bre for later"])
def test_a_build_that_is_kept_may_be_one_of_another_mail(line):
    assert all(reading.order is None for reading in read_orders(WINTER, "France", [line]))


@each_row(
    "line",
    """
No builds
No builds this winter
I waive my builds
Waive all builds
All builds waived
Waive everything this year
waive the rest
Pass both
""".strip().split("\n"),
)
def test_all_builds_declined_however_it_is_typed(line):
    assert canonical(WINTER, "France", line) == ["Waive", "Waive"]


@each_row("line", ["No build F Bre", "no second build F Bre", "Waive F Bre", "Waive build F Bre"])
def test_a_unit_that_is_not_to_be_built_is_not_built(line):
    [read] = read_orders(WINTER, "France", [line])
    assert read.order is None
    assert read.problem is not None
    assert "to leave a build out, write only “Waive”" in read.problem.sentence


@each_row(
    ("line", "sentence"),
    [
        ("Keep Par", "“Keep” is not the beginning of an order; write it like “Build A Paris”."),
        ("fleets", "A province is missing after “fleets”; write it like “Build A Paris”."),
        (
            "armies Paris and Marseilles tomorrow",
            "We do not understand “tomorrow” after “armies Paris and Marseilles”; if “armies "
            "Paris and Marseilles” is all you want, write only that.",
        ),
        (
            "2 fleets: Brest and Marseilles tomorrow",
            "We do not understand “tomorrow” after “2 fleets: Brest and Marseilles”; say what the "
            "unit does with “-” for a move, “holds”, “supports” or “convoys”.",
        ),
    ],
)
def test_a_refusal_in_winter_shows_how_a_build_is_written(line, sentence):
    [read] = read_orders(WINTER, "France", [line])
    assert read.problem is not None
    assert read.problem.sentence == sentence


def test_a_build_whose_kind_is_contradicted_in_brackets_is_not_guessed():
    [read] = read_orders(WINTER, "France", ["Build A Bre (fleet)"])
    assert read.order is None


def test_a_letter_in_brackets_belongs_to_no_name_after_it():
    [read] = read_orders(WINTER, "France", ["Build Par (A) Bre (F)"])
    assert read.order is None


def test_the_rest_of_the_builds_is_declined_wherever_that_stands():
    for lines in (["Build A Paris", "Waive the rest"], ["Waive the rest", "Build A Paris"]):
        read = [str(one.order) for one in read_orders(WINTER, "France", lines) if one.counts]
        assert sorted(read) == ["Build A Paris", "Waive"]


DAIDE = {
    "( ( FRA AMY PAR ) MTO BUR )": ["A Paris - Burgundy"],
    "((FRA FLT BRE) HLD)": ["F Brest Holds"],
    "(FRA AMY MAR) SUP (FRA AMY PAR) MTO BUR": ["A Marseilles Supports A Paris - Burgundy"],
    "( ( FRA AMY MAR ) SUP ( FRA AMY PAR ) MTO BUR )": ["A Marseilles Supports A Paris - Burgundy"],
    "SUB ( ( FRA AMY PAR ) MTO PIC ) ( ( FRA FLT BRE ) MTO ECH )": [
        "A Paris - Picardy",
        "F Brest - English Channel",
    ],
}


@each_row(("line", "orders"), DAIDE.items())
def test_orders_in_the_notation_of_programs_that_play(line, orders):
    position = Position.start("standard")
    assert canonical(position, "France", line) == orders


def test_units_of_others_stay_theirs_in_that_notation():
    assert not followed("( ( GER AMY MUN ) MTO BUR )")


@pytest.mark.parametrize(
    "line",
    [
        "Option 1 would be the classic: A Par - Pic, A Mar - Bur, F Bre - Eng.",
        "Idea: A Par - Pic; F Bre - Eng",
    ],
)
def test_nothing_is_followed_after_words_that_may_only_talk_about_it(line):
    assert not followed(line)


def followed(line: str) -> list[Reading]:
    readings = read_orders(Position.start("standard"), "France", [line])
    return [reading for reading in readings if reading.counts]


@each_row(
    "line",
    [
        "Par - Bur and Bre - Mid",
        "Paris moves to Burgundy and Brest moves to the Mid-Atlantic",
        "the army in Paris goes to Burgundy and the fleet in Brest goes to the Mid-Atlantic",
        "Armies: Par - Bur; Bre - Mid",
        "Step 1: A Par - Bur; 2.) F Bre - Mid",
        "I. A Par - Bur, F Bre - Mid",
        "II. A Par - Bur; F Bre - Mid",
        "Paris army: Move → Burgundy; Brest fleet: Move → Mid-Atlantic",
    ],
)
def test_two_orders_on_a_line_however_they_are_joined(line):
    expected = ["A Paris - Burgundy", "F Brest - Mid-Atlantic Ocean"]
    assert canonical(Position.start("standard"), "France", line) == expected


@each_row(
    "line",
    """
Remove F Kie, A Ruh
Disband F Kie and A Ruh
Disband Kiel and Ruhr
Removals: F Kie, A Ruh
F Kiel removed; A Ruhr disbands
F Kie off the board, A Ruh OTB
Disband the fleet in Kiel and the army in Ruhr
F Kie; A Ruh
""".strip().split("\n"),
)
def test_removals_however_they_are_typed(line):
    assert canonical(WINTER, "Germany", line) == ["Disband F Kiel", "Disband A Ruhr"]


@each_row(
    "line",
    [
        "Keep F Kie, A Ruh",
        "I keep A Mun, F Kie, A Ruh",
        "Disband everything except F Kie, A Ruh",
        "F Kie (keep)",
    ],
)
def test_a_unit_that_is_kept_is_not_disbanded(line: str):
    assert not any(one.counts for one in read_orders(WINTER, "Germany", [line]))


@pytest.mark.parametrize("line", ["Best, Mun", "Kiell", "Ruhrr"])
def test_a_misspelt_word_alone_is_no_order_to_disband_a_unit(line):
    readings = read_orders(WINTER, "Germany", [line.split(",")[0]])
    assert not any(reading.counts for reading in readings)


def test_two_misspelt_words_alone_are_no_move():
    assert not any(reading.counts for reading in read("Pariss Burgundie"))
    assert orders("A Pariss Burgundie") == ["A Paris - Burgundy"]


@each_row(
    ("line", "said"),
    [
        ("A Par - Bur unless Germany attacks", "“unless Germany attacks”"),
        ("A Par - Bur if possible", "“if possible”"),
        ("A Par - Bur or Pic", "“or Pic”"),
        ("A Par - Bur -- if need be", "“-- if need be” after “A Par - Bur”"),
        ("A Par - Bur/Pic", "“/Pic”"),
        ("A Par - Bur to stop Germany", "“to stop Germany”"),
        ("A Par - Bur with support", "“with support” after “A Par - Bur”"),
        ("Par and Bur", "“Par and Bur” does not say what these units should do"),
        ("A Par and Bur please", "“A Par and Bur” does not say what these units should do"),
        ("A Par don't move", "“don't move”"),
        ("A Par S A Mar no move", "“no move”"),
        ("Swap A Par and A Mar", "write one for each of the two units"),
        ("A Par and A Mar swap places", "write one for each of the two units"),
        ("A P - B", "“P”"),
        ("A Par - Bur (cancelled)", "“cancelled” after “A Par - Bur”"),
        ("A Par - Bur (if Germany agrees)", "on a condition such as “if Germany agrees”"),
        ("A Par - Bur [or Pic]", "“or Pic” after “A Par - Bur”"),
        ("A Par - Bur (maybe)", "“maybe” after “A Par - Bur”"),
        ("A Par - Bur // unless Italy comes", "on a condition such as “unless Italy comes”"),
        ("A Par - Bur // Mar", "“Mar” on the same line"),
        ("A Par - Bur // hold", "“hold” on the same line"),
        ("A Par - Bur # vielleicht", "“vielleicht” after “A Par - Bur”"),
        ("A Par - But", "There is no province “But”"),
        ("[cancelled] A Par - Bur", "“cancelled” is not the beginning"),
        ("❌ A Par - Bur", "“cancelled” is not the beginning"),
        ("Should I order A Par - Bur?", "“Should I” asks"),
        ("Fall 1902: A Par - Bur", "“Fall 1902”"),
        ("F1902M: A Par - Bur", "“F1902M”"),
        ("cancel A Par - Bur", "“cancel” before “A Par - Bur”"),
        ("A Par - Bur, sorry cancel that", "“sorry cancel that” on the same line"),
        ("A Mar has to stay", "“has to stay” after “A Mar”; say what the unit does"),
        ("A Par - Bur, sorry not", "“sorry not” on the same line"),
        ("A Par - Bur, thanks but no", "“thanks but no” on the same line"),
        ("A Par - Bur, best not", "“best not” on the same line"),
        ("A Par - Bur, sorry wrong", "“sorry wrong” on the same line"),
        ("A Par - Bur, merci mais non", "“merci mais non” on the same line"),
        ("A Mar S - Par", "missing after “S”"),
        ("A Par ← Bur", "“< Bur”"),
        ("A Par rest", "does not say what A Paris should do"),
        ("> A Par - Bur", "quoted"),
        ("What a season", "“What”"),
        ('Move: "A Paris - Burgundy"', "quotation marks"),
        ("You wrote “A Par - Bur”: A Paris - Burgundy.", "quotation marks"),
        ('A Paris - Burgundy", and the rest', "quotation marks"),
    ],
)
def test_what_is_no_clear_order_is_never_followed(line, said):
    readings = read(line)
    assert not any(reading.counts for reading in readings)
    sentences = [reading.problem.sentence for reading in readings if reading.problem]
    assert any(said in sentence for sentence in sentences), sentences


def test_con_before_an_army_is_asked_back_for_it_may_be_a_convoy_or_constantinople():
    where = Position.from_state(
        load_variant("standard"),
        {"phase": "S1902M", "units": {"Turkey": ["F Aegean Sea", "A Smyrna", "A Bulgaria"]}},
    )
    [refused] = read_orders(where, "Turkey", ["F Aeg con A Smy - Gre"])
    assert refused.problem is not None
    assert "“C” or “- con”" in refused.problem.sentence
    followed = read_orders(where, "Turkey", ["F Aeg - Con", "A Bul con A Smy - Ank"])
    assert [str(reading.order) for reading in followed] == [
        "F Aegean Sea - Constantinople",
        "A Bulgaria - Constantinople",
        "A Smyrna - Ankara",
    ]


@each_row("order", ["- Lon", "S A Lon", "convoys A Lon - Nwy", "H"])
def test_the_s_of_a_sea_is_no_support(order):
    assert orders(f"F Nth.S. {order}", "England") == orders(f"F Nth {order}", "England")


@each_row(
    ("line", "meant"),
    [
        ("F Tyr - Rom", "Did you mean F Tyrrhenian Sea? Write “F Tys”."),
        ("Tyr H", "Did you mean F Tyrrhenian Sea? Write “F Tys”."),
        ("A Tus S F Tyr - Rom", "Did you mean F Tyrrhenian Sea? Write “F Tys”."),
        ("A Nor H", None),
        ("A Tyr H", None),
    ],
)
def test_who_names_a_unit_that_is_not_there_is_told_of_their_unit_with_a_name_like_it(line, meant):
    units = {"Italy": ["F Tyrrhenian Sea", "A Tuscany"], "England": ["F North Sea"]}
    where = Position.from_state(load_variant("standard"), {"phase": "S1902M", "units": units})
    [reading] = read_orders(where, "Italy", [line])
    assert reading.problem is not None
    assert reading.problem.sentence.partition("Did")[2] == (meant or "").partition("Did")[2]


def test_all_disband_is_answered_in_winter_where_each_unit_is_named():
    [reading] = read_orders(WINTER, "Germany", ["Remove all"])
    assert reading.problem is not None
    assert "name each unit" in reading.problem.sentence


@each_row(
    "line",
    [
        "A Paris à Burgundy",  # Word's arrow, or French
        "A Paris &amp;rarr; Burgundy",
        "А Раris - Вurgundy",  # Cyrillic А, Р, а and В
        "Α Ρaris - Βurgundy",  # Greek
        "A Par - Bur -- as we agreed",
        "A Par - Bur --then Picardy",
    ],
)
def test_what_programs_and_keyboards_make_of_an_order_is_read(line: str) -> None:
    (reading,) = read(line)
    assert str(reading.order) == "A Paris - Burgundy"
    assert not reading.guessed


@each_row(
    "line",
    [
        "A Par - Bur -- unless Germany goes there",
        "A Par - Bur -- cancelled",
        "A Par - Bur -- not sure",
        "A Par - Bur -- A Mar H",
        "A Par - Bur -- ?",
        "A Par - Bur -- falls England zieht",
        "A Par - Bur -- sauf si Germany attaque",
        "A Par - Bur - as we agreed",
    ],
)
def test_words_after_dashes_that_may_change_an_order_stop_it(line: str) -> None:
    assert not any(str(one.order) == "A Paris - Burgundy" for one in read(line) if one.counts)


@each_row(
    "line",
    [
        *("par-bur mar-spa bre-mao", "Par - Bur Mar - Spain Bre - Mid-Atlantic Ocean"),
        "army Paris to Burgundy comma army Mar to Spain full stop fleet Brest to mid Atlantic",
        "New line army Paris to Burgundy next army Mar to Spain next fleet Brest to mid Atlantic",
        "A Par x Bur, as agreed, A Mar x Spa, of course, F Bre x Mid",
    ],
)
def test_several_moves_on_a_line_need_no_letters_and_signs_may_be_spoken(line: str) -> None:
    assert orders(line) == [
        "A Paris - Burgundy",
        "A Marseilles - Spain",
        "F Brest - Mid-Atlantic Ocean",
    ]


@each_row(
    "line",
    [
        *("A Par - Bur, as agreed or Pic", "A Par - Bur, as agreed unless Italy moves"),
        *("A Par - Bur, as promised A Mar - Spa", "A Par - Bur, as I told Germany"),
        *("A Par Bur - Mar", "Par Mar - Bur", "A Par x", "A Par - Bur or Mar - Spa"),
    ],
)
def test_what_may_change_an_order_is_no_aside(line: str) -> None:
    assert not any(one.counts for one in read(line))


def test_both_are_two_units_that_retreat_and_no_sea() -> None:
    driven_out = [
        {"power": "France", "unit": "A Paris", "retreats": ["Picardy"]},
        {"power": "France", "unit": "A Gascony", "retreats": ["Spain"]},
        {"power": "France", "unit": "F Brest", "retreats": ["Picardy"]},
        {"power": "Russia", "unit": "F Gulf of Bothnia", "retreats": ["Finland"]},
        {"power": "Russia", "unit": "A Sweden", "retreats": ["Norway"]},
    ]

    def disbanded(power: str, line: str, number: int = 5) -> list[str]:
        state = {"phase": "S1902R", "dislodged": driven_out[-number:] + driven_out[:2]}
        where = Position.from_state(load_variant("standard"), state)
        return [str(one.order) for one in read_orders(where, power, [line]) if one.counts]

    two = ["Disband A Paris", "Disband A Gascony"]
    assert disbanded("France", "Disband both", 2) == disbanded("France", "both disband.", 2) == two
    assert disbanded("France", "please disband both of them", 2) == two
    assert disbanded("France", "Disband both", 3) == []
    assert disbanded("Russia", "Disband both", 2) == []
