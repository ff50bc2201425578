"""Letters whose sender is forged, or of which two programs would read another sender.

Each is put into the mailbox as it stands here, {france} the reply address of France, which its
writer has got hold of. Carla plays France; players.test refuses mail that fails DMARC.
"""

from __future__ import annotations

import datetime as dt
from email.utils import format_datetime

import pytest
from pytest_django import Settings

from games.models import Application, Observer, OrderSet
from games.services.setup.games import game_create
from mailer.identity import directed
from mailer.letter import read_letter
from mailer.models import InboundMail
from mailer.reading.authentication import Verdict, verdict
from mailer.reading.headers import is_plain
from mailer.reading.parser import LONGEST_HEADER, LONGEST_LINE
from tests.cast import DAY, HOUR, NOW, Cast, address_of
from tests.mailer.correspondence import JUDGE, eml, flat, receive, to_seat
from tests.mailer.identity_tables import SERVER
from tests.mailer.signing import Domain, nameserver
from tests.rows import each_row

pytestmark = pytest.mark.django_db
State = InboundMail.State
ORDERS = "A Paris - Picardy\r\nA Marseilles - Gascony\r\nF Brest - English Channel\r\n"
PASSED = f"Authentication-Results: {SERVER}; dmarc=pass header.from=players.test\r\n"
EVIL = f"Authentication-Results: {SERVER}; dmarc=pass header.from=evil.test\r\n"
REST = "Subject: orders\r\nMessage-ID: <forged@evil.test>\r\n\r\n" + ORDERS

TWO_READINGS = {
    "from-behind-a-lone-cr": (
        f"{EVIL}X-Note: a\rFrom: carla@players.test\rTo: {{france}}\r\r{ORDERS}\r\n"
        f"From: Eve <eve@evil.test>\r\n{REST}"
    ),
    "from-behind-a-lone-cr-and-a-true-one": (
        f"X-Note: a\rFrom: carla@players.test\r\nTo: {{france}}\r\nFrom: eve@evil.test\r\n{REST}"
    ),
    "results-behind-a-lone-cr": (
        f"X-Note: a\r{PASSED[:-2]}\rTo: {JUDGE}\r\nFrom: carla@players.test\r\n{REST}"
    ),
    "two-crs-before-an-lf": f"X-Note: a\r\r\nFrom: carla@players.test\r\nTo: {{france}}\r\n{REST}",
    "from-with-a-blank-before-its-colon": (
        f"{EVIL}From : eve@evil.test\r\nFrom: carla@players.test\r\nTo: {{france}}\r\n{REST}"
    ),
    "only-a-from-with-a-blank-before-its-colon": (
        f"From : carla@players.test\r\nTo: {{france}}\r\n{REST}"
    ),
    "from-with-a-tab-before-its-colon": (
        f"From\t: eve@evil.test\r\nFrom: carla@players.test\r\nTo: {{france}}\r\n{REST}"
    ),
    "a-second-from": (
        f"From: carla@players.test\r\nFrom: eve@evil.test\r\nTo: {{france}}\r\n{REST}"
    ),
    "a-second-from-in-capitals": (
        f"From: carla@players.test\r\nTo: {{france}}\r\nFROM: eve@evil.test\r\n{REST}"
    ),
    "a-second-from-below-a-line-without-colon": (
        f"From: carla@players.test\r\nTo: {{france}}\r\nno header\r\nFrom: eve@evil.test\r\n{REST}"
    ),
    "a-second-from-behind-64-kilobytes": (
        f"From: carla@players.test\r\nTo: {{france}}\r\n{'X-Note: a' * 10_000}\r\n"
        f"{'X: a' * 100}\r\nFrom: eve@evil.test\r\n{REST}"
    ),
    "a-second-from-behind-a-byte-order-mark": (
        f"\ufeffFrom: carla@players.test\r\nTo: {{france}}\r\nFrom: eve@evil.test\r\n{REST}"
    ),
    "only-a-from-behind-a-byte-order-mark": (
        f"\ufeffFrom: carla@players.test\r\nTo: {{france}}\r\n{REST}"
    ),
    "from-as-the-rest-of-a-line-before-it": (
        f" From: eve@evil.test\r\nFrom: carla@players.test\r\nTo: {{france}}\r\n{REST}"
    ),
    "a-nul-in-the-header": (
        f"X-Note: a\0b\r\nFrom: carla@players.test\r\nTo: {{france}}\r\n{REST}"
    ),
    "no-name-before-the-colon": (f": a\r\nFrom: carla@players.test\r\nTo: {{france}}\r\n{REST}"),
    "another-address-as-the-name": (
        f"From: carla@players.test <eve@evil.test>\r\nTo: {{france}}\r\n{REST}"
    ),
    "two-addresses-in-one-from": (
        f"From: carla@players.test, eve@evil.test\r\nTo: {{france}}\r\n{REST}"
    ),
    "a-group": f"From: Carla: carla@players.test;\r\nTo: {{france}}\r\n{REST}",
    "no-from": f"Sender: carla@players.test\r\nTo: {{france}}\r\n{REST}",
    "an-empty-line-of-lf-and-crlf": (
        f"X-Note: a\n\r\nFrom: carla@players.test\r\nTo: {{france}}\r\n{REST}"
    ),
}


@pytest.fixture(autouse=True)
def trusted(settings: Settings) -> None:
    settings.TRUSTED_AUTHSERV_ID = SERVER


@pytest.fixture
def france(marne: Cast) -> str:
    return to_seat(marne)


@each_row("case", TWO_READINGS)
def test_a_header_with_two_readings_has_no_sender_and_is_held(france: str, case: str) -> None:
    raw = TWO_READINGS[case].format(france=france).encode()
    assert read_letter(raw).sender != address_of("Carla")
    mail = receive(raw)
    assert mail.state == State.HELD
    assert not OrderSet.objects.exists()


def test_the_owner_of_the_reply_address_is_asked_about_a_header_with_two_readings(
    marne: Cast, france: str
) -> None:
    raw = TWO_READINGS["from-with-a-blank-before-its-colon"].format(france=france).encode()
    mail = receive(raw)
    asked = mail.answers.get()
    assert asked.recipient == address_of("Carla")
    assert "its header can be read in two ways" in flat(asked.body)
    receive(eml("YES", sender=address_of("Carla"), to=asked.reply_to))
    assert OrderSet.objects.get().counts


def test_without_a_reply_address_who_alone_stands_in_the_from_line_is_asked(marne: Cast) -> None:
    raw = f"X-Note: a\rb\r\nFrom: carla@players.test\r\nTo: {JUDGE}\r\n{REST}".encode()
    assert receive(raw).answers.get().recipient == address_of("Carla")


def test_who_stands_in_a_from_line_beside_another_player_is_not_asked(marne: Cast) -> None:
    raw = f"From: carla@players.test, ben@players.test\r\nTo: {JUDGE}\r\n{REST}".encode()
    mail = receive(raw)
    assert mail.state == State.HELD
    assert not mail.answers.exists()


@pytest.mark.parametrize(
    "raw",
    [
        b"From: ana@players.test\r\nTo: x\r\n\r\nlone\rcr",
        b"From: ana@players.test\nTo: x\n\nFrom: ben@players.test\n",
        b"Received: by x;\r\n\tMon\r\nfrom: ana@players.test\r\n\r\n",
        b"From: ana@players.test\r\nX-Empty:\r\n\r\n",
        b"From: ana@players.test\r\nSubject: \xe4\xff\x1b$B\r\n\r\n",
        b"From: ana@players.test",
    ],
    ids=["cr-in-the-text", "lf-only", "folded", "empty-value", "eight-bits", "no-text"],
)
def test_what_people_s_programs_send_is_plain(raw: bytes) -> None:
    assert is_plain(raw)


def test_a_header_that_may_go_on_beyond_what_is_read_is_not_plain() -> None:
    """A second From may stand where it was cut off."""
    head = b"From: ana@players.test\r\n"
    assert is_plain(head + b"X-Long: " + b"a" * (LONGEST_HEADER - len(head) - 8))
    assert not is_plain(head + b"X-Long: " + b"a" * LONGEST_HEADER)


# --- signed by the player, but not for us, or not now ---------------------------------------


def signed_with(fields: str, *, domain: str = "players.test", made: int | None = None) -> str:
    stamp = f" t={made};" if made else ""
    return (
        f"DKIM-Signature: v=1; a=rsa-sha256; d={domain}; s=s1;{stamp}\r\n"
        f"\th={fields}; bh=abc=; b=def=\r\n"
    )


def dated(at: object) -> str:
    return f"Date: {at}\r\n"


def stretched(signature: str) -> str:
    """The signature with blanks before its domain, in the middle of which a reader stops."""
    before = signature.index("d=") - len("DKIM-Signature: ")
    lines, blanks = divmod(LONGEST_HEADER - before - len("d=play"), len(LINE))
    return signature.replace("d=", f"{LINE * lines}{' ' * blanks}d=")


LINE = "\r\n" + " " * 900
BLANKS = LINE * 23
TODAY = dated(format_datetime(NOW))
ALL = "from:to:cc:subject:date:message-id"
AGO = int((NOW - 30 * DAY).timestamp())

PASSED_ON = {
    "to-an-ally": f"{TODAY}To: dmitri@players.test\r\n",
    "to-an-ally-with-her-signature": f"{TODAY}To: dmitri@players.test\r\n{signed_with(ALL)}",
    "to-nobody": TODAY,
    "to-an-ally-delivered-to-us": f"Delivered-To: {JUDGE}\r\n{TODAY}To: dmitri@players.test\r\n",
    "to-us-in-a-second-to": f"To: {JUDGE}\r\n{TODAY}To: dmitri@players.test\r\n{signed_with(ALL)}",
    "to-us-in-a-cc-that-nobody-signed": (
        f"Cc: {JUDGE}\r\n{TODAY}To: dmitri@players.test\r\n{signed_with('from:to:date')}"
    ),
    "to-us-in-a-to-that-nobody-signed": (
        f"To: {JUDGE}\r\n{TODAY}{signed_with('from:subject:date')}"
    ),
    "one-of-two-signatures-covers-to": (
        f"To: {JUDGE}\r\n{TODAY}{signed_with(ALL)}{signed_with('from:date')}"
    ),
    "to-us-in-a-cc-below-many-signatures-of-others": (
        f"Cc: {JUDGE}\r\n{TODAY}To: dmitri@players.test\r\n"
        f"{signed_with('from', domain='evil.test') * 30}{signed_with('from:to:date')}"
    ),
    "to-us-in-a-cc-and-a-signature-stretched-with-blanks": (
        f"Cc: {JUDGE}\r\n{TODAY}To: dmitri@players.test\r\n"
        + signed_with("from:to:date").replace(" d=", BLANKS + " d=")
    ),
    "to-us-in-a-cc-and-a-signature-cut-off-in-its-domain": (
        f"Cc: {JUDGE}\r\n{TODAY}To: dmitri@players.test\r\n"
        + stretched(signed_with("from:to:date"))
    ),
    "to-somebody-who-calls-themselves-us": f'{TODAY}To: "{JUDGE}" <mallory@evil.test>\r\n',
    "to-somebody-who-calls-themselves-us-without-quotes": (
        f"{TODAY}To: {JUDGE} <mallory@evil.test>\r\n"
    ),
    "to-an-ally-with-our-address-in-a-comment": (
        f"{TODAY}To: dmitri@players.test (on the way to ({JUDGE}))\r\n"
    ),
    "to-an-ally-with-our-address-and-theirs-in-a-comment": (
        f"{TODAY}To: x (a (b) <{JUDGE}>) <mallory@evil.test>\r\n"
    ),
    "to-our-name-elsewhere": f"{TODAY}To: {JUDGE}.evil.test\r\n",
    "a-month-old": f"To: {JUDGE}\r\n{dated(format_datetime(NOW - 30 * DAY))}",
    "just-too-old": f"To: {JUDGE}\r\n{dated(format_datetime(NOW - directed.FRESH - HOUR))}",
    "from-the-day-after-tomorrow": f"To: {JUDGE}\r\n{dated(format_datetime(NOW + 2 * DAY))}",
    "no-date": f"To: {JUDGE}\r\n",
    "two-dates": f"To: {JUDGE}\r\n{TODAY}{TODAY}",
    "a-date-that-is-none": f"To: {JUDGE}\r\n{dated('yesterday')}",
    "a-date-that-nobody-signed": f"To: {JUDGE}\r\n{TODAY}{signed_with('from:to:subject')}",
    "a-signature-of-a-month-ago": f"To: {JUDGE}\r\n{TODAY}{signed_with(ALL, made=AGO)}",
}

MEANT_FOR_US = {
    "to-us": f"{TODAY}To: {JUDGE}\r\n",
    "to-us-among-others": f"{TODAY}To: Dmitri <dmitri@players.test>, Judge <{JUDGE}>\r\n",
    "to-us-by-our-own-name": f'{TODAY}To: "{JUDGE}, the judge" <{JUDGE}> (Diplomacy)\r\n',
    "to-us-in-a-group": f"{TODAY}To: Diplomats: D. Smith <d@x.test>, {JUDGE};\r\n",
    "a-copy-for-us": f"{TODAY}To: dmitri@players.test\r\nCc: {JUDGE}\r\n{signed_with(ALL)}",
    "signed-to-us": f"{TODAY}To: {JUDGE}\r\n{signed_with(ALL, made=int(NOW.timestamp()))}",
    "two-days-under-way": f"{dated(format_datetime(NOW - 2 * DAY))}To: {JUDGE}\r\n",
    "a-clock-that-is-fast": f"{dated(format_datetime(NOW + 6 * HOUR))}To: {JUDGE}\r\n",
    "a-clock-without-a-zone": f"{dated('Mon, 2 Mar 2026 11:00:00 -0000')}To: {JUDGE}\r\n",
    "signed-by-a-list-as-well": (
        f"{TODAY}To: {JUDGE}\r\n{signed_with('from', domain='list.test')}{signed_with(ALL)}"
    ),
}


def of_carla(headers: str, text: str = ORDERS) -> bytes:
    head = f"{PASSED}From: Carla <carla@players.test>\r\nMessage-ID: <plan@players.test>\r\n"
    return f"{head}Subject: our plan\r\n{headers}\r\n{text}".encode()


@each_row("case", PASSED_ON)
def test_a_proved_mail_to_others_or_of_long_ago_orders_nothing(marne: Cast, case: str) -> None:
    mail = receive(of_carla(PASSED_ON[case]))
    assert mail.state == State.HELD
    assert not OrderSet.objects.exists()
    assert mail.answers.get().recipient == address_of("Carla")


@each_row("case", MEANT_FOR_US)
def test_a_proved_fresh_mail_to_us_orders_without_a_reply_address(marne: Cast, case: str) -> None:
    mail = receive(of_carla(MEANT_FOR_US[case]))
    assert (mail.state, mail.proof) == (State.DONE, "authenticated")
    assert OrderSet.objects.get().counts


def test_the_question_says_why_a_proved_mail_to_others_is_held(marne: Cast) -> None:
    asked = receive(of_carla(PASSED_ON["to-an-ally"])).answers.get()
    assert "it was not addressed to us" in flat(asked.body)


def test_a_game_master_s_mail_to_a_player_ends_no_phase_and_pauses_nothing(marne: Cast) -> None:
    raw = of_carla(PASSED_ON["to-an-ally"], "GM marne EXTEND 24h because of rain\r\n")
    due = marne.phase.due_at
    mail = receive(raw.replace(b"carla@", b"gm@"))
    assert mail.state == State.HELD
    assert marne.phase.due_at == due


def test_a_reply_address_needs_no_date(marne: Cast, france: str) -> None:
    raw = f"{PASSED}From: carla@players.test\r\nTo: {france}\r\n\r\n{ORDERS}".encode()
    assert receive(raw).state == State.DONE


DELIVERED_TO_HER_ADDRESS = {
    "to-an-ally": "To: dmitri@players.test\r\n",
    "to-us-in-a-second-to": "To: {france}\r\nTo: dmitri@players.test\r\n",
    "to-somebody-who-calls-themselves-so": 'To: "{france}" <mallory@evil.test>\r\n',
    "to-us-in-a-cc-that-nobody-signed": (
        f"Cc: {{france}}\r\nTo: dmitri@players.test\r\n{signed_with('from:to:date')}"
    ),
}


@each_row("case", DELIVERED_TO_HER_ADDRESS)
def test_a_letter_to_others_that_is_passed_on_to_a_leaked_reply_address_orders_nothing(
    marne: Cast, france: str, case: str
) -> None:
    headers = f"Delivered-To: {france}\r\n{TODAY}{DELIVERED_TO_HER_ADDRESS[case]}"
    mail = receive(of_carla(headers.format(france=france)))
    assert mail.state == State.HELD
    assert not OrderSet.objects.exists()
    assert "it was not addressed to us" in flat(mail.answers.get().body)


def test_a_reply_address_counts_in_a_copy_and_where_the_mail_server_keeps_it(
    marne: Cast, france: str
) -> None:
    for headers in (
        f"Cc: {france}\r\nTo: dmitri@players.test\r\n{signed_with(ALL)}",
        f"Delivered-To: {france}\r\nTo: {JUDGE}\r\n",
    ):
        raw = f"From: carla@players.test\r\n{headers}\r\n{ORDERS}".encode()
        mail = receive(raw)
        assert (mail.state, mail.proof) == (State.DONE, "token")


def test_a_leaked_reply_address_is_no_use_when_our_server_read_another_sender(
    marne: Cast, france: str
) -> None:
    for said in ("fail", "pass", "none"):
        results = f"Authentication-Results: {SERVER}; dmarc={said} header.from=evil.test\r\n"
        mail = receive(eml(ORDERS, sender=address_of("Carla"), to=france, headers=results))
        assert mail.state == State.HELD
    assert not OrderSet.objects.exists()


def results_of(many: int, end: str) -> Verdict:
    """What we make of our server's results, of which this end begins after so many characters."""
    header = f"Authentication-Results: {f'{SERVER};':;<{many}}{end}\r\n"
    letter = read_letter(eml(ORDERS, sender="carla@players.test", headers=header))
    return verdict(letter.authentication, "carla@players.test", SERVER)


HALF = "dkim=pass header.d=players.test"
FAILS = "dmarc=fail header.from=players.test"


@pytest.mark.parametrize("read", [4 * LONGEST_LINE, LONGEST_HEADER])
def test_however_many_results_there_are_none_is_overlooked_and_no_name_is_cut(read: int) -> None:
    for at in range(read - len(HALF) - 5, read - len(HALF) + 5):
        assert results_of(at, f"{HALF}.evil.test; {FAILS}") is Verdict.FAILED
        assert results_of(at, f"{HALF}.evil.test") is not Verdict.PASSED
    assert results_of(read, FAILS) is Verdict.FAILED
    assert results_of(4 * LONGEST_LINE, "dmarc=pass header.from=players.test") is Verdict.PASSED


def test_our_own_look_at_a_signature_asks_for_a_plain_header_and_a_fresh_date(
    marne: Cast, settings: Settings
) -> None:
    settings.CHECK_DKIM = True
    domain = Domain("players.test")

    def written(at: dt.datetime = NOW) -> bytes:
        return eml(ORDERS, sender=address_of("Carla"), to=JUDGE, date=at)

    with nameserver(domain):
        assert receive(domain.signed(written(NOW - 9 * DAY))).state == State.HELD
        assert receive(domain.signed(written(), at=NOW - 9 * DAY)).state == State.HELD
        assert receive(b"X-Note: a\rb\r\n" + domain.signed(written())).state == State.HELD
        assert not OrderSet.objects.exists()
        assert receive(domain.signed(written())).state == State.DONE


# --- commands on nothing but a From line ----------------------------------------------------


@each_row("command", ["JOIN verdun France", "SIGNON verdun", "OBSERVE marne"])
def test_a_bare_from_line_neither_joins_nor_observes(marne: Cast, command: str) -> None:
    game_create(name="verdun", now=NOW)
    mail = receive(eml(command, sender=address_of("Hugo")))
    assert mail.state == State.HELD
    assert not Application.objects.filter(game__name="verdun").exists()
    assert not Observer.objects.exists()
    receive(eml("YES", sender=address_of("Hugo"), to=mail.answers.get().reply_to))
    observes = command.startswith("OBSERVE")
    assert Observer.objects.exists() is observes
    assert Application.objects.filter(game__name="verdun").exists() is not observes
