"""Reads the commands of a GM's mail, and forecasts or does them, with a receipt for each.

We do at once what can be undone, if the mail answers one that only the GM got (as the GM or as
themselves), or if its domain vouches for its address. Everything else waits: we ask at the GM's own
address and say what would happen.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from games.acts.game import state_stamp
from games.errors import BadInput, GameError, NotAllowed, NotFound, fault
from games.models import Game
from games.queries.access import roles
from games.queries.board import JudgeError
from games.queries.reports.wording import listed
from games.services.common import lock_game
from mailer.commands.base import MOST_COMMANDS, too_many
from mailer.commands.calls import ORDERS, Call
from mailer.commands.gm import COMMANDS, WORDS
from mailer.commands.gm.base import GmAnswer
from mailer.commands.gm.lines.doubts import in_doubt
from mailer.commands.gm.lines.other_game import AGAIN, AROUND, names_another
from mailer.commands.gm.lines.plain_words import in_plain_words
from mailer.commands.gm.lines.reasons import with_reasons
from mailer.commands.gm.lines.second_wish import second_wishes
from mailer.commands.gm.lines.stray import stray_lines
from mailer.commands.gm.seats.remove import as_the_game_stands
from mailer.commands.receipt import Enclosures, Receipt
from mailer.commands.script import read_lines
from mailer.identity.claims import IN_BRACKETS
from mailer.identity.senders import GameMaster, Proof
from mailer.letter import Letter, greetings, prose
from mailer.outbound.tokens import ForGmHeldMail
from mailer.reading.quotes import Line

GM = "gm"
ONE_AT_A_TIME = (
    "One mail can have only one command that cannot be taken back. Please send this one in a mail "
    "of its own, once the other is done."
)
MIXED = (
    "This has to be confirmed first. Please send it in a mail of its own, without commands that "
    "are for another game or not for the game master."
)
UNREADABLE = (
    "Nothing was done about {}: we cannot read the board of {} just now. That is our fault, not "
    "yours. Whoever runs this server knows; please try again tomorrow."
)
NOTHING = (
    "There is no command in the text of your mail, and we do not read the subject. HELP shows "
    "what a game master can write."
)


def whole_mail(letter: Letter, game: Game) -> Call:
    """A letter to a GM's reply address as one call: all of it is for the game master.

    As in any other mail, a line GM, or GM and the game's name, may stand above it.
    """
    lines, greeted = prose(letter), greetings(letter)
    first = next((line for line in lines if line.text.strip() and line not in greeted), None)
    said = [word.strip(AROUND).lower() for word in first.text.split()] if first else []
    if said in ([GM], [GM, game.name.lower()]):
        lines = tuple(line for line in lines if line != first)
    if first and names_another(first.text, game):
        return Call(GM, game.name, 0, lines, calls=(Call(ORDERS, "", first.number, (first,)),))
    return _with_commands(Call(GM, game.name, 0, lines), [], letter)


def below_gm(call: Call, letter: Letter) -> Call:
    """A line GM with the lines below it; its argument is the game's name, if it gives one."""
    first, _, rest = call.argument.partition(" ")
    name = first.strip(AROUND)
    if name.lower() in WORDS:
        name, rest = "", call.argument
    above = [Line(call.number, rest.strip())] if rest.strip() else []
    return _with_commands(replace(call, argument=name), above, letter)


def join_calls(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The calls of a mail, with consecutive GM lines for the same game joined into one."""
    whole: list[Call] = []
    for one in calls:
        last = whole[-1] if whole else None
        same = last is not None and one.argument.lower() in (last.argument.lower(), "")
        if last and same and last.command == one.command == GM:
            lines, commands = (*last.lines, *one.lines), (*last.calls, *one.calls)
            whole[-1] = replace(last, lines=lines, calls=commands)
        else:
            whole.append(one)
    return tuple(whole)


def _with_commands(call: Call, above: Sequence[Line], letter: Letter) -> Call:
    greeted = [line for line in greetings(letter) if line in call.lines]
    own = [*above, *(line for line in call.lines if line not in greeted)]
    lines = [Line(line.number, _without_gm(line.text, call.argument)) for line in own]
    return replace(call, calls=in_plain_words(read_lines(lines, greeted, WORDS)))


def _without_gm(text: str, game: str) -> str:
    """A line without its GM, and without the game's name, if a command follows."""
    match = AGAIN.match(text)
    rest = text[match.end() :] if match else ""
    first, _, after = rest.partition(" ")
    if game and first.strip(AROUND).lower() == game.lower():
        rest = after.strip()
    first, *_ = rest.split(maxsplit=1) or [""]
    return rest if first.lower().strip(":!.,") in WORDS else text


def game_meant(call: Call, gm: GameMaster, now: dt.datetime) -> Game:
    """The game that the commands are for: that of the reply address, the one named after GM or in
    brackets in the subject, or the GM's only one. Raises NotFound, BadInput."""
    user = gm.user
    games = roles.games_for(user, now=now)
    if gm.game:
        if not games.filter(pk=gm.game.pk).exists():  # a former deputy, or a former GM
            raise NotAllowed(f"You are not the GM of the game {gm.game.name}.")
        return gm.game
    if call.argument:
        found = games.filter(name__iexact=call.argument).first()
        if found is None:
            raise NotFound(
                f"You are not the game master of a game “{call.argument}”. {_yours(games)}"
            )
        return found
    tagged = _games_named_in(gm.subject, games)
    own = roles.own_games(user, now=now).exclude(status=Game.Status.FINISHED)
    mine = tagged or list(own[:2])
    if len(mine) != 1:
        raise BadInput(f"Which game do you mean? Write GM, its name and the rest. {_yours(games)}")
    return mine[0]


def carry_out(call: Call, gm: GameMaster, now: dt.datetime) -> list[Receipt]:
    """Do the commands; refuse those that need a confirmation first."""
    game, user = game_meant(call, gm, now), gm.user
    call = with_reasons(as_the_game_stands(call, game), game)
    everything = _commands(call, game)
    commands, left_out = everything[:MOST_COMMANDS], everything[MOST_COMMANDS:]
    sure = gm.proof is Proof.CONFIRMED
    late = [one for one in commands if not sure and _is_asked(one, call, game, gm, now)]
    receipts = _each(
        [one for one in commands if one not in late],
        game,
        lambda one: COMMANDS[one.command].run(one, game, user, now),
    )
    receipts += [
        replace(one, text=MIXED, done=False) if one.done else one
        for one in _foreseen(late, game, user, now)
    ]
    if left_out:
        said = too_many(len(everything), left_out[0].written)
        receipts.append(Receipt("Too many commands", said, done=False))
    receipts += stray_lines(call, game)
    return receipts or [Receipt("Nothing to do", NOTHING)]


def to_confirm(calls: Sequence[Call], gm: GameMaster, now: dt.datetime) -> list[Receipt]:
    """What a mail would do, if some of it has to be confirmed first; otherwise empty.

    If the mail has other commands, too, we do not ask about it as a whole: see MIXED.
    """
    if not _for_gm_alone(calls):
        return []
    try:
        game = game_meant(calls[0], gm, now)
    except GameError:
        return []
    call = with_reasons(as_the_game_stands(calls[0], game), game)
    commands = _commands(call, game)[:MOST_COMMANDS]
    asked = [_is_asked(one, call, game, gm, now) for one in commands]
    if not any(asked):
        return []
    expected = _foreseen(commands, game, gm.user, now)
    can_be_done = any(one.done for one in compress(expected, asked))
    besides = [*second_wishes(commands, game), *stray_lines(call, game)]
    return [*expected, *besides] if can_be_done else []


def command_names(calls: Sequence[Call]) -> list[str]:
    """The names of the commands in a held mail, without their arguments."""
    if not _for_gm_alone(calls):
        return []
    names = [one.command.upper() for one in _known_calls(calls[0])[:MOST_COMMANDS]]
    return in_words([*dict.fromkeys(names)])


def in_words(names: Sequence[str]) -> list[str]:
    """`the command SET`, `the commands SET and READY`; nothing without a name."""
    return [f"the command{'s' if len(names) > 1 else ''} {listed(names)}"] if names else []


def _is_asked(one: Call, block: Call, game: Game, gm: GameMaster, now: dt.datetime) -> bool:
    doubtful = COMMANDS[one.command].changes and in_doubt(one, block, game)
    return doubtful or must_be_confirmed(one, game, gm, now)


def must_be_confirmed(one: Call, game: Game, gm: GameMaster, now: dt.datetime) -> bool:
    """Whether to ask the GM before doing this."""
    command = COMMANDS[one.command]
    if not command.changes:
        return False
    if command.asks_first(one, game, now) or command.names_in(one, game, gm.user):
        return True
    # A power's reply address is not enough: its mails are forwarded to allies.
    secret = gm.proof is Proof.TOKEN and (gm.game == game or gm.as_themselves)
    return not (secret or gm.proof is Proof.AUTHENTICATED)


def is_stale(asked: ForGmHeldMail) -> bool:
    """Whether the game has changed since its GM was asked: another phase, or deadline.

    This locks the game's row, so that the answer stays true.
    """
    return state_stamp(lock_game(asked.game)) != asked.stamp


def _foreseen(calls: Sequence[Call], game: Game, user: User, now: dt.datetime) -> list[Receipt]:
    return _each(calls, game, lambda one: COMMANDS[one.command].foresee(one, game, user, now))


def _each(calls: Sequence[Call], game: Game, step: Callable[[Call], GmAnswer]) -> list[Receipt]:
    """A receipt for each command. Only the first grave one is done: the next would meet another
    phase. A command that cannot be done changes nothing."""
    grave = [one for one in calls if COMMANDS[one.command].grave]
    return [_try(one, game, step if one not in grave[1:] else _too_much) for one in calls]


def _try(one: Call, game: Game, step: Callable[[Call], GmAnswer]) -> Receipt:
    """The outcome of one command. We keep the lock on its game even if the command is refused:
    somebody waiting for it would otherwise wait on until the whole mail is done, and clash with
    another who took it meanwhile."""
    title = f"{COMMANDS[one.command].title(one, game)} in {game.name}"
    try:
        if COMMANDS[one.command].changes:
            lock_game(game)
        with transaction.atomic():
            said = step(one)
            return Receipt(title, said.text, enclosed=Enclosures(pictured=said.pictured))
    except GameError as error:
        return Receipt(title, str(error), done=False)
    except JudgeError as error:
        text = UNREADABLE.format(one.written, game.name)
        return Receipt(title, text, done=False, fault=fault(error))


def _too_much(one: Call) -> GmAnswer:
    raise BadInput(ONE_AT_A_TIME)


def _known_calls(call: Call) -> list[Call]:
    return [one for one in call.calls if one.command in COMMANDS]


def _commands(call: Call, game: Game) -> list[Call]:
    """The commands of a call, one for each name on a line. A command that is done at once and
    stands there twice with the same text, a slip of the hand, is done once."""
    found, said = list[Call](), set[Call]()
    for one in (
        one for each in _known_calls(call) for one in COMMANDS[each.command].each(each, game)
    ):
        known, wherever = COMMANDS[one.command], one.anywhere()
        again = wherever in said
        said.add(wherever)
        if not (again and known.changes and not known.grave):
            found.append(one)
    return found


def _for_gm_alone(calls: Sequence[Call]) -> bool:
    return [call.command for call in calls] == [GM]


def _games_named_in(subject: str, games: QuerySet[Game]) -> list[Game]:
    """The games whose names stand in brackets in a subject. A moderator has thousands of games, so
    we read only these."""
    names = dict.fromkeys(name.lower() for name in IN_BRACKETS.findall(subject))
    found = (games.filter(name__iexact=name).first() for name in names)
    return [game for game in found if game]


def _yours(games: QuerySet[Game]) -> str:
    names = list(games.order_by("name").values_list("name", flat=True)[:10])
    return (
        f"Your games: {', '.join(names)}." if names else "You are not the game master of any game."
    )
