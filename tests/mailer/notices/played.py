"""Games played as far as the tests of notices need them, and who is told of them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from games.models import Phase
from games.services.adjudication.phases import phase_process_now
from mailer.models import OutboundMail
from tests.cast import DAY, NOW, OPENINGS, POWERS, Cast, address_of, submit
from tests.mailer.correspondence import tell_all

EVERYBODY = {address_of(name) for name in POWERS}
PLAYER_OF = {power: address_of(name) for name, power in POWERS.items()}
GM = "gm@players.test"
LATER = NOW + 3 * DAY


def order(cast: Cast, power: str, *lines: str, at: dt.datetime = NOW) -> None:
    submit(cast, power, lines, at)


def order_openings(cast: Cast, *but: str) -> None:
    for power, lines in OPENINGS.items():
        if power not in but:
            order(cast, power, *lines)


def process(cast: Cast, now: dt.datetime = LATER) -> dict[str, OutboundMail]:
    """Process the open phase and tell it; the mails by recipient."""
    tell_all(now)
    assert phase_process_now(game_id=cast.game.pk, now=now)
    mails = [mail for mail in tell_all(now) if mail.kind == "phase_processed"]
    assert len({mail.recipient for mail in mails}) == len(mails), "one mail each"
    return {mail.recipient: mail for mail in mails}


def set_position(cast: Cast, name: str, **changes: Any) -> Phase:
    """Put the open phase of the game somewhere else on the calendar and the board."""
    phase = cast.phase
    phase.name = name
    state: Any = {**phase.position, "phase": name, **changes}
    phase.position = state
    phase.save()
    return phase
