"""Real servers, started privately: free loopback ports, a temporary folder, gone afterwards.

A standard port of the machine is never used and a server already running is never touched. When
the tests run as root the servers run as an unprivileged user; otherwise as the caller.
Postfix is the exception: only root can start one.
"""

from __future__ import annotations

from tests.servers.dovecot import Dovecot
from tests.servers.postfix import Postfix
from tests.servers.postgres import Postgres
from tests.servers.process import MissingServer
from tests.servers.redis import Redis
from tests.servers.relay import Relay

__all__ = ["Dovecot", "MissingServer", "Postfix", "Postgres", "Redis", "Relay"]
