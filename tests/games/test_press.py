"""Who may write to whom, and what the log tells of it."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from games.errors import BadInput, GameError, NotAllowed, WrongState
from games.models import Game, Press
from games.queries.parsing.left_out import left_out_of
from games.queries.parsing.press_audience import Audience, read_audience
from games.queries.reports.log_text import entries
from games.services.messages import press_allowed as service
from games.services.messages.press import audience_of_answer, press_send
from tests.cast import DAY, NOW, OPENINGS, Cast, make_cast, submit
from tests.rows import each_row

POWERS = ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"]
OTHERS = tuple(power for power in POWERS if power != "France")
ALL = Audience(OTHERS, gm=True, public=True)
_WITHOUT_TWO = ("Austria", "England", "Russia", "Turkey")
GERMANY = Audience(("Germany",))


def send(cast: Cast, to: Audience, text: str = "Hello.", *, bare: Sequence[str] = ()) -> Press:
    seat = cast.seat("France")
    return press_send(seat=seat, to=to, text=text, source="<1@x>", now=NOW, bare=bare)


@pytest.mark.parametrize(
    ("text", "audience"),
    [
        ("Germany", GERMANY),
        ("germany.", GERMANY),
        ("Ger, Ita", Audience(("Germany", "Italy"))),
        ("T and G", Audience(("Germany", "Turkey"))),
        ("Italy & GM", Audience(("Italy",), gm=True)),
        ("TEA", Audience(("Austria", "England", "Turkey"))),
        ("master", Audience(gm=True)),
        ("all", ALL),
        ("Everybody", ALL),
        ("GM ONLY", Audience(gm=True)),
        ("all other powers", ALL),
        (
            "everyone except for me and Germany, Italy",
            Audience(_WITHOUT_TWO),
        ),
        ("Germany alone", GERMANY),
        ("everyone other than Germany, and not Italy", Audience(_WITHOUT_TWO)),
        ("all but Germany, Italy", Audience(_WITHOUT_TWO)),
        ("all but Ger or Ita", Audience(_WITHOUT_TWO)),
    ],
)
def test_an_audience_is_read_as_people_write_it(text: str, audience: Audience) -> None:
    assert read_audience(text, POWERS, "France") == audience


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "write to whom"),
        ("Spain", "There is no power “Spain”"),
        ("tea", "There is no power “tea”"),
        ("France", "You are France yourself"),
        ("all Germany", "TO ALL BUT"),
        ("Germany or Italy", "There is no power “or”"),
        ("all but Germany, Spain", "There is no power “Spain”"),
        ("all except", "who is left out, like TO ALL BUT Austria"),
    ],
)
def test_a_wrong_audience_is_refused_with_what_to_write(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_audience(text, POWERS, "France")


@each_row(
    ("text", "left_out"),
    [
        ("Not for Germany: let's attack Munich.", ["Germany"]),
        ("not for Germany's eyes", ["Germany"]),
        ("Not for Germany or Italy to read", ["Germany", "Italy"]),
        ("Not for Ger: hello", ["Germany"]),
        ("Except Germany:", ["Germany"]),
        ("Dear all (except l'Allemagne and Italy), hello", ["Germany", "Italy"]),
        ("To everybody but Germany, of course: hello", ["Germany"]),
        ("Everyone but Germany of course: hello", ["Germany"]),
        ("Dear all,\nfor everyone except Germany: hello", ["Germany"]),
        ("Hi all!\n\n(not for Germany)\nhello", ["Germany"]),
        ("Dear all,\n\nthis is not for Germany. Let us attack Munich.", ["Germany"]),
        ("Hi all. Not for Germany's eyes!", ["Germany"]),
        ("For everybody except\nGermany: hello", ["Germany"]),
        ("Everyone (Germany excluded):\nhello", ["Germany"]),
        ("To all minus the Germans\nhello", ["Germany"]),
        ("All bar our Italian friends: hello", ["Italy"]),
        ("Everyone except Germnay: hello", ["Germany"]),
        ("* Everyone, except Germany *\nhello", ["Germany"]),
        ("To: all\nNot: Germany\nhello", ["Germany"]),
        ("Alle außer Deutschland: hallo", ["Germany"]),
        ("Tous sauf l'Allemagne,\nbonjour", ["Germany"]),
        ("Tutti tranne la Germania - ciao", ["Germany"]),
        ("Todos menos a Alemanha: olá", ["Germany"]),
        ("Wszyscy oprócz Niemiec:\ncześć", ["Germany"]),
        ("Всем кроме Германии:\nпривет", ["Germany"]),
        ("Almanya hariç herkese:\nselam", ["Germany"]),
        ("Nicht für Deutschland: hallo", ["Germany"]),
        ("Do not show this to Germany.\nhello", ["Germany"]),
        ("Everyone but Dora, please: hello", ["Germany"]),
        (
            "Only for Germany and Italy:\nhello",
            ["Austria", "England", "France", "Russia", "Turkey"],
        ),
        ("For Italy's eyes only.", [one for one in POWERS if one != "Italy"]),
        (
            "Hello.\nLet us attack Munich.\nWe have to.\nNow.\nBen\nPS: Not for Germany!",
            ["Germany"],
        ),
        ("Don't tell Germany about this!\nhello", ["Germany"]),
        ("Please don't let Germany know.\nhello", ["Germany"]),
        ("Do not share this with Germany.\nhello", ["Germany"]),
        ("Nobody tell Germany!\nhello", ["Germany"]),
        ("Keep this secret from Germany.\nhello", ["Germany"]),
        ("Please leave Germany out.\nhello", ["Germany"]),
        ("Please exclude Germany from this message.\nhello", ["Germany"]),
        ("Germany must not read this.\nhello", ["Germany"]),
        ("Hello.\nLet us attack.\nNow.\nBen\nPS: Not a word to Germany.", ["Germany"]),
        ("Everyone else but Germany: hello", ["Germany"]),
        ("Anybody but Germany: hello", ["Germany"]),
        ("Everyone [except Germany]: hello", ["Germany"]),
        ("Everyone exept Germany: hello", ["Germany"]),
        ("All w/o Germany: hello", ["Germany"]),
        ("Everyone except G: hello", ["Germany"]),
        ("Everyone except Germany (he lies)\nhello", ["Germany"]),
        ("Everyone, except of course Germany: hello", ["Germany"]),
        ("Sag Deutschland nichts davon.\nhallo", ["Germany"]),
        ("Non dirlo alla Germania.\nciao", ["Germany"]),
        ("Just for Italy:\nhello", [one for one in POWERS if one != "Italy"]),
        ("Eyes only: Italy\nhello", [one for one in POWERS if one != "Italy"]),
        ("Nobody but Italy may read this.", [one for one in POWERS if one != "Italy"]),
        ("To everyone in the alliance (not Germany!)\nhello", ["Germany"]),
        ("To all (Germany not included)\nhello", ["Germany"]),
        ("Please keep Germany in the dark.\nhello", ["Germany"]),
        ("Don't tell Germany I said this.\nhello", ["Germany"]),
        ("Do not let Germany in on this.\nhello", ["Germany"]),
        ("Not a word of this to Germany.\nhello", ["Germany"]),
        ("Strictly between Italy and me:\nhello", [one for one in POWERS if one != "Italy"]),
        ("There was peace between Italy and me.", []),
        ("I asked them all (not Germany, who is away) to stop.", []),
        ("Do not let Germany take Munich.", []),
        ("Exclude Germany from the draw.", []),
        ("Leave Germany out of Burgundy.", []),
        ("Germany must not win.", []),
        ("Germany does not get it.", []),
        ("Nobody but Italy can win.", []),
        ("All but I agreed.", []),
        ("Only for Germany would I do this.", []),
        ("This is for Germany: go home!", []),
        ("Everyone except Germany has agreed.", []),
        ("Germany only has four units.", []),
        ("Don't tell Germany what to do.", []),
        ("I do not trust Germany, not for a day, but\nRussia: you are fine.", []),
        ("Not for Germany would I give up Burgundy.", []),
        ("Not for Germany or Italy will we fight.", []),
        ("Not for all Germany would I do it.", []),
        ("Not for Germany alone: for all of us.", []),
        ("Not for a long time have I been so glad.", []),
        ("Not Germany but Russia is our problem.", []),
        ("To everyone, not only Germany: peace.", []),
        ("Let us talk about the east today.\nNot for Germany's sake, but ours.", []),
    ],
)
def test_a_letter_to_all_says_at_its_beginning_whom_it_is_not_for(
    text: str, left_out: list[str]
) -> None:
    assert left_out_of(text, POWERS, {"Dora": "Germany"})[1] == left_out


@each_row(
    ("text", "left_out"),
    [
        ("Swe and Nor", {"Sweden", "Norway"}),
        ("Nor or Den", {"Norway", "Denmark"}),
        ("Swe nor Norway", {"Sweden", "Norway"}),
    ],
)
def test_a_short_name_that_is_also_a_word_is_left_out(text: str, left_out: set[str]) -> None:
    powers = ["Denmark", "Norway", "Paris", "Rome", "Sweden"]
    readers = read_audience(f"all but {text}", powers, "Paris").powers
    assert set(powers) - {*readers, "Paris"} == left_out
    assert set(left_out_of(f"Not for {text}: hello", powers)[1]) == left_out


def test_a_short_name_that_is_also_a_word_is_written_to() -> None:
    powers = ["Denmark", "Norway", "Paris"]
    assert read_audience("Nor and Den", powers, "Paris").powers == ("Denmark", "Norway")


@pytest.mark.parametrize("text", ["St Petersburg, Kiel", "kiel and st. petersburg", "St & Kiel"])
def test_a_power_with_a_name_of_two_words_is_written_to_by_its_name(text: str) -> None:
    powers = ["Kiel", "Paris", "St Petersburg"]
    assert read_audience(text, powers, "Paris") == Audience(("Kiel", "St Petersburg"))


def test_a_beginning_that_fits_two_powers_is_asked_about() -> None:
    with pytest.raises(BadInput, match="may be Peru or Persia"):
        read_audience("Pe", ["Peru", "Persia"], "X")


@pytest.mark.parametrize(
    ("mode", "to", "allowed"),
    [
        ("none", ALL, False),
        ("none", GERMANY, False),
        ("none", Audience(gm=True), True),
        ("public", ALL, True),
        ("public", GERMANY, False),
        ("public", Audience(gm=True), True),
        ("private", ALL, False),
        ("private", GERMANY, True),
        ("private", Audience(OTHERS), True),
        ("both", ALL, True),
        ("both", GERMANY, True),
        ("both", Audience(("Germany",), gm=True), True),
    ],
)
def test_each_mode_allows_its_own_press(db: None, mode: str, to: Audience, allowed: bool) -> None:
    cast = make_cast(press_mode=mode)
    if allowed:
        assert send(cast, to).to == list(to.powers)
    else:
        with pytest.raises(NotAllowed):
            send(cast, to)
    assert Press.objects.count() == (1 if allowed else 0)
    assert len(cast.events("press_sent")) == (1 if allowed else 0)


def test_the_log_names_who_writes_to_all_but_not_who_writes_to_whom(marne: Cast) -> None:
    send(marne, GERMANY)
    send(marne, ALL)
    told = [entry.sentence for entry in entries(marne.game)][-2:]
    assert told == ["A power wrote to others.", "France wrote to everybody."]
    payload = marne.events("press_sent")[0].payload
    assert "France" not in str(payload)
    assert "Germany" not in str(payload)


@pytest.mark.parametrize(
    "lines",
    [["A Paris - Burgundy"], ["a par-bur", "", "mar s par-bur"], ["F Brest Holds", "A Mar - Mun"]],
)
def test_a_reply_of_nothing_but_orders_is_asked_about(marne: Cast, lines: list[str]) -> None:
    text = "\n".join(lines)
    with pytest.raises(BadInput, match="SURE"):
        send(marne, GERMANY, text, bare=lines)
    assert send(marne, GERMANY, text).text == text


@pytest.mark.parametrize(
    "lines",
    [
        ["I will move A Par - Bur."],
        ["A Paris - Burgundy", "Do you agree?"],
        ["My A Par moves to Burgundy"],
        ["Let us do this:", "A Par - Bur", "A Mun - Ruh"],
        ["A Munich - Ruhr", "F Kiel - Holland"],
    ],
)
def test_a_reply_that_tells_or_proposes_moves_is_passed_on(marne: Cast, lines: list[str]) -> None:
    submit(marne, "France", OPENINGS["France"])
    assert send(marne, GERMANY, "\n".join(lines), bare=lines).number == 1


def test_what_others_might_order_can_be_proposed(marne: Cast) -> None:
    assert send(marne, GERMANY, "A Munich - Ruhr\nF Kiel - Holland").number == 1


def test_there_is_no_press_without_a_text_or_with_a_book(marne: Cast) -> None:
    with pytest.raises(BadInput, match="no text"):
        send(marne, GERMANY, " \n ")
    with pytest.raises(BadInput, match="can have 20000 at most"):
        send(marne, GERMANY, "x" * 20_001)


def test_nobody_floods_the_others(marne: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_A_DAY", 2)
    send(marne, GERMANY)
    send(marne, GERMANY)
    with pytest.raises(NotAllowed, match="2 messages"):
        send(marne, GERMANY)
    later = press_send(
        seat=marne.seat("France"), to=GERMANY, text="Now.", source="", now=NOW + 2 * DAY
    )
    assert later.number == 3


def test_who_has_left_writes_nothing_and_gets_nothing(marne: Cast) -> None:
    seat = marne.seat("Germany")
    seat.until = NOW
    seat.save()
    with pytest.raises(NotAllowed, match="Nobody plays Germany"):
        send(marne, GERMANY)
    with pytest.raises(NotAllowed, match="no longer play Germany"):
        press_send(seat=seat, to=Audience(("Italy",)), text="Hi.", source="", now=NOW)
    send(marne, ALL)


def test_the_dead_game_is_silent(marne: Cast) -> None:
    Game.objects.update(status=Game.Status.FINISHED)
    with pytest.raises(WrongState, match="is over"):
        send(marne, GERMANY)


def test_an_answer_goes_to_the_writer_or_to_all_who_take_part(marne: Cast) -> None:
    press = send(marne, Audience(("Germany", "Italy"), gm=True))
    germany = marne.seat("Germany")
    assert audience_of_answer(press, germany, to_all=False) == Audience(("France",))
    everybody = Audience(("France", "Italy"), gm=True)
    assert audience_of_answer(press, germany, to_all=True) == everybody


def test_an_answer_to_a_broadcast_is_a_broadcast(marne: Cast) -> None:
    answer = audience_of_answer(send(marne, ALL), marne.seat("Germany"), to_all=True)
    others = tuple(power for power in POWERS if power != "Germany")
    assert answer == Audience(others, gm=True, public=True)


def test_a_conversation_is_the_circle_of_those_who_take_part(marne: Cast) -> None:
    press = send(marne, GERMANY)
    germany = marne.seat("Germany")
    answer = press_send(
        seat=germany,
        to=audience_of_answer(press, germany, to_all=False),
        text="Yes.",
        source="",
        now=NOW,
    )
    assert press.circle == answer.circle == "France, Germany"
    assert send(marne, ALL).circle == "everybody"


def test_a_gm_without_an_address_cannot_be_written_to(db: None) -> None:
    cast = make_cast()
    Game.objects.update(gm=None)
    with pytest.raises(GameError, match="no game master"):
        send(cast, Audience(gm=True))


def test_a_letter_of_nothing_but_postscripts_is_read_at_once() -> None:
    begun = time.process_time()
    assert left_out_of("p.s. " * 7, POWERS) == ("", [])
    assert left_out_of("p.s " * 30, POWERS) == ("", [])
    assert time.process_time() - begun < 1
