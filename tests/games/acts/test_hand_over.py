"""A GM hands a game over to a co-GM, and everybody is told."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.errors import BadInput, NotFound
from games.events.facts import secret_keys
from games.models import CoGM, Game, Offer
from games.queries.access import roles
from games.services.seating.joining import game_join
from games.services.seating.standby import standby_join
from games.services.setup.co_gms import co_gm_add, co_gm_remove, game_hand_over
from games.services.setup.games import game_create
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, address_of, make_player
from tests.games.acts.acting import Acting
from tests.mailer.correspondence import answer_to, flat, home, write

pytestmark = pytest.mark.django_db
DI, GM = "di@players.test", "gm@players.test"


def hand_over(cast: Cast, *, stays: bool = False) -> User:
    """Let Di, a co-GM for good, be the GM; return her account."""
    row = co_gm_add(game=cast.game, email=DI, until=None, by="gm", now=NOW)
    key = str(row.pk)
    return game_hand_over(game=cast.game, key=key, stays=stays, by="the GM", now=NOW)


def test_the_new_gm_runs_the_game_and_the_old_one_no_longer(marne: Cast) -> None:
    di = hand_over(marne)
    game = Game.objects.get()
    assert game.gm == di
    assert roles.refusal(di, game, "extend", now=NOW) == ""
    assert "You are not the GM" in roles.refusal(marne.gm, game, "extend", now=NOW)
    old = addresses.gm_address(user=marne.gm, game=game, now=NOW)
    said = answer_to(write("gm", "EXTEND 24h because of rain", sender=GM, to=old)).body
    assert "You are not the GM of the game marne." in flat(said)


def test_a_gm_who_stays_helps_on(marne: Cast) -> None:
    hand_over(marne, stays=True)
    assert roles.refusal(marne.gm, Game.objects.get(), "extend", now=NOW) == ""
    assert CoGM.objects.get().user == marne.gm


def wants_france(cast: Cast) -> Game:
    """Gerda, who was the GM, asks for an open seat and stands by for it."""
    gerda = make_player("Gerda")
    User.objects.filter(pk=cast.gm.pk).update(email=address_of("Gerda"))
    cast.game.powers.filter(name="France").update(open_since=NOW)
    standby_join(player=gerda, now=NOW)
    write("Gerda", "TAKEOVER marne France", to=home("Gerda"))
    return Game.objects.get()


@pytest.mark.parametrize("fog", [True, False])
def test_who_was_the_gm_cannot_take_over_a_power(marne: Cast, fog: bool) -> None:
    """They have read what players do not know."""
    Game.objects.update(fog=fog)
    hand_over(marne)
    wants_france(marne)
    assert marne.seat("France").player.name == "Carla"
    assert not Offer.objects.exists()


@pytest.mark.parametrize("fog", [True, False])
def test_who_was_the_gm_cannot_do_so_once_they_no_longer_help(marne: Cast, fog: bool) -> None:
    Game.objects.update(fog=fog)
    hand_over(marne, stays=True)
    co_gm_remove(game=marne.game, key=str(CoGM.objects.get().pk), by="Di", now=NOW)
    wants_france(marne)
    assert marne.seat("France").player.name == "Carla"
    assert not Offer.objects.exists()


def test_in_a_game_from_another_server_nobody_is_taken_for_who_was_the_gm_there(
    marne: Cast,
) -> None:
    """The keys of its events are those of other people here."""
    hand_over(marne)
    CoGM.objects.all().delete()
    game = wants_france(marne)
    assert roles.gms_ever(game) == [game.gm]
    assert marne.seat("France").player.name == "Gerda"


def test_who_helped_in_fog_cannot_play_once_they_no_longer_do(marne: Cast) -> None:
    Game.objects.update(fog=True)
    row = co_gm_add(game=marne.game, email=address_of("Gerda"), until=None, by="gm", now=NOW)
    co_gm_remove(game=marne.game, key=str(row.pk), by="gm", now=NOW)
    make_player("Gerda")
    marne.game.powers.filter(name="France").update(open_since=NOW)
    write("Gerda", "TAKEOVER marne France", to=home("Gerda"))
    assert marne.seat("France").player.name == "Carla"


def test_who_no_longer_runs_a_game_is_removed_from_it_only_once(marne: Cast) -> None:
    hand_over(marne)
    act = Acting(marne.game, "remove_co_gm").act
    assert act.why_not(Game.objects.get(), NOW) == "The game marne has no co-GM."
    with pytest.raises(NotFound):
        co_gm_remove(game=marne.game, key=str(CoGM.objects.get().pk), by="Di", now=NOW)


def test_who_no_longer_runs_a_game_does_not_read_that_they_do(marne: Cast) -> None:
    make_player("Gerda")
    User.objects.filter(pk=marne.gm.pk).update(email=address_of("Gerda"))
    assert "You run marne" in flat(answer_to(write("Gerda", "STATUS", to=home("Gerda"))).body)
    hand_over(marne)
    assert "You run marne" not in flat(answer_to(write("Gerda", "STATUS", to=home("Gerda"))).body)


def test_nobody_hands_a_game_over_to_themselves(marne: Cast) -> None:
    """An operator may have made a co-GM the GM by hand; then they are both."""
    row = CoGM.objects.create(game=marne.game, user=marne.gm, since=NOW)
    assert "marne has none" in Acting(marne.game, "hand_over").act.why_not(marne.game, NOW)
    with pytest.raises(BadInput, match="They are already the GM of the game"):
        game_hand_over(game=marne.game, key=str(row.pk), stays=False, by="x", now=NOW)


def test_a_gm_who_is_a_co_gm_as_well_hands_the_game_over(marne: Cast) -> None:
    CoGM.objects.create(game=marne.game, user=marne.gm, since=NOW)
    hand_over(marne, stays=True)
    assert CoGM.objects.get().user == marne.gm


def test_a_gm_who_no_longer_runs_the_game_is_told_so(marne: Cast) -> None:
    """It may be an operator who has handed the game over."""
    hand_over(marne)
    jobs.tell(NOW)
    mail = OutboundMail.objects.get(kind="game_handed_over", recipient=GM)
    assert mail.subject == "[marne] You no longer run this game"
    assert "has handed the game marne over to another game master" in flat(mail.body)
    assert "You can no longer act on it" in flat(mail.body)


def test_who_was_the_gm_is_no_part_of_what_others_read_in_the_log(marne: Cast) -> None:
    hand_over(marne)
    [event] = marne.events("game_handed_over")
    assert event.payload["before"] == marne.gm.pk
    assert secret_keys(event.kind) == {"before"}


def test_all_players_and_the_new_gm_are_told_who_runs_the_game(marne: Cast) -> None:
    hand_over(marne)
    jobs.tell(NOW)
    mails = {mail.recipient: mail for mail in OutboundMail.objects.filter(kind="game_handed_over")}
    assert set(mails) == {address_of(name) for name in POWERS} | {DI, GM}
    ana = flat(mails[address_of("Ana")].body)
    assert "The GM has handed the game marne over to another game master" in ana
    assert mails[DI].subject == "[marne] You are the game master now"
    assert "over to you: you are its game master from now on." in flat(mails[DI].body)
    assert "HELP lists them all" in flat(mails[DI].body)


def test_a_deputy_and_somebody_who_plays_cannot_become_the_gm(marne: Cast) -> None:
    deputy = co_gm_add(game=marne.game, email=DI, until=NOW + DAY, by="gm", now=NOW)
    ana = co_gm_add(game=marne.game, email=address_of("Ana"), until=None, by="gm", now=NOW)
    for row, why in ((deputy, "A deputy's time ends"), (ana, "They play in this game")):
        with pytest.raises(BadInput, match=why):
            game_hand_over(game=marne.game, key=str(row.pk), stays=False, by="gm", now=NOW)


@pytest.mark.parametrize("waits", [True, False])
def test_a_game_that_has_not_begun_is_handed_over_to_who_does_not_wait_to_play_in_it(
    marne: Cast, waits: bool
) -> None:
    somme = game_create(name="somme", gm=marne.gm, now=NOW)
    game_join(game=somme, player=marne.player("Ana"), preferences="France", now=NOW)
    heir = address_of("Ana") if waits else DI
    key = str(co_gm_add(game=somme, email=heir, until=None, by="gm", now=NOW).pk)
    if waits:
        with pytest.raises(BadInput, match="They play in this game"):
            game_hand_over(game=somme, key=key, stays=False, by="gm", now=NOW)
    else:
        assert game_hand_over(game=somme, key=key, stays=False, by="gm", now=NOW).email == DI


@pytest.mark.parametrize("waits", [True, False])
def test_in_fog_nobody_runs_a_game_who_waits_to_play_in_it(marne: Cast, waits: bool) -> None:
    somme = game_create(name="somme", gm=marne.gm, fog=True, now=NOW)
    game_join(game=somme, player=marne.player("Ana"), preferences="France", now=NOW)
    if waits:
        with pytest.raises(BadInput, match="fog of war"):
            co_gm_add(game=somme, email=address_of("Ana"), until=None, by="gm", now=NOW)
    else:
        assert co_gm_add(game=somme, email=DI, until=None, by="gm", now=NOW).game == somme


def test_a_deputy_can_be_removed_before_their_time_is_over(marne: Cast) -> None:
    row = co_gm_add(game=marne.game, email=DI, until=NOW + DAY, by="gm", now=NOW)
    co_gm_remove(game=marne.game, key=str(row.pk), by="gm", now=NOW + HOUR)
    assert roles.co_gms_of(Game.objects.get(), NOW + HOUR) == []


def test_a_co_gm_cannot_take_the_game_from_its_gm(marne: Cast) -> None:
    row = co_gm_add(game=marne.game, email=DI, until=None, by="gm", now=NOW)
    said = roles.refusal(row.user, marne.game, "hand_over", now=NOW)
    assert said == "Only the GM of the game marne can hand it over."


def test_without_a_co_gm_the_page_says_what_to_do_first(marne: Cast) -> None:
    act = Acting(marne.game, "hand_over").act
    missing = "Only a co-GM for good can take over, and marne has none: add one first."
    assert act.why_not(marne.game, NOW) == missing
