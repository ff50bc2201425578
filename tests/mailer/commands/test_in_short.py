"""Which lines of a receipt need not be said again: orders in short."""

from __future__ import annotations

import pytest

from games.queries.board import bordering
from mailer.commands.texts.in_short import says_in_short


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A Par-Bur", "A Paris - Burgundy"),
        ("a par → bur", "A Paris - Burgundy"),
        ("Army Paris - Burg", "A Paris - Burgundy"),
        ("F Bre-MAO", "F Brest - Mid-Atlantic Ocean"),
        ("F BRE - MID", "F Brest - Mid-Atlantic Ocean"),
        ("F Lon - NTH", "F London - North Sea"),
        ("F Mar - LYO", "F Marseilles - Gulf of Lyon"),
        ("F MAO-Spa(sc)", "F Mid-Atlantic Ocean - Spain(sc)"),
        ("A Mar S A Par-Bur", "A Marseilles Supports A Paris - Burgundy"),
        ("F NTH C A Lon - Nwy", "F North Sea Convoys A London - Norway"),
        ("F Bre H", "F Brest Holds"),
        ("Build A StP", "Build A St Petersburg"),
    ],
)
def test_short_forms_need_no_explanation(text: str, order: str) -> None:
    assert says_in_short(text, order)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A Par Bur", "A Paris - Burgundy"),
        ("Par-Bur", "A Paris - Burgundy"),
        ("A Oar-Bur", "A Paris - Burgundy"),
        ("Army Paris moves to Burgundy", "A Paris - Burgundy"),
        ("A Par S Mar", "A Paris Supports A Marseilles"),
        ("A Mar S A Par", "A Marseilles Supports A Paris - Burgundy"),
        ("A Par-Bur, thanks", "A Paris - Burgundy"),
        ("HOLD ALL", "A Paris Holds"),
        ("", "A Paris Holds"),
    ],
)
def test_other_words_than_the_order_in_short_need_an_explanation(text: str, order: str) -> None:
    assert not says_in_short(text, order)


@pytest.mark.parametrize(
    ("text", "order", "is_plain"),
    [
        ("F Nwg - Nor", "F Norwegian Sea - Norway", False),
        ("F Nwg - Nwy", "F Norwegian Sea - Norway", True),
        ("F Nwg - Norway", "F Norwegian Sea - Norway", True),
        ("F Edi - North", "F Edinburgh - North Sea", False),
        ("F Edi - North Sea", "F Edinburgh - North Sea", True),
        ("F MAO - Spa(sc)", "F Mid-Atlantic Ocean - Spain(sc)", True),
        ("A Ven - Tri", "A Venice - Trieste", True),
    ],
)
def test_what_begins_several_names_is_said_at_length(text: str, order: str, is_plain: bool) -> None:
    assert says_in_short(text, order, bordering("standard")) == is_plain
