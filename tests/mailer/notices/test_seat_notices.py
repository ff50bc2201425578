"""Who is told what about seats: the person concerned first, and nobody what is not for them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence

import pytest
from django.contrib.auth.models import Group, User

from games.models import Event, Game, Offer, Phase, Power, Seat
from games.services.adjudication.phases import phase_process
from games.services.clock.deadlines import deadline_move
from games.services.clock.overdue import seat_reopen
from games.services.clock.pauses import game_pause
from games.services.endings.proposals import draw_propose
from games.services.ordering.disorder import disorder_declare, disorder_end
from games.services.ordering.orders import orders_submit
from games.services.seating.observers import observe
from games.services.seating.seats import (
    seat_replace,
    seat_resign,
    seat_return,
    seat_take,
    seat_vacate,
)
from games.services.seating.standby import standby_join
from mailer import jobs
from mailer.models import OutboundMail
from mailer.outbound.buttons import asked_for
from mailer.text import MARKER
from tests.cast import (
    DAY,
    HOUR,
    NOW,
    OPENINGS,
    POWERS,
    Cast,
    address_of,
    make_cast,
    make_player,
    submit,
)
from tests.made import made_once
from tests.mailer.correspondence import answer_to, flat, on_the_wire, tell_all, to_seat, write
from tests.rows import each_row

pytestmark = pytest.mark.django_db

DUE = NOW + 72 * HOUR
GM, MOD = "gm@players.test", "mod@players.test"
EMMA, HUGO, INES = (address_of(name) for name in ("Emma", "Hugo", "Ines"))
OTHERS = {address_of(name) for name in POWERS if name != "Emma"}
SECRET = "A Rome - Apulia"


def tell(kind: str, now: dt.datetime = NOW) -> list[OutboundMail]:
    """Tell all that is untold; return the mails of one kind in the order they were queued."""
    tell_all(now)
    mails = list(OutboundMail.objects.filter(kind=kind).order_by("pk"))
    for mail in mails:
        assert max(map(len, mail.body.splitlines())) <= 72, mail.body
    return mails


def to(mails: list[OutboundMail], recipient: str) -> str:
    """The one mail to this address, in one line."""
    [mail] = [mail for mail in mails if mail.recipient == recipient]
    return flat(mail.body)


def recipients(mails: list[OutboundMail]) -> list[str]:
    return [mail.recipient for mail in mails]


def cast_with_all(**settings: object) -> Cast:
    """The game with a moderator, an observer (Ines), Hugo on standby, and orders of Italy."""
    made_once(f"the cast with all, {sorted(settings.items())}", lambda: _with_all(settings))
    return Cast(Game.objects.get(name="marne"), User.objects.get(username="gm"))


def _with_all(settings: Mapping[str, object]) -> None:
    cast = make_cast(**settings)
    user = User.objects.create_user("mod", MOD)
    user.groups.add(Group.objects.get_or_create(name="Moderator")[0])
    observe(game=cast.game, player=make_player("Ines"), now=NOW)
    standby_join(player=cast.player("Hugo"), now=NOW)
    submit(cast, "Italy", OPENINGS["Italy"])
    tell("game_started")
    OutboundMail.objects.all().update(kind="before")


def italy(cast: Cast) -> Power:
    return cast.game.powers.get(name="Italy")


def declare(cast: Cast) -> None:
    disorder_declare(
        game=cast.game, power=italy(cast), why="No word from him.", by="the GM", now=NOW
    )


def test_the_player_is_the_first_to_hear_that_they_are_in_disorder(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    mails = tell("disorder_declared")
    assert recipients(mails)[:3] == [EMMA, GM, MOD]
    assert set(recipients(mails)[3:]) == OTHERS | {INES}
    assert len(mails) == 3 + len(OTHERS) + 1
    mine = to(mails, EMMA)
    assert "To come back, send your orders, or write RETURN on a line of its own" in mine
    assert "The GM says why: No word from him." in mine
    assert "(A Rome, A Venice, F Naples)" in mine, "what he has to order"
    assert "To end the civil disorder, reply ENDDISORDER Italy and why." in to(mails, GM)
    assert "in the moderators' queue: http" in to(mails, MOD)
    for mail in mails[1:]:
        assert "TAKEOVER marne Italy" in flat(mail.body)
        assert "Emma" not in mail.body
        assert SECRET not in mail.body


def test_an_offer_goes_to_the_standby_list_alone(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    [mail] = tell("seat_offered")
    assert mail.recipient == HUGO
    assert mail.subject == "[marne] Would you play Italy?"
    text = flat(mail.body)
    assert "You would have 3 centres and 3 units." in text
    assert "The phase is Spring 1901 movement." in text
    assert "The map is Standard. Movement is due after 3 days" in text
    assert "reply YES on a line of its own" in text
    assert "The offer stands until Mon 9 Mar 2026, 12:00 UTC" in text
    assert "Italy: 3 units (A Rome, A Venice, F Naples)" in text
    assert mail.reply_to.startswith("judge+")
    for word in ("Emma", SECRET, "No word from him"):
        assert word not in text


def test_an_offer_begins_with_the_power_in_need_and_ends_with_the_answer(db: None) -> None:
    """Its buttons stand below the answer they write, not below the word that ends all offers. The
    board, too, begins with what the reader would play, not with the strongest."""
    declare(cast_with_all())
    [mail] = tell("seat_offered")
    text = flat(mail.body)
    asked = text.index("Italy needs a player in the game marne. Would you like to take over?")
    why = text.index("because you are on the standby list")
    assert asked < text.index("The map is Standard.") < why < text.index("reply YES")
    assert text.index("reply YES") < text.index("THE BOARD")
    board = text[text.index("THE BOARD") :]
    assert board.index("Italy: 3 centres") < board.index("Russia: 4 centres")
    assert board.index("Russia: 4 centres") < board.index("Austria: 3 centres")


def test_an_offer_that_is_over_is_not_told_any_more(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    take(cast)
    assert tell("seat_offered") == []


def take(cast: Cast) -> Seat:
    hugo = cast.player("Hugo")
    seat = seat_take(game=cast.game, power=italy(cast), player=hugo, now=NOW + HOUR)
    assert seat
    return seat


def test_a_takeover_tells_the_former_player_then_the_new_one_then_the_others(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    take(cast)
    mails = tell("seat_taken")
    assert recipients(mails)[:3] == [EMMA, HUGO, GM]
    assert set(recipients(mails)[3:]) == OTHERS | {INES}
    former = to(mails, EMMA)
    assert "Another player has taken over Italy" in former
    assert not [mail for mail in mails if "did this" in mail.body], "who did is the news"
    assert "Hugo" not in former
    start = to(mails, HUGO)
    assert "From now on you play Italy in the game marne" in start
    assert "Your units (A Rome, A Venice, F Naples)" in start
    assert "Deadline: Thu 5 Mar 2026, 12:00 UTC" in start
    assert SECRET not in re.sub("Example of .*", "", start)
    assert "Emma" not in start
    assert "Italy has a new player in the game marne: Hugo." in to(mails, GM)
    assert "Italy has a new player in the game marne: Hugo." in to(mails, address_of("Ana"))
    assert "Italy has a new player in the game marne: Hugo." in to(mails, INES)
    assert "The deadline stays as it was." in to(mails, address_of("Ana"))


def test_the_new_reply_address_is_not_the_old_one(db: None) -> None:
    cast = cast_with_all()
    old = OutboundMail.objects.filter(recipient=EMMA).latest("pk").reply_to
    declare(cast)
    take(cast)
    [new] = [mail.reply_to for mail in tell("seat_taken") if mail.recipient == HUGO]
    assert new.startswith("judge+")
    assert new != old


def test_a_deadline_that_moves_for_the_new_player_is_told_in_everybodys_mail(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    hugo = cast.player("Hugo")
    seat_take(game=cast.game, power=italy(cast), player=hugo, now=DUE - HOUR)
    mails = tell("seat_taken", DUE - HOUR)
    moved = "the deadline has moved to Fri 6 Mar 2026, 11:00 UTC. If you said READY, say it again"
    assert moved in to(mails, address_of("Ana"))
    assert "Deadline: Fri 6 Mar 2026, 11:00 UTC, in 1 day." in to(mails, HUGO)
    assert OutboundMail.objects.filter(kind="deadline_moved").count() == 0


def test_a_substitute_reads_what_they_can_vote_on(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    draw_propose(seat=cast.seat("France"), winners=(), now=NOW)
    take(cast)
    mail = to(tell("seat_taken", NOW + HOUR), HUGO)
    assert "Proposal 1 is open: a draw among" in mail
    assert "To vote on it, write VOTE YES 1 or VOTE NO 1." in mail


@pytest.mark.parametrize("fog", [False, True])
def test_a_substitute_in_a_retreat_reads_which_units_are_dislodged(db: None, fog: bool) -> None:
    cast = cast_with_all()
    Game.objects.update(fog=fog)
    cast.game.refresh_from_db()
    declare(cast)
    away = [
        {"power": "Italy", "unit": "A Piedmont", "retreats": ["Tuscany"]},
        {"power": "Turkey", "unit": "A Armenia", "retreats": ["Syria"]},
    ]
    position = {**cast.phase.position, "phase": "S1901R", "dislodged": away}
    Phase.objects.filter(pk=cast.phase.pk).update(position=position, name="S1901R")
    take(cast)
    mail = to(tell("seat_taken", NOW + HOUR), HUGO)
    assert "Italy: A Piedmont was dislodged. It may retreat to Tuscany or else disband." in mail
    assert ("Turkey: A Armenia was dislodged." in mail) is not fog
    assert ("Syria" in mail) is not fog


def test_a_substitute_is_not_told_of_what_was_their_predecessors(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    take(cast)
    mails = tell("disorder_declared", NOW + HOUR)
    assert "Italy, which you play" not in to(mails, HUGO)


def test_in_an_anonymous_game_only_the_gm_learns_who_took_over(db: None) -> None:
    cast = cast_with_all(anonymous=True)
    declare(cast)
    take(cast)
    mails = tell("seat_taken")
    assert "Hugo" in to(mails, GM)
    for mail in mails:
        if mail.recipient not in (GM, HUGO):
            assert "Hugo" not in mail.body
            assert "Italy has a new player" in flat(mail.body) or mail.recipient == EMMA


def test_who_resigned_hears_that_the_seat_is_anothers(db: None) -> None:
    cast = cast_with_all()
    seat_resign(seat=cast.seat("Italy"), now=NOW)
    take(cast)
    [mail] = [mail for mail in tell("seat_taken") if mail.recipient == EMMA]
    assert "Another player has taken over Italy" in flat(mail.body)
    assert "Hugo" not in mail.body
    assert mail.body.startswith(MARKER)
    assert not mail.calendars, "the answer to RESIGN took the deadline out of calendars"
    seat_resign(seat=cast.seat("Italy"), now=NOW + HOUR)
    ida = make_player("Ida")
    seat_take(game=cast.game, power=italy(cast), player=ida, now=NOW + 2 * HOUR)
    assert [mail.recipient for mail in tell("seat_taken")].count(EMMA) == 1, "once is enough"


def test_a_replaced_player_is_the_first_to_hear_why(db: None) -> None:
    cast = cast_with_all()
    seat_replace(
        game=cast.game,
        power=italy(cast),
        player=cast.player("Hugo"),
        why="She asked me to.",
        by="the GM",
        now=NOW,
    )
    mails = tell("seat_taken")
    assert recipients(mails)[:2] == [EMMA, HUGO]
    assert "The GM says why: She asked me to." in to(mails, EMMA)
    assert "The GM says why: She asked me to." in to(mails, address_of("Ana"))


def test_a_player_who_comes_back_by_the_gm_gets_a_start_mail_again(db: None) -> None:
    cast = cast_with_all()
    for name in ("Hugo", "Emma"):
        seat_replace(
            game=cast.game,
            power=italy(cast),
            player=cast.player(name),
            why="So.",
            by="the GM",
            now=NOW,
        )
    mails = [mail for mail in tell("seat_taken") if mail.recipient == EMMA]
    assert "From now on you play Italy" in flat(mails[-1].body)


def test_a_vacated_player_is_the_first_to_hear_why(db: None) -> None:
    cast = cast_with_all()
    seat_vacate(game=cast.game, power=italy(cast), why="Two accounts.", by="a moderator", now=NOW)
    mails = tell("seat_vacated")
    assert recipients(mails)[:3] == [EMMA, GM, MOD]
    assert set(recipients(mails)[3:]) == OTHERS | {INES}
    assert "the seat was taken from you" in to(mails, EMMA)
    assert "A moderator says why: Two accounts." in to(mails, EMMA)


def test_a_resignation_is_told_to_all_others(db: None) -> None:
    cast = cast_with_all()
    seat_resign(seat=cast.seat("Italy"), now=NOW)
    mails = tell("seat_resigned")
    assert recipients(mails)[:2] == [GM, MOD]
    assert set(recipients(mails)[2:]) == OTHERS | {INES}
    assert "Orders already sent for Italy in Spring 1901 movement stand" in to(mails, GM)


def test_nobody_reads_that_a_phase_is_decided_early_which_waits_for_a_new_player(db: None) -> None:
    cast = cast_with_all()
    seat_resign(seat=cast.seat("Italy"), now=NOW)
    told = to(tell("seat_resigned"), address_of("Ana"))
    assert "The phase stays open until its deadline" in told
    assert "decided earlier" not in told
    seat_return(power=cast.game.powers.get(name="Italy"), player=cast.player("Emma"), now=NOW)
    assert "decided earlier" in to(tell("seat_returned"), address_of("Ana"))


def test_who_said_ready_without_orders_does_not_read_that_orders_are_in(marne: Cast) -> None:
    seat_resign(seat=marne.seat("Italy"), now=NOW)
    write("Carla", "READY", to=to_seat(marne))
    seat_return(power=marne.game.powers.get(name="Italy"), player=marne.player("Emma"), now=NOW)
    told = to(tell("seat_returned"), address_of("Carla"))
    assert "Nothing: you are ready in Spring 1901 movement." in told


def test_a_result_does_not_say_so_either(db: None) -> None:
    cast = cast_with_all()
    seat_resign(seat=cast.seat("Italy"), now=NOW)
    phase_process(game_id=cast.game.pk, now=DUE)
    mails = tell("phase_processed", DUE)
    assert "decided earlier" not in to(mails, address_of("Ana"))
    assert "Reply to this mail with your orders" in to(mails, address_of("Ana"))
    declare(cast)
    later = cast.phase.due_at
    assert later
    phase_process(game_id=cast.game.pk, now=later)
    mails = tell("phase_processed", later)[len(mails) :]
    assert "decided earlier" in to(mails, address_of("Ana")), "nobody waits for the disorderly"


def test_a_return_is_told_to_the_player_first(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    seat = cast.seat("Italy")
    seat_return(power=seat.power, player=seat.player, now=NOW)
    mails = tell("seat_returned")
    assert recipients(mails)[:2] == [EMMA, GM]
    assert set(recipients(mails)[2:]) == OTHERS | {INES}
    assert "Welcome back!" in to(mails, EMMA)
    assert "A receipt says how each line was understood." in to(mails, EMMA)
    assert "the seat is no longer open" in to(mails, address_of("Ana"))


def test_the_end_of_a_disorder_is_told_to_the_player_first(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    disorder_end(game=cast.game, power=italy(cast), by="the GM", why="A mistake.", now=NOW)
    mails = tell("disorder_ended")
    assert recipients(mails)[:2] == [EMMA, GM]
    assert "Italy, which you play in the game marne, is no longer in" in to(mails, EMMA)
    assert "the others wait for your orders again" in to(mails, EMMA)
    assert "A mistake." in to(mails, address_of("Ana"))


def waiting() -> Cast:
    cast = cast_with_all(when_missing="wait")
    phase_process(game_id=cast.game.pk, now=DUE)
    return cast


def test_a_game_that_waits_says_whose_seats_are_open(db: None) -> None:
    cast = waiting()
    mails = tell("orders_overdue", DUE)
    carla = address_of("Carla")
    assert "your seat is open now" in to(mails, carla)
    assert "earlier" not in to(mails, carla), "the deadline has passed"
    assert [one.buttons[0][0] for one in mails if one.recipient == carla] == ["Write my orders"]
    assert "TAKEOVER marne" in to(mails, EMMA)
    assert "TAKEOVER marne" in to(mails, GM)
    offers = tell("seat_offered", DUE)
    assert recipients(offers) == [HUGO]
    assert "The game is waiting for their orders." in flat(offers[0].body)
    assert cast.phase.overdue_at == DUE


def test_a_game_that_waits_for_one_power_speaks_of_one_seat(db: None) -> None:
    but_for_france("wait")
    told = to(tell("orders_overdue", DUE), GM)
    assert "may take over the seat of France (Carla)." in told
    assert "To take it, they write: TAKEOVER marne France" in told


def test_orders_for_which_a_game_waited_are_told_with_the_results_only(db: None) -> None:
    cast = waiting()
    submit_france(cast)
    assert len(cast.events("seat_returned")) == 1
    assert tell("seat_returned", DUE) == []
    mails = tell("orders_overdue", DUE)
    late = to(mails, address_of("Carla"))
    assert "passed without orders for France, but we have heard from you since." in late
    assert "please send them now" not in late
    for_gm = to(mails, GM)
    assert "orders from Austria (Ana), England (Ben), Germany" in for_gm
    assert "Orders from France (Carla) have come since." in for_gm
    assert "Orders from France have come since." in to(mails, EMMA)


def test_half_of_the_orders_is_enough_for_a_game_that_waits(db: None) -> None:
    cast = waiting()
    submit_france(cast, OPENINGS["France"][:1])
    late = to(tell("orders_overdue", DUE), address_of("Carla"))
    assert "without orders for France, but we have heard from you since." in late
    assert "2 of your 3 units are still without an order" in late


def test_a_substitute_does_not_read_that_their_predecessor_was_late(db: None) -> None:
    cast = waiting()
    france = cast.game.powers.get(name="France")
    seat_take(game=cast.game, power=france, player=cast.player("Hugo"), now=DUE + HOUR)
    assert HUGO not in recipients(tell("orders_overdue", DUE + HOUR))


def test_a_gm_who_decides_reads_that_all_late_orders_have_come(db: None) -> None:
    cast = but_for_france("gm")
    submit_france(cast)
    mails = tell("orders_overdue", DUE)
    assert "passed without orders from France (Carla), but they have come since." in to(mails, GM)
    assert {one.subject for one in mails} == {
        "[marne] Spring 1901 movement: the late orders have come"
    }


def test_nobody_reads_that_a_game_waits_which_has_gone_on(db: None) -> None:
    cast = but_for_france("wait")
    submit_france(cast)
    assert phase_process(game_id=cast.game.pk, now=DUE)
    assert not tell("orders_overdue", DUE)


def but_for_france(when_missing: str) -> Cast:
    """A game whose deadline has passed with all orders but those of France."""
    cast = cast_with_all(when_missing=when_missing)
    for power, lines in OPENINGS.items():
        if power != "France":
            submit(cast, power, lines)
    phase_process(game_id=cast.game.pk, now=DUE)
    return cast


def submit_france(cast: Cast, lines: Sequence[str] = OPENINGS["France"]) -> None:
    orders_submit(
        seat=cast.seat("France"),
        phase=cast.phase,
        lines=list(enumerate(lines, start=1)),
        amend=False,
        received_at=DUE,
        source="<france@players.test>",
        now=DUE,
    )


def test_a_silent_substitute_is_the_first_to_hear_that_their_seat_is_open_again(db: None) -> None:
    cast = waiting()
    france = cast.game.powers.get(name="France")
    seat_take(game=cast.game, power=france, player=cast.player("Hugo"), now=DUE)
    assert seat_reopen(game=cast.game, power=france, now=DUE + DAY) is not None
    mails = tell("seat_opened", DUE + DAY)
    assert recipients(mails)[:3] == [HUGO, GM, MOD]
    assert "Send your orders, and the game goes on with you" in to(mails, HUGO)
    assert "TAKEOVER marne France" in to(mails, EMMA)


def test_several_disorders_of_one_phase_are_one_mail_to_everybody_else(db: None) -> None:
    cast = cast_with_all()
    for name in ("Italy", "Turkey", "Russia"):
        power = cast.game.powers.get(name=name)
        disorder_declare(game=cast.game, power=power, why="No word.", by="the server", now=NOW)
    mails = tell("disorder_declared")
    assert len(mails) == len(set(recipients(mails)))
    concerned = {EMMA, address_of("Greta"), address_of("Felix")}
    assert set(recipients(mails)) == concerned | OTHERS | {GM, MOD, INES}
    assert "Italy, which you play in the game marne" in to(mails, EMMA)
    assert "Turkey and Russia fell into civil disorder at the same time." in to(mails, EMMA)
    for name in ("Ana", "Ben", "Carla", "Dmitri"):
        said = to(mails, address_of(name))
        assert "in civil disorder in the game marne: Italy, Turkey and Russia." in said
        assert "Deadline: " in said
    assert "TAKEOVER marne Italy" in to(mails, INES)
    subjects = {mail.subject for mail in mails} - {
        mail.subject for mail in mails if mail.recipient in concerned
    }
    assert subjects == {
        "[marne] Spring 1901 movement: Italy, Turkey and Russia are in civil disorder"
    }


def test_whoever_is_back_before_they_read_of_civil_disorder_is_not_told_to_return(db: None) -> None:
    cast = cast_with_all()
    power = cast.game.powers.get(name="Italy")
    disorder_declare(game=cast.game, power=power, why="No word.", by="the server", now=NOW)
    power.refresh_from_db()
    disorder_end(game=cast.game, power=power, by="Italy", now=NOW)
    body = to(tell("disorder_declared"), EMMA)
    assert "you have come back since" in " ".join(body.split())
    assert "RETURN" not in body
    assert "Your seat is open" not in body


def offered(cast: Cast) -> OutboundMail:
    """The mail to Hugo about the seats of three powers that open at one stroke."""
    for name in ("Italy", "Turkey", "Russia"):
        power = cast.game.powers.get(name=name)
        disorder_declare(game=cast.game, power=power, why="No word.", by="the server", now=NOW)
    [mail] = tell("seat_offered")
    return mail


@each_row(
    ("said", "plays"),
    [("TAKEOVER marne Italy", "Italy"), ("TAKEOVER marne Turkey", "Turkey"), ("NO", "")],
)
def test_seats_that_open_together_are_offered_in_one_mail(db: None, said: str, plays: str) -> None:
    cast = cast_with_all()
    mail = offered(cast)
    assert mail.subject == "[marne] Would you play Italy, Russia or Turkey?"
    assert "- Russia: 4 centres and 4 units" in mail.body
    assert ["Play Russia", "TAKEOVER marne Russia"] in mail.buttons
    assert [one.label for one in asked_for(mail.body)] == ["Say no"]
    write("Hugo", said, to=mail.reply_to)
    held = Seat.objects.filter(player=cast.player("Hugo"), until=None)
    assert [seat.power.name for seat in held] == ([plays] if plays else [])
    assert not Offer.objects.filter(end="").exists()


THREE_LINES = [
    *("- for Italy: TAKEOVER marne Italy", "- for Russia: TAKEOVER marne Russia"),
    "- for Turkey: TAKEOVER marne Turkey",
]


def test_an_offer_of_several_seats_has_a_line_for_each_and_says_that_yes_takes_none(
    db: None,
) -> None:
    mail = offered(cast_with_all())
    said = flat(mail.body)
    assert "reply with the line for it; a bare YES takes none of them." in said
    assert [line for line in mail.body.splitlines() if line.startswith("- for")] == THREE_LINES
    html = on_the_wire(mail)
    assert "TAKEOVER marne Russia" in html
    assert "Say yes" not in html


def taken_by(name: str, cast: Cast, power: str) -> None:
    player = make_player(name)
    seat_take(game=cast.game, power=cast.game.powers.get(name=power), player=player, now=NOW)


@each_row("said", ["YES", "Yes, I'd love to!", "TAKEOVER", "Which is best?"])
def test_a_bare_yes_to_an_offer_of_several_seats_takes_none_and_is_asked_about(
    db: None, said: str
) -> None:
    cast = cast_with_all()
    mail = offered(cast)
    asked = answer_to(write("Hugo", said, to=mail.reply_to))
    assert asked.subject == "[marne] Which power would you play?"
    assert "your answer does not say which one you want" in flat(asked.body)
    assert [line for line in asked.body.splitlines() if line.startswith("- for")] == THREE_LINES
    assert ["Play Turkey", "TAKEOVER marne Turkey"] in asked.buttons
    assert not Seat.objects.filter(player=cast.player("Hugo")).exists()
    assert Offer.objects.filter(player=cast.player("Hugo"), end="").count() == 3
    write("Hugo", "TAKEOVER marne Turkey", to=asked.reply_to)
    assert cast.seat("Turkey").player == cast.player("Hugo")


def test_a_bare_yes_when_one_seat_of_several_is_left_is_asked_about(db: None) -> None:
    cast = cast_with_all()
    mail = offered(cast)
    for name, power in (("Jon", "Italy"), ("Kim", "Turkey")):
        taken_by(name, cast, power)
    asked = answer_to(write("Hugo", "YES", to=mail.reply_to))
    assert asked.subject == "[marne] Would you play Russia?"
    assert "Only one of them is still open" in flat(asked.body)
    assert "- for Russia: TAKEOVER marne Russia" in asked.body
    assert not Seat.objects.filter(player=cast.player("Hugo")).exists()


def test_a_bare_yes_when_no_seat_of_several_is_left_hears_why(db: None) -> None:
    cast = cast_with_all()
    mail = offered(cast)
    for name, power in (("Jon", "Italy"), ("Kim", "Turkey"), ("Lea", "Russia")):
        taken_by(name, cast, power)
    asked = answer_to(write("Hugo", "YES", to=mail.reply_to))
    assert "Somebody else was faster" in flat(asked.body)


def test_a_moderator_who_plays_in_the_game_is_told_as_a_player_only(db: None) -> None:
    cast = cast_with_all()
    User.objects.filter(username="mod").update(email=address_of("Ana"))
    declare(cast)
    mails = tell("disorder_declared")
    assert recipients(mails).count(address_of("Ana")) == 1


@pytest.mark.parametrize("act", [declare, lambda cast: take_resigned(cast)])
def test_telling_again_tells_nobody_twice(db: None, act: Callable[[Cast], None]) -> None:
    cast = cast_with_all()
    act(cast)
    tell("seat_taken")
    before = OutboundMail.objects.count()
    Event.objects.update(told_at=None)
    tell("seat_taken")
    assert OutboundMail.objects.count() == before


def take_resigned(cast: Cast) -> None:
    seat_resign(seat=cast.seat("Italy"), now=NOW)
    take(cast)


def test_the_job_ends_old_offers_and_opens_seats_again(db: None) -> None:
    cast = waiting()
    france = cast.game.powers.get(name="France")
    seat_take(game=cast.game, power=france, player=cast.player("Hugo"), now=DUE)
    assert jobs.seats(DUE + HOUR) == 0
    assert jobs.seats(DUE + DAY) == 1, "France"
    standby_join(player=make_player("Jan"), now=DUE + DAY)
    assert jobs.seats(DUE + 9 * DAY) == 6, "what was offered to Jan"


def test_a_result_tells_a_player_in_disorder_how_they_come_back(db: None) -> None:
    cast = cast_with_all()
    declare(cast)
    phase_process(game_id=cast.game.pk, now=DUE)
    mails = tell("phase_processed", DUE)
    assert "Your seat is open: until somebody takes it over, it is yours." in to(mails, EMMA)
    assert "Your seat is open" not in to(mails, address_of("Ana"))


def test_an_eliminated_player_is_thanked_once_and_nothing_is_asked_of_them(db: None) -> None:
    cast = cast_with_all()
    phase = cast.phase
    phase.position["units"] = {"Turkey": ["A Trieste"], "Austria": ["A Vienna"]}
    phase.position["centers"] = {"Turkey": ["Constantinople"], "Italy": ["Trieste"], "Austria": []}
    phase.position["phase"] = phase.name = "F1901M"
    phase.save()
    phase_process(game_id=cast.game.pk, now=DUE)
    first = to(tell("phase_processed", DUE), EMMA)
    assert "Nothing: Italy is out of the game, and nobody waits for you." in first
    assert "Thank you for playing!" in first
    assert "; Italy is out of the game." in to(tell("phase_processed", DUE), address_of("Ana"))
    deadline_move(game=cast.game, to=DUE + 9 * DAY, why="Holidays.", by="the GM", now=DUE + HOUR)
    later = to(tell("deadline_moved", DUE + HOUR), EMMA)
    assert "Nothing: Italy is out of the game." in later
    assert "Thank you" not in later


def test_when_the_server_stops_a_game_of_the_silent_everybody_and_the_moderators_hear_it(
    db: None,
) -> None:
    cast = cast_with_all()
    cast.phase.order_sets.all().delete()
    for _ in range(3):
        phase_process(game_id=cast.game.pk, now=cast.phase.due_at)
    mails = tell("game_paused")
    assert set(recipients(mails)) == OTHERS | {EMMA, GM, MOD}
    for mail in mails:
        assert mail.subject == "[marne] Spring 1902 movement: the game is paused"
        said = flat(mail.body)
        assert "Nobody has been heard from for three phases in a row." in said
        assert "please write to the game master, or to the moderators:" in said
        assert "It goes on when the game master, or a moderator, says so." in said
        assert "The server says why: " in said


def test_a_silent_game_without_a_gm_names_none_when_it_stops(db: None) -> None:
    cast = cast_with_all()
    cast.phase.order_sets.all().delete()
    Game.objects.update(gm=None)
    for _ in range(3):
        phase_process(game_id=cast.game.pk, now=cast.phase.due_at)
    said = flat(to(tell("game_paused"), EMMA))
    assert "please write to the moderators:" in said
    assert "It goes on when a moderator says so." in said


def test_a_pause_that_the_gm_makes_is_between_them_and_their_players(db: None) -> None:
    cast = cast_with_all()
    game_pause(game=cast.game, until=None, why="Holidays.", by="the GM", now=NOW)
    assert set(recipients(tell("game_paused"))) == OTHERS | {EMMA, GM}
