"""What holds for every act on a game, whichever it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User

from games.acts import GAME_ACTS, pause
from games.admin.act_form import form_for
from games.errors import NotAllowed
from games.models import Attendance, Event, Game, Standby
from games.services.adjudication.phases import phase_process
from games.services.clock.extensions import extension_ask
from games.services.clock.pauses import game_pause
from games.services.ordering.disorder import disorder_declare
from games.services.seating.joining import game_join
from games.services.setup.co_gms import co_gm_add
from games.services.setup.games import game_create
from tests.cast import DAY, NOW, OPENINGS, Cast, make_player, seat_fill, submit
from tests.games.acts.acting import Acting, world

pytestmark = pytest.mark.django_db

Typed = dict[str, object]
WHY = "A good reason."


def nothing(cast: Cast) -> Typed:
    return {}


def only_why(cast: Cast) -> Typed:
    return {"why": WHY}


def paused(cast: Cast) -> Typed:
    game_pause(game=cast.game, until=None, why="-", by="gm", now=NOW)
    return {}


def seeing(cast: Cast) -> Typed:
    Game.objects.update(gm_sees="orders")
    submit(cast, "France", OPENINGS["France"])
    return {"why": WHY}


def disordered(cast: Cast) -> Typed:
    power = cast.seat("Turkey").power
    disorder_declare(game=cast.game, power=power, why="-", by="the server", now=NOW)
    return {"power": "Turkey", "why": WHY}


def open_seat(cast: Cast) -> Typed:
    disordered(cast)
    Standby.objects.create(player=cast.player("Hugo"), since=NOW)
    return {"power": "Turkey"}


def processed(cast: Cast) -> Typed:
    phase_process(game_id=cast.game.pk, now=NOW + 3 * DAY)
    return {"phase": "S1901M", "why": WHY}


def missed(cast: Cast) -> Typed:
    phase_process(game_id=cast.game.pk, now=NOW + 3 * DAY)
    miss = Attendance.objects.get(seat__power__name="France")
    return {"misses": [str(miss.pk)], "why": WHY}


def full(cast: Cast) -> Typed:
    """The act is on another game, which waits for its start with all seats taken."""
    players = [make_player(f"P{number}") for number in range(7)]
    game = game_create(name="yser", gm=cast.gm, now=NOW)
    for player in players[1:]:
        game_join(game=game, player=player, preferences="", now=NOW)
    seat_fill(game=game, power=game.powers.all()[0], player=players[0], now=NOW)
    cast.game.pk = game.pk
    return {}


def forming(**typed: object) -> Callable[[Cast], Typed]:
    """The act is on another game, which nobody has joined yet."""

    def ready(cast: Cast) -> Typed:
        cast.game.pk = game_create(name="yser", gm=cast.gm, now=NOW).pk
        return dict(typed)

    return ready


def asked(cast: Cast) -> Typed:
    """Hugo has asked to join another game, in which the GM lets people in."""
    game = game_create(name="yser", gm=cast.gm, entry="approval", now=NOW)
    game_join(game=game, player=cast.player("Hugo"), preferences="", now=NOW)
    cast.game.pk = game.pk
    return {"who": str(game.invitations.get().pk), "answer": "yes"}


def joined(cast: Cast) -> Typed:
    """Hugo has joined another game."""
    game = game_create(name="yser", gm=cast.gm, now=NOW)
    game_join(game=game, player=cast.player("Hugo"), preferences="", now=NOW)
    cast.game.pk = game.pk
    return {"who": str(cast.player("Hugo").pk), "why": WHY}


def with_co_gm(cast: Cast) -> Typed:
    row = co_gm_add(game=cast.game, email="di@players.test", until=None, by="gm", now=NOW)
    return {"who": str(row.pk)}


def settings(cast: Cast) -> Typed:
    form = form_for(GAME_ACTS["settings"], cast.game, now=NOW)
    values = {name: form[name].value() for name in form.fields}
    typed = {name: value for name, value in values.items() if value not in (None, False)}
    return {**typed, "player_extensions": "3", "disorder_after": "5", "why": WHY}


def asking_for_time(cast: Cast) -> Typed:
    seat, phase = cast.seat("France"), cast.phase
    extension_ask(seat=seat, phase=phase, length="24h", why="I am ill", now=NOW)
    return {"power": "France", "why": WHY}


def in_a_cup(cast: Cast) -> Typed:
    Game.objects.update(tournament="cup")
    return {"later": "1d", "why": WHY}


def pausing_a_cup(cast: Cast) -> Typed:
    return {"length": in_a_cup(cast)["later"], "why": WHY}


def resuming_a_cup(cast: Cast) -> Typed:
    in_a_cup(cast)
    return paused(cast)


@dataclass(frozen=True)
class Case:
    """How an act is made possible and answered, and the event that says it was done."""

    answers: Callable[[Cast], Typed]
    event: str


CASES = {
    "start": Case(full, "game_started"),
    "remind": Case(nothing, "orders_missing"),
    "extend": Case(lambda cast: {"later": "1d", "why": WHY}, "deadline_moved"),
    "extend_all": Case(in_a_cup, "deadline_moved"),
    "turn_down": Case(asking_for_time, "extension_refused"),
    "pause": Case(only_why, "game_paused"),
    "pause_all": Case(pausing_a_cup, "game_paused"),
    "resume": Case(paused, "game_resumed"),
    "resume_all": Case(resuming_a_cup, "game_resumed"),
    "process_now": Case(nothing, "phase_processed"),
    "preview": Case(seeing, "orders_looked_at"),
    "set_orders": Case(
        lambda cast: {"power": "France", "orders": "A Paris H", "why": WHY}, "orders_set"
    ),
    "replace": Case(lambda cast: {"power": "France", "player": "Hugo", "why": WHY}, "seat_taken"),
    "vacate": Case(lambda cast: {"power": "France", "why": WHY}, "seat_vacated"),
    "disorder": Case(lambda cast: {"power": "France", "why": WHY}, "disorder_declared"),
    "end_disorder": Case(disordered, "disorder_ended"),
    "offer": Case(open_seat, "seat_offered"),
    "excuse": Case(missed, "miss_excused"),
    "write": Case(lambda cast: {"text": "Hello"}, "press_sent"),
    "settings": Case(settings, "settings_changed"),
    "invite": Case(forming(emails="hugo@players.test"), "players_invited"),
    "remove_player": Case(joined, "player_removed"),
    "let_in": Case(asked, "players_let_in"),
    "add_co_gm": Case(lambda cast: {"email": "di@players.test"}, "co_gm_added"),
    "remove_co_gm": Case(with_co_gm, "co_gm_removed"),
    "hand_over": Case(with_co_gm, "game_handed_over"),
    "rename": Case(forming(to="somme"), "game_renamed"),
    "rollback": Case(processed, "game_rolled_back"),
    "end": Case(only_why, "game_finished"),
}


def test_every_act_has_a_case():
    """But for the one that leaves no game behind, the one of which the log says nothing, and the
    one that makes other games (`test_rounds.py`)."""
    assert set(CASES) == set(GAME_ACTS) - {"delete", "deny", "make_round"}


@pytest.fixture(params=sorted(CASES))
def ready(request: pytest.FixtureRequest, marne: Cast) -> tuple[Acting, Typed, str]:
    """Each act in turn, where it can be done, with what is typed for it and the event to come."""
    case = CASES[request.param]
    typed = case.answers(marne)
    return Acting(marne.game, request.param), typed, case.event


def test_an_act_says_what_will_happen_and_changes_nothing(ready: tuple[Acting, Typed, str]):
    acting, typed, _ = ready
    before = world()
    assert len(acting.foresee(**typed).splitlines()) > 1
    assert world() == before


@pytest.mark.parametrize("anonymous", [True, False])
@pytest.mark.parametrize(
    "act", ["replace", "vacate", "disorder", "end_disorder", "set_orders", "excuse"]
)
def test_a_reason_about_one_player_names_nobody_where_all_are_anonymous(
    marne: Cast, act: str, anonymous: bool
):
    Game.objects.update(anonymous=anonymous)
    shown = Acting(marne.game, act).foresee(**CASES[act].answers(marne))
    assert ("all players read your reason: name nobody in it." in shown) is anonymous


def test_an_act_that_is_confirmed_is_done_once_and_logged_with_name_and_reason(
    ready: tuple[Acting, Typed, str],
):
    acting, typed, kind = ready
    acting.foresee(**typed)
    before = set(Event.objects.values_list("pk", flat=True))
    acting.confirm(**typed)
    events = Event.objects.exclude(pk__in=before).filter(kind=kind)
    assert [event.payload["by"] for event in events] == ["gm"]
    if "why" in typed:
        assert events[0].payload["why"] == WHY


def test_a_second_click_does_nothing_and_tells_nobody_again(ready: tuple[Acting, Typed, str]):
    acting, typed, _ = ready
    acting.foresee(**typed)
    acting.confirm(**typed)
    before = world()
    acting.confirm(**typed)
    assert world() == before


def test_a_pause_changed_on_two_pages_at_once_is_told_once(marne: Cast):
    paused(marne)
    acting, typed = Acting(marne.game, "pause"), {"why": WHY}
    acting.foresee(**typed)
    acting.confirm(**typed)
    before = world()
    assert "so nothing was done" in acting.confirm(**typed)
    assert world() == before


def test_what_staff_type_loses_the_reply_addresses_in_it(marne: Cast):
    """Everybody can read a reason; whoever has the address could order with it."""
    address = f"judge+{'a2' * 13}b@game.test"
    given = pause.Parameters(why=f"See {address}.")
    act = GAME_ACTS["pause"]
    said = act.foresee(marne.game, given, by=marne.gm, now=NOW)
    act.perform(marne.game, given, by=marne.gm, now=NOW)
    told = [*said, *(str(one.payload) for one in Event.objects.all())]
    assert [one for one in told if "[token]@game.test" in one]
    assert not [one for one in told if address in one]


def test_an_act_on_what_is_out_of_date_does_nothing(ready: tuple[Acting, Typed, str]):
    acting, typed, _ = ready
    acting.expected = "another state of the game"
    before = world()
    assert "so nothing was done" in acting.confirm(**typed)
    assert world() == before


def test_the_acts_are_for_gms_of_the_game(marne: Cast):
    """Each act asks who somebody is, see also test_roles.py."""
    stranger = User.objects.create_user("stranger", is_staff=True)
    for act in GAME_ACTS.values():
        with pytest.raises(NotAllowed, match="You are not the GM of the game marne"):
            act.require(stranger, marne.game, NOW)
