"""Whatever one of the staff looks at that is not theirs to read stands in the staff's log."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command, get_commands
from django.test import Client
from django.urls import get_resolver, reverse

from diplomacy_server.look_log import SHOW_SECRETS
from games.models import Game, Press, StaffEntry
from games.queries.access.staff_names import Actor
from games.queries.parsing.press_audience import Audience
from games.services.messages.press import press_send
from games.services.moderation.staff import moderator_appoint
from games.services.moderation.staff_log import entry_write
from mailer.models import InboundMail, OutboundMail
from tests.cast import DAY, HOUR, NOW, Cast, address_of
from tests.mailer.correspondence import eml, receive, told_cast
from tests.rights.world import routes

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parent.parent

COMMANDS_THAT_LOOK = {
    "export_player": "tests/mailer/own_data: a look, told to the players",
    "erase_player": "tests/games/people/test_erasing.py",
    "export_game": "test_a_game_as_a_file_is_a_look",
}
COMMANDS_THAT_DO_NOT = {
    "after_restore": "reads mails again, and shows none",
    "backup": "a copy of the whole database, which nobody reads by it",
    "check": "settings",
    "command_manual": "the manual",
    "copy_database": "a copy of the whole database, which nobody reads by it",
    "create_game": "makes a game",
    "demo_clock": "the demo, where everybody may read everything",
    "demo_prepare": "the demo",
    "doctor": "the machine and its settings",
    "import_game": "reads a file that whoever runs it has already",
    "list_variants": "variants",
    "make_moderator": "names one of the staff",
    "make_receipt_key": "makes a key",
    "make_round": "who plays what, in games that begin: the operator's own doing",
    "migrate": "tables",
    "poll_mail": "works on mails, and shows none",
    "process_game": "what all players are mailed",
    "read_mail": "reads a file that whoever runs it has already",
    "reset_second_factor": "one of the staff",
    "restore_drill": "counts",
    "rollback_game": "what all players are mailed",
    "settings_manual": "the manual",
    "start_game": "who plays what, in a game that begins: the operator's own doing",
    "status": "numbers",
    "tick": "numbers",
    "verify_game": "reads a file that whoever runs it has already",
    "verify_log": "says whether the log is whole",
    "version": "the version",
}


@pytest.fixture
def cast(db: None) -> Cast:
    """Marne, told; Ana has ordered by mail."""
    cast = told_cast()
    receive(eml("STATUS", sender=f"Ana <{address_of('Ana')}>"))
    return cast


@pytest.fixture
def moderator(cast: Cast, client: Client) -> Client:
    user = User.objects.create_user("mo", "mo@staff.test", first_name="Mo")
    moderator_appoint(user=user)
    client.force_login(user)
    return client


@pytest.fixture
def operator(cast: Cast, client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root", "root@staff.test"))
    return client


def entries() -> list[tuple[str, str]]:
    """What the log has, the oldest first."""
    return list(StaffEntry.objects.order_by("pk").values_list("what", "about"))


# --- every page and every command -------------------------------------------------------------


SAY_THEMSELVES = frozenset(
    {
        "index",  # the queue, where a case names an address
        "games_player_queue",
        "games_press_change",  # what was written between powers of a game that is over
        "games_phase_look",  # by services.moderation.looks
        "games_game_act",  # the preview, likewise
        "games_staffentry_csv",
    }
)
"""Pages that show secrets only sometimes, and say so as they are made (`games.staff_request`)."""


def _pages(model: str, *but: str) -> Iterable[str]:
    """The pages that the admin has for a model, with a few exceptions, and those that lead to
    them."""
    kinds = {"changelist", "add", "change", "delete", "history"} - set(but)
    return (f"{model}_{kind}" for kind in kinds)


HARMLESS = frozenset(
    {
        *_pages("games_event"),  # sentences that all players read
        *_pages("games_game"),
        *_pages("games_observer"),
        *_pages("games_orderset"),  # orders are shown once they are adjudicated
        *_pages("games_phase"),
        *_pages("games_player", "changelist", "change"),
        *_pages("games_press", "change"),
        *_pages("games_staffentry"),
        *_pages("mailer_mailbox"),
        *_pages("mailer_inboundmail", "changelist", "change", "history"),
        *_pages("mailer_outboundmail", "changelist", "change", "history"),
        *_pages("auth_user"),  # of the staff
        *_pages("auth_group"),
        *("games_game_board", "games_game_orders"),  # what all players were mailed
        *("games_player_case", "halt", "auth_user_password_change"),
        *("app_list", "autocomplete", "jsi18n", "view_on_site", "login", "logout"),
        *("password_change", "password_change_done", "own_name"),
        *("admin_password_reset", "second-factor", "second-factor-setup"),
        *(f"password_reset_{step}" for step in ("done", "confirm", "complete")),
        "",  # addresses that lead to one of the pages above
    }
)
"""Pages with nothing secret and nobody's address on them."""


def admin_pages() -> Iterator[str]:
    return (
        name for route, name in routes(get_resolver().url_patterns) if route.startswith("admin")
    )


def test_every_page_of_the_admin_stands_in_one_table() -> None:
    """A new page has to say what it shows: a look, nothing, or that it says so itself."""
    known = [*SHOW_SECRETS, *SAY_THEMSELVES, *HARMLESS]
    assert sorted(set(admin_pages()) - set(known)) == []
    assert sorted(set(known) - set(admin_pages())) == []
    assert len(known) == len(set(known))


def test_every_command_of_ours_is_a_look_or_says_why_not() -> None:
    ours = {
        name
        for name, app in get_commands().items()
        if isinstance(app, str) and app in ("games", "mailer", "diplomacy_server")
    }
    assert ours == set(COMMANDS_THAT_LOOK) | set(COMMANDS_THAT_DO_NOT)


# --- what is written --------------------------------------------------------------------------


def test_the_table_of_pages_that_show_secrets_is_true(operator: Client, cast: Cast) -> None:
    """Each page is visited; each leaves the entry that the table says."""
    rows = {
        "player": cast.player("Ana").pk,
        "inboundmail": InboundMail.objects.latest("pk").pk,
        "outboundmail": OutboundMail.objects.filter(event__isnull=False)[0].pk,
    }
    for name, (what, about) in SHOW_SECRETS.items():
        StaffEntry.objects.all().delete()
        key = rows[name.split("_")[1]]
        arguments = [] if name.endswith("changelist") else [key]
        if name.endswith("_act"):
            arguments.append("write")
        assert operator.get(reverse(f"admin:{name}", args=arguments)).status_code == 200, name
        assert (what, about.format(object_id=key)) in entries(), name


def test_an_entry_says_who_what_whose_and_when(moderator: Client, cast: Cast) -> None:
    ana = cast.player("Ana")
    with time_machine.travel(NOW + HOUR, tick=False):
        moderator.get(reverse("admin:games_player_change", args=[ana.pk]))
    entry = StaffEntry.objects.get()
    assert (entry.what, entry.about) == ("addresses", f"account {ana.pk}")
    assert entry.user is not None
    assert (entry.by, entry.user.username, entry.player, entry.at) == ("Mo", "mo", ana, NOW + HOUR)


def test_whoever_comes_again_within_the_hour_stands_there_once(
    moderator: Client, cast: Cast
) -> None:
    url = reverse("admin:games_player_change", args=[cast.player("Ana").pk])
    for minutes, there in ((0, 1), (59, 1), (61, 2)):
        with time_machine.travel(NOW + minutes * HOUR / 60, tick=False):
            moderator.get(url)
        assert StaffEntry.objects.count() == there, minutes


def test_a_page_that_was_refused_is_no_look(client: Client, cast: Cast) -> None:
    client.force_login(cast.gm)
    url = reverse("admin:games_player_change", args=[cast.player("Ana").pk])
    assert client.get(url).status_code in (302, 403)
    assert entries() == []


def test_an_ordinary_page_is_no_look(moderator: Client, cast: Cast) -> None:
    moderator.get(reverse("admin:games_game_change", args=[cast.game.pk]))
    moderator.get(reverse("admin:index"))
    moderator.get(reverse("admin:games_player_queue"))
    assert entries() == []


@pytest.mark.parametrize("page", ["index", "games_player_queue"])
def test_a_queue_that_names_an_address_is_a_look(moderator: Client, cast: Cast, page: str) -> None:
    cast.player("Ana").addresses.update(failing_since=NOW, failure="550 no such user")
    assert address_of("Ana") in moderator.get(reverse(f"admin:{page}")).content.decode()
    assert entries() == [("addresses", "the moderators’ queue")]


def test_a_mail_that_lies_open_is_a_look_when_it_is_read(operator: Client, cast: Cast) -> None:
    Game.objects.update(status=Game.Status.FINISHED)
    mail = InboundMail.objects.latest("pk")
    page = operator.get(reverse("admin:mailer_inboundmail_change", args=[mail.pk]))
    assert "STATUS" in page.content.decode()
    assert ("mail", f"mail #{mail.pk} that came") in entries()


def test_a_look_at_a_mail_is_there_with_its_reason(operator: Client, cast: Cast) -> None:
    mail = InboundMail.objects.latest("pk")
    url = reverse("admin:mailer_inboundmail_look", args=[mail.pk])
    operator.post(url, {"why": "Ana misses it."})
    kept = StaffEntry.objects.filter(what="mail").order_by("pk")
    assert [(one.about, one.why) for one in kept] == [
        ("marne, S1901M: a mail, of Austria", "Ana misses it."),
        (f"mail #{mail.pk} that came", "Ana misses it."),
    ]
    assert address_of("Ana") not in "".join(about for _, about in entries())


def test_a_look_at_orders_is_there_with_its_reason_and_its_game(
    operator: Client, cast: Cast
) -> None:
    url = reverse("admin:games_phase_look", args=[cast.phase.pk])
    operator.post(url, {"what": ["orders", "press"], "powers": ["France"], "why": "A quarrel."})
    kept = list(StaffEntry.objects.order_by("pk"))
    assert [(one.what, one.about, one.why, one.game) for one in kept] == [
        ("orders", "marne, S1901M: orders, of France", "A quarrel.", cast.game),
        ("press", "marne, S1901M: press, of France", "A quarrel.", cast.game),
    ]


def test_press_between_powers_is_a_look_when_the_game_is_over(operator: Client, cast: Cast) -> None:
    for audience in (Audience(powers=("Italy",)), Audience(public=True)):
        press_send(seat=cast.seat("Austria"), to=audience, text="Hi.", source="<a>", now=NOW)
    Game.objects.update(status=Game.Status.FINISHED)
    private, public = Press.objects.order_by("number")
    operator.get(reverse("admin:games_press_change", args=[public.pk]))
    assert entries() == []
    operator.get(reverse("admin:games_press_change", args=[private.pk]))
    assert entries() == [("press", "marne: press 1")]


def test_a_game_as_a_file_is_a_look(cast: Cast, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("export_game", "marne")
    assert '"marne"' in capsys.readouterr().out
    assert entries() == [("game", "marne")]


def test_what_the_staff_does_names_their_user_beside_what_players_call_them(
    client: Client, cast: Cast
) -> None:
    """Two moderators without a name are "a moderator" both: the log has to tell them apart."""
    for name in ("mo@staff.test", "di@staff.test"):
        moderator_appoint(user=User.objects.create_user(name, name))
    di, ana = User.objects.get(username="di@staff.test"), cast.player("Ana")
    client.force_login(di)
    for act, given in (("send_data", {"notes": ""}), ("erase", {"because": "They asked for it."})):
        url = reverse("admin:games_player_act", args=[ana.pk, act])
        typed = {**given, "typed_name": ana.name}
        expected = client.post(url, typed).context["expected"]
        client.post(url, {**typed, "confirmed": "yes", "expected": expected})
    done = StaffEntry.objects.filter(what__in=["given", "erased"]).order_by("pk")
    assert [(one.what, one.by, one.user) for one in done] == [
        ("given", "a moderator", di),
        ("erased", "a moderator", di),
    ]
    found = client.get(
        reverse("admin:games_staffentry_changelist"), {"q": f"account {ana.pk}", "user": di.pk}
    )
    assert {one.what for one in found.context["cl"].result_list} == {
        "given",
        "erased",
        "addresses",
    }


def test_a_look_at_orders_names_the_user(operator: Client, cast: Cast) -> None:
    url = reverse("admin:games_phase_look", args=[cast.phase.pk])
    operator.post(url, {"what": ["orders"], "powers": ["France"], "why": "A quarrel."})
    assert StaffEntry.objects.get().user == User.objects.get(username="root")


# --- who reads it -----------------------------------------------------------------------------


def write(about: str, *, at: Any = NOW, **more: Any) -> None:
    what = StaffEntry.What.ADDRESSES
    entry_write(**{"what": what, "about": about, "by": Actor("mo"), "now": at, **more})


def test_moderators_read_what_others_looked_at(moderator: Client) -> None:
    write("account 7", by=Actor("di"), why="Asked by Ben.")
    page = moderator.get(reverse("admin:games_staffentry_changelist")).content.decode()
    assert "account 7" in page
    assert "Asked by Ben." in page


def test_a_gm_does_not_read_it(client: Client, cast: Cast) -> None:
    client.force_login(cast.gm)
    for name in ("changelist", "csv"):
        assert client.get(reverse(f"admin:games_staffentry_{name}")).status_code in (302, 403)


def test_an_entry_has_a_title_that_can_be_read(operator: Client) -> None:
    write("account 7")
    entry = StaffEntry.objects.get()
    page = operator.get(reverse("admin:games_staffentry_change", args=[entry.pk]))
    assert page.context["title"] == "Entry in the staff’s log: account 7"


def test_nobody_changes_or_deletes_it(operator: Client) -> None:
    write("account 7")
    key = StaffEntry.objects.get().pk
    for kind in ("delete", "add"):
        arguments = [key] if kind == "delete" else []
        url = reverse(f"admin:games_staffentry_{kind}", args=arguments)
        assert operator.post(url, {"post": "yes"}).status_code == 403
    url = reverse("admin:games_staffentry_change", args=[key])
    assert operator.post(url, {"about": "nothing"}).status_code == 403


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"what__exact": "mail"}, ["mail #3 of ours"]),
        ({"game__name__iexact": "marne"}, ["mail #3 of ours"]),
        ({"q": "account 7"}, ["account 7"]),
        ({"q": "account"}, []),
        ({"at__gte": "2026-03-03 00:00:00Z"}, ["account 7"]),
    ],
)
def test_it_can_be_narrowed_down(
    moderator: Client, cast: Cast, query: dict[str, str], found: list[str]
) -> None:
    write("mail #3 of ours", what=StaffEntry.What.MAIL, game=cast.game)
    write("account 7", at=NOW + 2 * DAY)
    shown = moderator.get(reverse("admin:games_staffentry_changelist"), query).context["cl"]
    assert [one.about for one in shown.result_list] == found
    rows = table(moderator, query)
    assert [row["about"] for row in rows] == found


def test_it_can_be_narrowed_down_to_one_of_the_staff(moderator: Client) -> None:
    mo = User.objects.get(username="mo")
    write("account 7", by=Actor("mo", mo))
    write("account 8")
    shown = moderator.get(reverse("admin:games_staffentry_changelist"), {"user": mo.pk})
    assert [one.about for one in shown.context["cl"].result_list] == ["account 7"]


def table(client: Client, query: dict[str, str] | None = None) -> list[dict[str, str]]:
    """The log as a file, row by row."""
    answer = client.get(reverse("admin:games_staffentry_csv"), query or {})
    assert answer["Content-Disposition"].startswith('attachment; filename="staff-log-')
    text = b"".join(answer).decode("utf-8-sig")  # type: ignore[arg-type]
    return list(csv.DictReader(io.StringIO(text)))


def test_it_can_be_taken_along_and_that_is_an_entry(moderator: Client, cast: Cast) -> None:
    write("account 7", why="=HYPERLINK(1)", game=cast.game, player=cast.player("Ana"))
    [row] = table(moderator)
    assert row == {
        "at": "2026-03-02T12:00:00+00:00",
        "by": "mo",
        "user": "",
        "what": "addresses",
        "about": "account 7",
        "why": "'=HYPERLINK(1)",
        "game": "marne",
        "account": str(cast.player("Ana").pk),
    }
    assert entries()[-1] == ("log", "the staff’s log")


def test_a_link_leads_from_a_player_to_who_looked(moderator: Client, cast: Cast) -> None:
    ana = cast.player("Ana")
    page = moderator.get(reverse("admin:games_player_change", args=[ana.pk]))
    assert f"?q=account+{ana.pk}" in page.content.decode()
    url = reverse("admin:games_staffentry_changelist")
    shown = moderator.get(url, {"q": f"account {ana.pk}"}).context["cl"].result_list
    assert [one.by for one in shown] == ["Mo"]
