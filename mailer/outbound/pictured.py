"""Which pictures a mail carries: named when we write it, drawn when we send it."""

from __future__ import annotations

from typing import NamedTuple

from games.models import Phase
from games.queries.reports.pictures import Trial
from mailer.models import OutboundMail


class PictureRequest(NamedTuple):
    """The pictures that a mail is to have: of which phase, and for whose eyes."""

    kind: OutboundMail.Pictures
    phase: Phase
    viewer: str | None
    """The power for whose player they are drawn; None for somebody who sees the whole board."""
    trial: Trial | None = None
    """Orders that somebody tried out, and what they would bring."""

    @classmethod
    def of_trial(cls, trial: Trial) -> PictureRequest:
        """What orders that are tried out would bring."""
        return cls(OutboundMail.Pictures.TRIAL, trial.phase, trial.viewer, trial)
