"""A judge for Diplomacy: rules only. It knows no clock, no player, no address.

    position = Position.start(load_variant("standard"))
    outcome = adjudicate(position, {"France": ["A Paris - Burgundy"]})

Non-goals: deadlines, players, press, storage, drawing. Everything here is a value or a function of
values, so a phase can be replayed to the same result at any time.
"""

from __future__ import annotations

from judge.adjudicate import adjudicate, adjudicate_sheets, checked_sheets
from judge.board import Board, BoardError
from judge.errors import JudgeError, PositionError, UnknownName, UnknownVariant
from judge.game import Game, Turn
from judge.legality.check import illegality
from judge.legality.lines import Sheet
from judge.legality.options import legal_orders
from judge.legality.refusal import Illegal, no_unit_in
from judge.lookup import power_named, province_named
from judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Permit,
    Retreat,
    Ride,
    Support,
    UnitOrder,
    Waive,
)
from judge.outcome import OrderResult, Outcome, with_reason
from judge.phase import Phase, PhaseError
from judge.places import Border, Location, Province
from judge.position import Position
from judge.rulebook import DATC, Rulebook, UnknownRule, issue_choices, issue_numbers, preset_names
from judge.seasons import SEASONS, Season
from judge.soundness import JudgeFault
from judge.state import StateJson
from judge.text.answers import Problem
from judge.text.power_names import powers_in_english
from judge.text.read import Reading, may_be_orders, parse_order, read_orders, reads_as_orders
from judge.text.written import UnreadableOrder
from judge.units import Dislodged, Unit
from judge.variant import CHOICES, Variant
from judge.variant_files import VariantError, variant_names
from judge.variant_powers import Power, all_power_names
from judge.variants import VariantLike, load_variant

ENGINE_VERSION = "1.5"
"""Changes whenever the same position and orders could give another result or another sentence."""

__all__ = [
    "CHOICES",
    "DATC",
    "ENGINE_VERSION",
    "SEASONS",
    "Board",
    "BoardError",
    "Border",
    "Build",
    "Convoy",
    "Disband",
    "Dislodged",
    "Game",
    "Hold",
    "Illegal",
    "JudgeError",
    "JudgeFault",
    "Location",
    "Move",
    "MovementOrder",
    "Order",
    "OrderResult",
    "Outcome",
    "Permit",
    "Phase",
    "PhaseError",
    "Position",
    "PositionError",
    "Power",
    "Problem",
    "Province",
    "Reading",
    "Retreat",
    "Ride",
    "Rulebook",
    "Season",
    "Sheet",
    "StateJson",
    "Support",
    "Turn",
    "Unit",
    "UnitOrder",
    "UnknownName",
    "UnknownRule",
    "UnknownVariant",
    "UnreadableOrder",
    "Variant",
    "VariantError",
    "VariantLike",
    "Waive",
    "adjudicate",
    "adjudicate_sheets",
    "all_power_names",
    "checked_sheets",
    "illegality",
    "issue_choices",
    "issue_numbers",
    "legal_orders",
    "load_variant",
    "may_be_orders",
    "no_unit_in",
    "parse_order",
    "power_named",
    "powers_in_english",
    "preset_names",
    "province_named",
    "read_orders",
    "reads_as_orders",
    "variant_names",
    "with_reason",
]
