"""What lists share: a filter by the name of a game, counting that stops in time, and an answer to
filters that make no sense."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import Field, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

from games.queries.board import variant_named

if TYPE_CHECKING:
    Pages = Paginator[Any]
else:  # Django's own class takes no type parameters at run time
    Pages = Paginator

ENOUGH = 2_000
"""We count up to this many rows: nobody pages further, and counting a million would take a
second."""


class CappedPaginator(Pages):
    """A paginator that counts no further than anybody pages."""

    @cached_property
    def count(self) -> int:
        """How many rows there are, or `ENOUGH`."""
        rows = cast("QuerySet[Any]", self.object_list).order_by()
        return rows[:ENOUGH].count()

    def page(self, number: int | str) -> Any:
        """Return the page by the keys of its rows: skipping thousands of whole rows, with
        everything joined to them, takes seconds."""
        page = super().page(number)
        rows = cast("QuerySet[Any]", page.object_list)
        every = cast("QuerySet[Any]", self.object_list)
        page.object_list = every.filter(pk__in=list(rows.values_list("pk", flat=True)))
        return page


class ReadableList(ChangeList):
    """A list whose filters may contain anything: only reading the rows shows that no calendar has
    such a year."""

    def get_results(self, request: HttpRequest) -> None:
        """Read the rows. Raises IncorrectLookupParameters, with which the admin says so."""
        try:
            super().get_results(request)
        except (ValueError, OverflowError) as error:
            raise IncorrectLookupParameters(error) from error


class VariantFilter(admin.AllValuesFieldListFilter):
    """The variants of the games, by title, with their choices."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Yield "All", then each variant."""
        every = super().choices(changelist)
        yield next(every)
        for one in every:
            variant = variant_named(str(one["display"]))
            yield {**one, "display": " ".join((variant.title, *map(_in_brackets, variant.chosen)))}


def _in_brackets(sentence: str) -> str:
    return f"({sentence.rstrip('.')})"


class HappenedFilter(admin.EmptyFieldListFilter):
    """Whether something has happened, by the column that says when."""

    heading = ""
    not_yet, happened = "no", "yes"

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.title = self.heading

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Yield the choices in plain words."""
        words = {"Empty": self.not_yet, "Not empty": self.happened}
        for one in super().choices(changelist):
            yield {**one, "display": words.get(str(one["display"]), one["display"])}


class DayFilter(admin.DateFieldListFilter):
    """The days on which something happened, under the name that its column has in the list."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.title = str(self.title).removesuffix(" at")


class GameFilter(admin.FieldListFilter):
    """A field for the name of a game, which suggests names as you type: a list of all games would
    be longer than the page beside it."""

    template = "admin/games/filter_game.html"

    def __init__(
        self,
        field: Field[Any, Any],
        request: HttpRequest,
        params: dict[str, Any],
        model: Any,
        model_admin: Any,
        field_path: str,
    ) -> None:
        self.by_key, self.by_name = f"{field_path}__id__exact", f"{field_path}__name__iexact"
        super().__init__(field, request, params, model, model_admin, field_path)
        self.title = "game"
        ours = {self.by_key, self.by_name, "p"}
        self.others = [(name, one) for name, one in request.GET.items() if name not in ours]
        self.typed = request.GET.get(self.by_name, "")

    def expected_parameters(self) -> list[str | None]:
        return [self.by_key, self.by_name]

    def has_output(self) -> bool:
        return True

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Yield the only form, with what else the list is filtered by."""
        everything = changelist.get_query_string(remove=[self.by_key, self.by_name])
        yield {
            "name": self.by_name,
            "value": self.typed,
            "others": self.others,
            "everything": everything if self.used_parameters else "",
        }
