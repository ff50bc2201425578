"""A game master takes a place away from somebody before the start: who is told what, who can come
back, and what the game master learns."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from games.acts import GAME_ACTS
from games.acts.remove_player import Parameters
from games.errors import NotAllowed, NotFound
from games.models import Address, Event, Game
from games.queries.access.roles import GM, MODERATOR
from games.queries.players.places import kept_out, places_of
from games.queries.reports.log_text import entries
from games.services.seating.invitations import players_deny, players_invite
from games.services.seating.joining import game_join
from games.services.setup.co_gms import co_gm_add
from games.services.setup.games import game_create
from mailer import jobs
from mailer.models import OutboundMail
from tests.cast import DAY, HOUR, NOW, Cast, make_player
from tests.mailer.correspondence import flat
from tests.mailer.gm.writing import confirm, order, question

pytestmark = pytest.mark.django_db

WHY = "you told us that you have no time"


@pytest.fixture
def somme(marne: Cast) -> Cast:
    """A game by invitation that Hugo, Ana and Ben have joined by its code."""
    game = game_create(name="somme", gm=marne.gm, entry="invited", now=NOW)
    for name in ("Hugo", "Ana", "Ben"):
        game_join(game=game, player=marne.player(name), preferences=game.code, now=NOW)
    jobs.tell(NOW)
    marne.gm.groups.add(Group.objects.get(name=GM))
    return Cast(game, marne.gm)


def remove(cast: Cast, name: str = "Hugo", by: User | None = None) -> None:
    given = Parameters(who=str(cast.player(name).pk), why=WHY)
    GAME_ACTS["remove_player"].perform(cast.game, given, by=by or cast.gm, now=NOW + HOUR)


def told() -> dict[str, OutboundMail]:
    jobs.tell(NOW + HOUR)
    return {one.recipient: one for one in OutboundMail.objects.filter(kind="player_removed")}


def has_place(cast: Cast, name: str) -> bool:
    return cast.game in places_of(cast.player(name))


def test_only_the_player_and_whoever_else_runs_the_game_are_told_and_why(somme: Cast) -> None:
    co_gm_add(game=somme.game, email="di@far.test", until=None, by="gm", now=NOW)
    remove(somme)
    mails = told()
    assert set(mails) == {"hugo@players.test", "di@far.test"}
    mine, theirs = flat(mails["hugo@players.test"].body), flat(mails["di@far.test"].body)
    assert f"Why: {WHY}" in mine
    assert f"Why: {WHY}" in theirs
    assert "has taken away your place in the game somme" in mine
    assert "write MODERATOR and your question" in mine
    assert (
        "has taken Hugo out of your game somme, and Hugo cannot join it again unless you" in theirs
    )
    assert "5 seats are free now." in theirs


def test_the_log_says_that_a_place_was_taken_away_but_not_whose_or_why(somme: Cast) -> None:
    remove(somme)
    said = [*entries(somme.game)][-1].sentence
    assert said == "The GM took a place away from a player. 5 seats are still free."
    event = Event.objects.get(kind="player_removed")
    assert event.payload["why"] == WHY


def test_whoever_was_removed_cannot_come_back_by_the_code_but_by_an_invitation(
    somme: Cast,
) -> None:
    hugo = somme.player("Hugo")
    Address.objects.create(player=hugo, email="h2@far.test", created_at=NOW, confirmed_at=NOW)
    remove(somme)
    for code in (somme.game.code, ""):
        with pytest.raises(NotAllowed, match="The GM of somme does not let you join it"):
            game_join(game=somme.game, player=hugo, preferences=code, now=NOW + HOUR)
    players_invite(game=somme.game, emails=["h2@far.test"], by="gm", now=NOW + HOUR)
    game_join(game=somme.game, player=hugo, preferences="", now=NOW + HOUR)
    assert has_place(somme, "Hugo")


def test_an_invitation_lifts_no_denial_of_another_address_that_the_gm_wrote(somme: Cast) -> None:
    """The GM need not know that both are of one person, who has never had a place."""
    zoe = make_player("Zoe")
    Address.objects.create(player=zoe, email="z2@far.test", created_at=NOW, confirmed_at=NOW)
    emails = ["zoe@players.test", "z2@far.test"]
    players_deny(game=somme.game, emails=emails, by="gm", now=NOW)
    players_invite(game=somme.game, emails=["z2@far.test"], by="gm", now=NOW)
    assert kept_out(somme.game) == ["zoe@players.test"]


def test_in_a_muster_those_who_stay_are_told_that_the_game_looks_for_players(
    marne: Cast,
) -> None:
    game = game_create(name="somme", gm=marne.gm, muster=DAY, now=NOW)
    for number in range(7):
        game_join(game=game, player=make_player(f"P{number}"), preferences="", now=NOW)
    cast = Cast(Game.objects.get(pk=game.pk), marne.gm)
    given = Parameters(who=str(cast.player("P3").pk), why=WHY)
    act = GAME_ACTS["remove_player"]
    said = act.foresee(cast.game, given, by=cast.gm, now=NOW + HOUR)
    assert "The muster ends" in " ".join(said)
    assert "1 seat is free then." in said[0]
    act.perform(cast.game, given, by=cast.gm, now=NOW + HOUR)
    jobs.tell(NOW + HOUR)
    stay = OutboundMail.objects.filter(kind="muster_failed").exclude(player=None)
    assert stay.count() == 6
    assert "Somebody has lost or given back a seat." in flat(stay[0].body)


def test_the_forecast_says_what_becomes_of_the_game_and_who_is_told(somme: Cast) -> None:
    act, given = GAME_ACTS["remove_player"], Parameters(who=str(somme.player("Hugo").pk), why=WHY)
    said = " ".join(act.foresee(somme.game, given, by=somme.gm, now=NOW))
    assert "whatever code they have. 5 seats are free then." in said
    assert "with your reason: Hugo. Everybody can read" in said
    assert "muster" not in said
    co_gm_add(game=somme.game, email="di@far.test", until=None, by="gm", now=NOW)
    said = " ".join(act.foresee(somme.game, given, by=somme.gm, now=NOW))
    assert "with your reason: Hugo, and whoever else runs the game. Everybody" in said
    done = act.perform(somme.game, given, by=somme.gm, now=NOW)
    assert done.said == "Hugo no longer has a place in somme. 5 seats are free."


def test_it_is_no_act_for_a_game_that_nobody_has_joined(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, now=NOW)
    act = GAME_ACTS["remove_player"]
    assert act.why_not(game, NOW) == "Nobody has a place in somme."
    assert act.is_dangerous, "its button is red"


def test_the_gm_does_not_learn_the_address_of_somebody_they_removed(
    somme: Cast, client: Client
) -> None:
    remove(somme)
    client.force_login(somme.gm)
    page = client.get(reverse("admin:games_game_change", args=[somme.game.pk])).content.decode()
    answer = order(somme, "STATUS")
    for said in (page, answer):
        assert "Kept out: Hugo." in said
        assert "hugo@players.test" not in said


def test_it_is_for_the_gm_and_not_for_a_moderator(somme: Cast) -> None:
    mo = User.objects.create_user("mo", is_staff=True)
    mo.groups.add(Group.objects.get(name=MODERATOR))
    with pytest.raises(NotAllowed, match="Moderators do not do this"):
        GAME_ACTS["remove_player"].require(mo, somme.game, NOW)


def test_the_page_of_a_game_leads_to_it_from_each_name(somme: Cast, client: Client) -> None:
    client.force_login(somme.gm)
    page = client.get(reverse("admin:games_game_change", args=[somme.game.pk])).content.decode()
    act = reverse("admin:games_game_act", args=[somme.game.pk, "remove_player"])
    assert f'{act}?who={somme.player("Hugo").pk}"' in page


def test_the_page_leads_to_it_from_nowhere_while_nobody_has_joined(
    marne: Cast, client: Client
) -> None:
    marne.gm.groups.add(Group.objects.get(name=GM))
    game = game_create(name="somme", gm=marne.gm, now=NOW)
    client.force_login(marne.gm)
    page = client.get(reverse("admin:games_game_change", args=[game.pk])).content.decode()
    assert "Nobody yet." in page
    assert reverse("admin:games_game_act", args=[game.pk, "remove_player"]) not in page


def test_the_page_does_not_lead_a_moderator_to_it(somme: Cast, client: Client) -> None:
    mo = User.objects.create_user("mo", is_staff=True)
    mo.groups.add(Group.objects.get(name=MODERATOR))
    client.force_login(mo)
    page = client.get(reverse("admin:games_game_change", args=[somme.game.pk])).content.decode()
    assert "<li>Hugo, " in page
    assert reverse("admin:games_game_act", args=[somme.game.pk, "remove_player"]) not in page


def test_a_second_click_removes_nobody_and_says_so(somme: Cast) -> None:
    act, given = GAME_ACTS["remove_player"], Parameters(who=str(somme.player("Hugo").pk), why=WHY)
    seen = act.stamp(somme.game)
    remove(somme)
    with pytest.raises(NotFound, match="They no longer have a place in somme"):
        act.perform(somme.game, given, by=somme.gm, now=NOW + HOUR, expected=seen)
    assert list(told()) == ["hugo@players.test"]


def test_the_page_does_not_say_that_all_will_read_the_reason(somme: Cast, client: Client) -> None:
    client.force_login(somme.gm)
    act = reverse("admin:games_game_act", args=[somme.game.pk, "remove_player"])
    typed = {"who": str(somme.player("Hugo").pk), "why": WHY}
    shown = client.post(act, typed).content.decode()
    assert f"Why, as they will read it: “{WHY}”" in shown


@pytest.mark.parametrize(
    "line",
    [
        f"REMOVE Hugo because {WHY}",
        f"kick Hugo out of the game, {WHY}",
        f"VACATE hugo@players.test because {WHY}",
        f"Please remove Hugo from the game, because {WHY}",
        f"EJECT Hugo\n{WHY}",
    ],
)
def test_by_mail_it_is_confirmed_first(somme: Cast, line: str) -> None:
    order(somme, line)
    asked = flat(question().body)
    assert "Hugo loses their place in somme" in asked
    assert has_place(somme, "Hugo")
    confirm()
    assert not has_place(somme, "Hugo")
    assert flat(told()["hugo@players.test"].body).count(f"Why: {WHY}") == 1


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("REMOVE", "needs a name and a reason"),
        ("REMOVE Hugo", "Please say why: the player is told."),
        ("REMOVE Hugp because he is away", "Did you mean Hugo?"),
        ("REMOVE Greta because she is away", "Nobody called “Greta” has a place in somme."),
    ],
)
def test_a_line_that_lacks_something_removes_nobody(somme: Cast, line: str, answer: str) -> None:
    assert answer in flat(order(somme, line))
    assert all(has_place(somme, name) for name in ("Hugo", "Ana", "Ben"))


def test_once_the_game_has_started_remove_takes_a_power(marne: Cast) -> None:
    order(marne, "REMOVE France because nothing has come")
    confirm()
    assert [one.payload["power"] for one in marne.events("seat_vacated")] == ["France"]
