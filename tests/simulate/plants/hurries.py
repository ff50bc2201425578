"""What seldom happens, made to happen within hours: so a planted fault is found by a short run."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from games.models import Game, Phase
from tests.simulate.machinery.intrusions import WORKER
from tests.simulate.players.people import Player
from tests.simulate.players.writers import DOMAIN, GM, NAMES, Draft
from tests.simulate.staff.cups import CUP
from tests.simulate.staff.game_master import MISTAKES, GameMaster
from tests.simulate.staff.opposites import WISHES
from tests.simulate.staff.settings_changes import CHANGES
from tests.simulate.tables import HOUR, MINUTE, powers_of

if TYPE_CHECKING:
    from tests.simulate.world import World

PRESS = ("grey", "fake", "with addresses", "to all")
"""How somebody writes press."""
MADE_SO: dict[str, dict[str, object]] = {
    "grey": {"press_mode": "both", "grey_press": True},
    "fake": {"press_mode": "both", "fake_press": True},
    "with addresses": {"press_mode": "both"},
    "at_the_end": {"press_mode": "both"},
    "to all": {"press_mode": "none", "grey_press": False, "fake_press": False},
    "mute": {"press_mode": "both"},
    "suspend": {"entry": Game.Entry.OPEN},
    "ask": {"entry": Game.Entry.APPROVAL},
    "vote": {"secret_votes": True},
    "ban_and_vote": {"anonymous": True},
    "unwanted": {"reminders": "3h 2h 1h"},
    "put_off": {"player_extensions": 1},
    "absence": {"waits_for_absent": True, "movement_clock": "", "days_off": ""},
    "absence_off": {"waits_for_absent": True, "movement_clock": "", "days_off": ""},
    "rounds": {"tournament": CUP},
    "table": {"tournament": CUP},
    "extend_all": {"tournament": CUP},
    "pause_all": {"tournament": CUP},
    "resume_all": {"tournament": CUP},
    "clock_time": {
        "timezone": "America/New_York",
        "movement_clock": "Tue 20:00",
        "retreat_clock": "Tue 20:00",
        "movement_length": HOUR * 24 * 7,
        "retreat_length": HOUR * 24 * 7,
    },
}
"""What is set in the games in which something is to happen."""
SECOND, DAY = dt.timedelta(seconds=1), dt.timedelta(days=1)


def hurry(world: World, what: str) -> None:
    """Have it happen now: one of those that `Plant.hurries` names."""
    if what in MADE_SO:
        Game.objects.update(**MADE_SO[what])
    if what == "restore":
        world.backups.make()
    elif what == "found":
        world.foundings.found("lens")
    elif what == "rounds":
        for _ in range(2):
            world.cups.make_round()
    elif what == "table":
        world.cups.end_a_game()
    elif what in ("extend_all", "pause_all", "resume_all"):
        _to_all_games(world, what)
    elif what == "clock_time":
        _as_gm(world, "PROCESS")
    elif what == "halt":
        _at_the_deadline(world, -MINUTE, world.standstills.halt)
    elif what == "deputy":
        world.deputies.help(hours=2.0)
    elif what == "look":
        world.glimpses.look_at(Game.objects.all()[0], world.clock.shown(), is_operator=True)
    elif what == "settings":
        world.settings_changes.change(CHANGES[0])
    elif what == "left":
        _leave(world)
    elif what in ("absence", "absence_off"):
        _are_away(world, take_back=what == "absence_off")
    elif what == "mute":
        world.moderator.hurry("mute", world.clock.shown())
        _write(world, "BROADCAST\nLet us all be kind.\nEND BROADCAST", after=HOUR)
    elif what == "suspend":
        world.moderator.hurry("suspend", world.clock.shown())
        _ask_for_a_seat(world, "hugo")
    elif what == "ban_and_vote":
        world.moderator.hurry("ban", world.clock.shown())
        _write(world, "VOTE DRAW", after=HOUR)
    elif what == "late_yes":
        _say_yes_late(world)
    elif what == "second_worker":
        world.intrusions.lie_in_wait(WORKER, {})
    elif what in ("extend_meanwhile", "pause_meanwhile"):
        act = what.removesuffix("_meanwhile")
        world.intrusions.lie_in_wait(act, dict(WISHES)[act])
    elif what == "opposite":
        world.opposites.happen()
    elif what == "unwanted":
        world.bulk_mail.one_in = 1
    elif what == "keep_out":
        world.unstarted_games.make(is_joined=True)
    elif what == "page":
        _all_choose(world)
    elif what == "one_person":
        world.merges.merge()
    elif what == "over":
        gm = world.people[GM]
        assert isinstance(gm, GameMaster)
        gm.plays_on = 256
        _as_gm(world, "FINISH DRAW because all have agreed to it")
    elif what == "forge":
        world.impostor.forge()
    elif what == "mistake":
        _as_gm(world, MISTAKES[0], is_wrong=True)
    elif what == "private":
        world.private_games.make("amiens")
    elif what == "clock":
        _at_the_deadline(world, -30 * MINUTE, lambda: world.machine.set_clock(3600))
    elif what == "disk":
        world.machine.fill_disk(0.3, hours=24)
    elif what in ("full", "gone"):
        world.full_mailboxes.fill("Ana", hours=30, is_gone=what == "gone")
    elif what == "slow":
        world.mailbox.hold_up_all()
        _at_the_deadline(world, -5 * SECOND, lambda: _all_order(world))
        _at_the_deadline(world, 2 * SECOND, world.server.round)
    elif what == "at_the_end":
        for seconds in (-20, -5, 5, 20):
            _at_the_deadline(
                world, seconds * SECOND, lambda: world.correspondents.write("to all", now=True)
            )
    elif what == "calendar":
        _write(world, "SET CALENDAR")
    elif what == "export":
        _write(world, "EXPORT")
    elif what == "read":
        world.visitor.read_about(next(iter(world.boards)))
    elif what == "change":
        _all_change(world)
    elif what == "ask":
        _ask_for_a_seat(world)
    elif what == "second":
        _take_a_second(world)
    elif what == "forward":
        world.forgers.try_it("forwarded", "{orders}")
    elif what == "yes_of_another":
        world.forgers.one_in = 1
        world.forgers.try_it("forwarded", "{orders}")
    elif what in PRESS:
        world.correspondents.write(what)
    elif what == "robots":
        world.robots.begin(list(NAMES))
    elif what == "extend":
        _as_gm(world, "EXTEND 24h because it rains")
    elif what == "put_off":
        for hours in range(3):
            _write(world, "EXTEND 2h my train is late", after=HOUR * hours)
    elif what == "vote":
        world.agreements.agree(next(iter(world.boards)), but=1)
    elif what == "move":
        world.moves.move("Ana", hours=2.0)
    elif what == "draw":
        _as_gm(world, "FINISH DRAW because all have agreed to it")
    elif what == "freeze":
        world.freezes.freeze("Ana")
    elif what in ("slip", "pause", "hand_over"):
        getattr(world.gm_pages, what)(next(iter(world.boards)))
    elif what in ("undo", "keep"):
        kept = " KEEP ORDERS" if what == "keep" else ""
        _as_gm(world, f"ROLLBACK {_open_phase().name}{kept} because of a slip")
    elif what:
        world.moderator.hurry(what, world.clock.now())
    if what == "ban_and_erase":
        _write(world, "REGISTER Ana", after=HOUR * 6)


def _all_change(world: World) -> None:
    """Have all players say in words what one of their units is ordered instead."""
    for one in world.people.values():
        if isinstance(one, Player):
            for mail, situation in one.plays.values():
                drafts = one.changes(mail, situation)
                world.carrier.think(replace(draft, after=SECOND) for draft in drafts)


def _all_choose(world: World) -> None:
    """Have all players choose orders on the page."""
    for one in world.people.values():
        if isinstance(one, Player):
            for mail, situation in one.plays.values():
                drafts = one.chooses(mail, situation)
                world.carrier.think(replace(draft, after=SECOND) for draft in drafts)


def _ask_for_a_seat(world: World, name: str = "ida") -> None:
    """Have somebody who does not play take a seat that the GM has just opened."""
    game = next(iter(world.boards))
    power, row = powers_of(world.variants[game])[0], Game.objects.get(name=game)
    world.gm_pages.on_page(row, "vacate", {"power": power, "why": "nothing came"})
    writer = world.people[f"{name}@{DOMAIN}"]
    letter = writer.written(None, f"TAKEOVER {game} {power}")
    world.carrier.think([Draft(HOUR, letter)])


def _are_away(world: World, *, take_back: bool) -> None:
    """Have all players say that they are away, and perhaps `take_back` that; then the GM has the
    phase decided."""
    first = world.clock.now().date()
    texts = [f"ABSENCE FROM {first} TO {first + 6 * DAY}", f"ABSENCE OFF {first}"]
    for one in world.people.values():
        if isinstance(one, Player):
            for number, text in enumerate(texts[: 1 + take_back]):
                world.carrier.think([Draft(SECOND * 900 * number, one.written(None, text))])
    world.agenda.after(7200, lambda: _as_gm(world, "PROCESS"))


def _say_yes_late(world: World) -> None:
    """Have the GM say YES to what they were asked before the deadline was put off."""
    game, gm = next(iter(world.boards)), world.people[GM]
    assert isinstance(gm, GameMaster)
    gm.confirms_within = 4.0
    _as_gm(world, "PROCESS because it takes too long")
    later = {"later": HOUR * 200, "why": "it rains"}
    put_off = partial(world.gm_pages.on_page, Game.objects.get(name=game), "extend", later)
    world.agenda.after(600, put_off)


def _leave(world: World) -> None:
    """Have somebody lose their seat, and the deadline put off after that."""
    game = next(iter(world.boards))
    power, row = powers_of(world.variants[game])[0], Game.objects.get(name=game)
    world.gm_pages.on_page(row, "vacate", {"power": power, "why": "nothing came"})
    world.agenda.after(600, lambda: _as_gm(world, "EXTEND 24h because it rains"))


def _take_a_second(world: World) -> None:
    """Have somebody who plays take another seat, which the GM has just opened."""
    game = next(iter(world.boards))
    mine, other, *_ = powers_of(world.variants[game])
    row = Game.objects.get(name=game)
    world.gm_pages.on_page(row, "vacate", {"power": other, "why": "nothing came"})
    [who] = [email for email, power, until in world.seen.seats(game) if power == mine][:1]
    letter = world.people[who].written(None, f"TAKEOVER {game} {other}")
    world.carrier.think([Draft(HOUR, letter)])


def _to_all_games(world: World, act: str) -> None:
    """Have the GM make a round, and do something to all games of the tournament."""
    world.cups.make_round()
    if act == "resume_all":
        world.whole_cups.act("pause_all")
    world.whole_cups.act(act)


def _open_phase() -> Phase:
    """The open phase of the first game."""
    return Phase.objects.filter(status="open").order_by("pk")[:1].get()


def _at_the_deadline(world: World, later: dt.timedelta, do: Callable[[], object]) -> None:
    """Have something done so much later than the deadline that is announced now."""
    due = _open_phase().due_at
    assert due, "nobody has paused the game"
    world.agenda.at(due + later, do)


def _all_order(world: World) -> None:
    """Have all players write orders that reach the mailbox within seconds."""
    for one in world.people.values():
        if isinstance(one, Player):
            world.carrier.think(one.at_once())


def _as_gm(world: World, command: str, **facts: object) -> None:
    """Have the GM of the first game write a command."""
    game = next(iter(world.boards))
    letter = world.people[GM].written(None, f"GM {game}\n{command}", game=game, **facts)
    world.carrier.think([Draft(dt.timedelta(0), letter)])


def _write(world: World, text: str, *, after: dt.timedelta = dt.timedelta(0)) -> None:
    """Have Ana write."""
    ana = world.people[f"ana@{DOMAIN}"]
    world.carrier.think([Draft(after, ana.written(None, text))])
