"""Code of the release before runs on today's tables: an upgrade need not stop all machines at once.

`migrate` comes first; then the processes are restarted one by one, and meanwhile old and new
write into the same tables (docs/operators.md). So a migration only adds what old code need not
know: tables, indexes, columns that the database itself can fill. One that cannot do so stands in
`NOT_IN_PASSING` with the reason, and its release notes say that all services have to rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState
from django.db.models import Field

from tests.rows import each_row

SINCE = {"games": "0019_fog_of_war", "mailer": "0013_special_states"}
"""The last migrations that old code did not survive: it fails to fill columns of theirs."""

NOT_IN_PASSING: dict[tuple[str, str], str] = {}
"""Later migrations for which all services have to rest, by app and name, and why."""

READ_BY_PEOPLE = {
    ("mailer", "0026_room_for_copies"),
    ("games", "0047_addresses_out_of_the_history"),
}
"""Migrations with code of their own that people have found harmless; each says why."""

HARMLESS = (migrations.AlterModelOptions, migrations.AlterModelManagers, migrations.CreateModel)
INDEXES = (
    "AddIndex",
    "RemoveIndex",
    "RenameIndex",
    "AddIndexConcurrently",
    "RemoveIndexConcurrently",
)
WORDS = ("choices", "error_messages", "help_text", "verbose_name")
OF_AN_INDEX = re.compile(r"(DROP INDEX IF EXISTS|CREATE INDEX IF NOT EXISTS) \"\w+\"( ON |$)")


def faults(operations: Iterable[Operation], app: str, before: ProjectState) -> list[str]:
    """What in a migration breaks code that knows only the state before; that is left as it was.

    Not seen: old code that deletes a row to which rows of a new table belong. The database refuses,
    and the new code does it later.
    """
    state, made, found = before.clone(), set[str](), []
    for operation in operations:
        if isinstance(operation, migrations.CreateModel):
            made.add(operation.name_lower)
        name = getattr(operation, "model_name_lower", getattr(operation, "name_lower", ""))
        if name not in made and not is_harmless(operation, app, state):
            found.append(operation.describe())
        operation.state_forwards(app, state)
    return found


def is_harmless(operation: Operation, app: str, state: ProjectState) -> bool:
    """Whether old code goes on reading and writing the tables after it."""
    if isinstance(operation, migrations.AddField):
        return operation.field.many_to_many or fills_itself(operation.field)
    if isinstance(operation, migrations.AlterField):
        before = state.models[app, operation.model_name_lower].fields[operation.name]
        return holds_as_much(before, operation.field)
    if isinstance(operation, migrations.AlterModelTable):
        return operation.table == table(state.models[app, operation.name_lower])
    if isinstance(operation, migrations.RenameModel):
        after = state.clone()
        operation.state_forwards(app, after)
        new = after.models[app, operation.new_name_lower]
        return table(state.models[app, operation.old_name_lower]) == table(new)
    if isinstance(operation, migrations.RunSQL):
        sql = [operation.sql] if isinstance(operation.sql, str) else operation.sql
        return all(OF_AN_INDEX.match(str(one)) for one in sql)
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        both = (*operation.database_operations, *operation.state_operations)
        return all(is_harmless(one, app, state) for one in both)
    return isinstance(operation, HARMLESS) or type(operation).__name__ in INDEXES


def fills_itself(field: Field) -> bool:
    """Whether an INSERT may pass the column over; of a default of Django's no database knows."""
    return field.null or field.has_db_default()


def holds_as_much(before: Field, after: Field) -> bool:
    """Whether the column takes all that it took."""
    was, now = column(before), column(after)
    was_null, null = was.pop("null", False), now.pop("null", False)
    was_longest, longest = before.max_length, after.max_length
    grew = longest is None or (was_longest is not None and was_longest <= longest)
    return was == now and grew and bool(null or not was_null)


def column(field: Field) -> dict[str, object]:
    """What of a field the database sees, but for the length of a text."""
    _, path, arguments, options = field.deconstruct()
    unseen = {*field.non_db_attrs, "default", "max_length", "db_index"} - {"db_column"}
    seen = {name: value for name, value in options.items() if name not in unseen}
    return {"kind": path, "arguments": arguments, **seen}


# --- The migrations that there are ------------------------------------------------------------


@pytest.fixture(scope="module")
def loader() -> MigrationLoader:
    """Of the migrations one by one, as a server runs them that is upgraded."""
    return MigrationLoader(None, replace_migrations=False)


def later(loader: MigrationLoader) -> list[tuple[str, str]]:
    """The migrations since `SINCE`, each after those that it needs."""
    plan: dict[tuple[str, str], None] = {}
    leaves = set(loader.graph.leaf_nodes()) - loader.replacements.keys()
    for leaf in sorted(node for node in leaves if node[0] in SINCE):
        plan.update(dict.fromkeys(loader.graph.forwards_plan(leaf)))
    return [node for node in plan if node[0] in SINCE and node[1] > SINCE[node[0]]]


def test_old_code_runs_on_the_tables_of_every_later_migration(loader: MigrationLoader) -> None:
    assert later(loader)
    found = {}
    for app, name in later(loader):
        before = loader.project_state((app, name), at_end=False)
        migration = loader.get_migration(app, name)
        found[app, name] = faults(migration.operations, app, before)
    broken = {node: said for node, said in found.items() if said}
    assert broken.keys() == {*NOT_IN_PASSING, *READ_BY_PEOPLE}, broken


@each_row("squashed", [True, False])
def test_no_migration_changes_only_what_people_read_of_a_field(squashed: bool) -> None:
    graph = MigrationLoader(None, replace_migrations=squashed).graph
    plan = dict.fromkeys(node for leaf in graph.leaf_nodes() for node in graph.forwards_plan(leaf))
    state, idle = ProjectState(), []
    for app, name in plan:
        for operation in graph.nodes[app, name].operations:
            if isinstance(operation, migrations.AlterField) and app in SINCE:
                before = state.models[app, operation.model_name_lower].fields[operation.name]
                if unread(before) == unread(operation.field):
                    idle.append((name, operation.describe()))
            operation.state_forwards(app, state)
    assert len(plan) > 20
    assert not idle, "change the words where the field is made: no database has to know"


def unread(field: Field) -> dict[str, object]:
    """What of a field is not for people."""
    _, path, arguments, options = field.deconstruct()
    kept = {name: value for name, value in options.items() if name not in WORDS}
    return {"kind": path, "arguments": arguments, **kept}


@pytest.mark.django_db
@pytest.mark.on_both
def test_the_database_fills_every_column_that_old_code_does_not_know(
    loader: MigrationLoader,
) -> None:
    """What an INSERT of old code leaves out, and no column that it names is missing."""
    known = columns(loader.project_state(list(SINCE.items())))
    assert len(known) > 30
    with connection.cursor() as cursor:
        for table, names in known.items():
            found = connection.introspection.get_table_description(cursor, table)
            assert names <= {one.name for one in found}, table
            unknown = [one for one in found if one.name not in names]
            assert [one.name for one in unknown if not one.null_ok and not one.default] == [], table


def columns(state: ProjectState) -> dict[str, set[str]]:
    """The columns of each table of ours, as the models of that time name them."""
    ours = [model for (app, _), model in state.models.items() if app in SINCE]
    return {table(model): column_names(model) for model in ours}


def table(model: ModelState) -> str:
    return str(model.options.get("db_table") or f"{model.app_label}_{model.name_lower}")


def column_names(model: ModelState) -> set[str]:
    names = set()
    for name, field in model.fields.items():
        if not field.many_to_many:
            copy = field.clone()
            copy.set_attributes_from_name(name)
            names.add(str(copy.column))
    return names


# --- What is found ----------------------------------------------------------------------------


def text(**options: object) -> Field:
    return models.CharField(**{"max_length": 10, **options})


SAFE = {
    "a table": migrations.CreateModel("cart", [("id", models.BigAutoField(primary_key=True))]),
    "an empty column": migrations.AddField("game", "motto", text(null=True)),
    "a column that the database fills": migrations.AddField("game", "motto", text(db_default="")),
    "other words": migrations.AlterField(
        "game", "name", text(help_text="New", choices=[("a", "A")])
    ),
    "a longer text": migrations.AlterField("game", "name", text(max_length=20)),
    "a column that may be empty": migrations.AlterField("game", "name", text(null=True)),
    "a class by another name": migrations.RenameModel("Coin", "Piece"),
    "the table it has": migrations.AlterModelTable("Game", "games_game"),
    "an index": migrations.AddIndex("game", models.Index(fields=["name"], name="game_name")),
    "an index less": migrations.SeparateDatabaseAndState(
        [migrations.RunSQL('DROP INDEX IF EXISTS "game_name"')],
        [migrations.AlterField("game", "name", text(db_index=False))],
    ),
}
UNSAFE = {
    "a column that only we fill": migrations.AddField("game", "motto", text(default="")),
    "a column that must not be empty": migrations.AlterField("game", "motto", text()),
    "a shorter text": migrations.AlterField("game", "name", text(max_length=5)),
    "another kind": migrations.AlterField("game", "name", models.IntegerField()),
    "another column": migrations.AlterField("game", "name", text(db_column="called")),
    "a column less": migrations.RemoveField("game", "name"),
    "a new name": migrations.RenameField("game", "name", "title"),
    "a class by another name, and its table": migrations.RenameModel("Game", "Match"),
    "another table": migrations.AlterModelTable("Game", "games_match"),
    "a table less": migrations.DeleteModel("game"),
    "what must be unique": migrations.AddConstraint(
        "game", models.UniqueConstraint(fields=["name"], name="one_name")
    ),
    "other rows": migrations.RunPython(migrations.RunPython.noop),
    "what we cannot read": migrations.RunSQL("select 1"),
    "what must be unique, in words of SQL": migrations.RunSQL(
        'CREATE UNIQUE INDEX IF NOT EXISTS "one_name" ON "games_game" ("name")'
    ),
    "a column less, behind an index": migrations.SeparateDatabaseAndState(
        [migrations.RunSQL('DROP INDEX IF EXISTS "game_name"; ALTER TABLE "a" DROP "b"')], []
    ),
}


def state_before() -> ProjectState:
    state = ProjectState()
    fields = [("id", models.BigAutoField(primary_key=True)), ("name", text())]
    state.add_model(ModelState("games", "Game", [*fields, ("motto", text(null=True))]))
    state.add_model(ModelState("games", "Coin", fields, {"db_table": "games_piece"}))
    return state


@pytest.mark.parametrize("operation", SAFE.values(), ids=SAFE)
def test_what_old_code_need_not_know_is_allowed(operation: Operation) -> None:
    assert faults([operation], "games", state_before()) == []


@pytest.mark.parametrize("operation", UNSAFE.values(), ids=UNSAFE)
def test_what_old_code_breaks_on_is_found(operation: Operation) -> None:
    assert faults([operation], "games", state_before()) == [operation.describe()]


def test_a_table_of_the_same_migration_may_have_any_column() -> None:
    both = [SAFE["a table"], migrations.AddField("cart", "load", text(default=""))]
    assert faults(both, "games", state_before()) == []
