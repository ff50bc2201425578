"""Moderators keep a player's addresses unchanged while they find out who writes in their name."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.acts import PLAYER_ACTS
from games.admin.act_form import form_for
from games.models import Address, Conduct, DataRequest, OrderSet, Player, Press
from games.queries.reports.calendars import calendar_key, player_with_calendar
from games.services.accounts.merging import players_merge
from games.services.accounts.own_data import own_data_ask
from games.services.accounts.players import address_confirm
from games.services.moderation.conduct import moderators_ask
from games.services.moderation.frozen_addresses import addresses_freeze, addresses_unfreeze
from mailer import jobs
from mailer.inbound import bounces
from mailer.models import InboundMail, OutboundMail
from mailer.outbound import addresses
from mailer.privacy import data_requests
from tests.cast import DAY, HOUR, NOW, Cast, address_of, make_player
from tests.games.acts.acting import LATER, Acting
from tests.mailer.correspondence import flat, told_cast, write
from tests.mailer.correspondence import replied as said
from tests.rows import each_row

pytestmark = pytest.mark.django_db
ANA, OLD, THIRD = address_of("Ana"), "ana@former-work.test", "ana@third.test"
REFUSED = "the moderators keep your addresses unchanged"


@pytest.fixture
def cast(db: None) -> Cast:
    """Ana has an old address, at which somebody else reads mails by now."""
    cast = told_cast()
    Address.objects.update(confirmed_at=NOW - 30 * DAY)
    Address.objects.create(
        player=cast.player("Ana"), email=OLD, created_at=NOW - DAY, confirmed_at=NOW - 300 * DAY
    )
    return cast


def seat(cast: Cast) -> str:
    return addresses.seat_address(seat=cast.seat("Austria"), phase=cast.phase, now=NOW)


def without_tags(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split()).replace(" ,", ",")


def froze(cast: Cast) -> None:
    acting = Acting(cast.player("Ana"), "freeze_addresses")
    foreseen = acting.foresee(why="Two people write in your name.")
    assert f"{ANA} and {OLD}" in foreseen
    acting.confirm(why="Two people write in your name.")


def unfroze(cast: Cast, only: str = "") -> str:
    acting = Acting(cast.player("Ana"), "unfreeze_addresses")
    foreseen = acting.foresee(only=only, why="It is settled.")
    acting.confirm(only=only, why="It is settled.")
    return foreseen


def from_old(cast: Cast, text: str) -> InboundMail:
    return write("Ana", text, sender=OLD, to=seat(cast), received_at=LATER)


def test_whoever_has_an_old_address_cannot_take_away_the_one_that_we_write_to(cast: Cast) -> None:
    answer = said(from_old(cast, f"SET RECORD {OLD}\nSET FORGET {ANA}\nEXPORT\nERASE"))
    assert f"We wrote to {ANA} until recently, so it stays yours for a week" in answer
    assert "So that nobody else can get your data" in answer
    assert "So that nobody else can have you erased" in answer
    assert not DataRequest.objects.exists()
    assert not Conduct.objects.exists()
    told = OutboundMail.objects.get(kind="own_address", recipient=ANA)
    write("Ana", f"SET RECORD {ANA}\nSET FORGET {OLD}\nEXPORT", to=told.reply_to)
    [left] = Address.objects.filter(player__name="Ana")
    assert (left.email, left.of_record) == (ANA, True)
    data_requests.carry_out(NOW)
    assert OutboundMail.objects.get(kind="own_data").recipient == ANA


def test_going_to_and_fro_does_not_make_the_week_shorter(cast: Cast) -> None:
    six_days = {"received_at": NOW + 6 * DAY}
    write("Ana", f"SET RECORD {OLD}", to=seat(cast))
    write("Ana", f"SET RECORD {ANA}", to=seat(cast), **six_days)
    write("Ana", f"SET RECORD {OLD}", to=seat(cast), **six_days)
    again = write("Ana", f"SET FORGET {ANA}", to=seat(cast), received_at=NOW + 8 * DAY)
    assert "stays yours for a week" in said(again)


def test_whoever_moves_reads_what_becomes_of_the_address_before(cast: Cast) -> None:
    answer = said(write("Ana", f"SET RECORD {OLD}", to=seat(cast)))
    assert f"{ANA} stays yours, and whoever reads mails there can write in your name" in answer
    assert f"If you give it up, write SET FORGET {ANA} after " in answer


@each_row(
    "text",
    [f"SET ADDRESS {THIRD}", f"SET RECORD {OLD}", f"SET FORGET {OLD}", "EXPORT", "ERASE"],
)
def test_no_address_changes_and_no_data_go_while_addresses_are_frozen(
    cast: Cast, text: str
) -> None:
    froze(cast)
    before = list(Address.objects.order_by("pk").values())
    for sender in (ANA, OLD):
        wrote = write("Ana", text, sender=sender, to=seat(cast), received_at=LATER)
        assert REFUSED in said(wrote)
    assert list(Address.objects.order_by("pk").values()) == before
    assert not OutboundMail.objects.filter(recipient=THIRD).exists()
    assert not DataRequest.objects.exists()
    assert not Conduct.objects.filter(kind="asked").exists()


def test_an_address_that_waits_for_its_word_is_not_confirmed_meanwhile(cast: Cast) -> None:
    write("Ana", f"SET ADDRESS {THIRD}", to=seat(cast))
    question = OutboundMail.objects.get(kind="question", recipient=THIRD)
    froze(cast)
    answer = write("x", "CONFIRM", sender=THIRD, to=question.reply_to, received_at=LATER)
    assert Address.objects.get(email=THIRD).confirmed_at is None
    told = flat("".join(one.body for one in answer.answers.all()))
    assert "This address cannot be confirmed at present" in told
    # Nobody there learns what the moderators do about a player.
    assert "moderator" not in told.lower()
    unfroze(cast)
    write("x", "CONFIRM", sender=THIRD, to=question.reply_to, received_at=LATER)
    assert Address.objects.get(email=THIRD).confirmed_at


def test_orders_and_press_go_on_from_each_address(cast: Cast) -> None:
    froze(cast)
    from_old(cast, "A Vie - Bud")
    write("Ana", "PRESS TO ITALY\nPeace?\nEND PRESS", to=seat(cast), received_at=LATER)
    assert OrderSet.objects.filter(seat=cast.seat("Austria")).exists()
    assert Press.objects.filter(seat=cast.seat("Austria")).exists()


def test_all_addresses_are_told_and_nobody_else(cast: Cast) -> None:
    froze(cast)
    jobs.tell(LATER)
    told = OutboundMail.objects.filter(kind="conduct").order_by("pk")
    assert [one.recipient for one in told] == [ANA, OLD]
    for mail in told:
        assert mail.subject == "Your addresses stay as they are for now"
        assert "Two people write in your name." in mail.body
        assert "Your games go on" in flat(mail.body)
    told.delete()
    unfroze(cast)
    jobs.tell(LATER)
    told = OutboundMail.objects.filter(kind="conduct").order_by("pk")
    assert [one.recipient for one in told] == [ANA, OLD]
    assert "You can change your addresses again" in flat(told[0].body)


def test_what_a_moderator_writes_meanwhile_goes_to_each_and_answers_say_from_where(
    cast: Cast,
) -> None:
    froze(cast)
    jobs.tell(LATER)
    acting = Acting(cast.player("Ana"), "write")
    acting.foresee(text="Who are you?")
    acting.confirm(text="Who are you?")
    jobs.tell(LATER)
    asked = OutboundMail.objects.filter(kind="conduct", body__contains="Who are you?")
    asked = asked.order_by("pk")
    assert [one.recipient for one in asked] == [ANA, OLD]
    for mail in asked:
        write("Ana", "I am Ana.", sender=mail.recipient, to=mail.reply_to, received_at=LATER)
    letters = Conduct.objects.filter(kind="asked").order_by("pk")
    assert [one.why for one in letters] == [
        f"I am Ana.\n\n(Sent from {email}.)" for email in (ANA, OLD)
    ]


def test_a_moderator_can_write_and_answer_to_one_address_alone(
    cast: Cast, moderator: Client
) -> None:
    froze(cast)
    asked = moderators_ask(player=cast.player("Ana"), text="Help!", now=LATER).pk
    for act in ("write", "answer"):
        acting = Acting(cast.player("Ana"), act)
        typed = {"text": f"By {act}: when did you register?", "only_to": ANA, "entry": asked}
        said = acting.foresee(**typed)
        assert f"told by mail, at {ANA}." in said
        assert "If that address is not the player’s, somebody else reads it" in said
        acting.confirm(**typed)
    jobs.tell(LATER)
    letters = OutboundMail.objects.filter(body__contains="when did you register")
    assert [one.recipient for one in letters] == [ANA, ANA]
    assert f"mo wrote to Ana, at {ANA} alone, on" in without_tags(
        page(moderator, cast.player("Ana"))
    )
    for mail in letters:  # nor does it go to the other one when it comes back
        bounces.note_trouble(mail, "550 Unknown", lost=True, at=LATER, now=LATER)
    assert {one.recipient for one in letters.all()} == {ANA}


def test_a_letter_to_an_address_that_is_theirs_no_longer_goes_nowhere(cast: Cast) -> None:
    froze(cast)
    acting = Acting(cast.player("Ana"), "write")
    acting.foresee(text="Who are you?", only_to=OLD)
    acting.confirm(text="Who are you?", only_to=OLD)
    unfroze(cast, only=ANA)
    jobs.tell(LATER)
    assert not OutboundMail.objects.filter(body__contains="Who are you?").exists()


def test_nothing_asks_to_which_address_as_long_as_all_are_the_players(cast: Cast) -> None:
    assert "only_to" not in form_for(PLAYER_ACTS["write"], cast.player("Ana"), now=NOW).fields
    froze(cast)
    assert "only_to" in form_for(PLAYER_ACTS["write"], cast.player("Ana"), now=NOW).fields


def test_who_freezes_addresses_says_where_results_go_meanwhile(cast: Cast) -> None:
    from_old(cast, f"SET RECORD {OLD}")
    acting = Acting(cast.player("Ana"), "freeze_addresses")
    typed = {"why": "Two people write in your name.", "record": ANA}
    said = acting.foresee(**typed)
    assert f"Results and press go to {ANA} alone." in said
    assert "is told at each of these addresses" in said
    of_one = Acting(cast.player("Ben"), "freeze_addresses").foresee(why="-")
    assert "stays the only address of Ben, and all our mails go there." in of_one
    assert "each" not in of_one
    acting.confirm(**typed)
    assert cast.player("Ana").address == ANA
    jobs.tell(LATER)
    told = OutboundMail.objects.filter(kind="conduct").first()
    assert f"Our other mails go to {ANA}." in flat(told.body)


def test_whoever_ends_it_reads_of_forgotten_addresses_only_if_one_is_forgotten(cast: Cast) -> None:
    froze(cast)
    acting = Acting(cast.player("Ana"), "unfreeze_addresses")
    assert "register again" not in acting.foresee(why="-") + acting.act.undo
    assert "register again" in acting.foresee(why="-", only=ANA)


def test_a_moderator_says_which_address_is_the_players(cast: Cast) -> None:
    froze(cast)
    jobs.tell(LATER)
    OutboundMail.objects.filter(kind="conduct").delete()
    key = calendar_key(cast.player("Ana"))
    Address.objects.filter(email=ANA).update(of_record=False)
    Address.objects.filter(email=OLD).update(of_record=True)
    assert f"We forget {OLD}" in unfroze(cast, only=ANA)
    [left] = Address.objects.filter(player__name="Ana")
    assert (left.email, left.of_record) == (ANA, True)
    assert player_with_calendar(key) is None
    jobs.tell(LATER)
    [told] = OutboundMail.objects.filter(kind="conduct")
    assert told.recipient == ANA
    from_old(cast, "A Vie - Bud")
    assert not OrderSet.objects.filter(seat=cast.seat("Austria")).exists()


def test_calendars_of_accounts_that_became_a_part_of_theirs_end_as_well(cast: Cast) -> None:
    """Whoever had an address of such an account knows its calendar."""
    zoe = make_player("Zoe")
    key = calendar_key(zoe)
    players_merge(kept=cast.player("Ana"), other=zoe, why="One person.", by="mo", now=NOW)
    assert player_with_calendar(key) == cast.player("Ana")
    addresses_freeze(player=cast.player("Ana"), why="Two write.", by="mo", now=NOW)
    addresses_unfreeze(player=cast.player("Ana"), only=ANA, why="Settled.", by="mo", now=NOW)
    assert player_with_calendar(key) is None


def test_whoever_writes_to_them_meanwhile_reads_that_it_goes_to_each(cast: Cast) -> None:
    acting = Acting(cast.player("Ana"), "write")
    assert f"told by mail, at {ANA}." in acting.foresee(text="Who are you?")
    froze(cast)
    assert f"told by mail, at {ANA} and {OLD}." in acting.foresee(text="Who are you?")


def test_a_moderator_reads_that_an_intruder_reads_along(cast: Cast) -> None:
    warning = "Whoever else writes in their name reads it"
    asked = moderators_ask(player=cast.player("Ana"), text="Help!", now=NOW).pk
    writing, answering = Acting(cast.player("Ana"), "write"), Acting(cast.player("Ana"), "answer")
    assert warning not in writing.foresee(text="Hello!")
    assert warning not in answering.foresee(entry=asked, text="Hello!")
    froze(cast)
    assert warning in writing.foresee(text="Hello!")
    assert warning in answering.foresee(entry=asked, text="Hello!")


def test_before_addresses_are_frozen_it_is_said_where_results_go_and_since_when(
    cast: Cast,
) -> None:
    typed = {"why": "Two people write in your name."}
    before = Acting(cast.player("Ana"), "freeze_addresses").foresee(**typed)
    assert f"Results and press go on to {ANA} alone." in before
    assert "We wrote to" not in before
    from_old(cast, f"SET RECORD {OLD}")
    said = Acting(cast.player("Ana"), "freeze_addresses").foresee(**typed)
    assert f"We wrote to {ANA} until" in said
    assert f"Results and press go on to {OLD} alone." in said


def test_the_file_keeps_who_froze_the_addresses_and_why(cast: Cast) -> None:
    froze(cast)
    unfroze(cast)
    entries = [(one.kind, one.by, one.why) for one in Conduct.objects.order_by("pk")]
    assert entries == [
        ("frozen", "mo", "Two people write in your name."),
        ("unfrozen", "mo", "It is settled."),
    ]


def test_data_that_wait_to_be_sent_are_not_sent_once_addresses_are_frozen(cast: Cast) -> None:
    own_data_ask(player=cast.player("Ana"), now=NOW)
    froze(cast)
    data_requests.carry_out(LATER)
    assert not OutboundMail.objects.filter(kind="own_data").exists()


@each_row("act", ["send_data", "erase", "merge"])
def test_nothing_that_cannot_be_undone_is_done_about_frozen_addresses(cast: Cast, act: str) -> None:
    froze(cast)
    typed = {"merge": {"other": address_of("Hugo"), "why": "One person."}}.get(act, {})
    if act == "erase":
        typed = {"because": "They asked for it."}
    assert "are frozen" in Acting(cast.player("Ana"), act).foresee(**typed)
    assert not DataRequest.objects.exists()


def page(client: Client, player: Player) -> str:
    address = reverse("admin:games_player_change", args=[player.pk])
    return flat(client.get(address).content.decode())


def test_a_players_page_says_that_their_addresses_are_frozen(cast: Cast, moderator: Client) -> None:
    ana = cast.player("Ana")
    assert "Addresses frozen" not in page(moderator, ana)
    froze(cast)
    shown = page(moderator, ana)
    assert "Addresses frozen" in shown
    assert "Unfreeze addresses</a>" in shown


def test_a_players_page_says_to_and_from_which_address_each_mail_went(
    cast: Cast, moderator: Client
) -> None:
    from_old(cast, "STATUS")
    shown = without_tags(page(moderator, cast.player("Ana")))
    assert f"from {OLD} – done" in shown
    assert f"to {ANA} start of a game" in shown
    Address.objects.filter(email=OLD).delete()
    assert "to them start of a game" in without_tags(page(moderator, cast.player("Ana")))


def test_before_data_go_or_somebody_is_erased_the_page_says_that_addresses_changed_lately(
    cast: Cast,
) -> None:
    ana = cast.player("Ana")
    for act, typed in (("send_data", {}), ("erase", {"because": "They asked for it."})):
        assert "changed in the last week" not in Acting(ana, act).foresee(**typed)
    third = Address.objects.create(player=ana, email=THIRD, created_at=NOW)
    address_confirm(address=third, now=NOW + HOUR / 2)
    write("Ana", f"SET RECORD {OLD}", to=seat(cast), received_at=NOW + HOUR / 2)
    for act, typed in (("send_data", {}), ("erase", {"because": "They asked for it."})):
        said = Acting(ana, act).foresee(**typed)
        assert "their addresses changed in the last week" in said
        assert f"{THIRD} became one of their addresses on" in said
        assert f"We wrote to {ANA} until" in said
        assert "Freeze addresses" in said
