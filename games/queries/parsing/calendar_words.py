"""Months, days of the week and near days, as people write them in ten languages.

English, German, French, Spanish, Italian, Dutch, Polish, Portuguese, Swedish, Russian. Words are
compared without capitals and accents (`plain`). Days of the week have short forms in English only:
"mar" is March for most, and a Tuesday for some.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

_MONTHS = (
    "jan january januar janvier janv enero ene gennaio gen januari styczen stycznia janeiro"
    " январь января янв",
    "feb february februar fevrier fevr febrero febbraio februari luty lutego fevereiro fev"
    " февраль февраля фев",
    "mar march maerz marz mars marzo maart marzec marca marco mrz март марта",
    "apr april avril avr abril abr aprile kwiecien kwietnia апрель апреля апр",
    "may mai mayo maggio mag mei maj maja maio май мая",
    "jun june juni juin junio giugno giu czerwiec czerwca junho июнь июня июн",
    "jul july juli juillet juil julio luglio lug lipiec lipca julho июль июля июл",
    "aug august aout agosto ago augustus sierpien sierpnia augusti август августа авг",
    "sep sept september septembre septiembre settembre set wrzesien wrzesnia setembro"
    " сентябрь сентября сен сент",
    "oct october oktober okt octobre octubre ottobre ott pazdziernik pazdziernika outubro out"
    " октябрь октября окт",
    "nov november novembre noviembre listopad listopada novembro ноябрь ноября ноя",
    "dec december dezember dez decembre diciembre dic dicembre grudzien grudnia dezembro"
    " декабрь декабря дек",
)

_WEEKDAYS = (
    "mon monday montag lundi lunes lunedi maandag poniedzialek segunda segunda-feira mandag"
    " понедельник",
    "tue tues tuesday dienstag mardi martes martedi dinsdag wtorek terca terca-feira tisdag"
    " вторник",
    "wed wednesday mittwoch mercredi miercoles mercoledi woensdag sroda srode quarta quarta-feira"
    " onsdag среда среду",
    "thu thur thurs thursday donnerstag jeudi jueves giovedi donderdag czwartek quinta"
    " quinta-feira torsdag четверг",
    "fri friday freitag vendredi viernes venerdi vrijdag piatek sexta sexta-feira fredag"
    " пятница пятницу",
    "sat saturday samstag sonnabend samedi sabado sabato zaterdag sobota sobote lordag"
    " суббота субботу",
    "sun sunday sonntag dimanche domingo domenica zondag niedziela niedziele sondag воскресенье",
)

_DAYS = (
    "today tonight heute aujourd'hui hoy oggi vandaag dzis dzisiaj hoje idag i_dag сегодня",
    "tomorrow tmrw morgen demain manana domani jutro amanha imorgon i_morgon завтра",
    "day_after_tomorrow the_day_after_tomorrow ubermorgen uebermorgen apres-demain pasado_manana"
    " dopodomani overmorgen pojutrze depois_de_amanha i_overmorgon послезавтра",
)

_NEXT_WEEK = (
    "next_week the_coming_week nachste_woche kommende_woche la_semaine_prochaine"
    " semaine_prochaine la_proxima_semana la_semana_que_viene proxima_semana settimana_prossima"
    " la_prossima_settimana volgende_week w_przyszlym_tygodniu nasta_vecka на_следующей_неделе"
)

_TO = (
    "to until till til through thru bis jusqu'au au hasta al fino_al tot tot_en_met t/m do ate"
    " a till_och_med по до"
)
_UNTIL = "until till til bis jusqu'au hasta fino_al tot tot_en_met ate till до"


def plain(text: str) -> str:
    """The text in small letters without accents, as these words are written."""
    lowered = text.casefold().replace("ł", "l").replace("’", "'")
    decomposed = unicodedata.normalize("NFKD", lowered)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _number_words(rows: tuple[str, ...], first: int) -> Mapping[str, int]:
    return {
        plain(word).replace("_", " "): number
        for number, row in enumerate(rows, start=first)
        for word in row.split()
    }


MONTHS = _number_words(_MONTHS, 1)
"""From 1 for January."""
WEEKDAYS = _number_words(_WEEKDAYS, 0)
"""From 0 for Monday."""
DAYS = _number_words(_DAYS, 0)
"""Days from today."""
NEXT_WEEK = tuple(plain(words).replace("_", " ") for words in _NEXT_WEEK.split())
TO = tuple(words.replace("_", " ") for words in _TO.split())
"""What separates a first day from a last one."""
UNTIL = tuple(words.replace("_", " ") for words in _UNTIL.split())
"""What comes before a last day if the first is today."""
