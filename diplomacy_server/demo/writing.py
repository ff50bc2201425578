"""The form that writes a mail to the judge as anybody; it goes through the mail server like any
other."""

from __future__ import annotations

import smtplib
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid

from django import forms
from django.conf import settings

from diplomacy_server.demo.cast import DOMAIN


class LetterForm(forms.Form):
    """Who writes what to whom."""

    sender = forms.EmailField(label="From", initial=f"you@{DOMAIN}")
    recipient = forms.EmailField(label="To", max_length=200)
    subject = forms.CharField(label="Subject (never needed)", required=False, max_length=150)
    body = forms.CharField(
        label="Text",
        widget=forms.Textarea(attrs={"rows": 7, "spellcheck": "false"}),
        initial="REGISTER Your Name",
        max_length=20_000,
    )
    answers = forms.CharField(widget=forms.HiddenInput, required=False, max_length=255)


def letter(*, sender: str, recipient: str, subject: str, body: str, answers: str) -> EmailMessage:
    """Return the mail as a person's mail program would write it."""
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = recipient
    message["Subject"] = " ".join(subject.split())
    message["Date"] = formatdate(usegmt=True)
    message["Message-ID"] = make_msgid(domain=DOMAIN)
    if answers:
        message["In-Reply-To"] = message["References"] = answers
    message.set_content(body)
    return message


def post(message: EmailMessage) -> None:
    """Hand a mail to the embedded mail server. Raises OSError if the server does not take it."""
    with smtplib.SMTP("127.0.0.1", settings.SMTP_PORT, timeout=10) as server:
        server.send_message(message)
