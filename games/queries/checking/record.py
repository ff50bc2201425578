"""A game as its proofs see it: the entries of its log and its phases, read from either document.

`export_game` writes everything (`diplomacy-game 1`). The public proof file (`diplomacy-proof 1`)
has what everybody may know, and only a digest of what is secret:

    {"format": "diplomacy-proof 1",
     "game": {"name": "marne", "variant": "standard", "rules": "DATC"},
     "entries": [{"number": 1, "kind": "game_created", "phase": null,
                  "at": "2026-03-02T12:00:00+00:00", "previous": "", "digest": "…",
                  "facts": {"by": ["<salt>", "gm"]}, "secret": {"seat": "<digest>"}}, …],
     "phases": [{"number": 1, "name": "S1901M", "status": "processed", "position": {…},
                 "orders": {"France": {"salt": "…", "orders": ["A Paris - Burgundy"]}},
                 "following": {…}, "winner": null}, …]}

An entry's `phase` is the number of a phase: a phase that was undone has the name of a later one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

from games.board_json import ResultJson, StateJson
from games.errors import BadInput
from games.proofs.digests import entry_body, fact_digest, facts_digest, seal
from games.queries import board
from games.queries.access import sight

GAME_FORMAT = "diplomacy-game 1"
PROOF_FORMAT = "diplomacy-proof 1"

Document = Mapping[str, Any]
UNREADABLE = (LookupError, TypeError, AttributeError, ValueError)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a log."""

    number: int
    kind: str
    phase: str | None
    phase_number: int | None
    """The number of the phase it was in."""
    at: str
    previous: str
    digest: str
    said: Mapping[str, Any]
    """The facts that are known."""
    body: object | None
    """What its digest covers; None if too little was handed out to tell."""

    @property
    def title(self) -> str:
        """How a sentence names it."""
        return f"Event {self.number} ({self.kind}, {self.at[:10]} {self.at[11:16]} UTC)"


@dataclass(frozen=True, slots=True)
class UnsealedOrders:
    """The sealed orders of a power, and the salt of their seal."""

    salt: str
    orders: tuple[str, ...]


class KnownOutcomeJson(TypedDict):
    """The part of an outcome that a document tells: a proof file leaves the results out."""

    next: StateJson
    winner: str | None
    results: NotRequired[list[ResultJson]]


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase."""

    number: int
    name: str
    status: str
    position: StateJson | None
    """None if the document says only that the phase was undone."""
    lines: Mapping[str, Sequence[str]] | None
    """What the players wrote, which a proof file does not contain."""
    outcome: KnownOutcomeJson | None
    """The whole outcome, or only its `next` and `winner`."""
    revealed: Mapping[str, UnsealedOrders]
    """The powers whose salts are known."""
    engine: str = "the judge"

    @property
    def title(self) -> str:
        """`Spring 1901 movement`."""
        return board.phase_title(self.name)


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game. `is_whole` says that the document has every line and every fact."""

    name: str
    variant: str
    rules: object
    entries: tuple[Entry, ...]
    phases: tuple[PlayedPhase, ...]
    is_whole: bool
    fog: bool = False
    """Whether orders were read from what their power saw."""


def record_of(document: object) -> Record:
    """Read a document of either format. Raises BadInput for anything else."""
    kind = document.get("format") if isinstance(document, Mapping) else None
    if not isinstance(document, Mapping) or kind not in (GAME_FORMAT, PROOF_FORMAT):
        raise BadInput(
            "This is neither a game that export_game wrote nor a proof file: its format is neither "
            f"“{GAME_FORMAT}” nor “{PROOF_FORMAT}”."
        )
    try:
        return _whole(document) if kind == GAME_FORMAT else _public(document)
    except UNREADABLE as error:
        raise BadInput(f"The document cannot be read: {why_unreadable(error)}.") from error


def why_unreadable(error: Exception) -> str:
    """Say what a document lacks, or that a part of it has another form than we write."""
    if isinstance(error, KeyError) and error.args:
        return f"it lacks “{error.args[0]}”"
    return f"a part of it has another form than we write ({type(error).__name__}: {error})"


def _whole(document: Document) -> Record:
    game, phases = document["game"], document["phases"]
    names = {one["number"]: one["name"] for one in phases}
    rules = board.rulebook_of(game["rules"])
    return Record(
        name=game["name"],
        variant=game["variant"],
        rules=game["rules"],
        entries=tuple(
            _entry(one, names, one["created_at"], one["payload"], _body(one))
            for one in document["events"]
        ),
        phases=tuple(
            PlayedPhase(
                number=one["number"],
                name=one["name"],
                status=one["status"],
                position=one["position"],
                lines=one["orders"],
                outcome=one["outcome"],
                revealed=_unseal_orders(one, game, rules),
                engine=one["engine"],
            )
            for one in phases
        ),
        is_whole=True,
        fog=game.get("fog", False),
    )


def _body(values: Document) -> object:
    return entry_body(values["payload"], values.get("salt", ""))


def _entry(
    values: Document,
    names: Mapping[int, str],
    at: str,
    said: Mapping[str, Any],
    body: object | None,
) -> Entry:
    number = values["phase"]
    return Entry(
        number=values["number"],
        kind=values["kind"],
        phase=None if number is None else names[number],
        phase_number=number,
        at=at,
        previous=values["previous"],
        digest=values["digest"],
        said=said,
        body=body,
    )


def _unseal_orders(
    phase: Document, game: Document, rules: board.Rulebook
) -> dict[str, UnsealedOrders]:
    """The orders by power that the judge read from the lines, for powers whose sets were sealed."""
    salts = {
        one["power"]: one["salt"]
        for one in phase["order_sets"]
        if one["counts"] and one.get("salt")
    }
    lines = {power: said for power, said in (phase["orders"] or {}).items() if power in salts}
    try:
        read = sight.as_told if game.get("fog") else sight.as_written
        orders = read(game["variant"], rules, phase["position"], lines)
        return {power: UnsealedOrders(salts[power], told) for power, told in orders.items()}
    except UNREADABLE:  # somebody changed it: its digest says so
        return {}


def _public(document: Document) -> Record:
    game, phases = document["game"], document["phases"]
    names = {one["number"]: one["name"] for one in phases}
    return Record(
        name=game["name"],
        variant=game["variant"],
        rules=game["rules"],
        entries=tuple(
            _entry(one, names, one["at"], _facts(one), _public_body(one))
            for one in document["entries"]
        ),
        phases=tuple(map(_public_phase, phases)),
        is_whole=False,
    )


def _facts(values: Document) -> dict[str, Any]:
    if "payload" in values:
        return dict(values["payload"])
    return {name: value for name, (_, value) in values.get("facts", {}).items()}


def _public_body(values: Document) -> object | None:
    if "payload" in values:
        return dict(values["payload"])
    if "facts" not in values:
        return None
    known = {name: fact_digest(salt, value) for name, (salt, value) in values["facts"].items()}
    return facts_digest({**values["secret"], **known})


def _public_phase(values: Document) -> PlayedPhase:
    played = values.get("following") is not None
    return PlayedPhase(
        number=values["number"],
        name=values["name"],
        status=values["status"],
        position=values.get("position"),
        lines=None,
        outcome={"next": values["following"], "winner": values["winner"]} if played else None,
        revealed={
            power: UnsealedOrders(one["salt"], tuple(one["orders"]))
            for power, one in values.get("orders", {}).items()
        },
    )


def seals_of(phase: PlayedPhase) -> dict[str, str]:
    """Return the seal of every power whose orders were revealed."""
    return {
        power: seal(salt=one.salt, phase=phase.name, power=power, orders=one.orders)
        for power, one in phase.revealed.items()
    }
