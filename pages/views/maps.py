"""What pictures on pages share: the drawing behind all phases, and the letters on it."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse

from atlas.fonts import Face
from atlas.fonts import face as path_of_face
from games.errors import BadInput
from games.models import Game
from games.queries import board
from pages.maps import still_address, still_drawing
from pages.web import FOR_EVER, public_page


@public_page
def still(request: HttpRequest, variant: str, version: str) -> HttpResponse:
    """Return the drawing behind all phases of a variant."""
    if board.CHOICES in variant and not Game.objects.filter(variant=variant).exists():
        # Anybody could make up any number of choices, and each of them would be kept.
        raise Http404("No game is played so.")
    try:
        address = still_address(variant)
    except BadInput as error:
        raise Http404(str(error)) from error
    response = HttpResponse(still_drawing(variant), content_type="image/svg+xml")
    if request.path == address:
        response.headers["Cache-Control"] = FOR_EVER
    return response


@public_page
def face(request: HttpRequest, face: str) -> HttpResponse:
    """Return the letters of the maps, which never change."""
    data = Path(path_of_face(cast(Face, face))).read_bytes()
    return HttpResponse(data, content_type="font/ttf", headers={"Cache-Control": FOR_EVER})
