"""What a player is sent who asks for their data."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from mailer.models import InboundMail, OutboundMail
from mailer.privacy import data_requests
from tests.cast import HOUR, NOW, Cast, address_of
from tests.mailer.correspondence import home, to_seat, told_cast, write

LATER = NOW + HOUR
ANA, BEN = address_of("Ana"), address_of("Ben")
ORDERS = {
    "Austria": "A Vie - Gal\nA Bud - Ser\nF Tri - Alb",
    "Italy": "A Ven - Tyr\nA Rom - Ven\nF Nap - Ion",
}
PLAYERS = {"Austria": "Ana", "Italy": "Emma"}


def have_ordered_and_written() -> None:
    cast = told_cast()
    from_seat(cast, "Austria", ORDERS["Austria"])
    from_seat(cast, "Italy", ORDERS["Italy"])
    from_seat(cast, "Austria", "PRESS TO Italy\nMeet me in Trieste.\nEND PRESS")
    from_seat(cast, "Italy", "PRESS TO Turkey\nAustria trusts me. Poor soul.\nEND PRESS")


def from_seat(cast: Cast, power: str, text: str) -> InboundMail:
    """A mail that the power's player writes to the power's reply address."""
    to = to_seat(cast, power)
    mail = write(PLAYERS.get(power, "Ben"), text, to=to)
    assert mail.state == "done"
    return mail


def unpacked(data: bytes) -> dict[str, str]:
    """The files by their names, as text."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {one.filename: packed.read(one).decode() for one in packed.filelist}


def ask(text: str = "EXPORT", at: Any = LATER, **how: Any) -> InboundMail:
    return write("Ana", text, to=home("Ana"), received_at=at, **how)


def sent() -> OutboundMail:
    """The mail with the file, once the job was done."""
    data_requests.carry_out(LATER)
    return OutboundMail.objects.get(kind="own_data")
