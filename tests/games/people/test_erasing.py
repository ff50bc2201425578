"""The moderators erase players: what goes, what stays, what becomes of seats and bans."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.bans import why_barred
from games.errors import BadInput, NotAllowed, WrongState
from games.models import Ballot, BarredAddress, Conduct, DataRequest, Player, Seat, StaffEntry
from games.queries.access.staff_names import Actor
from games.queries.audit.log_faults import faults
from games.services.accounts.absences import absence_declare
from games.services.accounts.erasing import emails_of, erasure_ask, erasure_withdraw, player_erase
from games.services.accounts.merging import players_merge
from games.services.accounts.players import address_confirm, player_register
from games.services.accounts.profile import address_add, address_remove, player_rename, timezone_set
from games.services.adjudication.phases import phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.reminders import reminders_set
from games.services.endings.ending import game_end
from games.services.endings.proposals import draw_propose
from games.services.moderation.bans_kept import bans_expire
from games.services.moderation.conduct import (
    moderators_ask,
    player_ban,
    player_lift,
    player_note,
    player_suspend,
)
from games.services.moderation.staff import moderator_appoint
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_take
from games.services.seating.standby import standby_join
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOW, Cast, address_of
from tests.games.acts.acting import Acting, world
from tests.rows import each_row

pytestmark = pytest.mark.django_db
LATER = NOW + HOUR
BECAUSE = "They asked for it."
NOTE = "I think that Ana (ana@players.test) is Hugo."


def erase(player: Player) -> Player:
    player_erase(player=player, why=BECAUSE, by=Actor("mo"), now=LATER)
    player.refresh_from_db()
    return player


def register(name: str, email: str) -> Player:
    return address_confirm(address=player_register(name=name, email=email, now=LATER), now=LATER)


# --- the act ----------------------------------------------------------------------------------


def test_the_act_says_what_goes_and_what_stays_and_changes_nothing(marne: Cast) -> None:
    act = Acting(marne.player("Ana"), "erase")
    before = world()
    said = act.foresee(because=BECAUSE)
    assert world() == before
    assert "Ana is “Former player" in said
    assert "their addresses (ana@players.test)" in said
    assert "These seats open, and we offer them to those who stand by: Austria in marne." in said
    assert "What stays: the games they played" in said
    assert "A last mail to ana@players.test says that it is done." in said
    assert "ban" not in said


def test_the_act_is_done_once(marne: Cast) -> None:
    ana = marne.player("Ana")
    act = Acting(ana, "erase")
    act.foresee(because=BECAUSE)
    said = act.confirm(because=BECAUSE)
    assert said.startswith(f"The player is erased and is Former player {ana.pk} now.")
    before = world()
    assert act.confirm(because=BECAUSE) == f"Former player {ana.pk} is already erased."
    assert world() == before


def test_what_was_foreseen_and_is_so_no_longer_is_not_done(marne: Cast) -> None:
    act = Acting(marne.player("Ana"), "erase")
    act.foresee(because=BECAUSE)
    player_note(player=marne.player("Ana"), text="Do not!", by="di", now=NOW)
    assert "Somebody else has dealt with this player" in act.confirm(because=BECAUSE)
    assert marne.player("Ana").erased_at is None


def test_who_took_their_wish_back_is_not_erased(marne: Cast) -> None:
    """Whoever reads the forecast meanwhile is stopped, whatever came after the wish."""
    ana, act = marne.player("Ana"), Acting(marne.player("Ana"), "erase")
    erasure_ask(player=ana, now=NOW)
    player_note(player=ana, text="She is tired.", by="di", now=NOW)
    act.foresee(because=BECAUSE)
    erasure_withdraw(player=ana, now=NOW)
    assert "Somebody else has dealt with this player" in act.confirm(because=BECAUSE)
    assert marne.player("Ana").erased_at is None


def test_the_act_shows_what_they_wrote_since(marne: Cast) -> None:
    ana, act = marne.player("Ana"), Acting(marne.player("Ana"), "erase")
    erasure_ask(player=ana, now=NOW)
    assert "Read this first" not in act.foresee(because=BECAUSE)
    moderators_ask(player=ana, text="No, let me stay!", now=NOW)
    assert "nobody has answered: “No, let me stay!”" in act.foresee(because=BECAUSE)


def test_the_staffs_log_keeps_the_deed_and_not_the_person(marne: Cast) -> None:
    ana = marne.player("Ana")
    Acting(ana, "send_data").confirm()
    StaffEntry.objects.update(why="Ana wrote twice.")
    Acting(ana, "erase").confirm(because=BECAUSE)
    erased, sent = StaffEntry.objects.all()
    assert (erased.what, erased.by, erased.why) == ("erased", "mo", BECAUSE)
    assert erased.about == f"account {ana.pk}, now Former player {ana.pk}"
    assert (sent.what, sent.why) == ("given", "")


def test_an_account_that_is_a_part_of_another_is_erased_with_it(marne: Cast) -> None:
    ana, hugo = marne.player("Ana"), marne.player("Hugo")
    players_merge(kept=ana, other=hugo, why="One person.", by="mo", now=NOW)
    hugo.refresh_from_db()
    assert Acting(hugo, "erase").foresee(because=BECAUSE) == (
        "Hugo is part of Ana: erase that account."
    )
    assert emails_of(ana) == [address_of("Ana"), address_of("Hugo")]
    erase(ana)
    hugo.refresh_from_db()
    assert hugo.name == f"Former player {hugo.pk}"


def confirmed(client: Client, player: Player, typed: str) -> str:
    url = reverse("admin:games_player_act", args=[player.pk, "erase"])
    asked = client.get(url, {"because": BECAUSE})
    form = {
        "because": BECAUSE,
        "given": asked.context["given"],
        "expected": asked.context["expected"],
        "typed_name": typed,
        "confirmed": "yes",
    }
    return client.post(url, form, follow=True).content.decode()


def test_a_moderator_types_the_name_before_anybody_is_erased(
    marne: Cast, moderator: Client
) -> None:
    ana = marne.player("Ana")
    assert "Please type “Ana” below" in confirmed(moderator, ana, "")
    assert "Please type “Ana” below" in confirmed(moderator, ana, "Anna")
    assert marne.player("Ana").erased_at is None
    page = confirmed(moderator, ana, "ana")
    assert f"Former player {ana.pk}" in page
    assert "ana@players.test" not in page


def test_the_admins_own_history_does_not_name_who_was_erased(
    marne: Cast, moderator: Client
) -> None:
    confirmed(moderator, marne.player("Ana"), "Ana")
    entry = LogEntry.objects.latest("pk")
    assert "Ana" not in f"{entry.object_repr} {entry.change_message}"


def test_nor_does_the_history_of_a_game_into_which_a_gm_let_them(
    client: Client, marne: Cast
) -> None:
    client.force_login(User.objects.create_superuser("root", "root@players.test"))
    game = game_create(name="yser", gm=marne.gm, entry="approval", now=NOW)
    for name in ("Ana", "Hugo"):
        game_join(game=game, player=marne.player(name), preferences="", now=NOW)
    asked = {row.email: str(row.pk) for row in game.invitations.all()}
    for act, typed in (
        ("let_in", {"who": asked["ana@players.test"], "answer": "yes"}),
        ("let_in", {"who": asked["hugo@players.test"], "answer": "no"}),
    ):
        url = reverse("admin:games_game_act", args=[game.pk, act])
        shown = client.post(url, typed).context
        client.post(url, {**typed, "confirmed": "1", "expected": shown["expected"]})
    # The last release had addresses in it, too.
    entry = LogEntry.objects.latest("pk")
    entry.pk, entry.change_message = None, "ANA@players.test and banana@players.test may join."
    entry.save()
    for name in ("Ana", "Hugo"):
        erase(marne.player(name))
    said = " ".join(LogEntry.objects.values_list("change_message", flat=True))
    assert "Former player" in said
    assert not re.search(r"\b(ana|hugo)\b", said, re.IGNORECASE)
    assert "banana@players.test" in said


def test_no_mail_by_which_they_voted_is_named_any_more(marne: Cast) -> None:
    mail = "<1@home.of.ana.example>"
    draw_propose(seat=marne.seat("Austria"), winners=[], now=NOW, source=mail)
    erase(marne.player("Ana"))
    assert [one.source for one in Ballot.objects.all()] == [""]


def test_of_an_erased_player_there_is_nothing_left_to_do(marne: Cast, moderator: Client) -> None:
    ana = erase(marne.player("Ana"))
    page = moderator.get(reverse("admin:games_player_change", args=[ana.pk]))
    assert page.context["acts"] == []
    assert "nothing is left of who they were" in page.content.decode()


def test_a_gm_erases_nobody_and_a_moderator_not_who_plays_with_them(
    client: Client, marne: Cast
) -> None:
    url = reverse("admin:games_player_act", args=[marne.player("Ana").pk, "erase"])
    client.force_login(marne.gm)
    assert client.get(url).status_code == 403
    ben = User.objects.create_user("ben", address_of("Ben"))
    moderator_appoint(user=ben)
    client.force_login(ben)
    answer = client.get(url)
    assert answer.status_code == 403
    assert "another moderator has to decide" in answer.content.decode()


@pytest.mark.parametrize("name", ["Former player 12", "FORMER-PLAYER 1", "Former players"])
def test_nobody_takes_the_name_of_who_was_erased(marne: Cast, name: str) -> None:
    with pytest.raises(BadInput, match="what we call somebody who has left this server"):
        player_register(name=name, email="x@y.test", now=NOW)


# --- seats ------------------------------------------------------------------------------------


def test_the_seat_of_an_erased_player_is_open_and_the_game_goes_on(marne: Cast) -> None:
    hugo, seat = marne.player("Hugo"), marne.seat("Austria")
    standby_join(player=hugo, at_most=1, now=NOW)
    ana = erase(marne.player("Ana"))
    seat.refresh_from_db()
    assert (seat.until, seat.ended_because) == (LATER, Seat.Ended.VACATED)
    assert marne.events("seat_vacated")[0].payload["why"] == "Its player has left the server."
    assert hugo.offers.filter(end="", power__name="Austria").exists()
    seat_take(game=marne.game, power=seat.power, player=hugo, now=LATER)
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 9 * DAY)
    assert list(faults(marne.game)) == []
    assert seat.player == ana


def test_a_place_in_a_game_that_has_not_begun_is_free_again(marne: Cast) -> None:
    game = game_create(name="yser", now=NOW)
    ana = marne.player("Ana")
    game_join(game=game, player=ana, preferences="", now=NOW)
    assert "is free again: yser." in Acting(ana, "erase").foresee(because=BECAUSE)
    erase(ana)
    assert not game.applications.filter(withdrawn_at=None).exists()


def test_whoever_was_erased_after_the_game_does_not_play_it_again(marne: Cast) -> None:
    game_end(game=marne.game, winners=[], why="Too few.", by="gm", now=NOW)
    erase(marne.player("Ana"))
    assert not marne.events("seat_vacated")
    game_rollback(game=marne.game, phase="S1901M", why="A slip.", by="gm", now=LATER)
    assert marne.game.powers.get(name="Austria").open_since == LATER
    assert list(faults(marne.game)) == []


def test_a_power_of_which_nothing_is_left_is_offered_to_nobody(marne: Cast) -> None:
    phase = marne.phase
    phase.position["centers"].pop("Austria")
    phase.position["units"].pop("Austria")
    phase.save()
    ana = erase(marne.player("Ana"))
    assert marne.seat("Austria").player == ana
    assert marne.game.powers.get(name="Austria").open_since is None


# --- bans -------------------------------------------------------------------------------------


def test_a_ban_outlives_the_data_of_who_was_banned(marne: Cast) -> None:
    hugo = marne.player("Hugo")
    player_ban(player=hugo, why="Two accounts.", by="mo", now=NOW)
    assert "The ban stays: we keep a code for each address" in Acting(hugo, "erase").foresee(
        because=BECAUSE
    )
    erase(hugo)
    assert address_of("Hugo") not in str(list(BarredAddress.objects.values()))
    again = register("Victor", address_of("Hugo").upper())
    assert why_barred(again, now=LATER)
    assert "has been erased since" in Conduct.objects.get(player=again, kind="banned").why
    note = Conduct.objects.get(player=again, kind="note").why
    assert f"they were Former player {hugo.pk} (account {hugo.pk})." in note
    with pytest.raises(NotAllowed, match="You may no longer play on this server"):
        game_join(game=game_create(name="yser", now=NOW), player=again, preferences="", now=LATER)


def test_a_ban_outlives_that_the_player_has_an_address_forgotten(marne: Cast) -> None:
    hugo = marne.player("Hugo")
    other = address_add(player=hugo, email="hugo@home.test", now=NOW)
    address_confirm(address=other, now=NOW)
    player_ban(player=hugo, why="Two accounts.", by="mo", now=NOW)
    address_remove(player=hugo, email="hugo@home.test", now=NOW)
    again = register("Victor", "Hugo@home.test")
    assert why_barred(again, now=LATER)
    why = Conduct.objects.get(player=again, kind="banned").why
    assert "belonged to an account that was banned. That decision still holds." in why


def test_who_may_not_play_can_have_their_own_address_back(marne: Cast) -> None:
    hugo = marne.player("Hugo")
    address_confirm(address=address_add(player=hugo, email="hugo@home.test", now=NOW), now=NOW)
    player_suspend(player=hugo, until=NOW + 9 * DAY, why="Rude.", by="mo", now=NOW)
    address_remove(player=hugo, email="hugo@home.test", now=NOW)
    address = address_add(player=hugo, email="hugo@home.test", now=NOW)
    assert address_confirm(address=address, now=NOW) == hugo
    assert hugo.conduct.count() == 1


def test_who_was_not_banned_comes_back_as_anybody(marne: Cast) -> None:
    erase(marne.player("Hugo"))
    assert not BarredAddress.objects.exists()
    assert not why_barred(register("Victor", address_of("Hugo")), now=LATER)


def test_a_ban_finds_its_player_by_a_further_address_too(marne: Cast) -> None:
    hugo, ben = marne.player("Hugo"), marne.player("Ben")
    player_ban(player=hugo, why="Two accounts.", by="mo", now=NOW)
    erase(hugo)
    address = address_add(player=ben, email=address_of("Hugo"), now=LATER)
    assert why_barred(ben, now=LATER) == ""
    assert why_barred(address_confirm(address=address, now=LATER), now=LATER)
    assert marne.game.powers.get(name="England").open_since == LATER


def test_a_suspension_holds_as_long_as_it_would_have(marne: Cast) -> None:
    hugo, until = marne.player("Hugo"), NOW + 30 * DAY
    player_suspend(player=hugo, until=until, why="Rude.", by="mo", now=NOW)
    erase(hugo)
    assert register("Victor", address_of("Hugo")).suspended_until == until


def test_a_code_goes_with_its_suspension(marne: Cast) -> None:
    hugo = marne.player("Hugo")
    player_suspend(player=hugo, until=NOW + 30 * DAY, why="Rude.", by="mo", now=NOW)
    erase(hugo)
    assert bans_expire(now=NOW + 29 * DAY) == 0
    assert bans_expire(now=NOW + 31 * DAY) == 1


def test_bans_do_not_expire(marne: Cast) -> None:
    hugo = marne.player("Hugo")
    player_ban(player=hugo, why="Two accounts.", by="mo", now=NOW)
    erase(hugo)
    assert bans_expire(now=NOW + 9999 * DAY) == 0


@pytest.mark.parametrize("which", ["who was erased", "who came back"])
def test_a_ban_that_outlived_its_player_can_be_lifted(marne: Cast, which: str) -> None:
    hugo = marne.player("Hugo")
    player_ban(player=hugo, why="Two accounts.", by="mo", now=NOW)
    lifted = erase(hugo)
    if which == "who came back":
        lifted = register("Victor", address_of("Hugo"))
    player_lift(player=lifted, why="It was a brother.", by="mo", now=LATER)
    assert not BarredAddress.objects.exists()


def test_a_code_cannot_be_tried_out_without_the_servers_key(marne: Cast, settings) -> None:
    hugo = marne.player("Hugo")
    player_ban(player=hugo, why="Two accounts.", by="mo", now=NOW)
    erase(hugo)
    settings.SECRET_KEY = "another key, as long as it has to be at the least"
    assert not why_barred(register("Victor", address_of("Hugo")), now=LATER)


# --- addresses --------------------------------------------------------------------------------


def test_addresses_in_other_peoples_files_go_too(marne: Cast) -> None:
    entry = player_note(player=marne.player("Hugo"), text=NOTE, by="mo", now=NOW)
    Conduct.objects.filter(pk=entry.pk).update(only_to=address_of("Ana").upper())  # theirs then
    ana = erase(marne.player("Ana"))
    entry.refresh_from_db()
    assert entry.why == f"I think that Ana (Former player {ana.pk}) is Hugo."
    assert entry.only_to == f"Former player {ana.pk}"


def test_an_address_that_was_only_claimed_is_nobodys(marne: Cast) -> None:
    ana = marne.player("Ana")
    address_add(player=ana, email="gm@players.test", now=NOW)
    assert emails_of(ana) == [address_of("Ana")]


def test_who_never_confirmed_is_known_by_what_they_registered_with_unless_it_is_the_staffs(
    marne: Cast,
) -> None:
    mine = player_register(name="Victor", email="victor@players.test", now=NOW).player
    assert emails_of(mine) == ["victor@players.test"]
    theirs = player_register(name="Willa", email=marne.gm.email.upper(), now=NOW).player
    assert emails_of(theirs) == []


def test_a_request_waits_for_the_mails_to_be_emptied(marne: Cast) -> None:
    erase(marne.player("Ana"))
    request = DataRequest.objects.get()
    assert (request.kind, request.emails, request.done_at) == ("erase", [address_of("Ana")], None)
    with pytest.raises(WrongState, match="is already erased"):
        player_erase(player=request.player, why=BECAUSE, by=Actor("mo"), now=LATER)


# --- at the same moment -----------------------------------------------------------------------


@each_row(
    "wanted",
    [
        partial(player_rename, name="Zoe"),
        partial(timezone_set, timezone="Europe/Rome"),
        partial(address_add, email="zoe@work.test", now=LATER),
        partial(moderators_ask, text="It is me, Zoe.", now=LATER),
        partial(absence_declare, first=LATER.date(), last=LATER.date(), now=LATER),
        partial(reminders_set, text="48h", now=LATER),
        partial(standby_join, now=LATER),
    ],
)
def test_what_a_mail_still_wanted_that_was_in_work_when_its_player_was_erased_is_not_done(
    marne: Cast, wanted: Callable[..., object]
) -> None:
    """Its worker had read who wrote, and then waited until they were erased."""
    read_before = marne.player("Ana")
    erase(marne.player("Ana"))
    with pytest.raises(WrongState, match=r"Former player \d+ is erased, so this was not done\."):
        wanted(player=read_before)
