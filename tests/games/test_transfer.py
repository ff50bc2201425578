"""Export and import: the round trip loses nothing, and takes nothing that was changed."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.errors import BadInput
from games.game_file import document
from games.models import (
    Address,
    AdvanceOrders,
    Application,
    Attendance,
    Ballot,
    CoGM,
    DiaryEntry,
    Event,
    Game,
    Invitation,
    Observer,
    Offer,
    OrderSet,
    Phase,
    Player,
    Power,
    Press,
    Proposal,
    Readiness,
    Seat,
    StaffEntry,
)
from games.queries.access.staff_names import Actor
from games.queries.audit import log_faults
from games.queries.parsing.press_audience import Audience
from games.services.accounts.absences import absence_declare
from games.services.accounts.erasing import player_erase
from games.services.accounts.profile import address_add
from games.services.adjudication.phases import phase_process_now
from games.services.adjudication.rollback import game_rollback
from games.services.clock.starts import start_proceed
from games.services.endings.proposals import draw_propose
from games.services.endings.votes import vote_cast
from games.services.messages.press import press_send
from games.services.ordering.orders import orders_submit
from games.services.ordering.readiness import readiness_set
from games.services.seating.invitations import players_deny, players_invite
from games.services.seating.joining import game_join
from games.services.seating.observers import observe, observers_of
from games.services.seating.seats import seat_replace
from games.services.setup.co_gms import co_gm_add
from games.services.setup.games import game_create
from games.services.setup.making import start_choose
from games.services.setup.transfer import game_import
from tests.cast import DAY, NOW, OPENINGS, Cast, address_of, make_cast, make_player
from tests.games.evening import evening_game
from tests.made import made_once

pytestmark = pytest.mark.on_both
AWAY = NOW.date() + 20 * DAY


def order(cast: Cast, power: str) -> None:
    orders_submit(
        seat=cast.seat(power),
        phase=cast.phase,
        lines=[*enumerate(OPENINGS[power], 1), (9, "A Xyz - Nowhere")],
        amend=False,
        received_at=NOW,
        source=f"<{power}-{cast.phase.name}@players.test>",
        now=NOW,
    )


@pytest.fixture
def played(db: None) -> Cast:
    made_once("played, undone and played again", play)
    game = Game.objects.get(name="marne")
    return Cast(game, game.gm)


def play() -> None:
    """A phase played, undone and played again; in the next, open orders and a word."""
    marne = make_cast()
    absence_declare(player=marne.player("Ana"), first=AWAY, last=AWAY + 2 * DAY, now=NOW)
    order(marne, "France")
    assert phase_process_now(game_id=marne.game.pk, now=NOW + DAY)
    game_rollback(game=marne.game, phase="S1901M", why="A slip.", by="gm", now=NOW + DAY)
    order(marne, "Russia")
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 2 * DAY)
    order(marne, "Turkey")
    to_germany = Audience(("Germany",))
    text = "Shall we?\nYours"
    press_send(seat=marne.seat("France"), to=to_germany, text=text, source="<p@x>", now=NOW + DAY)
    draw = draw_propose(seat=marne.seat("Austria"), winners=[], now=NOW + DAY)
    vote_cast(seat=marne.seat("Russia"), number=draw.number, yes=False, now=NOW + DAY)
    readiness_set(seat=marne.seat("Italy"), phase=marne.phase, word="WAIT", now=NOW + 2 * DAY)
    observe(game=marne.game, player=marne.player("Hugo"), now=NOW)


def forget(*, people: bool = False) -> None:
    """Empty the tables, as on another server."""
    games = (
        *(StaffEntry, CoGM, Invitation, DiaryEntry, Attendance, Readiness, AdvanceOrders, Offer),
        *(Ballot, Proposal, Observer, Event, Press, OrderSet, Phase, Seat),
        *(Application, Power, Game),
    )
    # Without Django, which reads first what hangs on each row; the database looks at the end of the
    # test whether anything still does.
    with connection.cursor() as cursor:
        for model in games:
            cursor.execute(f'DELETE FROM "{model._meta.db_table}"')
    if people:
        Address.objects.all().delete()
        Player.objects.all().delete()
        User.objects.all().delete()


def without_keys(value: Any) -> Any:
    """The document without the numbers by which its rows point at each other."""
    if isinstance(value, list):
        return [without_keys(one) for one in value]
    if isinstance(value, dict):
        return {k: without_keys(v) for k, v in value.items() if k not in ("key", "player", "seat")}
    return value


def through_json(cast: Cast) -> Any:
    return json.loads(json.dumps(document(cast.game)))


def test_who_observed_goes_on_observing(played: Cast) -> None:
    before = through_json(played)
    forget()
    game = game_import(document=before)
    assert [one.player.name for one in observers_of(game)] == ["Hugo"]


def test_a_game_takes_its_votes_along_to_another_server(played: Cast) -> None:
    before = through_json(played)
    forget()
    proposal = game_import(document=before).proposals.get()
    said = [(vote.seat.power.name, vote.yes) for vote in proposal.ballots.order_by("pk")]
    assert (proposal.seat.power.name, said) == ("Austria", [("Austria", True), ("Russia", False)])


def test_a_game_that_is_scored_as_nobody_here_knows_is_refused(played: Cast) -> None:
    before = through_json(played)
    before["game"]["scoring"] = "elo"
    forget()
    with pytest.raises(BadInput, match="no scoring system “elo”"):
        game_import(document=before)


def test_a_document_of_before_there_were_votes_is_read(played: Cast) -> None:
    before = through_json(played)
    del before["proposals"]
    forget()
    assert game_import(document=before).proposals.count() == 0


def test_a_document_of_before_there_were_observers_is_read(played: Cast) -> None:
    before = through_json(played)
    del before["observers"]
    forget()
    assert observers_of(game_import(document=before)) == []


@pytest.mark.parametrize("people", [False, True])
def test_the_round_trip_loses_nothing(played: Cast, people: bool) -> None:
    before = through_json(played)
    forget(people=people)
    if people:
        User.objects.create_user("gm", "gm@players.test")
    game = game_import(document=before)
    after = json.loads(json.dumps(document(game)))
    assert without_keys(after) == without_keys(before)
    assert list(log_faults.faults(game)) == []


def test_what_moderators_decided_stays_behind(played: Cast) -> None:
    decided = ("banned_at", "suspended_until", "muted_until", "mail_paused_at")
    Player.objects.update(**dict.fromkeys(decided, NOW))
    before = through_json(played)
    before["players"][0]["muted_until"] = NOW.isoformat()  # written by an older export_game
    forget(people=True)
    game_import(document=before)
    assert not Player.objects.exclude(**dict.fromkeys(decided)).exists()


def test_who_may_join_and_who_runs_the_game_beside_its_gm_goes_along(marne: Cast) -> None:
    game = game_create(name="yser", gm=marne.gm, entry="approval", now=NOW)
    players_invite(game=game, emails=["ida@players.test"], by="gm", now=NOW)
    players_deny(game=game, emails=["joe@players.test"], by="gm", now=NOW)
    game_join(game=game, player=marne.player("Hugo"), preferences="France", now=NOW)
    for email in ("here@players.test", "gone@players.test"):
        co_gm_add(game=game, email=email, until=NOW + DAY, by="gm", now=NOW)
    before = document(game)
    game.delete()
    User.objects.filter(email__startswith="gone").delete()
    after = document(game_import(document=json.loads(json.dumps(before))))
    assert [one["kind"] for one in after["invitations"]] == ["invited", "denied", "asked"]
    assert after["invitations"] == before["invitations"]
    assert after["co_gms"] == before["co_gms"][:1]


def test_a_game_with_a_time_to_start_is_looked_after_by_its_maker_and_starts(marne: Cast) -> None:
    ana = marne.player("Ana")
    game = evening_game(ana)
    for name in ("Ben", "Carla"):
        game_join(game=game, player=marne.player(name), preferences="", now=NOW)
    before = json.loads(json.dumps(document(game)))
    game.delete()
    game = game_import(document=before)
    assert document(game)["game"] == before["game"]
    said = {"why": "Ben is late.", "now": NOW}
    assert start_choose(player=ana, name="yser", start="Saturday 21:00", **said) == game
    game.refresh_from_db()
    assert game.starts_at
    start_proceed(game_id=game.pk, now=game.starts_at)
    game.refresh_from_db()
    assert game.status == "active"


def test_the_imported_game_is_played_on(played: Cast) -> None:
    before = through_json(played)
    forget()
    game = game_import(document=before)
    assert phase_process_now(game_id=game.pk, now=NOW + 9 * DAY)
    phase = game.phases.get(number=4)
    assert phase.name == "F1901M"
    assert phase.orders is not None
    assert phase.orders["Turkey"][:3] == OPENINGS["Turkey"]


def test_a_player_who_is_made_here_is_away_as_they_said(played: Cast) -> None:
    before = through_json(played)
    del before["players"][1]["absences"]  # documents of before had none
    forget(people=True)
    game_import(document=before)
    (absence,) = played.player("Ana").absences.all()
    assert (absence.first, absence.last) == (AWAY, AWAY + 2 * DAY)


UNUSABLE: list[tuple[tuple[Any, ...], object, str]] = [
    (("game", "name"), None, "cannot be null"),
    (("game", "name"), "<b>", "Use letters, digits"),
    (("game", "status"), "nonsense", "not a valid choice"),
    (("game", "status"), "finished", "A game that is over has no open phase"),
    (("game", "timezone"), "Nowhere/City", "There is no time zone"),
    (("game", "start"), "2026-03-07 20:00", "The time of its start is not the one"),
    (("game", "starts_at"), NOW.isoformat(), "The time of its start is not the one"),
    (("game", "start"), "soon", "cannot be read back"),
    (("game", "movement_length"), "P0D", "longer than no time"),
    (("game", "movement_clock"), "noon", "is not a day"),
    (("game", "reminders"), "soon", "is not a length of time"),
    (("game", "variant"), "chess", "There is no variant"),
    (("game", "rules"), "1066", "There is no rulebook"),
    (("players", 0, "name"), "Ana\0", "a plain name"),
    (("players", 0, "timezone"), "Nowhere", "There is no time zone"),
    (("players", 0, "addresses", 0, "email"), "a@b.c\nBcc: d@e.f", "not an e-mail address"),
    (("powers", 0, "name"), "France", "cannot be read back"),
    (("phases", 0, "name"), "X99", "is not a phase"),
    (("phases", 0, "outcome"), {}, "cannot be read back"),
    (("phases", 1, "number"), 1, "cannot be read back"),
    (("events", 0, "kind"), "nonsense", "not a valid choice"),
]


@pytest.mark.parametrize(("path", "value", "said"), UNUSABLE)
def test_what_the_server_could_not_work_with_is_refused(
    played: Cast, path: tuple[Any, ...], value: object, said: str
) -> None:
    changed = part = through_json(played)
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    forget(people=True)
    with pytest.raises(BadInput, match=said):
        game_import(document=changed)


def test_players_known_by_an_address_are_themselves(played: Cast) -> None:
    before, ana = through_json(played), played.player("Ana").pk
    forget()
    count = Player.objects.count()
    game_import(document=before)
    assert Player.objects.count() == count
    assert Seat.objects.get(power__name="Austria").player_id == ana


def test_whoever_claims_an_address_does_not_get_the_seat_of_its_owner(played: Cast) -> None:
    """Neither here, nor where the game was: there Ben claimed Eve's."""
    address_add(player=played.player("Ben"), email=address_of("Eve"), now=NOW)
    before = through_json(played)
    forget(people=True)
    eve = make_player("Eve")
    address_add(player=eve, email=address_of("Ana"), now=NOW)
    game_import(document=before)
    assert Seat.objects.get(power__name="Austria").player.name == "Ana"
    assert not eve.seats.exists()


def test_a_phase_holds_the_judges_state(played: Cast) -> None:
    first = through_json(played)["phases"][0]
    assert first["position"]["phase"] == "S1901M"
    assert "A Paris" in first["position"]["units"]["France"]
    assert first["outcome"]["next"]["phase"] == "F1901M"


def test_a_name_that_is_taken_is_refused(played: Cast) -> None:
    with pytest.raises(BadInput, match="There is already a game marne here"):
        game_import(document=through_json(played))


def test_a_changed_outcome_is_refused_and_nothing_is_left_of_it(played: Cast) -> None:
    changed = through_json(played)
    changed["phases"][0]["orders"]["France"] = ["A Paris - Picardy"]
    forget()
    with pytest.raises(BadInput, match="changed after the game was played"):
        game_import(document=changed)
    assert Game.objects.count() == 0


@pytest.mark.parametrize(
    "part", ["game", "players", "powers", "seats", "phases", "press", "events"]
)
def test_a_document_that_lacks_something_is_refused(played: Cast, part: str) -> None:
    lacking = through_json(played)
    del lacking[part]
    forget()
    with pytest.raises(BadInput, match=f"cannot be read back: it lacks “{part}”"):
        game_import(document=lacking)


@pytest.mark.parametrize("document", [None, [], {}, {"format": "other 3"}])
def test_something_else_is_refused(db: None, document: object) -> None:
    with pytest.raises(BadInput, match="not a game that export_game wrote"):
        game_import(document=document)


def test_the_commands_write_and_read_a_file(played: Cast, tmp_path: Path) -> None:
    file, out = tmp_path / "marne.json", io.StringIO()
    call_command("export_game", "Marne", stdout=out)
    file.write_text(out.getvalue())
    forget()
    out = io.StringIO()
    call_command("import_game", str(file), stdout=out)
    assert out.getvalue() == "Imported marne: 4 phases, 3 order sets.\n"


def test_a_file_that_is_not_there_is_named(db: None, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"x\.json cannot be read: No such file or directory\."):
        call_command("import_game", str(tmp_path / "x.json"))


@pytest.mark.parametrize("text", ["{", "[" * 100_000])
def test_a_file_that_is_no_json_is_named(db: None, tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(CommandError, match="cannot be read as JSON"):
        call_command("import_game", str(file))


def test_two_players_who_are_one_at_the_other_server_are_refused_by_name(marne: Cast) -> None:
    written = document(marne.game)
    Game.objects.update(name="old")
    ana = marne.player("Ana")
    Address.objects.filter(player=marne.player("Ben")).update(player=ana, of_record=False)
    with pytest.raises(BadInput, match="2 players of the game are one and the same here: Ana"):
        game_import(document=written)
    assert not Game.objects.filter(name="marne").exists()


def carried_to_where_carla_is(kept_out: str, played: Cast, tmp_path: Path) -> Path:
    """The file of a game that this server has no longer, and Carla is banned or suspended here."""
    file = tmp_path / "marne.json"
    file.write_text(json.dumps(document(played.game)))
    forget()
    Player.objects.filter(name="Carla").update(**{kept_out: timezone.now() + DAY})
    return file


@pytest.mark.parametrize("kept_out", ["banned_at", "suspended_until"])
def test_a_ban_of_the_receiving_server_opens_an_imported_seat_and_a_suspension_does_not(
    played: Cast, tmp_path: Path, kept_out: str
) -> None:
    file, out = carried_to_where_carla_is(kept_out, played, tmp_path), io.StringIO()
    call_command("import_game", str(file), stdout=out)
    france = Game.objects.get(name="marne").powers.get(name="France")
    assert (france.open_since is not None) == (kept_out == "banned_at")
    assert france.seats.filter(until=None).exists() == (kept_out != "banned_at")
    assert "Banned or suspended here: Carla." in out.getvalue()


@pytest.mark.parametrize("kept_out", ["banned_at", "suspended_until"])
def test_a_ban_outlives_the_data_of_its_player_into_an_imported_game(
    played: Cast, tmp_path: Path, kept_out: str
) -> None:
    file, out = carried_to_where_carla_is(kept_out, played, tmp_path), io.StringIO()
    player_erase(
        player=Player.objects.get(name="Carla"), why="-", by=Actor("mo"), now=timezone.now()
    )
    call_command("import_game", str(file), stdout=out)
    assert "Banned or suspended here: Carla." in out.getvalue()
    carla = Player.objects.get(name="Carla")
    assert carla.erased_at is None
    assert getattr(carla, kept_out)
    france = Game.objects.get(name="marne").powers.get(name="France")
    assert (france.open_since is not None) == (kept_out == "banned_at")


@pytest.mark.parametrize("kept_out", ["banned_at", "suspended_until"])
def test_who_is_kept_out_here_has_no_place_in_an_imported_game_that_forms(
    marne: Cast, tmp_path: Path, kept_out: str
) -> None:
    game = game_create(name="ypres", now=NOW)
    game_join(game=game, player=marne.player("Carla"), preferences="", now=NOW)
    file = tmp_path / "ypres.json"
    file.write_text(json.dumps(document(game)))
    game.events.all().delete()
    Game.objects.filter(pk=game.pk).update(name="old")
    Player.objects.filter(name="Carla").update(**{kept_out: timezone.now() + DAY})
    call_command("import_game", str(file), stdout=io.StringIO())
    assert not Game.objects.get(name="ypres").applications.filter(withdrawn_at=None).exists()


def test_a_game_of_many_takes_no_more_statements_than_one_of_few(played: Cast) -> None:
    with CaptureQueriesContext(connection) as few:
        document(played.game)
    now = NOW + 3 * DAY
    italy, hugo = played.seat("Italy").power, played.player("Hugo")
    seat_replace(game=played.game, power=italy, player=hugo, why="Gone.", by="gm", now=now)
    draw_propose(seat=played.seat("Russia"), winners=[], now=now)
    with CaptureQueriesContext(connection) as many:
        document(played.game)
    assert len(many) == len(few)
