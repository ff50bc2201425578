"""Everything we keep about a player, as one ZIP file for them.

It contains nothing that others wrote to each other, and no notes of the moderators unless one of
them has checked that they mention nobody else. Reply addresses are secrets even in one's own mails:
anybody who gets hold of the file could order with them.
"""

from __future__ import annotations

import datetime as dt
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q, QuerySet

from games.models import Player
from games.queries.lookup import everyone_in
from games.queries.players.own_data import NAMED, Named, own_data, rows
from games.queries.reports.wording import counted
from games.services.accounts.erasing import addresses_of
from mailer.models import Click, InboundMail, OutboundMail
from mailer.outbound.addresses import redact
from mailer.privacy.own_data_words import MAILS, in_words
from mailer.privacy.whose_mail import PROVED, at_addresses

One = TypeVar("One")
Numbers = dict[tuple[str, int], int]
"""The number of each of the player's mails, by its way and key: the key itself would reveal how
many mails others had meanwhile."""
_KEY = re.compile(r"#(\d+)")
"""A mail's key in its description."""
LARGEST = 7 * 1024 * 1024
"""Bytes: many servers take mails of 10 MB, and base64 adds a third."""
ROOM_FOR_AN_ENTRY = 400
"""What a file takes in a ZIP besides its data, with its name twice."""
READ_AT_ONCE = 20
"""How many mails we read at once; each may have some megabytes."""
NAMED_HERE: Named = {**NAMED, InboundMail: ("sender",), OutboundMail: ("recipient", "kind")}
OF_A_WORKER = (
    *("bounce_digest", "leased_by", "leased_until", "working_since", "died_at", "raw"),
    *("mailbox", "uidvalidity", "uid", "setbacks", "attempts", "retry_at"),
    *("priority", "not_before", "key"),
)
"""Columns that are about our machines, or have a file of their own."""
README = """This is all that the server keeps about you.

about-you.txt  for reading: your settings, addresses, games, orders, press, diary, votes and
               file, and a list of your mails
from-you/      your mails as they came; a mail program opens them
to-you/        our mails to you, without their HTML, pictures and calendar files
data.json      for programs: what about-you.txt says, and of each mail what became of it

Reply addresses are left out of all of it, for they are secret: [token] stands in their place.
{notes}{left_out}
To ask what something means, write MODERATOR on a line of its own and your question below it.
To have all this erased, write ERASE. The page docs/privacy.md of the server's software says how
long we keep what.
"""
NOTES = """
The moderators have noted something about you ({times}). It may tell about others, too, so
it is not in here. To learn it, write MODERATOR and ask for it.
"""
LEFT_OUT = """
{mails} had no room in a mail. To get them, write MODERATOR and ask for it.
"""


@dataclass(frozen=True, slots=True)
class Export:
    """The file, how many mails had no room in it, and how many moderators' notes were left out."""

    data: bytes
    left_out: int
    notes: int


def export(
    player: Player, *, notes: bool, now: dt.datetime, largest: int | None = LARGEST
) -> Export:
    """Gather everything there is about a player, the newest mails first while there is room.

    `notes` says whether to include the moderators' notes about them; without `largest` all mails
    fit.
    """
    mails = _mails(player)
    numbers = _numbers(mails)
    document, kept_back = _document(player, numbers, notes=notes)
    packed = _Packed(largest, now)
    packed.add("data.json", as_json(document).encode(), needed=True)
    for some in _in_batches(mails, READ_AT_ONCE):
        if packed.is_full:
            packed.left_out += len(some)
        else:
            for name, data in _words(some, numbers):
                packed.add(name, data)
    about = in_words(document, player.timezone, packed.names())
    packed.add("about-you.txt", about.encode(), needed=True)
    readme = README.format(
        notes=NOTES.format(times=counted(kept_back, "note")) if kept_back else "",
        left_out=LEFT_OUT.format(mails=counted(packed.left_out, "mail")) if packed.left_out else "",
    )
    packed.add("README.txt", readme.encode(), needed=True)
    return Export(packed.closed(), packed.left_out, kept_back)


class _Packed:
    """A ZIP file that grows while there is room."""

    def __init__(self, largest: int | None, now: dt.datetime) -> None:
        self._largest, self._used = largest, 0
        self.left_out, self._missed = 0, 0
        self._date = now.timetuple()[:6]
        self._file = io.BytesIO()
        self._zip = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED)

    def add(self, name: str, data: bytes, *, needed: bool = False) -> None:
        """Put a file in, if there is room for it or it is needed."""
        if self._largest is not None and not needed:
            size = len(zlib.compress(data)) + ROOM_FOR_AN_ENTRY
            if self._used + size > self._largest:
                self.left_out += 1
                self._missed += 1
                return
        self._missed = 0
        info = zipfile.ZipInfo(name, self._date)
        info.external_attr = 0o600 << 16  # unpacked, only its owner can read it
        self._zip.writestr(info, data, compress_type=zipfile.ZIP_DEFLATED)
        self._used = self._file.tell() + ROOM_FOR_AN_ENTRY * len(self._zip.filelist)

    @property
    def is_full(self) -> bool:
        """Whether so many in a row had no room that reading on is pointless."""
        return self._missed >= READ_AT_ONCE

    def names(self) -> frozenset[str]:
        """The files that are in it so far."""
        return frozenset(self._zip.namelist())

    def closed(self) -> bytes:
        """Close the file and return it."""
        self._zip.close()
        return self._file.getvalue()


def as_json(document: dict[str, Any]) -> str:
    """Return the document as text."""
    return json.dumps(document, ensure_ascii=False, indent=1, cls=DjangoJSONEncoder)


def _document(player: Player, mails: Numbers, *, notes: bool) -> tuple[dict[str, Any], int]:
    """What the tables say about the player, and how many of the moderators' notes it leaves out."""
    accounts = everyone_in(player)
    found = [own_data(one, notes=notes) for one in accounts]
    document: dict[str, Any] = dict(found[0].rows)
    for number, one in enumerate(found[1:], start=1):
        document[f"merged account {number}"] = one.rows
    clicks = Click.objects.filter(player__in=accounts)
    document["links used"] = rows(clicks, leave=["id"], named=NAMED_HERE)
    document["mails from you"] = list(_facts_about(_came(player).defer("raw", "error"), mails))
    document["mails to you"] = list(_facts_about(_went(player).defer("body"), mails))
    return document, sum(one.notes_left_out for one in found)


def _numbers(mails: Iterable[_Mail]) -> Numbers:
    """A number for each mail among those of its way, by its way and key."""
    counts: dict[str, int] = {}
    numbers: Numbers = {}
    for one in sorted(mails):
        numbers[one.way, one.pk] = counts[one.way] = counts.get(one.way, 0) + 1
    return numbers


def _in_batches(ones: Iterable[One], size: int) -> Iterator[list[One]]:
    left = iter(ones)
    while some := list(islice(left, size)):
        yield some


def _facts_about(mails: QuerySet[Any], numbers: Numbers) -> Iterator[dict[str, Any]]:
    """Everything about each mail but its words, which have a file of their own."""
    leave = (*OF_A_WORKER, "body", "error", "trial", "calendars", "on_yes")
    way = "from" if mails.model is InboundMail else "to"
    for some in _in_batches(mails.iterator(chunk_size=500), 500):
        for row in rows(some, leave=leave, named=NAMED_HERE):
            if (way, row["id"]) not in numbers:  # it came while we were reading
                continue
            row["id"] = numbers[way, row["id"]]
            if answers := _KEY.match(row.get("answers") or ""):
                row["answers"] = numbers.get(("from", int(answers[1])))
            yield {k: redact(v) if isinstance(v, str) else v for k, v in row.items()}


class _Mail(NamedTuple):
    """A mail to a player or from them: its time, its way and its key."""

    at: dt.datetime
    way: str
    pk: int


def _mails(player: Player) -> list[_Mail]:
    """All mails from and to the player, the newest first."""
    came = _came(player).order_by().values_list("received_at", "pk")
    went = _went(player).order_by().values_list("created_at", "pk")
    mails = [_Mail(at, "from", pk) for at, pk in came] + [_Mail(at, "to", pk) for at, pk in went]
    return sorted(mails, reverse=True)


def _words(mails: Sequence[_Mail], numbers: Numbers) -> Iterator[tuple[str, bytes]]:
    """The words of each of these mails, with the name of its file."""
    words = {
        "from": dict(_letters([mail.pk for mail in mails if mail.way == "from"])),
        "to": dict(_answers([mail.pk for mail in mails if mail.way == "to"])),
    }
    for at, way, pk in mails:
        yield MAILS[f"mails {way} you"].format(at, numbers[way, pk]), words[way][pk]


def _letters(keys: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The mails from a player with these keys, as they came."""
    for pk, raw in InboundMail.objects.filter(pk__in=keys).values_list("pk", "raw"):
        # Latin-1 takes every byte as a letter, and gives it back.
        yield pk, redact(bytes(raw).decode("latin-1")).encode("latin-1")


def _answers(keys: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The mails to a player with these keys, as text."""
    found = OutboundMail.objects.filter(pk__in=keys).values_list("pk", "subject", "body")
    for pk, subject, body in found:
        yield pk, redact(f"{subject}\n\n{body}").encode()


def _came(player: Player) -> QuerySet[InboundMail]:
    """The mails that the player wrote, as far as we know: not what somebody else sent to their
    reply addresses, nor a server's report."""
    accounts = everyone_in(player)
    theirs = Q(player__in=accounts, proof__in=PROVED)
    written = at_addresses(addresses_of(player), accounts, whose="sender", when="received_at")
    return InboundMail.objects.filter(theirs | written, bounce_of=None)


def _went(player: Player) -> QuerySet[OutboundMail]:
    """The mails to the player, and those to their addresses since these are theirs."""
    accounts = everyone_in(player)
    written = at_addresses(addresses_of(player), accounts, whose="recipient", when="created_at")
    return OutboundMail.objects.filter(Q(player__in=accounts) | written)
