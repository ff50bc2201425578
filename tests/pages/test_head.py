"""What monitors ask for: the headers of a page without the page."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.wsgi import get_wsgi_application
from django.test import RequestFactory

from tests.cast import Cast

pytestmark = pytest.mark.django_db


def answered(method: str, path: str) -> tuple[str, dict[str, str], bytes]:
    """Status, headers and body of our answer, as a web server gets them: a client of Django's
    takes the body away itself."""
    told: list[Any] = []
    environ = RequestFactory().generic(method, path).environ
    answer = get_wsgi_application()(
        environ, lambda *status_and_headers: told.extend(status_and_headers)
    )
    body = b"".join(answer)
    answer.close()
    return told[0], dict(told[1]), body


@pytest.mark.parametrize("path", ["/games/marne/", "/healthz", "/nowhere/"])
def test_an_answer_to_head_has_the_headers_of_get_and_no_body(path: str, marne: Cast) -> None:
    status, headers, page = answered("GET", path)
    assert page

    assert answered("HEAD", path)[0] == status
    assert answered("HEAD", path)[2] == b""
    assert answered("HEAD", path)[1]["Content-Length"] == headers["Content-Length"]
