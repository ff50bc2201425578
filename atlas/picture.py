"""From values of the judge to a scene, and from the scene to SVG or PNG."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from atlas import raster, signs, vector
from atlas.crossings import crossings_of
from atlas.drawn_orders import DrawnOrders, read_results
from atlas.passages import passages_of
from atlas.scene import Scene, Stage, legend_of, stage_of, subtitle_cut, tints_of
from atlas.shapes import Group, Layer
from atlas.telling import (
    BOARD_CAPTION,
    CAPTIONS,
    CROSSING_CAPTION,
    DISLODGED_CAPTION,
    PASSAGE_CAPTION,
    STILL_CAPTION,
    VEIL_CAPTION,
    told_board,
    told_orders,
)
from atlas.veil import veil
from atlas.views import ORDERS_VIEWS, BoardView
from atlas.wording import Names
from judge import OrderResult, Position, Province, Variant

View = Literal["orders", "board"]


@dataclass(frozen=True)
class Subject:
    """The subject of a picture: a phase as it began and, once adjudicated, its results."""

    position: Position
    results: tuple[OrderResult, ...] = ()
    """The results to show: leave out what the picture's audience does not know."""
    next: Position | None = None
    is_trial: bool = False
    """Whether somebody only tries the orders out; the words then say what would happen."""
    seen_by: str = ""
    """The power that sees no more than this in fog of war, so that we count nobody else's centres;
    empty if nothing is hidden."""
    in_sight: tuple[Container[str], Container[str]] = ((), ())
    """The full names of the provinces that the power sees when the phase begins, and those that it
    sees afterwards."""


@dataclass(frozen=True)
class Heading:
    """The text at the top left; without a title, the phase's name."""

    title: str = ""
    subtitle: str = ""


@dataclass(frozen=True)
class Picture:
    """A drawn phase, ready to paint."""

    scene: Scene = field(repr=False)

    def _repr_svg_(self) -> str:
        """Return what a notebook shows for the picture."""
        return self.svg()

    def svg(self, names: Names = "code") -> str:
        """Return the picture as SVG, with provinces named by letters or in full."""
        return vector.svg(self.scene, names)

    def svg_on(self, address: str) -> str:
        """Return the picture for a page that has the variant's `still_svg` at this address."""
        return vector.svg_on(self.scene, address)

    def changes(self) -> vector.Changes:
        """Return what a page replaces in the `svg_on` of another phase to show this one."""
        return vector.changes(self.scene)

    def png(self, width: int | None = None) -> bytes:
        """Return the picture as PNG of this width in pixels, or of the width that suits a mail."""
        return raster.png(self.scene, width or self.scene.stage.sheet.picture_width)


def still_svg(variant: Variant) -> str:
    """Return the drawing behind all phases of a variant: the same until the drawing changes."""
    return vector.still_svg(stage_of(variant))


@dataclass(frozen=True)
class PhasePicture:
    """A picture as a mail carries it."""

    view: View
    png: bytes = field(repr=False)
    size: tuple[int, int]
    """Width and height in pixels, for the mail's HTML."""
    alt: str
    """What it shows, for people who do not see it; no line of it can be mistaken for an order."""
    caption: str
    """What its signs mean; no line of this can be mistaken for an order either."""
    file_name: str


def draw(
    subject: Subject,
    view: View = "orders",
    heading: Heading = Heading(),
    influence: Mapping[str, str] | None = None,
) -> Picture:
    """Draw a phase: its orders with their results, or the board that they left.

    A phase without a next position has the board with which it began. `influence` says who was last
    in each province without a centre (see `influence_after`); without it land has the tint of the
    power whose own country it is.
    """
    stage = stage_of(subject.position.variant)
    orders = read_results(subject.results, subject.position.variant.board)
    after = subject.next if view == "board" else None
    shown = after or subject.position
    if view == "orders":
        orders_view = ORDERS_VIEWS[subject.position.phase.step]
        *below, behind, units, above = orders_view(stage, subject.position, orders).layers()
    else:
        done = orders.by_unit.values() if after else ()
        *below, behind, units, above = BoardView(stage, shown, _gained(subject), done).layers()
    tints = tints_of(stage, shown, influence)
    unseen = _unseen(subject, after=bool(after))
    veils = [veil(stage, subject.in_sight[1 if after else 0], tints)] if subject.seen_by else []
    scene = Scene(
        stage=stage,
        tints=tints,
        below=[*veils, *_links(stage), *_with_stars(stage, shown, unseen, below)],
        behind=behind,
        units=units,
        above=above,
        legend=legend_of(subject.position, subject.next, orders.waived, subject.seen_by),
        title=heading.title or subject.position.phase.long_name,
        subtitle=subtitle_cut(heading.subtitle),
        description=_told(subject, view, orders),
    )
    return Picture(scene)


def _links(stage: Stage) -> Iterator[Layer]:
    """Yield the layers of railways, canals and crossings that the sheet has."""
    if stage.sheet.passages:
        yield passages_of(stage)
    if stage.sheet.crossings:
        yield crossings_of(stage)


def phase_pictures(
    subject: Subject,
    subtitle: str = "",
    influence: Mapping[str, str] | None = None,
    width: int | None = None,
) -> tuple[PhasePicture, ...]:
    """Return the pictures of a phase for a mail: its orders, and the board that they left.

    A phase that is not adjudicated has only the board. Make them once for each audience, with the
    results that it may see: everybody in it gets the same pictures.
    """
    views: tuple[View, ...] = ("orders", "board") if subject.next else ("board",)
    return tuple(_for_mail(subject, view, subtitle, influence, width) for view in views)


def _for_mail(
    subject: Subject,
    view: View,
    subtitle: str,
    influence: Mapping[str, str] | None,
    width: int | None,
) -> PhasePicture:
    now = "the board afterwards" if subject.is_trial else "the board now"
    what = "orders and results" if view == "orders" else now
    under = f"{subtitle} · {what}" if subtitle else what
    picture = draw(subject, view, Heading(subtitle=under), influence)
    png = picture.png(width)
    phase = subject.position.phase
    return PhasePicture(
        view=view,
        png=png,
        size=raster.size_of(picture.scene, width or picture.scene.stage.sheet.picture_width),
        alt=picture.scene.description,
        caption=_caption_of(subject, view)
        + (CROSSING_CAPTION if picture.scene.stage.sheet.crossings else "")
        + (PASSAGE_CAPTION if picture.scene.stage.sheet.passages else "")
        + (VEIL_CAPTION if subject.seen_by else ""),
        file_name=f"{phase}-{view}.png",
    )


def _caption_of(subject: Subject, view: View) -> str:
    """Return what the signs mean, leaving out those that the picture cannot contain."""
    if view == "orders":
        return CAPTIONS[subject.position.phase.step]
    if subject.next:
        return BOARD_CAPTION
    return STILL_CAPTION + (DISLODGED_CAPTION if subject.position.dislodged else "")


def _told(subject: Subject, view: View, orders: DrawnOrders) -> str:
    trial, fog = subject.is_trial, bool(subject.seen_by)
    if view == "orders":
        return told_orders(subject.position, orders, is_trial=trial, in_fog=fog)
    return told_board(subject.position, subject.next, is_trial=trial, in_fog=fog)


def _gained(subject: Subject) -> dict[Province, str]:
    """Return the new owner of each centre that is known to have one.

    One that came into sight with its owner may have been theirs for years.
    """
    if subject.next is None:
        return {}
    was, unseen = subject.position.centers, _unseen(subject, after=False)
    return {
        province: power
        for province, power in subject.next.centers.items()
        if was.get(province) != power and (power == subject.seen_by or province not in unseen)
    }


def _unseen(subject: Subject, *, after: bool) -> frozenset[Province]:
    """Return the provinces that are out of sight when the phase begins, or afterwards."""
    if not subject.seen_by:
        return frozenset()
    seen = subject.in_sight[1 if after else 0]
    board = subject.position.variant.board
    return frozenset(province for province in board.provinces if province.name not in seen)


def _with_stars(
    stage: Stage, position: Position, unseen: Container[Province], layers: Iterable[Layer]
) -> list[Layer]:
    """Return the layers with the stars under all lines, but above the rings of centres just won."""
    stars = []
    for province in stage.provinces.values():
        spot = stage.centres.get(province.id)
        if spot:
            owner = position.centers.get(province)
            if owner:
                star, whose = signs.star_at(spot, stage.colours[owner].unit), owner
            elif province in unseen:
                star, whose = signs.unseen_centre(spot), "out of sight"
            else:
                star, whose = signs.free_centre(spot), "nobody's"
            stars.append(Group(star, province.id, f"{province}: {whose}"))
    rings = [layer for layer in layers if layer.name == "gains"]
    rest = [layer for layer in layers if layer.name != "gains"]
    return [*rings, Layer("centres", stars), *rest]


__all__ = [
    "Heading",
    "PhasePicture",
    "Picture",
    "Subject",
    "View",
    "draw",
    "phase_pictures",
    "still_svg",
]
