from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0029_preferences_dated'),
    ]

    operations = [
        migrations.AddField(
            model_name='invitation',
            name='preferences_at',
            field=models.DateTimeField(blank=True, help_text='When the mail with this list came', null=True),
        ),
    ]
