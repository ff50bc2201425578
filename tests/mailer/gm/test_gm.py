"""A game master's commands by mail: who may, what is asked back, and what is done once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from games.models import Event, Game, Phase, Press, StaffEntry
from games.queries.orders.current_orders import current_decisions
from games.services.accounts.players import address_confirm, player_register
from games.services.adjudication.phases import phase_process, phase_process_now
from games.services.clock.deadlines import deadline_move
from games.services.seating.joining import game_join
from games.services.setup.games import game_create
from mailer import notices
from mailer.commands import gm
from mailer.commands.calls import Call
from mailer.commands.gm.mail import game_meant
from mailer.identity.senders import GameMaster, Proof
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, HOUR, NOW, POWERS, Cast, address_of, submit
from tests.mailer.correspondence import answer_to, flat, tell_all, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State
GM = "gm@players.test"


def as_gm(cast: Cast) -> str:
    """The reply address in every notice to the GM."""
    return addresses.gm_address(user=cast.gm, game=cast.game, now=NOW)


def order(cast: Cast, text: str, *, to: str = "", sender: str = GM, subject: str = "Hello") -> str:
    """What is answered, or asked, when this is written to the GM's reply address."""
    mail = write("gm", text, sender=sender, to=to or as_gm(cast), subject=subject)
    return flat(answer_to(mail).body)


def question() -> OutboundMail:
    return OutboundMail.objects.filter(kind="question").latest("pk")


def confirm(text: str = "yes", *, sender: str = GM) -> str:
    mail = write("gm", text, sender=sender, to=question().reply_to)
    return flat(answer_to(mail).body)


def phase_names(cast: Cast) -> list[str]:
    return list(cast.game.phases.order_by("number").values_list("name", flat=True))


# --- without the word GM --------------------------------------------------------------------


@each_row("text", ["EXTEND marne 24h because of Easter", "JOIN marne", "hello?"])
def test_a_gm_who_leaves_out_the_word_is_shown_it_with_their_game(marne: Cast, text: str) -> None:
    said = answer_to(write("gm", text, sender=GM)).body
    assert "\nGM marne STATUS\n" in said
    assert "From this address you run games here" in flat(said)
    assert not marne.events("deadline_moved")


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


def test_a_gm_extends_by_a_reply_and_everybody_is_told_why(marne: Cast) -> None:
    before = marne.phase.due_at
    assert before
    body = order(marne, "EXTEND 24h because the mail server was down")
    assert "EXTEND in marne:" in body
    assert marne.phase.due_at == before + DAY
    assert marne.events("deadline_moved")[0].payload["why"] == "the mail server was down"


@pytest.mark.parametrize("text", ["EXTEND 24h because of rain", "extend 24h, Because  of: rain"])
def test_a_reason_behind_because_of_is_told_as_a_reason(marne: Cast, text: str) -> None:
    order(marne, text)
    assert marne.events("deadline_moved")[0].payload["why"] == "rain"


def test_pause_and_resume_need_no_question(marne: Cast) -> None:
    order(marne, "PAUSE because we are looking for a substitute")
    marne.game.refresh_from_db()
    assert marne.game.status == Game.Status.PAUSED
    order(marne, "RESUME")
    marne.game.refresh_from_db()
    assert marne.game.status == Game.Status.ACTIVE


@pytest.mark.parametrize("text", ["RESUME because Hugo has come", "RESUME Hugo has come"])
def test_everybody_is_told_why_the_clock_runs_again(marne: Cast, text: str) -> None:
    order(marne, "PAUSE because we are looking for a substitute")
    order(marne, text)
    [event] = marne.events("game_resumed")
    notices.tell_event(event, now=NOW)
    bodies = [flat(mail.body) for mail in OutboundMail.objects.filter(event=event)]
    assert len(bodies) == 8
    assert all("Why: Hugo has come" in body for body in bodies)


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
def test_the_end_behind_the_last_words_of_a_letter_is_none_of_them(marne: Cast, text: str) -> None:
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


def test_an_answer_to_commands_behind_gm_is_answered_with_commands_alone(marne: Cast) -> None:
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


# --- asked back -----------------------------------------------------------------------------


def test_processing_is_asked_back_with_what_will_happen(marne: Cast) -> None:
    mail = write("gm", "PROCESS", sender=GM, to=as_gm(marne))
    assert mail.state == State.HELD
    body = flat(question().body)
    assert "Hello gm," in body
    assert "PROCESS in marne" in body
    assert "Spring 1901 movement is adjudicated at once." in body
    assert question().recipient == GM
    assert phase_names(marne) == ["S1901M"]


def test_a_reason_for_processing_waits_with_the_question(marne: Cast) -> None:
    order(marne, "PROCESS because nobody owes anything")
    confirm()
    [event] = marne.events("phase_processed")
    assert event.payload["why"] == "nobody owes anything"


def test_a_reply_to_the_question_does_it_once(marne: Cast) -> None:
    order(marne, "PROCESS")
    assert "Processed Spring 1901 movement of marne." in confirm("yes")
    assert phase_names(marne) == ["S1901M", "F1901M"]
    assert "already answered" in confirm("yes, really")
    assert phase_names(marne) == ["S1901M", "F1901M"]


def test_a_confirmation_after_the_phase_has_changed_does_nothing(marne: Cast) -> None:
    order(marne, "PROCESS")
    marne.phase.readiness.all().delete()
    asked = question()
    order(marne, "PROCESS")
    confirm()
    mail = write("gm", "yes", sender=GM, to=asked.reply_to)
    assert "The game has changed since we asked you" in flat(answer_to(mail).body)
    assert phase_names(marne) == ["S1901M", "F1901M"]


def test_a_confirmation_after_the_deadline_has_moved_does_nothing(marne: Cast) -> None:
    order(marne, "PROCESS")
    due_at = marne.phase.due_at
    assert due_at
    deadline_move(game=marne.game, to=due_at + HOUR, why="x", by="the server", now=NOW)
    assert "The game has changed" in confirm()
    assert phase_names(marne) == ["S1901M"]


@pytest.mark.parametrize("text", ["REFUSE", "No, do not!"])
def test_a_gm_can_say_no(marne: Cast, text: str) -> None:
    order(marne, "PROCESS")
    confirm(text)
    assert phase_names(marne) == ["S1901M"]


def test_a_rollback_is_done_after_it_was_confirmed(marne: Cast) -> None:
    order(marne, "PROCESS")
    confirm()
    assert "is not a phase" in order(marne, "ROLLBACK X1901M because of this")
    assert "Say which phase to go back to" in order(marne, "ROLLBACK because of this")
    assert "It has had: S1901M, F1901M." in order(marne, "ROLLBACK F1902M because of this")
    order(marne, "ROLLBACK S1901M because orders of Italy were lost")
    assert "is played again" in flat(question().body)
    assert marne.phase.name == "F1901M"
    confirm()
    assert marne.phase.name == "S1901M"
    assert marne.events("game_rolled_back")[0].payload["why"] == "orders of Italy were lost"


def test_orders_set_by_mail_are_asked_back_and_then_stand(marne: Cast) -> None:
    order(marne, "SETORDERS Italy because his provider is down\nA Ven - Tyr\nA Rom H\nF Nap H\nEND")
    assert "A Venice - Tyrolia" in flat(question().body)
    assert not marne.phase.order_sets.exists()
    confirm()
    assert marne.phase.order_sets.get().power.name == "Italy"


def test_one_order_is_corrected_by_mail_and_the_others_still_count(marne: Cast) -> None:
    submit(marne, "Italy", ["A Rom - Apu", "F Nap - ION"])
    order(marne, "SETORDERS Italy AMEND because we misread a line\nA Rom - Tus\nEND")
    assert "All else that Italy has ordered still counts." in flat(question().body)
    confirm()
    stand = dict(current_decisions(marne.phase, marne.game.powers.get(name="Italy")))
    assert stand["A Rome"] == "A Rome - Tuscany"
    assert stand["F Naples"] == "F Naples - Ionian Sea"


def test_a_gm_who_may_see_orders_previews_them_and_all_are_told(marne: Cast) -> None:
    to = to_seat(marne)
    write("Carla", "A Par - Bur", to=to)
    assert "may not see the orders" in order(marne, "PREVIEW because France asked")
    Game.objects.filter(pk=marne.game.pk).update(gm_sees=Game.GMSees.ORDERS)
    order(marne, "PREVIEW because France asked")
    assert "Burgundy" not in question().body
    body = confirm()
    assert "A Paris - Burgundy" in body
    assert phase_names(marne) == ["S1901M"]
    assert marne.events("orders_looked_at")[0].payload["why"] == "France asked"
    assert StaffEntry.objects.get().user == marne.gm


def test_of_two_grave_acts_in_a_mail_only_the_first_is_done(marne: Cast) -> None:
    order(marne, "PROCESS\nPROCESS")
    assert "only one command that cannot be taken back" in flat(question().body)
    confirm()
    assert phase_names(marne) == ["S1901M", "F1901M"]


# --- seats and ends -------------------------------------------------------------------------


def test_a_power_is_given_to_another_player_after_it_was_confirmed(marne: Cast) -> None:
    order(marne, "REPLACE France BY Hugo because Carla has fallen ill")
    assert "Hugo plays France from now on" in flat(question().body)
    assert marne.seat("France").player.name == "Carla"
    confirm()
    assert marne.seat("France").player.name == "Hugo"


def test_civil_disorder_is_declared_and_ended(marne: Cast) -> None:
    order(marne, "CD Ita because Emma has not been heard of")
    asked = flat(question().body)
    confirm()
    italy = marne.game.powers.get(name="Italy")
    assert italy.disorder_since
    assert "Until somebody else has taken the seat, orders, READY or RETURN" in asked
    order(marne, "REVIVE Italy because Emma is back")
    confirm()
    italy.refresh_from_db()
    assert italy.disorder_since is None


def test_a_seat_is_opened_and_offered(marne: Cast) -> None:
    order(marne, "VACATE France because nothing has come for two weeks")
    confirm()
    france = marne.game.powers.get(name="France")
    assert not france.seats.filter(until=None).exists()
    assert "OFFER in marne" in order(marne, "OFFER France")


@each_row(
    ("text", "why"),
    [
        ("VACATE France nothing has come for two weeks", "nothing has come for two weeks"),
        ("DISORDER Italy, Emma is not heard of", "Emma is not heard of"),
        ("EJECT germany he has left", "he has left"),
        ("kick Greta, she is cheating", "she is cheating"),
        ("Please kick Greta out of the game, she is cheating", "she is cheating"),
        ("remove Turkey from the game as she is cheating", "she is cheating"),
        ("civil disorder for Italy, nothing came in 3 phases", "nothing came in 3 phases"),
        ("VACATE Italy bc nothing came", "nothing came"),
        ("kick Greta out of the game", ""),
        ("remove Turkey from the game", ""),
        ("VACATE France", ""),
        ("VACATE France gone", ""),
        ("VACATE France and Germany both are gone", ""),
        ("VACATE France, Germany are gone", ""),
        ("DISORDER Italy if she is late again", ""),
        ("DISORDER Italy is she late?", ""),
        ("VACATE Spain nothing has come", ""),
    ],
)
def test_a_reason_behind_a_power_needs_no_because(marne: Cast, text: str, why: str) -> None:
    order(marne, text)
    if why:
        confirm()
    done = [*marne.events("seat_vacated"), *marne.events("disorder_declared")]
    assert [one.payload["why"] for one in done] == ([why] if why else [])
    assert OutboundMail.objects.filter(kind="question").exists() == bool(why)


@each_row(
    ("text", "why"),
    [
        ("Italy her provider was down", "her provider was down"),
        ("Italy S1901M her provider was down", "her provider was down"),
        ("Italy Spring 1901 her provider was down", "her provider was down"),
        ("Italy F1901M her provider was down", ""),
        ("Italy Spring her provider was down", ""),
        ("Italy until her provider is up", ""),
    ],
)
def test_an_excuse_needs_no_because(marne: Cast, text: str, why: str) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 4 * DAY)
    order(marne, f"EXCUSE {text}")
    assert [one.payload["why"] for one in marne.events("miss_excused")] == ([why] if why else [])


@each_row(
    ("whom", "who"),
    [
        ("ALL", {"Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"}),
        ("ALL S1901M", {"Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"}),
        ("France, Germany and Italy", {"France", "Germany", "Italy"}),
        ("France, Germany, and Italy", {"France", "Germany", "Italy"}),
        ("France, Italy S1901M", {"France", "Italy"}),
        ("France, Spain", {"France"}),
        ("ALL S1905M", set()),
    ],
)
def test_a_mail_server_that_was_down_is_excused_by_one_line(
    marne: Cast, whom: str, who: set[str]
) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 4 * DAY)
    body = order(marne, f"EXCUSE {whom} because our mail server was down")
    excused = marne.events("miss_excused")
    assert {event.payload["power"] for event in excused} == who
    assert all(event.payload["why"] == "our mail server was down" for event in excused)
    assert ("NOT DONE" in body) == (who in ({"France"}, set()))


def test_a_command_for_another_board_is_told_where_it_belongs(marne: Cast) -> None:
    game_create(name="cup-3", gm=marne.gm, now=NOW)
    said = order(marne, "GM cup-3 STATUS")
    assert "For cup-3, reply to a mail about it, or write us a new mail." in said
    assert "Did you mean" not in order(marne, "GM cup-3 PAUSE because of snow")


@each_row(
    ("whom", "said"),
    [
        ("ALL S1905M", "Nobody has missed Spring 1905 movement."),
        ("ALL 1901X", "1901X"),
        ("Spain, ALL", "There is no power “Spain”."),
    ],
)
def test_who_cannot_be_excused_at_once_is_said(marne: Cast, whom: str, said: str) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 4 * DAY)
    assert said in order(marne, f"EXCUSE {whom} because our mail server was down")
    assert not marne.events("miss_excused")


@each_row("phase", ["", " S1901M", " Spring"])
def test_the_last_miss_or_that_of_a_phase_is_excused(marne: Cast, phase: str) -> None:
    assert phase_process_now(game_id=marne.game.pk, now=NOW + 4 * DAY)
    body = order(marne, f"EXCUSE Italy{phase} because her provider was down")
    excused = bool(marne.events("miss_excused"))
    assert excused == (phase != " Spring")
    assert ("Excused: Italy (Emma)" in body) == excused


@each_row(
    ("text", "winner", "status"),
    [
        ("FINISH DRAW France, Italy because all have agreed", "", "finished"),
        ("FINISH WIN France because the others have conceded", "France", "finished"),
        ("FINISH NONE because too few have stayed", "", "finished"),
        ("FINISH WIN because the others have conceded", "", "active"),
        ("FINISH DRAW Spain because of this", "", "active"),
        ("FINISH DRAW GM because of this", "", "active"),
    ],
)
def test_a_game_is_ended_with_a_result(marne: Cast, text: str, winner: str, status: str) -> None:
    order(marne, text)
    if status == "finished":
        confirm()
    marne.game.refresh_from_db()
    assert (marne.game.status, marne.game.winner) == (status, winner)


@each_row(
    ("text", "said"),
    [
        ("REPLACE France because of this", "Please say who will play it."),
        (
            "REPLACE France BY nobody@x.test because of this",
            "name only somebody who has played, or asked to play, in a game of yours",
        ),
        ("EXCUSE France because of this", "There is nothing to excuse in marne."),
        ("EXCUSE France F1901M because of this", "There is nothing to excuse in marne."),
        ("VACATE Spain because of this", "Spain"),
        ("OFFER France", "No seat in marne is open."),
    ],
)
def test_a_seat_that_cannot_change_hands_is_explained(marne: Cast, text: str, said: str) -> None:
    assert said in order(marne, text)
    assert not OutboundMail.objects.filter(kind="question").exists()


# --- who is believed ------------------------------------------------------------------------


def test_without_our_reply_address_all_that_changes_something_is_asked_back(marne: Cast) -> None:
    before = marne.phase.due_at
    mail = write("gm", "GM marne EXTEND 24h because of rain", sender=GM)
    assert mail.state == State.HELD
    assert marne.phase.due_at == before
    confirm()
    assert marne.phase.due_at != before


def test_two_gm_lines_for_one_game_are_asked_about_together(marne: Cast) -> None:
    before = marne.phase.due_at
    text = "GM marne STATUS\nGM marne EXTEND 24h because of rain"
    mail = write("gm", text, sender="gm@players.test")
    assert mail.state == State.HELD
    assert "in a mail of its own" not in flat(question().body)
    confirm()
    assert marne.phase.due_at != before


def test_the_game_may_be_named_in_the_subject_or_be_the_only_one(marne: Cast) -> None:
    write("gm", "GM STATUS", sender=GM)
    write("gm", "GM STATUS", sender=GM, subject="Re: [marne] results")
    write("gm", "GM marne\nSTATUS", sender=GM)
    replies = OutboundMail.objects.filter(kind="reply")
    assert [("Nothing has come yet" in flat(one.body)) for one in replies] == [True] * 3


def test_a_game_of_another_gm_is_none_of_theirs(marne: Cast) -> None:
    body = order(marne, "GM verdun STATUS", to="judge@game.test")
    assert "You are not the game master of a game “verdun”" in body


def test_a_forged_from_line_orders_nothing_and_the_gm_is_asked(marne: Cast) -> None:
    before = marne.phase.due_at
    mail = write("gm", "EXTEND 24h because of me", sender="zoe@elsewhere.test", to=as_gm(marne))
    assert mail.state == State.HELD
    assert question().recipient == GM
    assert marne.phase.due_at == before


def test_nobody_but_the_gm_can_confirm(marne: Cast) -> None:
    order(marne, "PROCESS")
    mail = write("Zoe", "yes", sender="zoe@elsewhere.test", to=question().reply_to)
    assert mail.state == State.HELD
    assert phase_names(marne) == ["S1901M"]


def test_a_player_who_writes_gm_is_read_as_any_player(marne: Cast) -> None:
    to = to_seat(marne)
    body = order(
        marne, "GM EXTEND 24h because I am late\nA Par - Bur", to=to, sender=address_of("Carla")
    )
    assert "A Paris - Burgundy" in body
    assert not marne.events("deadline_moved")


def test_who_is_gm_no_more_has_no_rights_by_their_old_reply_address(marne: Cast) -> None:
    to = as_gm(marne)
    Game.objects.filter(pk=marne.game.pk).update(gm=None)
    assert "You are not the GM of the game marne." in order(marne, "PAUSE because", to=to)
    assert not marne.events("game_paused")


def test_a_gm_who_plays_orders_as_a_player_and_acts_as_gm_by_another_address(marne: Cast) -> None:
    marne.gm.email = address_of("Carla")
    marne.gm.save()
    to = to_seat(marne)
    write("Carla", "A Par - Bur", to=to)
    assert marne.phase.order_sets.get().power.name == "France"
    body = order(marne, "EXTEND 24h because of me", sender=address_of("Carla"))
    assert "You play in the game marne yourself" in body
    assert not marne.events("deadline_moved")
    order(marne, "A Mar - Bur", sender=address_of("Carla"))
    assert marne.phase.order_sets.count() == 1
    order(marne, "PAUSE because of me", sender=address_of("Carla"))
    assert len(marne.events("game_paused")) == 1


def test_a_gm_who_is_registered_too_is_known_as_both(marne: Cast) -> None:
    address_confirm(address=player_register(name="Gustav", email=GM, now=NOW), now=NOW)
    assert "You are not playing in any game" in order(marne, "STATUS", to="judge@game.test")
    assert "Nothing has come yet" in order(marne, "GM STATUS", to="judge@game.test")


def test_a_gm_command_among_a_players_own_is_not_done_without_a_question(marne: Cast) -> None:
    marne.gm.email = address_of("Hugo")
    marne.gm.save()
    body = order(marne, "LIST\nGM PROCESS\nEND", to="judge@game.test", sender=address_of("Hugo"))
    assert "in a mail of its own" in body
    assert phase_names(marne) == ["S1901M"]


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


# --- what is seldom written -----------------------------------------------------------------


@each_row(
    ("text", "due_at"),
    [
        ("EXTEND TO 2026-03-30 20:00 because of the holidays", "Mon 30 Mar 2026, 20:00 UTC"),
        ("EXTEND TO Friday 21:00 because of the holidays", "Fri 6 Mar 2026, 21:00 UTC"),
        ("EXTEND UNTIL 30.3. at 20:00 because of the holidays", "Mon 30 Mar 2026, 20:00 UTC"),
        ("EXTEND TO 9pm on Friday because of the holidays", "Fri 6 Mar 2026, 21:00 UTC"),
        ("EXTEND UNTIL 30 Mar 8:30 p.m. because of the holidays", "Mon 30 Mar 2026, 20:30 UTC"),
        ("EXTEND REGULAR because of the holidays", "Fri 6 Mar 2026, 12:00 UTC"),
    ],
)
def test_a_deadline_is_moved_to_a_time_or_to_the_next_of_the_clock(
    marne: Cast, text: str, due_at: str
) -> None:
    assert due_at in order(marne, text)
    [event] = marne.events("deadline_moved")
    assert event.payload["why"] == "the holidays"


@each_row(
    ("to", "asks"),
    [
        (f"{NOW:%A} 21:00", f"Today is {NOW:%A}. Write today if you mean today, or "),
        ("21:30", "Please write the day, too, for example: today 21:30"),
        ("today 13pm", "is not a time of day"),
    ],
)
def test_a_deadline_that_may_be_one_of_two_is_asked_for(marne: Cast, to: str, asks: str) -> None:
    assert asks in order(marne, f"EXTEND TO {to} because of the holidays")
    assert marne.events("deadline_moved") == []


@each_row("day", ["2027-01-02", "2 Jan 2027", "Jan 2, 2027"])
def test_a_game_is_paused_until_a_day(marne: Cast, day: str) -> None:
    order(marne, f"PAUSE UNTIL {day} because of the holidays")
    marne.game.refresh_from_db()
    assert str(marne.game.resume_at).startswith("2027-01-02")
    assert marne.events("game_paused")[0].payload["why"] == "the holidays"


BERLIN = {"timezone": "Europe/Berlin"}


@pytest.mark.parametrize(
    ("settings", "day", "until"),
    [
        (BERLIN, "2 Jan 2027", "Sat 2 Jan 2027, 00:00 CET (Fri 23:00 UTC)"),
        (BERLIN | {"movement_clock": "Tue Fri 20:00"}, "5 Jan 2027", "Tue 5 Jan 2027, 20:00 CET"),
        (BERLIN | {"movement_clock": "Tue Fri 20:00"}, "2 Jan 2027", "Sat 2 Jan 2027, 20:00 CET"),
        (BERLIN | {"movement_clock": "Tue 20:00"}, "2 Jan 2027 9:30", "Sat 2 Jan 2027, 09:30 CET"),
    ],
)
def test_a_pause_until_a_day_ends_at_the_games_time_and_the_answer_says_when(
    marne: Cast, settings: dict[str, str], day: str, until: str
) -> None:
    Game.objects.update(**settings)
    assert until in order(marne, f"PAUSE UNTIL {day} because of the holidays")


@each_row(
    ("text", "said"),
    [
        ("PAUSE UNTIL Xmas because of the holidays", "We cannot read “Xmas” as a day, so"),
        ("PAUSE UNTIL because of the holidays", "Please say until when."),
        ("PAUSE UNTIL 3/4 because of the holidays", "may be 3 Apr or 4 Mar"),
        ("EXTEND TO Fri 25 o'clock because of rain", "We cannot read “Fri 25 o'clock” as a day."),
    ],
)
def test_an_end_that_cannot_be_read_neither_pauses_for_ever_nor_extends(
    marne: Cast, text: str, said: str
) -> None:
    assert said in order(marne, text)
    marne.game.refresh_from_db()
    assert marne.game.status == Game.Status.ACTIVE
    assert not marne.events("deadline_moved")


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


def test_a_gm_reminds_those_who_owe_orders(marne: Cast) -> None:
    assert "REMIND in marne:" in order(marne, "REMIND")
    assert marne.events("orders_missing")


def test_what_was_not_missed_cannot_be_excused(marne: Cast) -> None:
    submit(marne, "Italy", ["A Venice Holds", "A Rome Holds", "F Naples Holds"])
    phase_process(game_id=marne.game.pk, now=NOW + 30 * DAY)
    told = "Italy has missed nothing that could be excused."
    assert told in order(marne, "EXCUSE Italy because her provider was down")
    told = "Italy has missed nothing in Spring 1901 movement that could be excused."
    assert told in order(marne, "EXCUSE Italy S1901M because her provider was down")
    told = "Turkey has missed nothing in Fall 1901 movement that could be excused."
    assert told in order(marne, "EXCUSE Turkey F1901M because he was ill")


@each_row("how", ["DRAW", "DRAW ALL", "DRAW among all survivors", "A draw of all"])
def test_a_draw_without_names_is_one_among_all_survivors(marne: Cast, how: str) -> None:
    order(marne, f"FINISH {how} because all agree")
    confirm()
    marne.game.refresh_from_db()
    assert marne.game.winners == sorted(POWERS.values())


def test_an_end_with_a_power_that_is_none_names_those_there_are(marne: Cast) -> None:
    said = order(marne, "FINISH DRAW France, Spain because all agree")
    assert "We cannot read “France, Spain” as powers of this game: Austria, England" in said
    assert "TO ALL" not in said


def test_status_of_a_game_that_is_over_says_so(marne: Cast) -> None:
    to = as_gm(marne)
    order(marne, "FINISH DRAW because all agree")
    confirm()
    said = order(marne, "STATUS", to=to)
    assert "The game marne is over: the GM has decided on a draw among Austria, England" in said


# --- as people write it ---------------------------------------------------------------------


@each_row(
    "text",
    [
        "POSTPONE 24h because of rain",
        "DELAY by a day because of rain",
        "EXTEND one day because of rain",
    ],
)
def test_a_deadline_is_put_off_in_other_words(marne: Cast, text: str) -> None:
    before = marne.phase.due_at
    assert before
    order(marne, text)
    assert marne.phase.due_at == before + DAY
    assert marne.events("deadline_moved")[0].payload["why"] == "rain"


def test_the_reason_for_orders_may_stand_below_them(marne: Cast) -> None:
    order(marne, "SETORDERS France\nA Par - Bur\nHOLD ALL\nbecause Carla\ntold me by phone")
    confirm()
    assert marne.events("orders_set")[0].payload["why"] == "Carla told me by phone"
    stand = dict(current_decisions(marne.phase, marne.game.powers.get(name="France")))
    assert stand["A Paris"] == "A Paris - Burgundy"


@pytest.mark.parametrize("text", ["PAUSE UNTIL 7 Jan because of rain", "EXTEND TO 7 Jan: rain"])
def test_a_day_that_has_passed_is_shown_as_it_was_read(marne: Cast, text: str) -> None:
    said = order(marne, text)
    assert "“7 Jan” is Wed 7 Jan 2026" in said
    assert "which has passed. Please write the year, too." in said


def test_a_player_is_meant_by_their_name_where_names_are_known(marne: Cast) -> None:
    order(marne, "WRITE TO Carla, Turkey\nPlease be kinder.\nEND")
    assert Press.objects.get().to == ["France", "Turkey"]
    assert "Hugo plays France from now on" in order(marne, "REPLACE carla BY Hugo because of rain")


def test_in_an_anonymous_game_a_name_says_nothing(marne: Cast) -> None:
    Game.objects.update(anonymous=True)
    said = order(marne, "VACATE Carla because of rain")
    assert "There is no power “Carla”" in said
    assert "The game is anonymous: name the power, not its player." in said
    assert "name the power" not in order(marne, "VACATE Itly because of rain")
    assert "Italy and Turkey are 2 powers" in order(marne, "VACATE Italy, Turkey because of rain")
    assert "There is no power “Carla”" in order(marne, "WRITE TO Carla\nHello.\nEND")


def test_who_names_no_power_is_asked_which(marne: Cast) -> None:
    assert "Please say which power." in order(marne, "SETORDERS because of rain\nA Par H")


@pytest.mark.parametrize("text", ["EXTEND 24h because of rain", "EXTEND REGULAR because of rain"])
def test_a_game_that_has_waited_for_days_gets_a_day_from_now(marne: Cast, text: str) -> None:
    Game.objects.update(when_missing=Game.WhenMissing.GM)
    due_at = marne.phase.due_at
    assert due_at
    phase_process(game_id=marne.game.pk, now=due_at)
    late = due_at + 3 * DAY
    mail = write("gm", text, sender=GM, to=as_gm(marne), received_at=late)
    assert "is now due on Mon 9 Mar 2026, 12:00 UTC." in flat(answer_to(mail).body)
    assert marne.phase.due_at == late + DAY


def test_a_second_pause_changes_the_end_of_the_first_and_says_so(marne: Cast) -> None:
    order(marne, "PAUSE UNTIL Friday because of carnival")
    assert "paused until Sat 7 Mar 2026" in order(marne, "PAUSE UNTIL Saturday because of snow")
    event = marne.events("game_paused")[-1]
    notices.tell_event(event, now=NOW)
    mails = OutboundMail.objects.filter(event=event)
    assert mails.count() == 8
    for mail in mails:
        assert mail.subject == "[marne] Spring 1901 movement: the end of the pause has changed"
        assert "stays paused in Spring 1901 movement, but the end of the pause" in flat(mail.body)
        assert "It now goes on: Sat 7 Mar 2026" in flat(mail.body)
