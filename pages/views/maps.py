"""What all pictures on pages share: the drawing behind all phases, and the letters on it."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse

from atlas.fonts import Face
from atlas.fonts import face as path_of_face
from games.errors import BadInput
from games.models import Game
from games.queries import board
from pages.maps import start_address, start_as_png, still_address, still_drawing
from pages.web import FOR_EVER, public_page


@public_page
def still(request: HttpRequest, variant: str, version: str) -> HttpResponse:
    """Return the drawing behind all phases of a variant."""
    _require_known(variant)
    return _respond(request, still_address(variant), still_drawing(variant), "image/svg+xml")


@public_page
def start(request: HttpRequest, variant: str, version: str) -> HttpResponse:
    """Return the board on which a variant begins, for programs that show a picture beside a
    link."""
    _require_known(variant)
    return _respond(request, start_address(variant), start_as_png(variant), "image/png")


def _require_known(variant: str) -> None:
    """Raise Http404 unless there is such a variant, or a game with these choices of one."""
    if board.CHOICES in variant and not Game.objects.filter(variant=variant).exists():
        # Otherwise anybody could make up choices without end, each of which we would keep.
        raise Http404("No game is played so.")
    try:
        board.variant_named(variant)
    except BadInput as error:
        raise Http404(str(error)) from error


def _respond(request: HttpRequest, address: str, data: bytes, kind: str) -> HttpResponse:
    """Return a picture, which browsers keep for ever if it was asked for by its newest address."""
    response = HttpResponse(data, content_type=kind)
    if request.path == address:
        response.headers["Cache-Control"] = FOR_EVER
    return response


@public_page
def face(request: HttpRequest, face: str) -> HttpResponse:
    """Return the letters of the maps, which never change."""
    data = Path(path_of_face(cast(Face, face))).read_bytes()
    return HttpResponse(data, content_type="font/ttf", headers={"Cache-Control": FOR_EVER})
