"""An SMTP server that takes every mail and costs next to nothing.

The server of the tests looks at each line of a mail. For a mail with two pictures that takes longer
than writing it, so we would measure the measuring.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

END = b"\r\n.\r\n"
ANSWERS = {
    b"EHLO": b"250-taker\r\n250 PIPELINING\r\n",  # as every relay in use does
    b"DATA": b"354 Go on\r\n",
    b"QUIT": b"221 Bye\r\n",
}

Take = Callable[[bytes], None]
"""Gets the content of each mail, still with the dots of RFC 5321, 4.5.2."""


class Connection(asyncio.Protocol):
    """One connection: commands line by line, a mail's content as a whole."""

    def __init__(self, take: Take) -> None:
        self.take = take
        self.read = bytearray()
        self.searched = 0
        self.in_mail = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(b"220 taker\r\n")

    def data_received(self, data: bytes) -> None:
        self.read += data
        while self._content() if self.in_mail else self._command():
            pass

    def _command(self) -> bool:
        """Answer the next line, if all of it is here."""
        line, end, rest = self.read.partition(b"\r\n")
        if not end:
            return False
        self.read, word = rest, bytes(line[:4]).upper()
        self.transport.write(ANSWERS.get(word, b"250 OK\r\n"))
        self.in_mail = word == b"DATA"
        if word == b"QUIT":
            self.transport.close()
        return word != b"QUIT"

    def _content(self) -> bool:
        """Take the mail, if all of it is here."""
        end = self.read.find(END, max(0, self.searched - len(END)))
        if end < 0:
            self.searched = len(self.read)
            return False
        self.take(bytes(self.read[:end]))
        del self.read[: end + len(END)]
        self.searched, self.in_mail = 0, False
        self.transport.write(b"250 OK\r\n")
        return True


def forget(content: bytes) -> None:
    """Take a mail and keep nothing of it."""


@contextmanager
def taking(take: Take = forget) -> Iterator[str]:
    """Run such a server in a thread of its own; yield its EMAIL_URL."""
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(lambda: Connection(take), "127.0.0.1", 0))
    port = server.sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield f"smtp://127.0.0.1:{port}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.close()
