"""What players may be called: nothing that others would take for somebody else."""

from __future__ import annotations

import pytest

from games.errors import BadInput
from games.services.names import require_free

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name",
    ["judge", "Diplomacy Judge", "The Judges", "GM", "Game Master", "The Moderators", "Adm1n"],
)
def test_nobody_is_called_as_those_whom_players_trust(name: str) -> None:
    with pytest.raises(BadInput, match="whom players trust"):
        require_free(name, None)


@pytest.mark.parametrize("name", ["Judy Garland", "G. M. Hopkins", "Judgement", "Modesty Blaise"])
def test_a_name_that_only_begins_like_an_office_is_free(name: str) -> None:
    require_free(name, None)
