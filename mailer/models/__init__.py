"""Mail in, mail out, and the secrets in reply addresses."""

from mailer.models.inbound import InboundMail, Mailbox, OrderMail
from mailer.models.outbound import AttachedFile, OutboundMail, Picture
from mailer.models.pace import DomainPace
from mailer.models.token import ReplyToken

__all__ = [
    "AttachedFile",
    "DomainPace",
    "InboundMail",
    "Mailbox",
    "OrderMail",
    "OutboundMail",
    "Picture",
    "ReplyToken",
]
