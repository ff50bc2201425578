"""Scenes as PNG, by Pillow and aggdraw."""

from __future__ import annotations

from atlas.raster.painter import png, size_of

__all__ = ["png", "size_of"]
