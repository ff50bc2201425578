"""Commands that say in plain words what they did, and in one line what went wrong."""

from __future__ import annotations

import abc
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.errors import GameError, OurFault


class PlainCommand(BaseCommand, abc.ABC):
    """A command whose `run` returns the sentence to print; a GameError becomes one line on stderr
    and exit status 1."""

    @abc.abstractmethod
    def run(self, **options: Any) -> str:
        """Do it, and return a sentence that says what was done."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(self.run(**options))
        except OurFault as error:
            raise CommandError(f"{error} ({error.broke})") from error
        except GameError as error:
            raise CommandError(str(error)) from error
