"""CREATE: a player makes a game."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from games.errors import BadInput, NotAllowed
from games.models import Game, Player
from games.queries.access.audience import is_foggy
from games.queries.parsing.start_times import EXAMPLE as TIME
from games.queries.phases.first_deadlines import first_deadlines, if_it_began_now
from games.queries.players.places import with_places
from games.queries.reports.invitation import invitation
from games.queries.reports.what_game import starts
from games.queries.reports.wording import did_you_mean, listed
from games.queries.variants import all_variants, variant_called, variant_text
from games.services.setup.making import STANDARD, NewGame, game_make, game_unmake, start_choose
from games.settings.presets import PRESETS
from mailer.commands.base import Arrival, PlayerCommand, player_of
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.lines.arguments import split_reason
from mailer.commands.lines.reasons import without_reason
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Sender

PRIVATE, AS_GM, OFF, START = "private", "gm", "off", "start"
EXAMPLE = "CREATE marne weekly"
_CLOCK = re.compile(r"\d{1,2}(?:[:.]\d\d\.?|[ap]\.?m\.?|h)|[01]\d[0-5]\d", re.IGNORECASE)
"""A time of day: after a day it is no variant, though there is one called 1900."""
_NO_TIME = f"Please write the day and the time after START, for example: {TIME}"
_FULL = (
    "It starts as soon as all seats are taken.",
    "As soon as all seats are taken, the players are asked whether they are here.",
)
_IN_UTC = (
    "These times are in UTC, as yours are here. If you live by another clock, take the game back, "
    "write for example SET TIMEZONE Europe/Berlin, and make it again."
)


class Create(PlayerCommand):
    name = "create"
    usage = (
        "CREATE name steady|weekly|daily|gunboat|fog|evening [variant] [PRIVATE] [GM] [START time]"
    )
    summary = "make a game of your own"
    help = (
        "Write CREATE, a name for the game and how it will be played. With PRIVATE, only people "
        "with the code that we send you can join, and only its players see it before it is over. "
        "With GM you run the game; otherwise nobody does, and the moderators help. The game's "
        "times are in your own zone (SET TIMEZONE).\n"
        + "".join(
            f"{name}: {one.title[:1].lower()}{one.title[1:]}. {one.sentence}\n"
            for name, one in PRESETS.items()
        )
        + "Without the name of a variant it is the standard game; RULES lists the variants. Add "
        "what a game can choose, if you like: victory=24, builds=owned or start=winter.\n"
        f"Example: {EXAMPLE}\n"
        "Example: CREATE friends steady PRIVATE GM\n"
        "Example: CREATE suez weekly colonial land_bridges=hawes\n"
        "Example: CREATE marne evening START Saturday 20:00 (starts then if all seats are taken, "
        "otherwise a week later, up to four times)\n"
        "Example: CREATE marne START Sunday 19:00 (another time, if the game has no GM; START OFF "
        "for none)\n"
        "Example: CREATE marne OFF (takes marne back, as long as nobody has joined)\n"
        "To play in it yourself, join it, too: JOIN and its name. You can have two games looking "
        "for players at a time, and make three in a week."
    )
    takes = Takes.SOMETHING
    secured = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        player = player_of(sender)
        words = call.argument.replace(",", " ").split()
        if not words:
            raise BadInput(f"Please give the game a name, for example: {EXAMPLE}")
        name = words.pop(0)
        words, start = _start_taken_off(words)
        if start and not words and (receipt := self.set_start(player, name, start, arrival.now)):
            return receipt
        if start and not words:
            _require_new(name)
        written = [word.lower().strip(".") for word in words]
        if without_reason(" ".join(written)) == OFF:
            return self.take_back(player, name)
        if name.lower() == OFF and len(words) == 1:
            return self.take_back(player, words[0].strip("."))
        wanted = self.game_of(name, written, start)
        game = game_make(player=player, wanted=wanted, now=arrival.now)
        return Receipt(
            title=f"Your game {game.name} is ready",
            text="\n".join(_text(game, arrival.now)),
            subject=f"[{game.name}] Your new game",
        )

    def game_of(self, name: str, written: Sequence[str], start: str) -> NewGame:
        """Return the game that these words describe. Raises BadInput."""
        choices = [word for word in written if "=" in word]
        known = (*PRESETS, PRIVATE, AS_GM, *choices)
        variant = self.variant_of([word for word in written if word not in known])
        presets = list(dict.fromkeys(word for word in written if word in PRESETS))
        if len(presets) > 1:
            raise BadInput(
                f"Please write only one of {listed(presets)}: each says how the game is played. "
                "HELP CREATE explains them."
            )
        return NewGame(
            name=name,
            preset=next(iter(presets), ""),
            private=PRIVATE in written,
            as_gm=AS_GM in written,
            variant=variant,
            variant_options=" ".join(choices),
            start=start,
        )

    def take_back(self, player: Player, name: str) -> Receipt:
        """Delete a game that they made by mistake. Raises BadInput or NotAllowed."""
        gone = game_unmake(player=player, name=name)
        return Receipt(
            title=f"Your game {gone} is gone",
            text=f"The game {gone} is gone, as if it had never been; its name is free again.",
            subject=f"[{gone}] Your game is gone",
        )

    def set_start(self, player: Player, name: str, start: str, now: dt.datetime) -> Receipt | None:
        """Set the time at which a game of theirs starts; None if they made no such game. Raises
        BadInput or NotAllowed."""
        at, why = split_reason(start)
        if not at:
            raise BadInput(_NO_TIME)
        game = start_choose(player=player, name=name, start=at, why=why, now=now)
        if game is None:
            return None
        said = starts(game, player.timezone) or [_FULL[bool(game.muster)]]
        return Receipt(
            title=f"{game.name} has a new time" if game.start else f"{game.name} has no set time",
            text=f"{' '.join(said)} Everybody who has joined is told.",
            subject=f"[{game.name}] When the game starts",
        )

    def variant_of(self, words: list[str]) -> str:
        """Return the variant that these words name together. Raises BadInput."""
        if not words:
            return STANDARD
        if found := variant_called(" ".join(words)):
            return found.name
        begins = (end for end in range(len(words)) if variant_called(" ".join(words[:end])))
        unknown = words[max(begins, default=0)]
        names = [one.name for one in all_variants()]
        if variant_called(unknown):
            raise BadInput(f"A game has one map, and “{' '.join(words)}” names more than one.")
        near = did_you_mean(unknown, [*PRESETS, PRIVATE, AS_GM, *names])
        known = "A game's name is one word, and only words like these can follow it"
        raise BadInput(
            f"We do not know “{unknown}” here.{near} {known}: {self.usage}. "
            "RULES lists the variants."
        )


def _start_taken_off(words: list[str]) -> tuple[list[str], str]:
    """The words without START and the time after it, and that time; any others may follow it, too.

    Raises BadInput for START without a time.
    """
    at = next((n for n, word in enumerate(words) if word.lower().strip(".:") == START), None)
    if at is None:
        return words, ""
    after = words[at + 1 :]
    time = [word for word in after if not _is_other(word)]
    time = time[1:] if time and time[0].lower() in ("at", "on") else time
    ends = (
        end
        for end in range(len(time))
        if variant_called(" ".join(time[end:])) and not _is_clock(time, end)
    )
    end = next(ends, len(time))
    if not time[:end]:
        raise BadInput(_NO_TIME)
    others = [word for word in after if _is_other(word)]
    return [*words[:at], *time[end:], *others], " ".join(time[:end])


def _is_clock(words: list[str], at: int) -> bool:
    """Whether a word is the first time of day after a day."""
    times = (n for n, word in enumerate(words) if n and _CLOCK.fullmatch(word))
    return next(times, None) == at


def _is_other(word: str) -> bool:
    """Whether a word after START says how to play the game."""
    return "=" in word or word.lower().strip(".") in (*PRESETS, PRIVATE, AS_GM)


def _require_new(name: str) -> None:
    """Raise NotAllowed if there is a game of that name: its start is not theirs to set."""
    game = Game.objects.filter(name__iexact=name).first()
    if game is None:
        return
    if game.status != Game.Status.FORMING:
        raise NotAllowed(
            f"{game.name} no longer looks for players, so nobody can set when it starts. STATUS "
            f"{game.name} shows how it stands."
        )
    who = "its game master sets" if game.gm_id else "only the player who made it can set"
    who = who if game.gm_id or game.maker_id else "the moderators set"
    raise NotAllowed(
        f"{game.name} is not a game of yours: {who} when it starts. To make one of your own, "
        "choose another name."
    )


def _own_seat(game: Game) -> list[str]:
    """How the maker can play as well, unless they run a game in fog, where they see the whole
    board."""
    if game.gm and is_foggy(game):
        return ["You see the whole board through the fog of war, so you cannot play in it.", ""]
    code = f" {game.code}" if game.code else ""
    return [f"You do not play yet. To take a seat write: JOIN {game.name}{code}", ""]


def _when_it_starts(game: Game) -> list[str]:
    """When the game is to start, and the line above its first deadlines."""
    if said := starts(game):
        return [*said, "", "Then the first deadlines are:"]
    return [if_it_began_now(game)]


def _text(game: Game, now: dt.datetime) -> list[str]:
    found = (
        f"Only people who know its code, {game.code}, can join, and only its players see it before "
        "it is over."
        if game.code
        else "Everybody can find it with LIST and on our pages."
    )
    runs = (
        f"You are its game master. To run it, reply with GM {game.name} and a command, such as "
        f"GM {game.name} INVITE and your friends' addresses; GM HELP lists them all. Your mails "
        "as its game master follow; in a reply to those, the command alone is enough."
        if game.gm
        else "It has no game master. When something goes wrong, write MODERATOR."
    )
    return [
        f"Your game {game.name} is ready. It is played as {variant_text(game.variant).in_short}",
        found,
        "",
        *_own_seat(game),
        runs,
        "",
        f"If it is not what you meant, take it back before anybody joins: CREATE {game.name} OFF",
        "",
        *_when_it_starts(game),
        *(f"- {one}" for one in first_deadlines(game, now=now)),
        *([_IN_UTC] if game.timezone == "UTC" and (game.movement_clock or game.start) else []),
        "",
        "TO FORWARD TO YOUR FRIENDS",
        "",
        *invitation(with_places(Game.objects.filter(pk=game.pk)).get()).splitlines(),
    ]
