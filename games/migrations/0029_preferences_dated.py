from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0028_entries_told_again'),
    ]

    operations = [
        migrations.AddField(
            model_name='application',
            name='preferences_at',
            field=models.DateTimeField(blank=True, help_text='When the mail with this list came', null=True),
        ),
    ]
