"""RULES: what a variant is, and which rules of its own it has."""

from __future__ import annotations

from django.conf import settings

from games.errors import BadInput, NotFound
from games.models import Game
from games.queries.parsing.game_names import game_by_name
from games.queries.reports.wording import listed
from games.queries.variants import VariantText, all_variants, variant_called, variant_text
from mailer.commands.base import Arrival, PlayerCommand
from mailer.commands.calls import Call, QuestionMark, Takes
from mailer.commands.receipt import Receipt
from mailer.identity.senders import Sender, seat_meant
from mailer.notices.parts.how_to_write import press_rules

FOG_OF_WAR = (
    "Fog of war: you see the provinces of your units and centres and those that border on them, by "
    "land or by sea, whatever can go there. After each phase you learn which units stand there and "
    "who owns the centres.",
    "You read the result of each order of yours, and an order of another power when every unit in "
    "it stood in your sight as the phase began and every other province in it is in your sight "
    "afterwards. You do not read where a unit out of sight came from or went.",
    "You can support and convoy units that you cannot see: we take the order as you write it, and "
    "nobody tells you what came of it. WHATIF tries out only what you see. You are not told how "
    "many centres others own; you are told who is out of the game or missed a deadline for orders, "
    "and that there are retreats, but not whose.",
    "Press works as in any game. Nobody but the game master sees more, nobody observes the game, "
    "and players who are out of the game see nothing. When it is over, everybody may see all of "
    "it.",
)
IN_SHORT = (
    "New to Diplomacy? A province has room for one unit: an army, which goes by land, or a fleet, "
    "which goes by sea and along coasts. All units act at the same time: each holds, moves to a "
    "province beside its own, or supports another unit, to hold or to move, in a province to which "
    "it could move itself. Fleets at sea can convoy armies. Whoever has more support wins a "
    "province; where two are equally strong, neither gets in. An attack on a supporting unit cuts "
    "its support, unless it comes from the province at which the support is aimed. A unit that is "
    "driven out retreats or is disbanded.",
    "When a year's moves are over, each centre belongs to whoever stands in it, or else to its "
    "last owner, and every power may have as many units as it owns centres: it builds, in its home "
    "centres, or disbands.",
)
PROMISES = "What you promise each other in letters binds nobody, and is most of the game."
_LIST = "The variants there are"
_HEADS_LIST = "These variants can be played here:"
ONLY_ITS_MAP = "Its rules are those of the standard game; its map and its powers are its own."


class Rules(PlayerCommand):
    name = "rules"
    aliases = ("variants",)
    usage = "RULES [game or variant]"
    summary = "see how a variant is played, and which variants there are"
    help = (
        "Write RULES and the name of a game or a variant: who plays, how many centres win, and "
        "how it differs from the standard game. RULES alone in an answer to a game's mail "
        "is about that game; anywhere else it has the rules of Diplomacy in short and lists all "
        "variants. VARIANTS only lists them.\n"
        "Example: RULES colonial"
    )
    takes = Takes.MAYBE
    asked = QuestionMark.SHOWN
    only_shows = True
    open_to_all = True

    def run(self, call: Call, sender: Sender, arrival: Arrival) -> Receipt:
        """Describe the variant that is meant, or list all variants."""
        name = call.argument.strip(" .")
        only_list = call.word == "variants"
        seat = None if name or only_list else seat_meant(sender)
        if seat:
            return _about(variant_text(seat.power.game.variant, played=True), seat.power.game)
        if not name:
            is_listed = any(_HEADS_LIST in one.text for one in arrival.so_far)
            return _all(explained=not only_list, is_listed=is_listed)
        return _rules_named(name)


def _rules_named(name: str) -> Receipt:
    try:
        game = game_by_name(name)
    except NotFound:
        return _about(_variant(name))
    return _about(variant_text(game.variant, played=True), game)


def _variant(name: str) -> VariantText:
    """Find a variant by its name or its title. Raises BadInput with those that exist."""
    if found := variant_called(name):
        return found
    names = listed([one.name for one in all_variants()])
    said = f"There is no game and no variant “{name}”. The variants are {names}."
    raise BadInput(said, wrote=name)


def _about(one: VariantText, game: Game | None = None) -> Receipt:
    played = f"The game {game.name} is played as {one.in_short}" if game else one.in_short
    powers = f"Powers: {listed(one.powers)}."
    begins = f"First phase: {one.begins}."
    board = f"Its map: {settings.SITE_URL}/variants/{one.plain_name}/"
    differs = one.differs or (ONLY_ITS_MAP,)
    fog = FOG_OF_WAR if game and game.fog else ()
    parts = [played, powers, begins, board, *(differs if one.name != "standard" else ()), *fog]
    if game:
        parts += press_rules(game)
    has_press = game is None or game.press_mode != Game.PressMode.NONE
    parts += [*IN_SHORT, PROMISES] if has_press else IN_SHORT
    return Receipt(
        title=f"How {one.title} is played", text="\n\n".join(parts), subject=f"Rules: {one.title}"
    )


def _all(*, explained: bool, is_listed: bool) -> Receipt:
    """List all variants, unless the mail that this one answers did; below them what all have in
    common, if the player asked for that, too."""
    lines = [f"- {one.name}: {one.in_short}" for one in all_variants()]
    parts = [*IN_SHORT, PROMISES] if explained else []
    if is_listed:
        parts.append("The variants are listed above.")
    else:
        parts += [_HEADS_LIST, "\n".join(lines)]
        parts.append("RULES and a name says more, for example: RULES colonial")
    title, subject = ("The rules in short", "Rules") if explained else (_LIST, "Variants")
    return Receipt(title=title, text="\n\n".join(parts), subject=subject)
