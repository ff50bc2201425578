"""The words for the seasons in the languages in which people play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Season = Literal["S", "F", "W"]
"""A season's letter in the names of phases. Those who moved in spring retreat in summer."""

IN_ENGLISH: Mapping[Season, str] = {"S": "spring summer", "F": "fall autumn", "W": "winter"}
ABROAD: Mapping[Season, str] = {
    "S": "frühling frühjahr fruehling fruehjahr sommer printemps été primavera verano estate"
    " l'estate lente voorjaar zomer verão wiosna wiosnę wiosny lato lata vår våren sommar sommaren"
    " forår весна весны весну весной лето летом ilkbahar bahar",
    "F": "herbst automne l'automne otoño autunno l'autunno herfst najaar outono jesień jesieni höst"
    " hösten efterår осень осени осенью sonbahar güz",
    "W": "winter hiver l'hiver invierno inverno l'inverno zima zimę zimy vinter vintern зима зимы"
    " зиму зимой kış",
}
SEASONS: Mapping[Season, tuple[str, ...]] = {
    season: (*IN_ENGLISH[season].split(), *ABROAD[season].split()) for season in IN_ENGLISH
}
"""All words for each season, in small letters and with their accents."""
