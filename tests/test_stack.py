"""Room on Python's own stack (tests/stack.py)."""

import resource

from tests.stack import with_deep_stack

CALLS = 2_000


def nothing() -> None:
    pass


def asked_at(depth: int) -> int:
    """How often the system was asked for memory while many calls were made at this depth."""
    if depth:
        return asked_at(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(CALLS):
        nothing()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def test_calls_at_no_depth_ask_the_system_for_memory_each_time() -> None:
    assert with_deep_stack(lambda: max(asked_at(depth) for depth in range(300))) < CALLS / 2
