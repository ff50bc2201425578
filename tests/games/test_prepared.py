"""Statements whose SQL is built once do the same as the querysets that they are written as."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, Model, OuterRef
from django.db.models.signals import post_init, post_save, pre_init, pre_save
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from games.board_json import StateJson
from games.models import Game, OrderSet, Phase, Player, Power, Readiness, Seat
from games.models.cursors import kept_cursor
from games.models.prepared import TEXT, TIME, Given, Query, Update
from games.models.stored import ROWS_AT_ONCE, Insert, Save, fresh
from mailer.inbound import store
from mailer.models import OutboundMail
from tests.cast import DAY, NOW, POWERS, Cast, submit

pytestmark = pytest.mark.on_both


def words(cast: Cast, number: int) -> list[Readiness]:
    """A word of each of so many powers, not stored yet."""
    powers = cast.game.powers.order_by("name")[:number]
    return [Readiness(phase=cast.phase, power=power, word="ready", said_at=NOW) for power in powers]


def test_a_query_reads_the_rows_with_what_is_joined_to_them(marne: Cast) -> None:
    submit(marne, "France", ["A Paris Holds"])
    query = Query(
        lambda: OrderSet.objects.filter(
            phase=Given("phase"), received_at__lte=Given("until", TIME), counts=True
        ).select_related("power__game", "seat__player")
    )
    [found] = query.all(phase=marne.phase.pk, until=NOW)
    with CaptureQueriesContext(connection) as asked:
        assert (found.power.name, found.power.game.name) == ("France", "marne")
        assert found.seat
        assert found.seat.player.name == "Carla"
    assert not asked.captured_queries
    stored = OrderSet.objects.select_related("power__game", "seat__player").get(pk=found.pk)
    assert inside(found) == inside(stored)
    assert inside(found.seat.player) == inside(stored.seat.player)
    assert query.all(phase=marne.phase.pk, until=NOW - DAY) == []
    assert query.first(phase=0, until=NOW) is None
    assert query.get(phase=marne.phase.pk, until=NOW) == found
    with pytest.raises(OrderSet.DoesNotExist):
        query.get(phase=0, until=NOW)


def test_what_a_row_joins_one_to_one_knows_the_way_back(marne: Cast) -> None:
    Player.objects.filter(name="Carla").update(user=marne.gm)
    query = Query(lambda: Player.objects.filter(name=Given("name", TEXT)).select_related("user"))
    found, stored = query.get(name="Carla"), Player.objects.select_related("user").get(name="Carla")
    with CaptureQueriesContext(connection) as asked:
        assert found.user.player is found
        assert stored.user.player is stored
    assert not asked.captured_queries


@pytest.mark.django_db(transaction=True)
def test_a_statement_that_breaks_before_its_rows_are_read_keeps_nothing_from_being_stored() -> None:
    """SQLite commits nothing while a statement that writes has rows to be read."""

    def breaks(execute: Any, *given: Any) -> None:
        execute(*given)
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt), connection.execute_wrapper(breaks):
        Insert(Game).all([Game(name=name, created_at=NOW) for name in ("lost", "lost-too")])
    with transaction.atomic():
        Game.objects.create(name="kept", created_at=NOW)
    assert Game.objects.filter(name="kept").exists()


def test_statements_share_a_cursor_until_the_connection_is_another(
    marne: Cast,
) -> None:
    query = Query(lambda: Game.objects.filter(pk=Given("it")))
    kept = kept_cursor()
    assert query.get(it=marne.game.pk) == marne.game
    assert kept_cursor() is kept
    with CaptureQueriesContext(connection) as asked:
        query.get(it=marne.game.pk)
    assert len(asked) == 1
    ours: Any = connection.connection
    another: Any = connection.get_new_connection(connection.get_connection_params())
    try:
        connection.connection = another
        assert kept_cursor().connection is another
    finally:
        connection.connection = ours
        another.close()
    assert kept_cursor().connection is ours


def test_a_query_annotates_and_leaves_out_columns(marne: Cast) -> None:
    seated = Exists(
        Seat.objects.filter(power__game=OuterRef("pk"), player__name=Given("who", TEXT))
    )
    query = Query(
        lambda: Game.objects.defer("rules").annotate(seated=seated).filter(pk=Given("it"))
    )
    for name, there in (("Carla", True), ("Hugo", False)):
        found = query.first(it=marne.game.pk, who=name)
        assert found
        assert bool(found.seated) is there  # type: ignore[attr-defined]
        assert found.get_deferred_fields() == {"rules"}
        assert found.rules == marne.game.rules


def test_a_query_reads_the_first_row_of_each_of_several_sets_of_values(marne: Cast) -> None:
    seats = Seat.objects.filter(power__name=Given("power", TEXT), since__lte=Given("at", TIME))
    query = Query(
        lambda: seats.select_related("player", "power").annotate(said=Given("power", TEXT))
    )
    names = ["France", "Italy", "Sp'a\"in %s", "France"]
    with CaptureQueriesContext(connection) as asked, transaction.atomic():
        found = query.first_of_each([{"power": name, "at": NOW} for name in names])
        assert query.first_of_each([{"power": "Italy", "at": NOW}]) == [found[1]]
        assert query.first_of_each([]) == []
    assert [one and one.player.name for one in found] == ["Carla", "Emma", None, "Carla"]
    assert [one.said for one in found if one] == ["France", "Italy", "France"]  # type: ignore[attr-defined]
    assert len(asked) - 2 == (2 if connection.vendor == "postgresql" else len(names) + 1)
    assert query.first_of_each([{"power": name, "at": NOW - DAY} for name in names]) == [None] * 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.only_on("PostgreSQL")
def test_a_query_that_locks_wants_a_transaction() -> None:
    with pytest.raises(TransactionManagementError):
        Query(lambda: Game.objects.select_for_update()).all()


def test_an_update_says_how_many_rows_and_returns_a_column(marne: Cast) -> None:
    later = marne.phase.due_at
    assert later
    update = Update(
        lambda: Phase.objects.filter(pk=Given("phase"), status="open"),
        due_at=Given("at", TIME),
        returning="name",
    )
    assert update.first(phase=marne.phase.pk, at=later + DAY) == "S1901M"
    assert marne.phase.due_at == later + DAY
    assert update.run(phase=0, at=later) == 0
    assert update.first(phase=0, at=later) is None


def test_rows_get_their_keys_however_many_there_are(marne: Cast) -> None:
    rows = words(marne, 7)
    stored = Insert(Readiness).all(rows[1:])
    assert {one.pk: one.power.name for one in stored} == dict(
        Readiness.objects.values_list("pk", "power__name")
    )
    [one] = Readiness.objects.filter(power__name="France")
    assert (one.phase, one.word, one.said_at) == (marne.phase, "ready", NOW)
    rows[0].save()
    assert state(stored[0]) == state(rows[0])


ODD = 'it\'s "so" \\ %s %% {} \t é – 🚂 \u2028 \\u0041 NULL'


def test_rows_come_back_as_they_were_written(marne: Cast) -> None:
    """Texts, JSON, times, lengths of time, truth and nothing, in one statement or in several."""
    rows = []
    odd: Any = {ODD: [1, 2.5, None, True, {"a": ODD}]}
    for number in range(2):
        row = Game.objects.get(pk=marne.game.pk)
        row.pk, row.name, row.code = None, f"other{number}", ""
        row.winner, row.rules = ODD[:40], odd
        row.movement_length, row.early_delay = dt.timedelta(days=3, seconds=5.25), None
        row.muster_until, row.fog = NOW + dt.timedelta(microseconds=17), number == 1
        rows.append(row)
    for row in Insert(Game).all(rows):
        stored = Game.objects.get(pk=row.pk)
        for field in Game._meta.concrete_fields:
            assert getattr(stored, field.attname) == getattr(row, field.attname), field.name


def test_a_joined_row_that_is_not_there_is_none(marne: Cast) -> None:
    submit(marne, "France", ["A Paris Holds"])
    OrderSet.objects.update(seat=None)
    query = Query(lambda: OrderSet.objects.filter(phase=Given("it")).select_related("seat__player"))
    phase = marne.phase.pk
    with CaptureQueriesContext(connection) as asked:
        [found] = query.all(it=phase)
        assert found.seat is None
    assert len(asked) == 1
    found.seat = Seat.objects.get(power__name="France", power__game=marne.game)
    found.save()
    assert OrderSet.objects.get().seat == found.seat


def test_many_rows_take_more_than_one_statement(marne: Cast, monkeypatch) -> None:
    monkeypatch.setattr("games.models.stored.ROWS_AT_ONCE", 3)
    assert ROWS_AT_ONCE > 8
    rows = words(marne, 7)
    with CaptureQueriesContext(connection) as sent:
        Insert(Readiness).all(rows)
    assert len(sent) == 3
    assert Readiness.objects.count() == 7


def test_rows_that_are_there_stay_as_they_are(marne: Cast) -> None:
    insert = Insert(Readiness)
    [first] = insert.all(words(marne, 1))
    again = words(marne, 2)
    for one in again:
        one.said_at = NOW + dt.timedelta(hours=1)
    assert not insert.new(again, unique="power_id")
    assert [one.pk is None for one in again] == [True, False]
    assert insert.new([], unique="power_id")
    first.refresh_from_db()
    assert first.said_at == NOW


@pytest.mark.only_on("PostgreSQL")
def test_a_row_that_gets_a_taken_number_is_not_passed_over(marne: Cast) -> None:
    """A replica that took over may renumber rows; then each new mail seemed to be known."""
    [first] = Insert(Readiness).all(words(marne, 1))
    table = Readiness._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, first.pk])
        cursor.execute("UPDATE games_readiness SET id = id + 1")
    with pytest.raises(IntegrityError), transaction.atomic():
        Insert(Readiness).new(words(marne, 2)[1:], unique="power_id")


def test_saving_writes_the_named_fields_alone(marne: Cast) -> None:
    phase = marne.phase
    state = StateJson(phase="S1901M", units={"ü": ["A Paris"]}, centers={}, dislodged=[])
    phase.remind_at, phase.position, phase.status = None, state, "stuck"
    Save(Phase, "remind_at", "position").one(phase)
    Save(Phase, "remind_at", "position").all([phase])
    stored = Phase.objects.get(pk=phase.pk)
    assert (stored.remind_at, stored.position, stored.status) == (None, phase.position, "open")


def test_saving_several_rows_writes_to_each_its_own(marne: Cast) -> None:
    powers = list(marne.game.powers.order_by("name"))
    for number, power in enumerate(powers[:3]):
        power.open_since, power.name = NOW + dt.timedelta(hours=number), "Ü"
    Save(Power, "open_since").all(powers[:3])
    stored = list(marne.game.powers.order_by("name"))
    assert [one.name for one in stored] == sorted(POWERS.values())
    since = [NOW + dt.timedelta(hours=number) for number in range(3)]
    assert [one.open_since for one in stored] == [*since, None, None, None, None]


def test_words_and_numbers_that_stay_are_no_parameters(marne: Cast) -> None:
    """An index of the rows in one state is of use only where the plan knows the state."""
    query = Query(lambda: Phase.objects.filter(game=Given("game"), status="open", number__lt=9))
    assert [found.name for found in query.all(game=marne.game.pk)] == ["S1901M"]
    statement = query._ready[0]
    assert len(statement.params) == 1
    assert "'open'" in statement.sql
    assert statement.sql.count("%s") == 1


@pytest.mark.parametrize("name", ["mar'ne", "100 %s", "a%%b", "x'; DROP TABLE games_game; --", "é"])
def test_a_text_with_anything_else_in_it_stays_a_parameter(marne: Cast, name: str) -> None:
    Game.objects.update(name=name)
    query = Query(lambda: Game.objects.filter(name=name, pk=Given("it")))
    assert query.first(it=marne.game.pk)
    assert not Query(lambda: Game.objects.filter(name=f"{name}!", pk=Given("it"))).all(
        it=marne.game.pk
    )


def test_a_percent_sign_in_the_statement_stays_one(marne: Cast) -> None:
    query = Query(lambda: Game.objects.filter(name__contains="arn", pk=Given("it")))
    assert query.first(it=marne.game.pk)


@pytest.mark.only_on("PostgreSQL")
def test_the_barrier_reads_no_long_table_however_often_it_is_asked(marne: Cast) -> None:
    """From the sixth time on PostgreSQL may take one plan for all parameters."""
    statement = store._BOXES._ready[0]
    assert "'new'" in statement.sql
    stay = [one for name, one in statement.params if not name]
    assert not [one for one in stay if isinstance(one, str) or type(one) is int]


@pytest.mark.parametrize(
    "model",
    [one for app in ("games", "mailer") for one in apps.get_app_config(app).get_models()],
    ids=lambda model: model.__name__,
)
def test_a_fresh_row_is_what_the_model_makes(model: type[Model]) -> None:
    assert columns(fresh(model)) == columns(model())
    assert fresh(model)._state.adding


def test_a_fresh_row_knows_what_its_keys_name(marne: Cast) -> None:
    power = marne.game.powers.get(name="France")
    given = {"phase": marne.phase, "power": power, "word": "ready", "said_at": NOW}
    row = fresh(Readiness, **given)
    assert columns(row) == columns(Readiness(**given))
    assert (row.phase, row.power) == (marne.phase, power)
    assert fresh(OrderSet, seat=None).seat is None


def test_no_two_fresh_rows_share_a_list() -> None:
    one, other = fresh(OutboundMail), fresh(OutboundMail)
    one.buttons.append(["Yes", "1"])
    assert other.buttons == []


@pytest.mark.parametrize(
    "model",
    [one for app in ("games", "mailer") for one in apps.get_app_config(app).get_models()],
    ids=lambda model: model.__name__,
)
def test_no_model_needs_what_these_statements_pass_over(model: type[Model]) -> None:
    """They ask a model neither to read nor to save a row, and tell nobody that it did."""
    assert not vars(model).keys() & {"__init__", "from_db"}
    row = model()
    for field in model._meta.concrete_fields:
        assert field.pre_save(row, add=True) == getattr(row, field.attname), field.name
    for signal in (pre_init, post_init, pre_save, post_save):
        assert not signal.has_listeners(model)


def inside(row: Model) -> tuple[dict[str, object], ...]:
    """All that Django keeps in a row that it has read or written."""
    return columns(row), state(row), dict(row._state.fields_cache)


def state(row: Model) -> dict[str, object]:
    return {**vars(row._state), "fields_cache": sorted(row._state.fields_cache)}


def columns(row: Model) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if name != "_state"}
