"""The addresses of the public pages, as docs/operators.md promises them."""

from __future__ import annotations

from django.urls import path, re_path, register_converter

from pages.views import (
    calendars,
    compose,
    create,
    feeds,
    front,
    game,
    log,
    maps,
    moves,
    phase,
    players,
    press,
    proofs,
    tournaments,
    variants,
)


class PhaseName:
    """`F1904M` in an address."""

    regex = "[SFW][0-9]{1,4}(?:BC)?[MRA]"

    def to_python(self, value: str) -> str:
        """Return the name as a phase has it."""
        return value

    def to_url(self, value: str) -> str:
        """Return the name as an address has it."""
        return value


register_converter(PhaseName, "phase")

urlpatterns = [
    path("", front.front, name="front"),
    path("create/", create.create, name="create"),
    path("feed/", feeds.all_games, name="feed"),
    path("games/<slug:name>/", game.game, name="game"),
    path("games/<slug:name>/press/", press.press, name="press"),
    path("games/<slug:name>/log/", log.log, name="log"),
    path("games/<slug:name>/moves/", moves.moves, name="moves"),
    path("games/<slug:name>/moves.txt", moves.as_text, name="moves-text"),
    path("games/<slug:name>/proof.json", proofs.proof, name="proof"),
    path("games/<slug:name>/feed/", feeds.one_game, name="game-feed"),
    path("games/<slug:name>/orders/<slug:power>/", compose.compose, name="compose"),
    path("games/<slug:name>/<phase:phase>/", phase.phase, name="phase"),
    path("games/<slug:name>/<phase:phase>/part.json", phase.part, name="phase-part"),
    path("games/<slug:name>/<phase:phase>.json", phase.as_json, name="phase-json"),
    path("games/<slug:name>/<phase:phase>.svg", phase.svg, name="phase-svg"),
    path("games/<slug:name>/<phase:phase>.png", phase.png, name="phase-png"),
    path("games/<slug:name>/calendar.ics", calendars.of_game, name="game-calendar"),
    re_path(r"^calendar/(?P<key>[0-9]+-[0-9a-f]+)\.ics$", calendars.of_player, name="calendar"),
    path("proofs/", proofs.proofs, name="proofs"),
    path("proofs/keys.txt", proofs.keys, name="keys"),
    path("players/", players.players, name="players"),
    path("players/<int:key>/", players.player, name="player"),
    path("variants/", variants.variants, name="variants"),
    path("variants/<slug:name>/", variants.variant, name="variant"),
    path("tournaments/", tournaments.all_tournaments, name="tournaments"),
    path("tournaments/<slug:name>/", tournaments.tournament, name="tournament"),
    path("tournaments/<slug:name>/table.csv", tournaments.as_csv, name="tournament-csv"),
    re_path(r"^maps/(?P<variant>[\w+=-]+)-(?P<version>[0-9a-f]{12})\.svg$", maps.still, name="map"),
    re_path(
        r"^maps/(?P<variant>[\w+=-]+)-(?P<version>[0-9a-f]{12})\.png$", maps.start, name="map-start"
    ),
    re_path(r"^maps/(?P<face>regular|bold|italic)\.ttf$", maps.face, name="map-face"),
]
