"""A game master who answers our question with other commands: we do those as in any other reply,
and the question stays open."""

from __future__ import annotations

from mailer.commands import gm
from mailer.commands.gm.mail import is_stale, whole_mail
from mailer.commands.gm.seats.approve import Approve
from mailer.commands.gm.seats.refuse import Refuse as RefusePlayer
from mailer.commands.lines.which_command import command_of
from mailer.commands.player import WORDS
from mailer.commands.player.consent.confirm import Confirm
from mailer.commands.player.consent.refuse import Refuse
from mailer.commands.receipt import Receipt
from mailer.commands.yes_and_no import begins_with_yes, is_no, takes_back
from mailer.identity.identify import not_answering
from mailer.identity.senders import AnsweringGm, GameMaster, Sender
from mailer.letter import Letter
from mailer.models import InboundMail

_ANSWERS = (Approve.name, RefusePlayer.name)
_GO_ON = ("continue", "activate", "begin")
"""Words of commands that may mean a yes when they stand alone."""
_SHORTEST_REPEATED = 10
"""How long a line of ours has to be so that nobody writes it by chance."""
_STILL_OPEN = (
    "What we asked you about still waits for your answer: reply YES or REFUSE to that question."
)
_NOT_ANY_MORE = (
    "What we asked you about is not done. The game has changed since, so a YES would do nothing: "
    "if you still want it, please send the command again."
)


def meant_as_commands(letter: Letter, sender: Sender) -> Sender:
    """The sender; somebody who answers our question with commands, and neither yes nor no, becomes
    the game master who sends them."""
    if not isinstance(sender, AnsweringGm) or any(_may_answer(one.text) for one in letter.lines):
        return sender
    calls = whole_mail(letter, sender.question.game).calls
    is_new = any(one.command in gm.COMMANDS for one in calls)
    return not_answering(sender, letter) if is_new and not _repeats_us(letter, sender) else sender


def _repeats_us(letter: Letter, sender: AnsweringGm) -> bool:
    """Whether the answer repeats our question without quote marks, as programs do that answer for
    people: “PAUSE in marne:” is a line of ours."""
    questions = sender.question.mail.answers.filter(kind="question")
    asked = " ".join(" ".join(one.body for one in questions).split())
    said = (" ".join(one.text.split()) for one in letter.lines)
    return any(one in asked for one in said if len(one) >= _SHORTEST_REPEATED)


def _may_answer(text: str) -> bool:
    """Whether a line may say yes or no."""
    if command_of(text, WORDS) in (Confirm.name, Refuse.name):
        return True
    if begins_with_yes(text) or is_no(text) or takes_back(text):
        return True
    said = text.lower().strip(" .,!?")
    return command_of(text, gm.WORDS) in _ANSWERS or said in _GO_ON


def still_open(sender: Sender) -> list[Receipt]:
    """The receipt about a question that such commands leave open; nothing if there is no
    question."""
    asked = sender.left_open if isinstance(sender, GameMaster) else None
    if asked is None or asked.mail.state != InboundMail.State.HELD:
        return []
    return [Receipt("Our question", _NOT_ANY_MORE if is_stale(asked) else _STILL_OPEN)]
