"""Pictures on pages: the still drawing at an address that browsers keep, and each phase's own part
on top of it."""

from __future__ import annotations

import dataclasses
import hashlib
from functools import lru_cache
from typing import Any

from django.urls import reverse

from atlas import Heading, Picture, Subject, View, draw, still_svg
from games.models import Phase
from games.queries import board
from games.queries.access.audience import Audience
from games.queries.reports.drawing import DRAWING
from games.queries.reports.pictures import subject_of
from pages.story import Story
from pages.web import edition


@lru_cache(maxsize=32)
def still_drawing(variant: str) -> bytes:
    """Return the drawing behind all phases of a variant."""
    return _once(still_svg(board.variant_named(variant)).encode())


@lru_cache(maxsize=32)
def _once(drawing: bytes) -> bytes:
    """Return the same object for the same drawing: half of the variants have the standard board,
    whose drawing takes 130 kB."""
    return drawing


def still_address(variant: str) -> str:
    """Return the address of the still drawing, which changes with the drawing."""
    digest = hashlib.sha256(still_drawing(variant)).hexdigest()[:12]
    return reverse("map", kwargs={"variant": variant, "version": digest})


@lru_cache(maxsize=32)
def start_on_page(variant: str) -> str:
    """Return the picture of the board on which a variant begins, for a page."""
    position = board.position_of(variant, board.first_state(variant))
    return draw(Subject(position), "board").svg_on(still_address(variant))


@lru_cache(maxsize=8)
def start_as_png(variant: str) -> bytes:
    """Return the same board as a PNG of about 120 kB, for programs that show a picture beside a
    link, and keep it until the next request for the few variants that people talk of.

    Raises NotDrawn.
    """
    about = board.variant_named(variant)
    position = board.position_of(variant, board.first_state(variant))
    return DRAWING.png(Subject(position), "board", Heading(about.title))


def start_address(variant: str) -> str:
    """Return the address of `start_as_png`, which changes with the code that draws it."""
    return reverse("map-start", kwargs={"variant": variant, "version": edition()})


def picture_of(story: Story, phase: Phase) -> Picture | None:
    """Return the picture of a phase for everybody, None if the board is not for everybody."""
    subject = subject_of(phase, Audience.EVERYBODY)
    if subject is None:
        return None
    return draw(subject, _view(subject), influence=story.influence_before(phase))


def png_of(story: Story, phase: Phase) -> bytes | None:
    """Return the same picture as PNG. Raises NotDrawn."""
    subject = subject_of(phase, Audience.EVERYBODY)
    if subject is None:
        return None
    return DRAWING.png(subject, _view(subject), influence=story.influence_before(phase))


def _view(subject: Subject) -> View:
    return "orders" if subject.next else "board"


def svg_on_page(story: Story, phase: Phase) -> str:
    """Return the picture for a page, "" if there is nothing to show."""
    picture = picture_of(story, phase)
    return picture.svg_on(still_address(phase.game.variant)) if picture else ""


def changes_on_page(story: Story, phase: Phase) -> dict[str, Any] | None:
    """Return the parts of a page to replace to show this phase instead of another."""
    picture = picture_of(story, phase)
    return dataclasses.asdict(picture.changes()) if picture else None
