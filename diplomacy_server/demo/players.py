"""The scripted players' process."""

from __future__ import annotations

import time


def main() -> None:
    while True:
        time.sleep(1)


if __name__ == "__main__":
    main()
