"""Orders that their own mail takes back, or casts doubt on, further down. We follow none of them.

“Scratch that, A Par - Pic” says that A Par - Bur above is no longer wanted, but not clearly enough
to follow anything else. So we ask the writer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter

from games.errors import BadInput
from games.queries import board
from games.queries.parsing.conditional_orders import deeper
from mailer.commands.calls import AMEND
from mailer.commands.lines.spellings import as_one_word
from mailer.commands.orders.below_greetings import told_below_greetings
from mailer.commands.orders.footnotes import footnoted
from mailer.commands.orders.for_other_phases import below_other_phases, early_builds
from mailer.commands.orders.sent_before import sent_for_another_phase
from mailer.commands.orders.set_apart import marked_off
from mailer.commands.orders.told_to_others import heads_letter, told_below_headings, told_to_others
from mailer.commands.orders.viewpoint import Piece, Reason, Viewpoint, pieces, provinces_named
from mailer.commands.orders.words_of_others import told_by_others, told_by_sender
from mailer.reading import doubts, phrases
from mailer.reading.quotes import Line

_MOST = 20
"""How many second thoughts of a mail we look at; nobody has more than that."""

_TAKEN_BACK = "Further down you wrote “{}”, so we do not follow this."
_ORDERED_ANEW = "Below “{}” you order it again, so we do not follow this."
_MAYBE_MEANT = (
    "Further down you wrote “{}”. We do not know whether that changes it, so we follow neither. "
    "{}, and below it the order that you mean."
)
_MAYBE_CHANGES = "We do not know whether it changes “{}” above, so we follow neither."
_ONE_CALLED_OFF = (
    "Further down you wrote “{}”. We do not know which order that means, so we follow none above "
    "it. Please send the ones you want again."
)
_JOKED = (
    "Further down you wrote “{}”, so we do not know whether you want this, and we do not follow "
    "it. If you do, please send it again without those words."
)
_OLD = "It stands below “{}”, so we do not follow it."
_TWO_WAYS = (
    "You order it in two ways, with “{}” between them. We do not know which you mean, so we follow "
    "neither. {}, and below it the order that you mean."
)
_ONLY_NAMED = (
    "We cannot read “{}” next to it, so we do not follow this. If you want to disband, write "
    "“Disband {}”."
)


@dataclass(frozen=True)
class Doubted:
    """An order in a mail that we do not follow, with the reason."""

    line: Line
    why: str


def without_doubted(
    lines: Sequence[Line], view: Viewpoint, greeted: Sequence[Line] = ()
) -> tuple[Sequence[Line], Sequence[Doubted]]:
    """The lines without the orders that other lines cast doubt on, and those orders.

    `greeted` are the greetings of the mail.
    """
    found = pieces(lines, view)
    whys = dict(reversed([*_reasons(lines, found, view, greeted)]))
    whys |= dict(_two_ways([one for one in found if one not in whys], greeted, view))
    kept, doubted, headings = list[Line](), list[Doubted](), list[Line]()
    for at, group in groupby(found, key=attrgetter("at")):
        parts = list(group)
        # A line free of doubt stays whole: split up, "All hold except A Par - Bur, F Bre - Mid"
        # would say less.
        if whys.keys().isdisjoint(parts):
            kept += [lines[at]] if not _is_mark(lines[at]) else []
            continue
        kept += [one.line for one in parts if one not in whys]
        doubted += [Doubted(one.line, whys[one]) for one in parts if whys.get(one)]
        headings += [one.line for one in parts if whys.get(one) == ""]
    return kept or headings, doubted


def _reasons(
    lines: Sequence[Line], found: Sequence[Piece], view: Viewpoint, greeted: Sequence[Line]
) -> Iterator[Reason]:
    """What not to follow, and why; if there are two reasons for one piece, the first counts."""
    yield from _second_thoughts(lines, found, view)
    yield from _joked(found)
    yield from _starred(found, view)
    yield from footnoted(lines, found)
    yield from below_other_phases(lines, found, view)
    yield from early_builds(found, view)
    yield from _listed_below(found, view)
    yield from _below_old(lines, found)
    yield from marked_off(lines, found, view)
    if any(line.text.endswith(":") for line in (*lines, *greeted)):
        yield from told_to_others(found, greeted, view)
        yield from told_by_others(found, view)
    yield from told_below_greetings(found, greeted, view)
    yield from told_by_sender(found, view)
    yield from sent_for_another_phase(found, view)
    if any(heads_letter(line.text, view) for line in lines):
        yield from told_below_headings(found, view)


def _is_mark(line: Line) -> bool:
    """Whether a line only marks the beginning of changed orders, and asks for nothing."""
    return line.text.endswith(":") and as_one_word(line.text).strip(" :.").lower() == AMEND


def _second_thoughts(
    lines: Sequence[Line], found: Sequence[Piece], view: Viewpoint
) -> Iterator[Reason]:
    """The orders that a line further down takes back, or may take back."""
    thoughts = [at for at, line in enumerate(lines) if at and _is_thought(line, view)]
    for at in thoughts[:_MOST]:
        thought = next(piece for piece in found if piece.at == at)
        above = [piece for piece in found if piece.at < at and piece.provinces]
        below = [piece for piece in found if piece.at > at]
        yield from _taken_back(thought, above, below)
        yield from _maybe_meant(thought, above, view)
        for piece in _named_by(thought.line.text, above, view):
            yield piece, _MAYBE_MEANT.format(thought.line.text, _how_to_amend(view))
        if doubts.CALLS_OFF_ONE.fullmatch(thought.line.text[: phrases.LONGEST_RULED]):
            for piece in [] if provinces_named(thought.line.text, view) else above:
                yield piece, _ONE_CALLED_OFF.format(thought.line.text)


def _named_by(text: str, above: Sequence[Piece], view: Viewpoint) -> Iterator[Piece]:
    """The orders that a line calls off by the name of a place: "Cancel Marseilles"."""
    match = doubts.CALLS_OFF_NAMED.fullmatch(text[: phrases.LONGEST_RULED])
    try:
        named = match and board.province_named(
            view.position.variant.name, match["name"] or match["place"]
        )
    except BadInput:
        return
    for piece in above if named else ():
        if named in piece.provinces or str(piece.order).endswith(f" - {named}"):
            yield piece


def _taken_back(thought: Piece, above: Sequence[Piece], below: Sequence[Piece]) -> Iterator[Reason]:
    """The orders above that are called off, or given again below."""
    text = thought.line.text
    is_for_all = bool(doubts.CALLS_OFF_ALL.search(text))
    anew = below if doubts.NEW_MIND.search(text) else ()
    provinces, orders = {one.province for one in anew}, {one.order for one in anew}
    found = [one for one in above if is_for_all or not provinces.isdisjoint(one.provinces)]
    if found:
        yield thought, ""
    for piece in found:
        if piece.order and piece.order in orders:
            yield piece, ""
        elif is_for_all:
            yield piece, _TAKEN_BACK.format(text)
        else:
            yield piece, _ORDERED_ANEW.format(text)


def _maybe_meant(thought: Piece, above: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """The orders above for units that the second thought names: which order is wanted is not
    clear."""
    meant = {thought.province} if thought.province else provinces_named(thought.line.text, view)
    for piece in above:
        is_same = piece.order and piece.order == thought.order
        is_same = is_same or _only_mentions(thought.line.text, piece.line.text)
        if is_same or meant.isdisjoint(piece.provinces):
            continue
        yield thought, _MAYBE_CHANGES.format(piece.line.text) if thought.province else ""
        yield piece, _MAYBE_MEANT.format(thought.line.text, _how_to_amend(view))


def _joked(found: Sequence[Piece]) -> Iterator[Reason]:
    """The orders above a line that calls them a joke."""
    texts = [(one, one.line.text[: phrases.LONGEST_RULED]) for one in found if not one.provinces]
    jokes = [one for one, text in texts if doubts.JOKES.fullmatch(text)]
    for joke in jokes[-1:]:
        above = [one for one in found if one.at < joke.at and one.provinces]
        yield from ((one, _JOKED.format(joke.line.text)) for one in above)
        yield from ((one, "") for one in jokes if above)


def _only_mentions(text: str, order: str) -> bool:
    """Whether a postscript repeats an order word for word and changes nothing: "PS: I hope A Par -
    Bur surprises them"."""
    postscript = doubts.MENTIONS.fullmatch(text[: phrases.LONGEST_RULED])
    said = postscript["said"] if postscript else ""
    before, found, after = said.partition(order.strip(" .,;"))
    return bool(found) and not doubts.DOUBT.search(f"{before}\n{after}")


def _starred(found: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """The orders right above a word that may correct them: "A Par - Pic", "*Bur"."""
    for above, piece in pairwise(found):
        starred = above.province and doubts.STARRED.fullmatch(piece.line.text[:80])
        if starred and not board.reads_as_order(piece.line.text):
            yield above, _MAYBE_MEANT.format(piece.line.text, _how_to_amend(view))


def _how_to_amend(view: Viewpoint) -> str:
    if view.is_ahead:
        return f"Write PHASE {view.position.phase}, AMEND on the next line"
    return "Write AMEND on a line of its own"


def _is_thought(line: Line, view: Viewpoint) -> bool:
    """Whether a line may take back text above it; an order that begins with "Sorry" may."""
    text = line.text[: phrases.LONGEST_RULED]
    may_doubt = doubts.DOUBT.search(line.text) or doubts.CALLS_OFF_ALL.search(line.text)
    calls_off = doubts.CALLS_OFF_ONE.fullmatch(text) or doubts.CALLS_OFF_NAMED.fullmatch(text)
    if not (may_doubt or calls_off):
        return False
    return bool(doubts.APOLOGY.match(line.text)) or not view.has_order([line])


def _below_old(lines: Sequence[Line], found: Sequence[Piece]) -> Iterator[Reason]:
    """The orders below a heading that calls them old or an earlier mail's, or only talks about
    them."""
    old = (
        doubts.HEADS_OLD,
        doubts.HEADS_NONE,
        doubts.HEADS_TALK,
        doubts.HEADS_RANKED,
        doubts.HEADS_CHAT,
    )
    heads = [at for at, line in enumerate(lines) if any(_is_old(line.text, one) for one in old)]
    sent = [at for at, line in enumerate(lines) if _is_old(line.text, doubts.HEADS_SENT)]
    ordered = [piece.at for piece in found if piece.province]
    first, last = min(ordered, default=-1), max(ordered, default=-1)
    heads += [at for at in range(first) if _is_old(lines[at].text, doubts.HEADS_IGNORED)]
    heading = ""
    for piece in found:
        if not piece.province:
            if piece.at > last:
                return  # "What happens if I forget?" below all orders is a question
            is_old = piece.at in heads or (piece.at in sent and _others_below(piece.at, found))
            heading = piece.line.text if is_old else ""
        if heading:
            yield piece, _OLD.format(heading) if piece.province else ""


def _is_old(text: str, heads: re.Pattern[str]) -> bool:
    return bool(heads.fullmatch(text[: phrases.LONGEST_RULED]))


def _others_below(at: int, found: Sequence[Piece]) -> bool:
    """Whether another heading with orders stands further down."""
    below = [piece for piece in found if piece.at > at]
    other = next((piece.at for piece in below if not piece.province), None)
    return other is not None and any(one.province and one.at > other for one in below)


def _listed_below(found: Sequence[Piece], view: Viewpoint) -> Iterator[Reason]:
    """Units that are only named, below or after words that cannot be read ("Keep:"), in a phase
    where naming a unit disbands it."""
    duty = board.duty_of(view.position, view.power)
    if not duty.disbands:
        return
    unknown = ""
    for before, piece in zip([None, *found], found, strict=False):
        if before and piece.line.number > before.line.number + 1 and not unknown.endswith(":"):
            unknown = ""
        if not piece.provinces:
            unknown = piece.line.text
        elif board.reads_as_order(piece.line.text):
            unknown = ""
        elif unknown:
            yield piece, _ONLY_NAMED.format(unknown, piece.line.text)


def _two_ways(found: Sequence[Piece], greeted: Sequence[Line], view: Viewpoint) -> Iterator[Reason]:
    """Orders for units that get another order further down, with words between the two: "A Par -
    Bur", "or", "A Par - Pic".

    An order for a later phase that stands under a condition may have another below the ELSE or
    after the ENDIF.
    """
    said = {one.line.number: one.line.text for one in found if not one.order}
    said |= {line.number: line.text for line in greeted}
    above, ordered = list[dict[str, Piece]](), dict[str, Piece]()
    for piece in found:
        if view.is_ahead and (step := deeper(piece.line.text)) is not None:
            above += [ordered] * (step > 0)
            ordered = {**above[-1]} if above else ordered
            above = above[:-1] if step < 0 else above
        first = ordered.setdefault(piece.province, piece) if piece.province else piece
        between = range(first.line.number + 1, piece.line.number)
        words = next((said[number] for number in between if number in said), "")
        if piece is not first and (corrects := doubts.SHOULD_BE.search(first.line.text)):
            words = corrects[0]
        if words and piece.order != first.order:
            for one in (first, piece):
                yield one, _TWO_WAYS.format(words, _how_to_amend(view))
