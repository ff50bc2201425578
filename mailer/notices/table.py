"""The table of notices: every kind of event that people are told of, who is told, and with which
subject.

Most kinds need only a row: who is told (`audiences`), the subject, and a template with the kind's
name, templates/mail/<kind>.txt. If the mail depends on more, a function takes the place of the row,
and its module says on what. The packages beside this module follow the headings of the table;
`parts` has what several mails share, and `recipients` tells people who have no seat in the game.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping

from games import events
from games.models import Event
from mailer.notices.audiences import (
    all_who_were_told,
    everybody,
    everybody_and_moderators,
    of_an_open_seat,
    players_and_gm,
    players_and_gm_of_a_deadline,
    the_gm,
    the_player,
)
from mailer.notices.audiences_of_votes import (
    everybody_unless_results_say_so,
    everybody_with_a_say_still,
)
from mailer.notices.clock import extension_refused, game_paused, phase_held, phase_stuck
from mailer.notices.gm import co_gms, game_created, game_handed_over, gm_left, settings_changed
from mailer.notices.messages import press_sent
from mailer.notices.news import Row
from mailer.notices.notice import Notice
from mailer.notices.phases import (
    game_finished,
    orders_missing,
    orders_overdue,
    orders_set,
    phase_processed,
)
from mailer.notices.seats import (
    disorder_declared,
    seat_offered,
    seat_returned,
    seat_taken,
    seat_vacated,
    takeover_asked,
)
from mailer.notices.start import (
    game_started,
    joining,
    muster,
    muster_failed,
    player_joined,
    player_removed,
    player_withdrawn,
    start_time,
)

Teller = Callable[[Event, dt.datetime], Iterable[Notice]]

TABLE: Mapping[type[events.Facts], Row | Teller] = {
    # Before the start
    events.PlayerJoined: player_joined.notices,
    events.PlayerWithdrawn: player_withdrawn.notices,
    events.PlayerRemoved: player_removed.notices,
    events.MusterBegun: muster.ask_all,
    events.MusterReminded: muster.ask_again,
    events.MusterFailed: muster_failed.notices,
    events.StartReminded: start_time.remind,
    events.StartMoved: start_time.tell_moved,
    events.PlayersInvited: joining.tell_invited,
    events.PlayersLetIn: joining.tell_invited,
    events.JoinAsked: joining.tell_asked,
    events.JoinsUnanswered: joining.remind_unanswered,
    events.JoinRefused: joining.tell_refused,
    events.GameRenamed: joining.tell_renamed,
    events.GameStarted: game_started.notices,
    # Who runs the game, and what they change
    events.GameCreated: game_created.notices,
    events.CoGMAdded: co_gms.tell_added,
    events.CoGMRemoved: co_gms.tell_removed,
    events.GameHandedOver: game_handed_over.notices,
    events.GMLeft: gm_left.notices,
    events.SettingsChanged: settings_changed.notices,
    # Time
    events.ExtensionAsked: Row("{title}: {power} asks for more time", to=the_gm),
    events.ExtensionRefused: extension_refused.notices,
    events.DeadlineMoved: Row(
        "{title}: the deadline has moved to {to}", to=players_and_gm_of_a_deadline
    ),
    events.DeadlineCorrected: Row(
        "{title}: the deadline is earlier after all, {to}", to=players_and_gm_of_a_deadline
    ),
    events.GamePaused: game_paused.notices,
    events.GameResumed: Row("{title}: the game goes on", to=players_and_gm_of_a_deadline),
    events.ServerHalted: Row("The server stands still for a while", to=players_and_gm),
    events.ServerResumed: Row("{title}: the server goes on", to=players_and_gm),
    events.ServerRestored: Row("{title}: the server goes on from a backup", to=players_and_gm),
    events.PhaseHeld: phase_held.notices,
    events.PhaseStuck: phase_stuck.notices,
    # Orders and results
    events.OrdersMissing: orders_missing.notices,
    events.OrdersOverdue: orders_overdue.notices,
    events.OrdersSet: orders_set.notices,
    events.OrdersLookedAt: Row("{title}: somebody looked at what is secret", to=players_and_gm),
    events.PhaseProcessed: phase_processed.notices,
    events.GameRolledBack: Row("{title}: played again from here", to=all_who_were_told),
    events.GameFinished: game_finished.notices,
    # Seats
    events.MissExcused: Row("{title}: your missed orders are excused", to=the_player),
    events.DisorderDeclared: disorder_declared.notices,
    events.DisorderEnded: Row(
        "{title}: {power} is no longer in civil disorder",
        to=everybody,
        mine="{title}: {power} is no longer in civil disorder",
    ),
    events.SeatOpened: Row(
        "{title}: {power} may be taken over",
        to=of_an_open_seat,
        mine="{title}: others may take your seat now",
    ),
    events.SeatOffered: seat_offered.notices,
    events.TakeoverAsked: takeover_asked.notices,
    events.SeatResigned: Row(
        "{title}: the player of {power} has resigned", to=everybody_and_moderators
    ),
    events.SeatVacated: seat_vacated.notices,
    events.SeatReturned: seat_returned.notices,
    events.SeatTaken: seat_taken.notices,
    # What people write and vote
    events.PressSent: press_sent.notices,
    events.VoteProposed: Row("{title}: proposal {number}, {kind}", to=everybody_with_a_say_still),
    events.VoteCast: Row(
        "{title}: a vote on proposal {number}, {kind}", to=everybody_with_a_say_still
    ),
    events.VoteClosed: Row(
        "{title}: proposal {number}, {kind}, {how}", to=everybody_unless_results_say_so
    ),
}

UNTOLD: frozenset[type[events.Facts]] = frozenset({events.AccountsMerged})
"""There is nobody to tell of these: the log has them."""
