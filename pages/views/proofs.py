"""The keys that sign receipts, and a game's proof file."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse

from games.queries.access.audience import Audience, shows_board
from games.queries.audit.proofs import keys_text, proof_file, public_keys
from pages.story import game_at
from pages.web import public_page, render_page


@public_page
def proofs(request: HttpRequest) -> HttpResponse:
    """Show the public keys, and how to check a receipt or a game."""
    return render_page("pages/proofs.html", {"keys": public_keys()[::-1]})


@public_page
def keys(request: HttpRequest) -> HttpResponse:
    """Hand out the list of public keys, as `games.verify --keys` reads it."""
    return HttpResponse(keys_text(), content_type="text/plain; charset=utf-8")


@public_page
def proof(request: HttpRequest, name: str) -> HttpResponse:
    """Hand out everything that everybody may know of a game, to be checked elsewhere."""
    game = game_at(name)
    if not shows_board(game, Audience.EVERYBODY):
        raise Http404
    written = json.dumps(proof_file(game), ensure_ascii=False, indent=1)
    response = HttpResponse(written, content_type="application/json; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{game.name}-proof.json"'
    return response
