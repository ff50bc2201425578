"""Proposals to end a game, and the votes on them."""

from __future__ import annotations

from django.db import models

from games.models.game import Game, Seat
from games.models.phase import Phase


class Proposal(models.Model):
    """A draw among the `winners`, or a concession to the one winner; kept for ever.

    `seat` is the tenure that proposed it, in the phase that was open then. It is open until the end
    of the movement phase that was being played or came next.
    """

    class Kind(models.TextChoices):
        DRAW = "draw", "draw"
        CONCESSION = "concession", "concession"

    class State(models.TextChoices):
        OPEN = "open", "open"
        PASSED = "passed", "passed"
        REFUSED = "refused", "refused"
        EXPIRED = "expired", "expired"
        WITHDRAWN = "withdrawn", "withdrawn"
        VOID = "void", "void"

    game = models.ForeignKey(Game, related_name="proposals", on_delete=models.CASCADE)
    phase = models.ForeignKey(Phase, related_name="proposals", on_delete=models.CASCADE)
    seat = models.ForeignKey(Seat, related_name="proposals", on_delete=models.PROTECT)
    number = models.PositiveIntegerField(help_text="1, 2, 3 … within the game")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    winners: models.JSONField[list[str], list[str]] = models.JSONField(
        default=list, help_text="The powers that would share, or win"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="each_proposal_once_in_a_game")
        ]

    def __str__(self) -> str:
        return f"Proposal {self.number} in {self.game}"


class Ballot(models.Model):
    """One player's yes or no to a proposal, kept for ever; their latest counts."""

    proposal = models.ForeignKey(Proposal, related_name="ballots", on_delete=models.CASCADE)
    seat = models.ForeignKey(Seat, related_name="ballots", on_delete=models.PROTECT)
    yes = models.BooleanField()
    cast_at = models.DateTimeField()
    source = models.CharField(
        max_length=255, blank=True, help_text="The Message-ID of the mail it came in"
    )

    class Meta:
        ordering = ["proposal", "id"]

    def __str__(self) -> str:
        return f"{self.seat}: {'yes' if self.yes else 'no'} to {self.proposal}"
