"""Draws boards: values of the judge in, SVG or PNG out. It knows no game, player, mail or clock.

    picture = draw(Subject(position, outcome.results, outcome.next), "orders")
    Path("orders.png").write_bytes(picture.png())

There are two views: `orders` shows what was ordered in a phase and what became of it; `board` shows
the position that followed, and what changed. The standard board has a drawing; the same call lays
out any other board as a diagram, so no board is left out. See docs/atlas.md.
"""

from __future__ import annotations

from atlas.drawn_orders import DrawnOrder, read_result
from atlas.palette import colours_of
from atlas.picture import (
    Heading,
    PhasePicture,
    Picture,
    Subject,
    View,
    draw,
    phase_pictures,
    still_svg,
)
from atlas.scene import influence_after
from atlas.wording import Names, two_letters

__all__ = [
    "DrawnOrder",
    "Heading",
    "Names",
    "PhasePicture",
    "Picture",
    "Subject",
    "View",
    "colours_of",
    "draw",
    "influence_after",
    "phase_pictures",
    "read_result",
    "still_svg",
    "two_letters",
]
