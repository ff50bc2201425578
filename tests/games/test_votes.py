"""Votes: what passes and when, who has a say, what expires, and that secrets stay secret."""

from __future__ import annotations

import itertools
import json

import pytest

from games.errors import BadInput, GameError, NotAllowed, NotFound, WrongState
from games.models import Ballot, Game, Phase, Proposal, Seat
from games.queries.endings.votes import open_proposals, stands_until, vote_of
from games.queries.reports.log_text import entries
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.pauses import game_pause
from games.services.endings.proposals import (
    MOST_A_DAY,
    concession_propose,
    draw_propose,
    proposal_withdraw,
)
from games.services.endings.votes import vote_cast, votes_recount
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, make_cast, seat_fill

State = Proposal.State
EVERY = sorted(POWERS.values())

pytestmark = pytest.mark.django_db


def propose(cast: Cast, power: str, *winners: str) -> Proposal:
    """Let the power propose a draw; return the proposal."""
    receipt = draw_propose(seat=cast.seat(power), winners=winners, now=NOW)
    return cast.game.proposals.get(number=receipt.number)


def vote(cast: Cast, power: str, yes: bool = True, number: int | None = None) -> Proposal.State:
    return vote_cast(seat=cast.seat(power), number=number, yes=yes, now=NOW).state


def all_vote(cast: Cast, *but: str, number: int | None = None) -> list[Proposal.State]:
    """Let every power vote yes, but those named; return the states in turn."""
    return [vote(cast, power, number=number) for power in EVERY if power not in but]


def game_of(cast: Cast) -> Game:
    return Game.objects.get(pk=cast.game.pk)


def wipe_out(cast: Cast, *powers: str) -> None:
    """Leave the powers without a centre and a unit."""
    phase = cast.phase
    for power in powers:
        phase.position["units"].pop(power)
        phase.position["centers"].pop(power)
    phase.save()


def test_a_draw_passes_when_the_last_has_agreed(marne: Cast) -> None:
    propose(marne, "France")
    *before, last = all_vote(marne, "France")
    assert set(before) == {State.OPEN}
    assert last == State.PASSED
    game = game_of(marne)
    assert (game.status, game.ending, game.winners) == ("finished", "draw", EVERY)
    assert (game.winner, game.finished_at) == ("", NOW)
    assert game.proposals.get().state == State.PASSED


def test_the_open_phase_is_closed_with_the_game(marne: Cast) -> None:
    propose(marne, "France")
    all_vote(marne, "France")
    assert marne.game.phases.get().status == Phase.Status.CLOSED
    assert phase_process(game_id=marne.game.pk, now=NOW + 90 * DAY) is None
    assert Seat.objects.filter(until=None).count() == 7


@pytest.mark.parametrize("secret", [True, False])
def test_one_who_does_not_agree_is_enough(secret: bool) -> None:
    cast = make_cast(secret_votes=secret)
    propose(cast, "France")
    all_vote(cast, "France", "Turkey")
    assert game_of(cast).status == "active"
    state = vote(cast, "Turkey", yes=False)
    assert state == (State.OPEN if secret else State.REFUSED)
    assert game_of(cast).status == "active"


def test_a_secret_no_can_become_a_yes(marne: Cast) -> None:
    propose(marne, "France")
    vote(marne, "Turkey", yes=False)
    all_vote(marne, "France", "Turkey")
    assert vote(marne, "Turkey") == State.PASSED


def test_a_yes_can_be_taken_back(marne: Cast) -> None:
    proposal = propose(marne, "France")
    vote(marne, "Turkey")
    vote(marne, "Turkey", yes=False)
    all_vote(marne, "France", "Turkey")
    assert game_of(marne).status == "active"
    assert vote_of(proposal, marne.seat("Turkey")) is False
    assert proposal.ballots.filter(seat=marne.seat("Turkey")).count() == 2


def test_the_same_vote_again_is_one_vote(marne: Cast) -> None:
    proposal = propose(marne, "France")
    vote(marne, "Italy")
    vote(marne, "Italy")
    assert proposal.ballots.filter(seat=marne.seat("Italy")).count() == 1


def test_to_propose_what_is_proposed_is_to_vote_for_it(marne: Cast) -> None:
    first = propose(marne, "France")
    assert propose(marne, "Italy") == first
    assert vote_of(first, marne.seat("Italy")) is True


def test_everybody_can_propose_it_in_turn_and_it_passes(marne: Cast) -> None:
    for power in EVERY:
        propose(marne, power)
    assert game_of(marne).ending == "draw"


def test_eliminated_powers_have_no_say_and_no_share(marne: Cast) -> None:
    wipe_out(marne, "Italy", "Turkey")
    with pytest.raises(NotAllowed, match="out of the game"):
        vote(marne, "Italy")
    propose(marne, "France")
    assert all_vote(marne, "France", "Italy", "Turkey")[-1] == State.PASSED
    assert game_of(marne).winners == ["Austria", "England", "France", "Germany", "Russia"]


def test_a_power_in_civil_disorder_blocks_nothing_and_shares(marne: Cast) -> None:
    marne.game.powers.filter(name="Italy").update(disorder_since=NOW)
    with pytest.raises(NotAllowed, match="civil disorder"):
        vote(marne, "Italy")
    propose(marne, "France")
    assert all_vote(marne, "France", "Italy")[-1] == State.PASSED
    assert "Italy" in game_of(marne).winners


def test_an_empty_seat_blocks_nothing(marne: Cast) -> None:
    Seat.objects.filter(power__name="Italy").update(until=NOW)
    propose(marne, "France")
    assert all_vote(marne, "France", "Italy")[-1] == State.PASSED


def test_who_takes_over_votes_anew(marne: Cast) -> None:
    proposal = propose(marne, "France")
    vote(marne, "Italy", yes=False)
    old = marne.seat("Italy")
    seat_fill(game=marne.game, power=old.power, player=marne.player("Hugo"), now=NOW)
    with pytest.raises(NotAllowed, match="no longer play Italy"):
        vote_cast(seat=old, number=None, yes=True, now=NOW)
    all_vote(marne, "France", "Italy")
    assert vote_of(proposal, marne.seat("Italy")) is None
    assert vote(marne, "Italy") == State.PASSED


def test_when_the_last_who_is_silent_drops_out_the_rest_decide(marne: Cast) -> None:
    propose(marne, "France")
    all_vote(marne, "France", "Italy")
    assert votes_recount(game=game_of(marne), now=NOW) is None
    marne.game.powers.filter(name="Italy").update(disorder_since=NOW)
    event = votes_recount(game=game_of(marne), now=NOW)
    assert event is not None
    assert event.kind == "game_finished"
    assert game_of(marne).ending == "draw"


def test_each_proposal_is_counted_anew_when_a_power_drops_out(marne: Cast) -> None:
    propose(marne, "France")
    concession_propose(seat=marne.seat("Italy"), winner="Turkey", now=NOW)
    all_vote(marne, "Russia", number=2)
    marne.game.powers.filter(name="Russia").update(disorder_since=NOW)
    assert votes_recount(game=game_of(marne), now=NOW) is not None
    assert game_of(marne).winner == "Turkey"


def test_the_last_one_who_has_a_say_agrees_by_proposing(marne: Cast) -> None:
    marne.game.powers.exclude(name="France").update(disorder_since=NOW)
    assert propose(marne, "France").state == State.PASSED


@pytest.mark.parametrize("again", ["votes", "proposes"])
def test_a_mail_that_was_read_late_changes_no_vote_that_came_after_it(
    marne: Cast, again: str
) -> None:
    propose(marne, "France")
    italy, later = marne.seat("Italy"), NOW + 2 * HOUR
    vote_cast(seat=italy, number=1, yes=False, now=later)
    told = (
        vote_cast(seat=italy, number=1, yes=True, said_at=NOW + HOUR, now=later)
        if again == "votes"
        else draw_propose(seat=italy, winners=(), said_at=NOW + HOUR, now=later)
    )
    assert (told.yes, told.came_later) == (False, True)
    assert not vote_cast(seat=italy, number=1, yes=True, now=later).came_later


def test_a_draw_of_some_needs_those_it_leaves_out() -> None:
    cast = make_cast(draws="subset")
    propose(cast, "France", "Italy", "France")
    assert propose(cast, "Turkey", "Italy", "Turkey").number == 2
    assert all_vote(cast, "France", "Turkey", number=1)[-1] == State.OPEN
    assert vote(cast, "Turkey", number=1) == State.PASSED
    assert game_of(cast).winners == ["France", "Italy"]


def test_a_draw_of_some_is_only_where_the_game_has_it(marne: Cast) -> None:
    with pytest.raises(NotAllowed, match="always among all survivors: Austria, England"):
        propose(marne, "France", "France", "Italy")


def test_all_survivors_may_be_named_one_by_one(marne: Cast) -> None:
    assert propose(marne, "France", *reversed(EVERY)).winners == EVERY


def test_where_nobody_votes_on_draws_there_are_none() -> None:
    with pytest.raises(NotAllowed, match="nobody votes on draws"):
        propose(make_cast(draws="none"), "France")


def test_a_power_that_is_out_cannot_share() -> None:
    cast = make_cast(draws="subset")
    wipe_out(cast, "Italy")
    with pytest.raises(BadInput, match="Nothing is left of Italy"):
        propose(cast, "France", "France", "Italy")


def test_a_draw_of_one_is_a_concession_and_said_so() -> None:
    with pytest.raises(BadInput, match="VOTE CONCEDE TO Italy"):
        propose(make_cast(draws="subset"), "France", "Italy")


def test_a_concession_passes_without_the_winner(marne: Cast) -> None:
    concession_propose(seat=marne.seat("France"), winner="Turkey", now=NOW)
    assert all_vote(marne, "France", "Turkey")[-1] == State.PASSED
    game = game_of(marne)
    assert (game.ending, game.winner, game.winners) == ("concession", "Turkey", ["Turkey"])


def test_but_the_winner_may_refuse_it(marne: Cast) -> None:
    concession_propose(seat=marne.seat("France"), winner="Turkey", now=NOW)
    vote(marne, "Turkey", yes=False)
    assert all_vote(marne, "France", "Turkey")[-1] == State.OPEN
    assert game_of(marne).status == "active"


def test_nobody_concedes_to_themselves_or_to_the_dead(marne: Cast) -> None:
    wipe_out(marne, "Italy")
    for winner, said in (("France", "only the others"), ("Italy", "Nothing is left of Italy")):
        with pytest.raises(BadInput, match=said):
            concession_propose(seat=marne.seat("France"), winner=winner, now=NOW)


def test_the_last_one_who_plays_cannot_have_it_conceded_to_themselves(marne: Cast) -> None:
    concession_propose(seat=marne.seat("France"), winner="Turkey", now=NOW)
    marne.game.powers.exclude(name="Turkey").update(disorder_since=NOW)
    assert votes_recount(game=game_of(marne), now=NOW) is None
    assert game_of(marne).status == "active"


def test_concessions_may_be_forbidden() -> None:
    cast = make_cast(concessions=False)
    with pytest.raises(NotAllowed, match="nobody can concede"):
        concession_propose(seat=cast.seat("France"), winner="Turkey", now=NOW)


def test_one_proposal_a_power_at_a_time(marne: Cast) -> None:
    propose(marne, "France")
    with pytest.raises(WrongState, match="VOTE WITHDRAW 1"):
        concession_propose(seat=marne.seat("France"), winner="Turkey", now=NOW)


def test_a_power_makes_so_many_proposals_a_day_and_no_more(marne: Cast) -> None:
    france = marne.seat("France")
    for number in range(MOST_A_DAY):
        before = propose(marne, "France")
        proposal_withdraw(seat=france, number=before.number, now=NOW)
        assert before.number == number + 1
    with pytest.raises(NotAllowed, match="20 proposals within a day"):
        propose(marne, "France")
    of_another = propose(marne, "Turkey")
    assert vote(marne, "France", number=of_another.number) == State.OPEN
    proposal_withdraw(seat=marne.seat("Turkey"), number=of_another.number, now=NOW)
    assert draw_propose(seat=france, winners=(), now=NOW + DAY).state == State.OPEN


def test_a_proposal_can_be_withdrawn_by_its_maker_alone(marne: Cast) -> None:
    proposal = propose(marne, "France")
    for power, number in (("Italy", 1), ("France", 2)):
        with pytest.raises(NotFound, match="no such proposal"):
            proposal_withdraw(seat=marne.seat(power), number=number, now=NOW)
    receipt = proposal_withdraw(seat=marne.seat("France"), number=None, now=NOW)
    assert (receipt.state, receipt.yes) == (State.WITHDRAWN, None)
    proposal.refresh_from_db()
    assert (proposal.state, proposal.closed_at) == (State.WITHDRAWN, NOW)
    with pytest.raises(NotFound, match="no such proposal"):
        proposal_withdraw(seat=marne.seat("France"), number=None, now=NOW)
    with pytest.raises(NotFound, match="no proposal to vote on"):
        vote(marne, "Italy")


def test_with_several_proposals_the_number_is_asked_for(marne: Cast) -> None:
    propose(marne, "France")
    concession_propose(seat=marne.seat("Italy"), winner="Turkey", now=NOW)
    with pytest.raises(BadInput, match="2 is a concession to Turkey"):
        vote(marne, "Russia")
    with pytest.raises(NotFound, match="no open proposal 7"):
        vote(marne, "Russia", number=7)
    assert vote(marne, "Russia", number=2) == State.OPEN


def test_when_one_passes_the_others_are_over(marne: Cast) -> None:
    propose(marne, "France")
    concession_propose(seat=marne.seat("Italy"), winner="Turkey", now=NOW)
    all_vote(marne, "France", number=1)
    assert list(marne.game.proposals.values_list("state", flat=True)) == ["passed", "void"]


def test_a_proposal_expires_with_the_movement_phase_and_all_are_told(marne: Cast) -> None:
    propose(marne, "France")
    assert phase_process_now(game_id=marne.game.pk, now=NOW)
    assert open_proposals(marne.game) == []
    (event,) = marne.events("vote_closed")
    assert event.payload["how"] == "has expired"
    assert event.number > marne.events("phase_processed")[0].number


def test_a_proposal_of_an_adjustment_phase_lives_until_the_movement_is_over(marne: Cast) -> None:
    for _ in range(2):
        phase_process_now(game_id=marne.game.pk, now=NOW)
    if marne.phase.name == "S1902M":  # nobody moved, so there is nothing to adjust
        phase = marne.phase
        phase.name = phase.position["phase"] = "W1901A"
        phase.position["units"]["France"].remove("A Paris")
        phase.save()
    assert stands_until(marne.phase.name) == "the next movement phase"
    propose(marne, "France")
    phase_process_now(game_id=marne.game.pk, now=NOW)
    assert len(open_proposals(marne.game)) == 1
    assert stands_until(marne.phase.name) == "Spring 1902 movement"
    phase_process_now(game_id=marne.game.pk, now=NOW)
    assert open_proposals(marne.game) == []


def test_a_draw_of_survivors_is_void_when_one_of_them_is_gone(marne: Cast) -> None:
    propose(marne, "France")
    wipe_out(marne, "Italy")
    assert votes_recount(game=game_of(marne), now=NOW) is None
    (event,) = marne.events("vote_closed")
    assert "the survivors have changed" in event.payload["how"]
    assert marne.game.proposals.get().state == State.VOID


def test_a_rollback_voids_what_is_proposed_and_tells_so(marne: Cast) -> None:
    propose(marne, "France")
    game_rollback(game=marne.game, phase="S1901M", why="A slip.", by="gm", now=NOW)
    assert "the game goes back" in marne.events("vote_closed")[0].payload["how"]
    assert marne.game.proposals.get().state == State.VOID


def test_a_rollback_reopens_a_game_that_was_drawn(marne: Cast) -> None:
    propose(marne, "France")
    all_vote(marne, "France")
    event = game_rollback(game=game_of(marne), phase="S1901M", why="Cheats.", by="gm", now=NOW)
    game = game_of(marne)
    assert (game.status, game.ending, game.winners, game.finished_at) == ("active", "", [], None)
    assert event.payload["was_over"] is True
    assert marne.phase.name == "S1901M"
    assert propose(marne, "France").number == 2


def test_there_is_voting_in_a_pause_but_not_after_the_end(marne: Cast) -> None:
    game_pause(game=marne.game, until=None, why="", by="gm", now=NOW)
    propose(marne, "France")
    all_vote(marne, "France")
    with pytest.raises(WrongState, match="is over"):
        propose(marne, "France")


def test_open_votes_are_told_as_they_come() -> None:
    cast = make_cast(secret_votes=False)
    propose(cast, "France")
    vote(cast, "Italy")
    vote(cast, "Russia", yes=False)
    said = [entry.sentence for entry in entries(cast.game)][-4:]
    assert said == [
        f"Spring 1901 movement: France proposed a draw among {', '.join(EVERY[:-1])} and Turkey "
        "(proposal 1).",
        "Spring 1901 movement: Italy voted yes on proposal 1.",
        "Spring 1901 movement: Russia voted no on proposal 1.",
        f"Spring 1901 movement: proposal 1, a draw among {', '.join(EVERY[:-1])} and Turkey, "
        "was refused by Russia.",
    ]


def public_trace(cast: Cast) -> list[str]:
    """Everything of the log that a player can read, without what time stands in it."""
    return [
        json.dumps([event.kind, event.payload], sort_keys=True)
        for event in cast.game.events.order_by("number")
        if event.kind.startswith(("vote_", "game_finished"))
    ]


def test_a_secret_vote_leaves_no_trace_that_depends_on_who_cast_it(marne: Cast) -> None:
    """Whoever proposed and whoever voted what: the log is the same, so nobody can read it there."""
    traces = set()
    for maker, naysayer in itertools.permutations(["Austria", "France", "Turkey"], 2):
        before = marne.game.events.count()
        number = propose(marne, maker).number
        vote(marne, naysayer, yes=False, number=number)
        vote(marne, "Germany", number=number)
        proposal_withdraw(seat=marne.seat(maker), number=number, now=NOW)
        written = public_trace(marne)[-2:]
        assert marne.game.events.count() == before + 2
        traces.add("".join(written).replace(f'"number": {number}', '"number": n'))
    assert len(traces) == 1
    assert "somebody" in traces.pop()


@pytest.mark.parametrize("secret", [True, False])
def test_every_ballot_is_kept(secret: bool) -> None:
    cast = make_cast(secret_votes=secret)
    propose(cast, "France")
    all_vote(cast, "France")
    assert Ballot.objects.count() == 7


def test_before_the_start_there_is_nothing_to_vote_on(marne: Cast) -> None:
    seat = marne.seat("France")
    Game.objects.filter(pk=marne.game.pk).update(status="forming")
    with pytest.raises(GameError, match="has not started"):
        draw_propose(seat=seat, winners=[], now=NOW)


def test_a_yes_without_a_number_counts_for_no_proposal_that_came_after_another(db: None) -> None:
    cast = make_cast(secret_votes=False)
    draw_propose(seat=cast.seat("Austria"), winners=(), now=NOW)
    vote_cast(seat=cast.seat("England"), number=None, yes=False, now=NOW)
    concession_propose(seat=cast.seat("Austria"), winner="Turkey", now=NOW)
    with pytest.raises(BadInput, match="Please write the number of the proposal: 2 is a"):
        vote_cast(seat=cast.seat("France"), number=None, yes=True, now=NOW)
    assert vote_cast(seat=cast.seat("France"), number=2, yes=True, now=NOW).yes
