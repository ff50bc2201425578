"""Every page of the site as everybody who could come: what opens, and that nothing secret is on it.

The pages are found by walking the URL patterns: a new one is tested by itself. Who may see what
does not hang on the database: the long walks are taken on one.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
import time_machine
from django.contrib import admin
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.models import LogEntry
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.http import HttpResponse
from django.template import Template
from django.test import Client
from django.urls import reverse

from diplomacy_server import staff
from games.acts import GAME_ACTS
from games.models import Address, Event, Game, StaffEntry
from mailer.models import OutboundMail
from pages import urls as page_urls
from tests.cast import HOUR, NOW
from tests.rights.world import (
    FOREIGN,
    FOREIGN_PLAYER,
    LOOKERS,
    OUTSIDE,
    ROLES,
    UNTOLD,
    Target,
    World,
    game_of,
    make_world,
    routes,
    targets,
    visitor,
)

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("PostgreSQL")]

CLOSED = {302, 400, 403, 404, 405}
HEALTH = {"healthz", "healthz-live", "metrics"}
RESET = {
    "admin_password_reset",
    *(f"password_reset_{step}" for step in ("done", "confirm", "complete")),
}
SHOWN = {name for _, name in routes(page_urls.urlpatterns)}
"""The public pages: open to everybody, and the same for everybody."""
PUBLIC = SHOWN | {"login", "robots", "security", *HEALTH, *RESET}
OWN = {"password_change", "password_change_done", "own_name", "second-factor-setup"}
STAFF = PUBLIC | {"index", "jsi18n", *OWN}
COLUMN = re.compile(r'(?:<label[^>]*>|data-label=")([\w ]+ (?:at|id|record|sha256)):?[<"]')
"""A label that is the name of a column, like "Created at": Django makes it of that."""


@pytest.fixture
def world(db: None) -> World:
    return make_world()


@pytest.fixture(autouse=True)
def _closed_doors_unwritten() -> Iterator[None]:
    """Django writes a trace for each closed door, which would take a fifth of the time."""
    log = logging.getLogger("django.request")
    level = log.level
    log.setLevel(logging.CRITICAL)
    yield
    log.setLevel(level)


@pytest.fixture(autouse=True)
def _headers_uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers in the header of every page (tests/test_home.py) would take a quarter of the
    time."""
    monkeypatch.setattr(staff, "counts", lambda user, now: [])


@pytest.fixture(autouse=True)
def _session_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page writes into the session is taken back, so every page reads the same: it is read
    once for the whole walk."""
    known: dict[str | None, dict[str, Any]] = {}
    read = SessionStore.load

    def load(session: SessionStore) -> dict[str, Any]:
        if session.session_key not in known:
            known[session.session_key] = read(session)
        return deepcopy(known[session.session_key])

    monkeypatch.setattr(SessionStore, "load", load)


@pytest.fixture(autouse=True)
def _visitor_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's rights change on their walk: who they are and what they may do is read once for all
    of it, not again for every page, which would take a fifth of the time."""
    known = staticmethod(cache(ModelBackend().get_user))
    monkeypatch.setattr(ModelBackend, "get_user", known)


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Templates are drawn as they are outside of tests: Django's client keeps a copy of all that
    each of them was given, and these walks do not look at it."""
    monkeypatch.setattr(Template, "_render", lambda one, context: one.nodelist.render(context))


def log_in(client: Client, role: str, world: World) -> None:
    if user := visitor(role, world):
        client.force_login(user)


def text_of(answer: HttpResponse) -> str:
    """The page without its random token, in which "Ben" can stand by chance."""
    content = b"".join(answer) if answer.streaming else answer.content  # type: ignore[arg-type]
    if not answer.get("Content-Type", "").startswith(("text/", "application/", "image/svg")):
        return ""
    # A drawing names every province of the map, and a form every order that can be chosen.
    named = r"<title>[\w ]+</title>|>[\w -]+</text>|<option value=\"[^\"]*\">[^<]*</option>"
    plain = re.sub(named, "", content.decode())
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", plain)


@contextmanager
def taken_back() -> Iterator[None]:
    """Whatever is written within is taken back. Most pages write nothing and need no savepoint:
    three more statements for each page would be as many as many a page takes itself."""
    savepoint: str | None = ""

    def watched(execute: Any, sql: str, *given: Any) -> Any:
        nonlocal savepoint
        if not savepoint and not sql.startswith("SELECT "):
            savepoint = "begun"  # it is a statement, too
            savepoint = connection.savepoint()
        return execute(sql, *given)

    with connection.execute_wrapper(watched):
        yield
        if savepoint:
            connection.savepoint_rollback(savepoint)
            connection.savepoint_commit(savepoint)
    connection.set_rollback(False)


@contextmanager
def undone() -> Iterator[None]:
    """An hour has gone by; whatever is done within is taken back."""
    with time_machine.travel(NOW + HOUR, tick=False), taken_back():
        yield


def send(client: Client, target: Target, typed: str) -> HttpResponse:
    """Send a form as a browser does, unless it has files: taking it apart is quick that way."""
    kind = "application/x-www-form-urlencoded"
    return client.post(target.url, typed, content_type=kind)  # type: ignore[return-value]


def visit(client: Client, target: Target, typed: str | None = None) -> HttpResponse:
    """Come to a page, or send its form, and take back whatever that did."""
    with undone():
        return client.get(target.url) if typed is None else send(client, target, typed)  # type: ignore[return-value]


def forms() -> list[Target]:
    """Every page but the one that ends the visit, and those that show the same whatever is sent."""
    return [
        target
        for target in targets()
        if target.name not in SHOWN | {"logout"} and not target.name.endswith("_history")
    ]


def everything_typed(world: World) -> str:
    """What would make a look, a preview and most acts happen, for those who may."""
    typed = {
        "what": ["orders", "press", "orders for later phases"],
        "why": "I want to know.",
        "confirmed": "Yes",
        "expected": GAME_ACTS["preview"].stamp(world.cast.game),
        "power": "France",
        "powers": ["France"],
        "orders": "F Brest - Picardy",
        "to": ["Italy"],
        "text": "Hello.",
        "later": "1d",
        "phase": "S1901M",
    }
    return urlencode(typed, doseq=True)


class Page(NamedTuple):
    """What a visitor finds at an address."""

    target: Target
    status: int
    text: str


def walk(client: Client, world: World, role: str) -> list[Page]:
    """Come to every page in this role; no address is seen without an entry in the staff's log."""
    log_in(client, role, world)
    players = players_addresses()
    # The public pages are the same for everybody (tests/pages/test_audience.py): one comes for all.
    shown = role == "anonymous"
    pages = []
    for target in targets():
        if shown or target.name not in SHOWN:
            with undone():
                answer: Any = client.get(target.url)
                text = text_of(answer)
                if seen := [email for email in players if email in text]:
                    looks = StaffEntry.objects.filter(at=NOW + HOUR)
                    assert looks.exists(), f"{seen} on {target.url}, and nobody will know"
            pages.append(Page(target, answer.status_code, text))
    return pages


def players_addresses() -> list[str]:
    """All addresses but those that are those of the staff, too."""
    staff = {email.lower() for email in User.objects.values_list("email", flat=True)}
    emails = Address.objects.values_list("email", flat=True)
    return [email for email in emails if email.lower() not in staff]


@pytest.mark.usefixtures("unwatched")
@pytest.mark.parametrize("role", ROLES)
def test_each_role_finds_its_own_doors_open_and_no_secret_behind_them(
    client: Client, world: World, role: str
) -> None:
    pages = walk(client, world, role)
    for page in pages:
        for secret in world.secrets:
            assert secret not in page.text, f"{secret} on {page.target.url} for {role}"
    if role in OUTSIDE:
        the_admin_is_closed(pages, PUBLIC if role != "staff" else STAFF)
    elif role in GMS:
        only_his_own_games_are_open(pages, world, role)
    elif role == "moderator":
        games_are_open_but_no_sets_and_no_mails(pages)
    elif role == "superuser":
        every_list_and_every_row_is_open(pages)


def the_admin_is_closed(pages: list[Page], but: set[str]) -> None:
    opened = {page.target.name for page in pages if page.status not in CLOSED}
    assert opened - {"view_on_site", "logout"} <= but


GMS = ("gm", "seeing gm", "playing gm")
GM_CLOSED = ("auth_", "mailer_", "games_player_")
CLOSED_TO_PLAYERS = ("games_orderset_", "games_press_")


def only_his_own_games_are_open(pages: list[Page], world: World, role: str) -> None:
    for target, status, text in pages:
        game = game_of(target.row)
        own = role == "playing gm" and target.row and target.name.startswith(CLOSED_TO_PLAYERS)
        foreign = game and game != world.cast.game
        if own or foreign or target.name.startswith(GM_CLOSED):
            assert status in CLOSED, f"{target.url} is open"
        elif game and target.name.endswith(("_change", "_history")):
            assert status == 200, f"{target.url} is closed"
        for name in (FOREIGN, FOREIGN_PLAYER, "quuxgm"):
            assert name not in text, f"{name} on {target.url}"


MODERATOR_CLOSED = ("auth_", "mailer_", "games_orderset_", "games_game_add")


def games_are_open_but_no_sets_and_no_mails(pages: list[Page]) -> None:
    for target, status, _ in pages:
        if target.name.startswith(MODERATOR_CLOSED):
            assert status in CLOSED, f"{target.url} is open"
        elif target.name in ("games_game_change", "games_phase_change", "games_player_change"):
            assert status == 200, f"{target.url} is closed"


def every_list_and_every_row_is_open(pages: list[Page]) -> None:
    for target, status, _ in pages:
        if target.name.endswith(("_changelist", "_change", "_history")):
            assert status == 200, target.url


NAMELESS = ("playing gm", "playing moderator")
"""Who plays, and runs or moderates the game: they send every form in an anonymous game."""


@pytest.mark.usefixtures("unwatched")
@pytest.mark.parametrize("role", [role for role in UNTOLD if role not in NAMELESS])
def test_who_may_not_look_gets_at_nothing_by_any_form(
    client: Client, world: World, role: str
) -> None:
    log_in(client, role, world)
    typed = everything_typed(world)
    for target in forms():
        with undone():
            text = text_of(send(client, target, typed))
            assert not Event.objects.filter(kind="orders_looked_at").exists(), target.url
        for secret in world.secrets:
            assert secret not in text, f"{secret} on {target.url} for {role}"


@pytest.mark.usefixtures("unwatched")
@pytest.mark.parametrize("role", LOOKERS)
def test_who_may_look_is_told_of_with_every_secret_they_get(
    client: Client, world: World, role: str
) -> None:
    log_in(client, role, world)
    typed = everything_typed(world)
    found, before = 0, set(Event.objects.values_list("pk", flat=True))
    for target in forms():
        with taken_back():
            text = text_of(send(client, target, typed))
            if any(secret in text for secret in world.secrets):
                found += 1
                new = Event.objects.exclude(pk__in=before).values_list("kind", flat=True)
                assert set(new) == {"orders_looked_at"}, f"{target.url} for {role}"
        assert world.token not in text
    assert found


def test_a_gm_finds_nothing_of_other_games_by_searching(client: Client, world: World) -> None:
    log_in(client, "gm", world)
    for name in ("game", "phase", "event", "orderset"):
        url = reverse(f"admin:games_{name}_changelist")
        own = client.get(url, {"q": "marne"}).context["cl"].result_count
        other = client.get(url, {"q": FOREIGN}).context["cl"].result_count
        assert own > 0
        assert other == 0


def test_a_gm_cannot_give_a_game_to_somebody_else(client: Client, world: World) -> None:
    log_in(client, "gm", world)
    form = client.get(reverse("admin:games_game_add")).context["adminform"].form
    assert list(form.fields["gm"].queryset) == [world.cast.gm]
    assert form.fields["gm"].required


@pytest.mark.usefixtures("unwatched")
@pytest.mark.parametrize("role", NAMELESS)
def test_who_plays_in_an_anonymous_game_learns_no_secret_and_not_who_plays_what(
    client: Client, world: World, role: str
) -> None:
    cast, powers = world.cast, world.cast.game.powers
    Game.objects.filter(pk=cast.game.pk).update(anonymous=True)
    powers.filter(name="England").update(disorder_since=NOW, open_since=NOW)
    cast.player("Carla").addresses.update(failing_since=NOW)
    log_in(client, role, world)
    typed = everything_typed(world)
    for target in forms():
        for answer in (visit(client, target), visit(client, target, typed)):
            text = text_of(answer)
            about_player = target.name.startswith("games_player_")
            known = [one for one in ("England", "France", "Italy", "marne") if one in text]
            named = [one for one in ("Ben", "Carla", "Emma") if one in text]
            assert not (known if about_player else named), f"{target.url} for {role}"
            for secret in world.secrets:
                assert secret not in text, f"{secret} on {target.url} for {role}"


@pytest.mark.parametrize("role", ["playing gm", "playing superuser"])
def test_who_plays_finds_no_sets_and_no_press_before_the_game_is_over(
    client: Client, world: World, role: str
) -> None:
    log_in(client, role, world)
    phase = reverse("admin:games_phase_change", args=[world.cast.phase.pk])
    lists = [reverse(f"admin:games_{name}_changelist") for name in ("orderset", "press")]
    assert [client.get(url).context["cl"].result_count for url in lists] == [0, 0]
    assert client.get(phase).context["inline_admin_formsets"] == []
    Game.objects.filter(pk=world.cast.game.pk).update(status=Game.Status.FINISHED)
    assert all(client.get(url).context["cl"].result_count for url in lists)
    assert client.get(phase).context["inline_admin_formsets"]


def test_the_walk_comes_to_rows_of_every_kind(world: World) -> None:
    """A kind of row without an example here would never be looked at."""
    walked = {type(target.row) for target in targets() if target.row}
    missing = [kind.__name__ for kind in admin.site._registry if kind not in walked]
    assert not missing, "give make_world one of each"


@pytest.mark.usefixtures("unwatched")
def test_each_row_is_shown_in_words_even_where_an_address_has_an_empty_name_of_a_field(
    client: Client, world: World
) -> None:
    log_in(client, "superuser", world)
    rows = {target.name: target for target in targets() if target.name.endswith("_change")}
    assert {"auth_user_change", "auth_group_change", "games_game_change"} <= rows.keys()
    for target in rows.values():
        answer = client.get(target.url, {"_to_field": ""})
        assert answer.status_code == 200, target.url
        assert COLUMN.findall(answer.content.decode()) == [], target.url


def our_lists() -> Iterator[tuple[Any, str]]:
    """Yield every page of the admin that is ours, with the address of its list."""
    for model, page in admin.site._registry.items():
        app, name = model._meta.app_label, model._meta.model_name
        if app in ("games", "mailer"):
            yield page, reverse(f"admin:{app}_{name}_changelist")


def filtered_by(one: Any) -> str:
    """The field, or the parameter, that an entry of a list's filters goes by."""
    if isinstance(one, type) and issubclass(one, SimpleListFilter):
        return str(one.parameter_name)
    return one if isinstance(one, str) else one[0]


@pytest.mark.usefixtures("unwatched")
def test_nothing_can_be_filtered_for_but_what_the_list_offers(client: Client, world: World) -> None:
    """A yes or no to "does it begin with A Par" gives orders away word by word."""
    log_in(client, "superuser", world)
    for page, url in our_lists():
        offered = {filtered_by(one) for one in page.list_filter}
        for field in page.model._meta.concrete_fields:
            if field.name not in offered:
                for lookup in ("startswith", "isnull"):
                    answer = client.get(url, {f"{field.name}__{lookup}": "1"})
                    assert answer.status_code in (302, 400), f"{field.name} in {url}"


def test_nothing_secret_can_be_searched_for(client: Client, world: World) -> None:
    log_in(client, "superuser", world)
    for page, url in our_lists():
        for secret in world.secrets if page.search_fields else ():
            found = client.get(url, {"q": secret}).context["cl"].result_count
            assert found == 0, f"{secret} in {url}"


def test_no_mail_to_the_gm_has_a_secret_in_it(world: World) -> None:
    mails = OutboundMail.objects.filter(recipient=world.cast.gm.email)
    assert mails.exists()
    for mail in mails:
        text = f"{mail.subject}\n{mail.body}\n{mail.reply_to}\n{mail.references}"
        assert not [secret for secret in world.secrets if secret in text]


def test_no_event_and_no_note_of_the_admin_has_a_secret_in_it(world: World) -> None:
    texts = [str(event.payload) for event in Event.objects.all()]
    texts += [str(entry) for entry in LogEntry.objects.all()]
    assert texts
    assert not [secret for secret in world.secrets for text in texts if secret in text]


@pytest.mark.parametrize("weak", ["a", "password", "20261121", "gm@players.test"])
def test_nobody_who_comes_in_takes_a_password_that_is_guessed_at_once(
    client: Client, world: World, weak: str
) -> None:
    gm = world.cast.gm
    gm.set_password("old, and long enough")
    gm.save()
    client.force_login(gm)
    typed = {"old_password": "old, and long enough", "new_password1": weak, "new_password2": weak}
    client.post(reverse("admin:password_change"), typed)
    gm.refresh_from_db()
    assert gm.check_password("old, and long enough")


def test_the_pages_of_the_demo_do_not_exist_elsewhere(client: Client) -> None:
    for path in ("/mail/", "/live/", "/write/", "/mail/in-1/", "/mail/in-1/raw/"):
        assert client.get(path).status_code == 404
