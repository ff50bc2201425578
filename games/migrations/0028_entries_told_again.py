from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0027_fewer_indexes'),
    ]

    operations = [
        migrations.AddField(
            model_name='conduct',
            name='tell_attempts',
            field=models.PositiveIntegerField(db_default=0, default=0, help_text='How often telling it broke'),
        ),
        migrations.AddField(
            model_name='conduct',
            name='tell_again_at',
            field=models.DateTimeField(blank=True, help_text='When it is tried again after it broke', null=True),
        ),
    ]
