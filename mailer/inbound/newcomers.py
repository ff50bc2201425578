"""Answers mails from addresses that no player has.

A request that comes before the address is confirmed waits for that, together with our question.
Only JOIN can wait like this, and SET unless it is about a name or address.

We repeat nothing of what they wrote except the names of existing games and of settings: somebody
may have forged their From line to make us send its owner an advertisement.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from django.contrib.auth.models import User

from games.errors import NotFound
from games.models import Address
from games.queries.access import roles
from games.queries.board import reads_as_order
from games.queries.parsing.game_names import game_by_name
from games.queries.reports.wording import listed
from mailer.commands.advice.newcomers import for_strangers
from mailer.commands.base import REGISTER_FIRST
from mailer.commands.calls import ORDERS, Call
from mailer.commands.player.account.erase import Erase
from mailer.commands.player.account.set import Set, setting_in
from mailer.commands.player.account.signon import Signon
from mailer.commands.player.account.stop import NOTHING_TO_STOP
from mailer.commands.player.consent.refuse import NOT_INTERESTED
from mailer.commands.player.messages.moderator import Moderator
from mailer.commands.player.seats.join import Join
from mailer.commands.receipt import Claim, Receipt, Wish
from mailer.identity.identify import account_under
from mailer.identity.senders import Stranger
from mailer.reading.no_mail import wants_no_mail
from mailer.reading.patterns import says
from mailer.reading.phrases import LONGEST_RULED
from mailer.reading.quotes import Line

MOST = 3
"""How many JOINs of a newcomer wait for their YES, and how many SETs."""
_MAY_WAIT = ("timezone", "reminders", "calendar", "html", "map")
"""The settings that harm nobody and are wanted before the first mail of a game."""
_MOVES = re.compile(r"\b(?:[AF]|Army|Fleet)\.? +[^\W\d_]{3,20} *(?:[-–—]+>?|→) *[^\W\d_]{3}")
"""An order among other words: “I am Carla. A Par - Bur”."""
_ERASES = says(
    r"^(?!\W*(?:do|does|when|how|will|what)\b)"
    r".*\b(?:delete|erase|remove) (?:(?:all|any|my|the|personal) )+data\b"
)
_DECLINES = says(
    r"^\W*(?:no|sorry|thanks|thank you)\b.{0,60}\b(?:no,? (?:thanks|thank you)|not for me)\b",
    r"^\W*no,? (?:thanks|thank you)\b",
    r"\b(?:not|n['’]t) (?:really )?(?:interested|want to (?:play|join))\b",
    r"\b(?:have|got) no (?:time|interest)\b|\brather not (?:play|join)\b",
    r"\b(?:nein|non|no),? (?:danke|merci|gracias|grazie)\b|\bkein(?:e zeit| interesse)\b",
)
"""No to an invitation: “Thanks for the invitation, but no thanks”."""
ASK = (
    "Your address is not confirmed yet, so nothing is done before that. Just reply to this mail; "
    "an empty reply will do. If you have not registered here, do nothing."
)
WELCOME = (
    "You have reached a program by which people play the board game Diplomacy by mail.\n"
    "\n"
    f"{REGISTER_FIRST}\n"
    "\n"
    "If you play here under another address, please write from that one. If you can no longer read "
    "your mail there, register from here under a slightly different name, then write "
    "MODERATOR and what has happened: the moderators can merge the two accounts.\n"
    "\n"
    "LIST shows the games, HELP everything you can write."
)
JOIN_TOO = (
    "To join the game {}, reply with two lines: REGISTER and your name, and below it your JOIN "
    "once more. It waits until your address is confirmed."
)
NO_SUCH_GAME = (
    "You ask to join a game, but we know none of that name. LIST on a line of its own shows "
    "the games looking for players."
)
FOR_PLAYERS = (
    "Nothing was done about {}: it is for registered players. Once your address is confirmed, "
    "please write it again."
)
ORDERS_UNUSED = (
    "Your orders were NOT used: nobody plays here under the address you wrote from. If you play "
    "under another, send them again from that one."
)
MODERATORS = (
    "You moderate this server, but do not play on it. Moderators do their work in the admin, "
    "not by mail. Only what you may do to a game you can also write here, on a line that begins "
    "with the word GM and the game's name, for example:\n"
    "\n"
    "GM {} STATUS\n"
    "\n"
    "To play here as well, write REGISTER and your name."
)
WITHOUT_GM = (
    "From this address you run games here, but you do not play. Lines about a game that you run "
    "begin with the word GM and the game's name, for example:\n"
    "\n"
    "GM {} STATUS\n"
    "\n"
    "In a reply to a mail that you got as game master the commands alone are enough. To play here "
    "as well, write REGISTER and your name."
)

NOT_TO_MODERATORS = (
    "Your letter has NOT reached the moderators: their queue takes letters from registered players "
    "only. Please write REGISTER and your name; once this address is confirmed, send your letter "
    "again. The games that you run stay yours."
)
NOT_TO_EACH_OTHER = (
    "Your letter has NOT reached the other moderators: the queue takes letters from players only. "
    "To tell them something, leave a note on a case in the queue or in a player's file, which are "
    "both in the admin: every moderator can read it."
)


def _to_staff(user: User, stray: Sequence[Call], at: dt.datetime) -> Receipt:
    """The receipt for a moderator or game master who plays nothing here."""
    moderates = roles.is_moderator(user)
    if any(call.command == Moderator.name for call in stray):
        told = NOT_TO_EACH_OTHER if moderates else NOT_TO_MODERATORS
        return Receipt("Your letter", told, done=False, subject="NOT SENT to the moderators")
    game = roles.games_for(user, now=at).order_by("-pk")[0].name
    told = (MODERATORS if moderates else WITHOUT_GM).format(game)
    return Receipt("Not understood", told, done=False, subject="NOT understood")


def welcome(
    stray: Sequence[Call], sender: Stranger, at: dt.datetime, greeted: Sequence[Line] = ()
) -> Receipt:
    """The receipt for a stranger whose mail asks for nothing that we can do.

    `greeted` are the greetings in it, which may go on with a question.
    """
    lines = [line.text for call in stray for line in call.lines]
    if user := account_under(sender.email, at):
        return _to_staff(user, stray, at)
    if any(reads_as_order(text) or _MOVES.search(text[:LONGEST_RULED]) for text in lines):
        said = f"{ORDERS_UNUSED}\n\n{WELCOME}"
        return Receipt("Your orders", said, done=False, subject="NOT done: your orders")
    erases = any(call.command == Erase.name for call in stray)
    own = [line for call in stray if call.command == ORDERS for line in call.lines]
    asked = [line.text[:LONGEST_RULED] for line in (*own, *greeted)]
    if erases or any(wants_no_mail(text) or _ERASES.search(text) for text in asked):
        return NOTHING_TO_STOP
    is_talk = all(call.command == ORDERS for call in stray)
    is_asked = any("?" in text for text in asked)
    if is_talk and not is_asked and any(_DECLINES.search(text) for text in asked):
        return NOT_INTERESTED
    joins = [JOIN_TOO.format(game)] if (game := _game_wanted(stray)) else []
    if not joins and any(map(_joins, stray)):
        joins = [NO_SUCH_GAME]
    others = [call for call in stray if call.command != ORDERS and not _joins(call)]
    names = listed([*dict.fromkeys(call.command.upper() for call in others)])
    refused = [FOR_PLAYERS.format(names)] if names else []
    told = "\n\n".join([*joins, *refused, *for_strangers(asked), WELCOME])
    return Receipt("Welcome", told, done=False, subject="Welcome")


def without_waiting(
    stray: Sequence[Call], sender: Stranger, receipts: Sequence[Receipt]
) -> tuple[list[Call], Receipt | None]:
    """The calls that nobody carried out, and the receipt that keeps the others.

    That receipt has the question to a newcomer's address, unless one of `receipts` already has it.
    """
    joins = [call for call in stray if _joins(call) and _game(call)][:MOST]
    sets = [call for call in stray if _may_wait(call)][:MOST]
    asked = any(one.confirmed_by_reply for one in receipts)
    address = None if asked else unconfirmed_address(sender.email)
    if not (joins or sets) or not (asked or address):
        return list(stray), None
    games, changes = [_game(call) for call in joins], [*dict.fromkeys(map(_setting, sets))]
    wishes = [f"to join the game{'' if len(games) == 1 else 's'} {listed(games)}"] if games else []
    wishes += [f"to set {listed(changes)}"] if changes else []
    offer = (
        f"You also ask {' and '.join(wishes)}. Reply with the word YES on a line of its own, and "
        "we do it all at once; any other reply only confirms your address."
    )
    lines = [f"SET {call.argument}" for call in sets]
    lines += [f"JOIN {_after_join(call)}" for call in joins]
    kept = Receipt(
        title="Waiting for your YES",
        text="" if asked else ASK,
        subject="" if asked else "Please confirm your address",
        claim=Claim(address) if address else None,
        wish=Wish(script="\n".join(lines), offer=offer, instead=offer),
    )
    return [call for call in stray if call not in (*joins, *sets)], kept


def _may_wait(call: Call) -> bool:
    return call.command == Set.name and _setting(call).lower() in _MAY_WAIT


def _setting(call: Call) -> str:
    """The setting that a SET is about, as HELP writes it; "" for none."""
    setting = setting_in(call.argument)
    return setting.name.upper() if setting else ""


def _joins(call: Call) -> bool:
    """Whether a call asks for a seat: njudge's players write SIGNON ?marne."""
    is_old = call.command == Signon.name and call.argument.startswith("?")
    return call.command == Join.name or is_old


def _game_wanted(stray: Sequence[Call]) -> str:
    """The first game that they ask to join, by its own name; "" if they name no existing game."""
    return next((name for call in stray if _joins(call) and (name := _game(call))), "")


def _after_join(call: Call) -> str:
    """The words after JOIN; of SIGNON only the game, since a password may follow."""
    return _game(call) if call.command == Signon.name else call.argument


def _game(call: Call) -> str:
    """The game's own name; "" for an unknown one."""
    try:
        return game_by_name(call.argument.split(" ")[0].strip(",;:?")).name
    except NotFound:
        return ""


def not_yet(stray: Sequence[Call]) -> Receipt | None:
    """What a newcomer asked for that has to wait, and how to ask again; None if there is nothing.

    It names our commands, not their words.
    """
    if game := _game_wanted(stray):
        return Receipt("JOIN", JOIN_TOO.format(game), done=False, refused="NOT done: JOIN")
    if all(call.command == Join.name for call in stray):
        return Receipt("JOIN", NO_SUCH_GAME, done=False, refused="NOT done: JOIN")
    known = [call.command.upper() for call in stray if call.command not in (ORDERS, Join.name)]
    names = listed(list(dict.fromkeys(known)))
    if not names:
        return None
    return Receipt(names, FOR_PLAYERS.format(names), done=False, refused=f"NOT done: {names}")


def unconfirmed_address(email: str) -> Address | None:
    """The address of somebody who has registered but not answered our question yet."""
    found = Address.objects.select_related("player").filter(email__iexact=email, confirmed_at=None)
    address = found.first()
    return address if address and not address.player.address else None
