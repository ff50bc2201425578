"""What moderators do about players: what holds for every such act, and what each says and does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User

from games.acts import PLAYER_ACTS
from games.acts.parameters import parameters_of
from games.models import Application, Conduct, Game, StaffEntry, Standby
from games.queries.access.staff_names import name_as_moderator, name_shown
from games.queries.moderators.moderation import for_moderators
from games.services.moderation.conduct import (
    mail_pause,
    moderators_ask,
    player_ban,
    player_mute,
    player_suspend,
)
from games.services.moderation.frozen_addresses import addresses_freeze
from games.services.moderation.staff import moderator_appoint
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOBODY, NOW, Cast, address_of, seat_fill
from tests.games.acts.acting import Acting, staff, world

pytestmark = pytest.mark.django_db

Typed = dict[str, object]
WHY = "A good reason."


def asked(cast: Cast) -> Typed:
    entry = moderators_ask(player=cast.player("Ana"), text="Is Carla Dmitri?", now=NOW)
    return {"entry": entry.pk, "text": "No."}


def suspended(cast: Cast) -> Typed:
    player_suspend(player=cast.player("Ana"), until=NOW + DAY, why="Rude.", by="mo", now=NOW)
    return {"why": WHY}


def muted(cast: Cast) -> Typed:
    player_mute(player=cast.player("Ana"), until=NOW + DAY, why="Rude.", by="mo", now=NOW)
    return {"why": WHY}


def paused(cast: Cast) -> Typed:
    mail_pause(player=cast.player("Ana"), why="It comes back.", by="mo", now=NOW)
    return {"why": WHY}


def frozen(cast: Cast) -> Typed:
    addresses_freeze(player=cast.player("Ana"), why="Who is it?", by="mo", now=NOW)
    return {"why": WHY}


@dataclass(frozen=True)
class Case:
    """What is typed for an act about Ana, where it can be done, and what her file says of it."""

    typed: Callable[[Cast], Typed]
    entry: str


ABOUT_DATA = {"send_data", "erase"}
"""They leave the file alone: see test_erasing.py, and tests/mailer/own_data/."""
CASES = {
    "answer": Case(asked, "answered"),
    "ban": Case(lambda cast: {"why": WHY}, "banned"),
    "freeze_addresses": Case(lambda cast: {"why": WHY}, "frozen"),
    "unfreeze_addresses": Case(frozen, "unfrozen"),
    "lift": Case(suspended, "lifted"),
    "merge": Case(lambda cast: {"other": address_of("Hugo"), "why": WHY}, "merged"),
    "mute": Case(lambda cast: {"length": "7d", "why": WHY}, "muted"),
    "unmute": Case(muted, "unmuted"),
    "note": Case(lambda cast: {"text": "Sold her seat?"}, "note"),
    "pause_mail": Case(lambda cast: {"why": WHY}, "stilled"),
    "resume_mail": Case(paused, "resumed"),
    "suspend": Case(lambda cast: {"length": "10d", "why": WHY}, "suspended"),
    "write": Case(lambda cast: {"text": "Are you well?"}, "written"),
}


def test_every_act_has_a_case():
    assert set(CASES) | ABOUT_DATA == set(PLAYER_ACTS)


def test_who_freezes_addresses_is_warned_that_the_wrong_person_reads_why():
    _, why = parameters_of(PLAYER_ACTS["freeze_addresses"].parameters)
    assert "so does whoever writes in their name" in why.ask.help
    assert "Nobody else is told" not in why.ask.help


@pytest.fixture(params=sorted(CASES))
def ready(request: pytest.FixtureRequest, marne: Cast) -> tuple[Acting, Typed, str]:
    """Each act in turn, where it can be done, with what is typed for it and the entry to come."""
    case = CASES[request.param]
    typed = case.typed(marne)
    return Acting(marne.player("Ana"), request.param), typed, case.entry


def test_an_act_says_what_will_happen_and_changes_nothing(ready: tuple[Acting, Typed, str]):
    acting, typed, _ = ready
    before = world()
    assert len(acting.foresee(**typed).splitlines()) > 1
    assert world() == before


def test_an_act_that_is_confirmed_is_done_once_and_stands_in_the_file(
    ready: tuple[Acting, Typed, str],
):
    acting, typed, entry = ready
    acting.foresee(**typed)
    acting.confirm(**typed)
    last = Conduct.objects.latest("pk")
    assert (last.kind, last.by, last.player.name) == (entry, "mo", "Ana")
    before = world()
    acting.confirm(**typed)
    assert world() == before


def test_an_act_on_what_is_out_of_date_does_nothing(ready: tuple[Acting, Typed, str]):
    acting, typed, _ = ready
    acting.expected = "another state of the file"
    before = world()
    assert "Somebody else has dealt with this player" in acting.confirm(**typed)
    assert world() == before


def another_address(cast: Cast) -> None:
    """Somebody has our mails to Ana sent elsewhere."""
    cast.player("Ana").addresses.update(email="intruder@players.test")


def another_place(cast: Cast) -> None:
    game = game_create(name="yser", now=NOW)
    game_join(game=game, player=cast.player("Ana"), preferences="", now=NOW)


def hugo_is_banned(cast: Cast) -> None:
    player_ban(player=cast.player("Hugo"), why="Abuse.", by="mo", now=NOW)


@pytest.mark.parametrize(
    ("act", "typed", "change"),
    [
        ("send_data", {}, another_address),
        ("erase", {"because": "They asked for it."}, another_address),
        ("write", {"text": "Are you well?"}, another_address),
        ("suspend", {"length": "1d", "why": WHY}, another_place),
        ("merge", {"other": "hugo@players.test", "why": WHY}, hugo_is_banned),
    ],
)
def test_a_page_is_out_of_date_when_what_it_says_has_changed(
    marne: Cast, act: str, typed: Typed, change: Callable[[Cast], None]
):
    acting = Acting(marne.player("Ana"), act)
    acting.foresee(**typed)
    change(marne)
    before = world()
    assert "so nothing was done" in acting.confirm(**typed)
    assert world() == before
    acting.foresee(**typed)
    assert "so nothing was done" not in acting.confirm(**typed)


@pytest.mark.parametrize("act", ["suspend", "ban"])
def test_who_may_not_play_is_said_to_lose_their_places(marne: Cast, act: str):
    another_place(marne)
    Standby.objects.create(player=marne.player("Ana"), since=NOW)
    typed = {"why": WHY, **({"length": "1d"} if act == "suspend" else {})}
    acting = Acting(marne.player("Ana"), act)
    shown = acting.foresee(**typed)
    assert "They lose their place in these games, which have not started: yser." in shown
    assert "They lose their place on the standby list" in shown
    acting.confirm(**typed)
    assert not Application.objects.filter(game__name="yser", withdrawn_at=None).exists()
    assert not Standby.objects.filter(until=None).exists()


@pytest.mark.parametrize("act", ["suspend", "mute"])
def test_a_second_end_is_said_to_take_the_place_of_the_first(marne: Cast, act: str):
    acting, said = Acting(marne.player("Ana"), act), "replaces the end it has now, "
    acting.confirm(length="10d", why=WHY)
    assert f"{said}Thu 12 Mar 2026, 13:00 UTC." in acting.foresee(length="1d", why=WHY)


@pytest.mark.parametrize("act", ["ban", "erase"])
def test_nobody_is_said_to_get_the_seat_of_a_power_of_which_nothing_is_left(marne: Cast, act: str):
    phase = marne.phase
    for held in (phase.position["units"], phase.position["centers"]):
        held.pop("Austria")
    phase.save()
    typed = {"why": WHY} if act == "ban" else {"because": "They asked for it."}
    shown = Acting(marne.player("Ana"), act).foresee(**typed)
    assert "Austria" not in shown
    assert ("They have no seat to lose." if act == "ban" else "They play in no game") in shown


def test_a_note_is_for_the_moderators_alone(marne: Cast):
    note = Acting(marne.player("Ana"), "note")
    assert "The player is not told." in note.foresee(text="Sold her seat?")
    assert note.confirm(text="Sold her seat?") == "The note is in the file of Ana."


def test_a_player_is_banned_and_may_play_again(marne: Cast):
    ana = marne.player("Ana")
    ban = Acting(ana, "ban")
    foreseen = ban.foresee(why="A program plays.")
    assert "offer them to those who stand by: Austria in marne." in foreseen
    assert not marne.events("seat_vacated")
    assert ban.confirm(why="A program plays.") == "Ana is banned."
    assert marne.game.powers.get(name="Austria").open_since == NOW + HOUR
    assert Acting(ana, "suspend").foresee(length="1d", why="-") == "Ana is already banned."
    lift = Acting(ana, "lift")
    assert lift.confirm(why="It was a person.") == "Ana may play again."
    ana.refresh_from_db()
    assert ana.banned_at is None


def test_a_question_is_answered_by_a_moderator_who_may_be_a_gm_elsewhere(marne: Cast):
    ben = marne.player("Ben")
    entry = moderators_ask(player=ben, text="Is Carla Dmitri?", now=NOW)
    answer = Acting(ben, "answer")
    answer.by = marne.gm
    assert name_shown(answer.by) == name_as_moderator(answer.by) == "the GM"
    moderator_appoint(user=answer.by)
    foreseen = answer.foresee(entry=entry.pk, text="No.")
    assert "Ben asked: “Is Carla Dmitri?”\nYour answer: “No.”" in foreseen
    assert answer.confirm(entry=entry.pk, text="No.") == "Your answer goes to Ben."
    assert [one.kind for one in ben.conduct.order_by("pk")] == ["asked", "answered"]
    assert ben.conduct.latest("pk").by == name_as_moderator(answer.by) != "the GM"
    assert for_moderators(now=NOW, viewer=NOBODY).requests == ()


def test_a_question_is_settled_without_an_answer(marne: Cast):
    ben = marne.player("Ben")
    entry = moderators_ask(player=ben, text="Thanks!", now=NOW)
    answer = Acting(ben, "answer")
    assert "settled" not in answer.foresee(entry=entry.pk, text="")
    assert "write an answer, or choose to settle" in answer.confirm(entry=entry.pk, text="")
    assert for_moderators(now=NOW, viewer=NOBODY).requests
    assert "either answer" in answer.foresee(entry=entry.pk, text="No.", unanswered="yes")
    assert "The player is not told." in answer.foresee(entry=entry.pk, unanswered="yes")
    assert answer.confirm(entry=entry.pk, unanswered="yes") == "The question is settled."
    assert for_moderators(now=NOW, viewer=NOBODY).requests == ()
    assert ben.conduct.count() == 1


def test_a_merge_says_beforehand_what_a_ban_takes_from_both_accounts(marne: Cast):
    yser = game_create(name="yser", now=NOW)
    game_join(game=yser, player=marne.player("Ana"), preferences="", now=NOW)
    player_ban(player=marne.player("Hugo"), why="Cheated.", by="mo", now=NOW)
    foreseen = Acting(marne.player("Ana"), "merge").foresee(other=address_of("Hugo"), why=WHY)
    assert "A player who may not play loses their place in yser." in foreseen
    opened = "These seats open, and we offer them to those who stand by: Austria in marne."
    assert opened in foreseen


@pytest.mark.parametrize("by", ["number", "address"])
def test_two_accounts_are_merged(marne: Cast, by: str):
    ana, hugo = marne.player("Ana"), marne.player("Hugo")
    other = f"#{hugo.pk}" if by == "number" else address_of("Hugo")
    merge = Acting(ana, "merge")
    foreseen = merge.foresee(other=other, why="You wrote so.")
    assert "Addresses that come with it: hugo@players.test." in foreseen
    assert "Both have seats in the tournament" not in foreseen
    somme = game_create(name="somme", now=NOW)
    seat_fill(game=somme, power=somme.powers.first(), player=hugo, now=NOW)
    Game.objects.update(tournament="cup")
    assert "Both have seats in the tournament cup, whose" in merge.foresee(other=other, why="-")
    assert merge.confirm(other=other, why="You wrote so.") == "Hugo is part of Ana now."
    hugo.refresh_from_db()
    assert hugo.merged_into == ana
    assert Acting(hugo, "merge").foresee(other="#1", why="-") == "Hugo is already part of Ana."


def test_a_double_account_is_said_to_be_one_and_nothing_is_done(marne: Cast):
    merge = Acting(marne.player("Ana"), "merge")
    said = "Ana and Ben are both in marne: that is a double account"
    assert said in merge.foresee(other=address_of("Ben"), why="Twins.")
    assert said in merge.confirm(other=address_of("Ben"), why="Twins.")
    assert not Conduct.objects.exists()


def test_a_merge_says_beforehand_which_games_a_gm_plays_in_then(marne: Cast):
    User.objects.filter(pk=marne.gm.pk).update(email=address_of("Hugo"))
    for one, other in (("Ana", "Hugo"), ("Hugo", "Ana")):
        merge = Acting(marne.player(one), "merge")
        assert "Hugo runs marne, where Ana plays." in merge.foresee(
            other=address_of(other), why="-"
        )


def test_an_account_that_does_not_exist_is_not_merged(marne: Cast):
    merge = Acting(marne.player("Ana"), "merge")
    said = "There is no account nobody@x.test."
    assert merge.foresee(other="nobody@x.test", why="-") == said


def test_whatever_door_an_act_comes_by_the_staffs_log_has_the_account(marne: Cast) -> None:
    act, moderator = PLAYER_ACTS["send_data"], staff("mo")
    act.perform(marne.player("Ana"), act.parameters(), by=moderator, now=NOW)
    entry = StaffEntry.objects.get()
    assert (entry.by, entry.user) == ("mo", moderator)
