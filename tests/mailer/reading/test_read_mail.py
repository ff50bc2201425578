"""`manage.py read_mail`: what an outsider sees of how a mail is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError, connection

from games.models import OrderSet
from mailer.models import InboundMail, ReplyToken
from tests.cast import Cast
from tests.mailer.correspondence import eml
from tests.rows import each_row

pytestmark = pytest.mark.django_db
LETTERS = Path(__file__).parents[1] / "letters"


def read(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> list[dict[str, Any]]:
    call_command("read_mail", *map(str, arguments))
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_file_gives_one_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["gmail-web-above", "out-of-office"]
    first, second = read(capsys, *(LETTERS / f"{name}.eml" for name in names))
    assert first["sender"] == "carla@players.test"
    assert first["held"] is None
    assert (first["machine"], second["machine"]) == (False, True)
    assert second["lines"] == []


def test_a_mail_that_lies_in_somebodys_own_folder_comes_by_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever works as the server's user by sudo has files that this user may not read."""
    with (LETTERS / "out-of-office.eml").open(encoding="ascii") as mail:
        monkeypatch.setattr("sys.stdin", mail)
        (one,) = read(capsys, "-")
    assert one["machine"]


def test_orders_are_shown_as_understood_for_france_in_spring_1901(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (one,) = read(capsys, LETTERS / "quoted-printable-reply-and-signature.eml")
    assert [(line["line"], line["command"], line["order"]) for line in one["lines"]] == [
        (3, "order", "A Paris - Burgundy"),
        (4, "order", "A Marseilles Supports A Paris - Burgundy"),
        (5, "order", "F Brest - Mid-Atlantic Ocean"),
    ]
    assert {line["why"] for line in one["ignored"]} >= {"quoted", "signature"}


def test_commands_are_named_and_what_is_neither_is_shown_with_its_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mail.eml"
    file.write_bytes(eml("AMEND\nA Par H\nwhatever\nREADY", sender="carla@players.test"))
    (one,) = read(capsys, file)
    assert [(line["line"], line["command"]) for line in one["lines"]] == [
        (1, "amend"),
        (2, "order"),
        (3, None),
        (4, "ready"),
    ]
    assert one["lines"][2]["problem"]


def test_another_power_of_a_game_reads_its_own_position(
    marne: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mail.eml"
    file.write_bytes(eml("A Vie - Gal", sender="ana@players.test"))
    (one,) = read(capsys, file, "--game", "marne", "--power", "austria")
    assert one["lines"][0]["order"] == "A Vienna - Galicia"
    assert "was not a reply to a mail of ours" in one["held"]


def test_any_file_can_be_looked_at_where_there_is_no_database_yet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_tables(*_: object) -> None:
        raise OperationalError("no such table: games_game")

    files = [tmp_path / "orders.eml", tmp_path / "program.eml"]
    files[0].write_bytes(eml("A Par - Bur", sender="carla@players.test"))
    automatic = "Auto-Submitted: auto-replied\r\n"
    files[1].write_bytes(eml("I am away.", sender="carla@players.test", headers=automatic))
    monkeypatch.setattr(connection, "cursor", no_tables)
    one, other = read(capsys, *files)
    assert [line["order"] for line in one["lines"]] == ["A Paris - Burgundy"]
    assert (one["machine"], other["machine"]) == (False, True)


def test_of_a_condition_that_is_none_all_lines_are_shown(
    marne: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server takes none of them, and says why."""
    file = tmp_path / "mail.eml"
    file.write_bytes(eml("IF Atlantis\nA Par - Bur\nEND IF", sender="carla@players.test"))
    (one,) = read(capsys, file, "--game", "marne", "--power", "France")
    assert "A Paris - Burgundy" in [line["order"] for line in one["lines"]]


def test_a_game_without_an_open_phase_has_no_position_to_read_by(
    marne: Cast, tmp_path: Path
) -> None:
    marne.game.phases.update(status="processed")
    with pytest.raises(CommandError, match="The game marne has no open phase"):
        call_command("read_mail", "x.eml", "--game", "marne", "--power", "France")


def test_a_grave_word_of_nobody_known_would_be_held(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mail.eml"
    file.write_bytes(eml("RESIGN", sender="carla@players.test"))
    (one,) = read(capsys, file)
    assert one["lines"][0]["command"] == "resign"


def test_reading_mails_from_files_stores_nothing(
    marne: Cast, capsys: pytest.CaptureFixture[str]
) -> None:
    read(capsys, *sorted(LETTERS.glob("*.eml")))
    for model in (InboundMail, ReplyToken):
        assert not model.objects.exists()
    assert not OrderSet.objects.exists()


@each_row(
    ("arguments", "said"),
    [
        (["nowhere.eml"], "cannot be read"),
        (["x", "--game", "nowhere", "--power", "France"], "no game"),
        (["x", "--game", "marne", "--power", "Atlantis"], "no power"),
        (["x", "--game", "marne"], "--power"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(marne: Cast, arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("read_mail", *arguments)


def test_a_mark_that_an_editor_put_before_a_file_does_no_harm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mail.eml"
    file.write_bytes(b"\xef\xbb\xbf" + eml("A Par H", sender="carla@players.test"))
    (one,) = read(capsys, file)
    assert one["sender"] == "carla@players.test"
    assert [line["order"] for line in one["lines"]] == ["A Paris Holds"]


def test_a_database_without_tables_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_table(name: str) -> None:
        raise OperationalError("no such table: games_game")

    monkeypatch.setattr("mailer.inbound.preview.game_on_server", no_table)
    with pytest.raises(CommandError, match="The games cannot be looked up: no such table"):
        call_command(
            "read_mail", str(tmp_path / "mail.eml"), "--game", "marne", "--power", "France"
        )


def test_a_player_greeted_by_name_is_known_in_a_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], marne: Cast
) -> None:
    file = tmp_path / "mail.eml"
    file.write_bytes(eml("Hi Dmitri,\n\nA Par - Bur", sender="carla@players.test"))
    (one,) = read(capsys, file, "--game", "marne", "--power", "France")
    assert [line["order"] for line in one["lines"]] == []
    assert any("reads like part of a letter" in line["why"] for line in one["ignored"])
