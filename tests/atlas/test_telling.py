"""The words that go with a picture in a mail."""

from __future__ import annotations

import io
import re

from PIL import Image

from atlas import PhasePicture, Subject, phase_pictures
from atlas.build.cases import CASES
from atlas.build.samples import case_subject
from atlas.drawn_orders import read_result
from atlas.telling import (
    CROSSING_CAPTION,
    DISLODGED_CAPTION,
    PASSAGE_CAPTION,
    STILL_CAPTION,
    VEIL_CAPTION,
)
from judge import Position, load_variant
from tests.atlas.games import crowded, game

COMMANDS = {"map", "board", "same", "orders", "hold", "draw", "list", "wait", "ready", "status"}
"""Some words with which a player may begin a command; wrapped, any word may begin a line."""
STANDARD = load_variant("standard")


def both(subject: Subject) -> dict[str, PhasePicture]:
    return {picture.view: picture for picture in phase_pictures(subject, "marne")}


def test_a_phase_has_a_picture_of_its_orders_and_one_of_the_board() -> None:
    subject = crowded(1)[0]
    pictures = both(subject)

    assert list(pictures) == ["orders", "board"]
    for picture in pictures.values():
        assert Image.open(io.BytesIO(picture.png)).size == picture.size
        assert picture.file_name == f"{subject.position.phase}-{picture.view}.png"


def test_a_phase_that_nobody_adjudicated_yet_has_the_board_alone() -> None:
    [picture] = phase_pictures(Subject(Position.start(STANDARD)), "marne")

    assert picture.view == "board"
    assert picture.alt == (
        "This picture shows how things stand before the Spring 1901 movement: 22 units,"
        " 22 of 34 centres owned. Everything in it is also in the text."
    )


def test_the_numbers_are_those_of_the_results() -> None:
    for subject in crowded(20):
        assert subject.next is not None
        orders, board = (picture.alt for picture in phase_pictures(subject, width=100))
        dislodged = len({r.order for r in subject.results if "dislodged" in r.result})
        told = re.search(r"(\d+) units? dislodged", orders)

        dislodged_now = len(subject.next.dislodged)
        assert f"{len(subject.next.units) + dislodged_now} units" in board
        assert not dislodged_now or f"{dislodged_now} of them dislodged" in board
        assert (int(told[1]) if told else 0) >= dislodged
        assert subject.position.phase.long_name in orders


def test_what_drove_a_unit_out_is_told_once() -> None:
    told = []
    for subject in crowded(20):
        drawn = [read_result(result, subject.position.variant.board) for result in subject.results]
        told += [one.sentence for one in drawn if one and "islodged by" in one.sentence]

    assert any(": dislodged by " in sentence for sentence in told)
    assert not any("dislodged. Dislodged" in sentence for sentence in told)


def test_every_kind_of_phase_is_told() -> None:
    told = {
        subject.position.phase.step: phase_pictures(subject, width=100)[0].alt
        for subject in game(2, phases=30)
    }

    assert re.search(r"\d+ of \d+ moves? worked", told["M"])
    assert re.search(r"\d+ of \d+ dislodged units? found a new place", told["R"])
    assert re.search(r"\d+ new units?|\d+ units? gone|no new units", told["A"])


def test_of_units_that_there_are_not_nothing_is_told() -> None:
    """`2 new units, 0 units gone` is no sentence that anybody would say."""
    winters = [one for one in game(2, phases=30) if one.position.phase.step == "A"]
    told = [phase_pictures(one, width=100)[0].alt for one in winters]
    assert any("new unit" in alt and "gone" not in alt for alt in told)
    assert not any(re.search(r"\b0 ", alt) for alt in told)


def test_no_word_names_a_unit_or_a_place() -> None:
    """Such a line, quoted in a reply, could be read as an order."""
    for subject in [*crowded(5), *(case_subject(case) for case in CASES)]:
        for picture in phase_pictures(subject, "marne", width=100):
            text = f"{picture.alt}\n{picture.caption}"

            assert not re.search(r"\b[AF] [A-Z]", text)
            assert " - " not in text
            assert not COMMANDS & set(re.findall(r"[a-z]+", text.lower()))
            for province in STANDARD.board.provinces:
                assert not re.search(rf"\b{re.escape(province.name)}\b", text), province


def test_a_board_on_which_nothing_has_happened_explains_no_dots_of_moves() -> None:
    [start] = phase_pictures(Subject(Position.start(STANDARD)), width=100)
    assert start.caption == STILL_CAPTION
    assert not COMMANDS & set(re.findall(r"[a-z]+", start.caption.lower()))
    retreats = next(one for one in game(2, phases=30) if one.position.dislodged)
    [still] = phase_pictures(Subject(retreats.position), width=100)
    assert still.caption == f"{start.caption}{DISLODGED_CAPTION}"


def test_nor_does_what_explains_links_lines_and_fog() -> None:
    for caption in (CROSSING_CAPTION, PASSAGE_CAPTION, VEIL_CAPTION):
        assert not COMMANDS & set(re.findall(r"[a-z]+", caption.lower()))
    start = Subject(Position.start(load_variant("colonial")))
    [picture] = phase_pictures(start, width=100)
    assert CROSSING_CAPTION + PASSAGE_CAPTION in picture.caption
