"""Which kind of sender a mail has, by its From line and the reply address that it went to."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from games.models import Offer, Player, Seat
from games.services.accounts.merging import players_merge
from mailer.identity import senders
from mailer.identity.identify import confirmed_sender, identify
from mailer.identity.senders import Proof, Sender
from mailer.letter import read_letter
from mailer.outbound import addresses
from mailer.outbound.tokens import ForAddress
from tests.cast import NOW, Cast, address_of
from tests.mailer.correspondence import JUDGE, eml
from tests.mailer.identity.test_tokens import EVERY
from tests.mailer.identity_tables import SERVER, results
from tests.rows import each_row

pytestmark = pytest.mark.django_db

HUGO, CARLA, GRETA = (address_of(name) for name in ("Hugo", "Carla", "Greta"))
GM, ZOE = "gm@players.test", "zoe@players.test"


def sender_of(to: str, sender: str, text: str = "Hello", subject: str = "Hello") -> Sender:
    raw = eml(text, sender=sender, to=to, subject=subject)
    return identify(read_letter(raw), received_at=NOW)


CASES: Mapping[tuple[str, str], type] = {
    ("seat", CARLA): senders.SeatHolder,
    ("seat", HUGO): senders.Suspect,
    ("seat", GM): senders.Suspect,
    ("address", HUGO): senders.PlayerAtLarge,
    ("address", CARLA): senders.Suspect,
    ("moderators", HUGO): senders.Answering,
    ("moderators", ZOE): senders.Suspect,
    ("here", HUGO): senders.PlayerAtLarge,
    ("offer", HUGO): senders.Answering,
    ("offer", ZOE): senders.Suspect,
    ("answer", GRETA): senders.SeatHolder,
    ("answer_all", GRETA): senders.SeatHolder,
    ("answer", CARLA): senders.Suspect,
    ("mail", CARLA): senders.Answering,
    ("mail", HUGO): senders.Suspect,
    ("gm", GM): senders.GameMaster,
    ("gm", CARLA): senders.SuspectGm,
    ("gm_answer", GM): senders.GameMaster,
    ("gm_answer", ZOE): senders.SuspectGm,
    ("gm_mail", GM): senders.AnsweringGm,
    ("gm_mail", CARLA): senders.SuspectGm,
}


@each_row(("purpose", "email"), CASES)
def test_the_reply_address_and_the_from_line_say_who_wrote(
    marne: Cast, purpose: str, email: str
) -> None:
    to = addresses.address_for(EVERY[purpose](marne), now=NOW)
    sender = sender_of(to, email)
    assert type(sender) is CASES[purpose, email]
    doubtful = isinstance(sender, senders.Suspect | senders.SuspectGm)
    assert sender.proof is (Proof.NONE if doubtful else Proof.TOKEN)


def test_a_reply_means_the_phase_that_it_answers(marne: Cast) -> None:
    sender = sender_of(addresses.address_for(EVERY["seat"](marne), now=NOW), CARLA)
    assert isinstance(sender, senders.SeatHolder)
    assert sender.phase == marne.phase


def test_a_reply_to_an_offer_that_was_taken_answers_nothing_any_more(marne: Cast) -> None:
    to = addresses.address_for(EVERY["offer"](marne), now=NOW)
    Offer.objects.update(end=Offer.End.TAKEN)
    assert isinstance(sender_of(to, HUGO), senders.PlayerAtLarge)


def test_without_a_reply_address_a_player_speaks_for_the_one_power_they_play(marne: Cast) -> None:
    assert isinstance(sender_of(JUDGE, CARLA), senders.SeatHolder)
    assert isinstance(sender_of(JUDGE, HUGO), senders.PlayerAtLarge)
    assert isinstance(sender_of(JUDGE, ZOE), senders.Stranger)


def test_whoever_writes_no_plain_from_line_is_nobody_but_its_owner_is_asked(marne: Cast) -> None:
    sender = sender_of(JUDGE, f"Carla <{CARLA}>, Carla <{CARLA}>")
    assert isinstance(sender, senders.Suspect)
    assert sender.owner == marne.player("Carla")


@pytest.mark.parametrize(("purpose", "owner"), [("seat", "Carla"), ("address", "Hugo")])
def test_the_owner_of_a_reply_address_is_asked_about_a_strangers_mail_to_it(
    marne: Cast, purpose: str, owner: str
) -> None:
    sender = sender_of(addresses.address_for(EVERY[purpose](marne), now=NOW), ZOE)
    assert isinstance(sender, senders.Suspect)
    assert sender.owner == marne.player(owner)


@pytest.mark.parametrize(
    ("name", "kind"), [("Hugo", senders.FurtherAddress), ("Zoe", senders.Newcomer)]
)
def test_an_address_that_waits_for_its_owner_s_word_makes_no_player_of_them(
    marne: Cast, name: str, kind: type
) -> None:
    player, _ = Player.objects.get_or_create(name=name, defaults={"created_at": NOW})
    new = player.addresses.create(email="New@Players.test", created_at=NOW)
    to = addresses.address_for(ForAddress(new), now=NOW)
    assert type(sender_of(to, "new@players.test")) is kind
    for other in (CARLA, HUGO, f"{CARLA}, {HUGO}"):  # nobody else says for them whose it is
        suspect = sender_of(to, other)
        assert isinstance(suspect, senders.Suspect)
        assert suspect.owner is None


@pytest.mark.parametrize(
    ("purpose", "email", "owner"),
    [
        ("seat", CARLA, "Carla"),
        ("address", HUGO, "Hugo"),
        ("offer", HUGO, "Hugo"),
        ("gm", GM, None),
    ],
)
def test_whose_from_line_is_forged_is_asked_about_it(
    marne: Cast, settings: Settings, purpose: str, email: str, owner: str | None
) -> None:
    settings.TRUSTED_AUTHSERV_ID = SERVER
    to = addresses.address_for(EVERY[purpose](marne), now=NOW)
    raw = eml("Hello", sender=email, to=to, headers=results("failed"))
    sender = identify(read_letter(raw), received_at=NOW)
    assert isinstance(sender, senders.Suspect)
    assert sender.owner == (marne.player(owner) if owner else None)


def test_a_player_answers_from_any_of_their_addresses(marne: Cast) -> None:
    marne.player("Hugo").addresses.create(email="hugo@work.test", confirmed_at=NOW, created_at=NOW)
    to = addresses.address_for(EVERY["address"](marne), now=NOW)
    assert isinstance(sender_of(to, "hugo@work.test"), senders.PlayerAtLarge)


def test_whose_account_was_made_a_part_of_another_still_answers_what_it_was_asked(
    marne: Cast,
) -> None:
    to = addresses.address_for(EVERY["mail"](marne), now=NOW)
    players_merge(
        kept=marne.player("Hugo"), other=marne.player("Carla"), why="One.", by="mo", now=NOW
    )
    assert isinstance(sender_of(to, CARLA), senders.Answering)


def test_of_two_powers_of_a_game_the_one_that_lives_is_meant(marne: Cast) -> None:
    carla, phase = marne.player("Carla"), marne.phase
    Seat.objects.filter(power__game=marne.game, power__name="England").update(player=carla)
    assert isinstance(sender_of(JUDGE, CARLA, subject="Re: [marne] Orders"), senders.PlayerAtLarge)
    for lists in (phase.position["units"], phase.position["centers"]):
        del lists["England"]
    phase.save()
    sender = sender_of(JUDGE, CARLA, subject="Re: [marne] Orders")
    assert isinstance(sender, senders.SeatHolder)
    assert sender.seat.power.name == "France"


@each_row(
    ("purpose", "sender", "active", "asks"),
    [
        ("gm", ZOE, True, True),
        ("gm", ZOE, False, False),
        ("gm", GM, False, False),
        ("gm_mail", ZOE, True, False),
    ],
)
def test_who_runs_a_game_is_asked_about_a_mail_to_their_reply_address_but_not_about_an_answer(
    marne: Cast, purpose: str, sender: str, active: bool, asks: bool
) -> None:
    User.objects.filter(pk=marne.gm.pk).update(is_active=active)
    suspect = sender_of(addresses.address_for(EVERY[purpose](marne), now=NOW), sender)
    assert isinstance(suspect, senders.SuspectGm)
    assert (suspect.user == marne.gm) == asks


def test_a_game_master_may_write_their_address_in_capitals(marne: Cast) -> None:
    User.objects.filter(pk=marne.gm.pk).update(email=GM.title())
    assert isinstance(
        sender_of(addresses.address_for(EVERY["gm"](marne), now=NOW), GM), senders.GameMaster
    )


@each_row("purpose", ["seat", "answer", "moderators", "offer"])
def test_a_confirmed_mail_speaks_for_its_owner_whosever_reply_address_it_went_to(
    marne: Cast, purpose: str
) -> None:
    to = addresses.address_for(EVERY[purpose](marne), now=NOW)
    held = read_letter(eml("Hello", sender=address_of("Ben"), to=to))
    sender = confirmed_sender(marne.player("Ben"), held, NOW)
    assert isinstance(sender, senders.SeatHolder)
    assert sender.seat == marne.seat("England")


def test_a_confirmed_answer_is_still_one(marne: Cast) -> None:
    token, asked = EVERY["answer"](marne), EVERY["moderators"](marne)
    held = read_letter(eml("Hm.", sender=GRETA, to=addresses.address_for(token, now=NOW)))
    sender = confirmed_sender(marne.player("Greta"), held, NOW)
    assert isinstance(sender, senders.SeatHolder)
    assert sender.answers == token
    held = read_letter(eml("Hm.", sender=HUGO, to=addresses.address_for(asked, now=NOW)))
    sender = confirmed_sender(marne.player("Hugo"), held, NOW)
    assert isinstance(sender, senders.Answering)
    assert sender.question == asked


def test_a_line_that_begins_with_gm_makes_them_a_game_master_besides(marne: Cast) -> None:
    assert sender_of(JUDGE, GM).gm is None
    found = sender_of(JUDGE, GM, "GM STATUS", subject="[marne] Hm")
    assert isinstance(found, senders.Stranger)
    assert found.gm == senders.GameMaster(GM, marne.gm, Proof.NONE, subject="[marne] Hm")
