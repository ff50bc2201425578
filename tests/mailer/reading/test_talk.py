"""The second corpus: whole mails about everything but orders, each answered as it should be.

They stand in `tests/mailer/talk/*.txt`, in the form of `corpus/mails.py` with these keys:

    from: Carla                who writes; `Ben phone@players.test` from another address
    to: seat                   the reply address of their power, or
        home                   that of the player, about no game
        gm                     that of the game master
        judge                  our own
        mail words             that of their newest mail in which these words stand
        mail of Ben words      that of Ben's
    before: Ben: VOTE DRAW     what somebody wrote, in a reply to a mail of the game
    told: Emma GM              who else gets a mail for it; nobody where nothing is said
    held: yes                  the mail is held
    orders: A Par - Bur        what stands for the writer's power then; nothing where it is not said
    gone: yes                  the writer has no seat then
    says: words                what the writer reads somewhere; any number of such lines
    never: words               what stands in no mail that comes of it
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from games.queries.orders.current_orders import current_decisions
from mailer import jobs
from mailer.commands.orders.viewpoint import Viewpoint
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, POWERS, Cast, address_of
from tests.mailer.corpus.mails import entries
from tests.mailer.correspondence import JUDGE, eml, flat, home, receive
from tests.rows import each_row

pytestmark = pytest.mark.django_db
MAILS = list(entries(Path(__file__).parents[1] / "talk"))
Said = Mapping[str, list[str]]


def test_no_two_mails_of_the_talk_have_one_name() -> None:
    assert len({name for name, _, _ in MAILS}) == len(MAILS)


@each_row(("said", "body"), [pytest.param(*one, id=name) for name, *one in MAILS])
def test_a_mail_is_answered_as_its_writer_would_have_it(told: Cast, said: Said, body: str) -> None:
    for line in said["before"]:
        who, _, text = line.partition(": ")
        _write(told, who, "gm" if who == "gm" else "seat", text.replace("\\n", "\n"))
    last = OutboundMail.objects.order_by("pk").last()
    assert last
    mail = _write(told, said["from"][0], said["to"][0], body)
    came = list(OutboundMail.objects.filter(pk__gt=last.pk))
    who = said["from"][0].split()[0]
    own = [one for one in came if one.recipient == _address(who)]
    others = sorted({one.recipient for one in came} - {_address(who)})
    assert (mail.state == InboundMail.State.HELD) == bool(said["held"])
    assert others == sorted(_address(name) for name in " ".join(said["told"]).split())
    read = flat(" ".join(f"{one.subject}\n{one.body}" for one in own))
    for words in said["says"]:
        assert words in read
    for words in said["never"]:
        assert words not in flat(" ".join(f"{one.subject}\n{one.body}" for one in came))
    if who in POWERS and not said["gone"]:
        assert _orders(told, who) == _as_read(told, who, said["orders"])


def _write(cast: Cast, writer: str, where: str, text: str) -> InboundMail:
    """A mail, worked on, and what comes of it told."""
    who, _, elsewhere = writer.partition(" ")
    to, answers = _to(cast, who, where)
    headers = f"In-Reply-To: {answers}\r\n" if answers else ""
    sender = f"{who} <{elsewhere or _address(who)}>"
    mail = receive(eml(text, sender=sender, to=to, subject="Re: [marne]", headers=headers))
    jobs.tell(NOW)
    return mail


def _to(cast: Cast, who: str, where: str) -> tuple[str, str]:
    """The address to which a mail goes, and the Message-ID of the mail that it answers."""
    kind, _, words = where.partition(" ")
    if kind == "mail":
        owner, _, rest = words.removeprefix("of ").partition(" ")
        whose, words = (owner, rest) if words.startswith("of ") else (who, words)
        found = OutboundMail.objects.filter(recipient=_address(whose)).order_by("-pk")
        mail = next(one for one in found if words in flat(f"{one.subject}\n{one.body}"))
        return mail.reply_to, mail.message_id
    if kind == "seat":
        seat = cast.seat(POWERS[who])
        return addresses.seat_address(seat=seat, phase=cast.phase, now=NOW), ""
    if kind == "gm":
        return addresses.gm_address(user=cast.gm, game=cast.game, now=NOW), ""
    return home(who) if kind == "home" else JUDGE, ""


def _address(name: str) -> str:
    return address_of(name) if "@" not in name else name


def _orders(cast: Cast, who: str) -> list[str]:
    stands = current_decisions(cast.phase, cast.seat(POWERS[who]).power)
    return sorted(order for _, order in stands if order)


def _as_read(cast: Cast, who: str, orders: list[str]) -> list[str]:
    lines = [one.strip() for value in orders for one in value.split(";")]
    return sorted(str(one.order) for one in Viewpoint.of(cast.phase, POWERS[who]).readings(lines))
