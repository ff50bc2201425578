"""Scenes as PNG, by Pillow and aggdraw."""

from __future__ import annotations

from atlas.raster.badges import badge
from atlas.raster.colours import palette_of
from atlas.raster.ground import cached_label, ground_of, land_of
from atlas.raster.painter import png, size_of

__all__ = ["forget_boards", "png", "size_of"]

_OF_BOARDS = (land_of, ground_of, palette_of)


def forget_boards(most: int) -> None:
    """Free what was painted, if it is of more than `most` boards, of 3 MB each."""
    if max(painted.cache_info().currsize for painted in _OF_BOARDS) > most:
        for painted in (*_OF_BOARDS, cached_label, badge):
            painted.cache_clear()
