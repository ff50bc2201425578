"""What must be true when all is quiet: each mail that came has an answer, each result has reached
everybody once, press its readers, and nothing is left to be told or sent."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict

from tests.simulate.checks.evidence import UNSENT, Broken, Evidence
from tests.simulate.checks.people.oblivion import Oblivion
from tests.simulate.players.forgers import YES

ENOUGH = "too many answers today"
BY_A_PROGRAM = "A program wrote it: its Precedence"


def at_rest(seen: Evidence, oblivion: Oblivion) -> None:
    """Check that nothing is left to do, and nobody was left out. Raises Broken."""
    _all_answered(seen, oblivion)
    _all_told(seen)
    _press_passed_on(seen)
    _sent_is_taken(seen)
    for name, query in {
        "mails are not sent": f"select * from mailer_outboundmail where {UNSENT}",
        "events are untold": "select * from games_event where told_at is null",
    }.items():
        if rows := seen.rows(query):
            raise Broken(f"{len(rows)} {name}, {dict(rows[0])}")


def _sent_is_taken(seen: Evidence) -> None:
    """Nothing is held for sent of which the relay has only a part, or nothing at all."""
    query = "select message_id, subject from mailer_outboundmail where state = 'sent'"
    for mail in seen.rows(query):
        if not seen.taken.get(mail["message_id"]):
            raise Broken(f"{mail['subject']!r} is marked as sent, and no relay has taken it")


def _all_answered(seen: Evidence, oblivion: Oblivion) -> None:
    query = """
        select id, message_id, state, note, error, player_id,
               (select count(*) from mailer_outboundmail where answers_id = mail.id) as answers
          from mailer_inboundmail mail order by id
    """
    copies: dict[str, list[sqlite3.Row]] = defaultdict(list)
    for row in seen.rows(query):
        copies[row["message_id"]].append(row)
    for message_id, times in seen.deliveries.items():
        rows = copies.get(message_id, [])
        letter = seen.letters[message_id]
        if letter.is_forged:
            continue  # our mail server says so, and nobody is asked
        if letter.is_forwarded and letter.text == YES:
            continue  # whom we asked is told once that it was not theirs to say, and while we ask
        if any(
            oblivion.wrote_before(writer, times[0])
            for writer in (letter.writer, seen.claimed_writer(letter))
        ):
            continue
        if not rows:
            raise Broken(f"{message_id} came at {times[0]} and is not in the database")
        if any(row["player_id"] is None and ENOUGH in row["note"] for row in rows):
            continue  # nobody whom the server knows gets more than a few answers a day
        if any(BY_A_PROGRAM in row["note"] for row in rows):
            continue  # it came through a mailing list, and asks for nothing
        if not any(row["answers"] for row in rows):
            states = [(row["state"], row["note"], row["error"]) for row in rows]
            raise Broken(f"{message_id} was never answered: {states}")


def _all_told(seen: Evidence) -> None:
    """Each result went once to whoever had a seat in the game all the time."""
    query = """
        select event.id, game.name as game, phase.name as phase, event.created_at
          from games_event event join games_phase phase on phase.id = event.phase_id
          join games_game game on game.id = event.game_id where event.kind = 'phase_processed'
    """
    for event in seen.rows(query):
        mails = seen.rows(
            """select recipient, coalesce(merged_into_id, player.id) as player, key
                 from mailer_outboundmail mail
                 left join games_player player on player.id = mail.player_id
                where event_id = ?""",
            event["id"],
        )
        told = [
            row["recipient"]
            for row in mails  # a GM who plays is told as the one and as the other
            if row["recipient"] != "erased@invalid" and not row["key"].endswith("/gm")
        ]
        missed = _steady(seen, event["game"]).keys() - {row["player"] for row in mails}
        if len(set(told)) != len(told) or missed:
            what = f"{event['game']} {event['phase']}"
            raise Broken(f"the result of {what} went to {sorted(told)}, not to {missed}")


def _press_passed_on(seen: Evidence) -> None:
    """Each letter between powers went to whoever has had a power that it is for all the time."""
    query = """
        select press.number, press."to" as powers, game.name as game, event.id as event
          from games_press press join games_game game on game.id = press.game_id
          left join games_event event on event.game_id = game.id and event.kind = 'press_sent'
               and json_extract(event.payload, '$.press') = press.number
         where press.seat_id is not null
    """
    reached = """
        select coalesce(merged_into_id, player.id) as player from mailer_outboundmail mail
          join games_player player on player.id = mail.player_id where event_id = ?
    """
    for press in seen.rows(query):
        told = {row["player"] for row in seen.rows(reached, press["event"])}
        readers = set(json.loads(press["powers"]))
        missed = {
            power
            for player, power in _steady(seen, press["game"]).items()
            if power in readers and player not in told
        }
        if press["event"] is None or missed:
            what = f"press {press['number']} of {press['game']}"
            raise Broken(f"{what} is for {sorted(readers)} and was not passed on to {missed}")


def _steady(seen: Evidence, game: str) -> dict[int, str]:
    """Those who have played a power of a game from the beginning on, with that power."""
    query = """
        select min(seat.player_id) as player, min(power.name) as power from games_seat seat
          join games_power power on power.id = seat.power_id
          join games_game game on game.id = power.game_id
          join games_player player on player.id = seat.player_id
         where game.name = ? group by power.id
        having count(*) = 1 and max(seat.until) is null and max(erased_at) is null
    """
    return {row["player"]: row["power"] for row in seen.rows(query, game)}
