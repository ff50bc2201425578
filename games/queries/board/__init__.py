"""The door to the judge: rows in, the judge's values out, and back.

Nobody else in this room imports the judge. Whoever needs a word about the board (a phase's name,
what a power has to decide) asks here.
"""

from __future__ import annotations

from games.queries.board.calendar import (
    Step,
    is_before,
    is_phase,
    phase_named,
    phase_order,
    phase_title,
    step_of,
    year_of,
    year_title,
)
from games.queries.board.duties import (
    Dislodgement,
    Duty,
    builds_without_place,
    dislodgements,
    duty_of,
    first_state,
    position_of,
)
from games.queries.board.names import (
    abbreviation,
    bordering,
    center_names,
    lands_without_center,
    power_named,
    province_named,
    reads_as_order,
    variant_chosen,
    variant_named,
)
from games.queries.board.orders import (
    WAIVED,
    build_orders,
    followed,
    followed_orders,
    helped_units,
    legal_texts,
    ordered_unit,
    presumed_units,
)
from games.queries.board.outcomes import Adjudication, adjudicated
from games.queries.board.rules import rule_choices, rulebook_of
from judge import (
    CHOICES,
    OrderResult,
    Position,
    Reading,
    Rulebook,
    all_power_names,
    no_unit_in,
    powers_in_english,
    read_orders,
    variant_names,
)

__all__ = [
    "CHOICES",
    "WAIVED",
    "Adjudication",
    "Dislodgement",
    "Duty",
    "OrderResult",
    "Position",
    "Reading",
    "Rulebook",
    "Step",
    "abbreviation",
    "adjudicated",
    "all_power_names",
    "bordering",
    "build_orders",
    "builds_without_place",
    "center_names",
    "dislodgements",
    "duty_of",
    "first_state",
    "followed",
    "followed_orders",
    "helped_units",
    "is_before",
    "is_phase",
    "lands_without_center",
    "legal_texts",
    "no_unit_in",
    "ordered_unit",
    "phase_named",
    "phase_order",
    "phase_title",
    "position_of",
    "power_named",
    "powers_in_english",
    "presumed_units",
    "province_named",
    "read_orders",
    "reads_as_order",
    "rule_choices",
    "rulebook_of",
    "step_of",
    "variant_chosen",
    "variant_named",
    "variant_names",
    "year_of",
    "year_title",
]
