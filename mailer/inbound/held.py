"""Mails that we hold: we ask their owner, who sets them free or drops them for good."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from games.errors import GameError
from games.models import Game, Player, Seat
from games.queries import lookup
from games.queries.reports.wording import counted
from mailer.commands import gm
from mailer.commands.base import Arrival
from mailer.commands.calls import AMEND, ORDERS, SIGNOFF, Call
from mailer.commands.gm.mail import command_names, game_meant, in_words, is_stale
from mailer.commands.lines.which_command import command_of
from mailer.commands.player import WORDS
from mailer.commands.player.account.signon import signed_on
from mailer.commands.player.consent.confirm import Confirm, says_both
from mailer.commands.player.consent.refuse import Refuse
from mailer.commands.player.legacy_commands import Legacy
from mailer.commands.player.messages.answer import Answer
from mailer.commands.player.ordering.orders import can_be_orders
from mailer.commands.player.ordering.phase import LaterPhase
from mailer.commands.receipt import Receipt
from mailer.commands.texts.order_lines import like_orders
from mailer.identity import identify
from mailer.identity.claims import running_seats
from mailer.identity.senders import Answering, AnsweringGm, GameMaster, SeatHolder, Sender, Suspect
from mailer.inbound.admission import GRAVE, are_for_a_seat, is_a_yes, seat_at_stake
from mailer.inbound.carry_out import as_entries
from mailer.inbound.receipts import ONLY_AN_ANSWER, carry_out_all, said_besides
from mailer.inbound.requests import Request, calls_of, read_with_greetings, without_prose
from mailer.letter import Letter
from mailer.models import InboundMail
from mailer.outbound import addresses
from mailer.outbound.tokens import ForGmHeldMail, ForHeldMail
from mailer.reading.quotes import Line
from mailer.replies.answered_elsewhere import tell_asked
from mailer.replies.questions import HeldGmMail, HeldMail, question, question_to_gm

State = InboundMail.State
STALE = (
    "The game has changed since we asked you, so nothing was done. If you still want it, please "
    "send the command again: then we tell you what it would do now."
)
TOO_OLD = (
    "You answered our question about a mail that came long ago. We no longer have that mail, so we "
    "have done nothing. If you still want what it asked for, please send it again."
)
DOUBT = "Was it yours?"
DOUBTFUL = (
    "We are not sure what you mean, so nothing was done. The mail we asked you about still waits. "
    "If you want what it asks for, reply with the word YES on a line of its own. If not, or if the "
    "mail was not yours, reply REFUSE."
)
DOUBT_NEWS = "NOT done yet: please answer YES or REFUSE"


_SAID = {
    Answer.name: "an answer to a letter",
    Confirm.name: "the word YES",
    Refuse.name: "the word NO",
}
"""Replies that say something other than a command."""
NOT_DONE = "Nothing was done about what else you wrote; please send it again after your answer:"


def hold(request: Request, why: str) -> None:
    """Hold a mail and ask its owner about it; its orders will count from when it came.

    `why` is the end of a sentence.
    """
    mail, letter, sender, now = request.mail, request.letter, request.sender, request.now
    mail.player = owner = sender.owner if isinstance(sender, Suspect) else sender.player
    plays = _seat_holder(owner, letter, mail.received_at) if owner else None
    meant = calls_of(letter, plays) if plays and isinstance(sender, Suspect) else request.calls
    asked = owner is not None and question(
        mail=mail,
        owner=owner,
        held=HeldMail(
            why=why,
            asks=_kinds(meant),
            plays=plays if are_for_a_seat(meant) else None,
            sure=why == GRAVE,
            gives_up=seat_at_stake(request.calls, sender) if why == GRAVE else None,
            by_program=letter.mark is not None,
        ),
        now=now,
    )
    if owner is None and letter.sender:
        asked = tell_asked(mail, addresses.find(letter.recipients), now)
    rest = "its owner was asked" if asked else "nobody was asked"
    mail.settle(State.HELD, now=now, note=f"Held because {why}; {rest}.")


def _seat_holder(owner: Player, letter: Letter, received_at: dt.datetime) -> SeatHolder | None:
    """The seat that a held mail would order for, if it is its owner's."""
    sender = identify.confirmed_sender(owner, letter, received_at)
    return sender if isinstance(sender, SeatHolder) else None


def game_asked(calls: Sequence[Call], gm: GameMaster, now: dt.datetime) -> Game | None:
    """The game whose game master we ask about a mail; None if it names no game."""
    try:
        return game_meant(calls[0], gm, now)
    except GameError:
        return None


def hold_for_gm(
    request: Request, gm: GameMaster, game: Game, doubt: str, expected: Sequence[Receipt]
) -> None:
    """Hold a game master's mail, say what would happen, and ask whether it should.

    `doubt` says why the mail may not be theirs, "" if we are sure.
    """
    mail, now = request.mail, request.now
    asks = command_names(request.calls) or _kinds(request.calls)
    held = HeldGmMail(why=doubt, asks=asks, expected=expected)
    asked = question_to_gm(mail=mail, user=gm.user, game=game, held=held, now=now)
    why = doubt or "it cannot be taken back, or came without proof"
    rest = "the game master was asked" if asked else "nobody was asked"
    mail.settle(State.HELD, now=now, note=f"Held because {why}; {rest}.")


def act_on_answer(
    request: Request, sender: Answering | AnsweringGm, asked: ForHeldMail | ForGmHeldMail
) -> tuple[Letter, Sender, list[Receipt]]:
    """Carry out the held mail that its owner's answer sets free, or drop it for good.

    Returns what our reply is about: the letter with the lines left out of the held one, the sender
    as they stand now, and the receipts.
    """
    letter, now = request.letter, request.now
    held = InboundMail.objects.select_for_update().get(pk=asked.mail.pk)
    released = read_with_greetings(bytes(held.raw))
    known: Sender = sender.afterwards()
    more = _more_than_an_answer(letter, released, sender.player)  # while they have their seats
    if held.state != State.HELD:
        receipts = [Receipt("Nothing to do", "That question is already answered.")]
    elif any(call.command == Refuse.name for call in request.calls):
        receipts = [Receipt("Refused", "Thank you. Nothing of that mail is done.")]
        held.settle(State.IGNORED, now=now, note="Its owner says that it is not theirs.")
    elif held.emptied_at:
        receipts = [Receipt("Nothing was done", TOO_OLD, done=False)]
        held.settle(State.IGNORED, now=now, note="It was emptied before its owner confirmed it.")
    elif says_both(request.calls) or not is_a_yes(request.calls, calls_of(released, sender)):
        receipts, known = [_doubtful(letter, released, sender)], sender
    elif isinstance(asked, ForGmHeldMail) and is_stale(asked):
        receipts = [Receipt("Nothing was done", STALE, done=False)]
        held.settle(State.IGNORED, now=now, note="The game had changed before it was confirmed.")
    else:
        left_out, known, receipts = _carry_out(held, released, sender, now)
        letter = replace(letter, ignored=left_out.ignored, left_out=left_out.left_out)
    if more and receipts[0].title != DOUBT:
        besides = replace(said_besides(ONLY_AN_ANSWER, more), run=receipts[-1].run)
        receipts = [*receipts, besides]
    return letter, known, receipts


def _carry_out(
    held: InboundMail, released: Letter, sender: Answering | AnsweringGm, now: dt.datetime
) -> tuple[Letter, Sender, list[Receipt]]:
    """Carry out a held mail; return it without words that were passed on, the sender as they stand
    now, and the receipts."""
    known = _confirm(sender, released, held.received_at)
    script = calls_of(released, known)
    known = signed_on(known, script)
    receipts = carry_out_all(released, script, known, Arrival.of(held, released, now))
    held.settle(State.DONE, now=now, note="Carried out after its owner confirmed it.")
    return without_prose(released, script), known, receipts


def _doubtful(letter: Letter, released: Letter, sender: Answering | AnsweringGm) -> Receipt:
    """Say that an answer means neither yes nor no, and what in it we did not do."""
    more = _more_than_an_answer(letter, released, sender.player)
    text = "\n".join([DOUBTFUL, *(["", NOT_DONE, "", *as_entries(more)] if more else [])])
    return Receipt(DOUBT, text, done=False, refused=DOUBT_NEWS)


def _confirm(sender: Answering | AnsweringGm, released: Letter, received_at: dt.datetime) -> Sender:
    if isinstance(sender, AnsweringGm):
        return identify.confirmed_gm(sender, released)
    return identify.confirmed_sender(sender.player, released, received_at)


def _more_than_an_answer(letter: Letter, held: Letter, player: Player | None) -> list[str]:
    """The lines of an answer to our question that order or command something, apart from yes, no
    and the held mail's own words."""
    known = {line.text.lower() for line in held.lines}
    seats = running_seats(player) if player else []
    return [
        line.text
        for line in letter.lines
        if line.text.lower() not in known
        and command_of(line.text, WORDS) not in (Confirm.name, Refuse.name)
        and (
            command_of(line.text, WORDS) not in (None, SIGNOFF)
            or command_of(line.text, gm.WORDS) not in (None, SIGNOFF)
            or any(_is_order_of(line, seat) for seat in seats)
        )
    ]


def _is_order_of(line: Line, seat: Seat) -> bool:
    phase = lookup.open_phase(seat.power.game)
    return phase is not None and can_be_orders(Call(ORDERS, "", 0, (line,)), seat, phase)


def _kinds(calls: Sequence[Call]) -> list[str]:
    """What a mail asks for, each thing once, without quoting the mail.

    Orders below PHASE are orders: the page *Write your orders* puts that word above them.
    """
    kinds = {_kind(call): None for call in calls}
    commands = {_known_name(call).upper(): None for call in calls if not _kind(call)}
    return [*filter(None, kinds), *in_words([*commands])]


def _kind(call: Call) -> str:
    """What a call asks for; "" for a command that has to be named."""
    if call.command in _SAID:
        return _SAID[call.command]
    if call.command == LaterPhase.name and call.lines:
        return counted(len(call.lines), "order line")
    if call.command in (ORDERS, AMEND) and call.lines:
        orders = like_orders(call.lines)
        return counted(orders, "order line") if orders else "a few words"
    return ""


def _known_name(call: Call) -> str:
    """The command's name; for an older judge's word that we know, that word."""
    is_older = call.command == Legacy.name and call.word in Legacy.aliases
    return call.word if is_older else call.command
