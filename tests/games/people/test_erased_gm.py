"""A player who is erased may be a GM: nobody is left in the admin, and others run their games."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.acts.players.erase import Erase, Parameters
from games.models import Address, Game, Invitation, Player, Press, StaffEntry
from games.queries.access.staff_names import Actor
from games.queries.audit.log_faults import faults
from games.services.accounts.erasing import player_erase
from games.services.moderation.staff import moderator_appoint
from games.services.moderation.staff_log import entry_write
from games.services.seating.invitations import players_invite
from games.services.seating.joining import game_join
from games.services.setup.co_gms import co_gm_add
from games.services.setup.making import NewGame, game_make
from mailer import jobs
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.privacy import data_requests
from tests.cast import DAY, HOUR, NOW, Cast, make_player
from tests.mailer.correspondence import flat, home, write
from tests.mailer.test_privacy import everything

pytestmark = pytest.mark.django_db
LATER = NOW + HOUR
ZOE = "zoe@players.test"


@pytest.fixture
def zoe(marne: Cast) -> Player:
    """A player who runs Marne, which is being played, and a private game of her own."""
    found = make_player("Zoe")
    game_make(player=found, wanted=NewGame("verdun", "steady", private=True, as_gm=True), now=NOW)
    Game.objects.filter(name="marne").update(gm=account())
    return found


def account() -> User:
    return User.objects.get(email=ZOE)


def address_at_home(player: Player) -> Address:
    record = player.record
    assert record is not None
    return record


def erase(player: Player) -> None:
    player_erase(player=player, why="They asked for it.", by=Actor("mo"), now=LATER)


def game(name: str) -> Game:
    return Game.objects.get(name=name)


def foreseen(player: Player) -> str:
    return " ".join(Erase().forecast(player, Parameters(because="They asked for it."), NOW))


def test_the_account_in_the_admin_is_closed_and_names_nobody(zoe: Player) -> None:
    key = account().pk
    erase(zoe)
    user = User.objects.get(pk=key)
    assert (user.is_active, user.is_staff, user.email) == (False, False, "")
    assert not user.groups.exists()
    assert "zoe" not in f"{user.username} {user.get_full_name()}".lower()
    assert not user.has_usable_password()


def test_whoever_is_signed_in_as_the_gm_is_so_no_longer(zoe: Player, client: Client) -> None:
    client.force_login(account())
    assert client.get("/admin/").status_code == 200
    erase(zoe)
    assert client.get("/admin/").status_code == 302


def test_no_mail_acts_on_the_game_any_more(zoe: Player) -> None:
    place = addresses.gm_address(user=account(), game=game("marne"), now=NOW)
    erase(zoe)
    for mail in (
        write("Zoe", "PAUSE because I can", to=place, received_at=LATER),
        write("Zoe", "GM marne PAUSE because I can", received_at=LATER),
    ):
        assert mail.state in (InboundMail.State.HELD, InboundMail.State.DONE)
        assert game("marne").status == Game.Status.ACTIVE


def test_without_a_co_gm_nobody_runs_the_game_and_all_are_told(zoe: Player) -> None:
    moderator = User.objects.create_user("mo", "mo@staff.test")
    moderator_appoint(user=moderator)
    erase(zoe)
    jobs.tell(LATER)
    assert game("marne").gm is None
    assert game("verdun").gm is None
    told = OutboundMail.objects.filter(kind="gm_left", subject__startswith="[marne]")
    assert told.count() == 8, "seven players and the moderator"
    for mail in told:
        assert "The game master of the game marne has left the server. Nobody runs" in flat(
            mail.body
        )
        assert "Zoe" not in mail.body


def test_a_co_gm_runs_the_game_from_then_on_and_a_deputy_does_not(zoe: Player) -> None:
    until = NOW + 9 * DAY
    co_gm_add(game=game("marne"), email="dep@staff.test", until=until, by="Zoe", now=NOW)
    co_gm_add(game=game("marne"), email="co@staff.test", until=None, by="Zoe", now=NOW)
    assert "They run marne. From then on its co-GM, co@staff.test, does." in foreseen(zoe)
    erase(zoe)
    jobs.tell(LATER)
    heir = game("marne").gm
    assert heir is not None
    assert heir.email == "co@staff.test"
    assert not game("marne").co_gms.filter(user=heir).exists()
    told = OutboundMail.objects.get(kind="gm_left", recipient="co@staff.test")
    assert "You helped to run it, so please look after it now." in flat(told.body)


def test_nobody_calls_a_deputy_the_gm_or_says_that_nobody_runs_the_game(zoe: Player) -> None:
    until = NOW + 9 * DAY
    co_gm_add(game=game("marne"), email="dep@staff.test", until=until, by="Zoe", now=NOW)
    assert "its deputy, dep@staff.test, does until" in foreseen(zoe)
    erase(zoe)
    jobs.tell(LATER)
    assert game("marne").gm is None
    told = OutboundMail.objects.filter(kind="gm_left", subject__startswith="[marne]")
    bodies = {one.recipient: flat(one.body) for one in told}
    assert "You helped to run it" in bodies.pop("dep@staff.test")
    assert bodies
    assert all("A deputy runs the game for now" in body for body in bodies.values())


def test_a_co_gm_who_plays_in_it_does_not(zoe: Player) -> None:
    co_gm_add(game=game("marne"), email="ana@players.test", until=None, by="Zoe", now=NOW)
    erase(zoe)
    assert game("marne").gm is None


def test_who_waits_for_the_start_is_told(zoe: Player) -> None:
    hugo = Player.objects.get(name="Hugo")
    game_join(game=game("verdun"), player=hugo, preferences=game("verdun").code, now=NOW)
    erase(zoe)
    jobs.tell(LATER)
    assert OutboundMail.objects.get(kind="gm_left", recipient="hugo@players.test")


def test_nobody_is_asked_to_let_people_in_when_nobody_runs_the_game(zoe: Player) -> None:
    Game.objects.filter(name="verdun").update(entry=Game.Entry.APPROVAL)
    erase(zoe)
    answer = write("Hugo", "JOIN verdun", to=home("Hugo")).answers.get(kind="reply")
    assert "the game master lets people in, and it has none at the moment" in flat(answer.body)
    assert not Invitation.objects.exists()


def test_nothing_names_them_but_the_logs_which_still_verify(zoe: Player) -> None:
    players_invite(game=game("verdun"), emails=["hugo@players.test"], by="Zoe", now=NOW)
    Press.objects.create(
        game=game("marne"), number=1, by="Zoe", text="Hi", public=True, created_at=NOW
    )
    erase(zoe)
    assert [one.by for one in Invitation.objects.all()] == ["the GM"]
    assert [one.by for one in Press.objects.all()] == ["the GM"]
    data_requests.carry_out(LATER)
    OutboundMail.objects.filter(kind="erased").update(state="sent", sent_at=LATER)
    data_requests.carry_out(LATER + HOUR)
    assert ZOE not in everything("auth")
    assert list(faults(game("marne"))) == []
    assert list(faults(game("verdun"))) == []


def test_the_staffs_log_names_them_by_a_number(zoe: Player) -> None:
    entry_write(what=StaffEntry.What.MAIL, about="1", by=Actor("Zoe", account()), now=NOW)
    key = account().pk
    erase(zoe)
    assert StaffEntry.objects.get(user=key).by == f"former-{key}"


def test_a_moderator_of_the_same_name_keeps_theirs(zoe: Player) -> None:
    for number, by in enumerate(["Zoe", "whoever runs the server"], 1):
        Press.objects.create(
            game=game("marne"), number=number, by=by, by_moderator=True, text="Hi", created_at=NOW
        )
    erase(zoe)
    assert [one.by for one in Press.objects.order_by("number")] == [
        "Zoe",
        "whoever runs the server",
    ]


def test_a_co_gm_who_is_erased_helps_nobody_any_more(zoe: Player, marne: Cast) -> None:
    Game.objects.filter(name="marne").update(gm=marne.gm)
    co_gm_add(game=game("marne"), email=ZOE, until=None, by="gm", now=NOW)
    erase(zoe)
    assert game("marne").gm == marne.gm
    assert not game("marne").co_gms.exists()
    assert marne.events("co_gm_removed")


def test_a_moderator_keeps_their_account_and_the_act_says_so(zoe: Player) -> None:
    moderator_appoint(user=account())
    assert "stays with its name and address" in foreseen(zoe)
    home = addresses.player_address(address=address_at_home(zoe), now=NOW)
    answer = write("Zoe", "ERASE", to=home).answers.get(kind="reply")
    assert "You run" not in answer.body, "for they still do"
    erase(zoe)
    assert account().is_active
    assert game("marne").gm == account()


def test_the_act_and_the_player_read_what_becomes_of_the_games(zoe: Player) -> None:
    assert "Their account in the admin, zoe@players.test, is closed." in foreseen(zoe)
    assert "They run marne. From then on nobody does" in foreseen(zoe)
    home = addresses.player_address(address=address_at_home(zoe), now=NOW)
    answer = write("Zoe", "ERASE", to=home).answers.get(kind="reply")
    assert "You run marne and verdun. Once you are erased, a co-GM" in flat(answer.body)


def test_an_address_that_was_only_named_closes_nobodys_account(zoe: Player) -> None:
    ana = Player.objects.get(name="Ana")
    ana.addresses.create(email="gm@players.test", created_at=NOW)
    erase(ana)
    assert User.objects.get(email="gm@players.test").is_active


def test_accounts_of_others_stay_as_they_are(zoe: Player) -> None:
    erase(Player.objects.get(name="Hugo"))
    assert account().is_active
    assert game("marne").gm == account()
