"""The relay as a process of its own, with faults by chance: mails put off, 250s lost.

Standard output has a line for each fault: `fault lost-250`, `fault 451`, …
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import signal

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.servers.relay import Fault, Relay

REFUSALS_OF_RECIPIENTS = ("450 4.2.0 Greylisted, try again later", "452 4.2.2 Mailbox full")
REFUSALS_OF_MAILS = ("451 4.3.0 Try again later", "421 4.3.2 Closing the connection")
MAILBOX_IS_AWAY = "451 4.3.0 The mailbox does not answer"


class FaultyRelay(Relay):
    """A relay that puts off or loses the answer to a `share` of the mails, as chance has it."""

    def __init__(self, *, port: int, lmtp_port: int, chance: random.Random, share: float) -> None:
        super().__init__(lmtp_port)
        self.port = port
        self.chance = chance
        self.share = share

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._happens():
            return self._refusal(REFUSALS_OF_RECIPIENTS)
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self._happens():
            return self._refusal(REFUSALS_OF_MAILS)
        try:
            return await super().handle_DATA(server, session, envelope)
        except OSError:  # smtplib's errors are OSErrors, too
            return self._refusal([MAILBOX_IS_AWAY])

    def _next_fault(self) -> Fault | None:
        """Asked once a mail, before it is delivered."""
        if not self._happens():
            return None
        print("fault lost-250", flush=True)
        return Fault.LOST_250

    def _happens(self) -> bool:
        return self.chance.random() < self.share

    def _refusal(self, answers: tuple[str, ...] | list[str]) -> str:
        answer = self.chance.choice(answers)
        print("fault", answer[:3], flush=True)
        return answer


async def serve(relay: FaultyRelay) -> None:
    """Listen until somebody asks us to end."""
    relay.start()
    asked = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, asked.set)
    await asked.wait()
    relay.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--lmtp-port", type=int, required=True)
    parser.add_argument("--share", type=float, required=True)
    parser.add_argument("--passes", action="append", default=[], help="a domain that DMARC proves")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    relay = FaultyRelay(
        port=arguments.port,
        lmtp_port=arguments.lmtp_port,
        # Not the run's seed: after each restart the same mails would meet the same faults.
        chance=random.Random(),
        share=arguments.share,
    )
    relay.verdicts = dict.fromkeys(arguments.passes, "dmarc=pass")
    asyncio.run(serve(relay))


if __name__ == "__main__":
    main()
