"""What our own mail server found out about a sender: Authentication-Results (RFC 8601).

Only the topmost header with the trusted server's name counts; anybody can write such a header, and
that server removes those that claim to be its own (docs/identity.md).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence

_RESULT = re.compile(r"\s*([a-z0-9-]+)\s*=\s*([a-z]+)(.*)", re.IGNORECASE | re.DOTALL)
_AROUND_EQUALS = re.compile(r"\s*=\s*")
_WORD = re.compile(r"(?:\"(?:[^\"\\]|\\.)*+\"?|[^\s\"])+")

_NOBODY = "?"

Properties = dict[str, str]


class Verdict(enum.Enum):
    """Whether the domain of the From line vouches for a mail."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


def verdict(headers: Sequence[str], sender: str, trusted: str) -> Verdict:
    """What the server `trusted` says of a mail from `sender`; unknown if there is no such server.

    DMARC decides, if it names the domain it was asked about (header.from). A result that names no
    domain may be about another mail's sender, and proves nothing; one that names another domain has
    read another sender in this mail, which is a failure. If DMARC says nothing, a valid DKIM
    signature by the sender's own domain passes, or SPF for the very address: SPF for the domain
    alone would let everybody with an address there pass for everybody else. A missing signature or
    a failed SPF alone is no failure, since forwarding breaks both. A header in which a quote or a
    comment stays open may hide a failure, so it counts as one.
    """
    if not trusted:
        return Verdict.UNKNOWN
    read = ((parts, is_open) for parts, is_open in map(_parts, headers) if _is_by(trusted, parts))
    parts, is_open = next(read, ([], False))
    if is_open:
        return Verdict.FAILED
    results = [_result(found) for part in parts if (found := _RESULT.fullmatch(part))]
    domain = sender.rpartition("@")[2].lower()
    if any(_disproves(*one, domain) for one in results):
        return Verdict.FAILED
    passed = any(_proves(*one, sender.lower(), domain) for one in results)
    return Verdict.PASSED if passed else Verdict.UNKNOWN


def _disproves(method: str, result: str, properties: Properties, domain: str) -> bool:
    """Whether DMARC failed, or is about another sender than the one in the From line."""
    if method != "dmarc":
        return False
    about = _claimed_domain(method, properties)
    return result == "fail" or (bool(about) and not names(about, domain))


def _proves(method: str, result: str, properties: Properties, sender: str, domain: str) -> bool:
    if result != "pass":
        return False
    if method == "spf":
        return properties.get("smtp.mailfrom") == sender
    return names(_claimed_domain(method, properties), domain)


def _is_by(trusted: str, parts: Sequence[str]) -> bool:
    """Whether the trusted server wrote a header: then the header's first word is its name."""
    words = parts[0].split()
    return bool(words) and words[0].lower() == trusted.lower()


def _result(found: re.Match[str]) -> tuple[str, str, Properties]:
    """Method, result and properties, all in lower case.

    A property that stands there twice names nobody: the sender may have written the second one into
    a signature that our server repeats.
    """
    words = _WORD.findall(_AROUND_EQUALS.sub("=", found.group(3).lower()))
    properties: Properties = {}
    for name, _, value in (word.partition("=") for word in words):
        said = value.strip('"')
        properties[name] = said if properties.get(name, said) == said else _NOBODY
    return found.group(1).lower(), found.group(2).lower(), properties


def _claimed_domain(method: str, properties: Properties) -> str:
    """The domain a DMARC or DKIM result is about; empty if it names none."""
    if method == "dmarc":
        return properties.get("header.from", "").rpartition("@")[2]
    if method == "dkim":
        signed = properties.get("header.d", "").rpartition("@")[2]
        claims = properties.get("header.i", "").rpartition("@")[2]
        # A signer belongs to the domain that signs, or to one below it (RFC 6376, 3.5).
        agree = not (signed and claims) or names(signed, claims)
        return (signed or claims) if agree else ""
    return ""


def names(claimed: str, domain: str) -> bool:
    """Whether `claimed` is the domain or one above it, with a dot in it: `test` is nobody's."""
    return claimed == domain or ("." in claimed and domain.endswith(f".{claimed}"))


def _parts(text: str) -> tuple[list[str], bool]:
    """The parts between semicolons, without (nested) comments; and whether a quote or a comment is
    still open at the end.

    The sender chooses the quoted text, such as the local part of `smtp.mailfrom`, so a semicolon or
    a bracket in quotes is a letter like any other. Text after an open quote or comment belongs to
    it.
    """
    parts, depth, quoted, escaped = [""], 0, False, False
    for character in text:
        if not (quoted or escaped) and character == "(":
            depth += 1
        if not (quoted or escaped or depth) and character == ";":
            parts.append("")
        elif not depth:
            parts[-1] += character
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = quoted or depth > 0
        elif character == '"' and not depth:
            quoted = not quoted
        elif character == ")" and not quoted:
            depth = max(depth - 1, 0)
    return parts, quoted or depth > 0
