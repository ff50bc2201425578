"""What is promised to those who join a game that has not begun: their places, and to be heard.

Who says in time that they are here keeps their place; a game begins with those who want to play
and have said so, each with one power, and all of them are told.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.simulate.checks.evidence import Broken, Evidence, time_of
from tests.simulate.players.writers import Letter

HERE, LEAVE = "HERE", "LEAVE"


@dataclass
class Musters:
    """All games that are made and joined by mail."""

    seen: Evidence

    def failed(self, event: sqlite3.Row) -> None:
        """Check a muster that has just ended without everybody. Raises Broken."""
        query = """select payload, created_at from games_event where game_id = ? and number < ?
                     and kind = 'muster_begun' order by number desc limit 1"""
        [begun] = self.seen.rows(query, event["game_id"], event["number"])
        since = time_of(begun["created_at"])
        until = dt.datetime.fromisoformat(json.loads(begun["payload"])["until"])
        assert since
        for player in json.loads(event["payload"])["silent"]:
            for letter, at in self._said(player, event["game_id"], HERE):
                if since < at <= until and not self.is_doubted(letter, until):
                    raise Broken(f"{letter.writer} said {HERE} at {at}, and lost their place")

    def is_doubted(self, letter: Letter, until: dt.datetime) -> bool:
        """Whether its writer was asked if a mail was theirs, and had not answered by then: it came
        through a mailing list, say, as if a program had written it."""
        query = """select question.message_id from mailer_outboundmail question
                     join mailer_inboundmail mail on mail.id = question.answers_id
                    where mail.message_id = ? and question.kind = 'question'"""
        asked = {row["message_id"] for row in self.seen.rows(query, letter.message_id)}
        answers = [
            at
            for one in self.seen.letters.values()
            if one.about and one.about.message_id in asked
            for at in self.seen.deliveries.get(one.message_id, [])
        ]
        return bool(asked) and not any(at <= until for at in answers)

    def started(self, event: sqlite3.Row) -> None:
        """Check a game that has just begun. Raises Broken."""
        [game] = self.seen.rows("select * from games_game where id = ?", event["game_id"])
        by_gm = json.loads(event["payload"]).get("by")
        players = [row["player_id"] for row in self._seats(event["game_id"])]
        if len(set(players)) != len(players):
            raise Broken(f"{game['name']} begins, and somebody has two powers")
        query = "select * from games_application where game_id = ? and withdrawn_at is null"
        joined = {row["player_id"]: row for row in self.seen.rows(query, event["game_id"])}
        for player in players:
            if player not in joined:
                raise Broken(f"{game['name']} begins with player {player}, who has left")
            if game["muster"] and not by_gm and not joined[player]["here_at"]:
                raise Broken(f"{game['name']} begins before player {player} said {HERE}")

    def at_rest(self) -> None:
        """Check that whoever plays from the beginning was told so. Raises Broken."""
        query = """
            select game.name as game, power.name as power from games_seat seat
              join games_power power on power.id = power_id
              join games_game game on game.id = power.game_id
              join games_player player on player.id = player_id
             where seat.since = game.started_at and until is null and erased_at is null
               and not exists (select 1 from mailer_outboundmail mail
                 where mail.kind = 'game_started' and mail.key like 'start/' || game.id || '/%'
                   and mail.player_id = player.id)
               and not exists (select 1 from games_player other
                 where other.merged_into_id = player.id)
        """
        for row in self.seen.rows(query):
            raise Broken(f"{row['game']} began, and nobody told the player of {row['power']}")

    def _seats(self, game: int) -> Iterable[sqlite3.Row]:
        query = """select player_id from games_seat seat
                     join games_power power on power.id = seat.power_id
                     join games_game game on game.id = power.game_id
                    where game_id = ? and seat.since <= started_at"""
        return self.seen.rows(query, game)

    def _said(self, player: int, game: int, word: str) -> Iterator[tuple[Letter, dt.datetime]]:
        """Yield the letters of a player that say this word about a game, and when they came."""
        [name] = self.seen.rows("select name from games_game where id = ?", game)
        query = "select email from games_address where player_id = ?"
        emails = {row["email"] for row in self.seen.rows(query, player)}
        for letter in self.seen.letters.values():
            if letter.writer in emails and letter.text == f"{word} {name['name']}":
                for at in self.seen.deliveries.get(letter.message_id, [])[:1]:
                    yield letter, at
