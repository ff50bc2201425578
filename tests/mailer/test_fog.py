"""Fog of War by mail: a game is played, and nobody learns what stands out of their sight.

All that a player was sent is read, headers, text and HTML, for the units that their power did not
see; so is what is drawn for them.
"""

from __future__ import annotations

import html
import random
import re
from urllib.parse import unquote

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from benchmarks.variant_games import random_orders
from games.board_json import StateJson
from games.errors import BadInput, NotAllowed
from games.game_file import document
from games.models import Game, Offer, Phase, Player
from games.queries import board
from games.queries.access import sight
from games.queries.access.audience import Audience
from games.queries.audit.proofs import proof_file
from games.queries.checking.faults import faults
from games.queries.checking.record import record_of
from games.queries.reports.pictures import influence_before, subject_of
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.clock.attendance import excuse
from games.services.clock.overdue import seat_reopen
from games.services.endings.ending import game_end
from games.services.moderation.staff import gm_appoint, moderator_appoint
from games.services.ordering.gm_orders import orders_set
from games.services.seating.joining import game_join, game_leave
from games.services.seating.seats import seat_replace, seat_resign
from games.services.seating.standby import standby_join
from games.services.setup.co_gms import co_gm_add
from games.services.setup.games import game_create
from judge import DATC
from mailer.models import OutboundMail
from pages.urls import urlpatterns as page_urls
from tests.cast import (
    DAY,
    NOW,
    OPENINGS,
    POWERS,
    Cast,
    address_of,
    make_cast,
    make_gm,
    make_player,
    submit,
)
from tests.mailer.correspondence import answer_to, flat, home, on_the_wire, tell_all, to_seat, write
from tests.mailer.foggy import (
    go_on,
    hidden_from,
    mails_to,
    names_hidden,
    openings,
    say,
    units_in,
    words,
)
from tests.rows import each_row
from tests.simulate.players.visitor import EXAMPLE

pytestmark = pytest.mark.django_db

UNIT = re.compile(r"\b[AF] (?:[A-Z][\w.-]*)(?: (?:[A-Z]\w*|of|[a-z]{2}\b))*(?:\([nsew]c\))?")


@pytest.fixture
def fog(db: None) -> Cast:
    return make_cast(fog=True)


# --- everything that a player is sent ---------------------------------------------------------


def test_no_mail_or_answer_names_a_unit_out_of_sight(fog: Cast) -> None:
    """Start and result mails, text and HTML, and every command that has to do with the board."""
    tell_all()
    openings(fog)
    go_on(fog)
    asked = ["MAP", "MAP S1901M", "HISTORY", "STATUS", "LIST", "LOG", "PROOF", "SAME"]
    for name in ("Carla", "Greta"):
        for command in asked:
            say(fog, command, name=name)
    say(fog, "A Bur S A Mos - Ukr\nF Mao C A Nap - Wal")
    go_on(fog)
    for name, power in POWERS.items():
        hidden = hidden_from(fog, power)
        assert hidden, "something has to be out of sight"
        for mail in mails_to(name):
            said = words(mail)
            if name == "Carla":  # she named them herself
                said = said.replace("A Moscow - Ukraine", "").replace("A Naples - Wales", "")
                said = said.replace("A Mos - Ukr", "").replace("A Nap - Wal", "")
            assert not names_hidden(said, hidden), (name, mail.subject)


def test_the_result_mail_tells_its_reader_what_they_see(fog: Cast) -> None:
    openings(fog)
    go_on(fog)
    [result] = [mail for mail in mails_to("Carla") if mail.kind == "phase_processed"]
    body = flat(result.body)
    assert "France: A Paris - Burgundy: succeeds." in body
    assert "A Munich - Ruhr" not in body, "Munich was out of sight when it began"
    assert "Germany: 1 centre in sight (Munich) Germany: 1 unit in sight (A Ruhr)" in body
    assert "Turkey: nothing in sight" in body
    assert "F Denmark" not in body
    assert ":: result" not in body
    assert ":: log marne" in body
    assert ":: Judge:" in body


def test_orders_out_of_sight_are_not_said_to_be_none(fog: Cast) -> None:
    openings(fog)
    go_on(fog)
    [result] = [mail for mail in mails_to("Greta") if mail.kind == "phase_processed"]
    receipt = say(fog, "HISTORY", name="Greta")
    for body in (flat(result.body), receipt):
        assert "OTHER ORDERS IN SIGHT" in body
        assert "ALL OTHER ORDERS" not in body
        assert "There were none." not in body


def test_the_gm_is_not_told_that_they_see_only_their_own_units(fog: Cast) -> None:
    tell_all()
    mail = OutboundMail.objects.get(
        subject__endswith="The game starts", recipient="gm@players.test"
    )
    assert "There is fog of war: each player sees the provinces of their units" in flat(mail.body)


def test_the_gm_reads_everything(fog: Cast) -> None:
    openings(fog)
    go_on(fog)
    [mail] = OutboundMail.objects.filter(kind="phase_processed", recipient="gm@players.test")
    body = flat(mail.body)
    for orders in OPENINGS.values():
        for order in orders:
            assert order in body


def test_pictures_show_each_reader_their_own_sight(fog: Cast) -> None:
    openings(fog)
    go_on(fog)
    for name, power in POWERS.items():
        [mail] = [one for one in mails_to(name) if one.kind == "phase_processed"]
        assert mail.viewer == power
    phase = fog.game.phases.get(number=1)
    for power in POWERS.values():
        subject = subject_of(phase, Audience.PLAYERS, power)
        assert subject
        assert subject.next
        drawn = {str(unit) for unit in (*subject.position.units, *subject.next.units)}
        drawn |= {one.order or "" for one in subject.results}
        assert not {unit for unit in drawn if unit in hidden_from(fog, power)}
        assert {*influence_before(phase, power)} <= sight.sight("standard", phase.position, power)
    assert subject_of(phase, Audience.EVERYBODY) is None
    [gm] = OutboundMail.objects.filter(kind="phase_processed", recipient="gm@players.test")
    assert gm.viewer == ""


def test_a_picture_of_one_player_is_never_sent_to_another(fog: Cast) -> None:
    openings(fog)
    go_on(fog)
    pictures = {}
    for name in ("Carla", "Greta"):
        [mail] = [one for one in mails_to(name) if one.kind == "phase_processed"]
        wire = on_the_wire(mail)
        assert f".{POWERS[name]}@" in wire
        pictures[name] = {
            bytes(one.png) for one in mail.pictured.pictures.filter(viewer=POWERS[name])
        }
        assert len(pictures[name]) == 2
    assert not pictures["Carla"] & pictures["Greta"]


# --- probing ---------------------------------------------------------------------------------


@each_row(
    "line",
    [
        "A Par S A Mos - Bur",
        "F Bre S F Lon",
        "A Mar S A Ven - Pie",
        "A Par S A Mun - Bur",
        "A Mar S A Rom - Pie",
        "A Par S A Vie",
        "A Paris S A Berlni - Kiel",
    ],
)
def test_a_receipt_says_the_same_whatever_stands_in_the_fog(fog: Cast, line: str) -> None:
    before = say(fog, line)
    phase = fog.phase
    state = phase.position
    units = {**state["units"], "Russia": ["A Silesia"], "Italy": [], "Germany": ["A Finland"]}
    phase.position = {**state, "units": units}
    phase.save()
    OutboundMail.objects.filter(kind="reply").delete()
    phase.order_sets.all().delete()
    assert _timeless(say(fog, line)) == _timeless(before)


@each_row("line", ["A Warsww H", "A War - Mosco", "A Galiccia - Bud", "A Lpl H"])
def test_no_receipt_says_of_a_province_out_of_sight_that_it_is_empty(fog: Cast, line: str) -> None:
    said = say(fog, line)
    assert "You have no unit in " in said
    assert "There is no unit in " not in said


def test_a_receipt_says_of_a_province_in_sight_that_it_is_empty(fog: Cast) -> None:
    assert "There is no unit in Burgundy." in say(fog, "A Burgndy H")


def _timeless(text: str) -> str:
    """Without what is drawn for each mail: the salt and the signature of a receipt."""
    return re.sub(r"\b[0-9a-f]{32,}\b|[A-Za-z0-9+/=]{40,}|<\S+>", "", text)


def test_press_is_passed_on_whatever_stands_in_the_fog(fog: Cast) -> None:
    """An order for a unit of others is no mistake; whether it is there, nobody learns so."""
    for line in ("A Mos - Ukr", "A Ukr - Mos"):
        text = say(fog, f"PRESS TO Germany\n{line}\nEND PRESS")
        assert "NOT SENT" not in text


def test_a_condition_on_what_is_out_of_sight_is_never_met(fog: Cast) -> None:
    there = say(fog, "IF RUSSIA HAS A MOSCOW THEN A Par - Bur ELSE A Par - Pic")
    nowhere = say(fog, "IF RUSSIA HAS A SIBERIA THEN A Par - Bur ELSE A Par - Pic")
    assert ("A Paris - Burgundy" in there) == ("A Paris - Burgundy" in nowhere)


def test_what_if_tries_only_what_is_seen(fog: Cast) -> None:
    said = say(fog, "WHATIF\nA Par - Bur\nGermany: A Mun - Bur\nRussia: A Mos - Ukr")
    assert "if only what you see took part:" in said
    assert "A Munich - Burgundy: fails" not in said
    assert "There is no unit in Munich" in said
    assert "There is no unit in Moscow" in said


def test_whoever_no_longer_plays_tries_nothing_on_the_board_of_today(fog: Cast) -> None:
    seat_resign(seat=fog.seat("France"), now=NOW)
    asked = write("Carla", "WHATIF marne\nA Par - Bur", to=home("Carla"))
    said = flat(answer_to(asked).body)
    assert "in fog of war, and you no longer play in it" in said
    assert "Burgundy" not in said


# --- those who are not at the table ------------------------------------------------------------


def test_nobody_observes_a_game_in_fog(fog: Cast) -> None:
    assert not fog.game.observers
    said = flat(answer_to(write("Hugo", "OBSERVE marne", to=home("Hugo"))).body)
    assert "cannot be observed" in said
    fog.game.observers = True  # as an imported game may have it
    fog.game.save()
    said = flat(answer_to(write("Hugo", "OBSERVE marne", to=home("Hugo"))).body)
    assert "cannot be observed" in said


@pytest.mark.parametrize("observers", [False, True])
def test_pages_feeds_and_files_show_strangers_nothing(
    fog: Cast, client: Client, observers: bool
) -> None:
    fog.game.observers = observers
    fog.game.save()
    openings(fog)
    go_on(fog)
    secrets = {unit for phase in fog.game.phases.all() for unit in units_in(phase.position)}
    secrets |= {order for orders in OPENINGS.values() for order in orders}
    wanted = addresses_of_pages(fog)
    seen: set[str] = set()
    while path := next(iter(wanted - seen), ""):
        seen.add(path)
        answer = client.get(path)
        text = html.unescape(EXAMPLE.sub("", answer.content.decode("utf-8", "replace")))
        assert not [secret for secret in secrets if secret in text], path
        if len(seen) < 200:  # and wherever a page leads, but to how every game begins
            wanted |= set(re.findall(r'(?:href|src)="(/(?!static|admin|variants)[^"#?]*)', text))
    assert "/games/marne/S1901M/" in seen
    assert client.get("/games/marne/S1901M.svg").status_code == 404


def addresses_of_pages(cast: Cast) -> set[str]:
    """Every public address that names the game, and those that name nothing."""
    found = set()
    for page in page_urls:
        takes = set(page.pattern.regex.groupindex)
        if takes <= {"name", "phase"}:
            for phase in cast.game.phases.all():
                given = {"name": cast.game.name, "phase": phase.name}
                found.add(reverse(page.name, kwargs={key: given[key] for key in takes}))
    return found


def test_whoever_left_sees_no_more(fog: Cast) -> None:
    openings(fog)
    go_on(fog)
    to = to_seat(fog, "France")
    seat_resign(seat=fog.seat("France"), now=NOW)
    for command in ("MAP", "HISTORY", "MAP marne", "HISTORY marne S1901M"):
        said = flat(answer_to(write("Carla", command, to=to)).body)
        assert "in fog of war" in said, command
        assert "A Burgundy" not in said, command


def test_who_is_offered_a_seat_learns_nothing_of_the_board(fog: Cast) -> None:
    openings(fog)
    go_on(fog)
    seat_resign(seat=fog.seat("France"), now=NOW)
    standby_join(player=fog.player("Hugo"), now=NOW)
    tell_all()
    [offer] = [mail for mail in mails_to("Hugo") if mail.kind == "seat_offered"]
    assert "only a power's own player learns" in flat(offer.body)
    assert "Burgundy" not in offer.body
    assert not re.search(r"\d (centre|unit)", flat(offer.body))
    said = flat(answer_to(write("Hugo", "LIST", to=home("Hugo"))).body)
    assert "marne: France. The map is Standard. In fog of war: each power sees only" in said
    said = flat(answer_to(write("Hugo", "TAKEOVER marne France", to=home("Hugo"))).body)
    tell_all()
    start = [mail for mail in mails_to("Hugo") if "You play France now" in mail.subject]
    assert "A Burgundy" in start[0].body
    assert start[0].viewer == "France"
    assert not names_hidden(on_the_wire(start[0]), hidden_from(fog, "France"))


def test_a_gm_of_a_game_in_fog_cannot_play_in_it(db: None) -> None:

    gm = make_gm()
    player = make_player("Ivo")
    player.user = gm
    player.save()
    game = game_create(name="dark", gm=gm, fog=True, now=NOW)
    with pytest.raises(NotAllowed, match="fog of war"):
        game_join(game=game, player=player, preferences="", now=NOW)


def test_who_has_to_build_is_not_told_by_what_the_gm_does_for_them(fog: Cast) -> None:
    """Only a power that has something to decide can get orders from the GM, or be excused."""
    centers = {**fog.phase.position["centers"], "Turkey": ["Smyrna", "Ankara", "Bulgaria"]}
    centers["Turkey"].append("Constantinople")
    Phase.objects.update(
        name="W1901A", position={**fog.phase.position, "phase": "W1901A", "centers": centers}
    )
    Phase.objects.update(position={**fog.phase.position, "units": {"Turkey": ["A Bulgaria"]}})
    orders_set(game=fog.game, power="Turkey", lines=["Build A Smyrna"], why="-", by="gm", now=NOW)
    tell_all()
    told = {name: mails_to(name)[-1] for name in ("Carla", "Greta")}
    assert "set orders for somebody for Winter 1901 adjustments" in flat(told["Carla"].body)
    assert "The results will show which ones, as far as you see them." in flat(told["Carla"].body)
    assert "Turkey" not in told["Carla"].subject + told["Carla"].body
    assert "The GM has set your orders for Winter" in flat(told["Greta"].body)
    assert "orders were set for Turkey" in told["Greta"].subject
    [gm] = OutboundMail.objects.filter(kind="orders_set", recipient="gm@players.test")
    assert "orders were set for Turkey" in gm.subject
    assert phase_process_now(game_id=fog.game.pk, now=NOW + 4 * DAY)
    missed = fog.game.phases.get(name="W1901A")
    france = fog.seat("France")
    excuse(seat=france, phase=missed, why="-", by="gm", now=NOW)
    log = say(fog, "LOG")
    assert "gm set orders for somebody." in log
    assert "gm excused the missed orders of somebody." in log
    facts = str(proof_file(fog.game)["entries"])
    assert "orders_set" in facts
    assert "'Turkey'" not in facts.partition("orders_set")[2]


# --- retreats, builds, proofs, the end ---------------------------------------------------------


def test_who_has_to_retreat_is_told_to_nobody_else(fog: Cast) -> None:
    phase = fog.phase
    phase.position = {
        "phase": "S1901M",
        "units": {"Austria": ["A Serbia", "A Bulgaria"], "Turkey": ["A Greece"]},
        "centers": {"France": ["Paris"], "Austria": ["Serbia"], "Turkey": ["Smyrna"]},
        "dislodged": [],
    }
    phase.save()
    submit(fog, "Austria", ["A Ser - Gre", "A Bul S A Ser - Gre"])
    go_on(fog)
    assert fog.phase.name == "S1901R"
    assert "cannot see who has something to decide" in say(fog, "STATUS")
    assert "Still without" not in say(fog, "STATUS")
    [austria] = [mail for mail in mails_to("Ana") if mail.kind == "phase_processed"]
    body = flat(austria.body)
    assert "Turkey: A Greece was dislodged. You cannot see where it may go." in body
    [turkey] = [mail for mail in mails_to("Greta") if mail.kind == "phase_processed"]
    assert "It may retreat to Albania or disband" in flat(turkey.body).replace("or else", "or")
    go_on(fog)
    for name in ("Ana", "Carla"):
        said = say(fog, "LOG", name=name)
        retreats = said.partition("Spring 1901 retreats")[2]
        assert "Without orders: told when the game is over." in retreats
        assert "Turkey" not in retreats
        last = [mail for mail in mails_to(name) if mail.kind == "phase_processed"][-1]
        assert "A Greece" not in last.body.partition("THE BOARD")[2] or name == "Ana"


def test_a_power_that_owns_centres_and_has_no_unit_is_not_told_by_what_others_owe(
    fog: Cast,
) -> None:
    phase = fog.phase
    phase.position["units"].pop("Turkey")
    phase.save()
    submit(fog, "Austria", OPENINGS["Austria"])
    assert "cannot see who has something to decide" in say(fog, "STATUS")
    go_on(fog)
    log = say(fog, "LOG")
    assert "Spring 1901 movement: the phase was processed. Without orders: told when" in log


def test_digests_and_proofs_show_nothing_before_the_end_and_all_of_it_then(fog: Cast) -> None:

    openings(fog)
    submit(fog, "Germany", ["A Mun S A War - Gal", "A Ber - Kie", "F Kie - Den"])
    go_on(fog)
    shown = proof_file(fog.game)
    assert [sorted(one) for one in shown["phases"]] == [["name", "number", "status"]] * 2
    [entry] = [one for one in shown["entries"] if one["kind"] == "phase_processed"]
    assert {"result_sha256", "outcome_sha256", "position_sha256"} <= entry["secret"].keys()
    assert not list(faults(record_of(shown)))
    assert not list(faults(record_of(document(fog.game))))
    game_end(game=fog.game, winners=[], why="Over.", by="gm", now=NOW)
    fog.game.refresh_from_db()
    shown = proof_file(fog.game)
    assert "following" in shown["phases"][0]
    assert not list(faults(record_of(shown)))


def test_all_is_public_when_the_game_is_over(fog: Cast, client: Client) -> None:

    openings(fog)
    go_on(fog)
    game_end(game=fog.game, winners=[], why="Over.", by="gm", now=NOW)
    fog.game.refresh_from_db()
    tell_all()
    said = flat(answer_to(write("Carla", "HISTORY marne S1901M", to=home("Carla"))).body)
    assert all(order in said for orders in OPENINGS.values() for order in orders)
    assert client.get("/games/marne/S1901M.svg").status_code == 200


def test_the_start_mail_and_rules_say_what_fog_is(fog: Cast) -> None:
    tell_all()
    [start] = [mail for mail in mails_to("Carla") if mail.kind == "game_started"]
    assert "There is fog of war" in flat(start.body)
    assert "you see the provinces of your units and centres" in say(fog, "RULES")


def test_random_orders_tell_nobody_of_what_they_cannot_see(fog: Cast) -> None:
    rng = random.Random(1)
    for _ in range(4):
        position = board.position_of(fog.game.variant, fog.phase.position)
        for power, orders in random_orders(position, rng, DATC).items():
            if orders:
                submit(fog, power, [str(one) for one in orders])
        go_on(fog)
        phase = fog.game.phases.filter(status=Phase.Status.PROCESSED).order_by("-number")[0]
        assert phase.outcome
        places = phase.position, phase.outcome["next"]
        for name, power in POWERS.items():
            views = [sight.state_seen("standard", place, power) for place in places]
            hidden = set().union(*map(units_in, places)) - set().union(*map(units_in, views))
            said = words([one for one in mails_to(name) if one.kind == "phase_processed"][-1])
            for one in phase.outcome["results"]:
                if one["power"] == power:  # as they wrote it
                    said = said.replace(str(one["text"]), "")
            assert not names_hidden(said, hidden), (name, phase.name)


def test_whoever_runs_a_game_in_fog_is_not_offered_a_seat_and_has_no_place_in_it(
    fog: Cast,
) -> None:
    co_gm_add(game=fog.game, email="hugo@players.test", until=None, by="gm", now=NOW)
    standby_join(player=fog.player("Hugo"), now=NOW)
    seat_resign(seat=fog.seat("Italy"), now=NOW)
    assert not Offer.objects.exists()
    game = game_create(name="yser", gm=fog.gm, fog=True, now=NOW)
    game_join(game=game, player=fog.player("Ana"), preferences="", now=NOW)
    with pytest.raises(BadInput, match="in fog of war: they may not see it all"):
        co_gm_add(game=game, email="ana@players.test", until=None, by="gm", now=NOW)
    game_leave(game=game, player=fog.player("Ana"), now=NOW)
    assert co_gm_add(game=game, email="ana@players.test", until=None, by="gm", now=NOW)


def _moderator(email: str) -> User:
    user = User.objects.create_user("mo", email)
    moderator_appoint(user=user)
    return user


@pytest.mark.parametrize("plays", [True, False])
def test_the_home_of_a_gm_who_plays_does_not_tell_who_has_to_retreat(
    client: Client, plays: bool
) -> None:
    cast = make_cast(fog=True)
    away = {"power": "Turkey", "unit": "A Smyrna", "retreats": ["Syria"]}
    position = {**cast.phase.position, "phase": "S1901R", "dislodged": [away]}
    Phase.objects.update(position=position, name="S1901R", due_at=None)
    gm_appoint(user=cast.gm)
    if plays:
        Player.objects.filter(name="Ana").update(user=cast.gm)
    client.force_login(cast.gm)
    home = flat(re.sub(r"<[^>]+>", " ", client.get("/admin/").content.decode()))
    assert ("Waiting for Turkey." in home) != plays
    assert ("Still to order: Turkey" in home) != plays
    assert ("We say whom it waits for when the game is over." in home) == plays


@pytest.mark.parametrize("plays", [True, False])
def test_who_has_to_retreat_is_nowhere_in_the_admin_for_a_moderator_who_plays(
    client: Client, plays: bool
) -> None:
    cast = make_cast(fog=True, when_missing="gm")
    moderator = _moderator("ana@players.test" if plays else "mo@players.test")
    pages = ["games/game/", f"games/game/{cast.game.pk}/change/", "games/player/desk/", ""]
    pages += ["games/event/", "games/phase/", f"games/phase/{cast.phase.pk}/change/"]
    away = {"power": "Turkey", "unit": "A Smyrna", "retreats": ["Syria"]}
    position = {**cast.phase.position, "phase": "S1901R", "dislodged": [away]}
    Phase.objects.update(position=position, name="S1901R", overdue_at=NOW)
    client.force_login(moderator)

    def told() -> list[str]:
        """In what words Turkey is named, but for the table of who plays what."""
        shown = [client.get(f"/admin/{page}").content.decode() for page in pages]
        texts = [flat(re.sub(r"(?s)<script.*?</script>|<[^>]+>", " ", one)) for one in shown]
        said = (
            r"wait(?:s|ing) for (?:Turkey|somebody)|Without orders: (?:Turkey|\w+)|overdue Turkey"
        )
        return sorted({words for text in texts for words in re.findall(said, text)})

    page = client.get(f"/admin/games/game/{cast.game.pk}/change/").content.decode()
    assert ("We say whom it waits for when the game is over." in page) == plays
    assert ("<dt>Waiting for</dt><dd>told when the game is over</dd>" in page) == plays
    assert ("waiting for Turkey" in page) != plays

    assert told() == (
        ["waits for somebody"]
        if plays
        else ["overdue Turkey", "waiting for Turkey", "waits for Turkey"]
    )
    phase_process_now(game_id=cast.game.pk, now=NOW)
    assert told() == [f"Without orders: {'told' if plays else 'Turkey'}"]


def _turkey_has_to_retreat(cast: Cast) -> None:
    """The open phase, in which Turkey has to retreat by NOW and nothing has come."""
    away = {"power": "Turkey", "unit": "A Smyrna", "retreats": ["Syria"]}
    position = {**cast.phase.position, "phase": "S1901R", "dislodged": [away]}
    Phase.objects.update(position=position, name="S1901R", due_at=NOW)


@pytest.mark.parametrize("waits", [Game.WhenMissing.WAIT, Game.WhenMissing.EXTEND])
def test_nobody_learns_for_whose_retreats_a_game_waits(client: Client, waits: str) -> None:
    """Not when the deadline moves or the seat opens, once and again, nor when its player is back;
    whoever is on the standby list is offered it."""
    cast = make_cast(fog=True, when_missing=waits)
    hugo = cast.player("Hugo")
    standby_join(player=hugo, now=NOW)
    tell_all()
    before = OutboundMail.objects.latest("pk").pk
    _turkey_has_to_retreat(cast)
    assert phase_process(game_id=cast.game.pk, now=NOW)
    shown = client.get("/games/marne/").content.decode()
    if waits == Game.WhenMissing.WAIT:
        turkey = cast.game.powers.get(name="Turkey")
        assert turkey.open_since
        cast.game.powers.update(open_since=None)
        assert seat_reopen(game=cast.game, power=turkey, now=NOW + 3 * DAY)
        tell_all()
        shown += client.get("/games/marne/").content.decode() + client.get("/").content.decode()
        for command in ("LIST", "TAKEOVER marne", "TAKEOVER"):
            shown += answer_to(write("Ines", command)).body
        write("Greta", "Smy-Syr", to=to_seat(cast, "Turkey"))
    tell_all()
    mails = OutboundMail.objects.filter(pk__gt=before)
    for mail in mails.exclude(recipient__in=(address_of("Greta"), address_of("Hugo"))):
        if mail.recipient != cast.gm.email:
            shown += f"{mail.subject} {mail.body}"
    shown += say(cast, "LOG")
    assert re.search(r"(?i)somebody|one or more players", shown)
    told_of = r"(?i)(?:orders for|has come from|player of|seat of|TAKEOVER marne) turkey"
    assert not re.search(rf"{told_of}|turkey may be taken", unquote(flat(shown)))
    told = mails.filter(kind__in=("orders_overdue", "seat_opened", "deadline_moved"))
    assert told.filter(recipient=cast.gm.email).exists()
    if waits == Game.WhenMissing.WAIT:
        assert mails.filter(kind="seat_opened").count() == 2, "its player's and the GM's"
        assert mails.filter(kind="seat_offered", player=hugo).exists()


def test_an_operator_who_plays_sees_no_result_of_a_board_in_fog_nor_its_digest(
    fog: Cast, client: Client
) -> None:
    operator = User.objects.create_superuser("root", "ana@players.test")
    client.force_login(operator)
    event = phase_process_now(game_id=fog.game.pk, now=NOW)
    assert event
    pages = [
        reverse("admin:games_event_change", args=[event.pk]),
        reverse("admin:games_phase_change", args=[event.phase_id]),
    ]

    def shown() -> list[bool]:
        """Whether the digest is on the first page, and a result and that they are secret on the
        second."""
        log, phase = (client.get(page).content.decode() for page in pages)
        secret = "hidden until the game is over" in phase
        return [event.payload["outcome_sha256"] in log, "A Paris Holds" in phase, secret]

    assert shown() == [False, False, True]
    User.objects.update(email="root@players.test")
    assert shown() == [True, True, False]


def test_the_admins_history_of_a_game_in_fog_says_nothing_of_what_was_done(
    fog: Cast, client: Client
) -> None:
    client.force_login(User.objects.create_superuser("root", "root@players.test"))
    url = reverse("admin:games_game_act", args=[fog.game.pk, "set_orders"])
    typed = {"power": "France", "orders": "A Paris - Burgundy", "why": "By phone."}
    expected = client.post(url, typed).context["expected"]
    client.post(url, {**typed, "confirmed": "1", "expected": expected})
    assert LogEntry.objects.get().change_message == "Set orders: marne"


@pytest.mark.parametrize("builds", [True, False])
def test_who_has_to_build_is_not_told_when_their_player_leaves(fog: Cast, builds: bool) -> None:
    """The phase is kept open for a power that has lost its player only if it decides in it."""
    position: StateJson = {**fog.phase.position, "phase": "W1901A"}
    if builds:
        position["units"] = {**position["units"], "Turkey": ["A Smyrna"]}
    Phase.objects.update(name="W1901A", position=position)
    assert seat_resign(seat=fog.seat("Turkey"), now=NOW).payload.get("keeps_open", False) == builds
    tell_all()
    told = flat(mails_to("Carla")[-1].body)
    assert "France" not in told.partition("Orders already sent for Turkey")[0]
    assert "stays open" not in told
    entry = proof_file(fog.game)["entries"][-1]
    assert "keeps_open" not in entry["facts"]


@pytest.mark.parametrize("builds", [True, False])
def test_who_has_to_build_is_not_told_by_a_deadline_that_moves_for_a_new_player(
    fog: Cast, builds: bool
) -> None:
    position: StateJson = {**fog.phase.position, "phase": "W1901A"}
    if builds:
        position["units"] = {**position["units"], "Turkey": ["A Smyrna"]}
    due_at = NOW + DAY / 24
    Phase.objects.update(name="W1901A", position=position, due_at=due_at)
    turkey, hugo = fog.seat("Turkey").power, fog.player("Hugo")
    seat_replace(game=fog.game, power=turkey, player=hugo, why="-", by="gm", now=NOW)
    assert fog.phase.due_at
    assert fog.phase.due_at > due_at


def test_a_new_player_does_not_tell_for_whose_retreats_a_game_waits(fog: Cast) -> None:
    """It waits for those of Turkey, whoever has Italy."""
    _turkey_has_to_retreat(fog)
    Phase.objects.update(overdue_at=NOW)
    italy, hugo = fog.seat("Italy").power, fog.player("Hugo")
    seat_replace(game=fog.game, power=italy, player=hugo, why="-", by="gm", now=NOW)
    tell_all()
    told = flat(mails_to("Carla")[-1].body)
    assert "Italy has a new player" in told
    assert "the game is waiting for orders." in told


def test_who_had_to_build_is_not_told_by_a_civil_disorder(fog: Cast) -> None:
    def deadline() -> list[str]:
        assert fog.phase.due_at
        assert phase_process_now(game_id=fog.game.pk, now=fog.phase.due_at)
        return [one.payload["power"] for one in fog.events("disorder_declared")]

    Game.objects.update(disorder_after=2)
    assert deadline() == []
    position: StateJson = {**fog.phase.position, "phase": "W1901A"}
    position["units"] = {**position["units"], "Turkey": ["A Smyrna"]}
    Phase.objects.filter(status="open").update(name="W1901A", position=position)
    assert deadline() == []
    assert fog.phase.name == "S1902M"
    assert deadline() == sorted(POWERS.values())


def test_whoever_is_out_of_the_game_is_not_promised_results_that_they_cannot_see(fog: Cast) -> None:
    state = {**fog.phase.position, "phase": "F1901M"}
    state["units"] = {"France": ["A Paris"], "Turkey": ["A Bulgaria"]}
    state["centers"] = {"France": ["Paris"], "Turkey": ["Smyrna"], "Austria": ["Bulgaria"]}
    Phase.objects.update(name="F1901M", position=state)
    go_on(fog)
    [mail] = [one for one in mails_to("Ana") if one.kind == "phase_processed"]
    assert "You will not see the board again until the game is over." in flat(mail.body)
    assert "You will go on getting the results" not in mail.body
