"""Those who play: each knows what was mailed to them, and nothing else.

They order, forget, order again, send too late, amend, quarrel, vote, ask for time, resign, come
back, take over. What they have sent is written down for the promises (`Letter`).
"""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from diplomacy_server.demo.cast import Person
from diplomacy_server.demo.handwriting import as_written
from diplomacy_server.demo.reading import Mail, Situation, read_forgotten, read_situation
from diplomacy_server.demo.strategy import Strategist
from tests.simulate.players import order_pages
from tests.simulate.players.asides import Habits
from tests.simulate.players.writers import SPARE, Draft, Writer
from tests.simulate.tables import powers_of

NO_TIME = dt.timedelta(0)
OWES = re.compile(
    r"missing|wait(?:s|ing) for|deadline has moved|orders are due|no orders", re.IGNORECASE
)
OFFERS = re.compile(r"needs a player|take over|offered", re.IGNORECASE)
ASKS_PLAYERS = re.compile(r"was this mail yours\?|Are you sure|Please confirm your address")
NOT_MINE = "<other-"
"""How the Message-ID of a mail begins that somebody wrote in another's place."""
MUSTER = re.compile(r"(?:Re: )?\[[\w-]+\] (Are you here\?|You have lost your seat)")
TAKE_OVER = re.compile(r"TAKEOVER [\w-]+ (?:St )?[A-Z]\w+")
ASKS = re.compile(r"was this mail yours\?|Are you sure|NOT done yet: please confirm")
CHANGES = 12
"""Of 256 phases so many have a player say in words what one unit is ordered instead."""
CHOOSES = 20
"""Of 256 phases so many have a player choose orders on the page."""
PUNCTUAL = 20
"""Of 256 phases so many have a player write around the deadline's second."""
LAST_SECONDS = (-3.0, -1.5, -1.0, -0.4, 0.0, 0.3, 0.7, 1.1, 2.0)
MOVES = re.compile(r"[AF] ([A-Z][a-z]+) - [A-Za-z .()-]+")
PRESS_WORD = re.compile(r"\bword\d+x\b")


class Player(Writer):
    """One of those who play, or stand by."""

    def first(self) -> Iterator[Draft]:
        """Yield what the person writes before any mail has come."""
        if self.address.partition("@")[0].title() in SPARE:
            yield Draft(self._after(0.1), self.written(None, "STANDBY"))

    def read(self, mail: Mail) -> Iterator[Draft]:
        """Yield what the person writes after this mail. The same mail twice is answered once."""
        if mail.message_id in self.seen or not mail.reply_to.startswith("judge"):
            return
        self.seen.add(mail.message_id)
        subject = mail.subject
        if ASKS_PLAYERS.search(subject):
            if NOT_MINE in mail.references:
                yield from self._denies(mail)
            elif self._happens(0.9):
                yield self._short(mail, "CONFIRM")
        elif "We have erased you" in subject:
            yield from self._comes_back()
        elif MUSTER.match(subject):
            yield from self._mustered(mail)
        elif situation := read_situation(mail, plays=self._remembers(mail)):
            self.plays[situation.game] = mail, situation
            yield from self._plays(mail, situation)
        elif mail.game in self.plays and OWES.search(subject):
            if self._happens(0.5):
                yield self._orders(*self.plays[mail.game], 0.3)
        elif read_forgotten(mail):
            if self._happens(0.5):
                yield from self._amends(mail)
        elif found := PRESS_WORD.search(mail.text):
            yield from self._answers_press(mail, found[0])
        elif ": proposal " in subject and self._happens(0.5):
            yield self._short(mail, self.chance.choice(["VOTE YES", "VOTE NO"]))
        elif OFFERS.search(subject) and self._happens(0.5):
            yield self._short(mail, "YES")
        elif (open_seats := TAKE_OVER.findall(mail.flowing)) and self._happens(0.5):
            yield self._short(mail, self.chance.choice(open_seats))
        elif "you are registered as" in mail.flowing:
            yield self._short(mail, "STANDBY\nLIST")

    def _denies(self, mail: Mail) -> Iterator[Draft]:
        """Somebody is asked about a mail that they have not written."""
        if self._happens(0.5):
            yield self._short(mail, "REFUSE")

    def _mustered(self, mail: Mail) -> Iterator[Draft]:
        """A game that asks whether everybody is here, or has not heard from one in time."""
        words = {"HERE": 0.8, "LEAVE": 0.05} if "here?" in mail.subject else {"JOIN": 0.7}
        for word, share in words.items():
            if self._happens(share):
                text = f"{word} {mail.game}"
                hours = self.chance.uniform(0, 30)  # a muster lasts a day or three
                letter = self.written(mail, text, game=mail.game)
                yield Draft(dt.timedelta(hours=hours), letter)

    def _comes_back(self) -> Iterator[Draft]:
        """Somebody who was erased has forgotten it all, and may register again."""
        self.plays.clear()
        if self._happens(0.5):
            name = self.address.partition("@")[0].title()
            yield Draft(self.length + self._after(1), self.written(None, f"REGISTER {name}"))

    def _remembers(self, mail: Mail) -> str:
        """What the person plays, where a mail does not say it: a game goes back to a phase."""
        known = "played again" in mail.subject and self.plays.get(mail.game)
        return known[1].power if known else ""

    def _plays(self, mail: Mail, situation: Situation) -> Iterator[Draft]:
        if not self._happens(0.12):
            yield self._orders(mail, situation, 1.05)
            if self._happens(0.3):  # second thoughts, some of them too late
                yield self._orders(mail, situation, 1.3)
        if self.lively:
            yield from self._asides(mail, situation)
            yield from self._at_the_last_second(mail, situation)
            if bytes.fromhex(mail.message_id[9:11])[0] < CHANGES:  # by no draw of its own
                yield from self.changes(mail, situation)
            if bytes.fromhex(mail.message_id[11:13])[0] < CHOOSES:
                yield from self.chooses(mail, situation)

    def changes(self, mail: Mail, situation: Situation) -> Iterator[Draft]:
        """Yield “Change Paris to A Paris - Burgundy”, by no draw of its own."""
        chance = random.Random(mail.message_id)
        lines = Strategist(situation, chance, self.boards[situation.game]).orders()
        if moves := [found for line in lines if (found := MOVES.fullmatch(line))]:
            move = chance.choice(moves)
            text, orders = f"Change {move[1]} to {move[0]}", (move[0],)
            letter = self.written(mail, text, **_of(situation), orders=orders, is_change=True)
            yield Draft(self.length * chance.random() * 0.9, letter)

    def chooses(self, mail: Mail, situation: Situation) -> Iterator[Draft]:
        """Yield the mail that the page makes of what is chosen there, by no draw of its own."""
        chance = random.Random(f"page {mail.message_id}")
        made = order_pages.chosen(situation.game, situation.power, chance)
        if made and made.phase == situation.phase:
            letter = self.written(
                None,
                made.text,
                **_of(situation),
                subject=made.subject,
                made_for=made.made_for,
                orders=made.orders,
                is_whole=made.is_whole,
            )
            yield Draft(self.length * chance.random(), replace(letter, to=made.to))

    def _at_the_last_second(self, mail: Mail, situation: Situation) -> Iterator[Draft]:
        """Yield mails that come around the deadline's second, some in it, by no draw of its own."""
        left = self.time_left(situation.game)
        drawn = bytes.fromhex(mail.message_id[1:7])
        if left is None or drawn[0] >= PUNCTUAL:
            return
        for byte in drawn[1:]:
            after = left + dt.timedelta(seconds=LAST_SECONDS[byte % len(LAST_SECONDS)])
            yield self._in_a_moment(mail, situation, max(after, NO_TIME))

    def _orders(self, mail: Mail, situation: Situation, share: float) -> Draft:
        lines = self.ideas(situation)()
        is_whole = not self._happens(0.1)
        if not is_whole and self.boards[situation.game].startswith("standard"):
            hasty = Person("Anybody", "", "", self.chance.choice(["long", "short", "hasty"]))
            lines = as_written(lines, hasty, self.chance)
        letter = self.written(
            mail,
            "\n".join(lines),
            **_of(situation),
            orders=tuple(lines),
            is_whole=is_whole,
        )
        left = self.time_left(situation.game)
        if left and self._happens(0.4):  # some write in the last minute, or just after it
            seconds = self.chance.uniform(-30, 60)
            return Draft(max(left - dt.timedelta(seconds=seconds), NO_TIME), letter)
        return Draft(self._after(share), letter)

    def ideas(self, situation: Situation) -> Callable[[], list[str]]:
        """Return what thinks of orders."""
        return Strategist(situation, self.chance, self.boards[situation.game]).orders

    def _amends(self, mail: Mail) -> Iterator[Draft]:
        situation = read_forgotten(mail)
        assert situation, "the mail names what has no order"
        lines = self.ideas(situation)()
        letter = self.written(
            mail, "\n".join(["AMEND", *lines]), **_of(situation), orders=tuple(lines)
        )
        yield Draft(self._after(0.3), letter)

    def at_once(self) -> Iterator[Draft]:
        """Yield new orders for all games in which the person was asked for some."""
        for mail, situation in self.plays.values():
            yield self._in_a_moment(mail, situation, NO_TIME)

    def _in_a_moment(self, mail: Mail, situation: Situation, after: dt.timedelta) -> Draft:
        lines = tuple(self.ideas(situation)())
        letter = self.written(mail, "\n".join(lines), **_of(situation), orders=lines, is_whole=True)
        return Draft(after, letter, is_prompt=True)

    def _asides(self, mail: Mail, situation: Situation) -> Iterator[Draft]:
        """Yield what else goes on between the deadlines."""
        game = situation.game
        if self._happens(0.35):
            yield self._press(mail, situation)
        for share, text in (
            (0.10, "READY"),
            (0.05, "WAIT"),
            (0.05, "STATUS"),
            (0.02, "HISTORY"),
            (0.02, "MAP"),
            (0.04, "VOTE DRAW"),
            (0.03, f"EXTEND {self.chance.randrange(4, 30)}h my train is late"),
            (0.01, f"RESIGN {game}"),
            (0.02, f"RETURN {game}"),
            (0.02, "GIBBERISH that nobody can read"),
            (0.01, "HELP"),
            (0.02, "CLEAR"),
        ):
            if self._happens(share):
                facts = {**_of(situation), "orders": ()} if text == "CLEAR" else {}
                yield Draft(self._after(0.9), self.written(mail, text, **facts))
        habits = Habits(
            situation,
            self.chance,
            self.number,
            powers_of(self.boards[game]),
            self.ideas(situation),
            self.beginning,
        )
        for aside in habits.asides():
            after = self.length + self._after(1) if aside.later else self._after(0.9)
            yield Draft(after, self.written(mail, aside.text, **aside.facts))
        one_in_32 = int(mail.message_id[1:3], 16) // 8  # by no draw of its own
        if rare := {0: "EXPORT", 1: "SET CALENDAR"}.get(one_in_32):
            yield Draft(dt.timedelta(hours=1), self.written(mail, rare))

    def _press(self, mail: Mail, situation: Situation) -> Draft:
        word = f"word{self.number()}x"
        powers = powers_of(self.boards[situation.game])
        others = [power for power in powers if power != situation.power]
        most = min(3, len(others))
        readers = tuple(self.chance.sample(others, self.chance.randint(1, most)))
        if self._happens(0.15):
            readers = ("ALL",)
        elif self._happens(0.1):
            readers = ("GM",)
        text = (
            f"PRESS TO {', '.join(readers)}\nOf Galicia let us say {word}, and no more.\nEND PRESS"
        )
        letter = self.written(
            mail,
            text,
            game=situation.game,
            power=situation.power,
            press_word=word,
            readers=readers,
        )
        return Draft(self._after(0.8), letter)

    def _answers_press(self, mail: Mail, word: str) -> Iterator[Draft]:
        before = self.word_of(word)
        if before is None or before.writer == self.address or not self._happens(0.4):
            return
        mine = f"word{self.number()}x"
        text = f"You have my {mine} on that."
        readers: tuple[str, ...] = (before.shown_as or before.writer,)
        if before.is_hidden and not before.shown_as:
            readers = ()  # nobody can answer it
        letter = self.written(mail, text, game=mail.game, press_word=mine, readers=readers)
        yield Draft(self._after(0.5), letter)


def _of(situation: Situation) -> dict[str, str]:
    return {"game": situation.game, "power": situation.power, "phase": situation.phase}
