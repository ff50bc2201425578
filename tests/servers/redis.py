"""A private Redis, the broker of the Celery processes under test."""

from __future__ import annotations

import redis

from tests.servers.process import Server, free_ports, program


class Redis(Server):
    """One Redis without persistence: all that it holds may be lost at any time."""

    name = "Redis"
    package = "redis-server"

    def prepare(self) -> None:
        (self.port,) = free_ports(1)

    def command(self) -> list[str]:
        settings = {
            "--port": str(self.port),
            "--bind": "127.0.0.1",
            "--dir": str(self.folder),
            "--save": "",
            "--appendonly": "no",
            "--maxmemory-policy": "noeviction",
            "--daemonize": "no",
        }
        options = [part for item in settings.items() for part in item]
        return [program("redis-server", self.package), *options]

    def answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=20) as client:
                return bool(client.ping())
        except redis.ConnectionError:
            return False

    @property
    def url(self) -> str:
        """CELERY_BROKER_URL of this server."""
        return f"redis://127.0.0.1:{self.port}/0"

    def empty(self) -> None:
        """Forget everything."""
        with redis.Redis.from_url(self.url, socket_timeout=20) as client:
            client.flushall()
