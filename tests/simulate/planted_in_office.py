"""More faults (`planted`): of those who run games and the server, and of who hears of it."""

from __future__ import annotations

from tests.simulate import faults, faults_of_office
from tests.simulate.plant import Plant, instead

IN_OFFICE: dict[str, Plant] = {
    "deadlines do not move after a standstill": Plant(
        instead("games.services.halts.outage_over", lambda **_: None),
        "stood still since",
        seed=4,
        in_every_run=False,
        hurries="halt",
    ),
    "a deputy reads on": Plant(
        instead("mailer.notices.notice.masters", faults.whoever_ran_it),
        "runs the game no longer",
        seed=2,
        in_every_run=False,
        hurries="deputy",
    ),
    "a deputy runs the game for ever": Plant(
        instead("games.queries.roles._co_gms", faults_of_office.all_who_ever_helped),
        "no mail of theirs asks for it",
        in_every_run=False,
        hurries="deputy",
    ),
    "nobody is told of a look": Plant(
        instead("mailer.notices.tell_event", faults_of_office.not_of_looks),
        "nobody told of orders_looked_at",
        seed=4,
        in_every_run=False,
        hurries="look",
    ),
    "whoever has left reads on": Plant(
        instead("mailer.notices.audiences.to_seats", faults_of_office.those_who_left_too),
        "plays no longer",
        seed=2,
        in_every_run=False,
        hurries="left",
    ),
    "a new length moves the open deadline": Plant(
        instead("games.services.gm_settings._refresh", faults_of_office.at_once),
        "and nothing says so",
        seed=4,
        in_every_run=False,
        hurries="settings",
    ),
    "READY outlives its deadline": Plant(
        instead("games.services.deadlines._set_deadline", faults_of_office.ready_as_before),
        "before the deadline moved",
        seed=4,
        in_every_run=False,
        hurries="extend",
        hour=3.9,
    ),
    "whoever is muted writes": Plant(
        instead("games.services.press_allowed._require_unmuted", lambda seat, to, now: None),
        "writes press",
        seed=4,
        in_every_run=False,
        hurries="mute",
    ),
    "whoever is suspended takes over": Plant(
        instead("games.services.seats.require_free", lambda player, *, now: None),
        "takes a seat",
        seed=4,
        in_every_run=False,
        hurries="suspend",
    ),
    "nobody waits for who is away": Plant(
        instead("games.services.opening.absences_of", lambda game, powers, *, since=None: []),
        "is away",
        seed=2,
        in_every_run=False,
        hurries="absence",
    ),
    "an absence that was taken back holds": Plant(
        instead("games.services.opening.absences_of", faults_of_office.taken_back_or_not),
        "and nobody is away",
        seed=3,
        in_every_run=False,
        hurries="absence_off",
    ),
}
