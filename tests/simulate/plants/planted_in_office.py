"""More faults (`planted`): of those who run games and the server, and of who hears of it."""

from __future__ import annotations

from tests.simulate.plants import faults, faults_of_office
from tests.simulate.plants.plant import Plant, instead

IN_OFFICE: dict[str, Plant] = {
    "deadlines do not move after a standstill": Plant(
        instead("games.services.clock.halts.outage_over", lambda **_: None),
        "stood still since",
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
        instead("games.queries.access.roles._co_gms", faults_of_office.all_who_ever_helped),
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
        instead("games.services.setup.gm_settings._refresh", faults_of_office.at_once),
        "and nothing says so",
        seed=4,
        in_every_run=False,
        hurries="settings",
    ),
    "READY outlives its deadline": Plant(
        instead("games.services.clock.deadlines.deadline_set", faults_of_office.ready_as_before),
        "before the deadline moved",
        seed=4,
        in_every_run=False,
        hurries="extend",
        hour=3.9,
    ),
    "whoever is muted writes": Plant(
        instead(
            "games.services.messages.press_allowed._require_unmuted", lambda seat, to, now: None
        ),
        "writes press",
        seed=4,
        in_every_run=False,
        hurries="mute",
    ),
    "whoever is suspended takes over": Plant(
        instead("games.services.seating.seats.require_free", lambda player, *, now: None),
        "takes a seat",
        seed=4,
        in_every_run=False,
        hurries="suspend",
    ),
    "nobody waits for who is away": Plant(
        instead(
            "games.services.adjudication.opening.absences_of",
            lambda game, powers, *, since=None: [],
        ),
        "is away",
        seed=2,
        in_every_run=False,
        hurries="absence",
    ),
    "whoever is banned votes": Plant(
        instead("mailer.commands.seats.require_not_banned", lambda player: None),
        "and is heard after that",
        seed=4,
        in_every_run=False,
        hurries="ban_and_vote",
        hour=0.01,
    ),
    "a YES counts though the game has changed": Plant(
        instead("mailer.inbound.held.is_stale", lambda asked: False),
        "has changed since they were asked",
        seed=4,
        in_every_run=False,
        hurries="late_yes",
        hour=0.01,
    ),
    "a page that is out of date is obeyed": Plant(
        instead("games.acts.game.GameAct.stamp", lambda act, subject: ""),
        "from pages that showed the same",
        seed=47,
        hurries="opposite",
        hour=0.01,
    ),
    "whoever is kept out gets in": Plant(
        instead(
            "games.services.seating.invitations._require_not_kept_out", lambda game, said: None
        ),
        "and has a place there since",
        seed=4,
        in_every_run=False,
        hurries="keep_out",
        hour=0.01,
    ),
    "a click ends nothing": Plant(
        instead("diplomacy_server.unsubscribe.click", lambda link, *, now: True),
        "which they ended by a click",
        seed=4,
        in_every_run=False,
        hurries="unwanted",
        hour=0.01,
        days=4,
    ),
    "spam goes on": Plant(
        instead("mailer.outbound.outbox._complaining", lambda emails: set()),
        "where such mails were called spam",
        seed=4,
        in_every_run=False,
        hurries="unwanted",
        hour=0.01,
        days=4,
    ),
    "old mail keeps its words": Plant(
        instead("mailer.privacy.retention._old_outbound", faults_of_office.none_is_old),
        "and has its words",
        seed=27,
        in_every_run=False,
        days=16,
    ),
    "an absence that was taken back holds": Plant(
        instead(
            "games.services.adjudication.opening.absences_of", faults_of_office.taken_back_or_not
        ),
        "and nobody is away",
        seed=5,
        in_every_run=False,
        hurries="absence_off",
    ),
}
