"""VOTE: draws and concessions, proposed and voted on; DRAW and CONCEDE are short for it."""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections.abc import Callable, Mapping
from typing import TypedDict

from games.errors import BadInput
from games.models import Game, Proposal, Seat
from games.queries import board, lookup
from games.queries.endings.votes import open_proposals, stands_until, vote_of, what_of
from games.queries.parsing.press_audience import by_initials, whole_names
from games.queries.players.seats import power_names
from games.services.endings.proposals import concession_propose, draw_propose, proposal_withdraw
from games.services.endings.votes import VoteReceipt, vote_cast
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.lines.reasons import without_reason
from mailer.commands.receipt import Outlook, Receipt
from mailer.commands.seats import require_not_over, seat_of
from mailer.commands.yes_and_no import ANY_NO, ANY_YES
from mailer.identity.senders import Sender
from mailer.reading.patterns import says

_VOTE = says(
    f"(?:(?P<draw>draw) |(?P<concede>concede) )?(?:(?P<yes>{ANY_YES}|yea|aye|agree)"
    f"|(?P<no>{ANY_NO}|nay|disagree))(?: (?:(?:to|on|for) )?(?:the |a )?(?:(?P<for_draw>draw)"
    "|(?P<for_win>concession)))?(?: (?:(?:to|on|for)"
    r" )?(?:proposal )?#?(?P<number>\d+))?\s*[.!]*",
)
_WITHDRAW = re.compile(r"withdraw(?:\s+(?:proposal\s+)?#?(?P<number>\d+))?\s*[.!]*", re.IGNORECASE)
_DRAW = re.compile(
    r"(?:for\s+)?(?:a\s+)?draw\b\s*(?:between|among|with|for|of|:)?\s*(?P<powers>.*?)[\s.!]*",
    re.IGNORECASE,
)
_CONCEDE = re.compile(
    r"(?:conce(?:de|ssion)|loss)\b\s*(?:victory\s+)?(?:to\s+)?(?P<power>.*?)[\s.!]*", re.IGNORECASE
)
_EVERYBODY = re.compile(r"(?:(?:all|everybody|everyone|survivors|the)\s*)*", re.IGNORECASE)
_MYSELF = frozenset({"me", "myself", "i"})
_APART = re.compile(r"[\s,;&+/]+(?:and\s+)?", re.IGNORECASE)

_NOT_VOTED_ON: Mapping[str, str] = {
    **dict.fromkeys(
        ("pause", "unpause", "extend", "extension"),
        "Nobody votes on the clock here. To ask for more time, write EXTEND 24h and why.",
    ),
    **dict.fromkeys(
        ("cancel", "abandon", "end", "kick", "ban"),
        "Nobody votes on that here. To ask your game master for it, write PRESS TO GM on a line, "
        "and your text below it; in a game without one, MODERATOR.",
    ),
}
"""Things that players of other sites vote on, by the first word."""
_HOW = (
    "To propose a draw among all survivors, write VOTE DRAW; to concede the victory, write "
    "VOTE CONCEDE TO and the power."
)


class Vote(PlayerCommand):
    name = "vote"
    aliases = ("propose",)
    usage = "VOTE DRAW, VOTE DRAW France Italy, VOTE CONCEDE TO Turkey, VOTE YES, VOTE NO"
    summary = "end the game in a draw or a concession, if all agree"
    help = (
        "Proposes an end to the game, or votes on somebody else's proposal. A proposal passes as "
        "soon as every power with a say has voted yes, and then the game is over. It stays open "
        "until the current movement phase is over, or the next one if none is being played; you "
        "can change your vote until then. Eliminated powers, powers in civil disorder and powers "
        "that nobody plays have no say. A power to which the others would concede need not agree. "
        "Which draws are allowed, and whether votes are open or secret, depends on the game: "
        "STATUS tells you. In a direct reply to the mail about a proposal, YES or NO is enough.\n"
        "Example: VOTE DRAW (among all survivors)\n"
        "Example: VOTE DRAW France Italy (where the game allows a draw of some)\n"
        "Example: VOTE CONCEDE TO Turkey\n"
        "Example: VOTE YES (or NO; with the number of the proposal if there are several)\n"
        "Example: VOTE WITHDRAW (takes your own proposal back)\n"
        "Example: VOTE (shows what is proposed, and how you vote)"
    )
    takes = Takes.MAYBE
    asked = QuestionMark.ITSELF
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        seat = seat_of(sender)
        require_not_over(seat.power.game, "so there is nothing to vote on")
        said = " ".join(without_reason(call.argument).replace("?", " ").split())
        if not said:
            return Receipt(title="The votes", text=_overview(seat), subject=_subject(seat))
        if "?" in call.argument:
            asked = call.argument.strip(" ?")
            asked = asked if "?" in asked else f"{asked}?"
            raise BadInput(
                f"You ask “{asked}”, so we have proposed nothing and counted no vote. If you mean "
                "it, write it without the question mark."
            )
        receipt = _act(said, seat)(arrival)
        title = f"Proposal {receipt.number} in {seat.power.game.name}"
        stands = Outlook(title, functools.partial(_stands, receipt, seat))
        subject = f"[{seat.power.game.name}] {_news(receipt)}"
        return Receipt(title, _text(receipt), subject=subject, outlook=stands)


class Draw(PlayerCommand):
    name = "draw"
    usage = "DRAW [powers]"
    summary = "propose a draw (short for VOTE DRAW)"
    help = "The same as VOTE DRAW; HELP VOTE explains it.\nExample: DRAW\nExample: DRAW YES"
    takes = Takes.MAYBE
    asked = QuestionMark.ITSELF
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        return _as_vote("draw", call, sender, arrival)


class Concede(PlayerCommand):
    name = "concede"
    usage = "CONCEDE TO power"
    summary = "propose to let a power win (short for VOTE CONCEDE TO)"
    help = "The same as VOTE CONCEDE TO; HELP VOTE explains it.\nExample: CONCEDE TO Turkey"
    takes = Takes.SOMETHING
    asked = QuestionMark.ITSELF
    secured = True
    for_seat = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        return _as_vote("concede", call, sender, arrival)


def _as_vote(word: str, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
    return Vote().run(Call(Vote.name, f"{word} {call.argument}", call.number), sender, arrival)


def _act(said: str, seat: Seat) -> Callable[[Arrival], VoteReceipt]:
    """The vote or proposal that the words after VOTE ask for. Raises BadInput."""
    if match := _VOTE.fullmatch(said):
        number, yes, kind = _number(match), match["yes"] is not None, _kind(match)
        return lambda arrival: vote_cast(
            seat=seat, number=number, yes=yes, kind=kind, **_arrival_facts(arrival)
        )
    if match := _WITHDRAW.fullmatch(said):
        mine = _number(match)
        return lambda arrival: proposal_withdraw(seat=seat, number=mine, now=arrival.now)
    if match := _DRAW.fullmatch(said):
        winners = _powers(match["powers"], seat)
        return lambda arrival: draw_propose(seat=seat, winners=winners, **_arrival_facts(arrival))
    if match := _CONCEDE.fullmatch(said):
        winner = _winner(match["power"], seat)
        return lambda arrival: concession_propose(
            seat=seat, winner=winner, **_arrival_facts(arrival)
        )
    first = said.split()[0].lower().strip(".,!")
    raise BadInput(
        f"{_NOT_VOTED_ON.get(first, f'You cannot vote “{said}”.')} To vote on what is proposed, "
        f"write VOTE YES or VOTE NO, and its number if there are several. {_HOW}"
    )


class _Arrived(TypedDict):
    """Which mail brought a vote, and when, in the form that the vote services take."""

    now: dt.datetime
    source: str
    said_at: dt.datetime


def _arrival_facts(arrival: Arrival) -> _Arrived:
    return {"now": arrival.now, "source": arrival.source, "said_at": arrival.received_at}


def _kind(match: re.Match[str]) -> Proposal.Kind | None:
    """What DRAW YES or CONCEDE NO is about; a plain yes or no may be about either."""
    if match["draw"] or match["for_draw"]:
        return Proposal.Kind.DRAW
    return Proposal.Kind.CONCESSION if match["concede"] or match["for_win"] else None


def _number(match: re.Match[str]) -> int | None:
    return int(match["number"]) if match["number"] else None


def _powers(text: str, seat: Seat) -> list[str]:
    if _EVERYBODY.fullmatch(text):
        return []
    game = seat.power.game
    initials = by_initials(text, power_names(game))
    if initials and len(initials) == len(text):  # without the M of the game master
        return initials
    apart = _APART.split(whole_names(text, power_names(game)))
    words = [word.replace("_", " ") for word in apart if word and word.lower() != "and"]
    return [
        seat.power.name if word.lower() in _MYSELF else board.power_named(game.variant, word)
        for word in words
    ]


def _winner(text: str, seat: Seat) -> str:
    if not text:
        raise BadInput("Please write to whom, for example: VOTE CONCEDE TO Turkey")
    return board.power_named(seat.power.game.variant, text)


def _subject(seat: Seat) -> str:
    return f"[{seat.power.game.name}] Votes"


def _overview(seat: Seat) -> str:
    game = seat.power.game
    standing = open_proposals(game)
    if not standing:
        return f"Nothing is proposed in the game {game.name} at the moment. {_HOW}"
    return "\n".join(
        [
            *(f"Proposal {one.number}: {what_of(one)}. {_mine(one, seat)}" for one in standing),
            f"{_until(game)} To vote, write VOTE YES or VOTE NO and the number.",
        ]
    )


def _mine(proposal: Proposal, seat: Seat) -> str:
    vote = vote_of(proposal, seat)
    return "You have not voted." if vote is None else f"You vote {'yes' if vote else 'no'}."


def _until(game: Game) -> str:
    phase = lookup.open_phase(game)
    return f"Votes count until {stands_until(phase.name)} is over." if phase else ""


def _text(receipt: VoteReceipt) -> str:
    number = receipt.number
    if receipt.state == Proposal.State.PASSED:
        return f"All agree on {receipt.what}: the game is over. A mail about its end follows."
    if receipt.state == Proposal.State.WITHDRAWN:
        return f"Your proposal {number}, {receipt.what}, is withdrawn."
    if receipt.state == Proposal.State.REFUSED:
        return f"You vote no, so proposal {number}, {receipt.what}, is refused."
    vote = "yes" if receipt.yes else "no"
    if receipt.came_later:
        return (
            f"You have voted {vote} on proposal {number}, {receipt.what}, since this mail came, "
            "and that stands."
        )
    return f"You vote {vote} on proposal {number}: {receipt.what}."


def _news(receipt: VoteReceipt) -> str:
    """The vote in short, for a subject."""
    state, number = Proposal.State, receipt.number
    if receipt.state == state.PASSED:
        return "All agree: the game is over"
    if receipt.state == state.WITHDRAWN:
        return f"Proposal {number} is withdrawn"
    if receipt.state == state.REFUSED:
        return f"Proposal {number} is refused"
    return f"You vote {'yes' if receipt.yes else 'no'} on proposal {number}"


def _stands(receipt: VoteReceipt, seat: Seat) -> list[str]:
    """How a proposal stands once all votes of the mail are counted."""
    game = seat.power.game
    if receipt.state != Proposal.State.OPEN:
        return []
    if not game.proposals.filter(number=receipt.number, state=Proposal.State.OPEN).exists():
        return ["That proposal is no longer open."]
    other = "no" if receipt.yes else "yes"
    return [
        "It passes as soon as every power that has a say votes yes.",
        f"{_until(game)} To change your mind, write VOTE {other.upper()} {receipt.number}.",
        "Votes are secret in this game: nobody is told who proposed it or how anybody votes."
        if game.secret_votes
        else "Votes are open in this game: everybody is told how you vote.",
    ]
