"""Players make games by mail; private games let in whom they should, and nobody else."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.errors import BadInput, NotAllowed
from games.models import Application, CoGM, Event, Game, Invitation, Player
from games.queries.access import roles
from games.queries.lookup import games_open
from games.queries.players.places import with_places
from games.queries.reports.invitation import invitation
from games.queries.reports.listing import forming_games
from games.queries.reports.log_text import entries
from games.queries.reports.wording import opening
from games.services.endings.ending import game_end
from games.services.moderation.conduct import player_ban
from games.services.seating.invitations import (
    MOST,
    asker_let_in,
    join_refuse,
    players_deny,
    players_invite,
)
from games.services.seating.joining import game_join
from games.services.seating.observers import observe, observe_no_more
from games.services.setup.co_gms import co_gm_add, co_gm_remove
from games.services.setup.games import game_create, game_start
from games.services.setup.making import NewGame, game_make
from judge import load_variant, variant_names
from mailer import jobs, notices
from mailer.models import OutboundMail
from tests.cast import DAY, HOUR, NOW, Cast, address_of, make_player
from tests.games.acts.acting import Acting
from tests.mailer.correspondence import answer_to, eml, flat, home, receive, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


def make(cast: Cast, name: str, now: dt.datetime = NOW, **more: object) -> Game:
    wanted = NewGame(**{"name": name, "preset": "weekly", **more})  # type: ignore[arg-type]
    return game_make(player=cast.player("Hugo"), wanted=wanted, now=now)


def said(name: str, line: str) -> str:
    """What a player is answered who writes this in a reply to us."""
    mail = write(name, line, to=home(name))
    return OutboundMail.objects.filter(answers=mail).latest("pk").body


def told(kind: str) -> dict[str, OutboundMail]:
    event = Event.objects.filter(kind=kind).latest("pk")
    return {mail.recipient: mail for mail in notices.tell_event(event, now=NOW)}


def reminded(game: Game, at: dt.datetime) -> int:
    """How often the game's GM was reminded of wishes to join after a round at this time."""
    jobs.remind(at)
    return game.events.filter(kind="joins_unanswered").count()


def test_no_line_of_an_invitation_breaks_a_command_in_two(marne: Cast) -> None:
    name = "n" * 40
    answer = said("Hugo", f"CREATE {name} steady PRIVATE")
    lines = [line.strip() for line in answer.splitlines()]
    assert f"Line 2: JOIN {name} {Game.objects.get(name=name).code}" in lines


def test_who_made_a_game_without_a_master_is_not_sent_to_one(marne: Cast) -> None:
    made = said("Hugo", "CREATE somme weekly")
    assert "It has no game master." in made
    assert "These times are in UTC, as yours are here." in flat(made)
    mail = write("Hugo", "INVITE ida@players.test", to=home("Hugo"), subject="Re: [somme] New")
    told = flat(answer_to(mail).body)
    assert "The game somme has no game master" in told
    assert "To invite people, forward our mail about your new game" in told
    assert "PRESS TO GM" not in told


def test_a_game_is_made_by_one_mail(marne: Cast) -> None:
    answer = said("Hugo", "CREATE somme steady PRIVATE GM")
    game = Game.objects.get(name="somme")
    assert (game.maker, game.entry, game.movement_clock) == (
        marne.player("Hugo"),
        "invited",
        "Tue Fri 20:00",
    )
    assert game.gm
    assert game.gm.email == "hugo@players.test"
    assert game.code in answer
    assert f"JOIN somme {game.code}" in " ".join(answer.split())
    assert "the players have 2 days to say that they are here" in flat(answer)
    first = answer.partition("Hello Hugo,")[2].lstrip()
    assert first.startswith("Your game somme is ready. It is played as Standard")
    assert "Play Diplomacy by e-mail: the game somme" in answer


@each_row("variant", variant_names())
def test_a_game_of_every_variant_is_made_by_mail(marne: Cast, variant: str) -> None:
    answer = said("Hugo", f"CREATE somme weekly {variant}")
    game = Game.objects.get(name="somme")
    made = load_variant(variant)
    assert game.variant == variant
    assert [power.name for power in game.powers.order_by("name")] == sorted(made.powers)
    assert made.title in answer


@each_row(
    ("words", "variant"),
    [
        ("weekly Ancient Mediterranean PRIVATE", "ancient_med"),
        ("France - Austria, daily, GM", "france_austria"),
        ("COLONIAL land_bridges=hawes victory=25 weekly", "colonial+land_bridges=hawes+victory=25"),
        ("steady", "standard"),
    ],
)
def test_a_variant_may_be_named_by_its_title_and_stand_anywhere(
    marne: Cast, words: str, variant: str
) -> None:
    said("Hugo", f"CREATE somme {words}")
    assert Game.objects.get(name="somme").variant == variant


def test_who_goes_by_a_name_in_the_admin_keeps_it_in_a_game_of_their_own(marne: Cast) -> None:
    user = User.objects.create_user("hugo", "hugo@players.test", first_name="The Great H")
    assert make(marne, "yser", as_gm=True).gm == user
    user.refresh_from_db()
    assert user.get_full_name() == "The Great H"


def test_a_game_of_a_player_may_have_no_gm(marne: Cast) -> None:
    game = make(marne, "somme")
    assert (game.gm, game.code, game.entry) == (None, "", "open")


@each_row(
    ("line", "why"),
    [
        ("CREATE somme weekley", "Did you mean weekly?"),
        ("CREATE somme weekly colonail", "Did you mean colonial?"),
        ("CREATE somme weekly colonial land_bridges=bogus", "land_bridges"),
        ("CREATE somme weekly victory=many", "victory"),
        ("CREATE somme gunboat fog", "Please write only one of gunboat and fog"),
        ("CREATE somme weekly 1900 modern", "“1900 modern” names more than one."),
        ("CREATE somme", "it will be played: steady (twice a week), weekly (once"),
        (
            "CREATE somme colonial land_bridges=hawes private GM START Friday 2030",
            "CREATE somme weekly colonial land_bridges=hawes PRIVATE GM START Friday 2030",
        ),
        ("CREATE marne weekly", "There is already a game marne"),
        ("CREATE so/mme weekly", "letters, digits"),
        ("CREATE : , ,", "Please give the game a name, for example: CREATE marne weekly"),
        ("CREATE verdun daily Colonial Diplomacy", "We do not know “diplomacy” here. A game's"),
        ("CREATE verdun daily Ancient Rome", "RULES lists the variants."),
    ],
)
def test_a_mail_that_makes_no_game_says_why(marne: Cast, line: str, why: str) -> None:
    answer = said("Hugo", line)
    assert why in " ".join(answer.split())
    assert Game.objects.count() == 1


@each_row(
    "lines",
    [
        "CREATE somme steady\nPRIVATE\nGM",
        "create somme\nsteady, private\ngm.",
        "CREATE somme steady\nPrivate, GM",
    ],
)
def test_what_stands_below_create_instead_of_after_it_counts(marne: Cast, lines: str) -> None:
    said("Hugo", lines)
    game = Game.objects.get(name="somme")
    assert game.gm
    assert (game.entry, game.observers, game.movement_clock) == ("invited", False, "Tue Fri 20:00")


def test_a_command_to_a_new_game_below_create_stays_one(marne: Cast) -> None:
    answer = flat(said("Hugo", "CREATE somme weekly\nGM somme\nSTATUS"))
    assert Game.objects.get(name="somme").gm is None
    assert "Your game somme is ready" in answer


def test_a_game_made_by_mistake_is_taken_back(marne: Cast) -> None:
    assert "take it back before anybody joins: CREATE somme OFF" in flat(
        said("Hugo", "CREATE somme weekly")
    )
    assert "CREATE marne OFF" in flat(said("Hugo", "Please delete my game"))
    assert "its name is free again" in flat(said("Hugo", "CREATE Somme off"))
    assert not Game.objects.filter(name="somme").exists()


def test_off_may_come_before_the_name(marne: Cast) -> None:
    make(marne, "somme")
    assert "its name is free again" in flat(said("Hugo", "CREATE OFF Somme."))
    assert not Game.objects.filter(name="somme").exists()


def test_a_game_that_somebody_follows_does_not_go_without_a_word_to_them(marne: Cast) -> None:
    game = make(marne, "somme")
    observe(game=game, player=marne.player("Ana"), now=NOW)
    assert "follow it or have been invited, so you cannot take it back" in flat(
        said("Hugo", "CREATE somme OFF")
    )
    observe_no_more(game=game, player=marne.player("Ana"), now=NOW)
    assert "its name is free again" in flat(said("Hugo", "CREATE somme OFF"))


def test_who_runs_the_game_they_made_reads_how_to_end_it(marne: Cast) -> None:
    game = make(marne, "somme", as_gm=True)
    game_join(game=game, player=marne.player("Ana"), preferences="", now=NOW)
    assert "write GM somme on a line, and FINISH NONE and your reason below it" in flat(
        said("Hugo", "CREATE somme OFF")
    )
    write("Hugo", "GM somme\nFINISH NONE because I was wrong", to=home("Hugo"))
    write("Hugo", "CONFIRM", to=OutboundMail.objects.get(kind="question").reply_to)
    assert Game.objects.get(name="somme").status == Game.Status.FINISHED


def test_nobody_takes_back_a_game_of_others_or_with_people_in_it(marne: Cast) -> None:
    game = make(marne, "somme")
    assert "You have no game somme that is looking for players. None of your games is." in flat(
        said("Carla", "CREATE somme OFF")
    )
    assert "These are: somme." in flat(said("Hugo", "CREATE marne OFF"))
    game_join(game=game, player=marne.player("Ana"), preferences="", now=NOW)
    assert "so you cannot take it back. To have it ended, write MODERATOR" in flat(
        said("Hugo", "CREATE somme OFF")
    )
    assert Game.objects.filter(name="somme").exists()


def test_a_game_to_which_people_were_invited_is_not_taken_back(marne: Cast) -> None:
    game = make(marne, "somme", private=True)
    players_invite(game=game, emails=["ana@players.test"], by="Hugo", now=NOW)
    told("players_invited")
    assert "or have been invited, so you cannot take it back" in flat(
        said("Hugo", "CREATE somme OFF")
    )


def test_nobody_makes_many_games(marne: Cast) -> None:
    make(marne, "a1")
    first = make(marne, "a2")
    with pytest.raises(NotAllowed, match="You already have 2 games looking for players: a1, a2"):
        make(marne, "a3")
    Game.objects.filter(pk=first.pk).update(status="active")
    make(marne, "a3")
    Game.objects.filter(name="a3").update(status="active")
    with pytest.raises(NotAllowed, match="3 games within a week"):
        make(marne, "a4")
    assert make(marne, "a4", now=NOW + 8 * DAY)


def test_a_banned_player_makes_none(marne: Cast) -> None:
    player_ban(player=marne.player("Hugo"), why="A bot.", by="mo", now=NOW)
    with pytest.raises(NotAllowed):
        make(marne, "a1")


@each_row(
    ("entry", "whom"),
    [("open", "players:"), ("invited", "players, by invitation"), ("approval", "players, whom")],
)
def test_status_says_whom_a_game_looks_for(marne: Cast, entry: str, whom: str) -> None:
    game = make(marne, "somme")
    Game.objects.filter(pk=game.pk).update(entry=entry)
    assert f"somme is looking for {whom}" in said("Ana", "STATUS somme")


def test_nobody_outside_watches_a_private_game_that_a_player_made(
    marne: Cast, client: Client
) -> None:
    make(marne, "somme", private=True)
    refused = flat(said("Carla", "OBSERVE somme"))
    assert "The game somme is for its players only: it cannot be observed." in refused

    Game.objects.filter(name="marne").update(entry=Game.Entry.INVITED, observers=False)
    assert "marne" not in said("Hugo", "LIST")
    assert "marne" not in client.get("/").content.decode()
    Game.objects.filter(name="marne").update(observers=True)
    assert "- marne: Spring 1901" in said("Hugo", "LIST")
    assert "marne" in client.get("/").content.decode()


def test_who_may_watch_a_game_that_anybody_can_join_is_as_its_preset_says(marne: Cast) -> None:
    assert make(marne, "somme").observers
    assert not make(marne, "yser", preset="fog").observers


def test_a_private_game_is_not_listed_and_takes_whom_it_should(marne: Cast) -> None:
    game = make(marne, "somme", private=True)
    assert game not in games_open()
    assert "somme" not in [one.name for one in forming_games(1, 50).rows]
    with pytest.raises(NotAllowed, match="by invitation only"):
        game_join(game=game, player=marne.player("Ana"), preferences="France", now=NOW)
    with pytest.raises(NotAllowed, match="does not have its code"):
        game_join(game=game, player=marne.player("Ana"), preferences="aaaaaaaa France", now=NOW)
    wishes = f"code: {game.code.upper()} France; Italy"
    joined = game_join(game=game, player=marne.player("Ana"), preferences=wishes, now=NOW)
    assert joined
    assert joined.preferences == "France; Italy"
    players_invite(game=game, emails=["BEN@players.test"], by="gm", now=NOW)
    assert game_join(game=game, player=marne.player("Ben"), preferences="", now=NOW)
    mails = told("players_invited")
    assert set(mails) == {"ben@players.test"}


def test_strangers_are_invited_by_the_code_and_mailed_by_nobody(marne: Cast) -> None:
    game = make(marne, "somme", private=True)
    acting = Acting(game, "invite")
    acting.confirm(emails="stranger@far.test\nben@players.test")
    assert set(told("players_invited")) == {"ben@players.test"}


def test_whoever_invites_does_not_learn_who_is_registered(marne: Cast) -> None:
    """Anybody can make a game, and try the addresses of others."""
    told_of = []
    for name, email in (("somme", "stranger@far.test"), ("aisne", "ben@players.test")):
        game = make(marne, name, private=True)
        acting = Acting(game, "invite")
        seen = [acting.foresee(emails=email), acting.confirm(emails=email)]
        seen += [one.sentence for one in entries(game)]
        words = " ".join(map(str, seen)).replace(email, "them").replace(game.code, "code")
        told_of.append(words.replace(name, "it"))
    assert told_of[0] == told_of[1]


def test_who_is_kept_out_is_told_only_when_they_try(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, now=NOW)
    players_deny(game=game, emails=["ana@players.test"], by="gm", now=NOW)
    assert not Event.objects.filter(game=game).exclude(kind="game_created").exists()
    with pytest.raises(NotAllowed, match="The GM of somme does not let you join it"):
        game_join(game=game, player=marne.player("Ana"), preferences="", now=NOW)


def test_whoever_waits_to_be_let_in_is_answered_when_the_gm_keeps_them_out(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, entry="approval", now=NOW)
    for name in ("Ana", "Hugo"):
        game_join(game=game, player=marne.player(name), preferences="", now=NOW)
    acting = Acting(game, "deny")
    typed = {"emails": "HUGO@players.test ben@players.test"}
    assert "Told by mail, because they have asked to join: Hugo." in acting.foresee(**typed)
    acting.confirm(**typed)
    (mail,) = told("join_refused").values()
    assert mail.recipient == "hugo@players.test"
    assert "The game master of somme has decided not to let you join." in mail.body


def test_addresses_are_taken_out_of_a_mail_program_with_their_names(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, now=NOW)
    typed = (
        '"Smith, Ben" <ben@players.test>, Ana <ana@players.test>; Zoë Vé <zoe@far.test>\n'
        "and ANA@players.test"
    )
    said = Acting(game, "invite").foresee(emails=typed)
    assert "ben@players.test, ANA@players.test and zoe@far.test may join" in said


def test_who_has_joined_is_not_kept_out_and_the_sentence_counts_them(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, now=NOW)
    for name in ("Ana", "Ben"):
        players_invite(game=game, emails=[address_of(name)], by="gm", now=NOW)
        game_join(game=game, player=marne.player(name), preferences="", now=NOW)
    acting = Acting(game, "deny")
    one, both = "ana@players.test", "ana@players.test ben@players.test"
    assert "Ana already has a place in somme" in acting.foresee(emails=one)
    assert "Ana and Ben already have places in somme" in acting.foresee(emails=both)


def test_however_many_ask_to_join_the_gm_can_answer_and_invite(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, entry="approval", now=NOW)
    strangers = [f"stranger{number}@far.test" for number in range(MOST - 1)]
    Invitation.objects.bulk_create(
        Invitation(game=game, email=email, kind="asked", at=NOW) for email in strangers
    )
    game_join(game=game, player=marne.player("Hugo"), preferences="", now=NOW)
    for _ in range(2):  # again is no more than once
        players_invite(game=game, emails=strangers, by="gm", now=NOW)
    players_invite(game=game, emails=["ana@players.test"], by="gm", now=NOW)
    asker_let_in(game=game, email="hugo@players.test", by="gm", now=NOW)
    with pytest.raises(BadInput, match="50 addresses in all"):
        players_invite(game=game, emails=["ben@players.test"], by="gm", now=NOW)


def test_whoever_waits_to_be_let_in_can_change_their_list_or_ask_no_more(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, entry="approval", now=NOW)
    assert "LEAVE somme" in said("Hugo", "JOIN somme France")
    assert "somme: you have asked to join, and the game master has not" in said("Hugo", "STATUS")
    said("Hugo", "JOIN somme Italy")
    assert Invitation.objects.get().preferences == "Italy"
    assert "You no longer wait to be let into the game somme." in said("Hugo", "LEAVE somme")
    assert not Invitation.objects.exists()
    assert "nothing to leave" in said("Hugo", "LEAVE somme")
    assert not game.applications.exists()


def test_whoever_was_never_answered_reads_that_the_game_has_started(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, entry="approval", variant="pure", now=NOW)
    said("Hugo", "JOIN somme")
    Application.objects.bulk_create(
        Application(game=game, player=player, preferences="", created_at=NOW)
        for player in Player.objects.exclude(name="Hugo").order_by("pk")[:7]
    )
    game_start(game=game, now=NOW)
    [mail] = told("join_refused").values()
    assert mail.recipient == "hugo@players.test"
    assert mail.subject == "[somme] The game has started without you"
    assert "somme, which you had asked to join, has started" in flat(mail.body)
    assert "does not let you join" not in flat(mail.body)
    assert not Invitation.objects.exists()


def test_whoever_was_never_answered_reads_that_the_game_will_not_be_played(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, entry="approval", now=NOW)
    said("Hugo", "JOIN somme")
    game_end(game=game, winners=[], why="Too few came.", by="gm", now=NOW)
    [mail] = told("join_refused").values()
    assert mail.recipient == "hugo@players.test"
    assert mail.subject == "[somme] The game will not be played"
    assert "The game somme, which you had asked to join, will not be played." in flat(mail.body)
    assert not game.invitations.exists()


def test_a_gm_is_reminded_once_of_each_who_waits_to_be_let_in(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, entry="approval", now=NOW)
    ida = make_player("Ida")
    for at, name in ((NOW, "Hugo"), (NOW + DAY, "Ida")):
        game_join(game=game, player=Player.objects.get(name=name), preferences="", now=at)
    game_join(game=game, player=marne.player("Hugo"), preferences="Italy", now=NOW + 2 * DAY)
    assert [reminded(game, NOW + day * DAY) for day in (2, 3, 3)] == [0, 1, 1]
    mails = told("joins_unanswered")
    [mail] = mails.values()
    assert mail.recipient == "gm@players.test"
    texts = [text for _, text in mail.buttons]
    assert texts == ["APPROVE Hugo", "REFUSE Hugo", "APPROVE Ida", "REFUSE Ida"]
    assert mail.subject == "[somme] Hugo and Ida still wait to be let in"
    for name in ("Hugo", "Ida"):
        sentence = f"To let them in, reply APPROVE {name}; if not, reply REFUSE {name}."
        assert sentence in mail.body.splitlines()
    join_refuse(game=game, player=marne.player("Hugo"), by="gm", now=NOW + 3 * DAY)
    assert reminded(game, NOW + 4 * DAY) == 2
    [mail] = told("joins_unanswered").values()
    assert mail.subject == "[somme] Ida still waits to be let in"
    join_refuse(game=game, player=ida, by="gm", now=NOW + 4 * DAY)
    assert reminded(game, NOW + 9 * DAY) == 2


def test_nobody_is_reminded_of_who_has_an_answer_or_of_a_game_that_is_full(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, entry="approval", now=NOW)
    game_join(game=game, player=marne.player("Hugo"), preferences="", now=NOW)
    Game.objects.filter(pk=game.pk).update(status="muster")
    assert reminded(game, NOW + 3 * DAY) == 0
    Game.objects.filter(pk=game.pk).update(status="forming")
    assert reminded(game, NOW + 4 * DAY) == 1
    join_refuse(game=game, player=marne.player("Hugo"), by="gm", now=NOW + 4 * DAY)
    assert told("joins_unanswered") == {}


def test_whoever_runs_a_game_in_fog_is_not_told_to_join_it(marne: Cast) -> None:
    answer = flat(said("Hugo", "CREATE somme fog GM"))
    assert "You see the whole board through the fog of war, so you cannot play in it." in answer
    assert "To take a seat" not in answer
    assert "To take a seat write: JOIN aisne" in flat(said("Ben", "CREATE aisne fog"))


def test_the_list_says_where_the_gm_lets_people_in_and_where_fog_lies(marne: Cast) -> None:
    game_create(name="somme", gm=marne.gm, entry="approval", fog=True, now=NOW)
    listed = flat(said("Hugo", "LIST"))
    assert "The game master lets people in." in listed
    assert (
        "In fog of war: each power sees only its own units and centres and what borders on"
        in listed
    )


def test_a_gm_lets_people_in_or_not_and_they_are_told(marne: Cast) -> None:
    game = game_create(name="somme", gm=marne.gm, entry="approval", now=NOW)
    answer = said("Hugo", "JOIN somme France")
    assert "In the game somme the game master lets people in." in answer
    assert set(told("join_asked")) == {"gm@players.test"}
    assert not game.applications.exists()
    row = Invitation.objects.get()
    acting = Acting(game, "let_in")
    assert "Hugo has a place in somme" in acting.foresee(who=str(row.pk), answer="yes")
    acting.confirm(who=str(row.pk), answer="yes")
    assert game.applications.get().preferences == "France"
    status = said("Hugo", "STATUS")
    assert "You have a place in it; LEAVE somme gives it back." in status
    assert "You are not playing in any game" not in status
    place = told("players_let_in")["hugo@players.test"]
    assert place.subject == "[somme] You have a place"
    assert not game.events.filter(kind="players_invited").exists()
    assert "you have a place" in flat(place.body)
    make_player("Ida")
    said("Ida", "JOIN somme")
    row = Invitation.objects.get(kind="asked")
    acting = Acting(game, "let_in")
    acting.foresee(who=str(row.pk), answer="no")
    acting.confirm(who=str(row.pk), answer="no")
    assert set(told("join_refused")) == {"ida@players.test"}
    assert game.applications.count() == 1


@pytest.mark.parametrize(("muster", "kind"), [(0 * DAY, "game_started"), (DAY, "players_let_in")])
def test_the_last_player_who_is_let_in_gets_one_mail(
    marne: Cast, muster: dt.timedelta, kind: str
) -> None:
    game = game_create(
        name="somme",
        gm=marne.gm,
        variant="england_turkey",
        entry="approval",
        muster=muster,
        now=NOW,
    )
    make_player("Ida")
    for name in ("Hugo", "Ida"):
        said(name, "JOIN somme")
    for row in Invitation.objects.filter(kind="asked").order_by("pk"):
        OutboundMail.objects.all().delete()
        acting = Acting(game, "let_in")
        acting.foresee(who=str(row.pk), answer="yes")
        acting.confirm(who=str(row.pk), answer="yes")
    jobs.tell(NOW)
    [mail] = OutboundMail.objects.filter(recipient="ida@players.test")
    assert mail.kind == kind


def test_letting_in_the_last_player_says_that_the_game_starts(marne: Cast) -> None:
    game = game_create(
        name="somme", gm=marne.gm, entry="approval", variant="england_turkey", now=NOW
    )
    make_player("Ida")
    for name in ("Hugo", "Ida"):
        said(name, "JOIN somme")
    first, last = (str(row.pk) for row in Invitation.objects.order_by("pk"))
    acting = Acting(game, "let_in")
    assert "last seat" not in acting.foresee(who=first, answer="yes")
    assert "One seat is still free." in acting.confirm(who=first, answer="yes")
    acting = Acting(game, "let_in")
    assert "It is the last seat, so the game starts now." in acting.foresee(who=last, answer="yes")
    done = acting.confirm(who=last, answer="yes")
    assert "All seats are taken, so the game starts now." in done


@each_row("act", ["invite", "deny", "add_co_gm"])
def test_an_address_that_is_too_long_to_be_kept_is_said_to_be(marne: Cast, act: str) -> None:
    game = game_create(name="somme", gm=marne.gm, now=NOW)
    for length in (255, 320):
        email = "a" * (length - 13) + "@players.test"
        said = Acting(game, act).foresee(**{"email" if act == "add_co_gm" else "emails": email})
        assert f"it has {length}" in said or f"this one has {length}" in said
    if act == "add_co_gm":
        assert "this one has 160" in Acting(game, act).foresee(email=email[-160:])


def test_a_deputy_whose_time_is_over_takes_no_place_from_another(marne: Cast) -> None:
    for number in range(5):
        email = f"deputy{number}@players.test"
        co_gm_add(game=marne.game, email=email, until=NOW + HOUR, by="gm", now=NOW)
    add = partial(co_gm_add, game=marne.game, email="di@players.test", until=None, by="gm")
    with pytest.raises(BadInput, match="A game can have 5 co-GMs"):
        add(now=NOW)
    assert add(now=NOW + HOUR)


@pytest.mark.parametrize("account", [{"is_active": False}, {"email": "elsewhere@players.test"}])
def test_whose_account_is_closed_or_has_another_address_becomes_no_co_gm(
    marne: Cast, account: dict[str, Any]
) -> None:
    user = User.objects.create_user("di@players.test", "di@players.test")
    User.objects.filter(pk=user.pk).update(**account)
    said = Acting(marne.game, "add_co_gm").foresee(email="di@players.test")
    assert "The account of di@players.test in the admin is closed, or has another" in said


def test_a_co_gm_runs_the_game_until_their_time_is_over(marne: Cast) -> None:
    row = co_gm_add(game=marne.game, email="di@players.test", until=None, by="gm", now=NOW)
    di = row.user
    assert not roles.refusal(di, marne.game, "extend", now=NOW)
    assert marne.game in roles.games_for(di, now=NOW)
    CoGM.objects.update(until=NOW + DAY)
    for at, still in ((NOW + HOUR, True), (NOW + DAY, False)):  # whatever the machine's clock says
        di = type(di).objects.get(pk=di.pk)
        assert (not roles.refusal(di, marne.game, "extend", now=at)) is still
        assert (marne.game in roles.games_for(di, now=at)) is still
    with pytest.raises(BadInput, match="has to end in the future"):
        co_gm_add(game=marne.game, email="ed@players.test", until=NOW, by="gm", now=NOW)
    co_gm_remove(game=marne.game, key=str(row.pk), by="gm", now=NOW)
    assert marne.game not in roles.games_for(type(di).objects.get(pk=di.pk), now=NOW)


def test_the_page_has_a_mail_ready_for_each_of_the_five(client: Client, db: None) -> None:
    shown = client.get(reverse("create")).content.decode()
    assert shown.count("CREATE%20NAME%20") >= 5


def test_whoever_is_invited_reads_what_game_it_is(marne: Cast) -> None:
    game = make(marne, "somme", private=True)
    players_invite(game=game, emails=["ana@players.test"], by="greta m", now=NOW)
    body = " ".join(told("players_invited")["ana@players.test"].body.split())
    assert "greta m invites you to the game somme." in body
    assert "best first: JOIN somme Austria; [England or France]" in body
    assert "The map is Standard. Movement phases are due" in body
    assert told("players_invited")["ana@players.test"].buttons == [["Take a seat", "JOIN somme"]]


def test_whoever_is_invited_reads_what_no_gm_can_change_later(marne: Cast) -> None:
    game = game_create(
        name="cup-1",
        now=NOW,
        entry="invited",
        rules={"preset": "DPTG", "4.A.2": "1982"},
        variant_options="victory=15",
        last_year=1908,
        scoring="carnage",
        press_mode="public",
        anonymous=True,
    )
    players_invite(game=game, emails=["ana@players.test"], by="greta m", now=NOW)
    body = told("players_invited")["ana@players.test"].body
    copied = invitation(with_places(Game.objects.filter(pk=game.pk)).get())
    for text in (body, copied):
        flat = " ".join(text.split())
        assert "It takes 15 centres to win, not 18." in flat
        assert "By the rules of DPTG." in flat
        assert "4.A.2" in flat
        assert "It ends after 1908 at the latest" in flat
        assert "Scoring: Carnage" in flat
        assert "The powers can write press to everybody only." in flat
        assert "Anonymous: no player learns who plays what before the game is over." in flat


@each_row("answer", ["Yes, please!", "JOIN somme", "JOIN England"])
def test_whoever_is_invited_takes_the_seat_by_an_answer(marne: Cast, answer: str) -> None:
    game = make(marne, "somme", private=True)
    players_invite(game=game, emails=["ana@players.test"], by="greta m", now=NOW)
    mail = told("players_invited")["ana@players.test"]
    headers = f"In-Reply-To: {mail.message_id}\r\n"
    receive(eml(answer, sender=address_of("Ana"), to=mail.reply_to, headers=headers))
    assert game.applications.get().player.name == "Ana"


@each_row(
    ("answer", "line"),
    [
        ("Yes please! I'd like Italy or Turkey.", "JOIN somme [Italy or Turkey]"),
        ("Sure, but can I have france?", "JOIN somme France"),
        ("Yes, if the deadlines suit me", "JOIN somme"),
        ("Sure, why not Italy", "JOIN somme Italy"),
        ("Yes, France, but not Austria", "JOIN somme France"),
        (
            "Yes, anything but Austria",
            "JOIN somme [England or France or Germany or Italy or Russia or Turkey]",
        ),
    ],
)
def test_a_yes_to_an_invitation_in_other_words_is_offered_as_join(
    marne: Cast, answer: str, line: str
) -> None:
    game = make(marne, "somme", private=True)
    players_invite(game=game, emails=["ana@players.test"], by="greta m", now=NOW)
    mail = told("players_invited")["ana@players.test"]
    headers = f"In-Reply-To: {mail.message_id}\r\n"
    offer = answer_to(
        receive(eml(answer, sender=address_of("Ana"), to=mail.reply_to, headers=headers))
    )
    assert f"Reply with the word YES, and we take it as “{line}”." in flat(offer.body)
    assert not game.applications.exists()
    headers = f"In-Reply-To: {offer.message_id}\r\n"
    receive(eml("YES", sender=address_of("Ana"), to=offer.reply_to, headers=headers))
    assert game.applications.get().player.name == "Ana"


def test_an_invitation_is_no_question_to_whoever_has_a_place(marne: Cast) -> None:
    game = make(marne, "somme", private=True)
    players_invite(game=game, emails=["ana@players.test"], by="greta m", now=NOW)
    mail = told("players_invited")["ana@players.test"]
    write("Ana", "JOIN somme England", to=mail.reply_to)
    headers = f"In-Reply-To: {mail.message_id}\r\n"
    again = receive(eml("YES", sender=address_of("Ana"), to=mail.reply_to, headers=headers))
    assert answer_to(again).subject == "NOT done: YES"
    assert game.applications.get().preferences == "England"


@each_row(
    ("who", "begins"),
    [("the GM", "The GM"), ("a moderator", "A moderator"), ("finn", "finn"), ("ÉMILE", "ÉMILE")],
)
def test_a_name_begins_a_sentence_as_it_is_written(who: str, begins: str) -> None:
    assert opening(who) == begins


def test_the_maker_invites_friends_by_a_reply_to_the_first_mail_and_is_not_asked(
    marne: Cast,
) -> None:
    made = answer_to(write("Hugo", "CREATE friends steady PRIVATE GM", to=home("Hugo")))
    assert "GM friends INVITE and your friends' addresses" in flat(made.body)
    answer = write("Hugo", "GM friends INVITE ana@players.test", to=made.reply_to)
    assert "INVITE in friends" in answer_to(answer).body
    assert "Invited to friends: ana@players.test." in flat(answer_to(answer).body)
    assert not OutboundMail.objects.filter(kind="question").exists()
