"""Draws a board without a drawing as a diagram: a box for each province, a line for each border."""

from __future__ import annotations

from atlas.diagram.sheet import laid_out

__all__ = ["laid_out"]
