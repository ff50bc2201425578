"""Who may see and do what: the groups, and the questions that every door asks."""

from __future__ import annotations

import importlib

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from games.acts import GAME_ACTS
from games.models import Game, Phase, Seat
from games.queries.access import disclosure, roles
from games.services.adjudication.phases import phase_process_now
from games.services.moderation.staff import gm_appoint, moderator_appoint
from games.services.setup.games import game_create
from tests.cast import NOW, Cast

pytestmark = pytest.mark.django_db

NOBODY = AnonymousUser()


@pytest.fixture
def moderator(db: None) -> User:
    user = User.objects.create_user("mod", "mod@players.test")
    moderator_appoint(user=user)
    return user


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_superuser("root", "root@players.test")


@pytest.fixture
def stranger(db: None) -> User:
    return User.objects.create_user("stranger", "stranger@players.test", is_staff=True)


def rights_of(group: str) -> set[str]:
    return {one.codename for one in Group.objects.get(name=group).permissions.all()}


def finish(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    game.refresh_from_db()


def be_player(user: User, address: str = "Ana@Players.test") -> User:
    """Give a user the address of a player of marne."""
    user.email = address
    user.save()
    return user


# --- Groups -------------------------------------------------------------------------------


@pytest.mark.parametrize("group", [roles.GM, roles.MODERATOR])
def test_the_migration_makes_each_group_with_its_rights(db: None, group: str) -> None:
    assert rights_of(group) == roles.RIGHTS[group]


def test_the_migration_and_the_code_mean_the_same_rights() -> None:
    migration = importlib.import_module("games.migrations.0003_roles")
    said = {name: frozenset(rights) for name, rights in migration.RIGHTS.items()}
    assert said == dict(roles.RIGHTS)


def test_the_migration_can_be_done_twice_and_undone(db: None) -> None:
    migration = importlib.import_module("games.migrations.0003_roles")
    loader = MigrationLoader(None, replace_migrations=False)
    state = loader.project_state(("games", "0003_roles"))
    editor = connection.schema_editor()
    Group.objects.all().delete()
    for _ in range(2):
        migration.make_groups(state.apps, editor)
    assert {name: rights_of(name) for name in roles.RIGHTS} == dict(roles.RIGHTS)
    migration.drop_groups(state.apps, editor)
    assert not Group.objects.exists()


def test_no_group_has_the_right_to_see_open_orders_or_mails(db: None) -> None:
    groups = Group.objects.all()
    assert {group.name for group in groups} == {"GM", "Moderator"}
    for group in groups:
        given = group.permissions.all()
        assert given
        assert not given.filter(codename="view_open_orders").exists()
        assert not given.exclude(content_type__app_label="games").exists()


@pytest.mark.parametrize(
    ("appoint", "role"), [(gm_appoint, "GM"), (moderator_appoint, "Moderator")]
)
def test_who_is_appointed_can_log_in_and_again_nothing_changes(
    stranger: User, appoint: object, role: str
) -> None:
    stranger.is_staff = False
    for _ in range(2):
        appoint(user=stranger)  # type: ignore[operator]
    stranger.refresh_from_db()
    assert (stranger.is_staff, stranger.is_superuser) == (True, False)
    assert [group.name for group in stranger.groups.all()] == [role]


def test_a_group_that_was_deleted_is_made_anew_with_its_rights(stranger: User) -> None:
    Group.objects.all().delete()
    gm_appoint(user=stranger)
    assert rights_of(roles.GM) == roles.RIGHTS[roles.GM]


def test_rights_that_an_operator_took_from_a_group_stay_taken(stranger: User) -> None:
    Group.objects.get(name=roles.GM).permissions.clear()
    gm_appoint(user=stranger)
    assert rights_of(roles.GM) == set()


# --- Whose games --------------------------------------------------------------------------


def test_a_gm_has_their_own_games_an_operator_and_a_moderator_all(
    marne: Cast, operator: User, moderator: User, stranger: User
) -> None:
    other = game_create(name="verdun", gm=stranger, now=NOW)
    assert list(roles.games_for(marne.gm, now=NOW)) == [marne.game]
    assert list(roles.games_for(stranger, now=NOW)) == [other]
    for user in (operator, moderator):
        assert set(roles.games_for(user, now=NOW)) == {marne.game, other}
    assert not roles.games_for(NOBODY, now=NOW).exists()


def test_who_was_deactivated_has_no_role_any_more(
    marne: Cast, operator: User, moderator: User
) -> None:
    for user in (operator, moderator, marne.gm):
        user.is_active = False
        user.save()
        assert not roles.games_for(user, now=NOW).exists()
        assert not disclosure.may_look(user, marne.game, now=NOW)
        assert roles.refusal(user, marne.game, "pause", now=NOW)


# --- Who plays ----------------------------------------------------------------------------


def test_who_has_the_confirmed_address_of_a_player_plays(marne: Cast, stranger: User) -> None:
    assert not roles.plays_in(stranger, marne.game)
    assert roles.plays_in(be_player(stranger), marne.game)


def test_who_is_linked_to_a_player_plays(marne: Cast, stranger: User) -> None:
    ana = marne.player("Ana")
    ana.user = stranger
    ana.save()
    assert roles.plays_in(stranger, marne.game)


def test_an_address_that_nobody_confirmed_makes_nobody_a_player(
    marne: Cast, stranger: User
) -> None:
    """Otherwise anybody could take the GM's rights away by adding the GM's address."""
    marne.player("Ana").addresses.create(email=stranger.email, created_at=NOW)
    assert not roles.plays_in(stranger, marne.game)


def test_who_has_given_up_their_seat_or_plays_elsewhere_does_not_play(
    marne: Cast, stranger: User
) -> None:
    be_player(stranger)
    assert not roles.plays_in(stranger, game_create(name="verdun", now=NOW))
    Seat.objects.filter(power__name="Austria").update(until=NOW)
    assert not roles.plays_in(stranger, marne.game)


def test_users_without_an_address_are_nobody(marne: Cast, stranger: User) -> None:
    assert not roles.plays_in(be_player(stranger, ""), marne.game)
    assert not roles.plays_in(NOBODY, marne.game)


# --- Acts ---------------------------------------------------------------------------------

ADVANTAGE = sorted(set(GAME_ACTS) - roles.FAIR)


@pytest.mark.parametrize("act", sorted(GAME_ACTS))
def test_a_blind_gm_does_everything_but_look_ahead(marne: Cast, act: str) -> None:
    but = ("preview", "make_round")  # that takes somebody who may make games
    assert (not roles.refusal(marne.gm, marne.game, act, now=NOW)) is (act not in but)


@pytest.mark.parametrize("act", sorted(GAME_ACTS))
def test_an_operator_does_everything(marne: Cast, operator: User, act: str) -> None:
    assert not roles.refusal(operator, marne.game, act, now=NOW)


@pytest.mark.parametrize("act", ADVANTAGE)
@pytest.mark.parametrize("who", ["gm", "operator", "moderator"])
def test_who_plays_does_nothing_that_could_help_them(
    marne: Cast, operator: User, moderator: User, who: str, act: str
) -> None:
    Game.objects.update(gm_sees=Game.GMSees.ORDERS)
    user = be_player({"gm": marne.gm, "operator": operator, "moderator": moderator}[who])
    assert "You play in the game marne yourself" in roles.refusal(user, marne.game, act, now=NOW)


@pytest.mark.parametrize("act", sorted(roles.FAIR))
def test_a_gm_who_plays_still_does_what_is_the_same_for_all(marne: Cast, act: str) -> None:
    assert roles.refusal(be_player(marne.gm), marne.game, act, now=NOW) == ""


def test_only_a_gm_who_was_let_in_looks_ahead(marne: Cast) -> None:
    marne.game.gm_sees = Game.GMSees.ORDERS
    assert not roles.refusal(marne.gm, marne.game, "preview", now=NOW)


@pytest.mark.parametrize("act", sorted(GAME_ACTS))
def test_a_moderator_keeps_games_alive_and_decides_nothing(
    marne: Cast, moderator: User, act: str
) -> None:
    assert (not roles.refusal(moderator, marne.game, act, now=NOW)) is (act in roles.KEEPS_ALIVE)
    assert act not in {"preview", "set_orders", "process_now", "rollback", "end", "settings"} or (
        "Moderators do not do this" in roles.refusal(moderator, marne.game, act, now=NOW)
    )


@pytest.mark.parametrize("act", sorted(GAME_ACTS))
def test_nobody_else_does_anything(marne: Cast, stranger: User, act: str) -> None:
    for user in (stranger, NOBODY):
        assert (
            roles.refusal(user, marne.game, act, now=NOW) == "You are not the GM of the game marne."
        )


def test_the_acts_that_roles_speaks_of_exist() -> None:
    """A name that is misspelt there would quietly forbid its act."""
    assert set(GAME_ACTS) >= roles.KEEPS_ALIVE


# --- What is seen -------------------------------------------------------------------------


def test_nobody_sees_the_orders_of_an_open_phase_in_passing(
    marne: Cast, operator: User, moderator: User, stranger: User
) -> None:
    Game.objects.update(gm_sees=Game.GMSees.ORDERS)
    for user in (operator, moderator, marne.gm, stranger, NOBODY):
        assert not disclosure.may_see_orders(user, marne.phase, now=NOW)
        assert not disclosure.may_see_results(user, marne.phase, now=NOW)
        assert not disclosure.may_see_press(user, marne.game, now=NOW)


def test_a_look_is_for_operators_and_for_gms_who_were_let_in(
    marne: Cast, operator: User, moderator: User, stranger: User
) -> None:
    assert disclosure.may_look(operator, marne.game, now=NOW)
    for user in (marne.gm, moderator, stranger, NOBODY):
        assert not disclosure.may_look(user, marne.game, now=NOW)
    marne.game.gm_sees = Game.GMSees.ORDERS
    assert disclosure.may_look(marne.gm, marne.game, now=NOW)
    assert not disclosure.may_look(be_player(marne.gm), marne.game, now=NOW)
    assert not disclosure.may_look(be_player(operator, "ben@players.test"), marne.game, now=NOW)


def test_sets_lie_open_to_the_gm_once_their_phase_is_adjudicated(
    marne: Cast, operator: User, moderator: User, stranger: User
) -> None:
    phase_process_now(game_id=marne.game.pk, now=NOW)
    first = marne.game.phases.get(number=1)
    assert disclosure.may_see_orders(marne.gm, first, now=NOW)
    assert disclosure.may_see_orders(operator, first, now=NOW)
    for user in (moderator, stranger, NOBODY):
        assert not disclosure.may_see_orders(user, first, now=NOW)
        assert not disclosure.may_see_results(user, first, now=NOW)


def test_a_gm_who_plays_sees_results_but_not_what_others_had_sent_before(marne: Cast) -> None:
    phase_process_now(game_id=marne.game.pk, now=NOW)
    gm, first = be_player(marne.gm), marne.game.phases.get(number=1)
    assert disclosure.may_see_results(gm, first, now=NOW)
    assert not disclosure.may_see_orders(gm, first, now=NOW)


def test_an_operator_who_plays_in_fog_of_war_sees_no_results_before_the_game_is_over(
    marne: Cast, operator: User
) -> None:
    Game.objects.update(fog=True)
    marne.game.refresh_from_db()
    phase_process_now(game_id=marne.game.pk, now=NOW)
    first = marne.game.phases.get(number=1)
    assert disclosure.may_see_results(operator, first, now=NOW)
    be_player(operator)
    assert not disclosure.may_see_results(operator, first, now=NOW)
    finish(marne.game)
    assert disclosure.may_see_results(operator, marne.game.phases.get(number=1), now=NOW)


def test_a_phase_that_was_undone_before_its_deadline_keeps_its_secrets(
    marne: Cast, operator: User
) -> None:
    phase = marne.phase
    phase.status = Phase.Status.UNDONE
    phase.save()
    assert not disclosure.may_see_orders(operator, phase, now=NOW)
    finish(marne.game)
    assert disclosure.may_see_orders(operator, marne.game.phases.get(number=1), now=NOW)


def test_when_the_game_is_over_it_lies_open(
    marne: Cast, operator: User, moderator: User, stranger: User
) -> None:
    finish(marne.game)
    phase = marne.game.phases.get(number=1)
    for user in (operator, marne.gm, moderator):
        assert disclosure.may_see_orders(user, phase, now=NOW)
    assert not disclosure.may_see_orders(stranger, phase, now=NOW)
    assert disclosure.may_see_press(marne.gm, marne.game, now=NOW)
    assert not disclosure.may_see_press(moderator, marne.game, now=NOW)
