"""A private PostgreSQL cluster: durable as the real one where a killed client is concerned."""

from __future__ import annotations

import signal
from typing import ClassVar, LiteralString

import psycopg

from tests.servers.process import Server, free_ports, program


class Postgres(Server):
    """One cluster with the superuser `app`; databases are made by the tests.

    It does not flush to the disk: our tests kill clients, never the machine under the server.
    """

    name = "PostgreSQL"
    package = "postgresql"
    stop_signal = signal.SIGINT  # "fast": does not wait for clients to go
    settings: ClassVar[dict[str, str]] = {
        "listen_addresses": "127.0.0.1",
        "fsync": "off",
        "synchronous_commit": "off",
        "full_page_writes": "off",
        "max_connections": "100",
        "log_min_messages": "warning",
    }

    def prepare(self) -> None:
        (self.port,) = free_ports(1)
        self.data = self.make_folder("data")
        self.sockets = self.make_folder("sockets")
        initdb = program("initdb", self.package)
        self.run(
            *(initdb, "-D", str(self.data), "-U", "app", "-A", "trust"),
            *("-E", "UTF8", "--locale=C.UTF-8", "--no-sync"),
        )

    def command(self) -> list[str]:
        settings = {**self.settings, "unix_socket_directories": str(self.sockets)}
        options = [part for item in settings.items() for part in ("-c", "=".join(item))]
        postgres = program("postgres", self.package)
        return [postgres, "-D", str(self.data), "-p", str(self.port), *options]

    def answers(self) -> bool:
        try:
            with psycopg.connect(self.url("postgres"), connect_timeout=20) as connection:
                connection.execute("select 1")
        except psycopg.OperationalError:
            return False
        return True

    def url(self, database: str) -> str:
        """DATABASE_URL of one database in this cluster."""
        return f"postgres://app@127.0.0.1:{self.port}/{database}"

    def create(self, database: str, template: str = "template1") -> str:
        """Make an empty database, or a copy of another, and return its DATABASE_URL."""
        self._do(f'create database "{database}" template "{template}"')
        return self.url(database)

    def drop(self, database: str) -> None:
        """Remove a database that nobody uses any more."""
        self._do(f'drop database "{database}"')

    def _do(self, statement: LiteralString) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)
