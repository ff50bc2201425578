"""A game ends by a vote only when all who have a say have voted for it, in mails of their own; and
where votes are secret, nobody reads who proposed or how anybody voted before it is over."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from tests.simulate.checks.evidence import Broken, Evidence
from tests.simulate.tables import powers_of

ENDED_BY = ("draw", "concession")
SAYS_YES = re.compile(r"^(VOTE )?(YES|DRAW|CONCEDE)|^CONFIRM", re.MULTILINE)
TELLS = r"\b({})(?: (?:proposes|proposed|votes|voted)\b|’s vote)"


@dataclass
class Votes:
    """All proposals to end a game."""

    seen: Evidence

    def event(self, event: sqlite3.Row) -> None:
        """Check an event that has just been written. Raises Broken."""
        facts = json.loads(event["payload"])
        if event["kind"] == "game_finished" and facts["ending"] in ENDED_BY:
            self._agreed(event)

    def _agreed(self, event: sqlite3.Row) -> None:
        [game] = self.seen.rows("select * from games_game where id = ?", event["game_id"])
        what = f"{game['name']} ends by a {game['ending']}"
        query = """select * from games_proposal where game_id = ? and state = 'passed'
                    order by id desc limit 1"""
        proposals = self.seen.rows(query, game["id"])
        if not proposals or json.loads(proposals[0]["winners"]) != json.loads(game["winners"]):
            raise Broken(f"{what}, which nobody proposed")
        [proposal] = proposals
        winner = json.loads(proposal["winners"])[0] if proposal["kind"] == "concession" else ""
        for seat in self._have_a_say(event):
            ballot = self._ballot(proposal, seat)
            if ballot is None and seat["power"] != winner:
                raise Broken(f"{what}, and {seat['power']} has not voted")
            if ballot is not None:
                self._says_yes(ballot, f"{what}, and {seat['power']}")

    def _have_a_say(self, event: sqlite3.Row) -> Iterator[sqlite3.Row]:
        """The seats of those who are on the board and not in civil disorder."""
        [phase] = self.seen.rows("select position from games_phase where id = ?", event["phase_id"])
        board = json.loads(phase["position"])
        query = """select seat.id, power.name as power from games_seat seat
                     join games_power power on power.id = power_id
                    where game_id = ? and until is null and disorder_since is null"""
        for seat in self.seen.rows(query, event["game_id"]):
            if board["units"].get(seat["power"]) or board["centers"].get(seat["power"]):
                yield seat

    def _ballot(self, proposal: sqlite3.Row, seat: sqlite3.Row) -> sqlite3.Row | None:
        query = """select * from games_ballot where proposal_id = ? and seat_id = ?
                    order by cast_at desc, id desc limit 1"""
        return next(iter(self.seen.rows(query, proposal["id"], seat["id"])), None)

    def _says_yes(self, ballot: sqlite3.Row, whose: str) -> None:
        if not ballot["yes"]:
            raise Broken(f"{whose} voted no")
        letter = self.seen.letters.get(ballot["source"])
        if letter and not SAYS_YES.search(letter.text):
            raise Broken(f"{whose} wrote {letter.text!r}")

    # --- secret votes -------------------------------------------------------------------------

    def mail(self, mail: sqlite3.Row) -> None:
        """Check a mail that was queued in the last step. Raises Broken."""
        if mail["kind"] == "reply" or mail["event_id"] is None:
            return
        query = "select game_id from games_event where id = ?"
        [event] = self.seen.rows(query, mail["event_id"])
        what = f"the mail {mail['subject']!r} to {mail['recipient']}"
        if mail["kind"].startswith("vote_"):
            self._secret(event["game_id"], f"{mail['subject']}\n{mail['body']}", what)

    def page(self, text: str, address: str) -> None:
        """Check a page that everybody may read. Raises Broken."""
        if found := re.match(r"/games/([\w-]+)/", address):
            for game in self.seen.rows("select id from games_game where name = ?", found[1]):
                self._secret(game["id"], text, f"the page {address}")

    def _secret(self, game_id: int, text: str, what: str) -> None:
        query = """select variant from games_game
                    where id = ? and secret_votes and status != 'finished'"""
        for game in self.seen.rows(query, game_id):
            told = re.search(TELLS.format("|".join(powers_of(game["variant"]))), text)
            if told:
                raise Broken(f"{what} tells {told[0]!r}, and votes are secret")
