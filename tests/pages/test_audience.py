"""Nobody learns from a page what they may not know yet, whoever asks: players, GM, strangers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Attendance, Game, Phase, Player
from games.queries.access.audience import (
    Audience,
    attendance_shown,
    press_shown,
    results_shown,
    seats_shown,
    shows_board,
    shows_names,
)
from games.queries.reports.pictures import subject_of
from tests.cast import NOW, POWERS, Cast, submit
from tests.pages.playing import PRIVATE_PRESS, PUBLIC_PRESS, SECRET_LINE, played

pytestmark = pytest.mark.django_db

EVERYBODY, PLAYERS = Audience.EVERYBODY, Audience.PLAYERS
OPEN_ORDER = "A Munich - Portugal"
SETTINGS = {
    "open": {},
    "for players only": {"observers": False},
    "anonymous": {"anonymous": True},
    "gunboat": {"anonymous": True, "press_mode": "none", "observers": False},
}
PHASES = 2


@pytest.fixture(params=SETTINGS, ids=str)
def cast(request: pytest.FixtureRequest) -> Cast:
    """A game of each kind, in its third phase, in which orders have come."""
    return with_orders(played(PHASES, **SETTINGS[request.param]))


def with_orders(cast: Cast) -> Cast:
    """Let orders come from two powers."""
    for power in ("Germany", "France"):
        phase = cast.phase
        phase.order_sets.create(
            power=cast.seat(power).power,
            seat=cast.seat(power),
            lines=[OPEN_ORDER],
            reading=[],
            received_at=NOW,
            recorded_at=NOW,
            source="<open@players.test>",
            digest=power,
        )
    return cast


def over(cast: Cast) -> None:
    """End the game, as a draw of two."""
    rows = Game.objects.filter(pk=cast.game.pk)
    rows.update(status="finished", ending="draw", winners=["France", "Turkey"], finished_at=NOW)
    cast.game.phases.filter(status="open").update(status="closed")
    cast.game.refresh_from_db()


def pages(cast: Cast) -> Iterator[str]:
    """Every address that says something of the game or of who plays in it."""
    yield from ("/", "/feed/", "/players/", "/proofs/")
    for part in ("", "press/", "log/", "feed/", "proof.json"):
        yield f"/games/marne/{part}"
    for phase in cast.game.phases.all():
        for part in ("/", "/part.json", ".json", ".svg"):
            yield f"/games/marne/{phase.name}{part}"
    yield from (f"/players/{player.pk}/" for player in Player.objects.all())


def people(cast: Cast) -> dict[str, User | None]:
    """Seven players, the GM, and a stranger."""
    found: dict[str, User | None] = {"stranger": None, "GM": cast.gm}
    for name in POWERS:
        player = cast.player(name)
        user = User.objects.create_user(name, f"{name.lower()}@players.test")
        Player.objects.filter(pk=player.pk).update(user=user)
        found[name] = user
    return found


def some_pages(cast: Cast) -> list[str]:
    """One page of each kind."""
    name = cast.game.phases.last().name
    game = [f"/games/marne/{part}" for part in ("", "press/", "log/", "feed/", f"{name}/part.json")]
    return ["/", "/feed/", "/players/", f"/players/{cast.player('Ana').pk}/", *game]


def seen(client: Client, cast: Cast, addresses: Iterable[str] | None = None) -> dict[str, str]:
    """The text of every page that opens."""
    answers = {address: client.get(address) for address in addresses or pages(cast)}
    assert {answer.status_code for answer in answers.values()} <= {200, 404}
    return {
        address: answer.content.decode()
        for address, answer in answers.items()
        if answer.status_code == 200
    }


@pytest.mark.parametrize("kind", ["open", "gunboat"])
def test_everybody_sees_the_same_pages_as_a_stranger(kind: str) -> None:
    """Where there is everything to see, and where there is nothing."""
    cast = with_orders(played(PHASES, **SETTINGS[kind]))
    found = {}
    for who, user in people(cast).items():
        client = Client()
        if user:
            client.force_login(user)
        found[who] = seen(client, cast, some_pages(cast))
    for who, texts in found.items():
        differ = [one for one, text in texts.items() if text != found["stranger"].get(one)]
        assert not differ, who
        assert texts.keys() == found["stranger"].keys()


def test_each_kind_of_game_shows_what_it_may_and_no_more(client: Client, cast: Cast) -> None:
    """While it is played, and when it is over."""
    game = cast.game
    running = seen(client, cast)
    nothing_secret_is_shown(running)
    names_are_shown(running, not game.anonymous and game.observers)
    the_board_is_shown(running, game.observers)
    press_is_shown(running, game.press_mode == "both" and game.observers)

    over(cast)
    finished = seen(client, cast)
    nothing_secret_is_shown(finished)
    names_are_shown(finished, True)
    the_board_is_shown(finished, True)
    press_is_shown(finished, game.press_mode == "both")


def nothing_secret_is_shown(found: dict[str, str]) -> None:
    everything = "\n".join(found.values())
    secrets = (SECRET_LINE, "moon of Jupiter", PRIVATE_PRESS, "Munich - Portugal")
    assert [one for one in (*secrets, "players.test", "gm@") if one in everything] == []


def names_are_shown(found: dict[str, str], shown: bool) -> None:
    everything = "\n".join(found.values())
    assert all((name in everything) == shown for name in POWERS)


def the_board_is_shown(found: dict[str, str], shown: bool) -> None:
    phases = [address for address in found if "/games/marne/S1" in address]
    assert bool(phases) == shown
    assert ("data-unit" in found["/games/marne/"]) == shown
    assert ("og:image" in found["/games/marne/"]) == shown
    assert ("worked" in preview_of(found["/games/marne/"])) == shown
    assert ('class="chip"' in found["/"]) == shown
    assert ("<code>" in found["/games/marne/log/"]) == shown


def preview_of(page: str) -> str:
    """What others show of a link to the page."""
    [told] = re.findall(r'property="og:description" content="([^"]*)"', page)
    return str(told)


def press_is_shown(found: dict[str, str], shown: bool) -> None:
    escaped = PUBLIC_PRESS.replace("<", "&lt;").replace(">", "&gt;")
    assert (escaped in found["/games/marne/press/"]) == shown


def test_an_open_phase_is_shown_without_orders(client: Client) -> None:
    cast = played(PHASES)
    submit(cast, "Germany", ["A Munich - Portugal"], NOW.replace(day=8))
    name = cast.phase.name

    assert results_shown(cast.phase, PLAYERS) == ()
    assert client.get(f"/games/marne/{name}.json").status_code == 404
    subject = subject_of(cast.phase, PLAYERS)
    assert subject is not None
    assert (subject.results, subject.next) == ((), None)


def test_the_players_see_what_was_adjudicated_of_every_game(cast: Cast) -> None:
    assert shows_board(cast.game, PLAYERS)
    assert shows_names(cast.game, PLAYERS) == (not cast.game.anonymous)
    assert press_shown(cast.game, PLAYERS).count() == (cast.game.press_mode == "both")
    phase = cast.game.phases.select_related("game").first()
    assert results_shown(phase, PLAYERS)
    assert bool(results_shown(phase, EVERYBODY)) == cast.game.observers


def test_what_a_rollback_undid_is_shown_no_more(client: Client) -> None:
    cast = played(PHASES)
    cast.game.phases.filter(number__gte=2).update(status=Phase.Status.UNDONE)
    undone = cast.game.phases.get(number=2)

    assert results_shown(undone, PLAYERS) == ()
    assert client.get(f"/games/marne/{undone.name}/").status_code == 404


def test_a_miss_in_an_anonymous_game_shows_on_nobodys_page_before_its_end() -> None:
    """It would tell who plays the power that missed the deadline."""
    cast = played(PHASES, anonymous=True)
    assert Attendance.objects.exists()
    assert not attendance_shown().exists()
    assert not seats_shown(cast.player("Ana")).exists()
    over(cast)
    assert attendance_shown().count() == Attendance.objects.count()
    assert seats_shown(cast.player("Ana")).count() == 1
