"""The mail room for operators: what came in, what went out, what was set aside.

Mails hold orders and press. `visibility` decides what a mail shows, its subject included; an
operator looks at it on a page that asks why and has the players told. Reply addresses stay secret
for ever.
"""

from mailer.admin.inbound import InboundMailAdmin, MailboxAdmin
from mailer.admin.outbound import OutboundMailAdmin

__all__ = ["InboundMailAdmin", "MailboxAdmin", "OutboundMailAdmin"]
