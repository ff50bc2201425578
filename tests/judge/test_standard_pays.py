"""The standard game pays next to nothing for the rules of variants."""

from __future__ import annotations

from benchmarks.standard_pays import bytecodes, hook_shares, is_hook, movement_phases
from judge import adjudicate, load_variant


def test_of_a_hundred_bytecodes_of_a_standard_phase_two_at_most_ask_for_variants() -> None:
    """Counted, not timed: the same on every machine. `python -m benchmarks.standard_pays`."""
    shares = hook_shares(movement_phases(15))

    assert set(shares) == {"orders as values", "orders as text"}
    assert all(0 < share <= 0.02 for share in shares.values()), shares


def test_the_count_sees_the_lines_that_ask() -> None:
    phase = movement_phases(1)[0]
    counts = bytecodes(lambda: adjudicate(*phase))
    asked = {at for at in counts if is_hook(*at)}

    assert not load_variant("standard").own_rules
    assert {name.rpartition("/")[2] for name, _ in asked} >= {"matching.py", "variant.py"}
