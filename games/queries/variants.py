"""What there is to say about a variant: who plays, from when, how many centres win, its own rules,
and who made it up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.queries import board


@dataclass(frozen=True, slots=True)
class VariantText:
    """A variant as people read it."""

    name: str
    """The name by which it is chosen: "ancient_med"."""
    title: str
    designer: str
    """Who made it up; "" if nobody knows."""
    powers: tuple[str, ...]
    centers: int
    victory_centers: int
    begins: str
    """Its first phase: "Spring 1901 movement"."""
    differs: tuple[str, ...]
    """How it differs from the standard game, a paragraph for each difference."""

    @property
    def plain_name(self) -> str:
        """The name without what a game chose about it: "milan" for `milan+start=winter`."""
        return self.name.partition("+")[0]

    @property
    def in_short(self) -> str:
        """One sentence: "Modern by Vincent Mous: 10 powers, 33 of 64 centres win."."""
        by = f" by {self.designer}" if self.designer else " (designer unknown)"
        return (
            f"{self.title}{by}: {len(self.powers)} powers, {self.victory_centers} of "
            f"{self.centers} centres win."
        )


def variant_text(name: str, *, played: bool = False) -> VariantText:
    """Describe a variant. Raises BadInput with the names that exist; JudgeError for that of a game
    which is `played`."""
    variant = (board.variant_played if played else board.variant_named)(name)
    return VariantText(
        name=variant.name,
        title=variant.title,
        designer=variant.designer,
        powers=variant.powers,
        centers=len(variant.board.centers),
        victory_centers=variant.victory_centers,
        begins=variant.first_phase.long_name,
        differs=variant.differs,
    )


def all_variants() -> list[VariantText]:
    """Describe every variant, the standard game first, then by title."""
    found = [variant_text(name) for name in board.variant_names()]
    return sorted(found, key=lambda one: (one.name != "standard", one.title.lower()))


def variant_called(name: str) -> VariantText | None:
    """Return the variant of that name or title, in upper or lower case and with any signs between
    its words: "ancient_med", "Ancient Mediterranean", "France - Austria"."""
    wanted = _plain(name)
    found = (one for one in all_variants() if wanted in (_plain(one.name), _plain(one.title)))
    return next(found, None)


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


_HEAD = """\
# The variants

Choose one of these when you make a game: with `--variant`, in the form of the admin, or with
`CREATE` by mail. Each has its own powers and map and, where this page lists them, its own rules.
The start mail repeats these rules, and so does `RULES` by mail. Players write the names of
provinces in full, or by their abbreviations.

A game may also choose how many centres win (`victory=20`), where units are built (`builds=owned`),
and whether it begins with builds (`start=winter`). Write these words into `--variant-options`, into
*Choices of the variant* in the form, or after the variant in `CREATE`. They are explained wherever
people look for a game: in `LIST`, `STATUS` and `RULES`, on its page, in the invitation, and in the
offer of a seat.

We compiled the maps from borders, centres and starts, which are facts. The texts and drawings are
ours, the ideas their designers'. `manage.py list_variants --page` writes this page.
"""


def variants_page() -> str:
    """Return docs/variants.md."""
    return "\n".join([_HEAD, *map(_section, all_variants())])


def _section(one: VariantText) -> str:
    by = f"Designed by {one.designer}. " if one.designer else "Designer unknown. "
    powers = f"{len(one.powers)} powers"
    if len(one.powers) <= 12:
        powers += f": {', '.join(one.powers)}"
    facts = (
        f"{by}{powers}. First phase: {one.begins}. {one.victory_centers} of {one.centers} centres "
        "win."
    )
    parts = [f"## {one.title} (`{one.name}`)", facts, *one.differs, *_choices(one.name)]
    return "\n\n".join(parts) + "\n"


def _choices(name: str) -> Iterator[str]:
    """Yield what a game may choose about the map."""
    for option, about in board.variant_named(name).map_options.items():
        choices = [f"* `{option}={key}`: {one['text']}." for key, one in about.choices.items()]
        yield f"A game may choose {about.about} (`{about.default}` if it does not):"
        yield "\n".join(choices)
