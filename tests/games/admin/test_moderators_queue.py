"""The moderators' queue: what stands in it, and every button."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from contextlib import AbstractContextManager

import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import Address, Conduct, Game, Phase, Player, Seat
from games.queries.access.conflicts import fellows, refusal_about
from games.queries.moderators.cases import keys_now
from games.queries.moderators.moderation import ForModerators, for_moderators
from games.queue import AT_ONCE, queue
from games.services.accounts.merging import players_merge
from games.services.adjudication.phases import phase_process
from games.services.clock.halts import server_halt
from games.services.moderation.care import cares_forget, case_rest
from games.services.moderation.conduct import moderators_ask, player_ban, player_suspend
from games.services.moderation.staff import user_failed
from games.services.ordering.disorder import disorder_declare
from games.services.seating.joining import game_join
from games.services.seating.seats import seat_resign
from games.services.seating.standby import seat_keep, standby_join
from games.services.setup.co_gms import co_gm_add
from games.services.setup.games import game_create
from tests.cast import DAY, HOUR, NOBODY, NOW, POWERS, Cast, address_of, make_player
from tests.games.admin.queue_cases import DUE, LATER, everything, lose, plain, resign

Queries = Callable[[int], AbstractContextManager[object]]


def test_an_orderly_server_has_an_empty_queue(marne: Cast) -> None:
    assert for_moderators(now=NOW, viewer=NOBODY) == ForModerators((), (), (), (), (), ())


def test_a_power_in_civil_disorder_is_on_it_with_its_history(marne: Cast) -> None:
    for days in (3, 6):
        phase_process(game_id=marne.game.pk, now=NOW + days * DAY)
    rows = {row.power.name: row for row in for_moderators(now=NOW + 6 * DAY, viewer=NOBODY).powers}
    assert set(rows) == set(POWERS.values())
    row = rows["Italy"]
    assert (row.disorder, row.seat_open, row.missed) == (True, True, 2)
    assert row.player == marne.player("Emma")
    assert row.found
    assert (row.found.missed, row.found.percent) == (2, 83)
    assert row.since == NOW + 6 * DAY
    assert row.suggestion.startswith("Seat somebody you know")


def test_a_seat_that_was_resigned_is_on_it(marne: Cast) -> None:
    resign(marne, "Turkey")
    (row,) = for_moderators(now=NOW, viewer=NOBODY).powers
    assert (row.power.name, row.disorder, row.seat_open) == ("Turkey", False, False)
    assert row.due_at == DUE


def test_a_letter_about_a_game_leads_to_it(marne: Cast, moderator: Client) -> None:
    text = "Turkey insults me.\n\n(Sent in reply to a mail about the game marne.)"
    moderators_ask(player=marne.player("Carla"), text=text, now=NOW)
    shown = moderator.get(reverse("admin:games_player_queue")).content.decode()
    assert f'<a href="{reverse("admin:games_game_changelist")}?q=marne">marne</a>' in shown


def test_those_who_stand_by_are_counted_until_they_are_asked(marne: Cast) -> None:
    resign(marne, "Turkey")
    standby_join(player=marne.player("Hugo"), now=NOW)  # and is offered the seat at once
    (row,) = for_moderators(now=NOW, viewer=NOBODY).powers
    assert (row.offers, row.fitting) == (1, 0)
    marne.player("Hugo").offers.update(end="expired", ended_at=NOW)
    (row,) = for_moderators(now=NOW, viewer=NOBODY).powers
    assert (row.offers, row.fitting) == (0, 1)
    marne.player("Hugo").offers.update(end="declined")
    assert for_moderators(now=NOW, viewer=NOBODY).powers[0].fitting == 0


def test_a_power_of_which_nothing_is_left_is_not_on_it(marne: Cast) -> None:
    resign(marne, "Turkey")
    phase = marne.phase
    for part in ("units", "centers"):
        phase.position[part].pop("Turkey")
    phase.save()
    assert for_moderators(now=NOW, viewer=NOBODY).powers == ()


def test_a_game_that_waits_is_on_it_with_whom_it_waits_for(marne: Cast) -> None:
    Game.objects.update(when_missing=Game.WhenMissing.GM)
    phase_process(game_id=marne.game.pk, now=DUE)
    (row,) = for_moderators(now=LATER, viewer=NOBODY).overdue
    assert (row.game, row.since, row.stuck) == (marne.game, DUE, False)
    assert row.powers == tuple(sorted(POWERS.values()))
    assert row.suggestion.startswith("It is for the GM, gm, to decide. They do not play here")


def test_a_stuck_game_is_on_it(marne: Cast) -> None:
    resign(marne, "Turkey")
    unreadable = {**marne.phase.position, "units": {"France": ["A Atlantis"]}}
    Phase.objects.update(status=Phase.Status.STUCK, position=unreadable)
    (row,) = for_moderators(now=LATER, viewer=NOBODY).overdue
    assert row.stuck
    assert row.suggestion.startswith("Tell whoever runs the server")


def test_a_game_whose_deadline_passed_long_ago_is_on_it_unless_it_pauses(marne: Cast) -> None:
    assert for_moderators(now=DUE + HOUR, viewer=NOBODY).overdue == ()
    (row,) = for_moderators(now=DUE + 6 * HOUR, viewer=NOBODY).overdue
    assert (row.stuck, row.since) == (True, DUE)
    Game.objects.update(status=Game.Status.PAUSED, paused_at=NOW, resume_at=LATER)
    assert for_moderators(now=DUE + 6 * HOUR, viewer=NOBODY).overdue == ()


def test_a_game_that_nobody_plays_any_more_is_one_case(marne: Cast, moderator: Client) -> None:
    for days in (3, 6):
        phase_process(game_id=marne.game.pk, now=NOW + days * DAY)
    at, user = NOW + 7 * DAY, User.objects.get(username="mo")
    assert len(keys_now(at)) == 7
    (first, *_) = queue(user, at).waiting
    assert "7 powers there have no player" in first.facts
    Game.objects.update(status=Game.Status.PAUSED, paused_at=at)
    (case,) = queue(user, at).waiting
    assert keys_now(at) == {case.key} == {f"game/{marne.game.pk}"}
    assert case.facts[1] == "paused · nobody plays it any more"
    assert "if nobody does, its GM, gm, can end it." in case.suggestion
    assert [link.words for link in case.acts] == ["Write to the players", "Seat a player", "Resume"]
    root = User.objects.create_superuser("root", "root@staff.test")
    assert queue(root, at).waiting[0].acts[-1].words == "End the game"
    Game.objects.update(gm=None)
    assert "whoever runs the server can end it" in queue(user, at).waiting[0].suggestion
    seat_keep(seat=marne.seat("Italy"), now=at)
    assert len(keys_now(at)) == 7, "somebody plays on, and six powers need a player"
    assert any("the game is paused" in one.facts for one in queue(user, at).waiting)


def test_while_the_whole_server_stands_still_no_game_does(marne: Cast) -> None:
    server_halt(why="A fault.", by="mo", now=NOW)
    assert for_moderators(now=DUE + 6 * HOUR, viewer=NOBODY).overdue == ()
    assert keys_now(DUE + 6 * HOUR) == set()
    Game.objects.update(status=Game.Status.PAUSED, paused_at=NOW)
    assert len(for_moderators(now=DUE + 6 * HOUR, viewer=NOBODY).overdue) == 1


def test_a_player_whom_mails_do_not_reach_is_on_it(marne: Cast) -> None:
    lose(marne, "Ana")
    (row,) = for_moderators(now=NOW, viewer=NOBODY).unreachable
    assert (row.player.name, row.email, row.due_at) == ("Ana", address_of("Ana"), DUE)
    assert [seat.power.name for seat in row.seats] == ["Austria"]
    Address.objects.create(
        player=row.player, email="ana@work.test", confirmed_at=NOW, created_at=NOW
    )
    assert "ana@work.test" in for_moderators(now=NOW, viewer=NOBODY).unreachable[0].suggestion


def test_who_plays_nowhere_is_missed_by_nobody(marne: Cast) -> None:
    lose(marne, "Hugo")
    assert for_moderators(now=NOW, viewer=NOBODY).unreachable == ()


def test_an_address_that_is_not_that_of_record_may_fail(marne: Cast) -> None:
    Address.objects.create(
        player=marne.player("Ana"),
        email="ana@old.test",
        confirmed_at=NOW,
        created_at=NOW,
        failing_since=NOW,
    )
    assert for_moderators(now=NOW, viewer=NOBODY).unreachable == ()


def test_the_number_of_queries_does_not_grow(
    marne: Cast, django_assert_max_num_queries: Queries
) -> None:
    everything(marne)
    with django_assert_max_num_queries(24):
        one = for_moderators(now=NOW + HOUR, viewer=NOBODY)
    for number in range(4):
        game = game_create(name=f"yser{number}", now=NOW)
        for name in POWERS:
            game_join(game=game, player=marne.player(name), preferences="", now=NOW)
        resigned = Seat.objects.filter(power__game=game, power__name="France").get()
        seat_resign(seat=resigned, now=NOW)
        game.phases.update(overdue_at=NOW)
    for name in ("Ben", "Carla"):
        lose(marne, name)
    with django_assert_max_num_queries(24):
        more = for_moderators(now=NOW + HOUR, viewer=NOBODY)
    assert (len(more.powers), len(more.overdue)) == (len(one.powers) + 4, 5)
    assert len(more.unreachable) == 3


# --- The pages ----------------------------------------------------------------------------


def act(client: Client, player: Player, name: str, **typed: object) -> tuple[str, str]:
    """Send the act's form, read what would happen, and confirm it: both pages as plain text."""
    url = reverse("admin:games_player_act", args=[player.pk, name])
    with time_machine.travel(NOW + HOUR, tick=False):
        asked = client.post(url, typed)
        before = Conduct.objects.count()
        expected = asked.context["expected"]
        sent = {**typed, "confirmed": "yes", "expected": expected}
        done = client.post(url, sent, follow=True)
    assert before <= Conduct.objects.count()
    return plain(asked.content.decode()), plain(done.content.decode())


def look(client: Client, name: str = "queue", *args: object) -> str:
    """The text of a page about players."""
    answer = client.get(reverse(f"admin:games_player_{name}", args=args))
    assert answer.status_code == 200
    return plain(answer.content.decode())


def test_the_page_shows_everything(marne: Cast, moderator: Client) -> None:
    everything(marne)
    with time_machine.travel(NOW + 2 * HOUR, tick=False):
        shown = look(moderator)
    for text in (
        "Power without a player: 2; Game that stands still: 1; Player our mails do not reach: 1; "
        "Question from a player: 1.",
        "Power without a player, for 2 hours Italy in marne civil disorder · Emma",
        "for 2 hours Turkey in marne open seat · Greta (gone)",
        "Game that stands still, for 2 hours marne",
        "550 No such user",
        "Question from a player, for 2 hours Ben Is Carla Dmitri?",
        "Suspended and banned (1) Hugo : suspended until Thu 5 Mar 2026, 12:00",
    ):
        assert text in shown.replace("\xa0", " "), text


def _offered(user: User, power: str) -> list[str]:
    """The words on the buttons of a power's case, the likeliest first."""
    found = queue(user, NOW + HOUR).waiting
    return [act.words for case in found if case.title == f"{power} in marne" for act in case.acts]


def test_what_is_suggested_is_offered_first_and_what_cannot_help_not_at_all(
    marne: Cast, moderator: Client
) -> None:
    mo = User.objects.get(username="mo")
    italy = marne.seat("Italy").power
    disorder_declare(game=marne.game, power=italy, why="Silent.", by="mo", now=NOW)
    assert _offered(mo, "Italy") == ["Write to the player", "Seat a player", "Note"]
    standby_join(player=marne.player("Hugo"), now=NOW)
    assert _offered(mo, "Italy")[0] == "Write to the player", "while Hugo may still say yes"
    marne.player("Hugo").offers.update(end="expired", ended_at=NOW)
    assert _offered(mo, "Italy")[:2] == ["Offer the seat", "Seat a player"]


def test_nobody_is_to_write_to_a_player_whom_mails_do_not_reach(
    marne: Cast, moderator: Client
) -> None:
    italy = marne.seat("Italy").power
    disorder_declare(game=marne.game, power=italy, why="Silent.", by="mo", now=NOW)
    lose(marne, "Emma")
    assert _offered(User.objects.get(username="mo"), "Italy") == ["Seat a player", "Note"]
    marne.player("Emma").addresses.update(failing_since=None)
    assert "Write to the player" in _offered(User.objects.get(username="mo"), "Italy")


def test_buttons_with_the_same_words_say_for_which_game_they_are(
    marne: Cast, moderator: Client
) -> None:
    other = game_create(name="somme", now=NOW)
    for name in POWERS:
        game_join(game=other, player=marne.player(name), preferences="", now=NOW)
    lose(marne, "Ana")
    with time_machine.travel(DUE - HOUR, tick=False):
        page = moderator.get(reverse("admin:games_player_queue")).content.decode()
    assert "Open the seat (Austria in marne)</a>" in page
    assert re.search(r"Open the seat \(\w+ in somme\)</a>", page)
    assert 'Note<span class="visually-hidden"> (Ana)' in page


def test_a_case_does_not_have_one_write_to_whoever_was_just_banned(
    marne: Cast, moderator: Client
) -> None:
    player_ban(player=marne.player("Emma"), why="Two accounts.", by="mo", now=NOW)
    assert _offered(User.objects.get(username="mo"), "Italy") == ["Seat a player", "Note"]


def _on_case(title: str, at: dt.datetime = NOW + HOUR) -> list[str]:
    """The words on the buttons of the case with this title."""
    user = User.objects.get(username="mo")
    (case,) = [case for case in queue(user, at).waiting if case.title == title]
    return [act.words for act in case.acts]


def give_an_account(cast: Cast) -> Player:
    """Let the GM be a player here, too."""
    player = make_player("Gerda")
    Player.objects.filter(pk=player.pk).update(user=cast.gm)
    return player


def test_a_player_out_of_reach_loses_no_seat_while_somebody_can_be_asked(
    marne: Cast, moderator: Client
) -> None:
    lose(marne, "Ana")
    assert _on_case("Ana") == ["Note", "Merge accounts", "Open the seat"]
    give_an_account(marne)
    assert _on_case("Ana")[0] == "Write to the GM"
    assert _on_case("Ana", DUE - DAY)[:2] == ["Extend", "Open the seat"]
    assert _on_case("Ana", DUE + HOUR)[0] == "Open the seat"
    ana = marne.player("Ana")
    ana.addresses.create(email="ana@work.test", confirmed_at=NOW, created_at=NOW)
    assert _on_case("Ana", DUE + HOUR)[0] == "Write to the player"


def test_a_moderator_writes_to_the_gm_who_has_to_decide(marne: Cast, moderator: Client) -> None:
    Game.objects.update(when_missing=Game.WhenMissing.GM)
    phase_process(game_id=marne.game.pk, now=DUE)
    assert "Write to the GM" not in _on_case("marne", LATER)
    gerda = give_an_account(marne)
    user = User.objects.get(username="mo")
    (case,) = queue(user, LATER).waiting
    assert case.suggestion.startswith("Write to the GM, gm: it is theirs to decide.")
    link = case.acts[0]
    assert (link.words, link.about) == ("Write to the GM", "Gerda")
    assert link.url == reverse("admin:games_player_act", args=[gerda.pk, "write"])
    user_failed(user=marne.gm, since=NOW, failure="550 No such user")
    (case,) = [one for one in queue(user, LATER).waiting if one.title == "marne"]
    assert case.facts[-1] == "mails to the GM do not arrive"
    assert "whoever runs the server can let somebody else run the game" in case.suggestion


def test_a_gm_out_of_reach_whom_nobody_helps_is_a_case(marne: Cast, moderator: Client) -> None:
    user_failed(user=marne.gm, since=NOW, failure="550 No such user")
    user = User.objects.get(username="mo")
    (case,) = queue(user, LATER).waiting
    assert (case.key, case.kind) == (f"gm/{marne.gm.pk}", "GM our mails do not reach")
    assert case.facts == ("550 No such user", "no other GM of marne can be reached")
    assert _on_case("gm") == ["Write to the players of marne"]
    gerda = give_an_account(marne)
    assert _on_case("gm")[0] == "Write to the GM"
    gerda.addresses.update(failing_since=NOW)
    assert _on_case("gm") == ["Write to the players of marne"]
    with time_machine.travel(LATER, tick=False):
        shown = look(moderator).replace("\xa0", " ")
        assert "GM our mails do not reach, for 3 days, 1 hour gm 550 No such user" in shown
        assert "1 case for a moderator" in plain(moderator.get("/admin/").content.decode())
    assert moderator.get(case.url).status_code == 200
    case_rest(case=case.key, days=3, now=LATER)
    assert cares_forget(now=LATER) == 0
    assert [one.key for one in queue(user, LATER).resting] == [case.key]


def test_a_gm_out_of_reach_whom_somebody_helps_or_whose_games_are_over_is_no_case(
    marne: Cast,
) -> None:
    user_failed(user=marne.gm, since=NOW, failure="")
    assert len(for_moderators(now=NOW, viewer=NOBODY).gms) == 1
    co_gm_add(game=marne.game, email="di@staff.test", until=NOW + DAY, by="root", now=NOW)
    assert for_moderators(now=NOW, viewer=NOBODY).gms == ()
    assert len(for_moderators(now=NOW + 2 * DAY, viewer=NOBODY).gms) == 1, (
        "the deputy's time is over"
    )
    user_failed(user=User.objects.get(email="di@staff.test"), since=NOW, failure="")
    assert len(for_moderators(now=NOW, viewer=NOBODY).gms) == 1, "nor do mails reach the deputy"
    Game.objects.update(status=Game.Status.FINISHED)
    assert for_moderators(now=NOW + 2 * DAY, viewer=NOBODY).gms == ()


def test_who_runs_the_server_can_name_a_co_gm_from_the_case(marne: Cast) -> None:
    user_failed(user=marne.gm, since=NOW, failure="")
    root = User.objects.create_superuser("root", "root@staff.test")
    (case,) = queue(root, LATER).waiting
    assert [link.words for link in case.acts][1:] == ["Add a co-GM to marne"]
    Game.objects.update(when_missing=Game.WhenMissing.GM)
    phase_process(game_id=marne.game.pk, now=DUE)
    (case,) = [one for one in queue(root, LATER).waiting if one.title == "marne"]
    assert case.acts[-1].words == "Add a co-GM"


def test_a_game_that_waits_for_players_is_given_some_first(marne: Cast, moderator: Client) -> None:
    Game.objects.update(when_missing=Game.WhenMissing.WAIT)
    phase_process(game_id=marne.game.pk, now=DUE)
    assert _on_case("marne", LATER)[:2] == ["Seat a player", "Remind the missing"]


def test_a_game_does_not_wait_for_a_power_in_civil_disorder(marne: Cast) -> None:
    Game.objects.update(when_missing=Game.WhenMissing.GM)
    phase_process(game_id=marne.game.pk, now=DUE)
    italy = marne.seat("Italy").power
    disorder_declare(game=marne.game, power=italy, why="Silent.", by="mo", now=DUE)
    (row,) = for_moderators(now=LATER, viewer=NOBODY).overdue
    assert row.powers == tuple(sorted(set(POWERS.values()) - {"Italy"}))


def test_whom_a_paused_or_stuck_game_needs_is_asked_first(marne: Cast, moderator: Client) -> None:
    Phase.objects.update(status=Phase.Status.STUCK)
    assert _on_case("marne", LATER) == ["Write to the players", "Extend"]
    Phase.objects.update(status=Phase.Status.OPEN)
    Game.objects.update(status=Game.Status.PAUSED, paused_at=NOW)
    give_an_account(marne)
    assert _on_case("marne")[:2] == ["Write to the GM", "Resume"]
    Game.objects.update(gm=None)
    assert _on_case("marne") == ["Write to the players", "Resume"]


def test_every_link_of_the_page_leads_somewhere(marne: Cast, moderator: Client) -> None:
    everything(marne)
    answer = moderator.get(reverse("admin:games_player_queue"))
    links = set(re.findall(r'href="(/admin/games/[^"]+)"', answer.content.decode()))
    assert len(links) > 15
    for link in links:
        assert moderator.get(link.replace("&amp;", "&")).status_code == 200, link


def test_an_empty_queue_says_so(marne: Cast, moderator: Client) -> None:
    with time_machine.travel(NOW + HOUR, tick=False):
        shown = look(moderator)
    assert "Nothing needs a moderator now." in shown


def test_the_front_page_of_the_admin_leads_moderators_there(marne: Cast, moderator: Client) -> None:
    everything(marne)
    home = plain(moderator.get("/admin/").content.decode())
    assert "Moderators’ queue (5)" in home
    assert "5 cases for a moderator" in home


def test_the_queue_says_that_the_whole_server_stands_still(moderator: Client) -> None:
    server_halt(why="A fault in the judge.", by="mo", now=NOW)
    shown = look(moderator)
    assert "The server has stood still since Mon 2 Mar 2026, 12:00 UTC" in shown
    assert "mo says why: A fault in the judge. Let it go on" in shown
    assert "Nothing needs a moderator now, except the server." in shown


def test_nobody_else_has_the_queue(marne: Cast, client: Client) -> None:
    client.force_login(marne.gm)
    assert client.get(reverse("admin:games_player_queue")).status_code == 403
    assert "Moderators’ queue" not in plain(client.get("/admin/").content.decode())
    assert client.post(reverse("admin:games_player_case"), {"wish": "take"}).status_code == 403
    url = reverse("admin:games_player_act", args=[marne.player("Ana").pk, "ban"])
    assert client.post(url, {"why": "x", "confirmed": "yes"}).status_code == 403


def test_a_player_is_suspended(marne: Cast, moderator: Client) -> None:
    hugo = marne.player("Hugo")
    asked, done = act(moderator, hugo, "suspend", length="10d", why="Three games left.")
    assert "is offered none, until Thu 12 Mar 2026, 13:00 UTC" in asked
    assert "Hugo is told by mail, at hugo@players.test." in asked
    assert "Hugo is suspended until Thu 12 Mar 2026, 13:00 UTC." in done
    hugo.refresh_from_db()
    assert hugo.suspended_until == NOW + HOUR + 10 * DAY
    assert Conduct.objects.get().by == "mo"
    assert "Three games left. mo" in look(moderator, "change", hugo.pk)


def test_what_another_moderator_did_meanwhile_is_to_be_read_first(
    marne: Cast, moderator: Client
) -> None:
    hugo = marne.player("Hugo")
    url = reverse("admin:games_player_act", args=[hugo.pk, "suspend"])
    typed = {"length": "10d", "why": "Late."}
    expected = moderator.post(url, typed).context["expected"]
    player_suspend(player=hugo, until=DUE, why="Late.", by="di", now=NOW)
    sent = {**typed, "confirmed": "yes", "expected": expected}
    assert "Somebody else has dealt with this player" in plain(
        moderator.post(url, sent).content.decode()
    )
    assert hugo.conduct.count() == 1


def test_an_act_that_makes_no_sense_now_is_not_offered(marne: Cast, moderator: Client) -> None:
    hugo = marne.player("Hugo")
    url = reverse("admin:games_player_act", args=[hugo.pk, "lift"])
    assert "Hugo is neither suspended nor banned." in plain(moderator.get(url).content.decode())
    player_ban(player=hugo, why="A bot.", by="di", now=NOW)
    shown = look(moderator, "change", hugo.pk)
    assert "Let play again" in shown
    assert "Suspend " not in shown


def test_nothing_is_decided_about_an_account_that_is_a_part_of_another(
    marne: Cast, moderator: Client
) -> None:
    """It would not reach the person: a ban of it would bar nobody."""
    ana, hugo = marne.player("Ana"), marne.player("Hugo")
    player_suspend(player=hugo, until=NOW + 9 * DAY, why="Rude.", by="mo", now=NOW)
    players_merge(kept=ana, other=hugo, why="You wrote so.", by="mo", now=NOW)
    with time_machine.travel(NOW + HOUR, tick=False):
        shown = look(moderator, "change", hugo.pk)
        assert "Suspended" in look(moderator, "change", ana.pk)
    assert "Ban" not in shown
    assert "Suspended" not in shown
    url = reverse("admin:games_player_act", args=[hugo.pk, "ban"])
    said = plain(moderator.get(url).content.decode())
    assert "Hugo is part of Ana now: go to that account." in said


def test_a_moderator_decides_nothing_about_themselves_or_who_plays_with_them(
    marne: Cast, moderator: Client
) -> None:
    Player.objects.filter(name="Ana").update(user=User.objects.get(username="mo"))
    for name, said in (
        ("Ana", "This is your own account"),
        ("Ben", "You and Ben play in the same"),
    ):
        url = reverse("admin:games_player_act", args=[marne.player(name).pk, "ban"])
        answer = moderator.post(url, {"why": "x", "confirmed": "yes"})
        assert answer.status_code == 403
        assert said in plain(answer.content.decode())
    ida, mo = make_player("Ida"), User.objects.get(username="mo")
    url = reverse("admin:games_player_act", args=[ida.pk, "ban"])
    assert moderator.get(url).status_code == 200
    yser = game_create(name="yser", now=NOW, anonymous=True)
    Seat.objects.create(power=yser.powers.all()[0], player=ida, since=NOW)
    assert not refusal_about(mo, ida), "the moderator plays in no anonymous game"
    Game.objects.update(anonymous=True)
    assert refusal_about(mo, ida) == refusal_about(mo, marne.player("Ben")).replace("Ben", "Ida")
    assert ida in fellows(mo)
    Game.objects.filter(pk=yser.pk).update(status=Game.Status.FINISHED)
    assert not refusal_about(mo, ida)
    marne.game.powers.get(name="Italy").seats.create(player=ida, since=NOW, until=NOW)
    assert not refusal_about(mo, ida), "they have left"
    merge = moderator.post(url.replace("ban", "merge"), {"other": address_of("Ben"), "why": "x"})
    assert "You and Ben play in the same game" in plain(merge.content.decode())


def test_a_players_page_shows_their_reliability_and_file(marne: Cast, moderator: Client) -> None:
    phase_process(game_id=marne.game.pk, now=DUE)
    with time_machine.travel(LATER, tick=False):
        shown = look(moderator, "change", marne.player("Ana").pk)
    assert "Reliability 90%, with orders in time in 0 of 1 phase" in shown
    assert "Nothing yet." in shown
    assert "S1901M Austria in marne nothing Excuse" in shown


def test_the_seats_on_a_players_page_lead_to_their_games(marne: Cast, moderator: Client) -> None:
    url = reverse("admin:games_player_change", args=[marne.player("Ana").pk])
    game = reverse("admin:games_game_change", args=[marne.game.pk])
    assert f'Austria in <a href="{game}">marne</a>' in moderator.get(url).content.decode()


def test_a_miss_is_excused_from_the_players_page_though_they_play_no_longer(
    marne: Cast, moderator: Client
) -> None:
    phase_process(game_id=marne.game.pk, now=DUE)
    resign(marne, "Austria")
    url = reverse("admin:games_player_change", args=[marne.player("Ana").pk])
    (link,) = re.findall(r'href="([^"]+excuse[^"]+)"', moderator.get(url).content.decode())
    page = moderator.get(link).content.decode()
    assert re.search(r'<input type="checkbox"[^>]* checked>\s+Austria \(Ana\), Spring 1901', page)
    row = marne.player("Ana").seats.get().attendance.get()
    typed = {"misses": row.pk, "why": "Ill.", "confirmed": "yes"}
    with time_machine.travel(LATER, tick=False):
        expected = moderator.post(link, typed).context["expected"]
        moderator.post(link, {**typed, "expected": expected})
    row.refresh_from_db()
    assert (row.excused_by, row.excused_why) == ("mo", "Ill.")


def test_of_a_long_queue_the_oldest_are_shown_and_all_on_request(
    marne: Cast, client: Client
) -> None:
    client.force_login(User.objects.create_superuser("root"))
    ana = marne.player("Ana")
    asked = [
        Conduct(player=ana, kind="asked", why=f"Question {n}.", at=NOW + n * HOUR, by="Ana")
        for n in range(AT_ONCE + 3)
    ]
    Conduct.objects.bulk_create(asked)
    url = reverse("admin:games_player_queue")
    with time_machine.travel(NOW + 2 * DAY, tick=False):
        shown = client.get(url).content.decode()
        every = client.get(url, {"all": "1"}).content.decode()
    assert shown.count('class="case"') == AT_ONCE
    assert "Question 0." in shown
    assert f"Show all {AT_ONCE + 3}" in shown
    assert every.count('class="case"') == AT_ONCE + 3
