"""What the judge raises about its input."""

from __future__ import annotations


class JudgeError(ValueError):
    """What was handed to the judge makes no sense; the message is one clear sentence.

    Whatever the judge raises about its input is one of these; a JudgeFault is a mistake of its own.
    Nothing that players write raises: an order that cannot be followed comes back with its reason.
    """


class UnknownName(JudgeError):
    """No province, unit or power has that name, or several do."""


class PositionError(JudgeError):
    """A state that no board can have; the message is one clear sentence."""


class UnknownVariant(JudgeError):
    """There is no such variant; the message lists those that exist."""
