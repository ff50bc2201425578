"""What the processes of an installation take: fresh, after mails, after a phase, after pages.

    python -m benchmarks.memory

Poller, Celery worker (two processes) and web as deploy/systemd has them, on private servers.
“Fresh” means that they have answered one mail: before that, poller and worker take 20 MB less.
Figures are in MB; what several processes share counts in equal parts (Pss of proc(5)). After each
service come its processes. Four readers at a time visit the pages, following the links from the
first one.
"""

from __future__ import annotations

import argparse
import html
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError
from urllib.parse import urldefrag, urljoin
from urllib.request import urlopen

from benchmarks.load import Server, all_due, load, receipts, server
from benchmarks.processes import family, proportional

READERS = 4
IDLE = 8.0
"""How many seconds to wait until the process that draws has ended
(games/queries/reports/drawing.py)."""
LINK = re.compile(r'(?:href|src|content)="(?:http://127\.0\.0\.1:\d+)?(/[^"]*)"')
"""Previews name pictures by SITE_URL, where nobody listens in this benchmark."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=10)
    options.add_argument("--pages", type=int, default=400, help="at most, and pictures")
    given = options.parse_args()
    print(f"{given.games} games; {load()}")
    with server(given.games, 0, 0, explain=False) as one:
        taken("fresh", one)
        receipts(one, given.games, 10, 100)
        taken("after mails", one)
        all_due(one, given.games)
        taken("while one draws", one)
        time.sleep(IDLE)
        taken("after a phase", one)
        begun = time.monotonic()
        answered = looked_at(one.running["web"], given.pages)
        print(f"{answered} pages and pictures in {time.monotonic() - begun:.1f} s")
        taken("while one draws", one)
        time.sleep(IDLE)
        taken("after pages", one)


def taken(when: str, one: Server) -> None:
    """Print what each service takes now, and all of them."""
    sizes = {
        name: [proportional(pid) for pid in family(process.pid)]
        for name, process in one.running.items()
    }
    print(f"{when:16} {sum(map(sum, sizes.values())):4.0f} MB:", end="")
    for name, each in sizes.items():
        print(f"  {name} {sum(each):.0f} ({' + '.join(f'{size:.0f}' for size in each)})", end="")
    print(flush=True)


def looked_at(web: subprocess.Popen[bytes], most: int) -> int:
    """Follow the links from the first page on; return how many were answered."""
    arguments = list(map(str, web.args))  # type: ignore[arg-type]
    found = [f"http://{arguments[arguments.index('-b') + 1]}/"]
    known, answered = set(found), 0
    with ThreadPoolExecutor(READERS) as readers:
        while found and answered < most:
            found = found[: most - answered]
            answered += len(found)
            links = [link for linked in readers.map(links_of, found) for link in linked]
            found = [link for link in dict.fromkeys(links) if link not in known]
            known.update(found)
    return answered


def links_of(address: str) -> list[str]:
    """Read a page or a picture; return the addresses on this server that it contains."""
    try:
        with urlopen(address, timeout=60) as answer:
            text = answer.read().decode(errors="replace")
            is_page = answer.headers.get_content_type() == "text/html"
    except HTTPError:
        return []
    links = (html.unescape(link) for link in LINK.findall(text) if is_page)
    return [urldefrag(urljoin(address, link)).url for link in links]


if __name__ == "__main__":
    main()
