"""Real servers, started privately: free loopback ports, a temporary folder, gone afterwards.

A standard port of the machine is never used and a server already running is never touched. When
the tests run as root the servers run as an unprivileged user; otherwise as the caller.
"""

from __future__ import annotations

from tests.servers.dovecot import Dovecot
from tests.servers.postgres import Postgres
from tests.servers.process import MissingServer
from tests.servers.redis import Redis
from tests.servers.relay import Relay

__all__ = ["Dovecot", "MissingServer", "Postgres", "Redis", "Relay"]
