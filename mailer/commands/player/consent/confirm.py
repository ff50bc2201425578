"""CONFIRM, or YES: the word that says yes to a question of ours.

It needs a line of its own: any other reply may come from a program that answers for people who are
away. Only our question after REGISTER takes any reply as a yes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet

from games.errors import BadInput, GameError, WrongState
from games.queries.endings.votes import open_proposals
from games.queries.lookup import everyone_in
from games.queries.reports.wording import listed
from games.services.accounts.players import address_confirm
from mailer.commands import player
from mailer.commands.base import REGISTER_FIRST, Arrival, PlayerCommand
from mailer.commands.calls import AMEND, ORDERS, Call
from mailer.commands.own_settings.told_of_addresses import tell_added
from mailer.commands.player.seats.join import Join
from mailer.commands.receipt import Receipt, Wish
from mailer.commands.script import read_lines
from mailer.commands.wishes.everyday_words import corrected_command
from mailer.commands.wishes.invitations import invited_to
from mailer.commands.wishes.open_questions import asked_elsewhere
from mailer.commands.wishes.votes import vote_meant
from mailer.commands.yes_and_no import (
    WORDS_FOR_YES,
    agrees_gladly,
    bare,
    denies,
    is_yes,
    takes_back,
)
from mailer.identity.senders import FurtherAddress, Newcomer, Proof, Registered, Sender, seat_meant
from mailer.models import OutboundMail
from mailer.reading.quotes import Line

SAID_YES = "yes"
"""The call's argument if the mail has the word; otherwise it is just any reply."""
DONE_BEFORE = (
    "We have already done what we offered: your first YES was enough, and nothing more has changed."
)
ANSWERED_BEFORE = (
    "We have already answered your YES to that mail, so nothing more has changed. What is waiting "
    "for a YES now is {}: reply YES to our mail that offers it, or write the line itself."
)
FIRST = (
    "Reply to this mail: LIST shows the games looking for players, JOIN and a game's name joins "
    "one, RULES explains Diplomacy in short, HELP shows everything else you can write."
)
NEXT = (
    "Reply to this mail: RULES explains Diplomacy in short, HELP shows everything else you can "
    "write."
)
"""For newcomers who have a seat already."""
NOTHING = "There is nothing to confirm, so nothing has changed."
UNCLEAR = "We cannot tell what you are saying yes to, so nothing has changed."
LEFT_UNDONE = "All right, "
"""The beginning of our answer to a no to such an offer."""
_OFFERS = re.compile(r"\breply\s+with\s+the\s+word\s+YES\b", re.IGNORECASE)
_LOOKED_AT = 3
"""How many of our newest answers we look at: the offer, and our answer to the first YES."""


class Confirm(PlayerCommand):
    name = "confirm"
    aliases = WORDS_FOR_YES
    usage = "CONFIRM"
    summary = "say yes to a question of ours"
    help = (
        "When we ask you something, for example whether a mail was yours, reply YES or CONFIRM to "
        "that mail, alone on a line. When we offer to do what you may have wanted, YES does it. "
        "Without it we do nothing, because mail programs answer on their own while people are "
        "away. Only after REGISTER does any reply mean yes. To say no, reply REFUSE."
    )
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        if isinstance(sender, Newcomer):
            return _welcome(sender, arrival, said_yes=call.argument == SAID_YES)
        if isinstance(sender, FurtherAddress):
            return _add_address(sender, arrival)
        return _agree(call, sender, arrival)


def _welcome(sender: Newcomer, arrival: Arrival, *, said_yes: bool) -> Receipt:
    """Register a newcomer, and do what they asked for meanwhile if their mail has the word."""
    email = sender.address.email
    owner = address_confirm(address=sender.address, now=arrival.now)
    lines = _waiting(sender, arrival)
    tried = lines if said_yes else []
    done = [_try_wish(line, sender, arrival) for line in tried]
    joined = [one.done for line, one in zip(tried, done, strict=True) if line.startswith("JOIN")]
    return Receipt(
        title="Welcome",
        text="\n\n".join(
            [
                f"{email} is confirmed: you are registered as {owner.name}.",
                *(one.text for one in done),
                NEXT if any(joined) else FIRST,
            ]
        ),
        whole=all(one.done for one in done),
        subject="; ".join(["Welcome", *(one.subject for one in done if one.subject)]),
        wish=_wish_to_repeat(lines) if lines and not done else None,
    )


def _add_address(sender: FurtherAddress, arrival: Arrival) -> Receipt:
    """Give a player one more address."""
    email = sender.address.email
    owner = address_confirm(address=sender.address, now=arrival.now)
    tell_added(sender.address, arrival.now)
    return Receipt(
        title="Your addresses",
        text=f"{email} is confirmed: it is {owner.name}'s, too. You can write to us from there.",
        subject="Your address is confirmed",
    )


def _agree(call: Call, sender: Sender, arrival: Arrival) -> Receipt:
    """Do what the mail says yes to. Raises WrongState if it answers no question of ours."""
    if isinstance(sender, Registered) and (wished := wished_in(arrival, sender)):
        return _do_offer(wished, sender, arrival)
    if game := invited_to(arrival, sender):
        return Join().run(Call(Join.name, game.name, call.number), sender, arrival)
    if vote := vote_meant("yes", arrival, sender):
        return player.COMMANDS[vote.command].run(vote, sender, arrival)
    if _did_before(arrival, sender):
        raise WrongState(_about_earlier_answer(arrival, sender))
    if waits := asked_elsewhere(sender, arrival.now):
        raise WrongState(f"{UNCLEAR}{waits}{how_to_vote(sender, 'YES')}")
    first = "" if sender.player else f" {REGISTER_FIRST}"
    raise WrongState(f"{NOTHING}{how_to_vote(sender, 'YES')}{first}")


def _did_before(arrival: Arrival, sender: Sender) -> bool:
    """Whether the newest offer that this mail can answer was accepted before."""
    if sender.player is None or sender.proof is Proof.NONE:
        return False
    bodies = _receipts(sender).filter(reply_to__in=arrival.to, on_yes="").order_by("-pk")
    for body in bodies.values_list("body", flat=True)[:_LOOKED_AT]:
        if LEFT_UNDONE in body:
            return False
        if _OFFERS.search(body):
            return True
    return False


def _about_earlier_answer(arrival: Arrival, sender: Sender) -> str:
    """Say that this offer was answered, and what waits for a YES now, if we then offered a
    corrected command because the first could not be done."""
    ours = _receipts(sender).filter(reply_to__in=arrival.to).exclude(on_yes="")
    waiting = [one.splitlines()[0] for one in ours.order_by("pk").values_list("on_yes", flat=True)]
    lines = listed([f"“{line}”" for line in waiting], "or")
    return ANSWERED_BEFORE.format(lines) if waiting else DONE_BEFORE


def _receipts(sender: Sender) -> QuerySet[OutboundMail]:
    """Our answers to the sender, a player."""
    known = everyone_in(sender.player) if sender.player else []
    return OutboundMail.objects.filter(player__in=known, kind="reply")


def _waiting(sender: Newcomer, arrival: Arrival) -> list[str]:
    """The lines that waited for the address to be confirmed; from now on they do not.

    Settings come first, since a seat may be the last one and start the game, with the mail about
    that.
    """
    questions = OutboundMail.objects.filter(
        kind="reply", recipient__iexact=sender.address.email, reply_to__in=arrival.to
    ).exclude(on_yes="")
    lines = [line for one in questions.order_by("pk") for line in one.on_yes.splitlines()]
    questions.update(on_yes="")
    return sorted(dict.fromkeys(lines), key=lambda line: not line.startswith("SET"))


def _wish_to_repeat(lines: Sequence[str]) -> Wish:
    wrote = listed([f"“{line}”" for line in lines])
    instead = f"Before that you wrote {wrote}, which we have not done. Please write "
    instead += "it again." if len(lines) == 1 else "them again."
    if len(lines) > 1:
        return Wish(script="", offer=instead, instead=instead)
    offer = f"Before that you wrote {wrote}. Reply YES, and we do it."
    return Wish(script=lines[0], offer=offer, instead=instead)


def _try_wish(line: str, sender: Newcomer, arrival: Arrival) -> Receipt:
    """Do what a newcomer asked for in this line, or say why we cannot."""
    [call] = read_lines([Line(1, line)], (), player.WORDS)
    try:
        with transaction.atomic():
            return player.COMMANDS[call.command].run(call, sender, arrival)
    except GameError as error:
        text = f"You wrote “{line}”: {error}"
        return Receipt(f"NOT done: {line}", text, done=False, subject=f"NOT done: {line}")


def wished_in(arrival: Arrival, sender: Sender) -> OutboundMail | None:
    """The receipt that this mail answers, if it offered something for the word YES.

    It came to that receipt's reply address. Some mail programs do not name the mail they answer,
    and some servers rename ours; then it is the last receipt with this address, but never where it
    answers a notice, such as a proposal to vote on. A copy of a
    receipt, and one that was sent again elsewhere, answer the same mail of theirs, and mean the
    receipt. Raises BadInput if several of them wait for the word, and it might mean any.
    """
    if sender.player is None or sender.proof is Proof.NONE:
        return None
    ours = OutboundMail.objects.filter(player__in=everyone_in(sender.player))
    if ours.filter(message_id__in=arrival.answers[-1:], answers=None).exists():
        return None  # the mail answers other news of ours, which may ask something itself
    receipts = ours.filter(
        kind="reply", key__startswith="reply/", reply_to__in=arrival.to
    ).select_for_update()
    named = ours.filter(message_id__in=arrival.answers)
    answered = receipts.filter(answers__in=named.values("answers")).order_by("-pk").first()
    waiting = [one.on_yes for one in receipts.exclude(on_yes="").order_by("pk")]
    if answered is None and len(waiting) > 1:
        raise BadInput(which_one(waiting))
    last = answered or receipts.order_by("-pk").first()
    return last if last and last.on_yes else None


def _do_offer(wished: OutboundMail, sender: Sender, arrival: Arrival) -> Receipt:
    """Do what was offered, once."""
    lines = [Line(at, text) for at, text in enumerate(wished.on_yes.splitlines(), start=1)]
    calls = read_lines(lines, (), player.WORDS)
    command, line = player.COMMANDS[calls[0].command], lines[0].text
    try:
        with transaction.atomic():
            receipt = command.run(calls[0], sender, arrival)
    except GameError as error:
        word = calls[0].command.upper()
        receipt = Receipt(
            word,
            f"We tried “{line}”, as you wanted. {error}",
            done=False,
            refused=f"NOT done: {word}",
            wish=None if command.grave else corrected_command(calls[0], line, error),
        )
    if receipt.done or receipt.wish:  # otherwise the offer stands: it may be possible later
        wished.on_yes = ""
        wished.save(update_fields=["on_yes"])
    return receipt


def which_one(waiting: Sequence[str]) -> str:
    """Ask which of several things the writer means, if a YES does not say which mail it answers."""
    lines = " or ".join(f"“{script.splitlines()[0]}”" for script in waiting[-3:])
    return (
        f"{len(waiting)} mails of ours wait for your YES, and yours does not say which of them it "
        f"answers. Please write the line itself: {lines}"
    )


def says_yes(calls: Sequence[Call]) -> bool:
    """Whether YES, CONFIRM or the like stands on a line of its own, with any marks around it."""
    return any(call.command == Confirm.name for call in calls) or any(map(is_yes, _texts(calls)))


def says_both(calls: Sequence[Call]) -> bool:
    """Whether a mail says yes and no: "Yes", and "No, wait" below it, or "I did not send that"."""
    said = {call.command for call in calls}
    taken_back = any(takes_back(text) or denies(text) for text in _texts(calls))
    return Confirm.name in said and (taken_back or "refuse" in said)


def agrees(calls: Sequence[Call]) -> bool:
    """Whether a line says yes in everyday words: "Yes, I'd love to!".

    Use it only for questions where a mistaken yes can be taken back.
    """
    return says_yes(calls) or any(agrees_gladly(text) for text in _texts(calls))


def words_alone(calls: Sequence[Call]) -> set[str]:
    """The lines that are not commands, in lower case and without the marks around them:
    `*Yes!*`."""
    return {bare(text).lower() for text in _texts(calls)}


def _texts(calls: Sequence[Call]) -> list[str]:
    """The lines of calls that are not commands."""
    return [line.text for call in calls if call.command in (ORDERS, AMEND) for line in call.lines]


def how_to_vote(sender: Sender, vote: str) -> str:
    """What to write instead of a bare yes or no to a proposal; "" if no proposal is open."""
    seat = seat_meant(sender)
    proposals = open_proposals(seat.power.game) if seat else []
    votes = " or ".join(f"VOTE {vote} {one.number}" for one in proposals)
    return f" If it is your vote, write: {votes}" if votes else ""
