"""The moments of a game in which the mails of the corpus are written."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from games.models import Game, Press
from games.services.adjudication.phases import phase_process
from games.services.endings.ending import game_end
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer import jobs
from mailer.outbound import addresses
from tests.cast import NOW, OPENINGS, PLAIN, POWERS, Cast, make_gm, make_player, submit
from tests.made import made_once
from tests.mailer.correspondence import answer_to, home, to_seat, told_cast, write

OWNED = {
    "Austria": ["Vienna", "Budapest", "Trieste", "Serbia"],
    "England": ["London", "Liverpool", "Edinburgh", "Norway", "Belgium"],
    "France": ["Paris", "Marseilles", "Brest", "Spain", "Portugal", "Tunis"],
    "Germany": ["Munich", "Berlin", "Kiel", "Holland", "Denmark"],
    "Italy": [],
    "Russia": ["Moscow", "Warsaw", "Sevastopol", "St Petersburg", "Sweden"],
    "Turkey": ["Constantinople", "Smyrna", "Ankara", "Bulgaria", "Greece"],
}
FALL = {
    "Austria": ["A Vienna", "A Budapest", "F Trieste", "A Serbia"],
    "England": ["A London", "F North Sea", "F Norwegian Sea", "F English Channel", "A Norway"],
    "France": ["A Burgundy", "A Paris", "A Gascony", "F Mid-Atlantic Ocean", "F Gulf of Lyon"],
    "Germany": ["A Munich", "A Berlin", "F Kiel", "A Holland", "F Denmark"],
    "Italy": [],
    "Russia": ["F St Petersburg(nc)", "A Moscow", "A Warsaw", "F Sevastopol", "A Livonia"],
    "Turkey": ["A Bulgaria", "F Black Sea", "F Aegean Sea", "A Smyrna", "F Constantinople"],
}
"""Italy is out of the game."""
RETREATS = {
    **FALL,
    "France": ["A Paris", "A Gascony", "F Mid-Atlantic Ocean"],
    "Germany": ["A Burgundy", "A Berlin", "F Kiel", "A Holland", "F Denmark", "F Gulf of Lyon"],
}
DISLODGED = [
    {
        "power": "France",
        "unit": "A Burgundy",
        "retreats": ["Marseilles", "Picardy", "Belgium"],
    },
    {
        "power": "France",
        "unit": "F Gulf of Lyon",
        "retreats": ["Spain(sc)", "Western Mediterranean", "Tyrrhenian Sea"],
    },
]
WINTER = {
    **FALL,
    "England": ["A Norway", "F North Sea", "F English Channel"],
    "France": ["A Burgundy", "A Gascony", "F Mid-Atlantic Ocean", "F Gulf of Lyon"],
    "Germany": ["A Munich", "A Silesia", "F Kiel", "A Holland", "F Denmark", "A Ruhr", "A Berlin"],
    "Russia": ["A Moscow", "A Warsaw", "F Sevastopol", "A Livonia"],
}
"""England and France build two, Russia one in St Petersburg; Germany disbands two."""
BOARDS: dict[str, dict[str, Any]] = {
    "S1901M": {},
    "two": {},
    "F1903M": {"units": FALL, "centers": OWNED},
    "F1903R": {"units": RETREATS, "centers": OWNED, "dislodged": DISLODGED},
    "W1903A": {"units": WINTER, "centers": OWNED},
}
OTHER_MAPS: dict[str, dict[str, Any]] = {
    "colonial/F1872M": {
        "units": {
            "Britain": [
                "A Egypt",
                "F Mediterranean Sea",
                "F Red Sea",
                "A Bombay",
                "F Arabian Sea",
                "F Gulf of Aden",
                "F Bay of Bengal",
                "A Upper Burma",
                "F Hong Kong",
            ],
            "China": ["A Canton", "A Yunnan", "A Mongolia", "A Sinkiang", "F Shanghai"],
            "France": ["A Bangkok", "F Gulf of Siam", "A Tongking"],
            "Holland": [
                "F Java Sea",
                "F Celebes Sea",
                "A Borneo",
                "F New Guinea",
                "A Manila",
                "F Cebu",
            ],
            "Japan": ["F Formosa", "A Otaru", "F Sea of Japan", "A Fusan", "F Upper Pacific"],
            "Russia": [
                "A Moscow",
                "A Perm",
                "A Irkutsk",
                "A Kashgar",
                "F Black Sea",
                "F Port Arthur",
            ],
            "Turkey": ["A Angora", "F Constantinople", "A Arabia", "F Persian Gulf"],
        },
    },
    "colonial/W1872A": {
        "units": {
            "China": ["A Canton", "A Mongolia"],
            "Russia": ["A Moscow", "A Perm"],
            "Britain": ["A Egypt", "F Red Sea", "F Bombay"],
            "Holland": ["F Java Sea", "A Borneo", "F Cebu", "A Manila"],
        },
        "centers": {
            "China": ["Canton", "Manchuria", "Peking", "Shanghai", "Hong Kong", "Mongolia"],
            "Russia": ["Moscow", "Odessa", "Omsk", "Port Arthur", "Vladivostok"],
            "Britain": ["Aden", "Bombay", "Delhi", "Madras", "Singapore"],
            "Holland": ["Borneo", "Java"],
        },
    },
    "ancient/F3M": {
        "units": {
            "Carthage": [
                "A Saguntum",
                "F Baleares",
                "F Iberian Sea",
                "F Punic Sea",
                "A Sicily",
                "A Thapsus",
            ],
            "Egypt": ["A Sinai", "F Gulf of Pelusium", "A Jerusalem", "F Egyptian Sea"],
            "Greece": ["A Byzantium", "F Aegean Sea", "A Crete", "F Messenian Sea", "A Macedonia"],
            "Persia": ["A Antioch", "F Syrian Sea", "A Tyre", "F Cyprus"],
            "Rome": [
                "A Massilia",
                "F Tyrrhenian Sea",
                "F Ligurian Sea",
                "A Etruria",
                "A Vindobona",
                "F Ausonian Sea",
            ],
        },
    },
    "ancient/W3A": {
        "units": {
            "Rome": ["A Massilia", "A Vindobona"],
            "Egypt": ["A Jerusalem", "F Egyptian Sea", "A Sinai"],
            "Persia": ["F Cyprus"],
        },
        "centers": {
            "Rome": ["Rome", "Neapolis", "Ravenna", "Massilia"],
            "Egypt": ["Memphis"],
            "Persia": ["Antioch", "Damascus", "Sidon"],
        },
    },
    "modern/F1995M": {
        "units": {
            "Britain": [
                "F North Sea",
                "A Wales",
                "F English Channel",
                "F Mid Atlantic Ocean",
                "F Straits of Gibraltar",
            ],
            "Egypt": ["A Cairo", "F Libyan Sea", "F Eastern Mediterranean", "A Sinai"],
            "Russia": [
                "F Barents Sea",
                "A Moscow",
                "F Caspian Sea",
                "A Caucasus",
                "F Eastern Black Sea",
                "A Central Russian Plateau",
            ],
            "Turkey": ["A Iran", "F Western Black Sea", "A Ankara", "A Istanbul"],
            "Poland": ["A Bielorussia", "F Bornholm Sea", "A Czech Republic"],
        },
    },
    "modern/W1995A": {
        "units": {
            "Russia": ["A Moscow", "F Caspian Sea"],
            "Britain": ["F North Sea"],
            "Ukraine": ["A Rumania", "F Georgia", "A Moldavia"],
        },
        "centers": {
            "Russia": ["Gorky", "Moscow", "Murmansk", "Rostov", "St-Petersburg"],
            "Britain": ["Edinburgh", "Gibraltar", "Liverpool", "London"],
            "Ukraine": ["Kiev", "Odessa"],
        },
    },
    "youngstown/F1902M": {
        "units": {
            "England": [
                "F Mid-Atlantic Ocean",
                "F Off Board A",
                "A Off Board D",
                "F Off Board C",
                "F South Atlantic Ocean",
            ],
            "Japan": [
                "F Off Board I",
                "F North Pacific Ocean",
                "A Korea",
                "F Sea of Japan",
                "F South China Sea",
                "A Formosa",
            ],
            "Turkey": ["F Suez", "A Egypt", "F Eastern Mediterranean Sea", "A Nejd", "F Red Sea"],
            "China": ["A Outer Mongolia", "A Inner Mongolia", "F Gulf of Tonkin", "A Sikang"],
            "India": ["F Thailand(wc)", "A Burma", "F Bay of Bengal", "A Nepal"],
        },
    },
    "hundred/W1430A": {
        "units": {
            "England": ["A Calais", "F London"],
            "France": ["A Paris", "A Orleanais", "A Dauphine", "A Toulouse", "A Savoy"],
            "Burgundy": ["A Dijon"],
        },
        "centers": {
            "England": ["Calais", "Devon", "London", "Guyenne", "Scotland"],
            "France": ["Paris", "Orleanais", "Dauphine"],
            "Burgundy": ["Dijon", "Flanders", "Holland", "Cantons"],
        },
    },
    "loeb9/F1901M": {
        "units": {
            "Norway": ["F Arctic Ocean", "A Norway", "F Norwegian Sea", "A Finland"],
            "Spain": ["A Cordoba", "F Western Mediterranean", "A North Africa", "F Corsica"],
            "Italy": ["A Naples", "A Sicily", "F Tyrrhenian Sea", "F Ionian Sea"],
        },
    },
    "1900/W1900A": {
        "units": {"Russia": ["A Moscow", "A Warsaw"], "Britain": ["F Gibraltar"]},
        "centers": {
            "Russia": ["Moscow", "Sevastopol", "St Petersburg"],
            "Britain": ["Edinburgh", "London", "Egypt"],
        },
    },
}
"""The boards of other games, each with the kind of game before its phase."""


GAMES: dict[str, dict[str, Any]] = {
    "fog": {"fog": True, "observers": False},
    "gunboat": {"press_mode": "none", "anonymous": True},
    "broadcast": {"press_mode": "public"},
    "private": {"press_mode": "private"},
    "anywhere": {"variant_options": "builds=owned"},
    "winter": {"variant_options": "start=winter"},
    "rome": {"variant": "fleet_rome"},
    "1900": {"variant": "1900"},
    "1898": {"variant": "1898"},
    "youngstown": {"variant": "youngstown"},
    "chaos": {"variant": "chaos"},
    "colonial": {"variant": "colonial"},
    "ancient": {"variant": "ancient_med"},
    "modern": {"variant": "modern"},
    "hundred": {"variant": "hundred"},
    "loeb9": {"variant": "loeb9"},
    "milan": {"variant": "milan"},
    "pure": {"variant": "pure"},
    "crowded": {"variant": "crowded"},
    "juggernaut": {"variant": "frankland_juggernaut"},
}
"""Other games than the standard one, by the settings that make them."""


def scene(name: str) -> Cast:
    """The cast in that phase; "before" and "after" are the game's start and its end; in
    "two" Carla has joined another game; "F1901M" comes after a Spring that was played.

    "fog/F1903M" is that phase in a game of GAMES; "fog" its start. Other maps have boards of their
    own (OTHER_MAPS).
    """
    kind, _, name = name.partition("/") if name.split("/")[0] in GAMES else ("", "", name)
    cast = other_cast(kind) if kind else played_cast() if name == "F1901M" else told_cast()
    if name == "two":
        game_create(name="verdun", gm=cast.gm, now=NOW)
        write("Carla", "JOIN verdun England", to=home("Carla"))
    if changes := OTHER_MAPS.get(f"{kind}/{name}") or BOARDS.get(name):
        phase = cast.phase
        state: Any = {**phase.position, "phase": name, **changes}
        phase.name, phase.position = name, state
        phase.save()
    return cast


def other_cast(kind: str) -> Cast:
    """The game `marne` as one of GAMES, which has just begun, and everybody has been told."""
    made_once(f"a game of the corpus: {kind}", lambda: _other_cast(kind))
    return Cast(Game.objects.get(name="marne"), User.objects.get(username="gm"))


def _other_cast(kind: str) -> None:
    settings = {**PLAIN, **GAMES[kind]}
    game = game_create(name="marne", gm=make_gm(), now=NOW, **settings)
    for number, power in enumerate(game.powers.all()):
        name = next((one for one, played in POWERS.items() if played == power.name), "")
        player = make_player(name or f"Player{number}")
        game_join(game=game, player=player, preferences=power.name, now=NOW)
    jobs.tell(NOW)


def played_cast() -> Cast:
    """The cast in Fall 1901, with everybody's OPENINGS behind it."""
    made_once("the cast in Fall 1901", _played_cast)
    return Cast(Game.objects.get(name="marne"), User.objects.get(username="gm"))


def _played_cast() -> None:
    cast = told_cast()
    for power, lines in OPENINGS.items():
        submit(cast, power, lines)
    phase_process(game_id=cast.game.pk, now=NOW)


def address(cast: Cast, name: str, power: str, to: str = "") -> tuple[str, str]:
    """Who writes, and the reply address to which they do; `to` as in the table of mails."""
    if name == "before":
        game_create(name="verdun", gm=cast.gm, now=NOW)
        joined = answer_to(write("Hugo", "JOIN verdun France", to=home("Hugo")))
        return "Hugo", joined.reply_to
    where = _address_of(cast, power, to)
    if name == "after":
        game_end(game=cast.game, winners=["France"], why="All agree.", by="gm", now=NOW)
    return cast.seat(power).player.name, where


def _address_of(cast: Cast, power: str, to: str) -> str:
    """That of a letter from Italy, or of the mails about a phase; the open one if none is named."""
    seat = cast.seat(power)
    if to == "press":
        italy = to_seat(cast, "Italy")
        write("Emma", f"PRESS TO {power}\nWhat will you do?", to=italy)
        press = Press.objects.get()
        return addresses.answer_address(seat=seat, press=press, to_all=False, now=NOW)
    phase = cast.game.phases.get(name=to) if to else cast.phase
    return addresses.seat_address(seat=seat, phase=phase, now=NOW)
