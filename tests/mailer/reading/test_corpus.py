"""The corpus: whole mails as people write them, each read as a fair game master would read it.

The mails, and what is expected of each, stand in `tests/mailer/corpus/*.txt`. Each is stored and
worked on as any mail is. What then stands for its power, and what the answer says, is compared.
"""

from __future__ import annotations

from copy import deepcopy
from email.parser import BytesParser
from email.policy import default
from functools import partial
from mimetypes import guess_type

import pytest

from games.models import Phase, Press
from games.models.prepared import TEXT, Given, Query
from games.queries.orders.current_orders import current_decisions
from mailer.commands.orders.viewpoint import Viewpoint
from mailer.models import InboundMail
from tests.cast import Cast, address_of, submit
from tests.mailer.corpus.mails import Mail, mails
from tests.mailer.corpus.scenes import address, scene
from tests.mailer.correspondence import answer_to, eml, flat, receive, write
from tests.rows import Rows, undone

pytestmark = pytest.mark.django_db
MAILS = mails()
_LETTERS = Query(lambda: Press.objects.filter(seat__power__name=Given("power", TEXT)))
_PHASE = Query(lambda: Phase.objects.select_related("game").filter(pk=Given("key")))


def test_no_two_mails_of_the_corpus_have_one_name() -> None:
    names = [mail.name for some in MAILS.values() for mail in some]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("file", MAILS)
def test_a_mail_is_read_as_its_game_master_would(file: str) -> None:
    with Rows() as rows:
        for moment in sorted({mail.scene for mail in MAILS[file]}):
            with undone():
                cast = scene(moment)
                for mail in MAILS[file]:
                    if mail.scene == moment:
                        rows.run(mail.name, partial(read_as_expected, mail, deepcopy(cast)))


def read_as_expected(mail: Mail, cast: Cast) -> None:
    """What stands then, what the answer says, and who gets a letter, is what the table says."""
    phase = cast.phase
    expected = Viewpoint.of(phase, mail.power).readings(mail.takes)
    said = answer_to(sent(mail, cast))
    assert written_to(cast, mail) == mail.told
    [phase] = _PHASE.all(key=phase.pk)
    stands = current_decisions(phase, cast.seat(mail.power).power)
    assert sorted(order for _, order in stands if order) == sorted(
        str(one.order) for one in expected
    )
    told = flat(f"{said.subject}\n{said.body}")
    for words in mail.says:
        assert words in told
    for words in mail.never:
        assert words not in told


def sent(mail: Mail, cast: Cast) -> InboundMail:
    """The mail, and what its power had sent before, stored and worked on."""
    if mail.had:
        submit(cast, mail.power, mail.had)
    name, to = address(cast, mail.scene, mail.power, mail.to)
    for text in mail.before:
        write(name, text, to=to)
    kind, _, file = mail.kind.partition(" ")
    body = "" if file else mail.body
    raw = eml(body, sender=f"{name} <{address_of(name)}>", to=to, subject=mail.subject)
    if file:
        raw = with_file(raw, file, mail.body.encode())
    return receive(raw.replace(b"text/plain", b"text/html") if kind == "html" else raw)


def written_to(cast: Cast, mail: Mail) -> tuple[str, ...]:
    """The powers that got a letter of the mail's writer, ALL for everybody, GM for the game
    master; nobody if none was passed on."""
    letters = _LETTERS.all(power=mail.power)
    readers = {
        name
        for letter in letters
        for name in (*letter.to, *["GM"] * letter.to_gm, *["ALL"] * letter.public)
    }
    return tuple(sorted(readers))


def with_file(raw: bytes, name: str, content: bytes) -> bytes:
    """The mail with a file beside its text, of the kind that its name says."""
    message = BytesParser(policy=default).parsebytes(raw)
    kind, _, subtype = (guess_type(name)[0] or "application/octet-stream").partition("/")
    message.add_attachment(content, maintype=kind, subtype=subtype, filename=name)
    return message.as_bytes()
