"""The lines of a mail with orders, one by one: how we understood each, and which orders came to
nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby

from games.models import Phase
from games.queries.board import bordering, reads_as_order
from games.queries.reports.wording import listed
from games.services.ordering.order_receipts import LineReceipt, OrderReceipt
from mailer.commands.advice.fitting import ADVICE, advised_command, fitting
from mailer.commands.advice.newcomers import NEWCOMERS
from mailer.commands.calls import AMEND, CLEAR, READY, SAME
from mailer.commands.lines.splitting import is_aside
from mailer.commands.texts import not_understood
from mailer.commands.texts.in_short import says_in_short
from mailer.reading import doubts
from mailer.reading.doubts import APOLOGY
from mailer.reading.kinds_of_line import asks, looks_like_order
from mailer.reading.patterns import any_of, one_word, says
from mailer.reading.quotes import Line

MOST_QUESTIONS = 50
"""How many lines we check for other meanings, such as questions about the writer's own units: each
check takes long."""
_ADVISED = "taken as a wish, not as an order."
_QUESTION = "taken as a question, not as an order."
_APOLOGY = "this alone changes nothing."
_OTHER_GAME = says(rf"\b{one_word('another other second new more')} games?\b")
_HEADING = says(r"[^\W\d_][\w.'’-]{1,20}(?: [^\W\d_][\w.'’-]{1,20})?\s*:")
_HEADS_NOTHING = "we do not know this heading; what stands below it was read as your own orders."
_LISTED = re.compile(r"(\d{1,2} of \d{1,2}:) +(\S.*)")
_IF = any_of(
    *("if", "unless", "in case", "subject to", "provided", "providing that", "assuming"),
    *("on (?:the )?condition", "(?:as|so) long as", "otherwise", "else"),
    *("falls", "wenn", "sonst", "sinon", *doubts.IF_ABROAD),
)
_CONDITION = says(rf"\W*(?:p{{1,3}}\.?s\b\W*)?(?:{one_word('but and or only then')} )*{_IF}\b")
OR_IF = says(r"(?:\w|^\s*[^\w\s])\W++or (?:if|unless)\b")
_REST = any_of("rest", "others?", "other orders", "(?:everything|all) else")
_FINE = any_of("fine", "ok", "okay", "good", "right", "unchanged", "the same", "as before")
_REST_IS_FINE = says(
    rf"\W*(?:(?:all )?the )?{_REST} {one_word('is are stays? remains?')} {_FINE}(?:,? thanks)?\W*",
)
_FOR_OTHERS = says(
    rf"\b{one_word('all everything everybody everyone rest remaining others?')}\b",
)
_RETREAT = says(rf"\b{one_word('dislodged retreats?')}\b")
_AFTERWARDS = (
    "not followed. You order retreats once the moves are decided; HELP PHASE says how to send them "
    "ahead."
)
_BUILT = says(rf"\W*(?:\w+ ){{0,3}}{one_word('builds? disbands? removes? waives?')}\b")
_IN_WINTER = (
    "not followed. You order builds and disbands in winter; HELP PHASE says how to send them ahead."
)
_UNCONDITIONAL = (
    "not followed. All orders of a phase are carried out at once, so none can depend on what "
    "others do in it: write the one that you want."
)
_LEAVE_OUT = (
    "our mails list orders like this, so we never read it as one. To order it, leave out “{}” and "
    "write only “{}”."
)


def with_talk_whole(receipt: OrderReceipt, lines: Sequence[Line]) -> OrderReceipt:
    """The receipt, with each line of talk in one piece, even if it has a comma: "Italy, you are
    welcome to Tyrolia."."""
    parts = Counter(line.number for line in receipt.lines)
    read = {line.number for line in receipt.lines if line.kind != "unreadable"}
    broken = [one for one in lines if parts[one.number] > 1 and one.number not in read]
    whole = {one.number: one.text for one in broken if not_understood.is_talk(one.text)}
    if not whole:
        return receipt
    kept = {line.number: line for line in reversed(receipt.lines)}
    return replace(
        receipt,
        lines=tuple(
            replace(line, text=whole.get(line.number, line.text))
            for line in receipt.lines
            if line.number not in whole or line is kept[line.number]
        ),
    )


def useless_lines(receipt: OrderReceipt) -> list[LineReceipt]:
    """The lines that came to nothing, without those that the receipt covers elsewhere.

    Questions are answered beside it, and "LETTER TO Italy" or "Just kidding" stands in the reasons
    for other lines.
    """
    whys = {line.problem for line in receipt.unused if line.kind == "ambiguous"}
    lines = [line for line in receipt.unused if not _is_answered(line)]
    if receipt.counts:
        lines = [line for line in lines if not _finalizes(line)]
    return [line for line in lines if not _is_named(line, whys)]


def _is_named(line: LineReceipt, whys: Collection[str | None]) -> bool:
    """Whether the reason for another line quotes this line that is no order: “Just kidding”."""
    is_quoted = any(why and f"“{line.text}”" in why for why in whys)
    return is_quoted and line.kind == "unreadable"


def _is_answered(line: LineReceipt) -> bool:
    """Whether the line only asks about the game or how to play, and we know the answer."""
    asked = not_understood.is_question(line.text) and is_aside(line.text)
    return line.kind == "unreadable" and asked and not not_understood.begins_as_order(line.text)


def _finalizes(line: LineReceipt) -> bool:
    """Whether the line only calls the orders final, which they are anyway: “Please finalize”."""
    return line.kind == "unreadable" and advised_command(line.text) == READY.upper()


def lines_understood(lines: Sequence[LineReceipt], phase: Phase) -> list[str]:
    """The lines that say their orders in other words, each once: "All hold" orders several."""
    provinces = bordering(phase.game.variant)
    otherwise = [line for line in lines if _is_otherwise(line, provinces)]
    groups = groupby(otherwise, lambda line: line if line.note else (line.number, line.text))
    return [_of_several([*group]) for _, group in groups]


def _is_otherwise(line: LineReceipt, provinces: Collection[str]) -> bool:
    """Whether the line says in other words what counts, or we changed something about it."""
    if line.note or not line.counts or line.order is None:
        return bool(line.note) or line.order != line.text
    return line.order != line.text and not says_in_short(line.text, line.order, provinces)


def _of_several(lines: Sequence[LineReceipt]) -> str:
    first, *others = lines
    if not others:
        return line_said(first)
    return f"- You wrote “{first.text}”: {listed([line.order or '' for line in lines])}."


def lost_orders(receipt: OrderReceipt, unread: Sequence[Line], whole: Sequence[Line]) -> int:
    """How many orders of a mail came to nothing, while its writer still lacks one or an earlier
    mail's stands; 0 if every decision has an order in this very mail.

    `whole` are lines of which nothing counts, for a meaning that their parts alone do not have.
    """
    if receipt.amend:
        unread = [line for line in unread if not _leaves_rest(line.text)]
    is_whole = receipt.counts and not receipt.amend and not receipt.missing
    if receipt.late or (is_whole and not any(_is_for_others(line) for line in receipt.lines)):
        return 0
    tried = [
        line
        for at, line in enumerate(receipt.unused)
        if (at >= MOST_QUESTIONS or not _is_besides(line) or _changes(line.text))
        and not (receipt.amend and _leaves_rest(line.text))
    ]
    changes = any(_changes(line.text) for line in whole[:MOST_QUESTIONS])
    return len(tried) + like_orders(unread) or int(changes)


def _is_for_others(line: LineReceipt) -> bool:
    """Whether the line orders the rest ("Everything else holds"), and so perhaps a unit whose own
    order came to nothing."""
    return line.is_used and bool(_FOR_OTHERS.search(line.text))


def _leaves_rest(text: str) -> bool:
    """Whether a line says about the other orders what AMEND does anyway: "The rest is fine"."""
    return bool(_REST_IS_FINE.fullmatch(text))


def _is_besides(line: LineReceipt) -> bool:
    """Whether the line is no failed order, but a failed command or said to people."""
    return line.kind == "unreadable" and bool(_command_meant(line) or advised_command(line.text))


def like_orders(lines: Sequence[Line | LineReceipt]) -> int:
    """How many of the lines are orders, or look like failed ones."""
    closely, rest = lines[:MOST_QUESTIONS], lines[MOST_QUESTIONS:]
    like = sum(not_understood.is_like_order(line.text) or _changes(line.text) for line in closely)
    return like + sum(looks_like_order(line.text) and not asks(line.text) for line in rest)


def _changes(text: str) -> bool:
    """Whether a line says in other words that earlier orders are to change."""
    return advised_command(text) in (
        AMEND.upper(),
        CLEAR.upper(),
        SAME.upper(),
    ) and not not_understood.is_question(text)


def questions(receipt: OrderReceipt, unread: Sequence[Line]) -> list[str]:
    """The lines of a punctual mail that ask something we have no answer to."""
    said = [line.text for line in receipt.unused if line.kind == "unreadable"]
    texts = [] if receipt.late else [*said, *(line.text for line in unread)]
    return [
        text
        for text in texts[:MOST_QUESTIONS]
        if not_understood.is_question(text) and not is_aside(text)
    ]


def line_said(line: LineReceipt, *, closely: bool = True) -> str:
    """One line of the mail and how we understood it; this text never begins like an order.

    Only `closely` do we look for other meanings.
    """
    wrote = f"- You wrote “{line.text}”:"
    if line.problem:
        why = _of_our_list(line.text) or _of_condition(line) or _of_winter(line)
        if closely and not why:
            why = not_understood.said_of_question(line.text) or _command_meant(line)
        return f"{wrote} {why or line.problem}"
    note = f" {line.note}" if line.note else ""
    same = line.order == line.text
    if not line.counts:
        return f"{wrote} {'it' if same else f'{line.order}, which'} does not count.{note}"
    return f"{wrote} {'understood' if same else line.order}.{note}"


def _of_our_list(text: str) -> str:
    """How to order an entry of a list of ours, which is never read as an order; empty for other
    lines."""
    match = _LISTED.fullmatch(text)
    return _LEAVE_OUT.format(match[1], match[2]) if match else ""


def _of_condition(line: LineReceipt) -> str:
    """That an order cannot depend on what others do at the same time; empty for other lines."""
    said = _CONDITION.match(line.text) or OR_IF.search(line.text)
    if line.kind != "unreadable" or not said:
        return ""
    return _AFTERWARDS if _RETREAT.search(line.text) else _UNCONDITIONAL


def _of_winter(line: LineReceipt) -> str:
    """That a build in a movement phase is too early; empty for other lines."""
    is_early = line.kind == "illegal" and (line.problem or "").startswith("In a movement phase")
    return _IN_WINTER if is_early and _BUILT.match(line.text) else ""


def _command_meant(line: LineReceipt) -> str:
    """How to write the command that a line may be meant for, which is neither command nor order; or
    that it reads like something said to people."""
    said = _of_command(line.text) if line.kind == "unreadable" else ""
    # In this order: testing whether a line begins as an order takes a hundred times as long.
    return said if said and not not_understood.begins_as_order(line.text) else ""


def _of_command(text: str) -> str:
    if advised_command(text):
        said = _QUESTION if "?" in text or not_understood.is_question(text) else _ADVISED
        newcomer = None if fitting(text, ADVICE) else fitting(text, NEWCOMERS)
        if newcomer and (newcomer.command != "JOIN" or _OTHER_GAME.search(text)):
            return f"{said} {newcomer.said}"
        return said  # the advice stands beside the receipt
    if APOLOGY.fullmatch(text.strip(" .!,;:…")):
        return _APOLOGY
    if usage := not_understood.usage_meant(text):
        return f"not understood. {usage}"
    if right := not_understood.command_meant(text):
        return f"not understood. If you meant the command, write: {right}"
    if _HEADING.fullmatch(text) and not reads_as_order(f"{text.strip(' :')} H"):
        return _HEADS_NOTHING
    return not_understood.said_to_people(text)
