"""What we found out about a game and about its players' mails, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.proofs.keys import PublicKey
from games.proofs.receipts import SignedReceipt, Statement, begun_in, found_in
from games.proofs.saved import Witness, witnesses_in
from games.queries import board
from games.queries.checking import faults as checking
from games.queries.checking.record import Entry, Record
from games.queries.reports.wording import counted

Keys = Mapping[str, PublicKey]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding, and whether all is well with it."""

    good: bool
    said: str


def _good(said: str) -> Finding:
    return Finding(good=True, said=said)


def _bad(said: str) -> Finding:
    return Finding(good=False, said=said)


@dataclass(frozen=True, slots=True)
class SavedMail:
    """A mail that a player kept: the name of its file, and its text."""

    name: str
    text: str


def findings(record: Record | None, mails: Sequence[SavedMail], keys: Keys) -> Iterator[Finding]:
    """Yield everything there is to say, the game first. Without a record the mails are checked by
    themselves."""
    if record:
        yield from _of_game(record)
    replaced = _seals_replaced(mails)
    for mail in mails:
        yield from _of_mail(mail, record, keys, replaced)


def _of_game(record: Record) -> Iterator[Finding]:
    wrong = list(checking.faults(record))
    yield from (_bad(fault) for fault in wrong)
    if wrong or not record.entries:
        return
    newest = record.entries[-1]
    yield _good(
        f"The log of {record.name} is whole: {counted(len(record.entries), 'entry', 'entries')}, "
        f"and the newest has the digest {newest.digest}.",
    )
    played = [one for one in record.phases if one.outcome is not None]
    sealed = sum(bool(_seals_in(one)) for one in _entries_of_phases(record))
    yield _good(
        f"{counted(len(played), 'phase was', 'phases were')} adjudicated, with sealed orders in "
        f"{sealed}. What could be adjudicated again came out the same.",
    )
    if dark := sum(entry.body is None for entry in record.entries):
        old = counted(dark, "entry", "entries")
        said = f"Of {old}, older than seals and with secrets, only the digest is known."
        yield _good(said)


def _entries_of_phases(record: Record) -> list[Entry]:
    return [entry for entry in record.entries if entry.kind == checking.PROCESSED]


def _seals_in(entry: Entry) -> Mapping[str, str]:
    seals = entry.said.get("seals")
    return seals if isinstance(seals, Mapping) else {}


def _seals_replaced(mails: Sequence[SavedMail]) -> set[str]:
    """The seals of orders that were replaced by others, as a later receipt at hand shows."""
    newest: dict[tuple[str, str, str], Statement] = {}
    seals: set[str] = set()
    statements = [one.statement for mail in mails for one in found_in(mail.text)]
    for one in sorted(statements, key=lambda one: one.received_at):
        before = newest.get((one.game, one.phase, one.power))
        if before:
            seals.add(before.seal)
        newest[one.game, one.phase, one.power] = one
    return seals - {one.seal for one in newest.values()}


def _of_mail(
    mail: SavedMail, record: Record | None, keys: Keys, replaced: set[str]
) -> Iterator[Finding]:
    receipts, witnesses = list(found_in(mail.text)), witnesses_in(mail.text)
    for receipt in receipts:
        told = _of_signature(receipt, keys)
        yield Finding(told.good, f"{mail.name}: {told.said}")
        if told.good and record:
            told = _of_use(receipt.statement, record, replaced)
            yield Finding(told.good, f"{mail.name}: {told.said}")
    for witness in witnesses:
        told = _of_witness(witness, record)
        yield Finding(told.good, f"{mail.name}: {told.said}")
    if begun_in(mail.text) > len(receipts):
        yield _bad(f"{mail.name}: a receipt in it is damaged; save the mail again.")
    elif not receipts and not witnesses:
        yield _bad(f"{mail.name}: there is no signed receipt and no digest in it.")


def _of_signature(receipt: SignedReceipt, keys: Keys) -> Finding:
    if receipt.key not in keys:
        return _bad(f"the receipt names the key {receipt.key}, which is not in the list of keys.")
    if not keys[receipt.key].has_signed(receipt.text, receipt.signature):
        return _bad(
            "the signature does not fit: the receipt was changed, or the server never wrote it.",
        )
    one = receipt.statement
    orders = "; ".join(one.orders) or "none"
    return _good(
        f"the server signed this receipt: for {_of_phase(one)}, by a mail that came "
        f"{one.received_at:%Y-%m-%d %H:%M:%S} UTC, these orders stood: {orders}.",
    )


def _of_use(one: Statement, record: Record, replaced: set[str]) -> Finding:
    """Whether the receipt's orders are those with which the phase was adjudicated."""
    if one.game.lower() != record.name.lower():
        return _bad(f"the receipt is for the game {one.game}, not for {record.name}.")
    seals = [
        _seals_in(entry).get(one.power)
        for entry in _entries_of_phases(record)
        if entry.phase == one.phase
    ]
    if not seals:
        return _good(f"{board.phase_title(one.phase)} is not processed yet.")
    if one.seal in seals:
        return _good("the game was played with exactly these orders.")
    if one.seal in replaced:
        return _good("other orders took their place: a later receipt here says so.")
    if _were_used(one, record):
        return _good("the game was played with these orders, as a later mail had them.")
    used = _used_in_words(one, record)
    return _bad(
        f"the game was played with other orders for {_of_phase(one)}: {used}. "
        "If no later mail of the player changed them, the server did.",
    )


def _were_used(one: Statement, record: Record) -> bool:
    return any(set(orders) == set(one.orders) for orders in _orders_of_each_time(one, record))


def _used_in_words(one: Statement, record: Record) -> str:
    told = ["; ".join(orders) or "none" for orders in _orders_of_each_time(one, record)]
    return " / ".join(told) or "nothing is known of them"


def _orders_of_each_time(one: Statement, record: Record) -> list[tuple[str, ...]]:
    """The orders of the receipt's power in that phase, once for each time the phase was played."""
    return [
        phase.revealed[one.power].orders
        for phase in record.phases
        if phase.name == one.phase and phase.outcome is not None and one.power in phase.revealed
    ]


def _of_witness(witness: Witness, record: Record | None) -> Finding:
    """Whether the log agrees with a result mail."""
    what = f"the digest of entry {witness.number} of the log"
    if record is None or witness.game.lower() != record.name.lower():
        return Finding(record is None, f"{what} of {witness.game}, to be held against its log.")
    found = next((one for one in record.entries if one.number == witness.number), None)
    if found is None:
        return _bad(
            f"the log ends with entry {len(record.entries)}, and the mail names entry "
            f"{witness.number}. If your proof file is older than the mail, fetch it again; if a "
            "new one ends before that entry, too, the log was cut off.",
        )
    if found.digest != witness.digest:
        return _bad(f"{what} is another one there: the log was changed since that mail.")
    if witness.result and found.said.get("result_sha256") != witness.result:
        return _bad(f"the result of {witness.phase} is another one in the log.")
    return _good(f"{what} stands there as the mail says: nothing before it was changed.")


def _of_phase(one: Statement) -> str:
    return f"{one.power} in {board.phase_title(one.phase)}, game {one.game}"
