"""Words that older judges know after SET, for things that work differently here, or that other
people do."""

from __future__ import annotations

from collections.abc import Mapping

PROXIES = (
    "There are no proxies here: nobody else can order your units. While you are away, send your "
    "orders ahead (HELP PHASE), or announce an absence (HELP ABSENCE)."
)

ELSEWHERE: Mapping[str, str] = {
    "proxy": PROXIES,
    "mail": "To pause all our mails, write MAIL OFF; to get them again, MAIL ON.",
    "password": (
        "There are no passwords here. We take what you write for yours when it comes from your "
        "address, in a reply to a mail of ours."
    ),
    **dict.fromkeys(
        ("preference", "preferences"),
        "To change the powers you would like, write JOIN, the game's name and the new list.",
    ),
    "deadline": "That is for the GM. To ask for more time, write EXTEND, how long and why.",
    **dict.fromkeys(
        ("note", "notes"),
        "To keep notes with a game that has diaries, write DIARY RECORD and the note below it.",
    ),
    **dict.fromkeys(
        ("concession", "concessions"), "To let a power win, write CONCEDE TO and its name."
    ),
    **dict.fromkeys(("noreminder", "noreminders"), "To stop reminders, write SET REMINDERS OFF."),
    **dict.fromkeys(
        (
            *("grace", "start", "move", "moves", "retreat", "retreats", "adjust", "adjustments"),
            *("nmr", "cd", "comment", "press", "access", "dedication", "centers", "list", "public"),
            *("private", "moderated", "unmoderated", "approval", "allow", "deny", "players"),
            *("variant", "rated", "unrated", "observe", "observers", "watch", "blind", "gunboat"),
            *("secret", "moderate", "approve", "strict", "victory", "manual", "auto", "reveal"),
            *("late", "partial", "postal", "white", "grey", "fake", "draws", "dias"),
        ),
        "That is for the game master. STATUS shows your game's settings; to ask for something "
        "else, write PRESS TO GM.",
    ),
}
