"""The chain of causes behind a result: "why did my move fail?", answered down to the last cause."""

from __future__ import annotations

from collections.abc import Iterator

from judge.board import bits, mask_of
from judge.movement.reasons import Reasons
from judge.movement.results import STANDS
from judge.movement.variant_resolver import weak_attackers
from judge.wording import in_words


class Explainer:
    """Follows the reasons of a movement phase from order to order."""

    def __init__(self, reasons: Reasons) -> None:
        self.reasons = reasons
        self.s = reasons.s

    def behind(self, index: int) -> Iterator[str]:
        """Yield a sentence on the unit's order, then on every order that led to it, each once."""
        seen, pending = 1 << index, [index]
        while pending:
            here = pending.pop(0)
            causes = 0
            for _, units in self.reasons.all_of(here):
                causes |= units
            yield self.in_full(here)
            causes = self.reasons.visible(causes | self.helping(here))
            pending += bits(causes & ~seen)
            seen |= causes

    def helping(self, index: int) -> int:
        """Return the supporters whose support counted for the order, or was lost to it."""
        s = self.s
        asked = (s.movers | self.reasons.beaten) >> index & 1
        return s.helpers[index] & s.supporters if asked else 0

    def in_full(self, index: int) -> str:
        """Return the order with its result, its supports and its reasons."""
        help_given = self.s.helpers[index] & self.s.given
        backed = f"{self.backing(index)} {self.reasons.units(help_given)}" if help_given else ""
        sentences = " ".join(sentence for sentence, _ in self.reasons.all_of(index))
        ordered = index in self.reasons.orders
        word = self.reasons.words[index] if ordered else STANDS
        # "Stands" and "dislodged" together would be silly (4.E.2).
        told = "" if word == STANDS and self.reasons.beaten >> index & 1 else f": {word[0]}"
        result = f"{self.reasons.order(index)}{told}{backed}."
        return " ".join(filter(None, (result, sentences, self.why_not_cut(index))))

    def why_not_cut(self, index: int) -> str:
        """Say why a support was given although its unit was attacked; "" if it was not attacked."""
        s = self.s
        attackers = s.into[index] if s.given >> index & 1 else 0
        told = []
        for without_effect, why in (
            (s.own[index], "which is of the same power"),
            (self.by_rail(attackers), "which goes by rail and cuts nothing"),
            (s.pathless & s.unusual, "which was not let through"),
            (self.without_convoy(attackers), "which had no convoy"),
            (s.pathless, "whose convoy failed"),
            (s.harmless.get(index, 0), "whose convoy the support threatens (4.A.2)"),
            (s.side[index], "against which it supports"),
            (weak_attackers(s, index, attackers)[0], "which was too weak over a difficult border"),
        ):
            if these := attackers & without_effect:
                told.append(f"{self.reasons.names(these)}, {why}")
                attackers &= ~these
        return f"Not cut by {in_words(told)}." if told else ""

    def by_rail(self, movers: int) -> int:
        """Return those of the movers that are trains."""
        return mask_of(slot for slot in bits(movers) if slot in self.s.stand_ins)

    def without_convoy(self, armies: int) -> int:
        """Return those of the armies that no fleets were ordered to convoy all the way."""
        pathless = armies & self.s.pathless & ~self.s.unusual
        return mask_of(
            army for army in bits(pathless) if not self.reasons.was_ordered_to_convoy(army)
        )

    def backing(self, index: int) -> str:
        """Return the words that join the result of an order to the supports given to it."""
        if not self.s.movers >> index & 1:
            return ", supported by"
        return " despite the support of" if self.s.failed >> index & 1 else " with the support of"
