"""How the HTML part looks: the tokens of maps and pages (atlas/tokens.py), in the tags.

Mail programs drop style sheets as they like, so the necessary styles stand in each tag; the sheet
only reverses the colours on a dark screen.
"""

from __future__ import annotations

from atlas.tokens import DARK, LIGHT, MONO, RADII, SANS, SERIF

_TEXT = (
    f"background:{LIGHT['paper']};color:{LIGHT['ink']};"
    f"font-family:{SANS};font-size:16px;line-height:24px;overflow-wrap:anywhere"
).replace('"', "'")
BODY = f"margin:0;padding:0;{_TEXT}"
# A digest has no blank at which to break: the column keeps its width all the same. Programs that do
# not know "anywhere" know "break-word".
COLUMN = "max-width:640px;margin:0 auto"
# Webmail has a page of its own around ours, and Outlook passes no font on to what is in a table.
CELL = f"padding:16px;word-break:break-word;{_TEXT}"
HEADLINE = f"margin:0 0 8px;font-family:{SERIF};font-size:25px;line-height:32px".replace('"', "'")
HEADING = f"margin:24px 0 8px;font-family:{SERIF};font-size:19px;line-height:24px".replace('"', "'")
TITLE = HEADING.replace("24px 0 8px", "0 0 8px", 1)
"""For a mail whose news is longer than SHORT, or is a heading: as small as its other headings."""
SHORT = 48
"""How many characters of a HEADLINE fill three lines on a phone."""
PANEL_HEADING = TITLE
PARAGRAPH = "margin:0 0 12px"
# When a line goes on in the next, the next stands clear of the mark at its beginning.
HANGING = "padding-left:{0}px;text-indent:-{0}px"
BULLET, CHIP = HANGING.format(10), HANGING.format(22)
QUOTED = f"margin:0 0 12px;padding-left:12px;border-left:4px solid {LIGHT['line']}"
SMALL = f"margin:0 0 12px;font-size:13px;line-height:20px;color:{LIGHT['quiet']}"
MACHINES = (
    f"margin:0 0 12px;font-family:{MONO};font-size:13px;line-height:20px;color:{LIGHT['quiet']}"
).replace('"', "'")
PANEL = (
    f"margin:16px 0;padding:12px 16px;background:{LIGHT['soft']};"
    f"border-left:4px solid {LIGHT['accent']};border-radius:{RADII['card']}px"
)
BUTTON = (
    f"display:inline-block;padding:9px 16px;border:1px solid {LIGHT['accent']};"
    f"border-radius:{RADII['control']}px;color:{LIGHT['accent']};text-decoration:none;"
    "line-height:24px"
)
PICTURE = (
    f"display:block;width:100%;max-width:640px;height:auto;border:1px solid {LIGHT['line']};"
    f"border-radius:{RADII['control']}px"
)
LINK = f"color:{LIGHT['accent']}"
GOOD = f"color:{LIGHT['good']}"
BAD = f"color:{LIGHT['bad']};font-weight:bold"


def _dark(name: str, rules: str) -> str:
    return f".{name}{{{rules}}}"


SHEET = (
    ":root{color-scheme:light dark;supported-color-schemes:light dark}\n"
    "@media print{span{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n"
    "@media (prefers-color-scheme:dark){\n"
    + "\n".join(
        [
            _dark("b", f"background:{DARK['paper']}!important;color:{DARK['ink']}!important"),
            _dark(
                "p", f"background:{DARK['soft']}!important;border-color:{DARK['accent']}!important"
            ),
            _dark("q", f"color:{DARK['quiet']}!important"),
            _dark("g", f"color:{DARK['good']}!important"),
            _dark("x", f"color:{DARK['bad']}!important"),
            _dark("k", f"color:{DARK['accent']}!important;border-color:{DARK['accent']}!important"),
            _dark("l", f"border-color:{DARK['line']}!important"),
        ]
    )
    + "\n}"
)
