"""Leave half of each page of the mails' table free, for PostgreSQL to copy a row that is taken.

A mail's row is written three times: when it is queued, taken and sent. Where a page is full, a copy
goes to another one and into all indexes of the table. A mail that is taken changes no column that
an index has, so its copy needs none if there is room for it beside the row.

It holds for pages filled from now on, and locks out nobody who reads or writes.
"""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLE = "mailer_outboundmail"


def leave_room(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"ALTER TABLE {TABLE} SET (fillfactor = 50)")


def fill_pages(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"ALTER TABLE {TABLE} RESET (fillfactor)")


class Migration(migrations.Migration):
    dependencies = [
        ("mailer", "0025_labels_in_words"),
    ]

    operations = [
        migrations.RunPython(leave_room, fill_pages),
    ]
