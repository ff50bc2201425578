"""INVITE, DENY: who may join a game that has not started, and who may not."""

from __future__ import annotations

from games.acts import invite
from games.models import Game
from mailer.commands.calls import Call, Takes
from mailer.commands.gm.base import ActCommand


class Invite(ActCommand[invite.Parameters]):
    name = "invite"
    aliases = ("allow",)
    usage = "INVITE addresses"
    summary = "let people join by their addresses"
    help = (
        "We mail those who are registered here. We do not say who they are, so send everybody the "
        "invitation yourself, too: the answer has the code they need to join, if the game has "
        "one. INVITE also takes a DENY back. STATUS lists who is invited.\n"
        "Example: INVITE hugo@players.example, ida@players.example"
    )
    act: invite.Invite | invite.Deny = invite.Invite()
    takes = Takes.SOMETHING

    def read(self, call: Call, game: Game) -> invite.Parameters:
        return invite.Parameters(emails=invite.addresses(call.argument))


class Deny(Invite):
    name = "deny"
    aliases = ("forbid",)
    usage = "DENY addresses"
    summary = "keep people out of a game that has not started"
    help = (
        "They cannot join, whatever code they have; we tell them when they try, or at once if they "
        "have asked to, and we tell nobody else. INVITE takes it back. STATUS lists who is kept "
        "out.\n"
        "Example: DENY hugo@players.example"
    )
    act = invite.Deny()
