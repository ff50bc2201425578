"""Signed receipts: who gets one, what it says, what it costs; and what is handed out of a game."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from diplomacy_server.checks import receipts_can_be_signed
from games import log
from games.errors import BadInput
from games.models import Event, Game, OrderSet
from games.proofs.keys import keys_listed, list_beside, make_key, signer_at
from games.proofs.receipts import found_in
from games.proofs.saved import packed_in
from games.queries.audit.proofs import proof_file, receipt_block
from games.queries.audit.seals import sealed_orders, statement_of
from games.queries.checking import faults as checking
from games.queries.checking.record import record_of
from games.queries.checking.report import findings
from games.queries.orders.current_orders import counting
from games.services.adjudication.rollback import game_rollback
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer.letter import read_letter
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, NOW, OPENINGS, Cast, submit
from tests.games.proofs.kept import processed, with_key
from tests.mailer.correspondence import eml, to_seat, write
from tests.pages.playing import PRIVATE_PRESS, SECRET_LINE, play, played

pytestmark = pytest.mark.django_db
LIMIT = 0.0002
"""Seconds: what signing may cost a mail."""


@pytest.fixture
def signing(marne: Cast, settings: Settings, tmp_path: Path) -> Cast:
    """The game on a server with a key."""
    with_key(settings, tmp_path)
    return marne


def ordered(cast: Cast, *lines: str, name: str = "Carla", power: str = "France") -> InboundMail:
    to = to_seat(cast, power)
    return write(name, "\n".join(lines), to=to)


def statements(mail: InboundMail) -> list[tuple[str, ...]]:
    body = mail.answers.get(kind="reply").body
    return [one.statement.orders for one in found_in(body)]


def test_a_receipt_ends_with_the_orders_that_stand_signed(signing: Cast) -> None:
    body = ordered(signing, *OPENINGS["France"]).answers.get(kind="reply").body
    text, _, signed = body.partition("Signed for you to keep; HELP PROOF explains it:\n")
    assert "These orders stand now for France" in text
    lines = signed.strip().splitlines()
    assert all(line.startswith(":: ") and len(line) <= 72 for line in lines)
    (receipt,) = found_in(body)
    assert receipt.statement.orders == tuple(OPENINGS["France"])
    assert receipt.statement.received_at == NOW
    keys = keys_listed(signing_key())
    assert keys[receipt.key].has_signed(receipt.text, receipt.signature)


def signing_key() -> Path:
    return Path(django_settings.RECEIPT_KEY_FILE)


def test_it_signs_what_stands_when_the_whole_mail_is_done(signing: Cast) -> None:
    ordered(signing, "F Brest Holds")
    mail = ordered(signing, "AMEND", "A Paris - Burgundy", "A Mars Supports A Paris - Burgundy")
    assert statements(mail) == [
        ("A Paris - Burgundy", "A Marseilles Supports A Paris - Burgundy", "F Brest Holds")
    ]


def test_orders_alone_and_clear_are_signed_too(signing: Cast) -> None:
    ordered(signing, "F Brest Holds")
    assert statements(ordered(signing, "ORDERS")) == [("F Brest Holds",)]
    assert statements(ordered(signing, "CLEAR")) == [()]
    assert "orders: none." in " ".join(statement_text(signing).split())


def statement_text(cast: Cast) -> str:
    statement = statement_of(cast.phase, cast.seat("France").power)
    assert statement
    return statement.text


@pytest.mark.parametrize("lines", [["ORDERS"], ["STATUS"], ["Hello, is anybody there?"]])
def test_where_nothing_was_ordered_nothing_is_signed(signing: Cast, lines: list[str]) -> None:
    assert statements(ordered(signing, *lines)) == []


def test_late_orders_are_not_signed(signing: Cast) -> None:
    to = addresses.seat_address(seat=signing.seat("France"), phase=signing.phase, now=NOW)
    mail = write("Carla", "A Paris Holds", to=to, received_at=NOW + 9 * DAY)
    assert statements(mail) == []


def test_a_server_without_a_key_signs_nothing_and_works(marne: Cast, settings: Settings) -> None:
    settings.RECEIPT_KEY_FILE = Path("/nowhere/receipts.key")
    body = ordered(marne, *OPENINGS["France"]).answers.get(kind="reply").body
    assert "France has an order for every unit." in body
    assert "Signed" not in body


def test_only_the_player_gets_their_receipt(signing: Cast) -> None:
    ordered(signing, *OPENINGS["France"])
    salt = OrderSet.objects.get().salt
    assert {mail.recipient for mail in OutboundMail.objects.filter(body__contains=salt)} == {
        "carla@players.test"
    }


QUOTES = {
    "bare": "{}",
    "marked": "A word.\n\nOn Monday, the judge wrote:\n{quoted}",
    "bare, below the writer's words": "READY\n\n{}",
    "without our marker": "{unmarked}",
}


@pytest.mark.parametrize("how", QUOTES, ids=str)
def test_a_receipt_that_is_quoted_back_gives_no_command(signing: Cast, how: str) -> None:
    body = ordered(signing, *OPENINGS["France"]).answers.get(kind="reply").body
    signed = body[body.index("Signed for you") :]
    text = QUOTES[how].format(
        signed, quoted="\n".join(f"> {line}" for line in body.splitlines()), unmarked=signed
    )
    lines = [line.text for line in read_letter(eml(text, sender="c@players.test")).lines]
    own = {"READY", "A word.", "Signed for you to keep; HELP PROOF explains it:"}
    assert set(lines) <= own


def test_signing_costs_a_mail_next_to_nothing(signing: Cast) -> None:
    submit(signing, "France", OPENINGS["France"])
    statement = statement_of(signing.phase, signing.seat("France").power)
    signer = signer_at(signing_key())
    assert statement
    assert signer
    times = []
    for _ in range(20):
        begun = time.perf_counter()
        signer.sign(statement.text)
        times.append(time.perf_counter() - begun)
    assert min(times) < LIMIT


def test_every_set_has_a_salt_of_its_own(signing: Cast) -> None:
    """The same orders again, and nobody can tell from the seals that they are the same."""
    submit(signing, "France", OPENINGS["France"], NOW)
    submit(signing, "France", OPENINGS["France"], NOW + DAY)
    first, second = OrderSet.objects.order_by("pk")
    assert len(first.salt) == 32
    assert first.salt != second.salt


def test_the_seal_in_the_log_is_that_of_the_receipt(signing: Cast) -> None:
    mail = ordered(signing, *OPENINGS["France"])
    (receipt,) = found_in(mail.answers.get(kind="reply").body)
    processed(signing, 1)
    event = Event.objects.get(kind="phase_processed")
    assert event.payload["seals"] == {"France": receipt.statement.seal}


def test_orders_sealed_at_the_deadline_bring_the_result_that_the_judge_found(
    settings: Settings, tmp_path: Path
) -> None:
    """Nine random phases, with a line of nonsense in each set: what is revealed is enough."""
    cast = played(9)
    with_key(settings, tmp_path)
    record = record_of(proof_file(cast.game))
    assert list(checking.faults(record)) == []
    processed_so_far = [one for one in record.phases if one.outcome is not None]
    assert len(processed_so_far) == 9
    assert all(one.revealed for one in processed_so_far)


def test_a_proof_file_takes_as_many_statements_however_long_the_game() -> None:
    cast = played(2)
    counts = []
    for phases in (0, 6):
        play(cast, phases)
        with CaptureQueriesContext(connection) as sent:
            document = proof_file(cast.game)
        counts.append(len(sent))
    assert len(document["phases"]) == 9
    assert counts[0] == counts[1]


# --- What is handed out ----------------------------------------------------------------------


def test_no_secret_stands_in_a_proof_file(settings: Settings) -> None:
    """Neither open orders, nor a line that was no order, nor who plays what, nor press."""
    cast = played(2, anonymous=True)
    submit(cast, "Germany", ["A Munich Holds"])
    open_set = OrderSet.objects.latest("pk")
    written = json.dumps(proof_file(cast.game))
    for secret in (SECRET_LINE, PRIVATE_PRESS, open_set.salt, "players.test"):
        assert secret not in written
    for entry in json.loads(written)["entries"]:
        assert not {"player", "seat", "sha256", "before"} & entry["facts"].keys()
    press = [one for one in json.loads(written)["entries"] if one["kind"] == "press_sent"]
    assert all(set(one["secret"]) == {"sha256"} for one in press)
    assert press


def test_salts_of_orders_that_were_replaced_are_never_told(signing: Cast) -> None:
    submit(signing, "France", ["A Paris - Picardy"], NOW)
    first = OrderSet.objects.get().salt
    submit(signing, "France", OPENINGS["France"], NOW + DAY)
    processed(signing, 1)
    assert first not in json.dumps(proof_file(signing.game))


def test_a_game_that_was_rolled_back_is_whole(signing: Cast) -> None:
    submit(signing, "France", OPENINGS["France"])
    processed(signing, 1)
    game_rollback(game=signing.game, phase="S1901M", why="A mistake.", by="gm", now=NOW + 4 * DAY)
    signing.game.refresh_from_db()
    document = proof_file(signing.game)
    assert list(checking.faults(record_of(document))) == []
    assert document["phases"][0] == {"number": 1, "name": "S1901M", "status": "undone"}


def test_a_log_that_began_before_seals_is_checked_as_far_as_it_can(signing: Cast) -> None:
    """Older entries have no salt: those with a secret in them are told by their digest alone."""
    submit(signing, "France", OPENINGS["France"])
    OrderSet.objects.update(salt="")
    processed(signing, 1)
    as_before(signing.game)
    document = json.loads(json.dumps(proof_file(signing.game)))
    assert list(checking.faults(record_of(document))) == []
    told = {one["kind"]: "payload" in one for one in document["entries"]}
    assert told["player_joined"] is False
    assert told["game_created"] is True
    assert told["phase_processed"] is True


def test_a_log_of_one_entry_is_whole_in_one_entry(signing: Cast) -> None:
    """A game that has just been made has no more, and an older one of them is counted, too."""
    game = game_create(name="ypres", gm=signing.gm, now=NOW)
    game_join(game=game, player=signing.player("Hugo"), preferences="", now=NOW)
    game.events.filter(number=1).delete()
    game.events.update(number=1)
    as_before(game)
    document = json.loads(json.dumps(proof_file(game)))
    said = [one.said for one in findings(record_of(document), [], {})]
    assert said[0].startswith("The log of ypres is whole: 1 entry, and the newest has the digest ")
    assert said[2] == "Of 1 entry, older than seals and with secrets, only the digest is known."


def as_before(game: Game) -> None:
    """Write the log again as an older release did: without salts and seals."""
    previous = ""
    for event in game.events.select_related("phase").order_by("number"):
        for name in ("seals", "result_sha256"):
            event.payload.pop(name, None)
        event.salt, event.previous = "", previous
        event.digest = previous = log.digest_of(event)
        event.save()


def test_proof_mails_the_proof_file(signing: Cast) -> None:
    submit(signing, "France", OPENINGS["France"])
    processed(signing, 1)
    answer = ordered(signing, "PROOF").answers.get(kind="reply")
    assert max(map(len, answer.body.splitlines())) <= 72
    assert packed_in(answer.body) == json.loads(json.dumps(proof_file(signing.game)))


def test_who_does_not_play_gets_no_proof_file(signing: Cast) -> None:
    body = write("Hugo", "PROOF marne").answers.get().body
    assert "You have not played in the game marne." in " ".join(body.split())


def test_sentences_about_proof_are_no_command(signing: Cast) -> None:
    body = ordered(signing, "A Paris Holds", "Proof that I am right").answers.get().body
    assert "Proof file of" not in body


def test_the_result_mail_names_whole_digests(signing: Cast) -> None:
    body = processed(signing, 1)
    event = Event.objects.get(kind="phase_processed")
    signs = re.findall(r"^:: ([0-9a-f]{64})$", body, re.MULTILINE)
    assert signs == [event.digest, event.payload["result_sha256"]]


# --- Pages -----------------------------------------------------------------------------------


def test_the_page_of_proofs_shows_the_keys_old_and_new(signing: Cast, client: Client) -> None:
    first = signer_at(signing_key())
    make_key(signing_key(), now=NOW + DAY)
    second = signer_at(signing_key())
    assert first
    assert second
    page = client.get("/proofs/").content.decode()
    assert page.index(second.name) < page.index(first.name)
    listed = client.get("/proofs/keys.txt")
    assert listed.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert listed.content.decode() == list_beside(signing_key()).read_text()


def test_the_page_says_so_where_nobody_made_a_key(client: Client, settings: Settings) -> None:
    settings.RECEIPT_KEY_FILE = Path("/nowhere/receipts.key")
    assert "does not sign receipts yet" in client.get("/proofs/").content.decode()


def test_the_page_has_every_line_to_type_that_the_document_has(client: Client) -> None:
    """A check that lacks one of them ends in a traceback."""
    document = (Path(__file__).parents[3] / "docs" / "proofs.md").read_text()
    typed = re.findall(r"^(?:python3|proofs/bin/python) .+$", document, re.MULTILINE)
    page = client.get("/proofs/").content.decode()
    assert [line for line in typed if line not in page] == []
    assert len(typed) == 3


def test_the_log_page_leads_to_the_proof_file(signing: Cast, client: Client) -> None:
    assert "/games/marne/proof.json" in client.get("/games/marne/log/").content.decode()
    answer = client.get("/games/marne/proof.json")
    assert answer.json() == json.loads(json.dumps(proof_file(signing.game)))
    assert answer.headers["Content-Disposition"] == 'attachment; filename="marne-proof.json"'


# --- The key ---------------------------------------------------------------------------------


def test_the_key_is_for_the_server_alone_and_in_no_database(
    settings: Settings, tmp_path: Path
) -> None:
    settings.RECEIPT_KEY_FILE = tmp_path / "receipts.key"
    call_command("make_receipt_key", verbosity=0)
    assert stat.S_IMODE((tmp_path / "receipts.key").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "receipts.pub").stat().st_mode) == 0o644
    assert [field.name for field in OrderSet._meta.fields if "key" in field.name] == []


def test_a_key_is_replaced_only_when_it_is_said(settings: Settings, tmp_path: Path) -> None:
    settings.RECEIPT_KEY_FILE = tmp_path / "receipts.key"
    call_command("make_receipt_key", verbosity=0)
    with pytest.raises(CommandError, match="is already there"):
        call_command("make_receipt_key", verbosity=0)
    before = keys_listed(settings.RECEIPT_KEY_FILE)
    call_command("make_receipt_key", "--new", verbosity=0)
    after = keys_listed(settings.RECEIPT_KEY_FILE)
    assert len(after) == 2
    assert before.items() < after.items()


def test_a_damaged_key_is_replaced_though_the_checks_refuse_it(
    settings: Settings, tmp_path: Path
) -> None:
    """The check's own hint names this command."""
    key = settings.RECEIPT_KEY_FILE = tmp_path / "receipts.key"
    key.write_text("no key")
    assert "make_receipt_key --new" in str([fault.hint for fault in receipts_can_be_signed()])
    command = [sys.executable, "manage.py", "make_receipt_key", "--new"]
    environment = {**os.environ, "RECEIPT_KEY_FILE": str(key)}
    subprocess.run(command, cwd=settings.BASE_DIR, env=environment, check=True)
    assert signer_at(key)


def test_old_receipts_stay_good_under_a_new_key(signing: Cast) -> None:
    ordered(signing, *OPENINGS["France"])
    lines = "\n".join(receipt_block(signing.phase, signing.seat("France").power))
    make_key(signing_key(), now=NOW + DAY)
    (old,) = found_in(lines)
    assert keys_listed(signing_key())[old.key].has_signed(old.text, old.signature)
    anew = "\n".join(receipt_block(signing.phase, signing.seat("France").power))
    (new,) = found_in(anew)
    assert new.key != old.key


@pytest.mark.parametrize("content", ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n"])
def test_a_key_that_is_none_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "receipts.key"
    path.write_text(content)
    with pytest.raises(BadInput, match="holds no key that we can read"):
        signer_at(path)


def test_orders_are_sealed_as_the_judge_reads_them(signing: Cast) -> None:
    submit(signing, "France", ["a par-bur", "A Paris Holds", "A Moscow Holds", "no order"])
    phase = signing.phase
    sealed = sealed_orders(phase, counting(phase.order_sets.all()))["France"]
    assert sealed.orders == ("A Paris - Burgundy",)
