"""TAKEOVER: a player takes an open seat."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.db.models import QuerySet

from games.errors import BadInput, NotFound, WrongState
from games.models import Game, Offer, Power
from games.queries.parsing.game_names import game_by_name, name_on_page
from games.queries.players.seats import (
    BEFORE_START,
    OpenSeat,
    open_powers,
    open_seats,
    seats_described,
)
from games.queries.reports.wording import listed
from games.services.seating.seats import seat_take
from games.services.seating.standby import offer_decline
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import AMEND, ORDERS, Call, Takes
from mailer.commands.player.consent.confirm import Confirm, agrees
from mailer.commands.player.consent.refuse import Refuse
from mailer.commands.receipt import Enclosures, Receipt
from mailer.commands.seats import require_not_over
from mailer.identity.senders import Answering, Sender
from mailer.outbound.buttons import Button
from mailer.outbound.tokens import ForOffer

_BETWEEN = r"[\s@,;:.()\"'“”‘’]"
_APART = re.compile(f"{_BETWEEN}+")
_PAGE = r"<?(?:https?://)?[\w.:-]+/games/\S+"
_ABOUT_CODE = frozenset({"and", "with", "the", "code", "is"})
"""Words that people write around a game's code."""
_WORDS = (ORDERS, AMEND, Confirm.name, Refuse.name)
_NO_SEAT = "so there is no seat to take over"
_DECLINE, _UNSURE = "no thanks", "?"
_ONE_OF_SEVERAL = (
    "We have done nothing so far: we offered you several seats, and your answer does not say "
    "which one you want. Please reply with the line for that one:"
)
_ONE_LEFT = (
    "We have done nothing so far: we offered you several seats, and your answer does not name "
    "one. Only one of them is still open. To take it, please reply with this line:"
)
_MOST_NAMED = 10
"""How many open seats we list for somebody who has not named one."""


class Takeover(PlayerCommand):
    name = "takeover"
    usage = "TAKEOVER game power [code]"
    summary = "take over from a player who has left"
    help = (
        "Takes over a power whose player is gone; LIST shows which ones. The first to ask "
        "gets it. You start clean: you see neither your predecessor's orders for this phase nor "
        "their press. You get enough time before the deadline, and a mail tells you all you need. "
        "A reply YES to a mail that offers you one seat does the same; where a mail offers you "
        "several, name the one that you want. In a game by invitation write its code after the "
        "power, unless your address was invited. Where the game master lets people in, we ask "
        "them first.\n"
        "Example: TAKEOVER marne France"
    )
    takes = Takes.MAYBE
    argument = re.compile(rf"(?:{_PAGE}\s+)?([\w-]+({_BETWEEN}+[\w-]+){{0,6}})?[ .!)\"'”’]*")
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        if call.argument == _DECLINE:
            return _decline(sender, arrival)
        if call.argument.strip(" .!") in ("", _UNSURE) and (seats := _choice(sender)):
            return _which_seat(seats)
        if call.argument == _UNSURE:
            raise BadInput(
                "We are not sure what you mean, so nothing was done. To take the seat, write YES "
                "on a line of its own. If you do not want it, write NO."
            )
        power, knows_code = _power(call.argument.strip(" .!"), sender)
        seat = seat_take(
            game=power.game, power=power, player=player, now=arrival.now, knows_code=knows_code
        )
        if seat is None:
            return _asked_receipt(power)
        game = seat.power.game.name
        return Receipt(
            title=f"You play {seat.power.name} in {game}",
            text=(
                f"The seat is yours: you now play {seat.power.name} in the game {game}. "
                "Thank you! A mail follows with the board, what you have to do, and by "
                "when. Please answer that one with your orders."
            ),
            subject=f"[{game}] You play {seat.power.name}",
        )


def _asked_receipt(power: Power) -> Receipt:
    """Tell somebody that they have to wait for the GM's word."""
    game = power.game.name
    return Receipt(
        title=f"You asked for {power.name} in {game}",
        text=(
            f"In the game {game} the game master lets people in. We have told whoever looks after "
            f"it that you would like to play {power.name}. If they give it to you, a mail tells "
            "you; until then, somebody else may get it. LIST shows seats that are open elsewhere."
        ),
        subject=f"[{game}] You asked for {power.name}",
    )


def offer_calls(calls: Sequence[Call]) -> list[Call]:
    """The calls of a reply to an offer: yes, no, or something we are not sure of.

    We also carry out its other commands; its other words are not orders.
    """
    said = {call.command for call in calls}
    named = [call for call in calls if call.command not in _WORDS]
    if Takeover.name in said:
        return named
    if Refuse.name in said:
        return [Call(Takeover.name, _DECLINE, 0), *named]
    if agrees(calls):
        return [Call(Takeover.name, "", 0), *named]
    return named or [Call(Takeover.name, _UNSURE, 0)]


def _choice(sender: Sender) -> list[OpenSeat]:
    """The seats of a joint offer that are still open; empty if it offered only one."""
    offer = _offer_answered(sender)
    if offer is None:
        return []
    powers = {one.power.name for one in _together(offer)}
    seats = open_seats(offer.power.game) if len(powers) > 1 else []
    return [one for one in seats if one.power in powers]


def _which_seat(seats: Sequence[OpenSeat]) -> Receipt:
    """Ask which of several seats they want, since a bare YES names no seat."""
    lines = {one.power: f"TAKEOVER {one.game} {one.power}" for one in seats}
    several = len(seats) > 1
    asks = "Which power would you play?" if several else f"Would you play {seats[0].power}?"
    return Receipt(
        title=asks,
        text="\n".join(
            [
                _ONE_OF_SEVERAL if several else _ONE_LEFT,
                "",
                *(f"- for {power}: {line}" for power, line in lines.items()),
                "",
                f"If you want {'none of them' if several else 'no seat'}, write NO.",
            ]
        ),
        done=False,
        subject=f"[{seats[0].game}] {asks}",
        enclosed=Enclosures(
            buttons=[Button(f"Play {power}", line) for power, line in lines.items()]
        ),
    )


def _together(offer: Offer) -> QuerySet[Offer]:
    """The offer, with the offers of other seats of its game made to the player together with it."""
    made = Offer.objects.filter(power__game=offer.power.game, made_at=offer.made_at)
    return made.filter(player=offer.player).select_related("power")


def _decline(sender: Sender, arrival: Arrival) -> Receipt:
    offer = _offer_answered(sender)
    if offer is None:
        raise WrongState("Nothing was offered to you in the mail you answer.")
    offer_decline(offer=offer, now=arrival.now)
    for one in (rest := list(_together(offer).filter(end=""))):
        offer_decline(offer=one, now=arrival.now)
    seats, still = ("these seats", "one is") if rest else ("this seat", "it is")
    power = offer.power
    return Receipt(
        title="Declined",
        text=(
            f"Thank you for telling us; we will not offer you {seats} again. If you change your "
            f"mind while {still} open, write TAKEOVER {power.game.name} {power.name}. You stay on "
            "the standby list; to leave it, write STANDBY OFF."
        ),
        subject="Declined",
    )


def _offer_answered(sender: Sender) -> Offer | None:
    """The seat offered in the mail that they answer."""
    match sender:
        case Answering(question=ForOffer(offer=offer)):
            return offer
        case _:
            return None


def _power(argument: str, sender: Sender) -> tuple[Power, bool]:
    """The power that they name, in any order of words, or that the mail they answer offered; and
    whether they wrote the game's code."""
    first, _, others = argument.partition(" ")
    if re.fullmatch(_PAGE, first, re.IGNORECASE):
        argument = f"{name_on_page(first)} {others}"
    words = [word for word in _APART.split(argument) if word]
    if not words:
        if offer := _offer_answered(sender):
            require_not_over(offer.power.game, _NO_SEAT, sender.player)
            return offer.power, False
        raise BadInput(f"Please write which seat you would take. {_open_seats()}")
    game, rest = _game(words)
    require_not_over(game, _NO_SEAT, sender.player)
    if game.status in BEFORE_START:
        raise WrongState(
            f"The game {game.name} has not started yet. To take a place in it, write JOIN "
            f"{game.name}"
        )
    knows_code = bool(game.code) and game.code in map(str.lower, rest)
    about_code = {game.code, *_ABOUT_CODE} if game.code else ()
    named = " ".join(word for word in rest if word.lower() not in about_code)
    return _power_of(game, named, tell_open=knows_code or not _is_private(game)), knows_code


def _is_private(game: Game) -> bool:
    """Whether strangers may not know which of its seats are open."""
    return game.entry == Game.Entry.INVITED and not game.observers


def _game(words: Sequence[str]) -> tuple[Game, list[str]]:
    for number, word in enumerate(words):
        try:
            game = game_by_name(word)
        except NotFound:
            continue
        return game, [*words[:number], *words[number + 1 :]]
    raise NotFound(f"“{' '.join(words)}” names no game that is played here. {_open_seats()}")


def _power_of(game: Game, name: str, *, tell_open: bool) -> Power:
    powers = list(game.powers.all())
    if not name and not tell_open:
        found = []
    elif not name:
        free = {one.power for one in open_seats(game, for_all=True)}
        found = [power for power in powers if power.name in free]
    else:
        found = [power for power in powers if power.name.lower().startswith(name.lower())]
        found = [power for power in found if power.name.lower() == name.lower()] or found
    if len(found) == 1:
        return found[0]
    which = f"Please write which power of {game.name} you would take"
    if tell_open:
        raise BadInput(f"{which}. {_open_seats(game)}")
    example = f"TAKEOVER {game.name} {powers[0].name} and the code"
    raise BadInput(f"{which}, and the game's code if you have one, for example: {example}")


def _open_seats(game: Game | None = None) -> str:
    found = (
        open_seats(game, for_all=True)
        if game
        else seats_described(open_powers()[: _MOST_NAMED + 1])
    )
    seats = [f"{one.game} {one.power}" for one in found]
    if not seats:
        return "No seat is open at the moment. To be offered the next one, write STANDBY."
    more = " Write LIST to see more." if game is None and len(seats) > _MOST_NAMED else ""
    named = seats if game else seats[:_MOST_NAMED]
    return f"These seats are open: {listed(named)}.{more} For example, write: TAKEOVER {seats[0]}"
