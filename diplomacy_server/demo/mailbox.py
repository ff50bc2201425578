"""A player's mailbox by IMAP: what waits in the INBOX, and the folder for finished mail."""

from __future__ import annotations

import contextlib

from django.conf import settings
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

DONE = "Archive"


class PlayersMailbox:
    """One person's mailbox; connects when it is first used, and again after `close`."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._client: IMAPClient | None = None

    def waiting(self) -> list[int]:
        """Return the UIDs of the mails in the INBOX, oldest first."""
        return sorted(self._connect().search())

    def is_unused(self) -> bool:
        """Say whether no mail has ever come."""
        status = self._connect().folder_status(DONE, ["MESSAGES"])
        return status[b"MESSAGES"] == 0 and not self.waiting()

    def fetch(self, uid: int) -> bytes:
        """Return a mail's bytes."""
        answer = self._connect().fetch([uid], ["BODY.PEEK[]"])
        return bytes(answer[uid][b"BODY[]"])

    def put_away(self, uid: int) -> None:
        """Move a mail out of the INBOX once it is dealt with."""
        self._connect().move([uid], DONE)

    def close(self) -> None:
        """Drop the connection."""
        if self._client:
            with contextlib.suppress(OSError, IMAPClientError):
                self._client.shutdown()
        self._client = None

    def _connect(self) -> IMAPClient:
        if self._client is None:
            client = IMAPClient("127.0.0.1", port=settings.IMAP_PORT, ssl=False, timeout=10)
            client.login(self._address, self._address.partition("@")[0])
            if not client.folder_exists(DONE):
                client.create_folder(DONE)
            client.select_folder("INBOX")
            self._client = client
        return self._client
