"""The pictures that mails carry: drawn by whoever sends the first mail that shows a phase.

That is outside every transaction, and long after the phase was processed. A picture that cannot be
drawn holds up no mail: it is logged, and the mails go without.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from atlas import PhasePicture, colours_of, phase_pictures
from games.models import Event, Phase
from games.queries import board
from games.queries.audience import Audience
from games.queries.pictures import Trial, influence_before, subject_of, trial_pictures
from mailer.models import OutboundMail, Picture
from mailer.outbound.mime import in_base64

logger = logging.getLogger(__name__)

KEPT = 2
"""Of so many phases before the one that is drawn, too, for mails that wait."""
BOARD = "THE BOARD"
"""In the heading above what every power has."""
View = Picture.View
VIEWS = {
    OutboundMail.Pictures.RESULTS: (View.ORDERS, View.BOARD),
    OutboundMail.Pictures.POSITION: (View.POSITION,),
}


def of_mail(mail: OutboundMail) -> list[Picture]:
    """Return the pictures of the mail that there are, drawing them if nobody has so far."""
    if mail.pictured_id is None:
        return []
    if mail.trial:
        return _of_trial(mail.pictured_id, mail.trial, mail.viewer)
    views = VIEWS[OutboundMail.Pictures(mail.pictures)]
    found = _known(mail.pictured_id, views, mail.viewer)
    if len(found) < len(views):
        _draw(mail.pictured_id, views, mail.viewer)
        found = _known(mail.pictured_id, views, mail.viewer)
    return [found[view] for view in views if view in found and found[view].png]


def tints_for(mail: OutboundMail, drawn: Sequence[Picture]) -> Mapping[str, str]:
    """Return the tints of the powers that the mail speaks of, as its pictures have them, by name.

    A mail with a board and no pictures is of a player who wants none.
    """
    if drawn:
        return _tints(drawn[0].phase.game.variant)
    if mail.event_id is None or BOARD not in mail.body:
        return _tints("standard")
    variants = Event.objects.filter(pk=mail.event_id).values_list("game__variant", flat=True)
    return _tints(variants.get())


@lru_cache(maxsize=64)
def _tints(variant: str) -> Mapping[str, str]:
    powers = board.variant_named(variant).powers
    return {power: colours.tint for power, colours in colours_of(powers).items()}


def _of_trial(phase_id: int, trial: Mapping[str, Any], viewer: str) -> list[Picture]:
    """Draw orders that somebody tried out. Nobody else is sent these pictures, so they are not
    kept: for another attempt to send the mail they are drawn again, and alike."""
    phase = Phase.objects.select_related("game").get(pk=phase_id)
    try:
        drawn = trial_pictures(Trial(phase, trial["results"], trial["next"], viewer or None))
    except Exception:  # whatever it is, no mail waits for a picture
        logger.exception("What was tried out in %s cannot be drawn", phase)
        return []
    return [_row(phase, View(picture.view), viewer, picture) for picture in drawn]


def _known(phase_id: int, views: Sequence[View], viewer: str) -> dict[str, Picture]:
    rows = Picture.objects.select_related("phase__game")  # the mail's HTML asks for the variant
    found = rows.filter(phase=phase_id, view__in=views, viewer=viewer)
    return {one.view: one for one in found}


def _draw(phase_id: int, views: Sequence[View], viewer: str) -> None:
    """Draw the views of a phase and keep them; who is faster wins, so that all send the same."""
    phase = Phase.objects.select_related("game").get(pk=phase_id)
    try:
        drawn = _drawn(phase, views, viewer)
    except Exception:  # whatever it is, no mail waits for a picture
        logger.exception("%s cannot be drawn", phase)
        drawn = [Picture(phase=phase, view=view, viewer=viewer, png=b"") for view in views]
    Picture.objects.bulk_create(drawn, ignore_conflicts=True)
    _forget_before(phase)


def _forget_before(phase: Phase) -> None:
    """Keep no more than the latest pictures of a game: whoever looks back has them drawn again,
    and the same phase is always drawn the same."""
    old = Picture.objects.filter(phase__game=phase.game, phase__number__lt=phase.number - KEPT)
    old.delete()


def _drawn(phase: Phase, views: Sequence[View], viewer: str) -> list[Picture]:
    subject = subject_of(phase, Audience.PLAYERS, viewer or None)
    assert subject, "who is mailed results may see the board"
    if View.POSITION in views:  # the phase may be over by now
        subject = replace(subject, results=(), next=None)
    title = f"{phase.game.name} · as {subject.seen_by} sees it" if subject.seen_by else ""
    influence = influence_before(phase, viewer or None)
    pictures = phase_pictures(subject, title or phase.game.name, influence)
    drawn = zip(views, pictures, strict=True)
    return [_row(phase, view, viewer, picture) for view, picture in drawn]


def _row(phase: Phase, view: View, viewer: str, picture: PhasePicture) -> Picture:
    width, height = picture.size
    return Picture(
        phase=phase,
        view=view,
        viewer=viewer,
        png=picture.png,
        width=width,
        height=height,
        alt=picture.alt,
        caption=picture.caption,
        file_name=picture.file_name,
    )


def encoded(one: Picture) -> bytes:
    """Return the picture as it goes over the wire; for all mails of a batch it is encoded once."""
    return _encoded(one.pk, bytes(one.png))


@lru_cache(maxsize=8)
def _encoded(pk: int, png: bytes) -> bytes:
    return in_base64(png)
