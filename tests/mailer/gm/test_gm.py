"""A game master's commands by mail: how they are written, and what is answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from games.models import Conduct, Event, Game, Phase, Press
from games.services.accounts.players import address_confirm, player_register
from games.services.moderation.staff import moderator_appoint, user_at
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer import notices
from mailer.commands import gm
from mailer.commands.calls import Call
from mailer.commands.gm.mail import game_meant
from mailer.identity.senders import GameMaster, Proof
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, Cast, address_of
from tests.mailer.correspondence import answer_to, flat, home, said, tell_all, to_seat, write
from tests.mailer.gm.writing import GM, as_gm, confirm, order, phase_names, question
from tests.rows import each_row

pytestmark = pytest.mark.django_db


# --- without the word GM --------------------------------------------------------------------


@each_row("text", ["EXTEND marne 24h because of Easter", "JOIN marne", "hello?"])
def test_a_gm_who_leaves_out_the_word_is_shown_it_with_their_game(marne: Cast, text: str) -> None:
    said = answer_to(write("gm", text, sender=GM)).body
    assert "\nGM marne STATUS\n" in said
    assert "From this address you run games here" in flat(said)
    assert not marne.events("deadline_moved")


def test_a_gm_who_plays_nothing_learns_how_to_reach_the_moderators(marne: Cast) -> None:
    letter = "MODERATOR\nBen and Carla seem to be one person."
    answer = answer_to(write("gm", letter, sender=GM))
    assert answer.subject == "NOT SENT to the moderators"
    assert "Please write REGISTER and your name" in flat(answer.body)
    address = player_register(name="Gina", email=GM, now=NOW)
    address_confirm(address=address, now=NOW)
    write("gm", letter, sender=GM, to=home("Gina"))
    assert Conduct.objects.get().why == "Ben and Carla seem to be one person."


def test_a_moderator_who_plays_nothing_is_sent_to_the_notes(marne: Cast) -> None:
    moderator_appoint(user=user_at(email="mo@staff.test", name="Mo"))
    answer = answer_to(write("mo", "MODERATOR\nWho takes this?", sender="mo@staff.test"))
    assert answer.subject == "NOT SENT to the moderators"
    assert "leave a note on a case in the queue or in a player's file" in flat(answer.body)
    assert "You moderate this server" in said(write("mo", "Hello?", sender="mo@staff.test"))


@pytest.mark.parametrize("sender", ["nobody@players.test", "former@players.test"])
def test_whoever_runs_no_game_is_told_of_none(marne: Cast, sender: str) -> None:
    User.objects.create(username="former", email="former@players.test", is_staff=True)
    said = answer_to(write("gm", "EXTEND marne 24h", sender=sender)).body
    assert "REGISTER" in said
    assert "GM" not in said


def test_of_a_moderators_many_games_only_that_in_the_subject_is_read(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    marne.gm.is_superuser = True
    marne.gm.save()
    Game.objects.bulk_create(Game(name=f"other{number}", created_at=NOW) for number in range(9))
    read: list[Game] = []
    monkeypatch.setattr(Game, "from_db", _noting(Game.from_db, read))
    sender = GameMaster(GM, marne.gm, Proof.TOKEN, subject="Re: [Marne] Spring [x] 1901")
    assert game_meant(Call("gm", "", 0), sender, NOW) == marne.game
    assert [game.name for game in read] == ["marne"]


def _noting(make: Callable[..., Game], read: list[Game]) -> Callable[..., Game]:
    def noted(*given: object) -> Game:
        read.append(make(*given))
        return read[-1]

    return noted


# --- done at once ---------------------------------------------------------------------------


def test_a_gm_writes_to_some_and_to_all(marne: Cast) -> None:
    order(marne, "WRITE TO Italy, Turkey\nDear both,\n\nplease hurry.\nEND\nSTATUS")
    order(marne, "WRITE TO ALL: Happy new year!")
    some, everybody = Press.objects.order_by("number")
    assert (some.to, some.text) == (["Italy", "Turkey"], "Dear both,\n\nplease hurry.")
    assert everybody.public


@each_row(
    "text",
    [
        "WRITE TO Italy: please hurry. END",
        "WRITE TO Italy: please hurry. End press",
        "WRITE TO Italy\nplease hurry. END",
        "WRITE TO Italy\nplease hurry. END WRITE\nSTATUS",
    ],
)
def test_the_end_after_the_last_words_of_a_letter_is_none_of_them(marne: Cast, text: str) -> None:
    order(marne, text)
    assert Press.objects.get().text == "please hurry."


@each_row("text", ["this must end", "This is THE END of it", "and so it ends. The"])
def test_a_word_like_end_within_a_letter_stays_in_it(marne: Cast, text: str) -> None:
    order(marne, f"WRITE TO Italy\n{text}\nor not")
    assert Press.objects.get().text == f"{text}\nor not"


def test_a_text_below_a_line_gm_is_quoted_with_its_greetings_and_blank_lines(marne: Cast) -> None:
    text = "Dear Emma,\n\nplease hurry.\nThank you!"
    write("gm", f"GM marne\nWRITE TO Italy\n{text}\nEND\nThank you!", sender=GM)
    quoted = "> Dear Emma,\n\n> please hurry.\n> Thank you!"
    assert f"as a mail from the GM:\n\n{quoted}\n\n- The answer" in question().body
    confirm()
    assert Press.objects.get().text == text


def test_a_gm_sees_who_owes_orders_and_no_order(marne: Cast) -> None:
    to = to_seat(marne)
    write("Carla", "A Par - Bur\nA Mar H\nF Bre H", to=to)
    body = order(marne, "STATUS")
    assert "France: Carla. Owes nothing." in body
    assert "Italy: Emma. Nothing has come yet." in body
    assert "Burgundy" not in body


@each_row("text", ["LOG", "HELP", "HELP EXTEND", "GM LOG", "GM: HELP"])
def test_what_only_shows_something_is_answered(marne: Cast, text: str) -> None:
    body = order(marne, text)
    assert "NOT DONE" not in body
    assert not OutboundMail.objects.filter(kind="question").exists()


@each_row(
    ("text", "subject"),
    [
        ("PAUSE because of a feast", "[marne] PAUSE"),
        ("EXTEND 24h", "[marne] NOT done: EXTEND"),
        ("WRITE TO Frnace\nHello", "[marne] NOT done: WRITE"),
        ("PAUSE because of snow\nLOG\nRESUME\nEXTEND 1h", "[marne] NOT done: EXTEND (3 of 4 done)"),
        ("nonsense", "[marne] NOT done: some lines"),
    ],
)
def test_the_subject_of_a_gms_receipt_says_a_refusal_first(
    marne: Cast, text: str, subject: str
) -> None:
    mail = write("gm", text, sender=GM, to=as_gm(marne), subject="Re: [marne] x")
    assert mail.answers.get().subject == subject


def test_several_commands_in_one_mail_are_answered_one_by_one(marne: Cast) -> None:
    body = order(marne, "EXTEND 24h because of rain\nPAUSE\nLOG\nplease")
    assert "EXTEND in marne: Spring 1901" in body
    assert "NOT DONE: PAUSE in marne:" in body
    assert "The log of the game marne" in body
    assert "Not understood:" in body
    assert "NOT DONE: Not understood" not in body
    assert "You wrote “please”" in body


@each_row(
    "text",
    [
        "GM marne\nPAUSE because of snow",
        "Hello,\n\nGM Marne:\nPAUSE because of snow",
        "GM\nPAUSE because of snow",
        "GM marne PAUSE because of snow",
        "GM marne PAUSE because of snow\nGM marne LOG",
    ],
)
def test_a_line_gm_does_no_harm_in_a_reply(marne: Cast, text: str) -> None:
    body = order(marne, text)
    assert marne.events("game_paused")[0].payload["why"] == "snow"
    assert "Not understood" not in body


def test_a_line_gm_with_another_games_name_is_not_passed_over(marne: Cast) -> None:
    assert "You wrote “GM verdun”" in order(marne, "GM verdun\nLOG")


def test_the_name_of_a_gm_below_commands_is_a_signature(marne: Cast) -> None:
    marne.gm.first_name, marne.gm.last_name = "Ida", "Moss"
    marne.gm.save()
    assert "Not understood" not in order(marne, "LOG\nIda")


def test_a_misspelt_command_of_a_gm_is_answered_with_the_right_one(marne: Cast) -> None:
    body = order(marne, "LOG\nPAUES because of a feast")
    assert "You wrote “PAUES because of a feast”. Did you mean PAUSE?" in " ".join(body.split())


@each_row(
    ("text", "said"),
    [
        ("EXTEND", "Write: EXTEND length | TO date | REGULAR because reason"),
        ("EXTEND 24h", "Please say why: all players are told. Write: EXTEND 24h because reason"),
        (
            "EXTEND soon because I like",
            "Please say how much later, or TO and a date. Write: EXTEND",
        ),
        ("RESUME", "The game marne is already being played."),
        ("ROLLBACK S1901M because of this", "marne is in its first phase"),
        ("WRITE TO Spain: hello", "There is no power “Spain”"),
        ("WRITE TO ALL: but not to Italy", "write WRITE TO ALL BUT Italy on the line"),
        ("START", "The game marne is already being played."),
    ],
)
def test_what_cannot_be_done_is_explained_and_not_asked(marne: Cast, text: str, said: str) -> None:
    assert said in order(marne, text)
    assert not OutboundMail.objects.filter(kind="question").exists()
    assert phase_names(marne) == ["S1901M"]


@each_row(
    ("text", "said"),
    [
        ("PAUSE UNTIL 10 March\nWe are all away.", "paused until Tue 10 Mar 2026"),
        ("PAUSE\nWe look for a substitute.", "paused until somebody resumes it"),
        ("EXTEND TO Saturday 21:00\nTwo of you\nare ill.", "Sat 7 Mar 2026, 21:00 UTC"),
        ("EXTEND 24h\nNot all of you got the mail", "Fri 6 Mar 2026, 12:00 UTC"),
        ("EXTEND 24h\nNo orders have come from Italy", "Fri 6 Mar 2026, 12:00 UTC"),
        ("EXTEND 24h\nSorry, I am ill", "Fri 6 Mar 2026, 12:00 UTC"),
        ("EXTEND 24h\nHugo can write only on Friday", "Fri 6 Mar 2026, 12:00 UTC"),
    ],
)
def test_a_reason_may_stand_on_the_lines_below(marne: Cast, text: str, said: str) -> None:
    assert said in order(marne, text)
    [event] = [*marne.events("game_paused"), *marne.events("deadline_moved")]
    assert event.payload["why"] == " ".join(text.splitlines()[1:])


@each_row(
    "below",
    [
        *("PUNISH Carla", "A Par - Bur", "Tom", "- Tom", "\nWe are all away.", "REUSME marne now"),
        *(
            "Who plays Turkey?",
            "So what has Italy ordered?",
            "but only if Italy is late",
        ),
        *("I was wondering who is late", "Please let me know if Italy has ordered"),
        *("Do not do that yet", "Sorry, not that one", "no, wait", "Please don’t tell them"),
    ],
)
def test_other_lines_below_are_no_reason(marne: Cast, below: str) -> None:
    assert "Please say why" in order(marne, f"PAUSE UNTIL 10 March\n{below}")
    assert not marne.events("game_paused")


@pytest.mark.parametrize("text", ["RENAME verdun", "CO-GM hugo@players.test"])
def test_what_no_mail_does_is_not_taken_for_another_command(marne: Cast, text: str) -> None:
    body = order(marne, text)
    assert f"“{text}”. That is done on the game's page in the admin." in body
    assert "ENDGAME" not in body


@each_row(
    ("text", "instead"),
    [
        ("ADD p9@players.test", "INVITE and addresses lets people join"),
        ("ADD DEPUTY Hugo", "You add a co-GM or deputy on the game's page in the admin."),
        ("BAN Turkey because of insults", "the moderators decide who may play on this server"),
        ("KICK Turkey because of insults", "no longer plays Turkey"),
    ],
)
def test_words_of_other_servers_for_people_in_a_game_are_known(
    marne: Cast, text: str, instead: str
) -> None:
    mail = write(
        "gm", text, sender=GM, to=addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    )
    assert instead in flat(OutboundMail.objects.get(answers=mail).body)
    assert marne.seat("Turkey").until is None


def test_orders_at_the_address_of_the_game_master_are_told_where_they_belong(marne: Cast) -> None:
    body = order(marne, "A Par - Bur")
    assert "order in a reply to a mail that you got as a player" in body
    assert "order in a reply" not in order(marne, "dancing")


def test_an_answer_to_commands_after_gm_is_answered_with_commands_alone(marne: Cast) -> None:
    shown = write("gm", "GM marne STATUS", sender=GM)
    assert answer_to(shown).reply_to == as_gm(marne)
    write("gm", "GM marne PAUSE because of rain", sender=GM)
    done = write("gm", "yes\nREMIND", sender=GM, to=question().reply_to)
    assert answer_to(done).reply_to == as_gm(marne)


def test_the_question_names_the_lines_that_are_not_understood(marne: Cast) -> None:
    order(marne, "PROCESS\nPUNISH Carla")
    body = flat(question().body)
    assert "Not understood: Nothing was done about these lines." in body
    assert "- You wrote “PUNISH Carla”" in body


def test_a_word_that_is_not_for_gms_is_quoted_as_it_was_written(marne: Cast) -> None:
    body = flat(answer_to(write("gm", "DUMMY marne\nGM marne STATUS", sender=GM)).body)
    assert "- You wrote “DUMMY”" in body


def test_a_command_that_cannot_be_done_is_not_asked_about_beside_one_that_shows(
    marne: Cast,
) -> None:
    body = flat(answer_to(write("gm", "GM marne\nRESUME\nSTATUS", sender=GM)).body)
    assert "NOT DONE: RESUME in marne" in body
    assert not OutboundMail.objects.filter(kind="question").exists()


def test_nothing_below_signoff_is_done(marne: Cast) -> None:
    body = order(marne, "STATUS\nSIGNOFF\nPAUSE because of this")
    assert "Nothing has come yet" in body
    assert not marne.events("game_paused")


def test_what_a_gm_quotes_of_our_mails_orders_nothing(marne: Cast) -> None:
    order(marne, "EXTEND 24h because of rain\nPROCESS\nPAUSE\nHELP")
    quoted = question().body
    marne.phase.readiness.all().delete()
    tell_all()
    bodies = [mail.body for mail in OutboundMail.objects.filter(recipient=GM)]
    due_at = marne.phase.due_at
    for body in (quoted, *bodies):
        order(marne, f"Thank you.\n{body}")
    assert marne.phase.due_at == due_at
    assert phase_names(marne) == ["S1901M"]
    assert OutboundMail.objects.filter(kind="question").count() == 1


# --- what the GM gets -----------------------------------------------------------------------


def test_every_notice_to_the_gm_can_be_answered_with_commands(marne: Cast) -> None:
    tell_all()
    told = OutboundMail.objects.filter(recipient=GM)
    assert told
    for mail in told:
        assert mail.reply_to == as_gm(marne)
        assert "HELP lists them all" in flat(mail.body)
        assert max(map(len, mail.body.splitlines())) <= 72


def test_the_gms_answer_to_press_reaches_its_writer_alone(marne: Cast) -> None:
    to = to_seat(marne)
    write("Carla", "PRESS TO GM\nMay I be late?", to=to, message_id="<q@carla>")
    notices.tell_event(Event.objects.filter(kind="press_sent").latest("pk"), now=NOW)
    asked = OutboundMail.objects.get(kind="press_sent", recipient=GM)
    body = order(marne, "Start writing now, please.\n\nGM", to=asked.reply_to)
    assert "Passed on to France" in body
    notices.tell_event(Event.objects.filter(kind="press_sent").latest("pk"), now=NOW)
    got = OutboundMail.objects.get(kind="press_sent", recipient=address_of("Carla"))
    assert "Start writing now, please." in got.body
    assert got.references == "<q@carla>"
    assert Press.objects.count() == 2
    assert marne.phase.status == Phase.Status.OPEN


@each_row(
    ("text", "to"),
    [
        ("WRITE TO Italy\nHello Italy.", ["Italy"]),
        ("GM WRITE TO Italy\nHello Italy.", ["Italy"]),
        ("Press on!\nHello Italy.", ["France"]),
        ("Process servers came.", ["France"]),
    ],
)
def test_a_gms_answer_to_press_is_a_command_only_if_it_begins_as_one(
    marne: Cast, text: str, to: list[str]
) -> None:
    seat = to_seat(marne)
    write("Carla", "PRESS TO GM\nMay I be late?", to=seat)
    notices.tell_event(Event.objects.filter(kind="press_sent").latest("pk"), now=NOW)
    asked = OutboundMail.objects.get(kind="press_sent", recipient=GM)
    order(marne, text, to=asked.reply_to)
    assert Press.objects.get(number=2).to == to
    assert phase_names(marne) == ["S1901M"]


def test_every_command_of_a_gm_is_explained(marne: Cast) -> None:
    body = order(marne, "HELP")
    for command in gm.COMMANDS.values():
        assert flat(command.usage) in body
        summary = command.summary[:1].upper() + command.summary[1:]
        assert flat(summary) in order(marne, f"HELP {command.name}")


def test_an_act_for_which_nothing_is_there_is_not_blamed_on_the_game(marne: Cast) -> None:
    assert "No seat in marne is open." in order(marne, "OFFER England")


def test_before_the_start_what_is_meant_for_one_power_goes_to_nobody(marne: Cast) -> None:
    game = game_create(name="yser", gm=marne.gm, now=NOW)
    game_join(game=game, player=marne.player("Hugo"), preferences="", now=NOW)
    to = addresses.gm_address(user=marne.gm, game=game, now=NOW)
    body = order(marne, "WRITE TO Italy\nOnly you may know.\nEND", to=to)
    assert "Nobody has a power before the start: please write to everybody." in body
    assert not Press.objects.exists()
    body = order(marne, "WRITE TO ALL\nWelcome!\nEND", to=to)
    assert "Your text is on its way to all who have a place." in body
    assert Press.objects.get().public


@each_row(
    ("text", "said"),
    [
        ("SET DEADLINE Fri 21:00", "write EXTEND TO, the day and the time, and why."),
        ("setdeadline Fri 21:00", "write EXTEND TO, the day and the time, and why."),
        ("SET NMR", "That is done on the game's page in the admin."),
    ],
)
def test_a_master_of_njudge_is_told_what_to_write(marne: Cast, text: str, said: str) -> None:
    assert said in order(marne, text)


def test_status_of_a_game_that_is_over_says_so(marne: Cast) -> None:
    to = as_gm(marne)
    order(marne, "FINISH DRAW because all agree")
    confirm()
    said = order(marne, "STATUS", to=to)
    assert "The game marne is over: the GM has decided on a draw among Austria, England" in said
