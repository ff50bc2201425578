"""Nothing to do: it waits for the migrations of `games` that 0001_squashed_0022 needs at once.

Without it a database that stopped between 0027 and 0040 of `games` would have all of those of
`mailer`, so that Django took their replacement for done, and that of `games`, which it needs, not.
"""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0040_letters_to_one_address'),
        ('mailer', '0021_kept_for_later'),
    ]

    operations = []
