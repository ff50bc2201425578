"""Scenes as SVG, for pages."""

from __future__ import annotations

from atlas.vector.painter import Changes, changes, svg

__all__ = ["Changes", "changes", "svg"]
