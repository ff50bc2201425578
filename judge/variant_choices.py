"""What a game may choose about its variant: "standard+victory=20+builds=owned+start=winter"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from judge.board import BoardError
from judge.errors import UnknownVariant
from judge.phase import Phase, year_before
from judge.variant import BuildSites, Variant


def with_choices(variant: Variant, name: str, choices: Sequence[str]) -> Variant:
    """Return the variant with the choices of a game: "victory=20", "builds=owned",
    "start=winter", or one of its map options. Raises UnknownVariant."""
    options = [text.partition("=")[0] for text in choices]
    if len(set(options)) < len(options):
        raise UnknownVariant(f"There is a choice made twice for {variant.title}.")
    for text in choices:
        option, _, choice = text.partition("=")
        make = _CHOOSERS.get(option)
        try:
            made = make(variant, choice) if make else variant.with_options({option: choice})
        except (BoardError, ValueError) as wrong:
            known = ", ".join((*_choices(variant), *variant.map_options))
            instead = wrong if option in variant.map_options else f"You can choose {known}."
            sentence = f"“{text}” cannot be chosen for {variant.title}. {instead}"
            raise UnknownVariant(sentence) from None
        variant = made
    return replace(variant, name=name)


def _with_victory(variant: Variant, choice: str) -> Variant:
    """Make this number of centres win."""
    centers = int(choice)
    # Otherwise each way to write a choice would be a variant of its own, kept for ever: "020",
    # "２０".
    if choice != str(centers) or centers not in _victories(variant):
        raise ValueError(choice)
    told = f"It takes {centers} centres to win, not {variant.victory_centers}."
    told_of = variant if centers == variant.victory_centers else variant.telling("victory", told)
    return replace(told_of, victory_centers=centers)


def _victories(variant: Variant) -> range:
    """Return the number of centres that can be set to win: more than anybody begins with."""
    start = max(len(power.start_centers) for power in variant.by_name.values())
    return range(start + 1, len(variant.board.centers) + 1)


def _with_builds(variant: Variant, choice: str) -> Variant:
    """Let units be built in home centres, or in any owned centre."""
    if choice not in _SITES:
        raise ValueError(choice)
    told_of = (
        variant if choice == variant.build_sites else variant.telling("builds", _SITES[choice])
    )
    return replace(told_of, build_sites=cast(BuildSites, choice))


def _with_start(variant: Variant, choice: str) -> Variant:
    """Begin in the winter before, with builds instead of units."""
    first = variant.first_phase
    if choice != "winter" or first.season != "S":
        raise ValueError(choice)
    winter = Phase(year_before(first.year, variant.calendar.fall_to_spring), "W", "A")
    powers = {name: replace(power, start_units=()) for name, power in variant.by_name.items()}
    when = winter.long_name.removesuffix(" adjustments")
    told = f"The game begins with builds in {when}: each power chooses its units."
    return replace(variant.telling("start", told), first_phase=winter, by_name=powers)


_SITES = {
    "home": "Units are built in home centres only, not in any free centre that their power owns.",
    "owned": "Units are built in any free centre that their power owns, not in home centres only.",
}
_CHOOSERS: Mapping[str, Callable[[Variant, str], Variant]] = {
    "victory": _with_victory,
    "builds": _with_builds,
    "start": _with_start,
}


def _choices(variant: Variant) -> Iterator[str]:
    """Yield what can be chosen for the variant, besides the options of its map."""
    if victories := _victories(variant):
        yield f"victory={victories[0]} to victory={victories[-1]}"
    yield "builds=home or builds=owned"
    if variant.first_phase.season == "S":
        yield "start=winter"
