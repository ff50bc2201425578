"""`python -m diplomacy_server.embedded`: what `make run` runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from django.conf import settings

from diplomacy_server.embedded import plan, supervisor
from diplomacy_server.embedded.supervisor import CannotStart, StopRequested, say


def greeting() -> str:
    """Return the few lines that say where to look."""
    site = f"http://{plan.LOOPBACK}:{settings.WEB_PORT}"
    lines = [
        "",
        "Diplomacy by mail runs on this machine: seven scripted players have begun a game.",
        "",
        f"  Look      {site}/  games, all mail, how to take part",
        f"  Admin     {site}/admin/  user admin, password {plan.admin_password()}",
        "  Mail      to judge@localhost, from any address you like:",
        f"            SMTP {plan.LOOPBACK}:{settings.SMTP_PORT}; IMAP "
        f"{plan.LOOPBACK}:{settings.IMAP_PORT}, user you@players.example, password you",
        "  First     printf 'From: you@players.example\\n\\nREGISTER Your Name\\n' |",
        "              curl -sT - --mail-from you@players.example --mail-rcpt judge@localhost \\",
        f"              smtp://{plan.LOOPBACK}:{settings.SMTP_PORT}",
        f"  Logs      {settings.VAR_DIR / 'log'}",
        "  Stop      Ctrl-C; started again it goes on with the same games",
        "",
    ]
    if plan.broker_program() is None:
        lines.insert(2, "(No broker exists for this machine; a plain loop does the same jobs.)")
    return "\n".join(lines)


NO_OPTIONS = (
    "`make run` takes no options: it starts the server. For other ports put variables in front, "
    "for example: WEB_PORT=8001 SMTP_PORT=8026 IMAP_PORT=8144 make run"
)


def main(arguments: Sequence[str]) -> int:
    """Run until stopped; return the exit code. If somebody asks for help, start nothing yet."""
    if arguments:
        print(NO_OPTIONS)
        return 2
    os.umask(0o077)  # mails and orders are nobody else's to read, wherever their files are copied
    supervisor.stop_at_signals()
    try:
        supervisor.run(opened=lambda: say(greeting()))
    except StopRequested:
        say("\nStopped. `make run` goes on with the same games.")
    except CannotStart as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_server.settings")
    sys.exit(main(sys.argv[1:]))
