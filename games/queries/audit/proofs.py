"""What we hand out so that anybody can check: signed receipts, the keys, the proof file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Prefetch

from games import log
from games.events.facts import secret_keys
from games.models import Event, Game, OrderSet, Phase, Power
from games.proofs import keys, receipts
from games.proofs.digests import fact_digest, fact_salt
from games.proofs.saved import Witness as Witness
from games.proofs.saved import packed_lines as packed_lines
from games.proofs.saved import witness_lines as witness_lines
from games.queries.access.audience import is_foggy, untold_facts
from games.queries.access.staff_names import without_address
from games.queries.audit.seals import sealed_orders, statement_of
from games.queries.checking.record import PROOF_FORMAT
from games.queries.orders.current_orders import OrderBook, counting

Document = dict[str, Any]


def receipt_block(phase: Phase, power: Power, book: OrderBook | None = None) -> list[str]:
    """Return the signed lines for the end of a receipt: which orders stand for the power.

    None where nothing was sent for it, or where the server has no key. `book` has what was sent, if
    it was read.
    """
    signer = keys.signer_at(key_file())
    statement = statement_of(phase, power, book) if signer else None
    if signer is None or statement is None:
        return []
    signature = signer.sign(statement.text)
    return receipts.block(statement, key=signer.name, signature=signature)


def key_file() -> Path:
    """Return the path of the key that signs receipts."""
    return Path(settings.RECEIPT_KEY_FILE)


def public_keys() -> tuple[keys.PublicKey, ...]:
    """Return every key that has ever signed here, the oldest first."""
    return tuple(keys.keys_listed(key_file()).values())


def keys_text() -> str:
    """Return the list of public keys as text, for `games.verify --keys`."""
    lines = [f"{one.name} {one.base64} {one.made_on}" for one in public_keys()]
    return "\n".join([keys.LIST_HEADING, *lines, ""])


def proof_file(game: Game) -> Document:
    """Return what everybody in the game may know, with everything needed to check it.

    It has the position of a phase that is not processed yet, and only the name of one that was
    undone. What is secret appears as a digest, and in fog of war no phase has more than its name
    before the game is over. Callers ask `games.queries.access.audience` first.
    """
    sent = Prefetch("order_sets", counting(OrderSet.objects.all()))
    phases = game.phases.order_by("number").prefetch_related(sent)
    return {
        "format": PROOF_FORMAT,
        "game": {"name": game.name, "variant": game.variant, "rules": game.rules},
        "entries": [_entry(one) for one in log.events_of(game)],
        "phases": [_phase(one, game) for one in phases],
    }


def _entry(event: Event) -> Document:
    untold = untold_facts(event)
    hidden = {
        name
        for name, value in event.payload.items()
        if name in untold or _is_secret(event, name, value)
    }
    shared: Document = {
        "number": event.number,
        "kind": event.kind,
        "phase": event.phase.number if event.phase else None,
        "at": log.at_text(event.created_at),
        "previous": event.previous,
        "digest": event.digest,
    }
    if not event.salt:  # an older entry: all of it or nothing
        return shared if hidden else {**shared, "payload": event.payload}
    salts = {name: fact_salt(event.salt, name) for name in event.payload}
    return {
        **shared,
        "facts": {
            name: [salts[name], value]
            for name, value in event.payload.items()
            if name not in hidden
        },
        "secret": {name: fact_digest(salts[name], event.payload[name]) for name in sorted(hidden)},
    }


def _is_secret(event: Event, name: str, value: object) -> bool:
    """Whether the fact is for the server alone, or so old that it may contain a GM's address."""
    if name in secret_keys(event.kind):
        return True
    return name == "by" and isinstance(value, str) and without_address(value) != value


def _phase(phase: Phase, game: Game) -> Document:
    shared: Document = {"number": phase.number, "name": phase.name, "status": phase.status}
    if phase.status == Phase.Status.UNDONE or is_foggy(game):
        return shared
    shared["position"] = phase.position
    if phase.outcome is None:
        return shared
    phase.game = game
    return {
        **shared,
        "orders": _reveal_orders(phase),
        "following": phase.outcome["next"],
        "winner": phase.outcome["winner"],
    }


def _reveal_orders(phase: Phase) -> Mapping[str, Document]:
    sealed = sealed_orders(phase, phase.order_sets.all())
    return {
        power: {"salt": one.salt, "orders": list(one.orders)}
        for power, one in sorted(sealed.items())
    }
