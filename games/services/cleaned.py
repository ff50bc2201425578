"""Names and addresses as people write them, made fit to store."""

from __future__ import annotations

import re

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from games.errors import BadInput

NAME_LENGTH = 80
EMAIL_LENGTH = 254
"""No mail server takes a longer one (RFC 5321, 4.5.3.1.3)."""
# Unicode calls these letters and signs, yet nobody sees them: fillers of Hangul, a cell without
# dots.
_UNSEEN = re.compile("[\u115f\u1160\u2800\u3164\uffa0]")
_LINK = re.compile(r"://|\w[.。．｡]\w{2,}|\bwww\b|@", re.IGNORECASE)


def clean_name(name: str) -> str:
    """Return the name with single blanks. Raises BadInput for an empty, a long or an invisible
    one."""
    name = " ".join(name.split())
    if not name:
        raise BadInput("Please write your name after REGISTER, for example: REGISTER Ana Smith")
    if len(name) > NAME_LENGTH or not name.isprintable() or _UNSEEN.search(name):
        raise BadInput(f"Please register with a plain name of at most {NAME_LENGTH} characters.")
    if not any(one.isalnum() for one in name):
        raise BadInput("A name needs a letter. Please write it like this: REGISTER Ana Smith")
    if _LINK.search(name):  # anybody can have us write to an address: not with an advertisement
        raise BadInput(
            "A name here cannot look like an address on the net. Please write a name without @ "
            "and ://, and a space after each dot, for example: REGISTER J. Smith"
        )
    return name


def clean_email(email: str, *, longest: int = EMAIL_LENGTH) -> str:
    """Return the address without blanks around it. Raises BadInput if it is not an address, is
    too long to store, or is one of ours."""
    email = email.strip()
    if len(email) > longest:
        raise BadInput(
            f"An address can have at most {longest} characters here, and this one has {len(email)}."
        )
    if is_own(email):
        raise BadInput("That is our own address. Please write the one at which you read mail.")
    if not can_be_written_to(email):
        raise BadInput(f"“{email}” is not an e-mail address that we can write to.")
    return email


def is_own(address: str) -> bool:
    """Say whether this is the server's own address, or one of its reply addresses."""
    local, _, domain = address.lower().rpartition("@")
    own_local, _, own_domain = settings.JUDGE_ADDRESS.lower().rpartition("@")
    return (local.partition("+")[0], domain) == (own_local, own_domain)


def can_be_written_to(email: str) -> bool:
    """Say whether it can be an address on the internet: not root@server, as machines call
    themselves, not longer than allowed, and in ASCII before the @: what is written from any other
    has no sender for us, and a database may take “ı” and “i” for the same letter."""
    if not email.rpartition("@")[0].isascii():
        return False
    try:
        validate_email(email)
    except ValidationError:
        return False
    return len(email) <= EMAIL_LENGTH
