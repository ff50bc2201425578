"""The picture on the front page: a first spring, adjudicated and drawn as every game is.

It belongs to no game, so it gives away no secret, and a server without games has it, too.
"""

from __future__ import annotations

from functools import lru_cache

from atlas import Subject, draw
from games.queries import board
from games.queries.orders.order_lines import OrderLine
from pages.maps import still_address

VARIANT = "standard"
ORDERS = {
    "Austria": ("A Budapest - Serbia", "F Trieste - Albania", "A Vienna - Galicia"),
    "England": ("F Edinburgh - Norwegian Sea", "A Liverpool - Yorkshire", "F London - North Sea"),
    "France": ("F Brest - Mid-Atlantic Ocean", "A Marseilles S A Par - Bur", "A Paris - Burgundy"),
    "Germany": ("A Berlin - Kiel", "F Kiel - Denmark", "A Munich - Burgundy"),
    "Italy": ("F Naples - Ionian Sea", "A Rome - Apulia", "A Venice H"),
    "Russia": ("A Mos - Ukr", "F Sevastopol - Black Sea", "F StP/sc - Bot", "A Warsaw - Galicia"),
    "Turkey": ("F Ankara - Black Sea", "A Con - Bulgaria", "A Smyrna - Constantinople"),
}
"""Common openings in which something happens: a support that helps, and two bounces. The front
page's caption names all three."""


@lru_cache(maxsize=1)
def opening_on_page() -> str:
    """Return the picture for a page, drawn on the variant's still drawing."""
    state = board.first_state(VARIANT)
    outcome = board.adjudicate_orders(variant=VARIANT, rules={}, state=state, orders=ORDERS)
    results = tuple(OrderLine.of(one).as_result(one["power"]) for one in outcome.results)
    following = board.position_of(VARIANT, outcome.next)
    subject = Subject(board.position_of(VARIANT, state), results, following)
    return draw(subject, "orders").svg_on(still_address(VARIANT))
