"""What was agreed on in games that run already stays, and their GMs can open their desks."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

GM = "GM"


def keep_what_was_agreed(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Declare no power in civil disorder, and let nobody in who does not play.

    The players began without these rules. The GM can change the first; everybody is told then.
    """
    games = apps.get_model("games", "Game").objects.using(schema_editor.connection.alias)
    running = games.filter(status__in=["active", "paused"])
    running.update(disorder_after=0, observers=False)


def appoint_gms(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let into the admin, as GMs, the users who are the GM of a game: no group said so before."""
    using = schema_editor.connection.alias
    group = apps.get_model("auth", "Group").objects.using(using).get(name=GM)
    ids = apps.get_model("games", "Game").objects.using(using).values("gm")
    for user in apps.get_model("auth", "User").objects.using(using).filter(pk__in=ids):
        user.is_staff = True
        user.save(update_fields=["is_staff"])
        user.groups.add(group)


class Migration(migrations.Migration):
    dependencies = [("games", "0003_roles")]
    operations = [
        migrations.RunPython(keep_what_was_agreed, migrations.RunPython.noop),
        migrations.RunPython(appoint_gms, migrations.RunPython.noop),
    ]
