"""A reason after a command that needs none: “LEAVE marne because my exams have begun”."""

from __future__ import annotations

from mailer.reading.patterns import says

_BECAUSE = says(
    r"(?<=\S)[\s,;.!–-]+(?:because|since|due to)\b"
    r"(?!.*(?:[?:>→]|\s[-–—]|\b(?:if|unless|until|but|kidding|jok\w+|mistake)\b)).*"
)
"""A reason neither asks nor orders, nor puts off or takes back the command before it."""


def without_reason(argument: str) -> str:
    """What follows a command, without the reason at its end."""
    return _BECAUSE.sub("", argument, count=1)
