"""Anonymous games and grey press: who writes or plays is nobody's business."""

from __future__ import annotations

import pytest

from games.models import Game, Press
from games.queries.access.anonymity import SOMEBODY, name_for_players
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.ordering.disorder import disorder_declare
from games.services.seating.seats import seat_resign, seat_take
from mailer.models import OutboundMail
from mailer.outbound import threads
from tests.cast import DAY, NOW, POWERS, Cast, address_of, make_cast, make_player
from tests.mailer.correspondence import answer_to, flat, home, on_the_wire, tell_all, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def masked(db: None) -> Cast:
    return make_cast(anonymous=True, grey_press=True)


def say(cast: Cast, text: str, *, name: str = "Carla", to: str = "") -> str:
    mail = write(name, text, to=to or to_seat(cast, POWERS[name]))
    return flat(answer_to(mail).body)


def press_mails() -> dict[str, OutboundMail]:
    tell_all()
    mails = OutboundMail.objects.filter(kind="press_sent").order_by("pk")
    return {mail.recipient: mail for mail in mails}


def whole(mail: OutboundMail) -> str:
    return on_the_wire(mail)


# --- anonymous games ------------------------------------------------------------------------


def test_no_mail_of_an_anonymous_game_names_another_player(masked: Cast) -> None:
    write("Hugo", "OBSERVE marne", to=home("Hugo"))
    say(masked, "A Par - Bur\nPRESS TO Germany\nHello.\nEND\nBROADCAST\nAll of you.")
    assert phase_process_now(game_id=masked.game.pk, now=NOW + DAY)
    say(masked, "STATUS")
    say(masked, "LIST")
    say(masked, "HISTORY")
    say(masked, "MAP")
    say(masked, "LOG")
    tell_all()
    owners = {address_of(name): name for name in [*POWERS, "Hugo"]}
    for mail in OutboundMail.objects.exclude(recipient="gm@players.test"):
        others = {name for name in POWERS if name != owners[mail.recipient]}
        for name in others:
            assert name not in whole(mail), (name, mail.kind)
            assert address_of(name) not in whole(mail).lower(), (name, mail.kind)


def test_no_mail_about_seats_votes_or_misses_names_another_player(masked: Cast) -> None:
    make_player("Ida")
    write("Ida", "OBSERVE marne", to=home("Ida"))
    say(masked, "VOTE DRAW")
    disorder_declare(
        game=masked.game,
        power=masked.seat("Italy").power,
        why="Nothing has come.",
        by="the server",
        now=NOW,
    )
    seat_take(
        game=masked.game,
        power=masked.game.powers.get(name="Italy"),
        player=masked.player("Hugo"),
        now=NOW,
    )
    seat_resign(seat=masked.seat("Turkey"), now=NOW)
    assert phase_process_now(game_id=masked.game.pk, now=NOW + 4 * DAY)
    tell_all()
    say(masked, "LOG")
    say(masked, "STATUS")
    names = [*POWERS, "Hugo", "Ida"]
    owners = {address_of(name): name for name in names}
    told = OutboundMail.objects.filter(recipient__in=owners)
    assert {"disorder_declared", "seat_taken", "seat_resigned"} <= {mail.kind for mail in told}
    for mail in told:
        for name in set(names) - {owners[mail.recipient]}:
            assert name not in whole(mail), (name, mail.kind)


def test_the_start_mail_says_that_the_game_is_anonymous(masked: Cast) -> None:
    tell_all()
    start = OutboundMail.objects.get(kind="game_started", recipient=address_of("Carla"))
    said = flat(start.body)
    assert "The game is anonymous: you learn who played what when it is over." in said
    assert "only game masters and moderators who do not play in it know" in said


def test_the_gm_of_an_anonymous_game_knows_who_plays(masked: Cast) -> None:
    tell_all()
    start = OutboundMail.objects.get(kind="game_started", recipient="gm@players.test")
    assert "France: Carla" in start.body


def test_a_gm_who_plays_in_their_anonymous_game_learns_no_more_than_the_others(
    masked: Cast,
) -> None:
    masked.gm.email = address_of("Ana")
    masked.gm.save()
    masked.game.refresh_from_db()
    Game.objects.update(when_missing=Game.WhenMissing.WAIT)
    phase_process(game_id=masked.game.pk, now=NOW + 4 * DAY)
    tell_all()
    seat_take(
        game=masked.game,
        power=masked.game.powers.get(name="Italy"),
        player=masked.player("Hugo"),
        now=NOW + 4 * DAY,
    )
    assert phase_process_now(game_id=masked.game.pk, now=NOW + 4 * DAY)
    write("Ana", "GM marne STATUS")
    tell_all()
    mails = OutboundMail.objects.filter(recipient=address_of("Ana")).exclude(kind="player_joined")
    kinds = {mail.kind for mail in mails}
    assert {"game_started", "orders_overdue", "seat_taken", "phase_processed"} <= kinds
    assert any(f"Italy: {SOMEBODY}." in flat(mail.body) for mail in mails)
    for mail in mails.filter(kind__in=("orders_overdue", "seat_taken", "phase_processed")):
        assert SOMEBODY not in flat(mail.body), "a power alone is enough in a sentence"
    for mail in mails:
        for name in {*POWERS, "Hugo"} - {"Ana"}:
            assert name not in whole(mail), (name, mail.kind)


def test_a_gm_who_plays_in_their_anonymous_game_is_told_why_nobody_is_named(masked: Cast) -> None:
    masked.gm.email = address_of("Ana")
    masked.gm.save()
    tell_all()
    mails = OutboundMail.objects.filter(kind="game_started", recipient=address_of("Ana"))
    mine = next(flat(one.body) for one in mails if "Your game marne starts." in flat(one.body))
    assert "The game is anonymous, and you play in it" in mine
    assert SOMEBODY not in mine


def test_when_an_anonymous_game_is_over_its_players_are_named(masked: Cast) -> None:
    Game.objects.filter(pk=masked.game.pk).update(status=Game.Status.FINISHED)
    masked.game.refresh_from_db()
    assert name_for_players(masked.player("Carla"), masked.game) == "Carla"


# --- grey press -----------------------------------------------------------------------------


@each_row(
    "text",
    [
        "BROADCAST GREY\nBeware.",
        "PRESS TO ALL GREY\nBeware.",
        "PRESS GREY TO ALL: Beware.",
        "press gray to everybody\nBeware.",
    ],
)
def test_grey_press_to_everybody_does_not_say_who_wrote_it(masked: Cast, text: str) -> None:
    assert "it does not say that you wrote it" in say(masked, text)
    mails = press_mails()
    assert len(mails) == len(POWERS)
    body = flat(mails[address_of("Dmitri")].body)
    assert "Somebody writes to everybody in the game marne: Beware." in body
    for mail in mails.values():
        assert "France" not in whole(mail)


def test_grey_press_to_some_names_neither_its_writer_nor_its_readers(masked: Cast) -> None:
    say(masked, "PRESS GREY TO ALL BUT Turkey\nBeware.")
    mails = press_mails()
    assert address_of("Greta") not in mails
    for mail in mails.values():
        text = whole(mail)
        assert not [power for power in POWERS.values() if power in text]
        assert "Somebody writes to you and others" in flat(mail.body)
        assert mail.cc == ""


def test_an_answer_to_grey_press_would_tell_who_wrote_it_and_is_refused(masked: Cast) -> None:
    say(masked, "PRESS GREY TO Germany\nBeware.")
    answer = press_mails()[address_of("Dmitri")].reply_to
    body = say(masked, "Who are you?", name="Dmitri", to=answer)
    assert "nobody can answer its writer" in body
    assert "France" not in body
    assert Press.objects.count() == 1


def test_all_can_be_answered_when_grey_press_went_to_all(masked: Cast) -> None:
    say(masked, "BROADCAST GREY\nBeware.")
    mail = press_mails()[address_of("Dmitri")]
    body = say(masked, "Of whom?", name="Dmitri", to=f"{mail.reply_to}, {mail.cc}")
    assert "Passed on to everybody" in body
    assert not Press.objects.get(number=2).grey
    assert Press.objects.get(number=2).public


def test_the_log_tells_nobody_who_wrote_grey_press(masked: Cast) -> None:
    say(masked, "BROADCAST GREY\nBeware.")
    assert "A power wrote to everybody." in say(masked, "LOG", name="Dmitri")


def test_a_game_without_grey_press_passes_none_on(marne: Cast) -> None:
    assert "write it again without GREY (or ANONYMOUS)" in say(marne, "BROADCAST GREY\nBeware.")
    assert "write it again without GREY (or ANONYMOUS)" in say(
        marne, "PRESS TO Italy GREY\nBeware."
    )
    assert Press.objects.count() == 0


def test_the_gm_has_to_know_who_writes_to_them(masked: Cast) -> None:
    assert "Leave the word GREY out" in say(masked, "PRESS GREY TO GM\nHelp.")


def test_white_press_is_what_all_press_is(masked: Cast) -> None:
    assert "Passed on to Italy" in say(masked, "PRESS WHITE TO Italy\nHello.")
    assert not Press.objects.get().grey


def test_grey_press_never_becomes_part_of_a_conversation(masked: Cast) -> None:
    say(masked, "PRESS TO Germany\nHello.")
    say(masked, "PRESS GREY TO Germany\nBeware.")
    tell_all()
    mails = list(OutboundMail.objects.filter(recipient=address_of("Dmitri"), kind="press_sent"))
    grey = next(mail for mail in mails if "Somebody" in mail.body)
    assert grey.references == threads.root(masked.phase, masked.player("Dmitri")).message_id
    assert grey.subject == "[marne] Press from somebody"


def test_press_grey_without_to_is_explained(masked: Cast) -> None:
    assert "Please write to whom" in say(masked, "PRESS GREY\nBeware.")
    assert Press.objects.count() == 0
