"""Whether others reach us: the workers by the broker, and visitors by the address of our pages."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from django.conf import settings

from diplomacy_server.celery import app
from diplomacy_server.doctor.lines import Line, Teller, first_line, on_other_ports
from games.errors import BadInput
from games.proofs.keys import keys_listed
from games.queries.reports.wording import counted

SECONDS = 6.0
"""How long we wait for the workers. Each answers when its task is done: seconds, if it is not ill.
"""
START = "Start diplomacy-worker, if you have not yet."
ASK_AGAIN = " One that waits for a slow relay answers afterwards: then ask again in three minutes."
PAGE_SECONDS = 10.0
LONGEST_LIST = 1024**2
"""Bytes of a list of keys that are read."""
OURS = "mailer.tasks."


def look_at_workers() -> Iterator[Line]:
    """Say whether any worker works for us, and whether another program's takes our tasks away.

    Celery's queue is called `celery` everywhere: two programs that share a broker's database take
    each other's tasks, and drop them.
    """
    tell = Teller("worker")
    # Not by `inspect`, which counts workers of the same name once, and warns of them.
    asked = {"arguments": {"taskinfoitems": ()}, "reply": True, "timeout": SECONDS}
    replies = app.control.broadcast("registered", **asked) or []
    known = [each for reply in replies for each in reply.items()]
    ours = [name for name, tasks in known if any(task.startswith(OURS) for task in tasks)]
    if strangers := _on_our_queues(sorted({name for name, _ in known} - set(ours))):
        yield tell.mend(
            f"A worker of another program takes our tasks, and drops them: {', '.join(strangers)}.",
            "Give us a database of the broker to ourselves: end CELERY_BROKER_URL in a number that "
            "nobody else uses, for example /7.",
        )
    if ours:
        yield tell.ok(f"{counted(len(ours), 'worker')} at work.")
    else:
        yield tell.look("None answers.", START + ASK_AGAIN)


def _on_our_queues(workers: list[str]) -> list[str]:
    if not workers:
        return []
    queues = {queue.name for queue in app.conf.task_queues}
    taken = app.control.inspect(workers, timeout=SECONDS).active_queues() or {}
    return [name for name in workers if queues & {one["name"] for one in taken.get(name, [])}]


def look_at_pages() -> Iterator[Line]:
    """Ask for a page of ours as visitors do: by SITE_URL, to which all our mails link."""
    tell, url = Teller("pages"), settings.SITE_URL
    try:
        with urlopen(f"{url}/healthz/live", timeout=PAGE_SECONDS) as answer:
            ours = answer.read(100).strip() == b"ok"
    except HTTPError as error:
        yield tell.look(f"{url} answers {error.code}.", _advice(error.code))
    except (OSError, ValueError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else error
        says = reason.verify_message if isinstance(reason, ssl.SSLCertVerificationError) else ""
        yield tell.look(
            f"{url} does not answer: {says or first_line(OSError(reason))}.",
            "See to the proxy, its certificate, and the DNS record A of that name. Some networks "
            "cannot reach themselves by their own name: then try from another."
            f"{on_other_ports(url)}",
        )
    else:
        if not ours:
            yield tell.look(f"{url} shows other pages than ours.", "See to SITE_URL and the proxy.")
        elif missing := _keys_missing(url):
            yield tell.mend(
                f"{url} does not show the key that signs our receipts ({missing}).",
                "If it leads to another server, see to SITE_URL. If not, copy receipts.pub to the "
                "machine that serves the pages.",
            )
        else:
            yield tell.ok(f"{url} shows our pages.")


def _keys_missing(url: str) -> str:
    """Return the names of our public keys that the pages do not show: then they may be another
    server's."""
    try:
        ours = keys_listed(settings.RECEIPT_KEY_FILE) if settings.RECEIPT_KEY_FILE.exists() else {}
        with urlopen(f"{url}/proofs/keys.txt", timeout=PAGE_SECONDS) as answer:
            shown = answer.read(LONGEST_LIST).decode("utf-8", "replace")
    except (BadInput, OSError, HTTPException):
        return ""  # `check` looks at the list, and the pages answered just now
    return ", ".join(name for name in ours if name not in shown)


def _advice(code: int) -> str:
    if code == 400:
        return "Add the name in SITE_URL to ALLOWED_HOSTS, and restart diplomacy-web."
    if code in (502, 503, 504):
        return "Start diplomacy-web, if you have not yet; its log says why it stopped."
    return "See to SITE_URL and the proxy: another site may answer by that name."
