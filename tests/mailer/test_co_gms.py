"""Who runs a game beside its GM: which mails they get, for how long, and what they can answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from django.contrib.auth.models import User

from games.models import CoGM, Game, Player
from games.queries.parsing.press_audience import Audience
from games.services.co_gms import co_gm_add, co_gm_remove
from games.services.deadlines import deadline_move
from games.services.extensions import extension_ask
from games.services.games import game_create
from games.services.joining import game_join
from games.services.press import press_send
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import DAY, HOUR, NOW, Cast
from tests.mailer.correspondence import answer_to, flat, home, write
from tests.mailer.test_gm import as_gm, order

pytestmark = pytest.mark.django_db
GM, DI = "gm@players.test", "di@players.test"


@pytest.fixture(autouse=True)
def today() -> Iterator[None]:
    """What somebody may do hangs on the machine's clock, too."""
    with time_machine.travel(NOW + HOUR, tick=False):
        yield


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


def test_a_deputy_is_told_that_they_are_one_and_until_when(helped: Cast) -> None:
    [(recipient, mail)] = told("co_gm_added").items()
    assert recipient == DI
    assert mail.subject == "[marne] You run this game, too"
    assert "gm lets you run the game marne until Wed 4 Mar 2026" in flat(mail.body)
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
    deadline_move(game=helped.game, to=NOW + 4 * DAY, why="Rest.", by="gm", now=NOW + HOUR)
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
    assert "To let them in, reply APPROVE Hugo; if not, reply REFUSE Hugo." in flat(asked.body)
    assert "We cannot say yet how reliable they are." in flat(asked.body)
    answer = answer_to(write("gm", "REFUSE Hugo because we are full", sender=GM, to=asked.reply_to))
    assert "Please write the name alone, Hugo: no reason is passed on." in flat(answer.body)
    said = answer_to(write("gm", "APPROVE Hugo", sender=GM, to=asked.reply_to)).body
    assert "Hugo has a place in somme." in said
    said = answer_to(write("gm", "refuse", sender=GM, to=asked.reply_to)).body
    assert "Ana cannot join somme." in said
    assert places(somme) == {"Hugo"}
    assert set(told("join_refused")) == {"ana@players.test"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("APPROVE", "Please say whom. These wait: Hugo and Ana."),
        ("APPROVE Hugh", "“Hugh” does not wait to be let in. Did you mean Hugo?"),
        ("APPROVE ben@players.test", "does not wait to be let in."),
        ("INVITE nobody", "nobody"),
        ("DENY", "keep people out of a game"),
    ],
)
def test_what_makes_no_sense_is_said_and_lets_nobody_in(somme: Cast, line: str, said: str) -> None:
    assert said.lower() in order(somme, line, to=as_gm(somme)).lower()
    assert places(somme) == set()


def test_people_are_invited_and_kept_out_by_mail_and_the_lists_are_in_status(somme: Cast) -> None:
    said = order(somme, "INVITE ben@players.test, far@away.test")
    assert "Invited to somme: ben@players.test and far@away.test." in said
    assert set(told("players_invited")) == {"ben@players.test"}
    assert "Kept out of somme: emma@players.test." in order(somme, "DENY emma@players.test")
    shown = order(somme, "STATUS")
    assert "Wait for your answer (APPROVE or REFUSE): Hugo (hugo@players.test), Ana" in shown
    assert "Invited: ben@players.test, far@away.test." in shown
    assert "Kept out: emma@players.test." in shown


def test_the_maker_of_a_private_game_runs_it_by_mail(marne: Cast) -> None:
    write("Hugo", "CREATE yser steady PRIVATE GM", to=home("Hugo"))
    game = Game.objects.get(name="yser")
    assert game.gm
    place = addresses.gm_address(user=game.gm, game=game, now=NOW)
    said = flat(answer_to(write("Hugo", "INVITE ana@players.test", to=place)).body)
    assert f"JOIN yser {game.code}" in said
    write("Ana", "JOIN yser France", to=home("Ana"))
    assert places(Cast(game, game.gm)) == {"Ana"}
