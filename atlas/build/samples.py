"""`python -m atlas.build.samples docs/atlas`: draw the pictures of docs/atlas.md again."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from atlas.build.cases import CASES, TOGETHER, Case
from atlas.fonts import font
from atlas.picture import Heading, Picture, Subject, draw
from atlas.raster.colours import palette_of
from atlas.raster.painter import paint
from atlas.tokens import BORDER, NAME, PAPER
from judge import Position, adjudicate, load_variant

_TILE = (236, 190)
_ACROSS = 4
_CAPTION = 26
_FALL: dict[str, list[str]] = {
    "Austria": ["A Galicia", "A Budapest", "A Serbia", "F Albania"],
    "England": ["F North Sea", "F Norwegian Sea", "A Edinburgh", "F English Channel"],
    "France": ["F Mid-Atlantic Ocean", "A Picardy", "A Burgundy", "A Spain"],
    "Germany": ["F Denmark", "A Holland", "A Munich", "A Ruhr", "A Kiel"],
    "Italy": ["A Venice", "A Apulia", "F Ionian Sea"],
    "Russia": ["A Warsaw", "A Ukraine", "F Sevastopol", "F Gulf of Bothnia", "A Rumania"],
    "Turkey": ["A Bulgaria", "A Armenia", "F Black Sea", "A Constantinople"],
}
_HELD = {
    "Austria": ["Budapest", "Vienna", "Trieste", "Serbia"],
    "England": ["Edinburgh", "Liverpool", "London"],
    "France": ["Brest", "Marseilles", "Paris"],
    "Germany": ["Berlin", "Kiel", "Munich"],
    "Italy": ["Naples", "Rome", "Venice"],
    "Russia": ["Moscow", "St Petersburg", "Sevastopol", "Warsaw"],
    "Turkey": ["Ankara", "Constantinople", "Smyrna"],
}
_ORDERS = {
    "Austria": [
        "A Galicia - Warsaw",
        "A Budapest - Rumania",
        "A Serbia S A Budapest - Rumania",
        "F Albania - Greece",
    ],
    "England": [
        "F North Sea C A Edinburgh - Belgium",
        "F Norwegian Sea - Norway",
        "A Edinburgh - Belgium",
        "F English Channel S A Edinburgh - Belgium",
    ],
    "France": [
        "F Mid-Atlantic Ocean - Portugal",
        "A Picardy - Belgium",
        "A Burgundy S A Picardy - Belgium",
        "A Spain H",
    ],
    "Germany": [
        "F Denmark - Sweden",
        "A Holland H",
        "A Munich - Burgundy",
        "A Ruhr S A Munich - Burgundy",
        "A Kiel S A Holland",
    ],
    "Italy": [
        "A Venice - Trieste",
        "A Apulia - Greece",
        "F Ionian Sea C A Apulia - Greece",
    ],
    "Russia": [
        "A Warsaw - Galicia",
        "A Ukraine S A Warsaw - Galicia",
        "F Sevastopol - Black Sea",
        "F Gulf of Bothnia - Sweden",
        "A Rumania - Serbia",
    ],
    "Turkey": [
        "A Bulgaria S A Budapest - Rumania",
        "A Armenia - Sevastopol",
        "F Black Sea S A Armenia - Sevastopol",
        "A Constantinople S A Bulgaria",
    ],
}


def subject_of(
    variant: str, state: Mapping[str, object], orders: Mapping[str, list[str]]
) -> Subject:
    """Return an adjudicated phase; one without orders to retreat is left open."""
    position = Position.from_state(load_variant(variant), state)
    if position.phase.step == "R" and not orders:
        return Subject(position)
    outcome = adjudicate(position, orders)
    return Subject(position, outcome.results, outcome.next)


def case_subject(case: Case) -> Subject:
    """Return an adjudicated case."""
    state = {
        "phase": case.phase,
        "units": case.units,
        "centers": case.centers,
        "dislodged": list(case.dislodged),
    }
    return subject_of("standard", state, case.orders)


def signs() -> Image.Image:
    """Return the page of signs: a tile for each case, cut out of its picture."""
    shown = [case for case in (*CASES, *TOGETHER) if case.caption != "stays"]
    rows = -(-len(shown) // _ACROSS)
    width, height = _TILE
    page = Image.new("RGB", (_ACROSS * (width + 8) + 8, rows * (height + _CAPTION + 8) + 8), PAPER)
    write = ImageDraw.Draw(page)
    for number, case in enumerate(shown):
        picture = draw(case_subject(case))
        x, y = picture.scene.stage.sheet.slots[case.province].unit
        left = round(min(max(x - width / 2, 0), 1000 - width))
        top = round(min(max(y - height / 2, 90), 950 - height))
        tile = paint(picture.scene, 1000).crop((left, top, left + width, top + height))
        corner = (
            8 + number % _ACROSS * (width + 8),
            8 + number // _ACROSS * (height + _CAPTION + 8),
        )
        page.paste(tile, corner)
        edge = (corner[0] - 1, corner[1] - 1, corner[0] + width, corner[1] + height)
        write.rectangle(edge, outline=BORDER)
        write.text(
            (corner[0], corner[1] + height + 19),
            case.caption,
            fill=NAME,
            font=font("bold", 17),
            anchor="ls",
        )
    return page


def pictures() -> dict[str, Picture]:
    """Return the other pictures of the page."""
    state = {"phase": "F1902M", "units": _FALL, "centers": _HELD}
    fall = subject_of("standard", state, _ORDERS)
    return {
        "orders": draw(fall, "orders", Heading(subtitle="marne · orders and results")),
        "board": draw(fall, "board", Heading(subtitle="marne · the board now")),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pictures into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures().items():
        (folder / f"{name}.png").write_bytes(picture.png())
    stage = pictures()["board"].scene.stage
    page = signs().quantize(palette=palette_of(stage), dither=Image.Dither.NONE)
    page.save(folder / "signs.png", optimize=True)


if __name__ == "__main__":
    main()
