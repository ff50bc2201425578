"""What our own mail server found out about a sender: Authentication-Results (RFC 8601).

Only the topmost header with the trusted server's name counts; anybody can write such a header, and
that server removes those that claim to be its own (docs/identity.md).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence

_RESULT = re.compile(r"\s*([a-z0-9-]+)\s*=\s*([a-z]+)(.*)", re.IGNORECASE | re.DOTALL)
_PROPERTY = re.compile(r"([a-z]+\.[a-z]+)\s*=\s*\"?([^\s\";]+)", re.IGNORECASE)


class Verdict(enum.Enum):
    """Whether the domain of the From line stands up for a mail."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


def verdict(headers: Sequence[str], sender: str, trusted: str) -> Verdict:
    """What the server `trusted` says of a mail from `sender`; unknown without such a server.

    DMARC decides. Where it says nothing, a valid DKIM signature or SPF of the sender's own domain
    passes. A missing signature or a failed SPF alone is no failure: forwarding breaks both.
    """
    if not trusted:
        return Verdict.UNKNOWN
    results = next((found for one in headers if (found := _results(one, trusted))), [])
    domain = sender.rpartition("@")[2].lower()
    for method, result, properties in results:
        if method == "dmarc" and names(properties.get("header.from", domain), domain):
            if result == "pass":
                return Verdict.PASSED
            if result == "fail":
                return Verdict.FAILED
    passed = any(
        result == "pass" and names(_claimed_domain(method, properties), domain)
        for method, result, properties in results
    )
    return Verdict.PASSED if passed else Verdict.UNKNOWN


def _results(header: str, trusted: str) -> list[tuple[str, str, dict[str, str]]]:
    """(method, result, properties) of a header of the trusted server; empty of any other."""
    server, *findings = _without_comments(header).split(";")
    words = server.split()
    if not words or words[0].lower() != trusted.lower():
        return []
    matches = [found for finding in findings if (found := _RESULT.fullmatch(finding))]
    return [
        (
            found.group(1).lower(),
            found.group(2).lower(),
            {name.lower(): value.lower() for name, value in _PROPERTY.findall(found.group(3))},
        )
        for found in matches
    ]


def _claimed_domain(method: str, properties: dict[str, str]) -> str:
    """The domain a DKIM or SPF result is about."""
    if method == "dkim":
        identity = properties.get("header.d") or properties.get("header.i", "")
        return identity.rpartition("@")[2]
    if method == "spf":
        return properties.get("smtp.mailfrom", "").rpartition("@")[2]
    return ""


def names(claimed: str, domain: str) -> bool:
    """Whether `claimed` is the domain or one above it, with a dot in it: `test` is nobody's."""
    return claimed == domain or ("." in claimed and domain.endswith(f".{claimed}"))


def _without_comments(text: str) -> str:
    """The header without its (nested) comments; what follows an open one is a comment, too."""
    kept, depth = [], 0
    for character in text:
        if character == "(":
            depth += 1
        elif character == ")":
            depth = max(depth - 1, 0)
        elif not depth:
            kept.append(character)
    return "".join(kept)
