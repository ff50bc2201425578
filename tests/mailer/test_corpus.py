"""The corpus: whole mails as people write them, each read as a fair game master would read it.

The mails and what is expected of each stand in `corpus/*.txt`. Each is stored and worked on as any
mail is; what stands for its power then, and what the answer says, is compared.
"""

from __future__ import annotations

from email.parser import BytesParser
from email.policy import default
from mimetypes import guess_type

import pytest

from games.models import Phase, Press
from games.queries.current_orders import current_decisions
from mailer.commands.viewpoint import Viewpoint
from mailer.models import InboundMail
from tests.cast import Cast, address_of, submit
from tests.mailer.corpus.mails import Mail, mails
from tests.mailer.corpus.scenes import address, scene
from tests.mailer.correspondence import answer_to, eml, flat, receive, write

pytestmark = pytest.mark.django_db
MAILS = list(mails())


def test_no_two_mails_of_the_corpus_have_one_name() -> None:
    assert len({mail.name for mail in MAILS}) == len(MAILS)


@pytest.mark.parametrize("mail", MAILS, ids=lambda mail: mail.name)
def test_a_mail_is_read_as_its_game_master_would(mail: Mail) -> None:
    cast = scene(mail.scene)
    phase = cast.phase
    expected = Viewpoint.of(phase, mail.power).readings(mail.takes)
    said = answer_to(sent(mail, cast))
    assert written_to(cast, mail) == mail.told
    stands = current_decisions(Phase.objects.get(pk=phase.pk), cast.seat(mail.power).power)
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
    letters = Press.objects.filter(seat__power__name=mail.power)
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
