"""What a game master writes, and what comes back."""

from __future__ import annotations

from mailer.models import OutboundMail
from mailer.outbound import addresses
from tests.cast import NOW, Cast
from tests.mailer.correspondence import answer_to, flat, write

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
