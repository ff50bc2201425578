"""More faults (`planted`): of who may write what, who plays, what is told, and when it is over."""

from __future__ import annotations

from tests.simulate import faults_of_play
from tests.simulate.plant import Plant, instead

IN_PLAY: dict[str, Plant] = {
    "whoever plays takes over another power": Plant(
        instead("games.services.seats.require_stranger", lambda game, power, player: None),
        "has two powers",
        hurries="second",
        seed=4,
        hour=0.01,
    ),
    "whoever answers a mail is its reader": Plant(
        instead("mailer.identity.identify.claimed", faults_of_play.by_nobody_else),
        "in a mail of another",
        hurries="forward",
    ),
    "anybody may answer a question": Plant(
        instead("mailer.identity.claims._by_question", faults_of_play.for_whom_we_asked),
        "in a mail of another",
        hurries="yes_of_another",
        in_every_run=False,
    ),
    "a deadline is not where it was moved": Plant(
        instead("games.services.deadlines.deadline_set", faults_of_play.set_an_hour_off),
        "and nothing says so",
        hurries="extend",
        seed=4,
        hour=0.01,
    ),
    "one is not told that a deadline has moved": Plant(
        instead("mailer.notices.audiences.to_seats", faults_of_play.all_but_the_first),
        "and nobody told of deadline_moved",
        hurries="extend",
        seed=2,
        in_every_run=False,
    ),
    "players put off a deadline as often as they like": Plant(
        instead("games.services.extensions._used", lambda game, power: 0),
        "are granted",
        hurries="put_off",
        seed=4,
        hour=0.01,
    ),
    "silence is consent": Plant(
        instead("games.services.votes.is_agreed", faults_of_play.whoever_is_silent_agrees),
        "has not voted",
        hurries="vote",
    ),
    "a secret vote is told": Plant(
        instead("games.services.votes.SOMEBODY", "France"),
        "and votes are secret",
        hurries="vote",
        hour=3.9,
    ),
    "orders get lost on the way to the judge": Plant(
        instead("games.queries.board.adjudicated", faults_of_play.without_the_last),
        "comes to another result",
        seed=4,
        hour=3.9,
    ),
    "the judge does not count supports": Plant(
        instead("judge.movement.strengths.supported", lambda s, helpers: (1, 1)),
        " with 2 against ",
        seed=2,
        in_every_run=False,
    ),
    "grey press says who wrote it": Plant(
        instead("games.models.press.Press.writer", property(lambda press: press.sender)),
        "which is hidden",
        hurries="grey",
    ),
    "fake press says who wrote it": Plant(
        instead("games.models.press.Press.writer", property(faults_of_play.who_really_wrote)),
        "wrote it",
        hurries="fake",
    ),
    "addresses are left in press": Plant(
        instead("mailer.commands.player.press.without_identity", lambda text, sender: text),
        "of who wrote it",
        hurries="with addresses",
        seed=2,
    ),
    "press gets lost": Plant(
        instead("mailer.notices.press_sent._to_reader", lambda press, seat, now: ()),
        "was not passed on to",
        seed=3,
        hour=0.01,
        in_every_run=False,
    ),
    "press is written where there is none": Plant(
        instead("games.services.press_allowed._require_mode", lambda game, to: None),
        "shows press of",
        hurries="to all",
        seed=4,
        hour=0.01,
    ),
    "programs are answered": Plant(
        instead("mailer.letter.mark_of", lambda message, sender, subject: None),
        "a program wrote to us",
        hurries="robots",
        seed=2,
    ),
    "the winner has one point more": Plant(
        instead("games.queries.end_report.score", faults_of_play.one_point_more),
        "is due",
        hurries="draw",
        seed=4,
        hour=0.01,
    ),
    "whom no mail reached is blamed": Plant(
        instead("mailer.due_phases.unaware", lambda phase, players: set()),
        "and no mail told them of it",
        hurries="full",
        seed=4,
        hour=0.01,
    ),
    "the page puts one order less into its mail": Plant(
        instead("pages.views.compose.mail_about", faults_of_play.one_line_less),
        "and the mail has",
        hurries="page",
    ),
    "the last line of a mail is not read": Plant(
        instead("games.services.orders.readings", faults_of_play.all_lines_but_the_last),
        "came from the page, and was read as",
        hurries="page",
        in_every_run=False,
    ),
    "a page offers orders in fog of war": Plant(
        instead("pages.story.shows_board", lambda game, audience: True),
        "and a page offers orders in it",
        seed=27,
        hour=0.0,
        in_every_run=False,
    ),
    "one game of the tournament is left out": Plant(
        instead("games.acts.all_games.AllGames._chosen", faults_of_play.all_games_but_one),
        "extend_all with",
        hurries="extend_all",
        seed=4,
        hour=0.01,
    ),
    "a pause of all games ends at another time": Plant(
        instead("games.acts.pause.game_pause", faults_of_play.paused_for_ever),
        "pause_all with",
        hurries="pause_all",
        seed=4,
        hour=0.01,
    ),
    "one game of the tournament stays paused": Plant(
        instead("games.acts.pause_all.ResumeAll._chosen", faults_of_play.all_games_but_one),
        "resume_all with",
        hurries="resume_all",
        seed=4,
        hour=0.01,
    ),
    "a game's clock has no summer time": Plant(
        instead("games.timing.clock.wall_moment", faults_of_play.always_in_winter),
        "and its clock, Tue 20:00 in America/New_York",
        hurries="clock_time",
        seed=4,
        hour=0.01,
    ),
    "nobody is told of a restore": Plant(
        instead("diplomacy_server.restored.server_restored", lambda **_: 0),
        "does not say so",
        hurries="restore",
        in_every_run=False,
    ),
    "a restore takes the time since the backup for an outage": Plant(
        instead("mailer.inbound.read_again._shorten_outage", lambda broke_at, now: None),
        "its results are known",
        hurries="restore",
        seed=4,
        days=4,
        in_every_run=False,
    ),
    "a merge takes the seats": Plant(
        instead("games.services.merging.bar_enforce", faults_of_play.as_if_banned),
        "and the seat",
        hurries="one_person",
        seed=4,
        hour=0.01,
    ),
    "a game that is played again is still won": Plant(
        instead("games.services.rollback._play_again", faults_of_play.only_goes_on),
        "belongs to a game that is over",
        hurries="over",
        seed=4,
        in_every_run=False,
    ),
    "an address is given up at once": Plant(
        instead(
            "mailer.commands.own_settings.addresses.require_forgettable",
            lambda address, player, now: None,
        ),
        "is taken away",
        hurries="move",
        seed=3,
    ),
}
