"""Drop again what 0020 drops: 0001_squashed_0022 makes these indexes at its end, after all its steps.

PostgreSQL has them for searches by the beginning of a word; nobody searches so.
"""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('mailer', '0022_after_the_games'),
    ]

    operations = [
        migrations.RunSQL(
            [
                'DROP INDEX IF EXISTS "mailer_outboundmail_message_id_477e3173_like"',
                'DROP INDEX IF EXISTS "mailer_replytoken_digest_1e6f8fa2_like"',
            ],
            migrations.RunSQL.noop,
        ),
    ]
