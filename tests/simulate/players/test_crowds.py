"""Who plays in a crowd, and who in other games."""

from __future__ import annotations

from tests.simulate.players.crowds import SILENT, boards_of, is_crowded, names_for, settings_of
from tests.simulate.players.writers import CROWD, NAMES, SPARE
from tests.simulate.tables import BOARDS, powers_of


def test_nobody_stands_by_who_plays_and_there_is_a_player_for_each_power() -> None:
    for _, variant, *_ in (*BOARDS, (1, "chaos", "", False)):
        names = names_for([variant])
        assert len(set(names)) == len(names) >= len(powers_of(variant)) + len(SPARE), variant
        assert not set(names[: len(powers_of(variant))]) & set(SPARE)
    assert names_for(["standard", "hundred"]) == NAMES
    assert len(CROWD) > SILENT


def test_a_crowded_seed_has_one_game_and_others_have_as_many_as_they_have() -> None:
    crowded, other = (
        next(n for n in range(99) if is_crowded(n) is is_so) for is_so in (True, False)
    )
    assert [board["variant"] for board in boards_of(crowded, 3).values()] == ["chaos"]
    assert settings_of(crowded)["disorder_after"] == 2
    assert (len(boards_of(other, 3)), settings_of(other)) == (3, {})
