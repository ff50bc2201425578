from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("mailer", "0026_room_for_copies"),
    ]

    operations = [
        migrations.AddField(
            model_name="mailbox",
            name="refused_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When the server last did so",
                null=True,
                verbose_name="our login was refused",
            ),
        ),
    ]
