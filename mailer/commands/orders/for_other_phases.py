"""Orders for another phase than the open one: headings that say so, and builds before their time.

We follow none of them in this phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.queries.board import is_before, phase_title, reads_as_order, year_of
from mailer.commands.orders.viewpoint import Piece, Reason, Viewpoint
from mailer.reading import courtesies, doubts, phrases, seasons
from mailer.reading.kinds_of_line import looks_like_order
from mailer.reading.patterns import any_of, one_word, says
from mailer.reading.quotes import Line

_FOR_ANOTHER_PHASE = (
    "It stands below “{}”, so we do not follow it in this phase. Put orders for a later phase "
    "below a line with its name, for example PHASE {}."
)
_TOO_EARLY = "Builds are for {}: order them when it begins, or now below the line PHASE {}."
_LONGEST_HEADING = 80
_PHASE = rf"(?:{seasons.WITH_YEAR})[mra]?\b"
_HEADS = says(rf".*?\b{_PHASE}[^-–—>]*")
_IS_OVER = any_of(
    *("was", "were", "went", "ended", "(?:has|have) been"),
    rf"(?:is|are) (?:all )?{one_word('done over finished')}",
)
_TELLS = says(
    rf"(?!.*\b(?:orders?|moves?)\b)\W*(?:{one_word('well so ok the our all')}\W+){{0,3}}"
    rf"{_PHASE}[^:]{{0,30}}?\b{_IS_OVER}\b[^:]*",
)
"""A sentence that mentions a phase and heads no orders: "Winter 1900 builds are done."."""


def other_phases(texts: Sequence[str], open_now: str) -> list[str]:
    """A sentence for each line that assigns orders to a phase other than the one they count for."""
    return [said for text in texts if (said := _of_another(text, open_now))]


def only_heads(text: str, open_now: str) -> bool:
    """Whether a line says nothing but that orders for the open phase follow: "My orders for Spring
    1901 are as follows."."""
    return (
        bool(courtesies.ORDERS_FOLLOW.fullmatch(text.rstrip()))
        and heads_another(text, open_now) is False
    )


def below_heading(text: str, open_now: str) -> str:
    """The orders of a line that begins with the open phase ("Spring 1901: A Par - Bur"); any other
    line unchanged, since orders for another phase must not count in this one."""
    heading, colon, orders = text.partition(":")
    if not (colon and orders.strip()) or _of_another(heading, open_now):
        return text
    is_heading = _HEADS.fullmatch(heading[:_LONGEST_HEADING]) or _season(heading)
    return orders.strip() if is_heading else text


def headed_by_another(text: str, open_now: str) -> str:
    """The other phase at the beginning of a line with orders: "Fall: A Par - Bur"; "" for other
    lines."""
    heading, colon, orders = text.partition(":")
    if not colon:
        return ""
    is_another = heads_another(heading, open_now)
    other = (phase_headed if is_another else _season_headed)(heading, open_now)
    return other if other and reads_as_order(orders.strip().partition(",")[0]) else ""


def heads_another(text: str, open_now: str) -> bool | None:
    """Whether a heading of orders names a phase other than the open one; None for no heading."""
    named = phase_headed(text, open_now)
    if not named:
        return None
    return year_of(named) != year_of(open_now) or (named[0] == "S") != (open_now[0] == "S")


def phase_headed(text: str, open_now: str) -> str:
    """The phase named in a heading of orders; "Fall '03" is in the century of the open one. Empty
    for any other line."""
    heading = _HEADS.fullmatch(text[:_LONGEST_HEADING])
    if (
        heading is None or _TELLS.fullmatch(text) or reads_as_order(text)
    ):  # in this order: the second takes long
        return ""
    word = heading["letter"] or heading["season"] or heading["season_last"]
    season = seasons.letter_of(word) or word.upper()
    year = heading["year"] or heading["year_first"]
    century = year_of(open_now) // 100
    if len(year) == 2 and century > 0:
        year = f"{century}{year}"
    if not int(year):
        return ""  # "In fall 0 of my units moved"
    return f"{season}{year}{'A' if season == 'W' else 'M'}"


def _season_headed(text: str, open_now: str) -> str:
    """The phase of a heading that names only a season, if it is not the open one; otherwise
    empty."""
    season = _season(text)
    named = next_in(season, open_now) if season else ""
    return named if named != open_now else ""


def _season(text: str) -> str:
    """The season of a heading that names only a season; empty for any other text."""
    later = doubts.HEADS_LATER.fullmatch(text[: phrases.LONGEST_RULED])
    return (later["season"] or "") if later else ""


def next_in(season: str, open_now: str) -> str:
    """The next phase in a season, or the open one if it fits; without a season, the phase to
    come."""
    letter = seasons.letter_of(season)
    if letter == open_now[0]:
        return open_now
    letter = letter or ("F" if open_now[0] == "S" else "S")
    year = year_of(open_now) + ("SFW".index(letter) < "SFW".index(open_now[0]))
    return f"{letter}{year}{'A' if letter == 'W' else 'M'}"


def _of_another(text: str, open_now: str) -> str:
    is_another = heads_another(text, open_now)
    named = phase_headed(text, open_now) if is_another else _season_headed(text, open_now)
    if not named:
        return ""
    said = (
        f"You wrote “{text}”, but all that you have ordered is for {phase_title(open_now)}, which "
        "is open now."
    )
    if is_before(named, open_now):
        return said
    return f"{said} Orders for a later phase go below a line like PHASE {named}."


def below_other_phases(
    lines: Sequence[Line], found: Sequence[Piece], view: Viewpoint
) -> Iterator[Reason]:
    """The orders below a heading for another phase, if orders for the open one stand above it or it
    sets a condition; and the orders on its own line."""
    open_now = str(view.position.phase)
    for piece in found:
        if not piece.province and (other := headed_by_another(piece.line.text, open_now)):
            yield piece, _FOR_ANOTHER_PHASE.format(f"{piece.line.text.partition(':')[0]}:", other)
    headings = {
        at: phase
        for at, line in enumerate(lines)
        if (phase := phase_of_heading(line.text, open_now))
    }
    if not headings.keys() - {0} and not any(_has_condition(lines[at].text) for at in headings):
        return
    phase, heading, any_above = "", "", False
    for piece in found:
        if piece.at in headings:
            heading, phase = piece.line.text, headings[piece.at]
        if phase == open_now or not (any_above or _has_condition(heading)):
            heading = ""
        if heading and piece.at in headings and not piece.province:
            yield piece, ""
        elif heading and (piece.province or looks_like_order(piece.line.text)):
            yield piece, _FOR_ANOTHER_PHASE.format(heading, phase)
        if piece.at in headings and piece.province:
            heading = ""  # "Retreats: A Vie - Tyr" heads only itself
        any_above |= bool(piece.province)


def _has_condition(heading: str) -> bool:
    later = doubts.HEADS_LATER.fullmatch(heading[: phrases.LONGEST_RULED])
    return later is not None and later["case"] is not None


def early_builds(found: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """Builds ordered before it is time to build."""
    phase = view.position.phase
    if phase.step != "A":
        later = next_in("winter", str(phase))
        for piece in found:
            if piece.order.startswith("Build "):
                yield piece, _TOO_EARLY.format(phase_title(later), later)


def phase_of_heading(text: str, open_now: str) -> str:
    """The phase of the orders that a line heads; "" for any other line."""
    if open_now.endswith("M") and doubts.HEADS_RETREATS.fullmatch(text[: phrases.LONGEST_RULED]):
        return f"{open_now[:-1]}R"
    if not open_now.endswith("A") and doubts.HEADS_BUILDS.fullmatch(text[: phrases.LONGEST_RULED]):
        return next_in("winter", open_now)
    if later := doubts.HEADS_LATER.fullmatch(text[: phrases.LONGEST_RULED]):
        return next_in(later["season"] or "", open_now)
    return open_now if heads_another(text, open_now) is False else phase_headed(text, open_now)
