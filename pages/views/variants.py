"""Which variants there are, and what each looks like at its start."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from games.queries.variants import all_variants, variant_called
from pages.maps import start_address, start_on_page
from pages.web import public_page, render_page


@public_page
def variants(request: HttpRequest) -> HttpResponse:
    """List the variants, the standard game first."""
    return render_page("pages/variants.html", {"variants": all_variants()})


@public_page
def variant(request: HttpRequest, name: str) -> HttpResponse:
    """Show a variant's board, its powers and its own rules. Raises Http404."""
    about = variant_called(name)
    if about is None:
        raise Http404(f"There is no variant {name}.")
    context = {
        "about": about,
        "picture": start_on_page(about.name),
        "preview": start_address(about.name),
    }
    return render_page("pages/variant.html", context)
