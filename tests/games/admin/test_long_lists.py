"""Lists of thousands: sorted by deadline, filtered by a game's name, flat in statements."""

from __future__ import annotations

import re

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.admin import lists
from games.admin.game import GameAdmin
from games.admin.game_rows import GameRow
from games.models import Event, Game, Phase, StaffEntry
from games.queries.board import variant_named
from games.queries.parsing.press_audience import Audience
from games.services.messages.press import press_send
from games.services.moderation.staff import gm_appoint
from games.services.setup.games import game_create
from mailer.models import InboundMail, Mailbox, OutboundMail
from tests.cast import DAY, NOW, NOWHERE, OPENINGS, Cast, submit

pytestmark = pytest.mark.django_db


def count(client: Client, name: str, **query: object) -> int:
    answer = client.get(reverse(f"admin:{name}_changelist"), query)
    assert answer.status_code == 200
    return int(answer.context["cl"].result_count)


def test_what_is_due_next_stands_first_and_what_has_no_deadline_last(
    marne: Cast, operator: Client
) -> None:
    forming = game_create(name="aisne", now=NOW)
    other = game_create(name="yser", now=NOW)
    Phase.objects.create(
        game=other, number=1, name="S1901M", position=NOWHERE, opened_at=NOW, due_at=NOW + DAY
    )
    Phase.objects.filter(game=other).update(position=marne.phase.position)
    shown = operator.get(reverse("admin:games_game_changelist")).context["cl"].result_list
    assert [game.name for game in shown] == ["yser", "marne", forming.name]


@pytest.mark.parametrize("name", ["games_event", "games_phase", "games_press", "games_observer"])
def test_a_list_is_narrowed_by_the_name_of_a_game(marne: Cast, operator: Client, name: str) -> None:
    game_create(name="yser", now=NOW)
    whole = count(operator, name)
    mine = count(operator, name, game__name__iexact="MARNE")
    other = count(operator, name, game__name__iexact="yser")
    assert mine + other == whole
    assert count(operator, name, game__id__exact=marne.game.pk) == mine
    page = operator.get(reverse(f"admin:{name}_changelist")).content.decode()
    assert "yser</a>" not in page.partition('id="changelist-filter"')[2]
    assert 'list="games"' in page


def test_names_of_games_are_offered_while_one_types_and_only_ones_own(
    marne: Cast, operator: Client
) -> None:
    game_create(name="marne-2", now=NOW)
    asked = {"term": "marne", "app_label": "games", "model_name": "phase", "field_name": "game"}
    found = operator.get(reverse("admin:autocomplete"), asked).json()["results"]
    assert {one["text"] for one in found} == {"marne", "marne-2"}
    gm_appoint(user=marne.gm)
    operator.force_login(marne.gm)
    found = operator.get(reverse("admin:autocomplete"), asked).json()["results"]
    assert [one["text"] for one in found] == ["marne"]


def test_mails_are_found_by_their_whole_address(marne: Cast, operator: Client) -> None:
    for number in range(3):
        OutboundMail.objects.create(
            key=f"k{number}",
            kind="results",
            recipient=f"p{number}@players.test",
            message_id=f"<{number}@game.test>",
            subject="Results",
            body="-",
            created_at=NOW,
            not_before=NOW,
        )
    assert count(operator, "mailer_outboundmail", q="p1@players.test") == 1
    assert count(operator, "mailer_outboundmail", q="players.test") == 0


def test_no_list_counts_further_than_anybody_pages(
    marne: Cast, operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "ENOUGH", 5)
    assert Event.objects.count() > 5
    assert count(operator, "games_event") == 5


def fill(cast: Cast, number: int) -> None:
    """So many more games and mails, each of them with what a list shows beside it."""
    seat = cast.seat("France")
    event = cast.game.events.earliest("pk")
    mailbox, _ = Mailbox.objects.get_or_create(url="imap://judge@players.test/INBOX")
    for _ in range(number):
        one = InboundMail.objects.count()
        game_create(name=f"game{one}", gm=cast.gm, now=NOW)
        mail = InboundMail.objects.create(
            mailbox=mailbox,
            uidvalidity=1,
            uid=one,
            sha256=str(one),
            raw=b"From: ana@players.test\n\nA Paris - Burgundy",
            received_at=NOW,
            stored_at=NOW,
            sender="ana@players.test",
            player=seat.player,
            message_id=f"<in{one}@players.test>",
        )
        OutboundMail.objects.create(
            key=f"more{one}",
            kind="reply",
            recipient="ana@players.test",
            player=seat.player,
            event=event,
            answers=mail,
            message_id=f"<out{one}@game.test>",
            subject="Orders",
            body="-",
            created_at=NOW,
            not_before=NOW,
        )
        press_send(
            seat=seat,
            to=Audience(("Germany",)),
            text=f"Hello {one}.",
            source=f"<press{one}@players.test>",
            now=NOW,
        )


LISTS = {
    "games_game": 15,
    "games_player": 9,
    "games_event": 9,
    "games_phase": 9,
    "games_orderset": 9,
    "games_press": 9,
    "games_observer": 9,
    "mailer_inboundmail": 9,
    "mailer_outboundmail": 9,
    "mailer_mailbox": 9,
}
"""Every long list, and how many statements it may take."""


LONG = (
    *('"games_phase"."position"', '"games_phase"."orders"', '"games_phase"."outcome"'),
    *('"games_orderset"."lines"', '"games_orderset"."reading"', '"games_press"."text"'),
    *('"mailer_inboundmail"."raw"', '"mailer_outboundmail"."body"'),
)
"""What may be kilobytes long."""


def statements(client: Client, url: str) -> list[str]:
    with CaptureQueriesContext(connection) as caught:
        assert client.get(url).status_code == 200
    return [one["sql"] for one in caught.captured_queries]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_takes_the_same_statements_however_long_it_is(
    marne: Cast, operator: Client, name: str
) -> None:
    url = reverse(f"admin:{name}_changelist")
    operator.get(url)  # the first visit of an hour stands in the staff's log
    fill(marne, 2)
    few = len(statements(operator, url))
    fill(marne, 8)
    many = statements(operator, url)
    assert len(many) == few <= LISTS[name]
    rows = [sql for sql in many if sql.startswith(f'SELECT "{name}"."id"')]
    read = [word for sql in rows for word in LONG if word in sql]
    assert not read, "what is kilobytes long with each row, which shows none of it"


@pytest.mark.parametrize("table", ["inboundmail", "outboundmail"])
def test_the_page_of_one_mail_takes_a_dozen_statements(
    marne: Cast, operator: Client, table: str
) -> None:
    fill(marne, 2)
    newest = {
        "inboundmail": InboundMail.objects.last(),
        "outboundmail": OutboundMail.objects.last(),
    }
    mail = newest[table]
    assert mail
    url = reverse(f"admin:mailer_{table}_change", args=[mail.pk])
    statements(operator, url)  # Django keeps what types of rows there are
    few = len(statements(operator, url))
    OutboundMail.objects.filter(answers__isnull=False).update(answers=newest["inboundmail"])
    fill(marne, 5)
    many = statements(operator, url)
    assert len(many) == few <= 12
    answers = [sql for sql in many if 'WHERE "mailer_outboundmail"."answers_id" = ' in sql]
    assert answers or table == "outboundmail"
    assert not [sql for sql in answers if '"mailer_outboundmail"."body"' in sql]
    rows = [sql for sql in many if sql.startswith(f'SELECT "mailer_{table}"."id"')]
    assert not [sql for sql in rows if '"games_phase"."position"' in sql]


def test_the_page_of_a_phase_reads_no_board_with_each_set_of_orders(
    marne: Cast, operator: Client
) -> None:
    url = reverse("admin:games_phase_change", args=[marne.phase.pk])
    statements(operator, url)
    few = len(statements(operator, url))
    for power, orders in OPENINGS.items():
        submit(marne, power, orders)
    many = statements(operator, url)
    assert len(many) == few
    sets = [sql for sql in many if sql.startswith('SELECT "games_orderset"."id"')]
    assert sets
    assert not [word for sql in sets for word in LONG if word in sql]


@pytest.mark.parametrize("staff", ["gm", "root"])
def test_the_page_of_a_game_takes_the_same_statements_however_much_there_is(
    marne: Cast, operator: Client, staff: str
) -> None:
    gm_appoint(user=marne.gm)
    operator.force_login(User.objects.get(username=staff))
    url = reverse("admin:games_game_change", args=[marne.game.pk])
    few = len(statements(operator, url))
    fill(marne, 8)
    assert len(statements(operator, url)) == few <= 27


HEADINGS = {
    "auth_user": ["Staff status", "Superuser status", "Active", "Groups"],
    "games_event": ["Kind", "Mails about it", "Game"],
    "games_observer": ["Whether they still observe", "Game"],
    "games_staffentry": ["What", "Who", "When", "Game"],
    "mailer_inboundmail": ["State", "Received"],
    "mailer_outboundmail": ["State", "Kind", "Came back", "Created", "Game"],
}


@pytest.mark.parametrize("name", HEADINGS)
def test_a_filters_heading_and_its_choices_read_as_words(
    marne: Cast, operator: Client, name: str
) -> None:
    page = operator.get(reverse(f"admin:{name}_changelist")).content.decode()
    filters = page.partition('id="changelist-filter"')[2]
    headings = re.findall(r"<summary>\s*(.*?)\s*</summary>", filters, re.DOTALL)
    assert headings == HEADINGS[name]
    choices = set(re.findall(r"<a href[^>]*>(.*?)</a>", filters))
    assert not choices & {"Empty", "Not empty", "-"}


def test_the_whole_list_is_offered_only_where_a_part_of_it_is_shown(
    marne: Cast, operator: Client
) -> None:
    address = reverse("admin:games_event_changelist")
    shown = [operator.get(address + query).content.decode() for query in ("", "?q=marne", "?o=1")]
    assert ["Show all" in page for page in shown] == [False, True, False]
    assert "Show all" in operator.get(f"{address}?game__name__iexact=marne").content.decode()


FOUND = {
    "mailer_inboundmail": [
        "q=ana@players.test",
        "q=%3Cin1@players.test%3E",
        "state__exact=quarantined",
        "received_at__gte=2026-03-09T00:00Z",
        "o=1",
    ],
    "mailer_outboundmail": [
        "q=ana@players.test",
        "q=more1",
        "state__exact=failed",
        "kind=unfetched",
        "bounced_at__isempty=0",
        "event__game__name__iexact=marne",
        "created_at__gte=2026-03-09T00:00Z",
        "o=1",
    ],
    "games_event": ["kind__exact=seat_taken", "game__name__iexact=marne", "o=1"],
    "games_press": ["grey__exact=1", "public__exact=1", "o=5"],
    "games_orderset": ["late__exact=1", "counts__exact=0", "mode__exact=amend", "o=1"],
    "games_phase": ["status__exact=open", "o=4"],
}


@pytest.mark.only_on("PostgreSQL")
@pytest.mark.parametrize("name", FOUND)
def test_what_is_sought_in_a_long_list_is_found_by_an_index(
    marne: Cast, operator: Client, name: str
) -> None:
    """With scans forbidden: what no index finds, PostgreSQL would scan all the same."""
    fill(marne, 2)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        for query in FOUND[name]:
            for sql in statements(operator, f"{reverse(f'admin:{name}_changelist')}?{query}"):
                if sql.startswith("SELECT"):
                    cursor.execute(f"EXPLAIN {sql}".replace("%", "%%"), [])
                    plan = "\n".join(line for (line,) in cursor.fetchall())
                    assert f"Seq Scan on {name}" not in plan, (query, plan)


def test_no_list_is_sorted_by_what_no_index_sorts(marne: Cast, operator: Client) -> None:
    """A click on the head of a column would read half a million mails."""
    fill(marne, 1)
    submit(marne, "France", OPENINGS["France"])
    for name in ("mailer_inboundmail", "mailer_outboundmail", "games_event", "games_orderset"):
        page = operator.get(reverse(f"admin:{name}_changelist")).content.decode()
        assert page.count('<div class="text"><a href=') == 1, name


def test_players_are_found_by_part_of_their_name_or_how_an_address_begins(
    marne: Cast, operator: Client
) -> None:
    assert count(operator, "games_player", q="mitr") == 1
    assert count(operator, "games_player", q="ben@pl") == 1
    assert count(operator, "games_player", q="hugo") == 1
    assert count(operator, "games_player", q="players.test") == 0


def test_no_filter_counts_how_much_it_would_leave(marne: Cast, operator: Client) -> None:
    for name in LISTS:
        page = operator.get(reverse(f"admin:{name}_changelist"), {"_facets": "True"})
        assert not page.context["cl"].add_facets, name
        assert "Show counts" not in page.content.decode(), name


def test_the_list_of_games_names_three_of_many_that_are_missing(operator: Client) -> None:
    powers = variant_named("chaos").powers
    game = game_create(name="aisne", variant="chaos", now=NOW)
    page = GameAdmin(Game, site)
    phase = Phase(game=game, name="S1901M")
    for missing, said in (
        (powers[:7], ", ".join(powers[:7])),
        (powers[:8], f"{', '.join(powers[:3])} and 5 more"),
    ):
        game.places = 34  # type: ignore[attr-defined]
        game.row = GameRow("UTC", phase, not_in=missing)  # type: ignore[attr-defined]
        assert page.waiting_for(game) == said  # type: ignore[arg-type]


def test_the_list_of_games_speaks_of_variants_and_gms_by_their_names(
    marne: Cast, operator: Client
) -> None:
    User.objects.filter(pk=marne.gm.pk).update(first_name="Geraldine", last_name="Marchmont")
    game_create(name="aisne", variant="ancient_med", now=NOW)
    shown = operator.get(reverse("admin:games_game_changelist")).content.decode()
    assert "Geraldine Marchmont" in shown
    assert "Ancient Mediterranean</a>" in shown
    assert ">ancient_med" not in shown


def test_a_row_is_shown_under_its_own_name_and_without_colons(
    marne: Cast, operator: Client
) -> None:
    page = operator.get(reverse("admin:games_phase_change", args=[marne.phase.pk]))
    shown = page.content.decode()
    assert "<h1>Phase marne S1901M</h1>" in shown
    assert "View phase" not in shown
    assert "<label>Game</label>" in shown


def test_what_belongs_to_a_row_says_on_each_cell_what_it_is(marne: Cast, operator: Client) -> None:
    """A phone shows the cells below each other, without the heads of their columns."""
    ana = marne.player("Ana")
    shown = operator.get(reverse("admin:games_player_change", args=[ana.pk])).content.decode()
    assert '<td data-label="Address">ana@players.test</td>' in shown
    marne_page = reverse("admin:games_game_change", args=[marne.game.pk])
    assert f'<td data-label="Power">Austria in <a href="{marne_page}">marne</a></td>' in shown


@pytest.mark.parametrize(
    ("name", "column"),
    [("games_staffentry", "at"), ("auth_user", "date_joined"), ("auth_user", "last_login")],
)
@pytest.mark.parametrize("year", ["-1", "99999", "9" * 30])
def test_a_year_of_no_calendar_is_no_filter(
    operator: Client, name: str, column: str, year: str
) -> None:
    answer = operator.get(reverse(f"admin:{name}_changelist"), {f"{column}__year": year})
    assert (answer.status_code, answer["Location"].partition("?")[2]) == (302, "e=1")


@pytest.mark.parametrize(
    "typed", [{"at__gte": "x"}, {"at__year": "-1"}, {"game__id__exact": "x"}, {"at__day": "99x"}]
)
def test_a_file_of_the_staffs_log_is_not_made_by_filters_without_sense(
    operator: Client, typed: dict[str, str]
) -> None:
    answer = operator.get(reverse("admin:games_staffentry_csv"), typed)
    assert answer.status_code == 400
    assert not StaffEntry.objects.filter(what=StaffEntry.What.LOG).exists()
