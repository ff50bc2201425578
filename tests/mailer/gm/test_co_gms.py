"""Who runs a game beside its GM: which mails they get, for how long, and what they can answer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
import time_machine
from django.contrib.auth.models import User

from games.acts import GAME_ACTS
from games.models import CoGM, Game, Player
from games.queries.parsing.press_audience import Audience
from games.services.clock.deadlines import Mover, deadline_move
from games.services.clock.extensions import extension_ask
from games.services.messages.press import press_send
from games.services.seating.invitations import gm_remind, join_refuse
from games.services.seating.joining import game_join
from games.services.setup.co_gms import co_gm_add, co_gm_remove
from games.services.setup.games import game_create
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, HOUR, NOW, Cast
from tests.games.acts.acting import staff
from tests.mailer.correspondence import answer_to, eml, flat, home, receive, told_cast, write
from tests.mailer.gm.writing import as_gm, order
from tests.rows import each_row

pytestmark = pytest.mark.django_db
GM, DI = "gm@players.test", "di@players.test"


@pytest.fixture(autouse=True)
def today() -> Iterator[None]:
    """What somebody may do hangs on the machine's clock, too."""
    with time_machine.travel(NOW + HOUR, tick=False):
        yield


@pytest.fixture
def marne(db: None) -> Cast:
    """The game, of whose start everybody was told: most tests here tell of what comes after."""
    return told_cast()


@pytest.fixture
def helped(marne: Cast) -> Cast:
    """Di deputises for two days."""
    co_gm_add(game=marne.game, email=DI, until=NOW + 2 * DAY, by="gm", now=NOW)
    return marne


def told(kind: str) -> dict[str, OutboundMail]:
    """The mails about this kind of event, by their recipients."""
    jobs.tell(NOW + 3 * DAY)
    mails = list(OutboundMail.objects.filter(kind=kind))
    assert len({one.key for one in mails}) == len(mails)
    return {one.recipient: one for one in mails}


def ask(cast: Cast) -> None:
    extension_ask(
        seat=cast.seat("France"), phase=cast.phase, length="1d", why="Ill.", now=NOW + HOUR
    )


@each_row("written", ["2026-03-04", "4 March", "Wednesday"])
def test_a_deputy_until_a_day_is_one_for_all_of_it(marne: Cast, written: str) -> None:
    act = GAME_ACTS["add_co_gm"]
    act.perform(marne.game, act.parameters(email=DI, to=written), by=staff("gm"), now=NOW)
    assert CoGM.objects.get().until == dt.datetime(2026, 3, 4, 23, 59, tzinfo=dt.UTC)


def test_a_deputy_is_told_that_they_are_one_and_until_when(helped: Cast) -> None:
    [(recipient, mail)] = told("co_gm_added").items()
    assert recipient == DI
    assert mail.subject == "[marne] You run this game, too"
    assert "gm has made you a co-GM of the game marne until Wed 4 Mar 2026" in flat(mail.body)
    assert "you get every mail that the GM gets" in flat(mail.body)


def test_a_deputy_gets_what_the_gm_gets_and_acts_by_a_reply(helped: Cast) -> None:
    ask(helped)
    mails = told("extension_asked")
    assert set(mails) == {GM, DI}
    assert mails[GM].body == mails[DI].body
    assert mails[GM].reply_to != mails[DI].reply_to
    done = write("di", "EXTEND 24h because of France", sender=DI, to=mails[DI].reply_to)
    assert "EXTEND in marne:" in answer_to(done).body
    assert helped.phase.due_at == NOW + 4 * DAY


def test_once_their_time_is_over_a_deputy_gets_no_mail_and_cannot_act(helped: Cast) -> None:
    own = addresses.gm_address(user=User.objects.get(email=DI), game=helped.game, now=NOW)
    CoGM.objects.update(until=NOW + HOUR)
    ask(helped)
    assert set(told("extension_asked")) == {GM}
    for line in ("EXTEND 24h because of France", "STATUS", "LOG"):
        late = write("di", line, sender=DI, to=own, received_at=NOW + HOUR)
        assert "You are not the GM of the game marne." in flat(answer_to(late).body), line


def test_who_is_taken_away_is_told(helped: Cast) -> None:
    row = CoGM.objects.get()
    co_gm_remove(game=helped.game, key=str(row.pk), by="gm", now=NOW + HOUR)
    [(recipient, mail)] = told("co_gm_removed").items()
    assert recipient == DI
    assert "ended your time as a co-GM of the game marne" in flat(mail.body)


@pytest.mark.parametrize("game", [{"anonymous": True}, {}])
def test_a_co_gm_who_plays_gets_no_mail_of_the_gms(marne: Cast, game: dict[str, bool]) -> None:
    Game.objects.update(**game)
    co_gm_add(game=marne.game, email="ana@players.test", until=None, by="gm", now=NOW)
    ask(marne)
    assert set(told("extension_asked")) == {GM}
    [mail] = told("co_gm_added").values()
    assert "You play in this game yourself" in flat(mail.body)
    ana = User.objects.get(email="ana@players.test")
    place = addresses.gm_address(user=ana, game=marne.game, now=NOW)
    shown = answer_to(write("ana", "STATUS", to=place)).body
    assert ("Carla" in shown) is not marne.game.__class__.objects.get().anonymous


def test_press_to_the_gm_reaches_who_runs_the_game_and_each_can_answer(helped: Cast) -> None:
    press_send(
        seat=helped.seat("France"),
        to=Audience((), gm=True),
        text="May I ask something?",
        source="<p>",
        now=NOW + HOUR,
    )
    mails = told("press_sent")
    assert set(mails) == {GM, DI}
    write("di", "Ask away.", sender=DI, to=mails[DI].reply_to)
    jobs.tell(NOW + 3 * DAY)
    answers = OutboundMail.objects.filter(recipient="carla@players.test", kind="press_sent")
    assert "Ask away." in answers.latest("pk").body


def test_players_get_one_mail_as_before(helped: Cast) -> None:
    deadline_move(game=helped.game, to=NOW + 4 * DAY, why="Rest.", by=Mover("gm"), now=NOW + HOUR)
    jobs.tell(NOW + 3 * DAY)
    mails = OutboundMail.objects.filter(kind="deadline_moved")
    assert mails.count() == len({one.recipient for one in mails}) == 9


# --- Who may join, by mail ------------------------------------------------------------------


@pytest.fixture
def somme(marne: Cast) -> Cast:
    """A game in which the GM lets people in, and Hugo and Ana have asked."""
    game = game_create(name="somme", gm=marne.gm, entry="approval", now=NOW)
    for name in ("Hugo", "Ana"):
        game_join(game=game, player=marne.player(name), preferences="France", now=NOW)
    return Cast(game, marne.gm)


def places(cast: Cast) -> set[str]:
    joined = Player.objects.filter(applications__game=cast.game, applications__withdrawn_at=None)
    return set(joined.values_list("name", flat=True))


def test_the_gm_lets_somebody_in_by_a_reply_to_the_mail_about_them(somme: Cast) -> None:
    jobs.tell(NOW)
    asked = OutboundMail.objects.filter(kind="join_asked", subject__contains="Hugo").get()
    assert "To let them in, reply YES; if not, reply NO." in flat(asked.body)
    assert "They are too new here to have a record." in flat(asked.body)
    assert asked.buttons == [
        ["Let Hugo in", "APPROVE Hugo"],
        ["Do not let Hugo in", "REFUSE Hugo"],
    ]
    answer = answer_to(write("gm", "REFUSE Hugo because we are full", sender=GM, to=asked.reply_to))
    assert "Please write the name alone, Hugo: we pass no reason on." in flat(answer.body)
    said = answer_to(write("gm", "APPROVE Hugo", sender=GM, to=asked.reply_to)).body
    assert "Hugo has a place in somme." in said
    about_ana = OutboundMail.objects.get(kind="join_asked", subject__contains="Ana")
    said = reply_to_gm("refuse", about_ana)
    assert "Ana cannot join somme." in said
    assert places(somme) == {"Hugo"}
    assert set(told("join_refused")) == {"ana@players.test"}


def reply_to_gm(text: str, mail: OutboundMail, **headers: str) -> str:
    """What is answered to a GM's answer to this mail."""
    headers = headers or {"In-Reply-To": mail.message_id}
    lines = "".join(f"{name.replace('_', '-')}: {said}\r\n" for name, said in headers.items())
    raw = eml(text, sender=mail.recipient, to=mail.reply_to, headers=lines)
    return flat(answer_to(receive(raw)).body)


@each_row(
    "line",
    [
        *("Yes!", "Yes, please.", "Yes, let her in!", "ok", "*JA*", "APPROVE", "Yep"),
        *("Yes\n\nA good player.", "Yes, Ana is fine.\n\nThanks", "Sure, Ana is very welcome!"),
    ],
)
def test_a_yes_lets_in_whom_the_mail_is_about_that_it_answers(somme: Cast, line: str) -> None:
    jobs.tell(NOW)
    asked = OutboundMail.objects.get(kind="join_asked", subject__contains="Ana")
    assert "Ana has a place in somme. 6 seats are still free." in reply_to_gm(line, asked)
    assert places(somme) == {"Ana"}


@each_row("line", ["Yes, Hugo is fine.", "Ok, but ask her first", "No problem, let her in"])
def test_what_may_mean_another_lets_nobody_in(somme: Cast, line: str) -> None:
    jobs.tell(NOW)
    asked = OutboundMail.objects.get(kind="join_asked", subject__contains="Ana")
    assert "Nothing was done about these lines." in reply_to_gm(line, asked)
    assert places(somme) == set()


@each_row(
    "line",
    ["No.", "No thanks", "REFUSE", "nein", "Nope", "*Nee, sorry*", "No, stop!", "No, don’t do it"],
)
def test_a_no_keeps_out_whom_the_mail_is_about_that_it_answers(somme: Cast, line: str) -> None:
    jobs.tell(NOW)
    asked = OutboundMail.objects.get(kind="join_asked", subject__contains="Hugo")
    assert "Hugo cannot join somme." in reply_to_gm(line, asked)
    assert set(told("join_refused")) == {"hugo@players.test"}


def test_a_yes_lets_in_nobody_else_once_the_one_meant_has_an_answer(somme: Cast) -> None:
    jobs.tell(NOW)
    asked = OutboundMail.objects.get(kind="join_asked", subject__contains="Hugo")
    reply_to_gm("NO", asked)
    for line in ("YES", "APPROVE"):
        assert "Nobody called “Hugo” waits to be let in." in reply_to_gm(line, asked)
    assert places(somme) == set()


@pytest.mark.parametrize("subject", ["Re: [somme] Hugo asks to join", "AW: Hello"])
def test_a_mail_program_that_names_no_mail_names_the_player_by_its_subject(
    somme: Cast, subject: str
) -> None:
    jobs.tell(NOW)
    said = flat(answer_to(write("gm", "yes", sender=GM, to=as_gm(somme), subject=subject)).body)
    known = subject.startswith("Re:")
    assert ("Hugo has a place in somme." in said) is known
    assert ("Please write APPROVE and the name." in said) is not known


def test_a_yes_to_a_reminder_of_one_player_lets_them_in(somme: Cast) -> None:
    join_refuse(game=somme.game, player=somme.player("Ana"), by="gm", now=NOW)
    gm_remind(game_id=somme.game.pk, now=NOW + 3 * DAY)
    reminder = told("joins_unanswered")[GM]
    assert "This player would like to join your game somme and is still waiting" in flat(
        reminder.body
    )
    assert "Hugo has a place in somme." in reply_to_gm("yes", reminder)


def test_a_yes_to_a_reminder_of_several_is_asked_who_is_meant(somme: Cast) -> None:
    gm_remind(game_id=somme.game.pk, now=NOW + 3 * DAY)
    reminder = told("joins_unanswered")[GM]
    said = reply_to_gm("yes", reminder)
    assert "Please write APPROVE and the name. These wait: Hugo and Ana." in said
    assert places(somme) == set()


def test_a_yes_that_answers_no_such_mail_is_asked_who_is_meant(somme: Cast) -> None:
    reply_to_gm("REFUSE Ana", OutboundMail(recipient=GM, reply_to=as_gm(somme)), X_Other="1")
    said = order(somme, "no", to=as_gm(somme))
    assert "Please write REFUSE and the name. This player waits: Hugo." in flat(said)
    assert somme.game.invitations.filter(kind="asked").count() == 1


@each_row("line", ["Yes", "no thanks", "APPROVE", "REFUSE Hugo"])
def test_an_answer_where_nobody_waits_is_told_so(marne: Cast, line: str) -> None:
    said = flat(order(marne, line, to=as_gm(marne)))
    assert "Nobody is waiting to be let into marne." in said
    assert "Not understood" not in said


@pytest.mark.parametrize(
    ("first", "became"), [("YES", "was let in"), ("NO", "was told that they cannot join")]
)
def test_a_second_answer_is_told_what_became_of_the_first(
    somme: Cast, first: str, became: str
) -> None:
    jobs.tell(NOW)
    hugo, ana = OutboundMail.objects.filter(kind="join_asked").order_by("pk")
    reply_to_gm(first, hugo)
    said = reply_to_gm("YES", hugo)
    assert f"Nobody called “Hugo” waits to be let in. Hugo {became} on" in said
    reply_to_gm("NO", ana)
    said = reply_to_gm("YES", hugo)
    assert "Nobody is waiting to be let into somme. Ana was told that they cannot join on" in said


def test_a_first_name_is_enough_where_only_one_waits_who_has_it(somme: Cast) -> None:
    Player.objects.filter(name="Hugo").update(name="Hugo Smith")
    Player.objects.filter(name="Ana").update(name="Ana Jones")
    assert "Hugo Smith has a place in somme." in flat(order(somme, "APPROVE hugo"))
    Player.objects.filter(name="Ben").update(name="Ana Brown")
    game_join(game=somme.game, player=somme.player("Ana Brown"), preferences="", now=NOW)
    said = flat(order(somme, "APPROVE Ana"))
    assert "Ana Jones and Ana Brown wait to be let in. Please write the whole name." in said
    assert places(somme) == {"Hugo Smith"}


@each_row("names", ["Hugo, Ana", "Hugo and Ana", "Ana & hugo."])
def test_several_names_may_stand_on_a_line(somme: Cast, names: str) -> None:
    said = flat(order(somme, f"APPROVE {names}"))
    assert "Hugo has a place in somme." in said
    assert "Ana has a place in somme." in said
    assert places(somme) == {"Hugo", "Ana"}


def test_of_several_names_nobody_is_let_in_while_one_is_unknown(somme: Cast) -> None:
    assert "Nobody called “Hugo and Zoe” waits" in flat(order(somme, "APPROVE Hugo and Zoe"))
    assert places(somme) == set()


@each_row(
    ("text", "subject"),
    [
        ("APPROVE Hugo", "[somme] APPROVE Hugo"),
        ("APPROVE hugo and Ana", "[somme] APPROVE Hugo, APPROVE Ana"),
        ("REFUSE Zoe", "[somme] NOT done: REFUSE Zoe"),
    ],
)
def test_the_subject_of_the_answer_says_who_was_let_in(
    somme: Cast, text: str, subject: str
) -> None:
    mail = write("gm", text, sender=GM, to=as_gm(somme), subject="x")
    assert answer_to(mail).subject == subject


def test_a_yes_quoted_further_up_the_thread_is_about_the_mail_answered_last(somme: Cast) -> None:
    jobs.tell(NOW)
    hugo, ana = OutboundMail.objects.filter(kind="join_asked").order_by("pk")
    said = reply_to_gm("yes", ana, References=f"{hugo.message_id} {ana.message_id}")
    assert "Ana has a place in somme." in said
    assert places(somme) == {"Ana"}


def test_a_yes_of_another_account_does_not_count_by_a_mail_that_was_not_theirs(
    somme: Cast,
) -> None:
    co_gm_add(game=somme.game, email=DI, until=None, by="gm", now=NOW - HOUR)
    jobs.tell(NOW)
    to_gm = OutboundMail.objects.get(kind="join_asked", subject__contains="Ana", recipient=GM)
    to_di = OutboundMail.objects.get(kind="join_asked", subject__contains="Ana", recipient=DI)
    raw = eml("yes", sender=DI, to=to_di.reply_to, headers=f"In-Reply-To: {to_gm.message_id}\r\n")
    assert "Please write APPROVE and the name." in flat(answer_to(receive(raw)).body)
    assert places(somme) == set()


def test_whoever_lets_somebody_in_has_one_mail_of_it_and_others_who_run_the_game_too(
    somme: Cast,
) -> None:
    co_gm_add(game=somme.game, email=DI, until=None, by="gm", now=NOW - HOUR)
    said = order(somme, "APPROVE Ana", to=as_gm(somme))
    assert "Ana has a place in somme. 6 seats are still free." in flat(said)
    jobs.tell(NOW + HOUR)
    [mail] = OutboundMail.objects.filter(kind="player_joined", event__game=somme.game)
    assert (mail.recipient, mail.subject) == (DI, "[somme] Ana has joined")


def test_whoever_joins_by_an_invitation_is_told_to_all_alone(somme: Cast) -> None:
    order(somme, "APPROVE Ana", to=as_gm(somme))
    order(somme, "INVITE ben@players.test", to=as_gm(somme))
    game_join(game=somme.game, player=somme.player("Ben"), preferences="", now=NOW + HOUR)
    order(somme, "APPROVE Hugo", to=as_gm(somme))
    jobs.tell(NOW + HOUR)
    [mail] = OutboundMail.objects.filter(kind="player_joined", event__game=somme.game)
    assert (mail.recipient, mail.subject) == (GM, "[somme] Ben has joined")


@each_row(
    ("line", "said"),
    [
        ("APPROVE", "Please say whom. These wait: Hugo and Ana."),
        ("APPROVE Hugh", "Nobody called “Hugh” waits to be let in. Did you mean Hugo?"),
        ("APPROVE ben@players.test", "waits to be let in."),
        ("INVITE nobody", "nobody"),
        ("DENY", "keep people out of a game"),
    ],
)
def test_what_makes_no_sense_is_said_and_lets_nobody_in(somme: Cast, line: str, said: str) -> None:
    assert said.lower() in order(somme, line, to=as_gm(somme)).lower()
    assert places(somme) == set()


def test_people_are_invited_and_kept_out_by_mail_and_the_lists_are_in_status(somme: Cast) -> None:
    said = order(somme, "INVITE ben@players.test and far@away.test")
    assert "Invited to somme: ben@players.test and far@away.test." in said
    assert set(told("players_invited")) == {"ben@players.test"}
    assert "Kept out of somme: emma@players.test." in order(somme, "DENY emma@players.test")
    Game.objects.filter(pk=somme.game.pk).update(starts_at=NOW + DAY)
    shown = order(somme, "STATUS")
    assert "The game somme has not started: 7 of 7 seats are free. The game starts" in shown
    assert "Wait for your answer (APPROVE or REFUSE): Hugo (hugo@players.test), Ana" in shown
    assert "Invited: ben@players.test, far@away.test." in shown
    assert "Kept out: emma@players.test." in shown


def test_whoever_asked_and_was_refused_is_kept_out_by_name(somme: Cast) -> None:
    assert "Hugo cannot join somme." in order(somme, "REFUSE Hugo")
    assert "Kept out: Hugo." in order(somme, "STATUS")


def test_the_maker_of_a_private_game_runs_it_by_mail(marne: Cast) -> None:
    write("Hugo", "CREATE yser steady PRIVATE GM", to=home("Hugo"))
    game = Game.objects.get(name="yser")
    assert game.gm
    place = addresses.gm_address(user=game.gm, game=game, now=NOW)
    said = flat(answer_to(write("Hugo", "INVITE ana@players.test", to=place)).body)
    assert f"JOIN yser {game.code}" in said
    write("Ana", "JOIN yser France", to=home("Ana"))
    assert places(Cast(game, game.gm)) == {"Ana"}
