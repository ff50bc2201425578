"""Mail in, mail out, and the secrets in reply addresses."""

from mailer.models.click import Bulk, Click
from mailer.models.inbound import InboundMail, Mailbox, OrderMail
from mailer.models.outbound import AttachedFile, OutboundMail, Picture
from mailer.models.pace import DomainPace
from mailer.models.token import ReplyToken

__all__ = [
    "AttachedFile",
    "Bulk",
    "Click",
    "DomainPace",
    "InboundMail",
    "Mailbox",
    "OrderMail",
    "OutboundMail",
    "Picture",
    "ReplyToken",
]
