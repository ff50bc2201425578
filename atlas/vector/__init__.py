"""Scenes as SVG, for pages."""

from __future__ import annotations

from atlas.vector.painter import Changes, changes, svg, svg_on
from atlas.vector.still import still_svg

__all__ = ["Changes", "changes", "still_svg", "svg", "svg_on"]
