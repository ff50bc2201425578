"""The mail room for operators: what came in, what went out, what was set aside.

Mails hold orders and press. `visibility` decides how much of a mail, subject included, an operator
sees. To read the rest they use a page that asks why and tells the players. Reply addresses stay
secret for ever.
"""

from mailer.admin.inbound import InboundMailAdmin, MailboxAdmin
from mailer.admin.outbound import OutboundMailAdmin

__all__ = ["InboundMailAdmin", "MailboxAdmin", "OutboundMailAdmin"]
