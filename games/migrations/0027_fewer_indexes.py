"""Drop the indexes of foreign keys by which a unique index finds rows as well.

The fields are told of it by themselves (`state_operations`): Django would drop and check their
foreign keys anew, and on SQLite write the whole tables again, for an index that goes.
"""

import django.db.models.deletion
from django.db import migrations, models

DROPPED = [
    ("games_attendance", "seat_id", "games_attendance_seat_id_ace8e948"),
    ("games_event", "game_id", "games_event_game_id_afa0391c"),
    ("games_orderset", "phase_id", "games_orderset_phase_id_9b409268"),
    ("games_phase", "game_id", "games_phase_game_id_af1b5897"),
]
"""Table, column and name of each index that goes."""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0026_wishes_unanswered'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f'DROP INDEX IF EXISTS "{name}"',
                    f'CREATE INDEX IF NOT EXISTS "{name}" ON "{table}" ("{column}")',
                )
                for table, column, name in DROPPED
            ],
            state_operations=[
                migrations.AlterField(
                    model_name='attendance',
                    name='seat',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='attendance', to='games.seat'),
                ),
                migrations.AlterField(
                    model_name='event',
                    name='game',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='games.game'),
                ),
                migrations.AlterField(
                    model_name='orderset',
                    name='phase',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='order_sets', to='games.phase'),
                ),
                migrations.AlterField(
                    model_name='phase',
                    name='game',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='phases', to='games.game'),
                ),
            ],
        ),
    ]
