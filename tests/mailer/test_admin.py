"""The admin of mails: read-only, escaped, without anybody's open orders or secrets."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from games.models.event import KIND_LABELS
from games.services.adjudication.phases import phase_process_now
from mailer import jobs, notices
from mailer.models import InboundMail, OutboundMail
from mailer.notices.kinds import KINDS, words_of
from tests.cast import HOUR, NOW, Cast
from tests.mailer.correspondence import eml, receive, to_seat, write

pytestmark = pytest.mark.django_db
State = InboundMail.State


@pytest.fixture
def operator(marne: Cast) -> User:
    """Comes after the cast, which is put back only where nobody is yet."""
    return User.objects.create_superuser("operator", "operator@players.test")


@pytest.fixture
def browser(client: Client, operator: User) -> Client:
    client.force_login(operator)
    return client


@pytest.fixture
def order_mail(marne: Cast) -> InboundMail:
    """A mail with orders for France in the open phase."""
    to = to_seat(marne)
    return write("Carla", "A Par - Bur\n<script>alert(1)</script>", to=to)


def page(browser: Client, row: InboundMail | OutboundMail) -> str:
    url = reverse(f"admin:mailer_{row._meta.model_name}_change", args=[row.pk])
    return browser.get(url).content.decode()


@pytest.mark.parametrize("model", ["mailbox", "inboundmail", "outboundmail"])
def test_every_list_opens(browser: Client, order_mail: InboundMail, model: str) -> None:
    answer = browser.get(reverse(f"admin:mailer_{model}_changelist"))
    assert answer.status_code == 200
    assert "Par - Bur" not in answer.content.decode()


def test_our_mails_are_listed_by_kind(browser: Client, order_mail: InboundMail) -> None:
    url = reverse("admin:mailer_outboundmail_changelist")
    kind = order_mail.answers.get().kind
    found = {one: browser.get(url, {"kind": one}).context["cl"] for one in (kind, "probe")}
    assert [cl.result_count for cl in found.values()] == [1, 0]
    said = browser.get(url).content.decode()
    assert said.count("answer to their mail") == 2, "in the filter and in the row"


SENDS = ("outbox.enqueue(", "operators.tell(")
SENT = re.compile(r'(?:KIND = |\bkind=)"(\w+)"')


def test_every_kind_of_mail_can_be_chosen_and_is_called_by_words() -> None:
    """Also those that tell of no event: their codes stand where they are sent."""
    folders = [settings.BASE_DIR / folder for folder in ("mailer", "diplomacy_server")]
    texts = [path.read_text() for folder in folders for path in folder.rglob("*.py")]
    sent = {
        kind for text in texts if any(one in text for one in SENDS) for kind in SENT.findall(text)
    }
    assert {"conduct", "password", "backup"} < sent
    assert sent <= set(KINDS)
    words = [words_of(kind) for kind in KINDS]
    assert len(set(words)) == len(words)
    assert {"GM left", "co-GM added"} < set(words)
    assert {"GM left", "Co-GM added"} < set(KIND_LABELS.values())


def test_open_orders_are_hidden_from_a_superuser(browser: Client, order_mail: InboundMail) -> None:
    for row in (order_mail, order_mail.answers.get()):
        text = page(browser, row)
        assert "hidden: it may hold orders" in text
        assert "Par - Bur" not in text
        assert "Paris - Burgundy" not in text


def look(browser: Client, row: InboundMail | OutboundMail, **typed: str) -> str:
    url = reverse(f"admin:mailer_{row._meta.model_name}_look", args=[row.pk])
    return (browser.post(url, typed) if typed else browser.get(url)).content.decode()


def test_a_look_shows_the_mail_escaped_and_without_its_secret(
    browser: Client, marne: Cast, order_mail: InboundMail
) -> None:
    assert "Look at what it says" in page(browser, order_mail)
    assert "Par - Bur" not in look(browser, order_mail)
    text = look(browser, order_mail, why="It broke the program.")
    assert "A Par - Bur" in text
    assert "<script>alert" not in text
    assert "judge+[token]@game.test" in text


def test_a_look_at_a_mail_is_told_to_the_players_of_its_game(
    browser: Client, marne: Cast, order_mail: InboundMail
) -> None:
    assert "Paris - Burgundy" in look(browser, order_mail.answers.get(), why="A complaint.")
    (event,) = marne.events("orders_looked_at")
    assert event.payload == {
        "phase": "S1901M",
        "what": ["a mail"],
        "powers": ["France"],
        "why": "A complaint.",
        "by": "operator",
    }


def test_a_look_without_a_reason_shows_nothing(
    browser: Client, marne: Cast, order_mail: InboundMail
) -> None:
    for why in ("", "   "):
        text = look(browser, order_mail, why=why, other="x")
        assert "Par - Bur" not in text
    assert marne.events("orders_looked_at") == []


def test_an_operator_who_plays_looks_at_no_mail_of_their_game(
    browser: Client, operator: User, marne: Cast, order_mail: InboundMail
) -> None:
    operator.email = "Ana@players.test"
    operator.save()
    url = reverse("admin:mailer_inboundmail_look", args=[order_mail.pk])
    assert browser.post(url, {"why": "Please."}).status_code == 403
    phase_process_now(game_id=marne.game.pk, now=NOW)
    assert "Par - Bur" not in page(browser, order_mail)


def test_a_mail_of_nobody_who_plays_is_simply_shown(browser: Client, marne: Cast) -> None:
    mail = receive(eml("STATUS marne", sender="hugo@players.test"))
    assert "STATUS marne" in page(browser, mail)


def test_a_mail_of_a_stranger_is_looked_at_for_a_reason_that_stays_with_it(
    browser: Client, marne: Cast
) -> None:
    mail = receive(eml("A Par - Bur", sender="stranger@players.test"))
    assert "Par - Bur" not in page(browser, mail)
    assert "A Par - Bur" in look(browser, mail, why="Who is this?")
    assert marne.events("orders_looked_at") == []
    url = reverse("admin:mailer_inboundmail_history", args=[mail.pk])
    assert "Who is this?" in browser.get(url).content.decode()


def test_orders_ahead_in_a_mail_stay_hidden_when_its_phase_is_over(
    browser: Client, marne: Cast
) -> None:
    to = to_seat(marne)
    mail = write("Carla", "A Par - Bur\nPHASE S1902M\nA Mar - Spa", to=to)
    phase_process_now(game_id=marne.game.pk, now=NOW)
    assert "Mar - Spa" not in page(browser, mail)


def test_the_mails_that_tell_of_press_are_hidden(browser: Client, marne: Cast) -> None:
    to = to_seat(marne)
    mail = write("Carla", "PRESS TO Italy\nMeet me in Tyrolia.\nEND PRESS", to=to)
    assert marne.game.press.exists()
    for event in marne.events("press_sent"):
        notices.tell_event(event, now=NOW)
    phase_process_now(game_id=marne.game.pk, now=NOW)
    told = OutboundMail.objects.get(kind="press_sent")
    for row in (mail, mail.answers.get(), told):
        assert "Tyrolia" not in page(browser, row)
    assert "Tyrolia" in look(browser, told, why="A complaint.")


def test_the_mail_is_shown_once_the_phase_is_over(
    browser: Client, marne: Cast, order_mail: InboundMail
) -> None:
    phase_process_now(game_id=marne.game.pk, now=NOW)
    assert "A Par - Bur" in page(browser, order_mail)
    assert "Paris - Burgundy" in page(browser, order_mail.answers.get())


def test_a_held_mail_stays_hidden(browser: Client, marne: Cast) -> None:
    held = write("Carla", "A Par - Bur")
    phase_process_now(game_id=marne.game.pk, now=NOW)
    assert "A Par - Bur" not in page(browser, held)


@pytest.mark.parametrize("model", ["inboundmail", "outboundmail"])
def test_nothing_can_be_added_changed_or_deleted(
    browser: Client, order_mail: InboundMail, model: str
) -> None:
    row = order_mail if model == "inboundmail" else order_mail.answers.get()
    assert browser.get(reverse(f"admin:mailer_{model}_add")).status_code == 403
    for action in ("change", "delete"):
        url = reverse(f"admin:mailer_{model}_{action}", args=[row.pk])
        assert browser.post(url, {"state": "new"}).status_code == 403


@pytest.mark.parametrize(
    "lookup", ["inboundmail/?raw__contains=A", "outboundmail/?body__contains=A"]
)
def test_secrets_cannot_be_found_out_by_filters(
    browser: Client, order_mail: InboundMail, lookup: str
) -> None:
    answer = browser.get(f"/admin/mailer/{lookup}")
    assert answer.status_code in (302, 400)


def test_mails_that_were_set_aside_can_be_run_again(browser: Client, marne: Cast) -> None:
    mail = receive(eml("LIST", sender="carla@players.test"))
    InboundMail.objects.update(state=State.QUARANTINED, attempts=3)
    answer = browser.post(
        reverse("admin:mailer_inboundmail_changelist"),
        {"action": "run_again", "_selected_action": [mail.pk]},
        follow=True,
    )
    assert "1 mail will be tried again" in answer.content.decode()
    mail.refresh_from_db()
    assert (mail.state, mail.attempts) == (State.NEW, 0)


def test_mails_that_were_set_aside_can_be_let_go(browser: Client, marne: Cast) -> None:
    mail = receive(eml("LIST", sender="carla@players.test"))
    InboundMail.objects.update(state=State.QUARANTINED)
    mail.holds.add(marne.game)
    for said in ("No game waits for 1 mail any longer", "None of these mails was set aside"):
        answer = browser.post(
            reverse("admin:mailer_inboundmail_changelist"),
            {"action": "let_go", "_selected_action": [mail.pk]},
            follow=True,
        )
        assert said in answer.content.decode()
    mail.refresh_from_db()
    assert mail.released_at is not None
    [noted] = LogEntry.objects.filter(object_id=str(mail.pk))
    assert "Let it go" in noted.change_message


def test_forged_mails_that_wait_can_be_left_unanswered(
    browser: Client, marne: Cast, settings: Settings
) -> None:
    settings.STRANGERS_PER_HOUR = 1
    mails = [receive(eml("LIST", sender=f"one{n}@elsewhere.test")) for n in range(4)]
    answer = browser.post(
        reverse("admin:mailer_inboundmail_changelist"),
        {"action": "leave_unanswered", "_selected_action": [one.pk for one in mails[:3]]},
        follow=True,
    )
    assert "2 mails will not be answered." in answer.content.decode()
    states = [InboundMail.objects.get(pk=one.pk).state for one in mails]
    assert states == [State.DONE, State.IGNORED, State.IGNORED, State.LATER]
    jobs.process(timezone.now() + HOUR)
    answered = InboundMail.objects.exclude(answers=None)
    assert [one.pk for one in answered.order_by("pk")] == [mails[0].pk, mails[3].pk]


def test_mails_that_failed_can_be_sent_again(browser: Client, order_mail: InboundMail) -> None:
    OutboundMail.objects.update(state=OutboundMail.State.FAILED, attempts=9)
    mail = order_mail.answers.get()
    answer = browser.post(
        reverse("admin:mailer_outboundmail_changelist"),
        {"action": "send_again", "_selected_action": [mail.pk]},
        follow=True,
    )
    assert "1 mail will be sent again" in answer.content.decode()
    mail.refresh_from_db()
    assert (mail.state, mail.attempts) == (OutboundMail.State.QUEUED, 0)


def test_who_may_only_look_runs_nothing_again(client: Client, marne: Cast) -> None:
    looker = User.objects.create_user("looker", "", "looker", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_inboundmail"))
    client.force_login(looker)
    mail = receive(eml("LIST", sender="carla@players.test"))
    InboundMail.objects.update(state=State.QUARANTINED)
    for action in ("run_again", "let_go", "leave_unanswered"):
        client.post(
            reverse("admin:mailer_inboundmail_changelist"),
            {"action": action, "_selected_action": [mail.pk]},
        )
    mail.refresh_from_db()
    assert (mail.state, mail.released_at) == (State.QUARANTINED, None)
