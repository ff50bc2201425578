"""The pictures that mails carry, drawn when the first mail that shows a phase leaves.

That is outside any transaction, long after the phase was processed, and in a process of its own
(games/queries/reports/drawing.py). If a picture cannot be drawn, we log that; the mails go without
it, and say so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

from django.conf import settings

from atlas import PhasePicture, colours_of
from games.models import Event, Phase
from games.models.prepared import TEXT, Given, Query
from games.queries import board
from games.queries.access.audience import Audience, is_public
from games.queries.reports.drawing import DRAWING, NotDrawn
from games.queries.reports.pictures import Trial, influence_before, sketch_of_trial, subject_of
from mailer.models import OutboundMail, Picture
from mailer.models.outbound import TrialJson
from mailer.outbound.mime import in_base64

logger = logging.getLogger(__name__)

KEPT = 2
"""How many phases before the latest keep their pictures, for mails that wait."""
PHASES = 4
"""For how many phases a viewer's pictures are at hand while mails go out: 2.5 MB at most."""
BOARD = "THE BOARD"
"""Part of the heading above the list of every power's units and centres."""
View = Picture.View
ON_ITS_PAGE = "Open the map on its page."
NO_MAP = "We could not draw the map for this mail."
VIEWS = {
    OutboundMail.Pictures.RESULTS: (View.ORDERS, View.BOARD),
    OutboundMail.Pictures.POSITION: (View.POSITION,),
}


class EncodedPicture(NamedTuple):
    """A picture, and its PNG as it goes over the wire."""

    picture: Picture
    in_base64: bytes


class Note(NamedTuple):
    """A note for missing pictures, and the address of the page that has them, if the reader may
    open one."""

    text: str
    address: str = ""


class MapPage(NamedTuple):
    """The address of a page where a picture can be enlarged, and the words of a link to it."""

    address: str
    link: str


class Album:
    """The pictures that mails carry, for code that sends many mails one after another.

    Mails about a phase leave one after another. Pictures are found by the phase and by the power
    that may see them, so nobody gets another's. An album lasts as long as the session. Reading and
    encoding the pictures again for each mail took 5 ms of it.
    """

    def __init__(self) -> None:
        self._of_phase = lru_cache(maxsize=PHASES)(_of_phase)
        self._missing = lru_cache(maxsize=PHASES)(_note)
        self._variant = lru_cache(maxsize=PHASES)(_variant_of)
        self._page_after = lru_cache(maxsize=PHASES)(_page_after)

    def of_mail(self, mail: OutboundMail) -> Sequence[EncodedPicture]:
        """Return the mail's pictures, drawing them if nobody has done so yet."""
        if mail.pictured_id is None:
            return ()
        if mail.trial:
            return _encode_all(_of_trial(mail.pictured_id, mail.trial, mail.viewer))
        return self._of_phase(mail.pictured_id, mail.pictures, mail.viewer)

    def missing_from(self, mail: OutboundMail) -> Note | None:
        """Return the mail's words in place of pictures that could not be drawn."""
        if mail.pictured_id is None:
            return None
        return self._missing(mail.pictured_id, is_trial=bool(mail.trial))

    def page_of(self, picture: Picture) -> MapPage | None:
        """Return where a picture can be enlarged, or None if no page has it, or not everybody may
        open it.

        The end of a game changes nothing: a mail sent again must be the same mail.
        """
        if not picture.pk or picture.viewer or not is_public(picture.phase.game):
            return None
        if picture.view == View.BOARD:
            return self._page_after(picture.phase_id)
        return MapPage(f"{_address(picture.phase)}#board", ON_ITS_PAGE)

    def tints_for(self, mail: OutboundMail, shown: Sequence[EncodedPicture]) -> Mapping[str, str]:
        """Return the tints of the powers that the mail speaks of, as its pictures have them, by
        name.

        A mail with a board but no pictures goes to a player who wants none.
        """
        if shown:
            return _tints(shown[0].picture.phase.game.variant)
        if mail.event_id is None or BOARD not in mail.body:
            return _tints("standard")
        return _tints(self._variant(mail.event_id))


def _of_phase(phase_id: int, kind: str, viewer: str) -> Sequence[EncodedPicture]:
    views = VIEWS[OutboundMail.Pictures(kind)]
    found = _pictures_known(phase_id, views, viewer)
    if len(found) < len(views):
        _draw(phase_id, views, viewer)
        found = _pictures_known(phase_id, views, viewer)
    return _encode_all([found[view] for view in views if view in found and found[view].png])


def _encode_all(drawn: Sequence[Picture]) -> Sequence[EncodedPicture]:
    return [EncodedPicture(one, encode(one)) for one in drawn]


def _note(phase_id: int, *, is_trial: bool) -> Note:
    phase = Phase.objects.select_related("game").get(pk=phase_id)
    if is_trial or not is_public(phase.game):
        return Note(f"{NO_MAP} The text says all that it would have shown.")
    return Note(f"{NO_MAP} You will find it here:", _address(phase))


def _address(phase: Phase) -> str:
    return f"{settings.SITE_URL}/games/{phase.game.name}/{phase.name}/"


def _page_after(phase_id: int) -> MapPage:
    """The page of the phase that followed this one, or its own if the game ended with it.

    It began in the transaction that processed this one, so this never changes.
    """
    phase = Phase.objects.select_related("game").get(pk=phase_id)
    name = phase.state_left["phase"]
    next_one = phase.game.phases.filter(number=phase.number + 1, name=name).first()
    if next_one is None:
        return MapPage(f"{_address(phase)}#board", ON_ITS_PAGE)
    next_one.game = phase.game
    return MapPage(f"{_address(next_one)}#board", "Open the map of the next phase.")


def _variant_of(event_id: int) -> str:
    return Event.objects.values_list("game__variant", flat=True).get(pk=event_id)


@lru_cache(maxsize=64)
def _tints(variant: str) -> Mapping[str, str]:
    powers = board.variant_named(variant).powers
    return {power: colours.tint for power, colours in colours_of(powers).items()}


def _of_trial(phase_id: int, trial: TrialJson, viewer: str) -> list[Picture]:
    """Draw orders that somebody tried out.

    Nobody else gets these pictures, so we do not keep them: another attempt to send the mail draws
    them again, the same.
    """
    phase = Phase.objects.select_related("game").get(pk=phase_id)
    tried = Trial(phase, trial["results"], trial["next"], viewer or None)

    def drawn() -> list[Picture]:
        pictures = DRAWING.draw(*sketch_of_trial(tried))
        return [_row(phase, View(picture.view), viewer, picture) for picture in pictures]

    return _if_possible(phase, drawn)


def _if_possible(phase: Phase, drawn: Callable[[], list[Picture]]) -> list[Picture]:
    """Return the drawing, or nothing: whatever goes wrong, no mail waits for a picture."""
    try:
        return drawn()
    except NotDrawn as error:
        logger.error("%s cannot be drawn: %s", phase, error)
    except Exception:
        logger.exception("%s cannot be drawn", phase)
    return []


def _pictures_known(phase_id: int, views: Sequence[View], viewer: str) -> dict[str, Picture]:
    found = _KNOWN.all(phase=phase_id, viewer=viewer, one=views[0], other=views[-1])
    return {one.view: one for one in found}


_KNOWN = Query(
    lambda: Picture.objects.select_related("phase__game").filter(  # the HTML asks for the variant
        phase=Given("phase"),
        viewer=Given("viewer", TEXT),
        view__in=[Given("one", TEXT), Given("other", TEXT)],
    )
)


def _draw(phase_id: int, views: Sequence[View], viewer: str) -> None:
    """Draw the views of a phase and keep them; the faster worker wins, so that all mails show the
    same.

    In fog of war, if one power's view cannot be drawn, we do not try the others: a drawing that
    hangs would hold them up for each.
    """
    phase = Phase.objects.select_related("game").get(pk=phase_id)
    drawn: list[Picture] = []
    if not (viewer and Picture.objects.filter(phase=phase, png=b"").exists()):
        drawn = _if_possible(phase, partial(_drawn, phase, views, viewer))
    none = [Picture(phase=phase, view=view, viewer=viewer, png=b"") for view in views]
    Picture.objects.bulk_create(drawn or none, ignore_conflicts=True)
    _forget_before(phase)


def _forget_before(phase: Phase) -> None:
    """Keep only the latest pictures of a game: readers who look back have them drawn again, and the
    same phase always looks the same."""
    old = Picture.objects.filter(phase__game=phase.game, phase__number__lt=phase.number - KEPT)
    old.delete()


def _drawn(phase: Phase, views: Sequence[View], viewer: str) -> list[Picture]:
    subject = subject_of(phase, Audience.PLAYERS, viewer or None)
    assert subject, "who is mailed results may see the board"
    if View.POSITION in views:  # the phase may be over by now
        subject = replace(subject, results=(), next=None)
    title = f"{phase.game.name} · as {subject.seen_by} sees it" if subject.seen_by else ""
    influence = influence_before(phase, viewer or None)
    pictures = DRAWING.draw(subject, title or phase.game.name, influence)
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


def encode(one: Picture) -> bytes:
    """Return the picture as it goes over the wire."""
    return in_base64(bytes(one.png))
