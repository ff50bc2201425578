"""Who is believed: the table of docs/identity.md, cell by cell, and what it rests on."""

from __future__ import annotations

import itertools

import pytest
from pytest_django import Settings

from games.models import Application, Game, OrderSet
from games.queries.access.staff_names import Actor
from games.services.accounts.erasing import player_erase
from games.services.adjudication.phases import phase_process_now
from games.services.endings.ending import game_end
from games.services.setup.games import game_create
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.reading.authentication import Verdict, verdict
from tests.cast import DAY, NOW, POWERS, Cast, address_of, seat_fill
from tests.mailer.correspondence import (
    JUDGE,
    answer_to,
    eml,
    flat,
    receive,
    tell_all,
    to_seat,
    write,
)
from tests.mailer.identity_tables import PLAYERS, SERVER, cells, results, rows
from tests.mailer.signing import Domain, nameserver
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State
DOMAIN = Domain("players.test")
SENDERS = {"owner": "Carla", "another player": "Ben", "stranger": "Zoe"}
REQUESTS = {"ask": "LIST", "join": "JOIN verdun", "order": "A Paris - Burgundy"}


@pytest.fixture(autouse=True)
def trusted(settings: Settings) -> None:
    settings.TRUSTED_AUTHSERV_ID = SERVER
    settings.CHECK_DKIM = True


@pytest.fixture
def verdun(marne: Cast) -> Game:
    return game_create(name="verdun", now=NOW)


def test_the_table_has_a_row_for_every_combination() -> None:
    said = ("passed", "nothing", "failed", "nothing, signed", "failed, signed")
    expected = set(itertools.product(["of the power"], SENDERS, said))
    expected |= set(itertools.product(["none"], ("owner", "stranger"), said))
    assert {tuple(row[:3]) for row in rows(PLAYERS)} == expected


@each_row(
    ("over_after", "days", "held"),
    [(0, 60, False), (0, 61, True), (50, 110, False), (50, 111, True), (None, 61, False)],
)
def test_the_reply_address_of_a_phase_that_is_over_proves_little_after_two_months(
    marne: Cast, over_after: int | None, days: int, held: bool
) -> None:
    to = to_seat(marne)
    if over_after is not None:
        phase_process_now(game_id=marne.game.pk, now=NOW + over_after * DAY)
    mail = receive(
        eml("VOTE DRAW", sender=address_of("Carla"), to=to), received_at=NOW + days * DAY
    )
    assert mail.state == (State.HELD if held else State.DONE)
    if held:
        assert "mail of more than two months ago" in flat(answer_to(mail).body)


@each_row(("days", "state"), [(60, State.DONE), (61, State.HELD)])
def test_so_does_that_of_a_letter(marne: Cast, days: int, state: str) -> None:
    write("Ben", "PRESS TO FRANCE\nHello", to=to_seat(marne, POWERS["Ben"]))
    tell_all()
    letter = OutboundMail.objects.get(kind="press_sent", player=marne.player("Carla"))
    sender, later = address_of("Carla"), NOW + days * DAY
    assert (
        receive(eml("VOTE DRAW", sender=sender, to=letter.reply_to), received_at=later).state
        == state
    )


@each_row(("address", "sender", "said", "request_", "expected"), cells(PLAYERS, REQUESTS))
def test_every_cell_of_the_table_is_true(
    marne: Cast,
    verdun: Game,
    address: str,
    sender: str,
    said: str,
    request_: str,
    expected: str,
) -> None:
    to = to_seat(marne)
    raw = eml(
        REQUESTS[request_],
        sender=address_of(SENDERS[sender]),
        to=to if address == "of the power" else JUDGE,
        headers=results(said),
    )
    with nameserver(DOMAIN):
        mail = receive(DOMAIN.signed(raw) if "signed" in said else raw)
    happened = {
        "ask": mail.answers.filter(subject="Games").exists(),
        "join": Application.objects.filter(game=verdun).exists(),
        "order": OrderSet.objects.exists(),
    }[request_]
    assert happened == (expected == "done")
    assert (mail.state == State.HELD) == (expected == "held")
    if expected == "refused":
        assert "REGISTER" in mail.answers.get().body


def test_a_power_that_changes_hands_gets_another_reply_address(marne: Cast) -> None:
    def france() -> str:
        return to_seat(marne)

    before = france()
    seat_fill(
        game=marne.game, power=marne.seat("France").power, player=marne.player("Hugo"), now=NOW
    )
    assert france() != before
    mail = receive(eml("A Par H", sender=address_of("Hugo"), to=before))
    assert mail.state == State.HELD
    receive(eml("A Par H", sender=address_of("Carla"), to=before))
    assert not OrderSet.objects.exists()


def test_the_reply_address_of_somebody_erased_keeps_nobody_from_an_answer(marne: Cast) -> None:
    """They keep the seat of a game that is over: nobody is left who could be asked."""
    ben, seat = address_of("Ben"), marne.seat("Austria")
    to = addresses.seat_address(seat=seat, phase=marne.phase, now=NOW)
    game_end(game=marne.game, winners=(), why="It is late.", by="gm", now=NOW)
    player_erase(player=seat.player, why="They asked.", by=Actor("mo"), now=NOW)
    mail = receive(eml("STATUS marne", sender=f"Ben <{ben}>", to=to))
    assert mail.state == InboundMail.State.DONE
    assert "marne" in mail.answers.get().body


def test_a_reply_address_among_others_is_found(marne: Cast) -> None:
    to = to_seat(marne)
    crowd = f"ben@players.test, Judge <{to}>, {JUDGE}"
    assert receive(eml("A Par H", sender=address_of("Carla"), to=crowd)).state == State.DONE
    assert OrderSet.objects.get().counts


def test_a_second_confirmed_address_of_the_player_is_theirs(marne: Cast) -> None:
    carla = marne.player("Carla")
    carla.addresses.create(email="carla@work.test", confirmed_at=NOW, created_at=NOW)
    to = to_seat(marne)
    mail = receive(eml("A Par H", sender="Carla <CARLA@work.test>", to=to))
    assert mail.answers.get(kind="reply").recipient == address_of("Carla")
    assert mail.answers.get(kind="copy").recipient == "carla@work.test"
    assert OrderSet.objects.get().counts


def test_an_unconfirmed_address_of_the_player_is_not_theirs(marne: Cast) -> None:
    carla = marne.player("Carla")
    carla.addresses.create(email="carla@work.test", created_at=NOW)
    to = to_seat(marne)
    assert receive(eml("A Par H", sender="carla@work.test", to=to)).state == State.HELD


# --- Authentication-Results -----------------------------------------------------------------


@each_row(
    ("header", "expected"),
    [
        (f"{SERVER}; dmarc=pass (p=none dis=none) header.from=players.test", Verdict.PASSED),
        (f"{SERVER}; dmarc=fail (p=reject) header.from=players.test", Verdict.FAILED),
        (f"{SERVER} 1; spf=fail smtp.mailfrom=x.test; dmarc=pass", Verdict.UNKNOWN),
        (f"{SERVER}; dmarc=pass header.from=", Verdict.UNKNOWN),
        (f"{SERVER}; dmarc=pass; dkim=pass header.d=players.test", Verdict.PASSED),
        (f"{SERVER}; dmarc=pass header.from=Ana@players.test", Verdict.PASSED),
        (f"{SERVER}; dmarc=fail header.from=evil.test", Verdict.FAILED),
        (f"{SERVER}; dmarc=none header.from=evil.test", Verdict.FAILED),
        (
            f"{SERVER}; dmarc=pass header.from=evil.test; dkim=pass header.d=players.test",
            Verdict.FAILED,
        ),
        (f"{SERVER.upper()}; DMARC=PASS header.from=Players.Test", Verdict.PASSED),
        (f"{SERVER}; dkim=pass header.d=players.test header.s=s1", Verdict.PASSED),
        (f"{SERVER}; dkim=pass header.i=@players.test", Verdict.PASSED),
        (f"{SERVER}; spf=pass smtp.mailfrom=Ana@players.test", Verdict.PASSED),
        (f"{SERVER}; spf=pass smtp.mailfrom=ben@players.test", Verdict.UNKNOWN),
        (f"{SERVER}; spf=pass smtp.mailfrom=players.test", Verdict.UNKNOWN),
        (f"{SERVER}; dkim=pass header.d=evil.test", Verdict.UNKNOWN),
        (f"{SERVER}; dkim=pass header.d=test", Verdict.UNKNOWN),
        (f"{SERVER}; dkim=pass header.d=ers.test", Verdict.UNKNOWN),
        (f"{SERVER}; spf=pass smtp.mailfrom=ana@evil.test", Verdict.UNKNOWN),
        (f"{SERVER}; dmarc=pass header.from=evil.test", Verdict.FAILED),
        (f"{SERVER}; dmarc=none; dkim=none; spf=softfail", Verdict.UNKNOWN),
        (f"{SERVER}; dkim=fail header.d=players.test", Verdict.UNKNOWN),
        (f"{SERVER}; none", Verdict.UNKNOWN),
        (f"{SERVER}; iprev=pass header.from=players.test", Verdict.UNKNOWN),
        (f"{SERVER}; auth=pass header.d=players.test", Verdict.UNKNOWN),
        (f"{SERVER}; dmarc=temperror; dkim=pass header.d=players.test", Verdict.PASSED),
        (f"evil.test; dmarc=pass ({SERVER}) header.from=players.test", Verdict.UNKNOWN),
        (f"({SERVER}) evil.test; dmarc=pass", Verdict.UNKNOWN),
        (f"{SERVER}; dmarc=fail (dmarc=pass; dmarc=pass", Verdict.FAILED),
        (f"{SERVER}; spf=none smtp.helo=a(b; dmarc=fail header.from=players.test", Verdict.FAILED),
        (f'{SERVER}; dkim=none header.s=a"b; dmarc=fail header.from=players.test', Verdict.FAILED),
        (f'evil.test; "; {SERVER}; dmarc=fail', Verdict.UNKNOWN),
        (f"{SERVER}; dkim=pass header.d=players.test;", Verdict.PASSED),
        (f'{SERVER}; spf=pass smtp.mailfrom="x;dmarc=pass"@evil.test', Verdict.UNKNOWN),
        (f'{SERVER}; spf=pass smtp.mailfrom="x; dmarc=pass; "@evil.test', Verdict.UNKNOWN),
        (f'{SERVER}; spf=fail smtp.mailfrom="x\\";dmarc=pass', Verdict.FAILED),
        (f'{SERVER}; spf=pass smtp.mailfrom="(@evil.test; dmarc=pass', Verdict.FAILED),
        (f'{SERVER}; spf=pass smtp.mailfrom="("@evil.test; dmarc=fail', Verdict.FAILED),
        (f'{SERVER}; dkim=pass reason="header.d=players.test" header.d=evil.test', Verdict.UNKNOWN),
        (f'{SERVER}; dkim=pass reason="a header.d=players.test"', Verdict.UNKNOWN),
        (f'{SERVER}; dkim=pass reason="a b" header.d = "players.test"', Verdict.PASSED),
        (f"{SERVER}; spf=pass (a \\) b; dmarc=pass) smtp.mailfrom=a@evil.test", Verdict.UNKNOWN),
        (f"{SERVER}; dmarc=pass; dmarc=fail header.from=players.test", Verdict.FAILED),
        (f"{SERVER}; dkim=pass header.d=evil.test header.d=players.test", Verdict.UNKNOWN),
        (f"{SERVER}; dkim=pass header.d=players.test header.d=players.test", Verdict.PASSED),
        (f"{SERVER}; dmarc=pass header.from=evil.test header.from=players.test", Verdict.FAILED),
        (f"{SERVER}; dkim=pass header.i=x header.d=players.test @evil.test", Verdict.UNKNOWN),
        (f"{SERVER}; dkim=pass header.i=@a.players.test header.d=players.test", Verdict.PASSED),
        ("dmarc=pass action=none header.from=players.test", Verdict.UNKNOWN),
        ("", Verdict.UNKNOWN),
        (";;;=;(((", Verdict.UNKNOWN),
    ],
)
def test_authentication_results_are_read_as_rfc_8601_writes_them(
    header: str, expected: Verdict
) -> None:
    assert verdict([header], "ana@players.test", SERVER) is expected


def test_only_the_topmost_header_of_our_server_counts() -> None:
    ours = f"{SERVER}; dmarc=fail header.from=players.test"
    forged = f"{SERVER}; dmarc=pass header.from=players.test"
    other = "mx.elsewhere.test; dmarc=pass header.from=players.test"
    assert verdict([other, ours, forged], "ana@players.test", SERVER) is Verdict.FAILED


def test_a_header_of_our_server_that_finds_nothing_hides_those_below_it() -> None:
    forged = f"{SERVER}; dmarc=pass header.from=players.test"
    assert verdict([f"{SERVER}; none", forged], "ana@players.test", SERVER) is Verdict.UNKNOWN


def test_without_a_trusted_server_nobody_is_believed() -> None:
    assert verdict([f"{SERVER}; dmarc=pass"], "ana@players.test", "") is Verdict.UNKNOWN
