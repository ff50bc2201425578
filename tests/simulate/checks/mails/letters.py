"""What players write to other powers is passed on as they are told, also at a deadline's very
minute, or refused for a reason that their game has."""

from __future__ import annotations

import sqlite3

from tests.simulate.checks.evidence import Broken, Evidence

OF_GAME = "select 1 from games_game game where name = :game and "
OF_PLAYER = """select 1 from games_player player
    join games_address address on address.player_id = player.id where email = :writer and """
WHY = {
    "is over": f"{OF_GAME} status = 'finished'",
    "played without press": f"{OF_GAME} press_mode = 'none'",
    "nobody writes to everybody": f"{OF_GAME} press_mode not in ('public', 'both')",
    "everybody reads all press": f"{OF_GAME} press_mode = 'public'",
    "press is never fake": f"{OF_GAME} fake_press = 0",
    "says which power wrote it": f"{OF_GAME} grey_press = 0",
    "has no game master": f"{OF_GAME} gm_id is null",
    "Nobody plays": f"""{OF_GAME} exists (
        select 1 from games_power power where power.game_id = game.id and not exists (
               select 1 from games_seat where power_id = power.id and until is null
                  and since < :at))""",
    "no longer play": f"""{OF_GAME} not exists (
        select 1 from games_seat seat join games_power power on power.id = power_id
          join games_address address on address.player_id = seat.player_id
         where power.game_id = game.id and power.name = :power and email = :writer
           and until is null)""",
    "have muted you": f"{OF_PLAYER} muted_until > :at",
    "no longer play on this server": f"{OF_PLAYER} banned_at is not null",
    "does not say which power wrote it": "select 1 from games_press where grey = 1",
}
"""By words of a refusal, what the tables must say then."""
KEPT = """select 1 from games_press
           where source = :source or source = '' and seat_id is null and text like :word"""
"""What a GM writes, be it one to whom a game was handed over, is kept without its mail."""
REFUSED, PASSED_ON = "NOT SENT", "Passed on to"


def mail(seen: Evidence, mail: sqlite3.Row) -> None:
    """Check an answer that was queued in the last step. Raises Broken."""
    letter = seen.answered(mail) if mail["kind"] == "reply" else None
    if letter is None or not letter.press_word:
        return
    what = f"{letter.text!r} of {letter.writer}: {mail['subject']!r}"
    if PASSED_ON in mail["subject"]:
        if not seen.rows(KEPT, source=letter.message_id, word=f"%{letter.press_word}%"):
            raise Broken(f"{what}, and there is no such press")
    elif REFUSED in mail["subject"]:
        facts = {
            "game": letter.game,
            "power": letter.power,
            "writer": letter.writer,
            "at": mail["created_at"].isoformat(sep=" "),
        }
        said = " ".join(mail["body"].split())
        if not any(words in said and seen.rows(query, **facts) for words, query in WHY.items()):
            raise Broken(f"{what}, without a reason that its game has: {said}")
