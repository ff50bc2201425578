"""Gives a drawing the borders of the game, by letting ground near a wrong border change hands.

Seeds draw most borders right and some wrong: two provinces touch that should not, or are kept
apart. The ground there is cut into small cells, which change hands by simulated annealing until the
borders are right, while staying where the seeds had them as far as possible. The result is always
the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import shapely

from atlas.build.borders import Pair, wrong_borders
from atlas.build.cells import Net, Wishes
from atlas.build.natural_earth import parts

_AROUND = 28.0
"""How many pixels round a wrong border the ground is cut."""
_ROUNDS = 5


def mend_borders(
    areas: Mapping[str, shapely.Geometry],
    wanted: Collection[Pair],
    realm: Callable[[str], str],
    frame: shapely.Polygon,
    least: float,
) -> dict[str, shapely.Geometry]:
    """Return the areas, which cover the frame, with the wanted borders as far as possible.

    A border has to be at least `least` pixels long to be seen. `realm` says which ground may be
    exchanged: "sea", a zone of land, or "" for ground that nobody may take.
    """
    shapes = dict(areas)
    for turn in range(_ROUNDS):
        wrong = wrong_borders(shapes, wanted, realm, least)
        if not wrong:
            break
        places = [
            _where(shapes, pair, missing=pair in wanted).buffer(_AROUND)
            for pair in sorted(wrong, key=sorted)
        ]
        wishes = Wishes(wanted, realm, least)
        net = Net(shapes, shapely.union_all(places), wishes, frame, turn)
        for pair in sorted(wrong, key=sorted):
            net.reach_out(pair)
        net.anneal()
        shapes = net.shapes()
    return shapes


def _where(areas: Mapping[str, shapely.Geometry], pair: Pair, *, missing: bool) -> shapely.Geometry:
    one, other = (areas[name] for name in sorted(pair))
    if missing:
        bodies = [max(parts(shape), key=lambda part: part.area) for shape in (one, other)]
        return shapely.shortest_line(*bodies)
    return one.intersection(other)
