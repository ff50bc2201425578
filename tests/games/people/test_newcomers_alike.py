"""Newcomers who may be somebody that may not play: a case for the moderators, no verdict."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from games.bans import why_barred
from games.models import Conduct, Player
from games.queries.players.own_data import own_data
from games.services.accounts.merging import players_merge
from games.services.accounts.players import address_confirm, player_register
from games.services.moderation.conduct import player_ban, player_lift
from mailer.models import OutboundMail
from mailer.notices.messages.moderation_mail import tell_all
from tests.cast import DAY, NOW
from tests.games.acts.acting import Acting
from tests.games.admin.queue_cases import plain

pytestmark = pytest.mark.django_db
FAR = NOW + 9 * DAY


@pytest.fixture
def banned(db: None) -> Player:
    """Somebody who may not play, whose name and address are like those of others."""
    old = newcomer("Carla Smith", "carla.smith@club.test", at=NOW)
    player_ban(player=old, why="Two accounts.", by="mo", now=NOW)
    return old


def newcomer(name: str, email: str, *, at: dt.datetime) -> Player:
    return address_confirm(address=player_register(name=name, email=email, now=at), now=at)


def test_a_newcomer_like_somebody_banned_is_a_case_and_may_play(
    banned: Player, moderator: Client
) -> None:
    new = newcomer("C. Smith", "carla.smith77@mail.test", at=FAR)
    case = Conduct.objects.get(player=new)
    assert f"much in common with account {banned.pk} of somebody" in case.why
    assert banned.name not in case.why
    assert not why_barred(new, now=FAR)
    shown = plain(moderator.get(reverse("admin:games_player_queue")).content.decode())
    assert "Newcomer like somebody who may not play" in shown
    assert "Merge accounts" in shown
    Acting(new, "answer").confirm(entry=str(case.pk), unanswered="yes")
    case.refresh_from_db()
    assert case.settled_at


def test_the_moderators_are_told_of_it_and_the_newcomer_is_not(
    banned: Player, moderator: Client
) -> None:
    new = newcomer("C. Smith", "carla.smith77@mail.test", at=FAR)
    tell_all(FAR)
    [mail] = OutboundMail.objects.filter(kind="asked")
    assert mail.subject == "C. Smith may be somebody who may not play"
    assert mail.recipient not in {one.email for one in new.addresses.all()}
    assert not OutboundMail.objects.filter(player=new).exists()
    assert own_data(new, notes=False).rows["file of the moderators"] == []


def test_others_are_no_case(banned: Player) -> None:
    newcomer("Zoe Smith", "zoe@mail.test", at=FAR)
    assert not Conduct.objects.filter(kind="alike").exists()
    player_lift(player=banned, why="Enough.", by="mo", now=FAR)
    newcomer("C. Smith", "carla.smith77@mail.test", at=FAR)
    assert not Conduct.objects.filter(kind="alike").exists()


def test_the_name_of_somebody_banned_lately_is_a_case_by_itself(banned: Player) -> None:
    for number, name in enumerate(("Carla Smithers", "Carla Smithe", "Carla Smith-Oz")):
        newcomer(name, f"cs{number}@mail.test", at=FAR)
    newcomer("Carla Smith C", "cs@some.test", at=NOW + 31 * DAY)
    assert not Conduct.objects.filter(kind="alike").exists()
    new = newcomer("carla smith B", "nobody@other.test", at=FAR + DAY)
    case = Conduct.objects.get(player=new)
    assert (
        f"nearly the same name as account {banned.pk} of somebody who was banned lately" in case.why
    )


def test_a_first_name_that_stands_in_the_address_too_is_one_sign(banned: Player) -> None:
    old = newcomer("Thomas Brown", "thomas1@mail.test", at=NOW)
    player_ban(player=old, why="Cheated.", by="mo", now=NOW)
    newcomer("Thomas Green", "thomas2@elsewhere.test", at=FAR)
    assert not Conduct.objects.filter(kind="alike").exists()
    new = newcomer("Thomas Brown B", "thomas3@another.test", at=FAR + DAY)
    assert Conduct.objects.get(kind="alike").player == new


@pytest.mark.parametrize("newcomer_stays", [True, False])
def test_when_the_two_are_merged_the_case_is_settled(banned: Player, newcomer_stays: bool) -> None:
    new = newcomer("C. Smith", "carla.smith77@mail.test", at=FAR)
    kept, other = (new, banned) if newcomer_stays else (banned, new)
    players_merge(kept=kept, other=other, why="The same person.", by="mo", now=FAR)
    assert Conduct.objects.get(kind="alike").settled_at == FAR
    assert why_barred(Player.objects.get(pk=kept.pk), now=FAR)


def test_when_the_newcomer_is_banned_as_well_the_case_is_settled(banned: Player) -> None:
    new = newcomer("C. Smith", "carla.smith77@mail.test", at=FAR)
    player_ban(player=new, why="The same person.", by="mo", now=FAR)
    assert Conduct.objects.get(kind="alike").settled_at == FAR


def test_a_merge_with_somebody_else_leaves_the_case_open(banned: Player) -> None:
    new = newcomer("C. Smith", "carla.smith77@mail.test", at=FAR)
    zoe = newcomer("Zoe Jones", "zoe@mail.test", at=FAR + DAY)
    players_merge(kept=new, other=zoe, why="The same person.", by="mo", now=FAR + DAY)
    assert Conduct.objects.get(kind="alike").settled_at is None
