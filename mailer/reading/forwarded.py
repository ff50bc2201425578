"""A mail with orders that its writer had sent somewhere else, and now passes on unchanged."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from mailer.reading import phrases
from mailer.reading.kinds_of_line import LONGEST_HEADER, is_header, looks_like_order
from mailer.reading.quotes import ATTRIBUTION, COURTESY, QUOTED, Ignored, Line, own_lines


def forwarded_lines(
    lines: Sequence[str], subject: str, writer: str
) -> tuple[tuple[Line, ...], tuple[Ignored, ...]]:
    """The lines of such a mail that count, and the others, each with the reason; nothing for any
    other mail."""
    texts = [line.strip() for line in lines]
    if not any(map(phrases.FORWARDED.match, [subject, *texts])):
        return (), ()
    for at, text in enumerate(texts):
        header = [*itertools.takewhile(bool, texts[at : at + LONGEST_HEADER])]
        if not (header and phrases.FIRST_HEADER.match(text)):
            continue
        writers = set(phrases.PLAIN_ADDRESS.findall(text.lower()))
        if not is_header(phrases.HEADER_LINE, header[1:]) or writers != {writer.lower()}:
            return (), ()
        if not any(map(phrases.NAMES_ORDERS.search, [subject, *texts[:at], *header])):
            return (), ()  # a letter to somebody else, perhaps
        end = at + len(header)
        read, ignored = own_lines([*[""] * end, *texts[end:]])
        kept = tuple(line for line in read if not phrases.SAYS_WHEN.fullmatch(line.text))
        if "?" in subject or not all(_only_orders(line.text) for line in kept):
            return (), ()  # a letter to somebody else
        said = (
            Ignored(number, one, ATTRIBUTION if phrases.FORWARDED.match(one) else COURTESY)
            for number, one in enumerate(texts[:at], 1)
            if one
        )
        above = (Ignored(number, one, ATTRIBUTION) for number, one in enumerate(header, at + 1))
        when = (Ignored(line.number, line.text, QUOTED) for line in read if line not in kept)
        phase = _subject_of_phase(header, subject, at) if kept else ()
        return (*phase, *kept), (*said, *above, *when, *ignored)
    return (), ()


def passed_on(subject: str, lines: Sequence[Line]) -> tuple[Line, ...]:
    """The subject of a mail passed on without its header, if it names the phase of its orders.

    Not the subject of a mail of ours, above which people write new orders.
    """
    if not phrases.FORWARDED.match(subject) or "[" in subject:
        return ()
    known = any(phrases.SUBJECT_OF_PHASE.match(line.text) for line in lines)
    is_orders = phrases.NAMES_PHASE.search(subject[: phrases.LONGEST_RULED]) and not known
    if not (is_orders and any(looks_like_order(one.text) for one in lines)):
        return ()
    return (Line(0, f"Subject: {subject}"),)


def _only_orders(text: str) -> bool:
    return looks_like_order(text) and not phrases.TALKS.search(text)


def _subject_of_phase(header: Sequence[str], subject: str, at: int) -> tuple[Line, ...]:
    """The subject of orders that are passed on, if it names their phase; otherwise when they were
    sent, since they may be old."""
    known = [Line(at + number, one) for number, one in enumerate(header, 1)]
    known.append(Line(at + 1, f"Subject: {subject}"))
    named = [line for line in known if phrases.SUBJECT_OF_PHASE.match(line.text)]
    sent = [line for line in known if phrases.SENT_LINE.match(line.text)]
    return tuple([*named, *sent][:1])
