"""The pages on which co-GMs are added and removed: who can be chosen, and what is said before."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.acts import GAME_ACTS
from games.admin.act_form import form_for
from games.models import CoGM
from games.services.setup.co_gms import co_gm_add
from tests.cast import DAY, HOUR, NOW, Cast
from tests.games.acts.acting import LATER, Acting

pytestmark = pytest.mark.django_db
DI = "di@players.test"


def choices(cast: Cast) -> list[str]:
    form = form_for(GAME_ACTS["remove_co_gm"], cast.game, now=LATER)
    return [key for key, _ in form.fields["who"].choices]  # type: ignore[attr-defined]


def test_a_deputy_whose_time_is_over_cannot_be_chosen(marne: Cast) -> None:
    over = co_gm_add(game=marne.game, email=DI, until=NOW + HOUR / 2, by="gm", now=NOW)
    assert Acting(marne.game, "remove_co_gm").act.why_not(marne.game, LATER)
    still = co_gm_add(game=marne.game, email="ed@players.test", until=NOW + DAY, by="gm", now=NOW)
    assert "Greta, the GM and the co-GM." in Acting(marne.game, "pause").foresee(why="-")
    ever = co_gm_add(game=marne.game, email="flo@players.test", until=None, by="gm", now=NOW)
    assert choices(marne) == ["", str(still.pk), str(ever.pk)]
    assert "Greta, the GM and the co-GMs." in Acting(marne.game, "pause").foresee(why="-")
    User.objects.filter(pk=ever.user_id).update(email="ana@players.test")
    plays = Acting(marne.game, "pause").foresee(why="-")
    assert "Greta, the GM and the co-GM." in plays, "told as a player"
    assert "no longer on this list" in Acting(marne.game, "remove_co_gm").foresee(who=over.pk)


@pytest.mark.parametrize(
    ("until", "said"), [(None, "From now on, for good, di"), (DAY, "Until Mon 9 Mar")]
)
def test_it_is_said_whether_somebody_helps_for_good(marne: Cast, until: object, said: str) -> None:
    typed = {"to": "2026-03-09"} if until else {}
    assert said in Acting(marne.game, "add_co_gm").foresee(email=DI, **typed)


def test_an_address_may_be_mistyped_and_nobody_learns_whether_it_has_an_account(
    marne: Cast,
) -> None:
    acts = Acting(marne.game, "add_co_gm")
    without = acts.foresee(email=DI)
    assert "Check the address: whoever reads its mail can run the game." in without
    User.objects.create_user("di", DI.upper())
    assert acts.foresee(email=DI) == without


def test_a_co_gm_who_removes_themselves_is_led_to_a_page_that_is_still_theirs(
    marne: Cast, as_gm: Client
) -> None:
    row = co_gm_add(game=marne.game, email=DI, until=None, by="gm", now=NOW)
    as_gm.force_login(row.user)
    address = reverse("admin:games_game_act", args=[marne.game.pk, "remove_co_gm"])
    expected = GAME_ACTS["remove_co_gm"].stamp(marne.game)
    typed = {"who": row.pk, "expected": expected, "confirmed": "yes"}
    shown = as_gm.post(address, typed, follow=True)
    assert shown.redirect_chain == [(reverse("admin:index"), 302)]
    assert "no longer runs marne" in shown.content.decode()
    assert CoGM.objects.get().until
    as_gm.force_login(marne.gm)
    page = as_gm.get(reverse("admin:games_game_change", args=[marne.game.pk])).content.decode()
    assert "Add a co-GM or deputy" in page
    assert "Hand the game over" in page, "its page leads to the co-GM that it lacks"
    assert "Remove a co-GM" not in page
