"""Orders for later, orders that came late, and whether orders are final."""

from __future__ import annotations

from collections.abc import Sequence

from mailer.commands.advice.row import Advice
from mailer.reading.patterns import says

SENT_ORDERS: Sequence[Advice] = (
    Advice(
        says(
            r"\b(?:can|could|may|how|possible|allowed)\b.{0,40}\b(?:orders?|moves)\b.{0,20}"
            r"\b(?:next|later|coming|following|future) (?:season|turn|phase|year)s?\b",
            r"\border (?:\w+ )?(?:ahead|in advance)\b.*\?",
        ),
        "You can send orders for later phases now: put them below a line with the phase's name, "
        "for example PHASE F1901M. HELP PHASE on a line of its own explains it.",
        "HELP PHASE",
    ),
    Advice(
        says(
            r"\b(?:how|where|when|can|do|must|should|need)\b.{0,25}"
            r"\b(?:un)?(?:finali[sz]e|lock(?: in)?|confirm|save|commit)"
            r" (?:(?:my|the|our|all) )*(?:orders?|moves?|turn|them)\b",
            r"\b(?:how|where|when|can|do|must|should)"
            r" (?:(?:do|can|to|i|we|need|have|must|should) ){0,4}finali[sz]e"
            r"(?: (?:my|the|our|these|all|orders|moves|them|it))*\W*$",
        ),
        "There is nothing to finalize: your orders count as you have sent them, and you can change "
        "them until the phase is decided. If the game need not wait for you any longer, write "
        "READY on a line of its own.",
        "READY",
    ),
    Advice(
        says(
            r"\b(?:i|my|we|our)\b.{0,30}\b(?:orders?|moves?|mail)\b.{0,30}"
            r"\b(?:late(?! to)|after the deadline|(?:not|n['’]t) in time)\b",
            r"\b(?:i|we) (?:\w+ )?missed the deadline\b",
        ),
        "What counts is when your mail reached us, and our answer to it says whether that was in "
        "time. If you think that it was, or would like your game master to help, write PRESS TO GM "
        "on a line, and your text below it.",
        "PRESS TO GM",
    ),
    Advice(
        says(r"\bdeadline\b.{0,15}\b(?:forward|earlier|sooner)\b"),
        "In most games a phase is decided early, once all orders are in and nobody needs more "
        "time. If it need not wait for you, write READY on a line of its own; STATUS shows whom it "
        "waits for.",
        "READY",
    ),
)
