"""Every forgery is found by somebody who has nothing but their mails and the game's proof file.

The folder of such a player is made once (kept.py). Everything after that needs no database, and
Django neither: what is called is what `python -m games.verify` calls.
"""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from games import verify
from games.game_file import document
from games.proofs.digests import entry_digest, fact_digest, facts_digest
from games.proofs.keys import LIST_HEADING, Signer, make_key, signer_at
from games.proofs.receipts import block, found_in
from tests.cast import NOW
from tests.games.proofs.kept import FALL, KEYS, PROOF, Kept, kept, with_key

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[3]
Document = dict[str, Any]
_made: list[Kept] = []
_whole: list[Document] = []


@pytest.fixture
def mine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, settings: Settings
) -> Kept:
    """The folder of the player of France."""
    if not _made:
        folder = tmp_path_factory.mktemp("mails")
        with_key(settings, folder)
        _made.append(kept(request.getfixturevalue("marne"), folder))
        _whole.append(json.loads(json.dumps(document(_made[0].game))))
    return _made[0]


@pytest.fixture
def check(mine: Kept, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What the program prints about these files, with what it returns before it."""

    def run(*files: str, keys: str = KEYS) -> str:
        named = [one if "/" in one else mine.file(one) for one in files]
        status = verify.main(["--keys", mine.file(keys), *named])
        printed = capsys.readouterr()
        return f"{status}\n{printed.out}{printed.err}"

    return run


Check = Callable[..., str]


def test_what_nobody_forged_is_found_good(check: Check) -> None:
    files = ("spring-first.txt", "spring.txt", "results.txt", "fall.txt", "results-fall.txt")
    said = check(PROOF, *files)
    assert said.startswith("0\nThe log of marne is whole: ")
    assert "2 phases were adjudicated, with sealed orders in 2." in said
    assert "spring.txt: the game was played with exactly these orders." in said
    assert "spring-first.txt: other orders took their place: a later receipt here says so." in said
    assert "results.txt: the digest of entry 10 of the log stands there as the mail says" in said
    assert f"these orders stood: {'; '.join(FALL)}." in said


def test_the_whole_game_is_checked_by_the_same_program(check: Check, mine: Kept) -> None:
    said = check(mine.put("whole.json", json.dumps(_whole[0])), "spring.txt", "results.txt")
    assert said.startswith("0\nThe log of marne is whole: ")


def test_it_needs_no_django_no_database_and_no_network(mine: Kept) -> None:
    code = (
        "import sys; from games.verify import main; status = main(sys.argv[1:]);"
        "assert not [one for one in sys.modules if one.startswith('django')]; sys.exit(status)"
    )
    files = [mine.file(one) for one in (PROOF, "spring.txt", "results.txt")]
    command = [sys.executable, "-c", code, "--keys", mine.file(KEYS), *files]
    ran = subprocess.run(command, cwd=ROOT, env={"PATH": ""}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "the game was played with exactly these orders" in ran.stdout


def test_whoever_lacks_the_one_package_it_needs_is_told_which() -> None:
    code = "import sys; sys.modules['cryptography'] = None; import games.verify"
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=ROOT, env={"PATH": ""}, capture_output=True, text=True)
    assert ran.returncode == 2
    assert ran.stderr == "First install cryptography: python -m pip install cryptography\n"


# --- Forged games ----------------------------------------------------------------------------


def entries(forged: Document, kind: str) -> list[Document]:
    return [one for one in forged["entries"] if one["kind"] == kind]


def linked_anew(forged: Document) -> None:
    """Make the chain whole again, as somebody would who changed it and knows how it is made."""
    names = {one["number"]: one["name"] for one in forged["phases"]}
    previous = ""
    for number, one in enumerate(forged["entries"], start=1):
        known = {name: fact_digest(salt, value) for name, (salt, value) in one["facts"].items()}
        one["number"], one["previous"] = number, previous
        one["digest"] = previous = entry_digest(
            number=number,
            kind=one["kind"],
            phase=names.get(one["phase"]),
            body=facts_digest({**one["secret"], **known}),
            at=one["at"],
            previous=previous,
        )


def change_order(forged: Document) -> None:
    orders = forged["phases"][0]["orders"]["France"]["orders"]
    orders[orders.index("A Paris - Burgundy")] = "A Paris - Gascony"


def change_salt(forged: Document) -> None:
    forged["phases"][0]["orders"]["France"]["salt"] = "0" * 32


def drop_orders(forged: Document) -> None:
    del forged["phases"][0]["orders"]["Austria"]


def add_orders(forged: Document) -> None:
    orders = forged["phases"][0]["orders"]
    orders["Turkey"] = {"salt": "1" * 32, "orders": ["A Smyrna - Armenia"]}


def drop_event(forged: Document) -> None:
    del forged["entries"][3]


def drop_event_and_link_anew(forged: Document) -> None:
    del forged["entries"][3]
    linked_anew(forged)


def swap_events(forged: Document) -> None:
    listed = forged["entries"]
    listed[3], listed[4] = listed[4], listed[3]


def swap_phases(forged: Document) -> None:
    first, second = entries(forged, "phase_processed")
    first["phase"], second["phase"] = second["phase"], first["phase"]


def swap_results(forged: Document) -> None:
    first, second = forged["phases"][:2]
    for key in ("position", "orders", "following"):
        first[key], second[key] = second[key], first[key]


def cut_off_end(forged: Document) -> None:
    """All of Fall 1901, as if it had never been processed."""
    at = forged["entries"].index(entries(forged, "phase_processed")[1])
    del forged["entries"][at:]
    del forged["phases"][2:]
    forged["phases"][1]["status"] = "open"
    for key in ("orders", "following", "winner"):
        del forged["phases"][1][key]


def change_result(forged: Document) -> None:
    units = forged["phases"][0]["following"]["units"]["France"]
    units[units.index("A Burgundy")] = "A Gascony"


def change_result_everywhere(forged: Document) -> None:
    """The next position, too, and the chain remade: only the judge and old mails object."""
    change_result(forged)
    forged["phases"][1]["position"] = forged["phases"][0]["following"]
    linked_anew(forged)


def change_winner(forged: Document) -> None:
    forged["phases"][1]["winner"] = "France"


def change_rulebook(forged: Document) -> None:
    """The phases come out the same under it."""
    forged["game"]["rules"] = "1971"


def change_fact(forged: Document) -> None:
    entries(forged, "phase_processed")[0]["facts"]["missing"][1] = []


def change_time(forged: Document) -> None:
    forged["entries"][2]["at"] = "2026-03-01T12:00:00+00:00"


FORGERIES: list[tuple[Callable[[Document], None], str]] = [
    (change_order, "Spring 1901 movement: the orders of France are not those that Event 10"),
    (change_salt, "the orders of France are not those that Event 10"),
    (drop_orders, "the orders of Austria were sealed, but not revealed."),
    (add_orders, "the orders of Turkey were revealed, but never sealed."),
    (drop_event, "Event 4 is missing: after it comes event 5."),
    (drop_event_and_link_anew, "results.txt: the digest of entry 10 of the log is another one"),
    (swap_events, "Event 4 is missing: after it comes event 5."),
    (swap_phases, "(phase_processed, 2026-03-06 00:00 UTC) was changed after it was written."),
    (swap_results, "Spring 1901 movement: the position is not what Event 10"),
    (cut_off_end, "the log ends with entry 10, and the mail names entry 11. If your proof file is"),
    (change_result, "Spring 1901 movement: its orders and its result are not what Event 10"),
    (change_result_everywhere, "this judge comes to another outcome than the judge did then."),
    (change_winner, "Fall 1901 movement: its orders and its result are not what Event 11"),
    (change_rulebook, "The game's map or its rulebook is not the one that Event 9 (game_started"),
    (change_fact, "Event 10 (phase_processed, 2026-03-06 00:00 UTC) was changed"),
    (change_time, "Event 3 (player_joined, 2026-03-01 12:00 UTC) was changed"),
]


@pytest.mark.parametrize(
    ("forge", "fault"), FORGERIES, ids=lambda one: getattr(one, "__name__", "")
)
def test_a_forged_game_is_found_out(
    check: Check, mine: Kept, forge: Callable[[Document], None], fault: str
) -> None:
    forged = mine.document()
    forge(forged)
    said = check(mine.forged(forged), "results.txt", "results-fall.txt")
    assert said.startswith("1\n")
    assert any(one.startswith("WRONG: ") and fault in one for one in said.splitlines()), said


def test_in_the_whole_game_a_changed_line_of_a_player_is_found(check: Check, mine: Kept) -> None:
    forged = json.loads(json.dumps(_whole[0]))
    forged["phases"][0]["orders"]["France"][1] = "A Paris - Gascony"
    said = check(mine.forged(forged))
    assert "WRONG: Spring 1901 movement: the orders are not what Event 10" in said


def test_in_the_whole_game_changed_salts_are_found(check: Check, mine: Kept) -> None:
    forged = json.loads(json.dumps(_whole[0]))
    for one in forged["phases"][0]["order_sets"]:
        one["salt"] = "0" * 32
    assert "the orders of France are not those that Event 10" in check(mine.forged(forged))


# --- Forged receipts -------------------------------------------------------------------------


def test_a_receipt_with_another_order_is_found_out(check: Check, mine: Kept) -> None:
    changed = mine.change("spring.txt", "Paris+-+Burgundy; A", "Paris+-+Gascony; A")
    said = check(PROOF, changed)
    assert "WRONG: changed-spring.txt: the signature does not fit" in said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("game marne", "game somme"),
        ("S1901M", "F1901M"),
        ("power France", "power Turkey"),
        ("12:02:00Z", "11:02:00Z"),
    ],
)
def test_nothing_that_a_receipt_says_can_be_changed(
    check: Check, mine: Kept, old: str, new: str
) -> None:
    said = check(mine.change("spring.txt", old, new))
    assert said.startswith("1\nWRONG: changed-spring.txt: the signature does not fit")


def test_a_receipt_by_another_key_is_found_out(check: Check, mine: Kept, tmp_path: Path) -> None:
    made = make_key(tmp_path / "other.key", now=NOW)
    forged = mine.put("forged.txt", signed_by(signer_at(tmp_path / "other.key"), mine))
    said = check(forged)
    assert f"WRONG: forged.txt: the receipt names the key {made.name}, which is not in" in said


def test_a_key_under_the_name_of_another_is_refused(
    check: Check, mine: Kept, tmp_path: Path
) -> None:
    """Whoever forges receipts cannot slip their key into the list under the server's name."""
    other = make_key(tmp_path / "other.key", now=NOW)
    own = found(mine, "spring.txt").key
    mine.put("forged-keys.txt", f"{LIST_HEADING}\n{own} {other.base64} {other.made_on}\n")
    said = check("spring.txt", keys="forged-keys.txt")
    assert said == f"2\nThe key called {own} is another one: its name should be {other.name}.\n"


def test_a_receipt_that_names_the_servers_key_but_was_signed_by_another_is_found_out(
    check: Check, mine: Kept, tmp_path: Path
) -> None:
    make_key(tmp_path / "other.key", now=NOW)
    forger = signer_at(tmp_path / "other.key")
    assert forger
    as_ours = Signer(found(mine, "spring.txt").key, forger.key)
    forged = mine.put("forged.txt", signed_by(as_ours, mine))
    assert "WRONG: forged.txt: the signature does not fit" in check(forged)


def found(mine: Kept, name: str) -> Any:
    return next(found_in((mine.folder / name).read_text()))


def signed_by(signer: Signer | None, mine: Kept) -> str:
    assert signer
    statement = found(mine, "spring.txt").statement
    lines = block(statement, key=signer.name, signature=signer.sign(statement.text))
    return "\n".join(lines)


def test_a_game_played_with_other_orders_than_a_receipt_says_is_found_out(
    check: Check, mine: Kept, settings: Settings
) -> None:
    """What the server confirmed last was not what it used: its signature speaks against it."""
    said = check(PROOF, "spring-first.txt")
    assert (
        "WRONG: spring-first.txt: the game was played with other orders for France in Spring 1901 "
        "movement, game marne: A Paris - Burgundy; A Marseilles - Spain; "
        "F Brest - Mid-Atlantic Ocean. If no later mail of the player changed them, the server did."
    ) in said


def test_a_damaged_receipt_is_named(check: Check, mine: Kept) -> None:
    said = check(mine.change("spring.txt", "; salt", "; sa1t"))
    assert "WRONG: changed-spring.txt: a receipt in it is damaged; save the mail again." in said


# --- How people save mails -------------------------------------------------------------------


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


def wrapped_anew(text: str) -> str:
    return text.replace("\n:: ", "\n> > ::\n> > ")


def as_mail(text: str) -> str:
    written = base64.encodebytes(text.encode()).decode()
    return (
        "From: judge@game.test\nSubject: Your orders\nMIME-Version: 1.0\n"
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + written
    )


def on_one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    "save", [quoted, wrapped_anew, as_mail, on_one_line], ids=lambda one: one.__name__
)
def test_a_receipt_is_read_however_it_was_saved(
    check: Check, mine: Kept, save: Callable[[str], str]
) -> None:
    saved = mine.put("saved.txt", save((mine.folder / "spring.txt").read_text()))
    assert "saved.txt: the game was played with exactly these orders." in check(PROOF, saved)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Hello", "1\nWRONG: odd.txt: there is no signed receipt and no digest in it."),
        ("{", "2\n"),
        ("[" * 100_000, "2\n"),
        ("[]", "2\nThis is neither a game that export_game wrote nor a proof file"),
        ('{"format": "diplomacy-proof 1"}', "2\nThe document cannot be read: it lacks “game”."),
        (":: Proof file of marne\n:: AAAA\n:: End of the proof file", "2\nThe proof file in this"),
    ],
)
def test_what_cannot_be_read_is_named_in_a_sentence(
    check: Check, mine: Kept, text: str, said: str
) -> None:
    assert check(mine.put("odd.txt", text)).startswith(said)


def test_a_missing_file_is_named(check: Check, mine: Kept) -> None:
    assert check("/nowhere/marne.json").startswith("2\n/nowhere/marne.json cannot be read: No such")


def test_the_servers_own_command_says_the_same(
    mine: Kept, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RECEIPT_KEY_FILE = mine.folder / "receipts.key"
    out = io.StringIO()
    with open(mine.file(PROOF), encoding="utf-8") as game:
        monkeypatch.setattr("sys.stdin", game)
        call_command("verify_game", "-", mine.file("spring.txt"), stdout=out)
    assert "spring.txt: the game was played with exactly these orders." in out.getvalue()
    forged = mine.document()
    change_order(forged)
    with pytest.raises(CommandError, match="WRONG: Spring 1901 movement: the orders of France"):
        call_command("verify_game", mine.forged(forged))
