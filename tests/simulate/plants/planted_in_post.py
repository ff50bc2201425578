"""More faults (`planted`): of mail that comes in and goes out: what it says, and when it came."""

from __future__ import annotations

import datetime as dt

from tests.simulate.plants import faults
from tests.simulate.plants.plant import Plant, instead

IN_POST: dict[str, Plant] = {
    "a mail that comes twice is not known": Plant(
        instead("mailer.inbound.one_mail.is_the_same", lambda mail, letter: False),
        "receipts",
        seed=47,
        hour=3.9,
    ),
    "a mail came when it was fetched": Plant(
        instead("mailer.inbound.store.store", faults.stored_now),
        "did not come at",
        seed=47,
        hour=3.9,
    ),
    "no deadline waits for mail that is unread": Plant(
        instead("mailer.inbound.outages.light", faults.no_light),
        "was adjudicated with",
        seed=4,
        in_every_run=False,
        hurries="slow",
    ),
    "orders are never late": Plant(
        instead("games.services.ordering.orders._is_late", lambda phase, received_at: False),
        "count that came too late",
        seed=47,
        hour=3.9,
    ),
    "another reads the receipt": Plant(
        instead("mailer.inbound.one_mail.reply", faults.told_to_greta),
        "tells that",
        seed=35,
        hour=0.01,
    ),
    "mails go to another": Plant(
        instead("mailer.outbound.outbox._row", faults.to_the_next),
        "' to dmitri@players.example",
        seed=47,
        hour=3.9,
    ),
    "what is sent is not marked": Plant(
        instead("mailer.outbound.marks.mark_sent", lambda mails, now: None),
        "sent again",
        seed=47,
        hour=3.9,
    ),
    "leases are not renewed": Plant(
        instead("mailer.outbound.leases.prolong", lambda token, now: None),
        "sent again",
        seed=60,
        hour=0.01,
    ),
    "a worker that stood still goes on": Plant(
        instead("mailer.outbound.sending.still_ours", lambda mail, now: True),
        "sent again",
        in_every_run=False,
        seed=4,
    ),
    "mails are tidied away unread": Plant(
        instead("mailer.inbound.poller._uids_done", faults.all_done),
        "is not in the database",
        in_every_run=False,
    ),
    "what a dead worker had is left alone": Plant(
        instead("mailer.inbound.retries._note_death", lambda mail_id, now: False),
        "never becomes quiet",
        in_every_run=False,
    ),
    "a unit is lost": Plant(
        instead("games.queries.board.adjudicate_orders", faults.one_unit_less),
        "units became",
        seed=47,
        hour=3.9,
    ),
    "a receipt names other orders than stand": Plant(
        instead("mailer.commands.texts.order_receipt.current_text", faults.first_order_twice),
        "was told that",
        seed=35,
        hour=2.5,
    ),
    "a deadline is told that is not kept": Plant(
        instead("mailer.notices.parts.sections.local_moment", faults.an_hour_later),
        "was adjudicated at its deadline",
        seed=35,
        hour=0,
    ),
    "whoever failed reads that they succeeded": Plant(
        instead("mailer.notices.parts.sections.own_orders", faults.all_succeed),
        ", and others",
        seed=47,
        hour=3.9,
    ),
    "the board is told without its first power": Plant(
        instead("mailer.notices.parts.sections.board", faults.one_power_less),
        "has another board than the tables",
        hour=0,
        seed=2,
    ),
    "each try has a Message-ID of its own": Plant(
        instead("mailer.outbound.smtp.compose", faults.named_anew),
        "none was queued as that",
        seed=47,
        hour=0.01,
    ),
    "half a mail is held for sent": Plant(
        instead("mailer.outbound.smtp.Session.send", faults.sent_whatever),
        "no relay has taken it",
        in_every_run=False,
    ),
    "the deadline's second is too late": Plant(
        instead("games.services.ordering.orders._is_late", faults.late_in_its_second),
        "was adjudicated with",
        in_every_run=False,
    ),
    "nonsense of a mailbox breaks the poll": Plant(
        instead("mailer.inbound.imap.FAULTS", (OSError,)),
        "mailer.jobs logged: Mail in",
        seed=4,
        in_every_run=False,
    ),
    "a clock that jumps is believed": Plant(
        instead("mailer.inbound.store.note_step", lambda step, now: None),
        "before its deadline",
        hurries="clock",
        seed=47,
        hour=3.9,
    ),
    "what could not be marked at once is forgotten": Plant(
        instead("mailer.outbound.marks.Marks.__exit__", faults.marked_once),
        "sent again",
        hurries="disk",
        seed=35,
        hour=3.9,
    ),
    "a full disk is the fault of a mail": Plant(
        instead("mailer.inbound.retries.is_of_the_database", lambda error: False),
        "is blamed for a full disk",
        hurries="disk",
        seed=2,
        hour=3.9,
    ),
    "a full disk is the fault of a phase": Plant(
        instead("games.services.adjudication.stuck.is_of_the_database", lambda error: False),
        "is blamed for a full disk",
        hurries="disk",
        seed=4,
        in_every_run=False,
        hour=3.9,
    ),
    "nobody hears of what the relay refuses": Plant(
        instead("mailer.inbound.bounces.refusals", lambda now: 0),
        "and nobody has noted it",
        hurries="gone",
        seed=4,
        days=3,
        in_every_run=False,
        hour=3.9,
    ),
    "no mail is on its way to the mailbox": Plant(
        instead("mailer.inbound.outages.settle_time", lambda phase: dt.timedelta(0)),
        "was adjudicated with",
        hurries="slow",
        seed=47,
        hour=3.9,
    ),
}
