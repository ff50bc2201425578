"""Faults put in on purpose: if the simulation did not find them, its promises would be words.

Each takes the place of one function for a while, as if somebody had forgotten a line there.
"""

from __future__ import annotations

from mailer.reading.authentication import Verdict
from tests.simulate.checks.games.deals import NOT_HONOURED
from tests.simulate.plants import faults
from tests.simulate.plants.plant import Plant, instead
from tests.simulate.plants.planted_in_office import IN_OFFICE
from tests.simulate.plants.planted_in_play import IN_PLAY
from tests.simulate.plants.planted_in_post import IN_POST

PLANTS: dict[str, Plant] = {
    **IN_POST,
    "an export has the mails of all": Plant(
        instead("mailer.privacy.own_data._came", faults.everybodys),
        "All that we keep about you",
        seed=47,
        hour=3.9,
        hurries="export",
    ),
    "a phase that is played again keeps its orders": Plant(
        instead("games.services.adjudication.rollback.phase_open", faults.open_with_orders),
        "orders that came before it was opened",
        hurries="undo",
        seed=47,
    ),
    "orders reach the phase of that name": Plant(
        instead("games.services.ordering.orders.seen_now", faults.any_phase_of_that_name),
        "was adjudicated with",
        in_every_run=False,
        seed=4,
        hurries="undo",
    ),
    "the fog is thin": Plant(
        instead("games.queries.access.sight.sight", faults.further),
        "out of sight",
        seed=13,
        hour=0,
    ),
    "orders are told that nobody saw": Plant(
        instead("games.queries.access.sight.results_seen", faults.all_results),
        "out of sight",
        seed=31,
        in_every_run=False,
    ),
    "a picture shows everybody the whole board": Plant(
        instead("mailer.outbound.pictures.subject_of", faults.for_everybody),
        "a picture in",
        seed=4,
        hour=0.01,
    ),
    "a picture is cut off": Plant(
        instead("mailer.outbound.pictures.encode", faults.cut_off),
        "half a picture",
        seed=47,
        hour=3.9,
    ),
    "one of two pictures is kept": Plant(
        instead("mailer.outbound.pictures._drawn", faults.the_first),
        "half of the pictures",
        seed=47,
        hour=3.9,
    ),
    "results wait for pictures": Plant(
        instead("mailer.notices.tell_event", faults.drawn_first),
        "while others wait",
        seed=47,
        hour=3.9,
    ),
    "what breaks is tried again, and works": Plant(
        instead("mailer.jobs.telling.tell_one", faults.told_at_the_second_try),
        "mailer.jobs.telling logged: Nobody could be told",
        seed=47,
        hour=3.9,
    ),
    "names are told": Plant(
        instead("games.queries.access.audience.names_shown", lambda game: True),
        "in an anonymous game",
        hurries="read",
    ),
    "a page has the press of all": Plant(
        instead("pages.views.press.press_shown", faults.all_press),
        "shows press of",
        seed=47,
        hurries="read",
    ),
    "a rollback loses orders that it keeps": Plant(
        instead(
            "games.services.adjudication.rollback._orders_put_back", lambda undone, again, now: None
        ),
        "was to keep its orders",
        hurries="keep",
        seed=47,
    ),
    "mails of an erased player stay": Plant(
        instead("mailer.privacy.data_requests._empty_inbound", lambda keys, now: None),
        "a mail of theirs is left",
        hurries="erase",
    ),
    "an erased player keeps their name": Plant(
        instead("games.services.accounts.erasing.pseudonym", lambda player: player.name),
        "was erased, and games_player has",
        hurries="erase",
        seed=47,
        hour=0.01,
    ),
    "the mailbox keeps the mails of an erased player": Plant(
        instead("mailer.inbound.old_mail.delete_erased", lambda emails, theirs: 0),
        "the mailbox has a mail of theirs",
        hurries="erase",
        seed=3,
    ),
    "a banned player keeps their seats": Plant(
        instead("games.services.moderation.seats_lost._vacate", lambda *seats: None),
        "may not play, and has",
        hurries="ban",
        seed=47,
        hour=0.01,
    ),
    "a banned player is offered seats": Plant(
        instead("games.services.moderation.seats_lost.keep_out", lambda player, by, now: None),
        "may not play, and has a place on the standby list",
        hurries="ban",
    ),
    "mail that is paused goes out": Plant(
        instead("mailer.outbound.outbox._keep_back", lambda rows, asked_for: []),
        "though they get no mail but answers",
        hurries="pause_mail",
    ),
    "nobody sums up what was missed": Plant(
        instead("mailer.notices.messages.while_away.tell", lambda entry, now: None),
        "nobody said what was missed",
        hurries="pause_mail",
        seed=2,
        days=0.1,
    ),
    "a place stays behind when accounts are merged": Plant(
        instead("games.services.accounts.merging._merge_places", lambda kept, other, now: None),
        "a row of standby is left there",
        hurries="merge",
    ),
    "numbers begin again after a restore": Plant(
        instead("diplomacy_server.after_restore.skip_lost_numbers", lambda: None),
        "that a lost mail had",
        hurries="restore",
        in_every_run=False,
        seed=2,
    ),
    "answers to lost mails are taken for the open phase": Plant(
        instead("mailer.inbound.receipts._of_no_known_phase", lambda letter, calls, sender: []),
        "was adjudicated with",
        seed=8,
        hurries="restore",
        in_every_run=False,
        days=3,
    ),
    "a muster hears nobody": Plant(
        instead("games.services.clock.muster.silent_players", faults.all_who_joined),
        "and lost their place",
        hurries="found",
        in_every_run=False,
        days=4,
    ),
    "nobody asks before a rollback": Plant(
        instead("mailer.commands.gm.mail.must_be_confirmed", lambda one, game, gm, now: False),
        "they did not confirm",
        hurries="keep",
        seed=47,
    ),
    "forged mails are believed": Plant(
        instead("mailer.identity.identify._verdict", lambda *letter: Verdict.PASSED),
        "no mail of theirs asks for it",
        hurries="forge",
        seed=47,
        hour=0.01,
    ),
    "a GM is not told what was not done": Plant(
        instead("mailer.commands.player.gm.news", lambda receipts, game: "Your commands"),
        "only '[verdun1] Your commands'",
        hurries="mistake",
        in_every_run=False,
    ),
    "whoever knows its name gets into a private game": Plant(
        instead("games.services.seating.joining.let_in", lambda game, player, knows_code: True),
        "nobody invited them",
        hurries="private",
        in_every_run=False,
    ),
    "powers are dealt in turn": Plant(
        instead("games.services.setup.games.assign_powers", faults.powers_in_turn),
        NOT_HONOURED,
        hurries="private",
        in_every_run=False,
    ),
    "a ban ends with its player's data": Plant(
        instead("games.services.accounts.erasing.bans_keep", lambda player, emails, now: None),
        "is back, and may play",
        hurries="ban_and_erase",
        in_every_run=False,
    ),
    "a round forgets what was played": Plant(
        instead("games.acts.make_round.round_planned", faults.never_met),
        "are played again, not",
        hurries="rounds",
        seed=47,
        hour=0.01,
    ),
    "whoever had a seat once is in the table": Plant(
        instead("games.queries.tournaments.tournament._results", faults.whoever_had_a_seat),
        "the table of cup has",
        hurries="table",
        seed=13,
        hour=0.01,
        days=0.3,  # the game has ended, and the table is looked at when all is at rest
    ),
    "what is told twice": Plant(
        instead("mailer.notices.tell_event", faults.told_twice),
        "is told twice",
        seed=47,
        hour=3.9,
    ),
    "a mail proposes what is not done": Plant(
        instead("mailer.outbound.outbox._row", faults.help_misnamed),
        "proposes 'TAKEOVER'",
        one_in=4,
        hour=0,
    ),
    "STATUS is an hour off": Plant(
        instead("mailer.commands.player.views.status.due", faults.due_an_hour_later),
        "STATUS of",
        one_in=4,
        seed=47,
        hour=0.01,
    ),
    "STATUS forgets a power": Plant(
        instead("mailer.commands.player.views.status._outstanding", faults.one_power_forgotten),
        "tells the missing orders",
        one_in=4,
        hour=0,
    ),
    "a secret link opens for who guesses": Plant(
        instead("pages.views.calendars.player_with_calendar", faults.whoever_knows_the_number),
        "whoever guesses opens it",
        hurries="calendar",
        seed=47,
        hour=0.01,
    ),
    "a deadline is taken back as far as anybody likes": Plant(
        instead(
            "games.services.clock.corrections.correctable_to", lambda phase, now, wished: wished
        ),
        "before the one that it replaced",
        hurries="slip",
        seed=14,
        in_every_run=False,
    ),
    "the GM of before reads on": Plant(
        instead("mailer.notices.notice.masters", faults.whoever_ran_it),
        "runs the game no longer",
        hurries="hand_over",
    ),
    "whoever was the GM gets a seat": Plant(
        instead("games.services.seating.who_may_sit.gms_ever", lambda game: []),
        "has run the game, and plays",
        hurries="hand_over",
        seed=2,
    ),
    "a pause that has another end begins anew": Plant(
        instead("games.acts.pause.game_pause", faults.paused_anew),
        "was left when a game was paused",
        hurries="pause",
        in_every_run=False,
    ),
    "frozen addresses change": Plant(
        instead("games.services.accounts.profile.require_unfrozen", lambda player: None),
        "are frozen, and have changed",
        hurries="freeze",
        seed=2,
    ),
    "whoever asks takes over": Plant(
        instead("games.services.seating.seats.let_take", lambda power, player, knows_code: True),
        "and nobody let them in",
        hurries="ask",
        seed=47,
        hour=0.01,
    ),
    "a change of an order stops its unit": Plant(
        instead("mailer.commands.player.ordering.orders.changed_orders", faults.changed_to_hold),
        "was followed, and",
        hurries="change",
        seed=35,
        hour=0.01,
    ),
    **IN_PLAY,
    **IN_OFFICE,
    "the log is not chained": Plant(
        instead("games.log._last", faults.unchained),
        "does not hang on event",
        seed=47,
        hour=3.9,
    ),
}
"""By what is wrong."""
