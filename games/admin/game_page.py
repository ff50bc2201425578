"""What a game's page shows: what it needs next, the powers, the acts, and its latest history."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict
from urllib.parse import urlencode

from django.contrib.auth.models import User

from games.acts import GAME_ACTS, GameAct
from games.acts.excuse import misses_of
from games.acts.game import Group
from games.admin.base import countdown
from games.admin.facts import notes_of, settings_of
from games.models import CoGM, Game, Halt, Invitation, Phase
from games.queries.access import roles
from games.queries.access.anonymity import names_shown
from games.queries.access.disclosure import attendance_told
from games.queries.endings.ending import result_sentence
from games.queries.halts import halt_now
from games.queries.phases.first_deadlines import first_deadlines, passed_over
from games.queries.players.places import kept_out
from games.queries.reports.end_report import points_text
from games.queries.reports.invitation import invitation
from games.queries.reports.next_step import NextStep, next_step
from games.queries.reports.overview import Overview, overview, pause_reason
from games.queries.reports.own_games import zone_of, zone_shown
from games.queries.reports.power_rows import DISORDER, IDLE, OUT, OWING, PowerRow
from games.queries.reports.timetable import timetable
from games.queries.reports.what_game import played_as, preset_of
from games.queries.reports.wording import counted

if TYPE_CHECKING:
    from games.queries.players.places import GameWithPlaces

Acts = list[GameAct[Any]]

POSSIBLE: Mapping[str, Callable[[Overview], bool]] = {
    "remind": lambda seen: bool(seen.situation.missing),
    **dict.fromkeys(
        ("extend_all", "pause_all", "resume_all"), lambda seen: bool(seen.game.tournament)
    ),
    "turn_down": lambda seen: bool(seen.situation.asked),
    "start": lambda seen: getattr(seen.game, "taken", 0) >= getattr(seen.game, "places", 0),
    "remove_player": lambda seen: bool(getattr(seen.game, "taken", 0)),
    "let_in": lambda seen: bool(getattr(seen.game, "asking", 0)),
    "remove_co_gm": lambda seen: getattr(seen.game, "helped", True),
    "make_round": lambda seen: bool(seen.game.tournament and seen.game.gm_id),
    "delete": lambda seen: not getattr(seen.game, "taken", 0),
    "excuse": lambda seen: bool(seen.phases and misses_of(seen.game)),
    "rollback": lambda seen: seen.phases_in_all > (seen.phase is not None),
    "offer": lambda seen: any(row.open_since for row in seen.rows),
    "end_disorder": lambda seen: any(row.disorder_since for row in seen.rows),
}
"""When an act has anything to do, as far as the page already knows; the act itself checks again
(`why_not`)."""

OF_A_POWER: Mapping[str, Callable[[PowerRow], bool]] = {
    "set_orders": lambda row: row.state not in (OUT, IDLE, DISORDER, ""),
    "replace": lambda row: row.state != OUT,
    "vacate": lambda row: row.player is not None and row.state != OUT,
    "offer": lambda row: row.open_since is not None,
    "disorder": lambda row: row.disorder_since is None and row.state != OUT,
    "end_disorder": lambda row: row.disorder_since is not None,
}
"""The acts that are about one power, and the powers to which they can be done."""


@dataclass(frozen=True, slots=True)
class Button:
    """An act that somebody probably wants: the words of its button, and what its page is filled in
    with."""

    act: GameAct[Any]
    words: str
    query: str


@dataclass(frozen=True, slots=True)
class Row:
    """A power, what there is to know about it, and what can be done to it."""

    row: PowerRow
    notes: list[tuple[str, str]]
    acts: Acts

    @property
    def owes(self) -> bool:
        """Whether the game waits for it."""
        return self.row.state in OWING


class FormingPage(TypedDict, total=False):
    """What else the page shows while the game looks for players."""

    invitation: str
    deadlines: list[str]
    passed: str
    invited: list[str]
    denied: list[str]


class GamePage(FormingPage):
    """What the template of a game's page shows."""

    seen: Overview
    step: NextStep
    pause: str
    """Who paused it and why, while it is paused: nobody resumes a game without knowing that."""
    halt: Halt | None
    """The halt of the whole server, if it is why the phase is late."""
    likely: list[Button]
    groups: list[tuple[str, Acts]]
    grave: Acts
    rows: list[Row]
    inside: bool
    """The reader does not play in the game themselves."""
    names: bool
    zone: str
    deadline: str
    points: str
    """What the end of the game is worth to each power."""
    played_as: tuple[str, ...]
    rules: str
    settings: list[tuple[str, str]]
    timetable: tuple[str, ...]
    co_gms: list[CoGM]
    removes: bool
    """The reader may take a place away from those who have joined."""
    given: list[PowerRow]
    """The powers that have a player before the game has started."""
    now: dt.datetime


def page_of(game: GameWithPlaces, user: User, now: dt.datetime) -> GamePage:
    """Return what the page of the game shows to this user."""
    plays = roles.plays_in(user, game)
    seen = overview(game, now=now, inside=not plays, known=attendance_told([user]))
    zone = zone_shown(zone_of(user), game)
    halt = halt_now() if seen.phase and _is_past(seen.phase, now) else None
    situation = replace(seen.situation, zone=zone, halted=halt is not None)
    step = next_step(situation, now)
    if over := result_sentence(game):
        step = replace(step, sentence=f"{step.sentence[:-1]}: {over}.")
    acts = allowed_acts(seen, user, now, plays=plays)
    likely = [button for button in _buttons(step, acts) if not button.act.why_not(game, now)]
    return {
        "seen": seen,
        "step": step,
        "pause": pause_reason(game),
        "halt": halt,
        "likely": likely,
        "groups": _groups(acts.values()),
        "grave": [act for act in acts.values() if act.grave],
        "rows": [_row(row, acts, now, zone) for row in seen.rows],
        "inside": not plays,
        "names": not plays or names_shown(game),
        "zone": zone,
        "deadline": _deadline(game, seen.phase, now, zone),
        "points": points_text(game) if game.status == Game.Status.FINISHED else "",
        "played_as": played_as(game),
        "rules": preset_of(game),
        "settings": settings_of(game),
        "timetable": timetable(game),
        "co_gms": roles.co_gms_of(game, now) if getattr(game, "helped", True) else [],
        "removes": "remove_player" in acts,
        "given": [row for row in seen.rows if row.player and not game.started_at],
        **(_forming(game, user, now) if game.status == Game.Status.FORMING else FormingPage()),
        "now": now,
    }


def _is_past(phase: Phase, now: dt.datetime) -> bool:
    """Whether its deadline has passed: before that, nobody wonders why it is not processed."""
    return phase.due_at is not None and phase.due_at <= now


def _deadline(game: Game, phase: Phase | None, now: dt.datetime, zone: str) -> str:
    """When the phase is due; empty while the clock stands still, since that time will change."""
    if phase is None or game.status == Game.Status.PAUSED:
        return ""
    return countdown(phase.due_at, now, zone)


def _buttons(step: NextStep, acts: Mapping[str, GameAct[Any]]) -> Iterator[Button]:
    """A button for each act that somebody probably wants; the first may say more than its title."""
    for name in step.acts:
        if act := acts.get(name):
            first = name == step.acts[0]
            words = step.words if first else ""
            query = urlencode(step.given) if first else ""
            yield Button(act, words or act.title, f"?{query}" if query else "")


def _forming(game: GameWithPlaces, user: User, now: dt.datetime) -> FormingPage:
    """What else the page shows of a game looking for players. Only those who run it see addresses,
    since the staff's log notes every other look at one."""
    runs = roles.is_gm_of(user, game, now=now)
    invited = game.invitations.filter(kind=Invitation.Kind.INVITED).order_by("pk")

    def shown(found: list[str]) -> list[str]:
        return found if runs or not found else [counted(len(found), "address", "addresses")]

    return {
        "invitation": invitation(game),
        "deadlines": first_deadlines(game, now=now),
        "passed": passed_over(game, now=now),
        "invited": shown(list(invited.values_list("email", flat=True))),
        "denied": shown(kept_out(game)),
    }


def allowed_acts(
    seen: Overview, user: User, now: dt.datetime, *, plays: bool
) -> dict[str, GameAct[Any]]:
    """Return the acts that the user may do now, by their names."""
    return {
        name: act
        for name, act in GAME_ACTS.items()
        if seen.game.status in act.when
        and POSSIBLE.get(name, _always)(seen)
        and not roles.refusal(user, seen.game, name, now=now, plays=plays)
    }


def _always(seen: Overview) -> bool:
    return True


def _row(row: PowerRow, acts: Mapping[str, GameAct[Any]], now: dt.datetime, zone: str) -> Row:
    fitting = [acts[name] for name, fits in OF_A_POWER.items() if name in acts and fits(row)]
    return Row(row, list(notes_of(row, now, zone)), fitting)


def _groups(acts: Iterable[GameAct[Any]]) -> list[tuple[str, Acts]]:
    """The acts that can be undone, by their subjects."""
    mild = [act for act in acts if not act.grave]
    by_group = ((group.value, [act for act in mild if act.group == group]) for group in Group)
    return [(name, found) for name, found in by_group if found]
