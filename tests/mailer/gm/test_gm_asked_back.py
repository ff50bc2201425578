"""What a game master writes that is grave: asked back with what will happen, and done once."""

from __future__ import annotations

import pytest

from games.models import Game, StaffEntry
from games.queries.orders.current_orders import current_decisions
from games.services.clock.deadlines import Mover, deadline_move
from mailer.models import InboundMail
from tests.cast import HOUR, NOW, Cast, submit
from tests.mailer.correspondence import answer_to, flat, to_seat, write
from tests.mailer.gm.writing import GM, as_gm, confirm, order, phase_names, question

pytestmark = pytest.mark.django_db
State = InboundMail.State


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
    deadline_move(game=marne.game, to=due_at + HOUR, why="x", by=Mover("the server"), now=NOW)
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
