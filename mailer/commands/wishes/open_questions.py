"""Names the open questions that somebody may mean whose YES answers none of them.

It came to another address of ours: some programs reply to the sender of a mail, or cut off its
reply address.
"""

from __future__ import annotations

import datetime as dt

from games.models import Address, Offer, Player
from games.queries.lookup import everyone_in
from games.queries.phases.musters import games_mustering
from games.queries.reports.wording import listed
from mailer.identity.senders import Sender
from mailer.models import InboundMail, OutboundMail


def asked_elsewhere(sender: Sender, now: dt.datetime) -> str:
    """Say what they may mean and how to say yes to it, in sentences with a blank before each; "" if
    nothing waits for them."""
    if player := sender.player:
        return f"{_addresses(player)}{_mail(player)}{_muster(player)}{_offers(player, now)}"
    asked = Address.objects.filter(email__iexact=sender.email, confirmed_at=None)
    address = asked.select_related("player").first()
    if address is None:
        return ""
    again = " If you cannot find it, write REGISTER and your name once more."
    return (
        f" We asked whether {address.email} is yours, but your mail does not come as an answer to "
        "that: please reply YES to that mail itself."
        f"{'' if address.player.address else again}"
    )


def _addresses(player: Player) -> str:
    open_ones = player.addresses.filter(confirmed_at=None).order_by("pk")
    emails = listed(list(open_ones.values_list("email", flat=True)))
    return f" To confirm {emails}, reply CONFIRM to the mail that we sent there." if emails else ""


def _mail(player: Player) -> str:
    """Say that a mail in their name waits, by our newest question about one."""
    held = InboundMail.objects.filter(state=InboundMail.State.HELD, emptied_at=None)
    questions = OutboundMail.objects.filter(
        kind="question", player__in=everyone_in(player), answers__in=held
    )
    question = questions.order_by("-pk").first()
    if question is None:
        return ""
    return (
        " If you mean a mail of yours that waits for your word, reply YES to the mail itself in "
        f"which we asked you: “{question.subject}”."
    )


def _muster(player: Player) -> str:
    games = " or ".join(f"HERE {game.name}" for game in games_mustering(player))
    return f" If you mean that you are here to play, write {games}." if games else ""


def _offers(player: Player, now: dt.datetime) -> str:
    offers = Offer.objects.filter(player=player, end="", expires_at__gt=now).order_by("pk")
    powers = [one.power for one in offers.select_related("power__game")]
    lines = " or ".join(f"TAKEOVER {one.game.name} {one.name}" for one in powers)
    return f" If you mean the seat that we offered you, write {lines}." if lines else ""
