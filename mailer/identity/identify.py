"""Who wrote a mail, and how sure that is.

Two things together prove a sender: the secret in the address they wrote to, and a From line that is
exactly one of their confirmed addresses. Others can get hold of one of these: people forward mails
with their reply addresses, and a From line can be forged. If our own mail server vouches for the
From line (Authentication-Results), that replaces the secret, provided the mail was written to us
and is fresh (directed.py); if it says that the line is forged, nothing else helps. We hold a mail
without proof until the owner of the address of record says that it was theirs
(replies/questions.py). We never read Reply-To, which proves nothing, nor a token in the text, since
people quote texts.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth.models import User

from games.models import UNFINISHED, Player
from games.queries import lookup
from games.queries.access import roles
from games.queries.access.run_by import user_under
from mailer.identity import directed, senders
from mailer.identity.claims import answering, claimed_sender, holding, with_seat
from mailer.identity.senders import Proof, Sender
from mailer.letter import Letter
from mailer.models import ReplyToken
from mailer.outbound import addresses
from mailer.outbound.tokens import (
    ForAddress,
    ForGm,
    ForGmHeldMail,
    ForGmPress,
    ForHeldMail,
    ForModerators,
    ForMuster,
    ForOffer,
    ForPress,
    ForSeat,
    OfSeat,
    Token,
)
from mailer.reading.authentication import Verdict, names, verdict

Unproved = senders.Stranger | senders.PlayerAtLarge | senders.SeatHolder
"""Senders who may have nothing but their From line to show; it may be enough (directed.py)."""
Known = (
    Unproved
    | senders.Newcomer
    | senders.FurtherAddress
    | senders.Answering
    | senders.GameMaster
    | senders.AnsweringGm
)
"""Senders whose mail does not look forged, so that we may do something in it."""
OLD = dt.timedelta(days=60)
"""How long after a letter, or after the end of a phase, its reply address proves its sender: the
older a mail is, the more people may have got it passed on."""
OLD_ADDRESS = (
    "it answers a mail of more than two months ago, whose reply address others may have got hold of"
)
UNKNOWN_ADDRESS = (
    "it came to a reply address that does not work any more: it was changed, or the server was "
    "put back to an earlier state"
)
NOT_PLAIN = (
    "its header can be read in two ways, or its From line is not one plain address, so it "
    "does not say for sure who sent it"
)


def identify(
    letter: Letter,
    *,
    received_at: dt.datetime,
    signed_by: Sequence[str] = (),
    tokens: Sequence[ReplyToken] | None = None,
) -> Sender:
    """The sender of a letter that came at this time (docs/identity.md).

    `signed_by` are the domains whose DKIM signatures we found valid ourselves (dkim_check.py),
    `tokens` the valid rows that its recipients name, if somebody read them before.
    """
    email = letter.sender
    if email is None:
        return senders.Suspect("", NOT_PLAIN, _owner_of(letter))
    if tokens is None:
        token = addresses.find(letter.recipients, sender=email)
    else:
        token = addresses.token_meant(tokens)
    sender = claimed_sender(letter, email, token, received_at)
    if token is None and isinstance(sender, senders.PlayerAtLarge | senders.SeatHolder):
        unknown = addresses.have_secrets(letter.recipients)
        sender = dataclasses.replace(sender, doubt=UNKNOWN_ADDRESS if unknown else "")
    if isinstance(sender, senders.Suspect | senders.SuspectGm):
        return sender
    of_from_line = _verdict(letter, email, signed_by)
    if of_from_line is Verdict.FAILED:
        return _suspect(sender)
    sender = _lately_given(_unproved_by_forwards(sender, letter), token, received_at)
    if isinstance(sender, senders.GameMaster | senders.AnsweringGm):
        return sender
    if (
        isinstance(sender, senders.Stranger | senders.PlayerAtLarge | senders.SeatHolder)
        and of_from_line is Verdict.PASSED
    ):
        sender = _proved_by_domain(sender, letter, received_at)
    gm = _as_gm(sender, letter, received_at, as_themselves=isinstance(token, ForAddress))
    return dataclasses.replace(sender, gm=gm)


def confirmed_gm(answer: senders.AnsweringGm, held: Letter) -> senders.GameMaster:
    """The sender of a game master's held letter, after they told us to carry it out.

    They speak only as the game master; the letter says again which game they mean.
    """
    speaker = senders.GameMaster(
        answer.email, answer.question.user, Proof.CONFIRMED, subject=held.subject
    )
    match addresses.find(held.recipients):
        case ForGm() | ForGmHeldMail() as token:
            return dataclasses.replace(speaker, game=token.game)
        case ForGmPress() as token:
            return dataclasses.replace(speaker, game=token.game, answers=token)
        case _:
            return speaker


def not_answering(sender: senders.AnsweringGm, letter: Letter) -> senders.GameMaster:
    """The game master who answers our question with other commands.

    Their letter proves as much as one to their own reply address, and nothing about the held mail.
    """
    gm = dataclasses.replace(sender.gm, subject=letter.subject, left_open=sender.question)
    return dataclasses.replace(gm, proof=Proof.NONE) if directed.was_passed_on(letter) else gm


def confirmed_sender(player: Player, held: Letter, received_at: dt.datetime) -> Sender:
    """The sender of a held letter that came at this time, after its owner said that it was theirs.

    They keep the address that it came from; if that is one of theirs, the receipt goes there, too.
    """
    speaker = senders.PlayerAtLarge(held.sender or player.address, player, Proof.CONFIRMED)
    match addresses.find(held.recipients):
        case (ForSeat() | ForPress()) as token if token.seat.player_id == player.pk:
            return holding(speaker, token)
        case (ForModerators() | ForMuster() | ForOffer()) as token if (
            token.address.player_id == player.pk
        ):
            return answering(speaker, token, held.subject, received_at)
        case _:
            return with_seat(speaker, held.subject, received_at)


def _verdict(letter: Letter, email: str, signed_by: Sequence[str]) -> Verdict:
    """What our own mail server says about the From line, or else the signatures that we checked."""
    of_server = verdict(letter.authentication, email, settings.TRUSTED_AUTHSERV_ID)
    domain = email.rpartition("@")[2]
    if of_server is Verdict.UNKNOWN and any(names(signer, domain) for signer in signed_by):
        return Verdict.PASSED
    return of_server


def _suspect(sender: Known) -> senders.Suspect:
    """Somebody whose From line is forged, according to our mail server."""
    known = isinstance(sender, senders.PlayerAtLarge | senders.SeatHolder | senders.Answering)
    domain = sender.email.rpartition("@")[2]
    return senders.Suspect(
        sender.email,
        f"our mail server says that it did not come from {domain}",
        owner=sender.player if known else None,
    )


def _unproved_by_forwards(sender: Known, letter: Letter) -> Known:
    """The sender, unproved by the reply address if the mail was written to others."""
    if sender.proof is not Proof.TOKEN or not directed.was_passed_on(letter):
        return sender
    match sender:
        case senders.PlayerAtLarge() | senders.SeatHolder():
            return dataclasses.replace(sender, proof=Proof.NONE, doubt=directed.NOT_TO_US)
        case senders.GameMaster():
            return dataclasses.replace(sender, proof=Proof.NONE)
        case _:
            return sender


def _lately_given(sender: Known, token: Token | None, received_at: dt.datetime) -> Known:
    """The sender, unproved by a reply address that we last gave out long ago.

    The address of a phase, which may take months, is in all its mails; one without a phase is in
    mails of any age.
    """
    if not isinstance(sender, senders.SeatHolder) or not isinstance(token, OfSeat):
        return sender
    phase = token.phase if isinstance(token, ForSeat) else None
    can_be_old = phase.status not in UNFINISHED if phase else isinstance(token, ForPress)
    given_at = (phase and phase.processed_at) or token.given_at
    if not can_be_old or given_at is None or received_at - given_at <= OLD:
        return sender
    return dataclasses.replace(sender, proof=Proof.NONE, doubt=OLD_ADDRESS)


def _proved_by_domain(sender: Unproved, letter: Letter, received_at: dt.datetime) -> Unproved:
    """The sender, proved by their domain's word, unless that word proves nothing."""
    if sender.proof is not Proof.NONE:
        return sender
    if doubt := directed.doubt(letter, received_at):
        return dataclasses.replace(sender, doubt=doubt)
    return dataclasses.replace(sender, proof=Proof.AUTHENTICATED)


def _owner_of(letter: Letter) -> Player | None:
    """Whom to ask about a letter if nobody can say who sent it: the owner of the reply address, or
    else of the one registered address in its From lines."""
    match addresses.find(letter.recipients):
        case ForSeat(seat=seat) | ForPress(seat=seat):
            return seat.player
        case (
            ForAddress(address=address)
            | ForModerators(address=address)
            | ForMuster(address=address)
            | ForOffer(address=address)
        ):
            return address.player if address.confirmed_at else None
        case ForHeldMail() | ForGm() | ForGmPress() | ForGmHeldMail():
            return None
        case None:
            named = {lookup.player_by_address(one) for one in letter.claimed} - {None}
            return named.pop() if len(named) == 1 else None


def _as_gm(
    sender: Known, letter: Letter, at: dt.datetime, *, as_themselves: bool
) -> senders.GameMaster | None:
    """The sender as the game master they were at the time, by the account with this address, if a
    line begins with GM."""
    if not any(line.text[:2].lower() == "gm" for line in letter.lines):
        return None
    if user := account_under(sender.email, at):
        return senders.GameMaster(
            sender.email,
            user,
            sender.proof,
            subject=letter.subject,
            as_themselves=as_themselves,
        )
    return None


def account_under(email: str, at: dt.datetime) -> User | None:
    """The one admin account under this address, if it looked after a game then."""
    user = user_under(email)
    return user if user and roles.games_for(user, now=at).exists() else None
