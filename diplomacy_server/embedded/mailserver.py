"""The embedded mail server: an SMTP door and IMAP mailboxes on 127.0.0.1, for `make run` only.

Every address has a mailbox here and no mail leaves the machine. A mail is on disk before its sender
is told "250". Like a real mail server it puts Return-Path, Delivered-To (with the "+token" that the
IMAP user name lacks) and Received above what came.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import email.utils
import logging
import os
import signal
import uuid
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, cast

from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from proxyprotocol.sock import SocketInfoLocal
from pymap.backend.dict import DictBackend
from pymap.imap import IMAPServer

from diplomacy_server.embedded.mailboxes import Post

MAX_BYTES = 10_000_000


class Door:
    """What the SMTP server does with a mail."""

    def __init__(self, post: Post) -> None:
        self._post = post

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Store the mail for each recipient; answer 250 only when it is on disk."""
        now = dt.datetime.now(dt.UTC)
        content = envelope.original_content or b""
        for recipient in envelope.rcpt_tos:
            trace = _trace(envelope.mail_from or "", recipient, now)
            await self._post.deliver(recipient, trace + content, now)
        return "250 Stored"


class WholeLines:
    """A stream writer that sends a response in one piece.

    pymap writes a response word by word. A client in IDLE that wakes at the first word may mistake
    half a line for a broken connection, as imapclient 4.1 does.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._pending = bytearray()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._writer, name)

    def write(self, data: bytes) -> None:
        """Hold back the bytes until the response is complete."""
        self._pending += data

    async def drain(self) -> None:
        """Send what was held back."""
        self._flush()
        await self._writer.drain()

    def close(self) -> None:
        """Send what was held back, and close."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._pending:
            self._writer.write(bytes(self._pending))
            self._pending.clear()


async def start_imap(backend: DictBackend, port: int, stack: AsyncExitStack) -> None:
    """Let IMAP clients in until the stack is closed."""
    imap = IMAPServer(backend.login, backend.config)

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Awaited here instead of handed to pymap's own callback. That callback starts a task which
        # nobody holds, and Python 3.13 collects it as garbage while it waits in IDLE.
        lines = cast(asyncio.StreamWriter, WholeLines(writer))
        await imap(reader, lines, SocketInfoLocal(lines, unique_id=uuid.uuid4().bytes))

    server = await asyncio.start_server(client, host="127.0.0.1", port=port)
    stack.callback(server.close)


def _trace(sender: str, recipient: str, now: dt.datetime) -> bytes:
    lines = [
        f"Return-Path: <{sender}>",
        f"Delivered-To: {recipient}",
        "Received: from localhost (localhost [127.0.0.1]) by localhost with ESMTP;",
        f"\t{email.utils.format_datetime(now)}",
    ]
    return "".join(f"{line}\r\n" for line in lines).encode("utf-8", "replace")


async def serve(*, root: Path, smtp_port: int, imap_port: int, judge: str) -> None:
    """Serve until SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    post = Post(root=root, port=imap_port, judge=judge)
    backend = await post.backend()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with AsyncExitStack() as stack:
        await start_imap(backend, imap_port, stack)
        door = await loop.create_server(
            lambda: SMTP(
                Door(post),
                hostname="localhost",
                data_size_limit=MAX_BYTES,
                enable_SMTPUTF8=True,
                loop=loop,
            ),
            host="127.0.0.1",
            port=smtp_port,
        )
        stack.callback(door.close)
        await stop.wait()


def main() -> None:
    """Run the embedded mail server as the settings say."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")
    # pymap greets with the machine's full name and would ask the network for it.
    os.environ.setdefault("FQDN", "localhost")
    asyncio.run(
        serve(
            root=settings.VAR_DIR / "mail",
            smtp_port=settings.SMTP_PORT,
            imap_port=settings.IMAP_PORT,
            judge=settings.JUDGE_ADDRESS,
        )
    )


if __name__ == "__main__":
    main()
