"""What happens to a proposal to end the game."""

from __future__ import annotations

from dataclasses import dataclass

from games.events.facts import Facts

EXPIRED = "has expired"
"""How a proposal is closed that stood open when its phase was processed."""


@dataclass(frozen=True, kw_only=True)
class OnProposal(Facts):
    """Something about a proposal to end the game."""

    phase: str | None
    number: int
    """The proposal's number in the game."""
    what: str
    """What is proposed, as the middle of a sentence: "a draw between England and France"."""


@dataclass(frozen=True, kw_only=True)
class VoteProposed(OnProposal):
    kind = "vote_proposed"
    sentence = "{title}: {by} proposed {what} (proposal {number})."

    by: str


@dataclass(frozen=True, kw_only=True)
class VoteCast(OnProposal):
    kind = "vote_cast"
    sentence = "{title}: {power} voted {vote} on proposal {number}."

    power: str
    vote: str


@dataclass(frozen=True, kw_only=True)
class VoteClosed(OnProposal):
    kind = "vote_closed"
    sentence = "{title}: proposal {number}, {what}, {how}."

    how: str

    @property
    def is_expired(self) -> bool:
        """Whether nobody closed it: the mail with the phase's results says so."""
        return self.how == EXPIRED
