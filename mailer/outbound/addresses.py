"""The secret in a reply address: `judge+<token>@host` says which seat, phase, address or mail.

The secret is HMAC-SHA256(SECRET_KEY, what it stands for), 135 bits in base32. So we can put it into
every mail of a phase without storing it, and mail systems that change the case do no harm. The
database keeps only its SHA-256, and what it stands for (tokens.py). A secret alone never identifies
anybody (identify.py): people forward mails with their reply addresses.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Upper
from django.db.models.lookups import Exact

from games.models import Address, Game, Offer, Phase, Press, Seat
from games.models.prepared import TEXT, Given, Query
from games.models.stored import Insert
from games.services.cleaned import is_own as is_own
from games.services.secrets_in_text import BOUNCE as BOUNCE
from games.services.secrets_in_text import LINK_SECRETS, TOKEN_LENGTH
from mailer.models import InboundMail, ReplyToken
from mailer.outbound.tokens import (
    ForAddress,
    ForGm,
    ForHeldMail,
    ForModerators,
    ForMuster,
    ForOffer,
    ForPress,
    ForSeat,
    Token,
    row_of,
    token_in,
)

BYTES = 20
"""How many characters make a secret: whole groups of five, as in base32."""
MOST_SECRETS = 20
"""How many reply addresses of one mail we look up; a reply to all has two."""
_TOKEN = re.compile(rf"[a-z2-7]{{{TOKEN_LENGTH}}}")
_SECRET_IN_TEXT = re.compile(  # in capitals, too, which work as well; never inside a longer word
    rf"(?<![a-z0-9])[a-z2-7]{{{TOKEN_LENGTH}}}(?![a-z0-9])|{LINK_SECRETS}", re.IGNORECASE
)


def token_for(token: Token, *, now: dt.datetime) -> str:
    """The secret of a token, always the same one; stores a ReplyToken row if it is new."""
    return _store([row_of(token, now=now)])[0]


def _store(rows: Sequence[ReplyToken]) -> list[str]:
    """The secrets of these rows; new rows are stored."""
    secrets = [_secret(_stands_for(row)) for row in rows]
    for row, secret in zip(rows, secrets, strict=True):
        row.digest = _digest(secret)
    # In one order: two workers that tell people of the same phase must not wait for each other.
    in_order = sorted(rows, key=lambda row: row.digest)
    _INSERT.new(in_order, unique="digest")
    return secrets


_INSERT = Insert(ReplyToken)


def _stands_for(row: ReplyToken) -> str:
    """The text that the secret is made from; it must never change, or old reply addresses stop
    working."""
    rows = (row.seat_id, row.phase_id, row.address_id, row.mail_id, row.press_id)
    ids = ":".join("-" if key is None else str(key) for key in rows)
    # Only if there is one: tokens are older than these columns.
    ids += "" if row.game_id is None else f":{row.game_id}"
    ids += "" if row.offer_id is None else f":offer {row.offer_id}"
    ids += "" if row.user_id is None else f":user {row.user_id}"
    return f"{row.purpose}:{ids}"


def reply_address(secret: str) -> str:
    """`local+<secret>@domain` of the server's own address."""
    local, _, domain = settings.JUDGE_ADDRESS.rpartition("@")
    return f"{local}+{secret}@{domain}"


def address_for(token: Token, *, now: dt.datetime) -> str:
    """Where to write what this token stands for."""
    return reply_address(token_for(token, now=now))


def places_of(answered: Sequence[Token | str], *, now: dt.datetime) -> list[str]:
    """Where to write what each of these tokens stands for (see `address_for`); one statement does
    all. Addresses are returned unchanged."""
    tokens = [one for one in answered if not isinstance(one, str)]
    secrets = iter(_store([row_of(one, now=now) for one in tokens]))
    return [one if isinstance(one, str) else reply_address(next(secrets)) for one in answered]


def seat_address(
    *, seat: Seat, phase: Phase | None, now: dt.datetime, known: Collection[str] = ()
) -> str:
    """Where a player writes to order for this seat in this phase.

    Those of the `known` addresses that are ours work already.
    """
    row = row_of(ForSeat(seat, phase), now=now)
    address = reply_address(_secret(_stands_for(row)))
    if address not in known:
        _store([row])
    return address


def player_address(*, address: Address, now: dt.datetime) -> str:
    """Where the owner of a registered address writes; the first reply to it confirms it."""
    return address_for(ForAddress(address), now=now)


def moderators_address(*, address: Address, now: dt.datetime) -> str:
    """Where the owner of an address answers what a moderator wrote to them."""
    return address_for(ForModerators(address), now=now)


def here_address(*, address: Address, game: Game, now: dt.datetime) -> str:
    """Where the owner of an address says, before the start, that they are here: any reply does."""
    return address_for(ForMuster(address, game), now=now)


def offer_address(*, address: Address, offer: Offer, now: dt.datetime) -> str:
    """Where the owner of an address accepts or declines the seat offered to them."""
    return address_for(ForOffer(address, offer), now=now)


def challenge_address(*, mail: InboundMail, now: dt.datetime) -> str:
    """Where a player says that a held mail was theirs."""
    return address_for(ForHeldMail(mail), now=now)


def answer_address(*, seat: Seat, press: Press, to_all: bool, now: dt.datetime) -> str:
    """Where this seat answers a press: to its writer alone, or to all who take part."""
    return address_for(ForPress(seat, press, to_all), now=now)


def gm_address(*, user: User, game: Game, now: dt.datetime) -> str:
    """Where a GM writes to act on their game."""
    return address_for(ForGm(user, game), now=now)


def find(recipients: Iterable[str], *, sender: str = "") -> Token | None:
    """What the token in one of these recipients (bare addresses) stands for; None if none is valid.

    A seat's token knows whether its player wrote from `sender`.
    """
    return token_meant(rows_of_each([(recipients, sender)])[0])


def rows_of_each(mails: Iterable[tuple[Iterable[str], str]]) -> list[list[ReplyToken]]:
    """The valid rows that the recipients of each mail name, used by its sender; one statement does
    many mails."""
    digests = [(_digests_in(recipients), sender) for recipients, sender in mails]
    asked = [{"digest": one, "sender": sender} for some, sender in digests for one in some]
    rows = iter(_VALID.first_of_each(asked))
    return [[row for _ in some if (row := next(rows))] for some, _ in digests]


def token_meant(rows: Sequence[ReplyToken]) -> Token | None:
    """What the rows that one mail names stand for.

    A reply to everybody who takes part in press also goes to its writer's address; then it means
    everybody.
    """
    found = sorted(rows, key=lambda one: one.pk)
    to_all = [one for one in found if one.purpose == ReplyToken.Purpose.ANSWER_ALL]
    return next(map(token_in, to_all or found), None)


def have_secrets(recipients: Iterable[str]) -> bool:
    """Whether one of these recipients looks like a reply address of ours, known or not."""
    return any(map(_secret_in, recipients))


def are_lost(recipients: Iterable[str]) -> bool:
    """Whether these recipients have secrets, but none that we know, not even as revoked."""
    digests = _digests_in(recipients)
    return bool(digests) and not ReplyToken.objects.filter(digest__in=digests).exists()


def were_made_with_another_key() -> bool:
    """Whether reply addresses that we gave out, and never revoked, come from another SECRET_KEY
    than ours, judging by the first and the last of them.

    They go on working, for the database knows them; logins, calendars and links do not.
    """
    valid = ReplyToken.objects.filter(revoked_at__isnull=True)
    ends = (valid.order_by("pk").first(), valid.order_by("-pk").first())
    return any(row.digest != _digest(_secret(_stands_for(row))) for row in ends if row)


def _digests_in(recipients: Iterable[str]) -> list[str]:
    """The digests of the secrets that these recipients carry, each once."""
    secrets = filter(None, map(_secret_in, recipients))
    return list(dict.fromkeys(map(_digest, islice(secrets, MOST_SECRETS))))


def _valid() -> QuerySet[ReplyToken]:
    # Most are of seats; each of the others takes a query.
    known = ReplyToken.objects.select_related("seat__power__game", "seat__player", "phase")
    own = Address.objects.filter(
        Exact(Upper("email"), Upper(Given("sender", TEXT))),
        player=OuterRef("seat__player"),
        confirmed_at__isnull=False,
    )
    valid = known.filter(digest=Given("digest", TEXT), revoked_at__isnull=True)
    # One at a time: for twenty at once PostgreSQL would rather read all games there are.
    return valid.annotate(from_player=Exists(own))[:1]


_VALID = Query(_valid)


def bounce_address(message_id: str) -> str:
    """The envelope sender of our mail with this Message-ID: whatever comes back there is about that
    mail."""
    return reply_address(BOUNCE + _secret(f"bounce:{message_id}"))


def bounce_digest_of(message_id: str) -> str:
    """The SHA-256 of the secret in `bounce_address`."""
    return _digest(_secret(f"bounce:{message_id}"))


def bounce_digest(address: str) -> str:
    """The SHA-256 of the secret in a bounce address of ours; empty for any other address."""
    token = _detail(address).removeprefix(BOUNCE)
    is_bounce = is_bounce_address(address) and _TOKEN.fullmatch(token)
    return _digest(token) if is_bounce else ""


def is_bounce_address(address: str) -> bool:
    """Whether this is our address for mail that comes back, with a valid secret or without."""
    return is_own(address) and _detail(address).startswith(BOUNCE)


def redact(text: str) -> str:
    """The text with every token, and every secret of a link, replaced, even outside an address: for
    logs, and for texts that others may read."""
    return _SECRET_IN_TEXT.sub("[token]", text)


def _secret_in(recipient: str) -> str | None:
    """The secret in one recipient, if the address is ours and has it in the one place where it
    belongs."""
    if not is_own(recipient):
        return None
    secret = _detail(recipient)
    return secret if _TOKEN.fullmatch(secret) else None


def _detail(address: str) -> str:
    """The part between the `+` and the `@`, in lower case."""
    return address.lower().rpartition("@")[0].partition("+")[2]


def _secret(stands_for: str) -> str:
    key = settings.SECRET_KEY.encode()
    mac = hmac.digest(key, f"reply-token:{stands_for}".encode(), "sha256")
    return base64.b32encode(mac[:BYTES]).decode().lower()[:TOKEN_LENGTH]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
