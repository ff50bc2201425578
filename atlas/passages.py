"""The railways and canals of a variant's rules, as lines on the ground."""

from __future__ import annotations

from atlas.scene import Stage
from atlas.shapes import Group, Layer, Stroke, Track
from atlas.tokens import COAST, SEA, SHORE

_SLEEPERS = (7.0, 7.0)
"""The light pieces of a railway, and the dark ones between."""


def passages_of(stage: Stage) -> Layer:
    """Return the layer of the railways and canals that the sheet has a line for, each with its
    name."""
    return Layer(
        "passages", [group for key in stage.sheet.passages for group in _group(stage, key)]
    )


def _group(stage: Stage, key: str) -> list[Group]:
    way = Track(stage.sheet.passages[key])
    if key in stage.railways:
        strokes = [Stroke(way, COAST, 4.0), Stroke(way, SHORE, 2.0, _SLEEPERS)]
        return [Group(strokes, key, stage.railways[key])]
    if key in stage.canals:
        return [Group([Stroke(way, COAST, 7.0), Stroke(way, SEA, 4.0)], key, stage.canals[key])]
    return []
