"""The groups GM and Moderator, with their permissions."""

from django.apps.registry import Apps
from django.contrib.auth.management import create_permissions
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_GAMES = ["game", "power", "seat", "application", "phase", "readiness", "event", "observer"]
_PEOPLE = ["player", "address", "absence", "attendance", "conduct"]

RIGHTS = {
    "GM": ["add_game", "change_game", *(f"view_{x}" for x in (*_GAMES, "orderset", "press"))],
    "Moderator": [f"view_{x}" for x in (*_GAMES, *_PEOPLE)],
}


def make_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make the groups, or give those of that name their permissions.

    Django makes permissions only after all migrations: they are made here before.
    """
    config = apps.get_app_config("games")
    using = schema_editor.connection.alias
    config.models_module = models  # any will do: an app without one gets no permissions
    create_permissions(config, apps=apps, using=using, verbosity=0)
    config.models_module = None
    Group = apps.get_model("auth", "Group").objects.using(using)
    Permission = apps.get_model("auth", "Permission").objects.using(using)
    for name, codenames in RIGHTS.items():
        group, _ = Group.get_or_create(name=name)
        group.permissions.add(
            *Permission.filter(content_type__app_label="games", codename__in=codenames)
        )


def drop_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the groups away again; who was in them keeps his staff status."""
    using = schema_editor.connection.alias
    apps.get_model("auth", "Group").objects.using(using).filter(name__in=RIGHTS).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("games", "0002_seats_votes_and_observers"),
    ]
    operations = [migrations.RunPython(make_groups, drop_groups)]
