"""Pictures that many mails share are read once, and reach nobody for whom they are not drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Event, Phase
from games.services.adjudication.rollback import game_rollback
from games.services.setup.games import game_create
from mailer.models import OutboundMail
from mailer.outbound import pictures
from mailer.outbound.compose import compose
from mailer.outbound.pictures import Album
from tests.cast import NOW, POWERS, Cast, make_cast, submit
from tests.mailer.foggy import go_on, openings

pytestmark = pytest.mark.django_db


def results(cast: Cast) -> Sequence[OutboundMail]:
    """The mails that tell what came of the latest phase that was adjudicated, in random order."""
    phase = cast.game.phases.filter(status=Phase.Status.PROCESSED).latest("number")
    told = OutboundMail.objects.filter(kind="phase_processed", event__phase=phase)
    return list(told.order_by("message_id"))


def png_of(raw: bytes) -> Iterator[bytes]:
    """The pictures in a mail, as they go over the wire."""
    for part in raw.split(b"Content-Type: image/png")[1:]:
        yield part.partition(b"\r\n\r\n")[2].partition(b"\r\n--")[0]


def test_the_pictures_of_a_phase_are_read_once_for_all_its_mails(marne: Cast) -> None:
    openings(marne)
    go_on(marne)
    mails = results(marne)
    assert len(mails) == 8
    alone = [compose(mail) for mail in mails]
    album = Album()
    with CaptureQueriesContext(connection) as asked:
        together = [compose(mail, album) for mail in mails]
    assert together == alone
    assert len([one for one in asked if '"png"' in one["sql"]]) == 1


def test_in_fog_each_reader_is_shown_their_own_pictures_and_no_others(db: None) -> None:
    fog = make_cast(fog=True)
    openings(fog)
    go_on(fog)
    album, shown = Album(), {}
    for mail in [*results(fog), *results(fog)]:
        raw = compose(mail, album)
        assert raw == compose(mail), mail.recipient
        shown[mail.viewer] = frozenset(png_of(raw))
    assert shown.keys() == {*POWERS.values(), ""}
    assert len(frozenset().union(*shown.values())) == 2 * len(shown), "no picture is sent to two"


def test_an_album_holds_few_phases_however_many_mails_go_out(
    marne: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    openings(marne)
    go_on(marne)
    [mail, *_] = results(marne)
    asked: list[tuple[int, str, str]] = []
    monkeypatch.setattr(pictures, "_of_phase", lambda *what: asked.append(what) or ())
    album = Album()
    for viewer in [*POWERS.values(), ""] * 2:
        mail.viewer = viewer
        compose(mail, album)
    assert len(asked) == 2 * 8 > pictures.PHASES, "the oldest had to go"


def test_after_a_rollback_the_phase_is_shown_as_it_was_played_again(marne: Cast) -> None:
    album = Album()
    openings(marne)
    go_on(marne)
    [waiting, *_] = results(marne)
    game_rollback(game=marne.game, phase="S1901M", why="A slip.", by="gm", now=NOW)
    before = compose(waiting, album)
    assert len([*png_of(before)]) == 2, "as it was told"
    marne.game.refresh_from_db()
    submit(marne, "France", ["A Paris - Picardy"])
    go_on(marne)
    mails = results(marne)
    assert mails
    for mail in mails:
        again = compose(mail, album)
        assert again == compose(mail)
        assert not {*png_of(again)} & {*png_of(before)}


def test_a_player_without_pictures_sees_the_colours_of_their_own_game(marne: Cast) -> None:
    """Of two games whose mails leave one behind the other."""
    game_create(name="nile", variant="ancient_med", gm=marne.gm, now=NOW)
    album = Album()
    for name, power in (("marne", "France"), ("nile", "Egypt"), ("marne", "France")):
        event = Event.objects.filter(game__name=name).latest("pk")
        assert power in album.tints_for(OutboundMail(event=event, body="THE BOARD NOW"), ())
