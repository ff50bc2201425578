"""A game's rules in the judge's terms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache

from games.errors import BadInput
from games.queries.wording import LONGEST_WORD, listed
from judge import Rulebook, UnknownRule, issue_choices, issue_numbers

_COLLECTED_SO = {"4.D.1": "c", "4.D.2": "b", "4.E.4": "b", "4.E.5": "c"}
"""Issues of the DATC that are settled before the judge sees the orders, as we settle them. A game
takes no other choice, since it would have no effect."""


def rulebook_of(rules: object) -> Rulebook:
    """Read a game's rules: a preset's name or the judge's rules object. Raises BadInput."""
    return _rulebook(json.dumps(rules, sort_keys=True))


@lru_cache(maxsize=256)
def _rulebook(text: str) -> Rulebook:
    # Remembered by their content, since every mail asks for them several times.
    rules = json.loads(text)
    if isinstance(rules, Mapping):
        for issue, choice in _COLLECTED_SO.items():
            if rules.get(issue, choice) != choice:
                raise BadInput(
                    f"No game here is played by {issue} “{rules[issue]}”: {issue} is always "
                    f"“{choice}” ({issue_choices(issue)[choice]}). Leave {issue} out of the rules."
                )
    try:
        return Rulebook.named(rules) if isinstance(rules, str) else Rulebook.from_json(rules)
    except UnknownRule as error:
        raise BadInput(_no_such_issue(error.issue) if error.issue else str(error)) from error


def _no_such_issue(issue: str) -> str:
    """Name the few that are most alike; the judge would name all three dozen."""
    near = sorted(get_close_matches(issue[:LONGEST_WORD].upper(), issue_numbers()))
    if near:
        return f"There is no rule “{issue}”. Did you mean {listed(near, 'or')}?"
    return f"There is no rule “{issue}”: they go by their numbers in the DATC, such as 4.A.1."


def rule_choices(rules: object) -> tuple[str, ...]:
    """Say where a game's rules differ from their preset, each with its issue: "a convoyed attack
    comes from the last convoying fleet (4.A.4)"."""
    chosen = rules if isinstance(rules, Mapping) else {}
    return tuple(
        f"{issue_choices(issue)[choice]} ({issue})"
        for issue, choice in chosen.items()
        if issue != "preset"
    )
