"""A palette for each stage: a PNG of 256 colours takes a third of the bytes of one with all
colours.

It holds every flat colour exactly, and the mixtures that soft edges need. A palette learnt from
sample pictures would leave out what is rare: one of those gave a power's arrows the colour of
another's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image

from atlas import tokens
from atlas.palette import mix, rgb
from atlas.scene import Stage

_MOST = 256
_MANY = 16
"""With more powers than this, each gets only its flat colours."""
_FLAT = (
    *(tokens.LAND, tokens.SEA, tokens.SHORE, tokens.COAST, tokens.BORDER, tokens.SEA_BORDER),
    *(tokens.NEUTRAL, tokens.HATCH, tokens.NAME, tokens.SEA_NAME, tokens.OUTLINE),
    *(tokens.FAILURE, tokens.SUCCESS, tokens.BURST, tokens.PAPER),
)
_MIXED = (
    (tokens.SEA, tokens.SHORE, (0.28, 0.62)),
    (tokens.COAST, tokens.SHORE, (0.35, 0.7)),
    (tokens.COAST, tokens.SEA, (0.35, 0.7)),
    (tokens.COAST, tokens.NEUTRAL, (0.5,)),
    (tokens.COAST, tokens.LAND, (0.35, 0.7)),
    (tokens.SEA_BORDER, tokens.SEA, (0.5,)),
    (tokens.NAME, tokens.SHORE, (0.25, 0.5, 0.75)),
    (tokens.SEA_NAME, tokens.SHORE, (0.3, 0.6)),
    (tokens.FAILURE, tokens.SHORE, (0.35, 0.7)),
    (tokens.SUCCESS, tokens.SHORE, (0.5,)),
    (tokens.NEUTRAL, tokens.HATCH, (0.5,)),
)


@lru_cache(maxsize=16)
def palette_of(stage: Stage) -> Image.Image:
    """Return the palette of a stage, as Pillow wants it."""
    colours = list(dict.fromkeys(_colours(stage)))[:_MOST]
    flat = [part for colour in colours for part in rgb(colour)]
    picture = Image.new("P", (1, 1))
    picture.putpalette(flat + flat[-3:] * (_MOST - len(colours)))
    return picture


def _colours(stage: Stage) -> Iterator[str]:
    yield from _FLAT
    for power in stage.colours.values():
        yield from (power.tint, power.unit, power.line, power.ink)
    for one, other, shares in _MIXED:
        yield from (mix(one, other, share) for share in shares)
    if len(stage.colours) > _MANY:
        return  # they would not all fit, and cost 10 kB
    for power in stage.colours.values():
        yield mix(power.tint, tokens.COAST, 0.35)
        yield mix(power.tint, tokens.COAST, 0.7)
    for power in stage.colours.values():
        yield mix(power.line, tokens.SHORE, 0.5)
        yield mix(power.tint, tokens.SHORE, 0.5)
        yield mix(power.unit, tokens.SHORE, 0.5)
