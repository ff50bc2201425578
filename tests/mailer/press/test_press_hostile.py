"""A letter that gives its writer away wherever a letter can: none of it reaches the reader."""

from __future__ import annotations

import pytest

from games.models import Press
from mailer.models import InboundMail, OutboundMail
from tests.cast import Cast, address_of
from tests.mailer.correspondence import on_the_wire, receive, tell_all, to_seat

pytestmark = pytest.mark.django_db

LETTER = """\
Return-Path: <carla@players.test>
Received: from carlas-laptop.home.example ([198.51.100.7]) by mx.game.test
From: Carla Dupont <carla@players.test>
Sender: secretary@dupont.example
Reply-To: "Carla at work" <carla@work.example>
To: {to}
Cc: husband@dupont.example
Subject: =?utf-8?q?From_Carla_Dupont=2C_+33_1_23_45?=
Message-ID: <20260302.carla@carlas-laptop.home.example>
In-Reply-To: <old-press@carla.example>
References: <secret-thread@dupont.example> <old-press@carla.example>
X-Mailer: CarlaMail 3.1
X-Originating-IP: [198.51.100.7]
Organization: Dupont SA
Face: iVBORw0KGgo=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="mix"

--mix
Content-Type: multipart/alternative; boundary="alt"

--alt
Content-Type: text/plain; charset=utf-8; name="carla.txt"
Content-Transfer-Encoding: quoted-printable

PRESS TO Germany
Let us attack Italy. Write to {to} or to {upper}
or CARLA@PLAYERS.TEST. The word is {token} / {token_upper}.
END PRESS

--=20
Carla Dupont, 12 rue de Paris, +33 1 23 45

On Sun, 1 Mar 2026 at 10:00, Diplomacy <{to}> wrote:
> You play France, dear Carla.
> Reply to {to}

--alt
Content-Type: text/html; charset=utf-8

<p>PRESS TO Germany</p><img src="https://track.example/carla.gif"><p>Carla Dupont</p>

--alt--
--mix
Content-Type: text/vcard; name="Carla Dupont.vcf"
Content-Disposition: attachment; filename="Carla Dupont.vcf"

BEGIN:VCARD
FN:Carla Dupont
TEL:+33 1 23 45
END:VCARD

--mix--
"""

IDENTITY = (
    "carla",
    "dupont",
    "33 1 23",
    "198.51.100",
    "laptop",
    "husband",
    "secretary",
    "work.example",
    "track.example",
    "old-press",
    "secret-thread",
    "rue de paris",
    "vcard",
    "ivborw0",
)


def test_nothing_that_tells_who_wrote_or_how_to_write_for_them_reaches_the_reader(
    marne: Cast,
) -> None:
    to = to_seat(marne)
    token = to.partition("+")[2].partition("@")[0]
    text = LETTER.format(to=to, upper=to.upper(), token=token, token_upper=token.upper())
    mail = receive(text.replace("\n", "\r\n").encode())
    assert mail.state == InboundMail.State.DONE
    press = Press.objects.get()
    assert press.text.startswith("Let us attack Italy.")
    tell_all()
    told = OutboundMail.objects.get(kind="press_sent")
    assert told.recipient == address_of("Dmitri")
    sent = on_the_wire(told).lower()
    assert "let us attack italy." in sent
    for leak in (*IDENTITY, token):
        assert leak not in sent, leak


def test_the_log_and_the_receipt_of_others_show_nothing_of_it(marne: Cast) -> None:
    to = to_seat(marne)
    token = to.partition("+")[2].partition("@")[0]
    receive(LETTER.format(to=to, upper=to, token=token, token_upper=token).encode())
    [event] = marne.events("press_sent")
    assert "attack" not in str(event.payload)
    assert "France" not in str(event.payload)
