"""Changes to earlier orders that give the new order: “Bur instead of Gas”, “Change the fleet to
Brest – English Channel”.

We follow them if they can mean only one order and the mail has no other line; the receipt shows the
order. To all others we answer with what to write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.errors import BadInput
from games.models import Phase, Seat
from games.queries import board
from games.queries.orders.current_orders import current_decisions
from mailer.commands.orders.by_number import BY_NUMBER, WHICH, number_fits
from mailer.commands.orders.greeted import speaks_to_others
from mailer.commands.orders.viewpoint import Viewpoint, is_order
from mailer.reading.patterns import says
from mailer.reading.phrases import ANSWERED, PASSED_ON
from mailer.reading.quotes import Line
from mailer.reading.speech import UNSURE

_MOST = 10
"""How many lines of a block of orders we search for a change."""
_LONGEST = 100
"""How many characters a line with a change may have."""
_ONE_CHANGE = r"(?:(?:just|only|one|a|small|quick)\s+)+(?:change|correction|thing)(?=\s*:)"
_ANEW = (
    r"(?:on\s+(?:second\s+thoughts?|reflection)|change\s+of\s+(?:plans?|mind)|actually|no,?\s+wait|wait,?\s+no|wait(?=\s*[,.…-])|oops|whoops|instead(?!\s+of\b)"
    r"|(?:make|made)\s+(?:that|it)|i\s+meant(?:\s+to\s+(?:say|write|order))?(?=\W+\w)|(?:i(?:\s+ha|['’])?ve?\s+|i\s+)?changed\s+my\s+mind"
    r"|(?:change|correction|corrected|corrigendum|edit|update|korrektur|änderung|corrección|correzione)(?=\s*:)"
    rf"|(?:change|correction|amendment)\s+(?:to|of|in)\s+(?:my\s+)?{WHICH}(?=\s*[:.])"
    rf"|(?:replace|change|correct|amend)\s+{WHICH}(?=\s*:)"
    r"|oups|j(?:e\s+change|['’]ai\s+changé)\s+d['’](?:idée|avis)"
    r"|(?:nein,?\s+)?(?:doch\s+)?lieber|finalement|plutôt|mejor|anzi(?:,?\s+no)?|toch\s+(?:maar|liever))"
)
"""How people begin when they change an order."""
_SAYS = r"please|pls|ok|okay|sorry|apologies|let['’]?s\s+(?:do|use|make\s+it)|use|i['’]?d\s+rather"
_PLEASE = rf"\W*(?:(?:{_SAYS}|{_ANEW}|{_ONE_CHANGE})\W+)*"
_THE_END = r"(?:,?\s+please)?[\s.!]*"
_CHANGE = says(
    rf"{_PLEASE}(?:change|switch|replace|swap) (?P<old>\S.*)\s(?:to|with|by|for)"
    rf" (?P<new>\S.*?){_THE_END}",
)
_TO = re.compile(r"\s(?:to|with|by|for)\s+", re.IGNORECASE)
_THAN = (
    r"(?:instead\s+of|rather\s+than|in\s+place\s+of|au\s+lieu\s+d[eu]|statt|anstatt|anstelle\s+von|invece\s+d[ei]l?"
    r"|en\s+(?:lugar|vez)\s+de|in\s+plaats\s+van)"
)
_OF_LAST_MAIL = (
    r"\s+(?:in|to|of)\s+(?:my|the)\s+(?:(?:last|previous|earlier|first)\s+)?"
    r"(?:e-?mail|mail|message|orders?|set|moves?)(?:\s+(?:from|of)\s+(?:yesterday|today|\w+day))?"
)
_IN_MAIL = _OF_LAST_MAIL.removeprefix(r"\s+")
_INSTEAD_OF = says(
    rf"{_PLEASE}(?:{_IN_MAIL}\W+)?(?:please )?read (?P<new_read>\S[^:]*?)"
    rf" (?:for|{_THAN}) (?P<old_read>\S[^:]*?){_THE_END}",
    rf"{_PLEASE}(?P<new>\S.*?),? (?:{_THAN}|(?:and )?not(?: to)?) (?P<old>\S.*?){_THE_END}",
    rf"{_PLEASE}{_THAN} (?P<old_first>\S[^,:]*?)(?:\s*[,:]\s*| (?=(?:i|we|please|use|do)\s))"
    rf"(?:(?:i|we|please|use|do|want|would|like|prefer) )*(?P<new_last>\S.*?){_THE_END}",
    rf"{_PLEASE}(?P<old_wrong>\S.*?) (?:should|was (?:meant|supposed) to)"
    r" (?:have (?:been|read|said)|be|read|say)"
    rf":? (?P<new_right>\S.*?){_THE_END}",
    rf"{_PLEASE}(?P<old_longer>\S[^,:;]*?) (?:will |should |is to )?no longer [^,:;]+[,:;] "
    rf"(?:(?:but|and|it|now|instead|will) )*(?P<new_longer>\S.*?){_THE_END}",
    rf"{_PLEASE}(?P<old_number>{WHICH})"
    r" (?:(?:is|shall be) (?:now|(?:hereby )?replaced (?:by|with))"
    rf"|now (?:reads|is)):? (?P<new_number>\S.*?){_THE_END}",
    rf"{_PLEASE}(?P<new_noted>\S[^()]*?)\s*\((?:was|before|previously|{_THAN})"
    rf"\b\W*(?P<old_noted>[^()]+)\){_THE_END}",
)
_INSTEAD = re.compile(
    rf"{_PLEASE}(?P<new>\S.*?),?\s+(?:instead|after\s+all){_THE_END}", re.IGNORECASE
)
_TYPO = r"(?:(?:there\s+(?:is|was)\s+)?an?\s+)?(?:typo|slip|mistake|error)"
_A_SLIP = (
    rf"{_TYPO}(?:{_OF_LAST_MAIL})?"
    r"|(?:(?:it|that)\s+)?should\s+(?:be|read|have\s+been)"
)
_CORRECTS = rf"(?:change|correction|{_TYPO}){_OF_LAST_MAIL}(?=\s*:)"
_AFRESH = re.compile(
    rf"{_PLEASE}(?:{_ANEW}|{_ONE_CHANGE}|{_CORRECTS})\W+(?P<new>\S.*?){_THE_END}", re.IGNORECASE
)
_ONLY_ANEW = re.compile(
    rf"(?!\W*sorry\W*$)\W*(?:(?:{_ANEW}|sorry|i\s+meant?|{_A_SLIP})(?!\w)\W*){{1,3}}", re.IGNORECASE
)
"""Words on a line above orders that correct others: "Oops!", "Sorry, I meant"."""
_ABOUT_UNIT = re.compile(
    r"\W*(?:(?:i(?:\s+ha|['’])?ve?\s+|i\s+)?changed\s+my\s+mind\s+about|new\s+order\s+for)"
    rf"\s+(?P<old>(?:the|my)\s+[\w ]{{2,20}}?)\s*[:,]\s*(?P<new>\S.*?){_THE_END}",
    re.IGNORECASE,
)
"""A change that names its unit first: "New order for the fleet: Brest - English Channel"."""
_OF_UNIT = re.compile(
    r"(?:(?:my|the|your|only|order|orders|move|for|of)\s+)*(?P<unit>\S.*?)(?:['’]s)?"
    r"(?:\s+(?:order|orders|move))?",
    re.IGNORECASE,
)
_FOR_UNIT = re.compile(r"(?P<old>\S.*?)\s+for\s+(?:the\s+|my\s+)?(?P<unit>\S.*)", re.IGNORECASE)
_NO_ORDER = re.compile(r"[^\W\d_][\w .'’()/]{0,30}")
"""Text that may be a place, or "hold", and is no order by itself."""
_FORMS = (_CHANGE, _INSTEAD_OF, _INSTEAD, _AFRESH, _ABOUT_UNIT)
_OF_OLDER_MAIL = re.compile(rf"\W*(?:\[|{ANSWERED}|{PASSED_ON})", re.IGNORECASE)
_KINDS = {"fleet": "F", "army": "A"}
_AIDS = (" Supports ", " Convoys ")


def changed_orders(
    lines: Sequence[Line], seat: Seat, phase: Phase, view: Viewpoint, greeted: Sequence[Line]
) -> Sequence[Line] | None:
    """The orders that the lines ask for, each in place of an earlier one; None unless every line is
    a clear change.

    `greeted` are the greetings of the mail: below "Hi Germany," the lines may be a proposal.
    """
    game = seat.power.game.name
    lines = _repeat_the_oops([_without_game(one, game) for one in lines[: _MOST + 2]])
    if not 0 < len(lines) <= _MOST or any(len(line.text) > _LONGEST for line in lines):
        return None
    if any(UNSURE.search(one.text) for one in lines):
        return None
    if any(speaks_to_others(one.text, view) for one in greeted):
        return None
    if not any(one.match(line.text) for line in lines for one in _FORMS):
        return None
    stands = [order for _, order in current_decisions(phase, seat.power) if order]
    if view.position.phase.step == "A":
        return _of_winter(lines, stands, view)
    found = [(line, [*dict.fromkeys(_orders_meant(line.text, stands, view))]) for line in lines]
    units = {_unit(order, view) for _, orders in found for order in orders}
    if any(len(orders) != 1 for _, orders in found) or len(units) < len(found):
        return None
    new = [Line(line.number, orders[0]) for line, orders in found]
    said = ((line.text, _unit(one.text, view)) for (line, _), one in zip(found, new, strict=True))
    return new if all(number_fits(*one, seat, phase, view) for one in said) else None


def is_change(subject: str) -> bool:
    """Whether a mail's subject is a change of orders; not if it may stand in an older mail ("Re:")
    or in ours ("[marne] ..."), where it may say anything."""
    is_new = len(subject) <= _LONGEST and not _OF_OLDER_MAIL.match(subject)
    return is_new and any(one.fullmatch(subject) for one in _FORMS)


def _without_game(line: Line, game: str) -> Line:
    """The line without the game's name after “in my last mail”."""
    of_game = rf"({_OF_LAST_MAIL})\s+(?:to|for|in)\s+(?:(?:the\s+)?game\s+)?{re.escape(game)}(?!\w)"
    return replace(line, text=re.sub(of_game, r"\1", line.text, count=1, flags=re.IGNORECASE))


def _repeat_the_oops(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines, with an "Oops!" above several orders repeated before each of them."""
    if len(lines) < 2 or not _ONLY_ANEW.fullmatch(lines[0].text[:_LONGEST]):
        return lines
    return [Line(one.number, f"Oops! {one.text}") for one in lines[1:]]


def _of_winter(
    lines: Sequence[Line], stands: Sequence[str], view: Viewpoint
) -> Sequence[Line] | None:
    """All builds or disbands, with a new one in place of a standing one: "A Mar instead of A Par".

    They only have numbers, so we cannot change one of them alone.
    """
    said = _old_and_new(lines[0].text) if len(lines) == 1 else None
    if said is None:
        return None
    old, new = (_order_chosen(text, view) for text in said)
    if old not in stands or not new or new in stands:
        return None
    others = list(stands)
    others.remove(old)
    return [Line(lines[0].number, order) for order in (new, *others)]


def _order_chosen(text: str, view: Viewpoint) -> str:
    """The one build or disband in a text, also without its first word; "" if there is no such
    order."""
    found = {order for one in (text, f"Build {text}") for order in _orders(one, view)}
    return found.pop() if len(found) == 1 else ""


def _old_and_new(text: str) -> tuple[str, str] | None:
    """The old and the new part of a line that changes an order; None for any other line."""
    if match := _CHANGE.fullmatch(text):
        return match["old"], match["new"]
    if match := _INSTEAD_OF.fullmatch(text):
        said = match.groupdict()
        old, new = ([said[one] for one in said if one.startswith(of)] for of in ("old", "new"))
        return next(filter(None, old)), next(filter(None, new))
    return None


def _orders_meant(text: str, stands: Sequence[str], view: Viewpoint) -> Iterator[str]:
    """The orders that a line may ask for."""
    if match := _CHANGE.fullmatch(text):
        whole = text[match.start("old") : match.end("new")]
        for to in _TO.finditer(whole):
            yield from _in_place(whole[: to.start()], whole[to.end() :], stands, view)
    elif said := _old_and_new(text):
        yield from _in_place(*said, stands, view)
    elif match := _ABOUT_UNIT.fullmatch(text):
        yield from _of_same_unit(match["old"], match["new"], view)
    elif match := _INSTEAD.fullmatch(text) or _AFRESH.fullmatch(text):
        yield from _orders(match["new"], view)


def _in_place(old: str, new: str, stands: Sequence[str], view: Viewpoint) -> Iterator[str]:
    """The orders that the new words may mean in place of the old ones, which are an order, a unit
    or a destination: "Gascony", "Gascony for Paris".

    An order that the old words call by its number is the order of the unit in the new ones.
    """
    if BY_NUMBER.fullmatch(old.strip()):
        ordered = {_unit(order, view) for order in stands}
        for order in _orders(new, view):
            if not ordered or _unit(order, view) in ordered:  # otherwise the number is another's
                yield order
        return
    named = _FOR_UNIT.fullmatch(old)
    unit = _unit(f"{named['unit']} H", view) if named else ""
    for order in (
        *_of_same_unit(old, new, view),
        *_to_another_place(named["old"] if named else old, new, stands, view),
    ):
        if not unit or _unit(order, view) == unit:
            yield order


def _of_same_unit(old: str, new: str, view: Viewpoint) -> Iterator[str]:
    """The new order, if the old words name its unit, or are an order for it.

    After "the fleet" or "Paris", the new words may just say where it goes, or that it holds.
    """
    named = _OF_UNIT.fullmatch(old.strip())
    unit = named["unit"] if named else old
    kind = _KINDS.get(unit.lower(), "")
    ours = [one for one in _units(view) if one.startswith(f"{kind} ")] if kind else [unit]
    bare = ours if len(ours) == 1 and _NO_ORDER.fullmatch(new) and not [*_orders(new, view)] else ()
    texts = (new, *(text for one in bare for text in (f"{one} - {new}", f"{one} {new}")))
    for order in (order for text in texts for order in _orders(text, view)):
        province = _unit(order, view)
        same = {_unit(old, view), *(_unit(f"{text} H", view) for text in (unit, old))}
        if order.startswith(f"{kind} ") if kind else province in same:
            yield order


def _units(view: Viewpoint) -> Sequence[str]:
    return board.duty_of(view.position, view.power).units


def _to_another_place(old: str, new: str, stands: Sequence[str], view: Viewpoint) -> Iterator[str]:
    """The one order that goes to the old place, with the new place for it; nothing if another order
    involves the old place, too, or goes to the new one already."""
    place = _place(old, stands, view)
    near = [order for order in stands if place in order]
    if not place or len(near) != 1 or any(word in near[0] for word in _AIDS):
        return
    unit, _, goal = near[0].partition(" - ")
    if goal.partition("(")[0] == place:
        yield from (one for one in _orders(new, view) if _unit(one, view) == _unit(near[0], view))
        goals = [one.partition(" - ")[2] or one for one in stands]
        for order in _orders(f"{unit} - {new}", view):
            if order.partition(" - ")[2] not in goals:
                yield order


def _place(text: str, stands: Sequence[str], view: Viewpoint) -> str:
    """The province that a text names, in a foreign language only as a destination; "" if there is
    no province."""
    try:
        return board.province_named(view.position.variant.name, text)
    except BadInput:
        goals = (order.partition(" - ") for order in stands)
        found = (
            goal.partition("(")[0]
            for unit, _, goal in goals
            if goal and [*_orders(f"{unit} - {text}", view)] == [f"{unit} - {goal}"]
        )
        return next(found, "")


def _orders(text: str, view: Viewpoint) -> Iterator[str]:
    """The order in a text, if its unit can carry it out."""
    read = view.readings([text])
    if len(read) == 1 and is_order(read[0]) and not read[0].problem and not read[0].guessed:
        yield str(read[0].order)


def _unit(text: str, view: Viewpoint) -> str:
    """The province of the unit that a text orders; "" unless it is exactly one unit."""
    read = view.readings([text])
    return board.ordered_province(read[0].order) if len(read) == 1 else ""
