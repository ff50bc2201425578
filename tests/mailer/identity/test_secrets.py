"""The secrets in reply addresses: where they are shown, kept and believed, and where not."""

from __future__ import annotations

import io
import logging
import re
from typing import Any, cast

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils.module_loading import import_string
from pytest_django import Settings

from games.models import Conduct, Event, OrderSet
from games.services.adjudication.phases import phase_process_now
from games.services.moderation.staff import moderator_appoint, user_at
from mailer import jobs
from mailer.admin.visibility import sight
from mailer.models import InboundMail, OutboundMail, ReplyToken
from mailer.notices.messages import moderation_mail
from mailer.outbound import addresses
from tests.cast import DAY, HOUR, NOW, Cast, address_of
from tests.mailer import reports
from tests.mailer.correspondence import JUDGE, eml, home, receive, tell_all, to_seat, write
from tests.mailer.sink import running_sink

pytestmark = pytest.mark.django_db
State = InboundMail.State
TOKEN = re.compile(
    # With a letter beyond f: the random hexadecimal digits of a Message-ID are no token.
    r"(?<![a-z2-7])(?=[a-z2-7]*[2-7])(?=[a-z2-7]*[g-z])[a-z2-7]{27}(?![a-z2-7])",
    re.IGNORECASE,
)


def france(cast: Cast) -> str:
    return to_seat(cast)


# --- Reply-To -------------------------------------------------------------------------------


@pytest.mark.parametrize("reply_to", ["carla@players.test", "the reply address"])
def test_reply_to_makes_nobody_somebody_else(marne: Cast, reply_to: str) -> None:
    said = france(marne) if reply_to == "the reply address" else reply_to
    header = f"Reply-To: {said}\r\nSender: {address_of('Carla')}\r\n"
    for to in (JUDGE, france(marne)):
        mail = receive(eml("A Par H", sender="zoe@other.test", to=to, headers=header))
        assert mail.player != marne.player("Carla") or mail.state == State.HELD
    assert not OrderSet.objects.exists()


def test_no_mail_of_ours_goes_where_a_reply_to_says(marne: Cast) -> None:
    header = "Reply-To: mallory@other.test\r\n"
    receive(eml("LIST", sender=address_of("Carla"), headers=header))
    receive(eml("A Par H", sender=address_of("Carla"), to=france(marne), headers=header))
    receive(eml("A Par H", sender=address_of("Carla"), headers=header))
    recipients = set(OutboundMail.objects.values_list("recipient", flat=True))
    assert "mallory@other.test" not in recipients
    assert address_of("Carla") in recipients


# --- Replay ---------------------------------------------------------------------------------


def test_a_mail_that_is_sent_again_later_changes_nothing(marne: Cast) -> None:
    first = eml("A Par - Pic", sender=address_of("Carla"), to=france(marne))
    receive(first)
    write("Carla", "A Par - Bur", to=france(marne), received_at=NOW + HOUR)
    for hour in range(2, 5):
        again = b"Received: by relay%d.test\r\n" % hour + first
        mail = receive(again, received_at=NOW + hour * HOUR)
        assert mail.state == State.IGNORED
        assert not mail.answers.exists()
    assert OrderSet.objects.latest("pk").received_at == NOW + HOUR


def test_the_very_same_bytes_are_one_mail(marne: Cast) -> None:
    raw = eml("A Par - Pic", sender=address_of("Carla"), to=france(marne))
    receive(raw)
    receive(raw, received_at=NOW + HOUR)
    assert InboundMail.objects.count() == 1
    assert OrderSet.objects.count() == 1


# --- Kept and shown -------------------------------------------------------------------------


def test_a_token_s_row_holds_its_hash_only(marne: Cast) -> None:
    jobs.tell(NOW)
    secrets = {addresses._secret_in(mail.reply_to) for mail in OutboundMail.objects.all()} - {None}
    assert secrets
    kept = " ".join(str(vars(row)) for row in ReplyToken.objects.all())
    assert not any(str(secret) in kept for secret in secrets)
    bounces = OutboundMail.objects.values_list("message_id", "bounce_digest")
    for message_id, digest in bounces:
        assert addresses.bounce_digest(addresses.bounce_address(message_id)) == digest


def test_a_reply_address_in_what_somebody_writes_reaches_nobody_else(marne: Cast) -> None:
    """A reason stands in the log and on public pages, for ever."""
    moderator_appoint(user=user_at(email="di@staff.test", name="Di Dort"))
    hers, gm = france(marne), addresses.gm_address(user=marne.gm, game=marne.game, now=NOW)
    write(
        "Carla", f"EXTEND 12h because my mail to {hers.upper()}, which you gave me, failed", to=hers
    )
    write("Carla", f"MODERATOR\nI wrote to <{hers}> and to {home('Carla')}.\nEND", to=hers)
    write("GM", f"PAUSE because nothing comes to {gm}", to=gm, sender="gm@players.test")
    tell_all()
    moderation_mail.tell_all(NOW)
    told = OutboundMail.objects.filter(kind__in=["deadline_moved", "extension_asked", "asked"])
    told |= OutboundMail.objects.filter(kind="game_paused")
    assert {mail.kind for mail in told} == {"extension_asked", "asked", "game_paused"}
    said = [mail.body for mail in told] + [str(one.payload) for one in Event.objects.all()]
    said += [str(vars(one)) for one in Conduct.objects.all()]
    assert [text for text in said if "judge+[token]@game.test" in text.lower()]
    assert not [text for text in said if TOKEN.search(text)]


@pytest.mark.parametrize("plays", [True, False])
def test_an_operator_who_plays_does_not_see_who_gets_press_in_their_game(
    marne: Cast, client: Client, plays: bool
) -> None:
    write("Carla", "PRESS TO Germany\nLet us meet.\nEND", to=france(marne))
    tell_all()
    press = OutboundMail.objects.get(kind="press_sent")
    root = User.objects.create_superuser("root", address_of("Ben") if plays else "root@staff.test")
    client.force_login(root)
    rows = client.get(reverse("admin:mailer_outboundmail_changelist")).content.decode()
    address = reverse("admin:mailer_outboundmail_change", args=[press.pk])
    page = client.get(address)
    look = client.get(reverse("admin:mailer_outboundmail_look", args=[press.pk]))
    shown = address in rows, press.recipient in page.content.decode(), look.status_code == 200
    assert shown == ((False,) * 3 if plays else (True,) * 3)


def test_the_admin_shows_no_secret_of_any_mail(marne: Cast, client: Client) -> None:
    jobs.tell(NOW)
    order = write("Carla", "A Par - Bur", to=france(marne), subject=f"to {france(marne)}")
    lost = OutboundMail.objects.filter(recipient=address_of("Carla")).first()
    assert lost
    back = addresses.bounce_address(lost.message_id)
    said = f"smtp; 550 5.1.1 unknown, was from {back}"
    report = receive(reports.dsn(back, said=said))
    lost.refresh_from_db()
    lost.last_error = lost.bounce
    lost.save()
    assert report.bounce_of == lost
    client.force_login(User.objects.create_superuser("root"))
    pages = [
        reverse("admin:mailer_inboundmail_changelist"),
        reverse("admin:mailer_outboundmail_changelist"),
        reverse("admin:mailer_inboundmail_change", args=[order.pk]),
        reverse("admin:mailer_inboundmail_change", args=[report.pk]),
        reverse("admin:mailer_outboundmail_change", args=[lost.pk]),
        reverse("admin:games_player_change", args=[marne.player("Carla").pk]),
    ]
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200
        text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
        assert not TOKEN.search(text), page


def test_who_may_only_open_the_pages_of_mails_reads_no_orders_though_they_are_decided(
    marne: Cast,
) -> None:
    mail = write("Carla", "A Par - Bur", to=to_seat(marne))
    phase_process_now(game_id=marne.game.pk, now=NOW + DAY)
    operator, clerk = User.objects.create_superuser("op"), User.objects.create_user("clerk")
    assert (sight(operator, mail).may_read, sight(clerk, mail).may_read) == (True, False)


def test_nobody_who_reads_mails_gets_in_as_somebody_else(marne: Cast, client: Client) -> None:
    """An operator who is no superuser may read mails, but not choose a superuser's password."""
    root = User.objects.create_superuser("root", "root@staff.test")
    client.post("/admin/password/", {"email": root.email})
    mail = OutboundMail.objects.get(kind="password")
    link = re.search(r"/admin/password/([^/]+/[^/\s]+)/", mail.body)
    assert link
    reader = User.objects.create_user("reader", is_staff=True)
    rights = Permission.objects.filter(codename__in=("view_outboundmail", "view_open_orders"))
    reader.user_permissions.set(rights)
    client.force_login(reader)
    page = client.get(reverse("admin:mailer_outboundmail_change", args=[mail.pk]))
    assert "/admin/password/[token]/" in page.content.decode()
    assert link[1] not in page.content.decode()


@pytest.mark.django_db(transaction=True)
def test_no_log_line_of_a_busy_hour_has_a_secret(marne: Cast, settings: Settings) -> None:
    line: dict[str, Any] = dict(cast(Any, django_settings.LOGGING)["formatters"]["line"])
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(import_string(line.pop("()"))(line.pop("format"), **line))
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with running_sink() as sink:
            settings.EMAIL_URL = sink.url
            busy_hour(marne, sink)
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    text = stream.getvalue()
    assert "will not arrive" in text
    assert "[token]" in text
    ours = [said for said in text.splitlines() if "mail.log" not in said]  # the sink's own words
    assert not TOKEN.search("\n".join(ours))


def busy_hour(cast: Cast, sink: Any) -> None:
    jobs.tell(NOW)
    secret = addresses.bounce_address("<any@game.test>")
    sink.faults = [f"554 5.7.1 <{secret}>: refused", f"451 4.7.1 <{secret}>: greylisted"]
    jobs.outbox(NOW)
    write("Carla", "A Par - Bur", to=france(cast), subject=france(cast))
    write("Ben", f"A Par - Bur {france(cast)}", to=france(cast))
    receive(reports.dsn(addresses.bounce_address(OutboundMail.objects.latest("pk").message_id)))
    logging.getLogger("mailer").warning("Somebody wrote to %s", france(cast).upper())
    jobs.outbox(NOW + HOUR)
