"""A game, its powers and the players' tenures of them."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models
from django.db.models.functions import Lower, Upper

from games.models.player import Player

NAME = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9_-]*$",
    "Use letters, digits, - and _ only: players write this name in mails.",
)


def datc() -> str:
    """The rules of a game for which nobody chose any (a callable, because migrations name it)."""
    return "DATC"


Rules = str | dict[str, str]
"""A preset's name, or choices by their issue in the DATC, the preset among them."""


class Game(models.Model):
    """One game with its settings; `lifecycle.py` says which status may follow which."""

    class Status(models.TextChoices):
        # The labels follow "is", as pages, mails and the admin say it.
        FORMING = "forming", "looking for players"
        MUSTER = "muster", "about to start"
        ACTIVE = "active", "being played"
        PAUSED = "paused", "paused"
        FINISHED = "finished", "over"

    class WhenMissing(models.TextChoices):
        HOLD = "hold", "units without an order hold, and the game goes on"
        EXTEND = "extend", "the deadline is extended once, then units hold"
        WAIT = "wait", "the game waits for the orders, or for a replacement"
        GM = "gm", "the game waits until the GM decides"

    class PressMode(models.TextChoices):
        NONE = "none", "none at all"
        PUBLIC = "public", "to everybody only"
        PRIVATE = "private", "to chosen powers only"
        BOTH = "both", "to everybody or to chosen powers"

    class Draws(models.TextChoices):
        NONE = "none", "no draw by votes"
        SURVIVORS = "survivors", "among all survivors only"
        SUBSET = "subset", "among any of the survivors"

    class Ending(models.TextChoices):
        SOLO = "solo", "a power owns the centres that win"
        DRAW = "draw", "a draw that was voted for"
        CONCESSION = "concession", "a concession that was voted for"
        GM = "gm", "decided by the GM"
        QUIET_YEARS = "quiet_years", "years without a capture"
        MOST_YEARS = "most_years", "as many years as the game may last"
        LAST_YEAR = "last_year", "the year in which the game ends"

    class Diaries(models.TextChoices):
        NONE = "none", "there are none"
        PRIVATE = "private", "for their writers alone, after the end, too"
        REVEALED = "revealed", "for their writers alone until the end, then for everybody"

    class GMSees(models.TextChoices):
        NOTHING = "nothing", "no orders and no press before the deadline"
        ORDERS = "orders", "orders and press, by a look of which everybody is told"

    class Entry(models.TextChoices):
        OPEN = "open", "anybody may join"
        APPROVAL = "approval", "the GM lets people in"
        INVITED = "invited", "by invitation only"

    # The settings. games/settings/table.py says what each means, how people choose it, and when it
    # may change.
    name = models.CharField(max_length=40, validators=[NAME])
    variant = models.CharField(max_length=200, default="standard")
    variant_options = models.CharField(max_length=120, blank=True, default="")
    rules: models.JSONField[Rules, Rules] = models.JSONField(default=datc)
    gm = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        verbose_name="GM",
    )
    tournament = models.CharField(
        max_length=40, blank=True, default="", db_default="", validators=[NAME]
    )
    min_reliability = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(100)]
    )
    entry = models.CharField(max_length=10, choices=Entry.choices, default=Entry.OPEN)
    muster = models.DurationField(default=dt.timedelta(0))
    start = models.CharField(max_length=40, blank=True, default="", db_default="")
    movement_length = models.DurationField(default=dt.timedelta(hours=72))
    retreat_length = models.DurationField(default=dt.timedelta(hours=24))
    adjustment_length = models.DurationField(default=dt.timedelta(hours=24))
    timezone = models.CharField(max_length=64, default="UTC")
    movement_clock = models.CharField(max_length=100, blank=True)
    retreat_clock = models.CharField(max_length=100, blank=True)
    adjustment_clock = models.CharField(max_length=100, blank=True)
    days_off = models.CharField(max_length=500, blank=True)
    waits_for_absent = models.BooleanField(default=True)
    first_extra = models.DurationField(default=dt.timedelta(0))
    process_early = models.BooleanField(default=True)
    early_delay = models.DurationField(null=True, blank=True)
    transit_grace = models.DurationField(default=dt.timedelta(0))
    reminders = models.CharField(max_length=60, blank=True, default="24h")
    press_mode = models.CharField(max_length=10, choices=PressMode.choices, default=PressMode.BOTH)
    grey_press = models.BooleanField(default=False)
    fake_press = models.BooleanField(default=False)
    diaries = models.CharField(max_length=10, choices=Diaries.choices, default=Diaries.NONE)
    anonymous = models.BooleanField(default=False)
    observers = models.BooleanField(default=True)
    fog = models.BooleanField(default=False)
    gm_sees = models.CharField(max_length=10, choices=GMSees.choices, default=GMSees.NOTHING)
    when_missing = models.CharField(
        max_length=10, choices=WhenMissing.choices, default=WhenMissing.HOLD
    )
    extension_length = models.DurationField(default=dt.timedelta(hours=24))
    player_extensions = models.PositiveSmallIntegerField(default=0)
    disorder_after = models.PositiveSmallIntegerField(default=2)
    takeover_time = models.DurationField(null=True, blank=True)
    draws = models.CharField(max_length=10, choices=Draws.choices, default=Draws.SURVIVORS)
    concessions = models.BooleanField(default=True)
    secret_votes = models.BooleanField(default=True)
    scoring = models.CharField(max_length=20, default="draw-size")
    last_year = models.PositiveSmallIntegerField(null=True, blank=True)
    quiet_years = models.PositiveSmallIntegerField(default=0)
    most_years = models.PositiveSmallIntegerField(default=0)

    # What became of it.
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.FORMING)
    created_at = models.DateTimeField()
    code = models.CharField(
        max_length=20, blank=True, help_text="With it anybody may join who needs an invitation"
    )
    maker = models.ForeignKey(
        Player,
        null=True,
        blank=True,
        related_name="games_made",
        on_delete=models.PROTECT,
        help_text="The player who made it by mail",
    )
    muster_until = models.DateTimeField(
        null=True, blank=True, help_text="Until when the players are asked whether they are here"
    )
    muster_remind_at = models.DateTimeField(
        null=True, blank=True, help_text="When those who have not answered are reminded next"
    )
    starts_at = models.DateTimeField(
        null=True, blank=True, help_text="The moment of `start`, until it has started"
    )
    start_reminded_at = models.DateTimeField(
        null=True, blank=True, help_text="When those who have joined were reminded of the start"
    )
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    resume_at = models.DateTimeField(null=True, blank=True, help_text="When a pause ends by itself")
    winner = models.CharField(max_length=40, blank=True)
    ending = models.CharField(max_length=12, choices=Ending.choices, blank=True)
    winners: models.JSONField[list[str], list[str]] = models.JSONField(
        default=list, blank=True, help_text="Who won, or shares the draw; empty: no result"
    )

    ever_had_co_gms: bool | None = None
    """Whether it has or had any; None if nobody asked when the row was read."""

    class Meta:
        constraints = [models.UniqueConstraint(Lower("name"), name="one_game_per_name")]
        indexes = [
            models.Index(
                fields=["resume_at"], condition=models.Q(status="paused"), name="game_paused"
            ),
            # Every tick looks for it, while finished games pile up.
            models.Index(
                fields=["status"],
                condition=models.Q(status__in=["active", "muster"]),
                name="game_with_deadline",
            ),
            # Few games have one, and lose it once they start.
            models.Index(
                fields=["starts_at"],
                condition=models.Q(starts_at__isnull=False),
                name="game_with_start",
            ),
            # Few games belong to one.
            models.Index(
                Upper("tournament"),
                condition=~models.Q(tournament=""),
                name="game_of_tournament",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Application(models.Model):
    """A player's wish to join a forming game, with their preference list for the powers."""

    game = models.ForeignKey(Game, related_name="applications", on_delete=models.CASCADE)
    player = models.ForeignKey(Player, related_name="applications", on_delete=models.PROTECT)
    preferences = models.CharField(
        max_length=500, blank=True, help_text="Powers, best first; equals in brackets"
    )
    preferences_at = models.DateTimeField(
        null=True, blank=True, help_text="When the mail with this list came"
    )
    """When the player's mail came that withdrew them; set once they have left."""
    created_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    here_at = models.DateTimeField(
        null=True, blank=True, help_text="When they answered the muster that is on"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "player"], name="one_application_per_player")
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.game}"


class Power(models.Model):
    """A great power of one game. In civil disorder its units hold, and nobody waits for it."""

    game = models.ForeignKey(Game, related_name="powers", on_delete=models.CASCADE)
    name = models.CharField(max_length=40)
    disorder_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when it is in civil disorder"
    )
    open_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when anybody may take its seat"
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["game", "name"], name="each_power_once_in_a_game")
        ]
        indexes = [
            models.Index(
                fields=["game"],
                condition=models.Q(open_since__isnull=False)
                | models.Q(disorder_since__isnull=False),
                name="power_lost",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.game})"


class Seat(models.Model):
    """A player's tenure of a power, from one moment to another. A takeover ends one seat and begins
    another."""

    class Ended(models.TextChoices):
        RESIGNED = "resigned", "they resigned"
        TAKEN_OVER = "taken_over", "nothing came from them, and another took over"
        REPLACED = "replaced", "the GM or a moderator gave the seat to another"
        VACATED = "vacated", "the GM or a moderator took the seat away"

    power = models.ForeignKey(Power, related_name="seats", on_delete=models.CASCADE)
    player = models.ForeignKey(Player, related_name="seats", on_delete=models.PROTECT)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    ended_because = models.CharField(
        max_length=12, choices=Ended.choices, blank=True, verbose_name="why it ended"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["power"],
                condition=models.Q(until__isnull=True),
                name="one_player_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"{self.power.name} of {self.player}"
