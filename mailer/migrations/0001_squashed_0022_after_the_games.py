"""All migrations up to 0022 in one, for databases that begin (as those of `games`)."""

import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('mailer', '0001_initial'),
        ('mailer', '0002_bounces_and_gm_mails'),
        ('mailer', '0003_stuck_mails_and_turns'),
        ('mailer', '0004_moderators_letters'),
        ('mailer', '0005_bounced_index'),
        ('mailer', '0006_what_yes_stands_for'),
        ('mailer', '0007_reworded'),
        ('mailer', '0008_html_and_pictures'),
        ('mailer', '0009_calendar_files'),
        ('mailer', '0010_pictures_of_trials'),
        ('mailer', '0011_found_by_indexes'),
        ('mailer', '0012_pictures_of_a_viewer'),
        ('mailer', '0013_special_states'),
        ('mailer', '0014_emptied'),
        ('mailer', '0015_mail_paused'),
        ('mailer', '0016_domain_pace'),
        ('mailer', '0017_files_that_mails_carry'),
        ('mailer', '0018_ignored_for_any_reason'),
        ('mailer', '0019_pictures_undrawn'),
        ('mailer', '0020_fewer_indexes'),
        ('mailer', '0021_kept_for_later'),
        ('mailer', '0022_after_the_games'),
    ]

    dependencies = [
        ('games', '0001_squashed_0040_letters_to_one_address'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DomainPace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(max_length=253, unique=True)),
                ('since', models.DateTimeField()),
                ('minute', models.DateTimeField(help_text='The minute that is counted')),
                ('sent', models.PositiveIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'pace of a domain',
                'verbose_name_plural': 'paces of domains',
            },
        ),
        migrations.CreateModel(
            name='Mailbox',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(help_text='Without the password', max_length=255, unique=True, verbose_name='mailbox')),
                ('uidvalidity', models.BigIntegerField(blank=True, null=True, verbose_name='UIDVALIDITY')),
                ('last_uid', models.BigIntegerField(default=0, verbose_name='last UID')),
                ('last_ok_poll', models.DateTimeField(blank=True, help_text='Start of the last poll that stored all there was', null=True)),
                ('failing_since', models.DateTimeField(blank=True, help_text='First of the polls that failed since the last good one', null=True)),
                ('gap_from', models.DateTimeField(blank=True, help_text='Last good poll before the latest outage', null=True)),
                ('gap_to', models.DateTimeField(blank=True, help_text='First good poll after the latest outage', null=True)),
                ('settling_until', models.DateTimeField(blank=True, help_text="Until then no deadline counts: the server's clock jumped", null=True)),
            ],
            options={
                'verbose_name_plural': 'mailboxes',
            },
        ),
        migrations.CreateModel(
            name='InboundMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uidvalidity', models.BigIntegerField()),
                ('uid', models.BigIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('raw', models.BinaryField()),
                ('received_at', models.DateTimeField(help_text='When our mail server had it (INTERNALDATE)')),
                ('stored_at', models.DateTimeField(verbose_name='stored')),
                ('state', models.CharField(choices=[('new', 'new'), ('done', 'done'), ('ignored', 'ignored'), ('held', 'held until the sender is confirmed'), ('later', 'kept for later: too many in an hour'), ('report', "a server's report about a mail of ours"), ('quarantined', 'set aside: it broke the program'), ('unfetched', 'cannot be fetched from its mailbox')], default='new', max_length=12)),
                ('attempts', models.PositiveIntegerField(default=0, help_text='Attempts that failed because of it')),
                ('setbacks', models.PositiveIntegerField(default=0, help_text='Attempts that a killed worker or a sick database ended')),
                ('working_since', models.DateTimeField(blank=True, help_text='Since when a worker is at it', null=True)),
                ('died_at', models.DateTimeField(blank=True, help_text='When the last worker that vanished over it had begun', null=True)),
                ('retry_at', models.DateTimeField(blank=True, null=True, verbose_name='next try')),
                ('released_at', models.DateTimeField(blank=True, help_text='When an operator let it go, so that no game waits for it', null=True, verbose_name='let go')),
                ('error', models.TextField(blank=True)),
                ('note', models.CharField(blank=True, help_text='Why it was ignored or held', max_length=200)),
                ('message_id', models.CharField(blank=True, max_length=255, verbose_name='Message-ID')),
                ('sender', models.CharField(blank=True, help_text='Whom its From line names, proved or not', max_length=254)),
                ('subject', models.CharField(blank=True, max_length=255)),
                ('proof', models.CharField(blank=True, help_text='How its sender showed who they are', max_length=16)),
                ('signed_by', models.CharField(blank=True, help_text='Domains whose DKIM signature we found valid', max_length=255)),
                ('dkim_checked_at', models.DateTimeField(blank=True, null=True)),
                ('processed_at', models.DateTimeField(blank=True, null=True, verbose_name='dealt with')),
                ('emptied_at', models.DateTimeField(blank=True, help_text='When its words were removed, as too old or on request', null=True)),
                ('holds', models.ManyToManyField(blank=True, help_text='The games that wait until this mail, which was set aside, is settled', related_name='held_up_by', to='games.game', verbose_name='games that wait for it')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='games.player')),
                ('mailbox', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='mails', to='mailer.mailbox')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('state', 'new')), fields=['received_at'], name='inbound_to_do'), models.Index(fields=['mailbox', 'uidvalidity', 'uid'], name='inbound_uid'), models.Index(fields=['message_id'], name='inbound_message_id'), models.Index(fields=['sender', 'processed_at'], name='inbound_sender'), models.Index(condition=models.Q(('state', 'later')), fields=['retry_at'], name='inbound_later'), models.Index(condition=models.Q(('released_at', None), ('state__in', ['quarantined', 'unfetched'])), fields=['state', 'received_at'], name='inbound_stuck'), models.Index(condition=models.Q(('emptied_at', None)), fields=['processed_at'], name='inbound_to_empty'), models.Index(condition=models.Q(('state__in', ['new', 'done']), _negated=True), fields=['state', 'id'], name='inbound_special'), django.contrib.postgres.indexes.BrinIndex(fields=['received_at'], name='inbound_received')],
                'constraints': [models.UniqueConstraint(fields=('mailbox', 'sha256'), name='each_mail_stored_once')],
            },
        ),
        migrations.CreateModel(
            name='OrderMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mail', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='order_sets', to='mailer.inboundmail')),
                ('order_set', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='mail', to='games.orderset')),
            ],
        ),
        migrations.CreateModel(
            name='OutboundMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(help_text='What makes it the same mail', max_length=200, unique=True)),
                ('kind', models.CharField(max_length=40)),
                ('priority', models.PositiveSmallIntegerField(choices=[(10, 'Receipt'), (20, 'Result'), (30, 'Notice')], default=30)),
                ('recipient', models.CharField(max_length=254)),
                ('message_id', models.CharField(max_length=255, unique=True, verbose_name='Message-ID')),
                ('subject', models.CharField(max_length=255)),
                ('body', models.TextField()),
                ('reply_to', models.CharField(blank=True, max_length=254)),
                ('cc', models.CharField(blank=True, help_text='Only shown: where an answer to all goes', max_length=254)),
                ('in_reply_to', models.CharField(blank=True, max_length=255, verbose_name='In-Reply-To')),
                ('references', models.TextField(blank=True, verbose_name='References')),
                ('on_yes', models.TextField(blank=True, help_text='The lines that the word YES stands for in an answer to it')),
                ('html', models.BooleanField(default=False, help_text='Whether it has an HTML part')),
                ('buttons', models.JSONField(default=list, help_text='Of each what it says and what it answers')),
                ('pictures', models.CharField(blank=True, choices=[('results', 'the orders, and the board that they left'), ('position', 'the board with which it began'), ('trial', 'orders tried out, and the board that they would leave')], max_length=10)),
                ('viewer', models.CharField(blank=True, db_default='', default='', help_text='The power for whose player they are drawn, in fog of war', max_length=40)),
                ('trial', models.JSONField(blank=True, help_text='The results of orders tried out, and what would be next', null=True)),
                ('calendars', models.JSONField(default=list, help_text='Of each calendar file its method and its text')),
                ('state', models.CharField(choices=[('queued', 'queued'), ('sent', 'sent'), ('failed', 'failed for good'), ('kept', 'kept back')], default='queued', max_length=10)),
                ('created_at', models.DateTimeField(verbose_name='created')),
                ('not_before', models.DateTimeField(verbose_name='not sent before')),
                ('leased_until', models.DateTimeField(blank=True, null=True)),
                ('leased_by', models.CharField(blank=True, help_text='The mark of the worker that is sending it', max_length=32)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('last_error', models.TextField(blank=True)),
                ('sent_at', models.DateTimeField(blank=True, null=True, verbose_name='sent')),
                ('bounce_digest', models.CharField(blank=True, help_text='SHA-256 of the secret in its envelope sender', max_length=64)),
                ('bounced_at', models.DateTimeField(blank=True, help_text='When it was reported that it did not arrive', null=True, verbose_name='came back')),
                ('bounce', models.TextField(blank=True, help_text='What the latest report about it said', verbose_name='report about it')),
                ('emptied_at', models.DateTimeField(blank=True, help_text='When its words were removed, as too old or on request', null=True)),
                ('answers', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='mailer.inboundmail', verbose_name='answer to')),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='games.event')),
                ('opens', models.ForeignKey(blank=True, db_index=False, help_text="The phase whose thread it begins, in this player's mailbox", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.phase')),
                ('pictured', models.ForeignKey(blank=True, db_index=False, help_text='The phase of which it carries pictures', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.phase')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='games.player')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['recipient', 'created_at'], name='outbound_recipient'), models.Index(fields=['bounce_digest'], name='outbound_bounce'), models.Index(condition=models.Q(('state', 'failed')), fields=['created_at'], name='outbound_failed'), models.Index(condition=models.Q(('bounced_at__isnull', False)), fields=['bounced_at'], name='outbound_bounced'), models.Index(condition=models.Q(('state', 'queued')), fields=['priority', 'not_before'], name='outbound_to_send'), models.Index(condition=models.Q(('state', 'queued')), fields=['recipient', 'id'], name='outbound_in_order'), models.Index(condition=models.Q(('emptied_at', None)), fields=['created_at'], name='outbound_to_empty'), models.Index(condition=models.Q(('state', 'kept')), fields=['player', 'id'], name='outbound_kept'), models.Index(condition=models.Q(('kind__in', ['reply', 'phase_processed']), _negated=True), fields=['kind', 'id'], name='outbound_kind'), django.contrib.postgres.indexes.BrinIndex(fields=['created_at'], name='outbound_created'), models.Index(condition=models.Q(('answers__isnull', False)), fields=['answers'], name='outbound_answers'), models.Index(condition=models.Q(('opens__isnull', False)), fields=['opens'], name='outbound_opens'), models.Index(condition=models.Q(('pictured__isnull', False)), fields=['pictured'], name='outbound_pictured')],
            },
        ),
        migrations.AddField(
            model_name='inboundmail',
            name='bounce_of',
            field=models.ForeignKey(blank=True, db_index=False, help_text='The mail of ours that it reports on', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='mailer.outboundmail', verbose_name='report about'),
        ),
        migrations.CreateModel(
            name='AttachedFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('data', models.BinaryField()),
                ('mail', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='file', to='mailer.outboundmail')),
            ],
        ),
        migrations.CreateModel(
            name='Picture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('view', models.CharField(choices=[('orders', 'what was ordered, and what came of it'), ('board', 'the board afterwards'), ('position', 'the board with which the phase began')], max_length=10)),
                ('viewer', models.CharField(blank=True, db_default='', default='', max_length=40)),
                ('png', models.BinaryField()),
                ('width', models.PositiveIntegerField(default=0)),
                ('height', models.PositiveIntegerField(default=0)),
                ('alt', models.TextField(blank=True)),
                ('caption', models.TextField(blank=True)),
                ('file_name', models.CharField(blank=True, max_length=80)),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pictures', to='games.phase')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('width', 0)), fields=['phase'], name='picture_undrawn')],
                'constraints': [models.UniqueConstraint(fields=('phase', 'view', 'viewer'), name='each_view_drawn_once_for_a_viewer')],
            },
        ),
        migrations.CreateModel(
            name='ReplyToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('purpose', models.CharField(choices=[('seat', 'orders and commands of a power in a phase'), ('address', 'confirms an address'), ('mail', 'confirms a held mail'), ('answer', 'answers press, to its writer'), ('answer_all', 'answers press, to all who take part'), ('offer', 'takes a seat that was offered'), ('moderators', 'answers what a moderator wrote'), ('here', 'says before the start that its player is here'), ('gm', "commands of a game's GM"), ('gm_answer', 'answers press, for the GM'), ('gm_mail', 'confirms a held mail of a GM')], max_length=10)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('stamp', models.CharField(blank=True, help_text='How the game stood when the GM was asked', max_length=64)),
                ('created_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('address', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.address')),
                ('game', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.game')),
                ('mail', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='mailer.inboundmail')),
                ('offer', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.offer')),
                ('phase', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.phase')),
                ('press', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.press')),
                ('seat', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='games.seat')),
                ('user', models.ForeignKey(blank=True, db_index=False, help_text='The GM whom it was given to', null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('seat__isnull', False)), fields=['seat'], name='token_seat'), models.Index(condition=models.Q(('phase__isnull', False)), fields=['phase'], name='token_phase'), models.Index(condition=models.Q(('press__isnull', False)), fields=['press'], name='token_press'), models.Index(condition=models.Q(('address__isnull', False)), fields=['address'], name='token_address'), models.Index(condition=models.Q(('mail__isnull', False)), fields=['mail'], name='token_mail'), models.Index(condition=models.Q(('offer__isnull', False)), fields=['offer'], name='token_offer'), models.Index(condition=models.Q(('game__isnull', False)), fields=['game'], name='token_game'), models.Index(condition=models.Q(('user__isnull', False)), fields=['user'], name='token_user')],
            },
        ),
        migrations.AddIndex(
            model_name='inboundmail',
            index=models.Index(condition=models.Q(('bounce_of__isnull', False)), fields=['bounce_of'], name='inbound_bounce_of'),
        ),
    ]
