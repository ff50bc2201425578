"""A world with secrets in it, everybody who could want to know them, and every page of the site."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, QuerySet
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.text import slugify

from games.acts import GAME_ACTS, PLAYER_ACTS
from games.models import Game, Phase, Player, StaffEntry
from games.queries.access.staff_names import Actor
from games.queries.tournaments.tournament import tournaments
from games.services.moderation.staff import gm_appoint, moderator_appoint
from games.services.moderation.staff_log import entry_write
from games.services.seating.joining import game_join
from games.services.seating.observers import observe
from games.services.setup.games import game_create
from mailer.models import InboundMail
from mailer.outbound import addresses
from pages.maps import start_address, still_address
from tests.cast import NOW, Cast, make_cast, make_player
from tests.made import made_once
from tests.mailer.correspondence import eml, receive, stored, tell_all, write

ORDER = "xyzzyorder"
"""Stands in a line of the open phase's orders that nobody can read, beside one that counts."""
UNIT_TO = "Gascony"
"""Where that order goes: nothing else has to do with it in Spring 1901."""
AHEAD, PRESS, HELD, SUBJECT = "xyzzyahead", "xyzzypress", "xyzzyheld", "xyzzysubject"

FOREIGN = "quuxgame"
"""The game of another GM."""
FOREIGN_PLAYER = "Quuxine"


@dataclass(frozen=True)
class World:
    """The game `marne` in its first phase with orders, press and mails; a game of another GM."""

    cast: Cast
    other: Game
    token: str

    @property
    def secrets(self) -> list[str]:
        """What nobody may read before the deadline without a look."""
        return [ORDER, UNIT_TO, AHEAD, PRESS, HELD, SUBJECT, self.token]


def make_world() -> World:
    """Two games; in one of them France has ordered, planned, written, and been misunderstood."""
    token = made_once("the world of the rights", _make)
    cast = Cast(Game.objects.get(name="marne"), User.objects.get(username="gm"))
    return World(cast, Game.objects.get(name=FOREIGN), token)


def _make() -> str:
    """Return what stands in the address of France's orders; the database keeps no token."""
    cast = make_cast()
    other_gm = User.objects.create_user("quuxgm", "quuxgm@players.test")
    for user in (cast.gm, other_gm):
        gm_appoint(user=user)
    other = game_create(name=FOREIGN, gm=other_gm, tournament="spring-cup", now=NOW)
    observe(game=cast.game, player=cast.player("Hugo"), now=NOW)
    game_join(game=other, player=make_player(FOREIGN_PLAYER), preferences="", now=NOW)
    to = addresses.seat_address(seat=cast.seat("France"), phase=cast.phase, now=NOW)
    lines = [
        "A Mar - Gas",
        f"A Mun - {ORDER}",
        "PRESS TO Italy",
        PRESS,
        "END PRESS",
        "PHASE F1901M",
        f"A Gas - {AHEAD}",
        "A Gas - Spa",
    ]
    sender = "carla@players.test"
    receive(eml("\n".join(lines), sender=sender, to=to, subject=SUBJECT))
    write("Carla", f"A Par - Pic\n{HELD}")  # without a token: held
    broken = stored(eml(f"A Par - {ORDER}", sender=sender, to=to, subject=SUBJECT))
    state = InboundMail.State.QUARANTINED
    InboundMail.objects.filter(pk=broken.pk).update(state=state, attempts=3)
    tell_all()
    what = StaffEntry.What.ADDRESSES
    entry_write(what=what, about="the list of players", by=Actor("di"), now=NOW)
    return to.partition("+")[2].partition("@")[0]


# --- Who comes ----------------------------------------------------------------------------

OUTSIDE = ("anonymous", "player", "staff")
"""Who has no business in the admin, though the last may log in."""
UNTOLD = (
    *OUTSIDE,
    "gm",
    "other gm",
    "playing gm",
    "moderator",
    "playing moderator",
    "clerk",
    "playing superuser",
)
"""Who may not even look for a reason."""
LOOKERS = ("seeing gm", "superuser")
ROLES = (*UNTOLD, *LOOKERS)


def visitor(role: str, world: World) -> User | None:
    """Return who comes in this role, with what they may; None for somebody without a login."""
    if role == "anonymous":
        return None
    gms = {"gm", "seeing gm", "playing gm"}
    if role in gms:
        return _gm(role, world)
    if role == "other gm":
        gm = world.other.gm
        assert gm is not None, "the other game has a GM"
        return gm
    name = role.replace(" ", "-")
    user = User.objects.create_user(name, f"{name}@players.test", is_staff=role != "player")
    if role == "player":
        carla = world.cast.player("Carla")
        carla.user = user
        carla.save()
    if role.endswith("moderator"):
        moderator_appoint(user=user)
    if role == "clerk":
        user.user_permissions.set(every_permission_but_one())
    if role.endswith("superuser"):
        user.is_superuser = True
    if role.startswith("playing"):
        user.email = "Dmitri@players.test"
    user.save()
    return user


def _gm(role: str, world: World) -> User:
    gm = world.cast.gm
    if role != "gm":
        Game.objects.filter(pk=world.cast.game.pk).update(gm_sees=Game.GMSees.ORDERS)
    if role == "playing gm":
        gm.email = "Ana@players.test"
        gm.save()
    return gm


def every_permission_but_one() -> QuerySet[Permission]:
    """Every permission there is but that to see open orders."""
    return Permission.objects.exclude(codename="view_open_orders")


# --- Every page ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """One address of the site: the name of its page, and the row it is about."""

    url: str
    name: str
    row: Model | None = None


@cache
def targets() -> list[Target]:
    """Return every address of the site; where one names a row, one for each row of that model.

    The world is put back under the same keys in each test, so they are found only once.
    """
    return [one for route, name in routes(get_resolver().url_patterns) for one in _of(route, name)]


def routes(patterns: list[Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield every route of these patterns and below them, with its name."""
    for one in patterns:
        route = f"{before}{one.pattern}"
        if isinstance(one, URLResolver):
            yield from routes(one.url_patterns, route)
        else:
            assert isinstance(one, URLPattern), f"{route} leads nowhere"
            yield route, one.name or ""


ACTS: dict[str, Collection[str]] = {"game": GAME_ACTS, "player": PLAYER_ACTS}
"""The acts that have a page for each row of a model."""

_ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>")
_PATTERN = re.compile(r"[\^$]|\\Z")
_CHOICE = re.compile(r"\(\?P<\w+>([^)]*)\)")


def _of(route: str, name: str) -> Iterator[Target]:
    if route.startswith(("games/", "players/", "maps/", "calendar/", "tournaments/")):
        yield from _public(route, name)
        return
    if found := _CHOICE.search(route):
        choices = found[1].split("|") if "|" in found[1] else ["nothing/"]
        for choice in choices:
            yield Target("/" + _PATTERN.sub("", route.replace(found[0], choice)), name)
        return
    arguments = _ARGUMENT.findall(route)
    if not arguments:
        yield Target("/" + _PATTERN.sub("", route), name)
    elif "content_type_id" in arguments:
        for row in Phase.objects.all():
            kind = ContentType.objects.get_for_model(row).pk
            yield Target(f"/admin/r/{kind}/{row.pk}/", name, row)
    elif name == "variant":
        yield Target("/variants/standard/", name)
    elif name == "unsubscribe":
        yield Target("/unsubscribe/nobody-has-it/", name)
    elif "token" in arguments:
        yield Target("/admin/password/MQ/nobody-has-it/", name)
    else:
        yield from _about_rows(route, name, arguments)


def _public(route: str, name: str) -> Iterator[Target]:
    """Yield a public page for each game, each phase, each player or each tournament."""
    if route.startswith("tournaments/"):
        names = tournaments().values_list("name", flat=True)
        yield from (Target("/" + route.replace("<slug:name>", one), name) for one in names)
    elif "<slug:name>" in route:
        for game in Game.objects.all():
            one = route.replace("<slug:name>", game.name)
            if "<slug:power>" in route:
                powers = game.powers.values_list("name", flat=True)
                yield from (
                    Target("/" + one.replace("<slug:power>", slugify(p)), name) for p in powers
                )
                continue
            for phase in game.phases.all() if "<phase:phase>" in route else [None]:
                yield Target("/" + one.replace("<phase:phase>", str(phase and phase.name)), name)
    elif "<int:key>" in route:
        for player in Player.objects.all():
            yield Target("/" + route.replace("<int:key>", str(player.pk)), name)
    elif "variant" in route:
        address = start_address if name == "map-start" else still_address
        yield Target(address("standard"), name)
    elif "face" in route:
        yield Target("/maps/bold.ttf", name)
    else:
        yield Target("/" + route, name)


def _about_rows(route: str, name: str, arguments: list[str]) -> Iterator[Target]:
    _, app, model, *_ = route.split("/")
    key, *others = arguments
    assert key in ("object_id", "id"), f"Say what {key} is in {route}"
    assert others in ([], ["act"]), f"Say what {others} are in {route}"
    # Deleting is refused, and a bare address led on, whatever a row says.
    chosen = _one_of_each_game if name in ("", f"{app}_{model}_delete") else _examples
    for row in chosen(apps.get_model(app, model)):
        address = "/" + re.sub(rf"<(\w+:)?{key}>", str(row.pk), route)
        for act in ACTS[model] if others else [""]:
            yield Target(re.sub(r"<(\w+:)?act>", act, address), name, row)


def _one_of_each_game(model: type[Model]) -> list[Model]:
    rows = {getattr(row, "game_id", None): row for row in reversed(_examples(model))}
    return list(rows.values())


@cache
def _examples(model: type[Model]) -> list[Model]:
    """Return up to two rows of each kind, state and game: the walk shall not take all day."""
    found: dict[tuple[object, ...], list[Model]] = {}
    for row in model._default_manager.all():
        alike = tuple(getattr(row, name, "") for name in ("kind", "state", "status", "game_id"))
        found.setdefault(alike, []).append(row)
    return [row for rows in found.values() for row in rows[:2]]


def game_of(row: Model | None) -> Game | None:
    """Return the game that a row is about, if it is about one."""
    if isinstance(row, Game):
        return row
    for path in ("game", "phase.game", "power.game", "seat.power.game"):
        found: Any = row
        for step in path.split("."):
            found = getattr(found, step, None)
        if isinstance(found, Game):
            return found
    return None
