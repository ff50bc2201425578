"""A private Postfix between our outbox and the world: a real mail server's reports come from it."""

from __future__ import annotations

import os
import shutil
import smtplib
from pathlib import Path

from tests.servers.process import Account, MissingServer, Server, free_ports, program

MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = {daemons}
maillog_file = /dev/stdout
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = relay.game.test
mydomain = game.test
mydestination =
alias_maps =
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
transport_maps = inline:{{ {routes} }}
default_transport = error:5.4.4 no route in the test network
disable_dns_lookups = yes
smtp_host_lookup = native
smtp_tls_security_level = none
smtp_connect_timeout = 2s
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 1s
maximal_queue_lifetime = {lifetime}
bounce_queue_lifetime = {lifetime}
delay_warning_time = {warning}
destination_concurrency_failed_cohort_limit = 0
default_destination_concurrency_failed_cohort_limit = 0
"""
MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


def can_run() -> bool:
    """Whether this user may start one: Postfix's master is root's alone."""
    return os.geteuid() == 0


class Postfix(Server):
    """A Postfix that relays by `routes`: a domain to the port of its mail server on this machine.

    What is for `home` goes into the private Dovecot by LMTP. It gives up soon: a mail that is put
    off is reported as late after a second, as lost after five.
    """

    name = "Postfix"
    package = "postfix"

    def __init__(self, *, lmtp_port: int, routes: dict[str, int], home: str = "game.test") -> None:
        if not can_run():
            raise MissingServer("Postfix can be started by root only")
        super().__init__()
        self.account = Account("root", "root", 0, 0)
        self.routes = [f"{home}=lmtp:[127.0.0.1]:{lmtp_port}"]
        self.routes += [f"{domain}=smtp:[127.0.0.1]:{port}" for domain, port in routes.items()]

    @property
    def url(self) -> str:
        """EMAIL_URL of this server."""
        return f"smtp://127.0.0.1:{self.port}"

    def prepare(self) -> None:
        (self.port,) = free_ports(1)
        postfix = program("postfix", self.package)
        self.folder.chmod(0o755)
        etc = self.folder / "etc"
        for name in ("etc", "spool", "data"):
            (self.folder / name).mkdir(mode=0o755)
        shutil.chown(self.folder / "data", "postfix")
        facts = {
            "folder": self.folder,
            "daemons": _daemons(),
            "routes": ", ".join(self.routes),
            "lifetime": "5s",
            "warning": "1s",
        }
        (etc / "main.cf").write_text(MAIN.format(**facts))
        (etc / "master.cf").write_text(MASTER.format(port=self.port))
        for name in ("postfix-files", "dynamicmaps.cf"):
            if (known := Path("/etc/postfix", name)).exists():
                shutil.copy(known, etc)
        self.run(postfix, "-c", str(etc), "check")  # makes the folders of the queue

    def command(self) -> list[str]:
        # Not "postfix start-fg": that one's server leaves the session we could end it by.
        return [str(_daemons() / "master"), "-s", "-c", str(self.folder / "etc")]

    def answers(self) -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as client:
                return client.noop()[0] == 250
        except OSError:
            return False


def _daemons() -> Path:
    """Where Postfix's own programs are; Debian and others differ."""
    folders = (Path("/usr/lib/postfix/sbin"), Path("/usr/libexec/postfix"))
    found = next((folder for folder in folders if (folder / "master").exists()), None)
    if found is None:
        raise MissingServer("postfix is not installed (Debian: apt-get install postfix)")
    return found
