"""A judge for Diplomacy: rules only. It knows no clock, no player, no address.

    position = Position.start(load_variant("standard"))
    outcome = adjudicate(position, {"France": ["A Paris - Burgundy"]})

Non-goals: deadlines, players, press, storage, drawing. Everything here is a value or a function of
values, so a phase can be replayed to the same result at any time.
"""

from __future__ import annotations

from judge.adjudicate import adjudicate, adjudicate_sheets, checked_sheets
from judge.board import Board, BoardError, Location, Province
from judge.legality import Illegal, illegality
from judge.options import legal_orders
from judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)
from judge.outcome import OrderResult, Outcome
from judge.phase import Phase, PhaseError
from judge.position import Dislodged, Position, PositionError
from judge.reading import Problem, Reading, read_orders
from judge.rulebook import DATC, Rulebook, UnknownRule, issue_choices, preset_names
from judge.selection import Sheet
from judge.units import Unit
from judge.variants import UnknownVariant, Variant, load_variant, variant_names

ENGINE_VERSION = "1.2"
"""Changes whenever the same position and orders could give another result or another sentence."""

__all__ = [
    "DATC",
    "ENGINE_VERSION",
    "Board",
    "BoardError",
    "Build",
    "Convoy",
    "Disband",
    "Dislodged",
    "Hold",
    "Illegal",
    "Location",
    "Move",
    "Order",
    "OrderResult",
    "Outcome",
    "Phase",
    "PhaseError",
    "Position",
    "PositionError",
    "Problem",
    "Province",
    "Reading",
    "Retreat",
    "Rulebook",
    "Sheet",
    "Support",
    "Unit",
    "UnknownRule",
    "UnknownVariant",
    "Variant",
    "Waive",
    "adjudicate",
    "adjudicate_sheets",
    "checked_sheets",
    "illegality",
    "issue_choices",
    "legal_orders",
    "load_variant",
    "preset_names",
    "read_orders",
    "variant_names",
]
