"""Keep out of indexes what most rows of mails and reply addresses leave empty.

The fields are told of it by themselves (`state_operations`): Django would drop and check their
foreign keys anew, and on SQLite write the whole tables again, for an index that goes.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

DROPPED = [
    ("mailer_inboundmail", "bounce_of_id", "mailer_inboundmail_bounce_of_id_bc880ac6"),
    ("mailer_inboundmail", "mailbox_id", "mailer_inboundmail_mailbox_id_122204b2"),
    ("mailer_outboundmail", "answers_id", "mailer_outboundmail_answers_id_c80d2ac9"),
    ("mailer_outboundmail", "opens_id", "mailer_outboundmail_opens_id_700f49a3"),
    ("mailer_outboundmail", "pictured_id", "mailer_outboundmail_pictured_id_37f075dc"),
    ("mailer_replytoken", "address_id", "mailer_replytoken_address_id_57a5ed66"),
    ("mailer_replytoken", "game_id", "mailer_replytoken_game_id_2f63ad6e"),
    ("mailer_replytoken", "mail_id", "mailer_replytoken_mail_id_9e5c5430"),
    ("mailer_replytoken", "offer_id", "mailer_replytoken_offer_id_b9e4c3cf"),
    ("mailer_replytoken", "phase_id", "mailer_replytoken_phase_id_940a017e"),
    ("mailer_replytoken", "press_id", "mailer_replytoken_press_id_2491e3ce"),
    ("mailer_replytoken", "seat_id", "mailer_replytoken_seat_id_6f2331ef"),
    ("mailer_replytoken", "user_id", "mailer_replytoken_user_id_75f0c24e"),
]
"""Table, column and name of each index that goes."""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0027_fewer_indexes'),
        ('mailer', '0019_pictures_undrawn'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='inboundmail',
            index=models.Index(condition=models.Q(('bounce_of__isnull', False)), fields=['bounce_of'], name='inbound_bounce_of'),
        ),
        migrations.AddIndex(
            model_name='outboundmail',
            index=models.Index(condition=models.Q(('answers__isnull', False)), fields=['answers'], name='outbound_answers'),
        ),
        migrations.AddIndex(
            model_name='outboundmail',
            index=models.Index(condition=models.Q(('opens__isnull', False)), fields=['opens'], name='outbound_opens'),
        ),
        migrations.AddIndex(
            model_name='outboundmail',
            index=models.Index(condition=models.Q(('pictured__isnull', False)), fields=['pictured'], name='outbound_pictured'),
        ),
        migrations.AddIndex(
            model_name='replytoken',
            index=models.Index(condition=models.Q(('seat__isnull', False)), fields=['seat'], name='token_seat'),
        ),
        migrations.AddIndex(
            model_name='replytoken',
            index=models.Index(condition=models.Q(('phase__isnull', False)), fields=['phase'], name='token_phase'),
        ),
        migrations.AddIndex(
            model_name='replytoken',
            index=models.Index(condition=models.Q(('press__isnull', False)), fields=['press'], name='token_press'),
        ),
        migrations.AddIndex(
            model_name='replytoken',
            index=models.Index(condition=models.Q(('address__isnull', False)), fields=['address'], name='token_address'),
        ),
        migrations.AddIndex(
            model_name='replytoken',
            index=models.Index(condition=models.Q(('mail__isnull', False)), fields=['mail'], name='token_mail'),
        ),
        migrations.AddIndex(
            model_name='replytoken',
            index=models.Index(condition=models.Q(('offer__isnull', False)), fields=['offer'], name='token_offer'),
        ),
        migrations.AddIndex(
            model_name='replytoken',
            index=models.Index(condition=models.Q(('game__isnull', False)), fields=['game'], name='token_game'),
        ),
        migrations.AddIndex(
            model_name='replytoken',
            index=models.Index(condition=models.Q(('user__isnull', False)), fields=['user'], name='token_user'),
        ),
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
                    model_name='inboundmail',
                    name='bounce_of',
                    field=models.ForeignKey(blank=True, db_index=False, help_text='The mail of ours that it reports on', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='mailer.outboundmail'),
                ),
                migrations.AlterField(
                    model_name='inboundmail',
                    name='mailbox',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='mails', to='mailer.mailbox'),
                ),
                migrations.AlterField(
                    model_name='outboundmail',
                    name='answers',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='mailer.inboundmail'),
                ),
                migrations.AlterField(
                    model_name='outboundmail',
                    name='opens',
                    field=models.ForeignKey(blank=True, db_index=False, help_text="The phase whose thread it begins, in this player's mailbox", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.phase'),
                ),
                migrations.AlterField(
                    model_name='outboundmail',
                    name='pictured',
                    field=models.ForeignKey(blank=True, db_index=False, help_text='The phase of which it carries pictures', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.phase'),
                ),
                migrations.AlterField(
                    model_name='replytoken',
                    name='address',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.address'),
                ),
                migrations.AlterField(
                    model_name='replytoken',
                    name='game',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.game'),
                ),
                migrations.AlterField(
                    model_name='replytoken',
                    name='mail',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='mailer.inboundmail'),
                ),
                migrations.AlterField(
                    model_name='replytoken',
                    name='offer',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.offer'),
                ),
                migrations.AlterField(
                    model_name='replytoken',
                    name='phase',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.phase'),
                ),
                migrations.AlterField(
                    model_name='replytoken',
                    name='press',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.press'),
                ),
                migrations.AlterField(
                    model_name='replytoken',
                    name='seat',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.seat'),
                ),
                migrations.AlterField(
                    model_name='replytoken',
                    name='user',
                    field=models.ForeignKey(blank=True, db_index=False, help_text='The GM whom it was given to', null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL),
                ),
            ],
        ),
        # PostgreSQL has them for searches by the beginning of a word; nobody searches so.
        migrations.RunSQL(
            [
                'DROP INDEX IF EXISTS "mailer_outboundmail_message_id_477e3173_like"',
                'DROP INDEX IF EXISTS "mailer_replytoken_digest_1e6f8fa2_like"',
            ],
            migrations.RunSQL.noop,
        ),
    ]
