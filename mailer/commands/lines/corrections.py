"""A command that corrects the one above it: “Sorry, I meant VOTE NO”.

We must not carry out the one above first: a vote may end the game, and somebody else may take a
seat that is given back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mailer.commands.calls import AMEND, CLEAR, HOLD, ORDERS, SAME, SIGNOFF, STOP, Call, Word
from mailer.commands.lines.which_command import LONGEST_LINE, SAID_ALONE, command_in
from mailer.reading.patterns import any_of, one_word, says

_OOPS = one_word("oh oops ops ah no wait sorry actually hmm+ my mistake correction")
_MEANT = any_of("i mean(?:t)?", "make (?:that|it)", "that should (?:be|read)", "it should be")
_CORRECTS = says(rf"\W*(?:{_OOPS}\W+){{0,4}}{_MEANT}\W+(?P<said>\w.*)")
_READ_OTHERWISE = (ORDERS, AMEND, HOLD, SAME, CLEAR, SIGNOFF, STOP, *SAID_ALONE)
"""Corrections of orders are read with the orders, and yes and no with the question they answer."""
_ALIKE = ({"ready", "wait"}, {"vote", "draw", "concede"})


def correcting(
    text: str, words: Mapping[str, Word], *, is_first: bool
) -> tuple[Word, str, str] | None:
    """The command that a line says was meant, what follows it, and the line from its word on; None
    for any other line, and for orders, texts, yes and no.

    The `is_first` line of a mail may correct an earlier mail, if its word is in capitals.
    """
    match = _CORRECTS.fullmatch(text) if len(text) < LONGEST_LINE else None
    word, argument = command_in(match["said"], words) if match else (None, "")
    if match is None or word is None or word.has_body or word.command in _READ_OTHERWISE:
        return None
    if is_first and not match["said"].split()[0].isupper():
        return None
    return word, argument, match["said"]


def corrected(calls: Sequence[Call], command: str) -> int | None:
    """The index of the call that such a line takes back: the last of the same kind, or else the one
    right above; None without one."""
    alike = next((one for one in _ALIKE if command in one), {command})
    same = (at for at in reversed(range(len(calls))) if calls[at].command in alike)
    return next(same, len(calls) - 1 if calls and not calls[-1].lines else None)
