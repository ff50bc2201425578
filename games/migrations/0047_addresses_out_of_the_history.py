"""Take the addresses out of the admin's history of games and players.

Until a version of this server it said which addresses a GM had invited, kept out or made a co-GM,
and moderators read it without a note in the staff's log. What was done to whom else stays.

Rows of another app's table change their text; no table does, so code of any version runs on. An
entry that old code writes meanwhile keeps what it says.
"""

import re

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

ADDRESS = re.compile(r"[^\s@,;:<>()“”\"]+@[\w-]+(?:\.[\w-]+)*")
INSTEAD = "an address"


def forget_addresses(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    entries = apps.get_model("admin", "LogEntry").objects
    told = entries.filter(content_type__app_label="games", change_message__contains="@")
    for entry in told.iterator():
        said = ADDRESS.sub(INSTEAD, entry.change_message)
        entries.filter(pk=entry.pk).update(change_message=said)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0046_start_times"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.RunPython(forget_addresses, migrations.RunPython.noop, elidable=True),
    ]
