"""`AdvanceOrders` is what the class of orders for later phases is called; its table stays."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0036_wait_noted"),
    ]

    operations = [
        migrations.AlterModelTable("OrdersAhead", "games_ordersahead"),
        migrations.RenameModel("OrdersAhead", "AdvanceOrders"),
        migrations.AlterModelOptions(
            "AdvanceOrders",
            options={
                "ordering": ["seat", "phase_name", "received_at", "id"],
                "verbose_name_plural": "advance orders",
            },
        ),
        migrations.AlterField(
            "AdvanceOrders",
            "seat",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="advance_orders",
                to="games.seat",
            ),
        ),
    ]
