"""Who follows a game without playing in it."""

from __future__ import annotations

from django.db import models

from games.models.game import Game
from games.models.player import Player


class Observer(models.Model):
    """A player who is told what everybody may know of a game, from one moment to another."""

    game = models.ForeignKey(Game, related_name="watchers", on_delete=models.CASCADE)
    player = models.ForeignKey(Player, related_name="observes", on_delete=models.PROTECT)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["game", "since"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "player"],
                condition=models.Q(until__isnull=True),
                name="one_observes_a_game_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} observes {self.game}"
