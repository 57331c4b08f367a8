"""What a line of text on the screen means: a menu, a victory, a defeat, an objective. In doubt, nothing."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Meaning(StrEnum):
    """What a text says about the state of the game."""

    WIN = "win"
    GAME_OVER = "game over"
    OBJECTIVE = "objective"
    MENU = "menu"
    MENU_ENTRY = "menu entry"
    """A word that alone proves nothing; two of them on one screen are a menu."""


# Text recognition often drops the blanks between words, so every blank is optional.
STATED = {
    Meaning.WIN: r"YOU (WIN|WON(?!'?T\b)|HAVE WON|ARE (THE )?(WINNER|VICTORIOUS|CHAMPION)|BEAT THE GAME"
    r"|(HAVE )?(FINISHED|COMPLETED|BEATEN) (THE|THIS) GAME|ESCAPED|SURVIVED|MADE IT)|PLAYER WINS|GAME COMPLETED?"
    r"|ALL LEVELS (ARE )?(CLEARED|COMPLETED?|DONE|FINISHED)|PUZZLE SOLVED",
    Meaning.GAME_OVER: r"GAME [O0]VER|YOU (DIED|LOSE|LOST|ARE DEAD|WERE KILLED|HAVE (DIED|LOST|FAILED)|FAILED|CRASHED)"
    r"|(MISSION|LEVEL) FAILED|BETTER LUCK NEXT TIME|OUT OF (TIME|LIVES)|TIME'?S UP",
    Meaning.OBJECTIVE: r"(LEVEL|STAGE|WAVE|ROUND|MISSION|QUEST|OBJECTIVE|WORLD|AREA) ?#?\d* ?(IS |WAS )?"
    r"(COMPLETED?|CLEAR(ED)?|ACCOMPLISHED|PASSED|FINISHED|BEATEN|DONE)|CHECKPOINT (REACHED|SAVED)",
    Meaning.MENU: r"(PRESS|HIT|TAP|CLICK|PUSH)[A-Z' ]{0,30} TO (START|PLAY|BEGIN|CONTINUE|SELECT)|PRESS (START|ANY KEY)"
    r"|NEW GAME|START GAME|PLAY GAME|MAIN MENU|(SELECT|CHOOSE) (A |YOUR )?(LEVEL|STAGE|CHARACTER|MODE|DIFFICULTY)"
    r"|LEVEL SELECT|HOW TO PLAY|PAUSED|(RETURN|BACK) TO (TITLE|(THE )?MENU)",
}
ALONE = {
    Meaning.WIN: r"VICTORY|CONGRATULATIONS|WINNER|SOLVED",
    Meaning.GAME_OVER: r"DEFEAT|DEAD|WASTED|TRY AGAIN",
    Meaning.OBJECTIVE: r"CHECKPOINT|LEVEL UP|NEXT LEVEL",
    Meaning.MENU_ENTRY: r"PLAY|START|OPTIONS|SETTINGS|QUIT|EXIT|CREDITS|HELP|INSTRUCTIONS|HI(GH)? ?SCORES?|LOAD"
    r"|CONTINUE|(SINGLE|ONE|TWO|1|2) PLAYERS?|MULTIPLAYER|(STORY|ENDLESS|ARCADE) MODE|REPLAYS?|LICEN[CS]E|ABOUT|EASY"
    r"|NORMAL|HARD|TUTORIAL|CONTROLS|RESUME|RESTART|LOAD GAME",
}
# "You win if ...", "when you win", "try to win": rules of the game, not news.
RULE_BEFORE = re.compile(r"(\b(IF|WHEN|ONCE|UNTIL|UNLESS|CAN|COULD|WILL|MUST|BEFORE|EVERY ?TIME|SO)|(^|\b)IF|^WHEN) ?$")
RULE_AFTER = re.compile(r"^[A-Z ,]{0,14}?\b(IF|WHEN|ONCE|BY|AS SOON|UNLESS|EACH|FOR)\b|^(IF|WHEN|BY)[A-Z]")
MENU_ENTRIES = 2


def _loose(pattern: str) -> str:
    return pattern.replace(" ?", " ").replace(" ", r"\s*")


_STATED = {meaning: re.compile(_loose(pattern)) for meaning, pattern in STATED.items()}
_ALONE = {meaning: re.compile(rf"\W*({_loose(pattern)})\W*") for meaning, pattern in ALONE.items()}


def meanings(text: str, *, title: str = "") -> frozenset[Meaning]:
    """Return what one line means; a phrase that belongs to the game's own title means nothing."""
    line = " ".join(text.upper().split())
    found = {meaning for meaning, pattern in _STATED.items() if any(_is_news(m, title) for m in pattern.finditer(line))}
    found |= {meaning for meaning, pattern in _ALONE.items() if (m := pattern.fullmatch(line)) and _is_news(m, title)}
    if Meaning.WIN in found and re.search(r"LEVEL|STAGE|ROUND|WAVE", line):
        found = (found - {Meaning.WIN}) | {Meaning.OBJECTIVE}
    return frozenset(found)


def together(lines: Iterable[frozenset[Meaning]]) -> frozenset[Meaning]:
    """Return what all lines of one screen mean together."""
    every = [meaning for line in lines for meaning in line]
    found = set(every) - {Meaning.MENU_ENTRY}
    if every.count(Meaning.MENU_ENTRY) >= MENU_ENTRIES:
        found.add(Meaning.MENU)
    if {Meaning.WIN, Meaning.OBJECTIVE} <= found:  # "Congratulations!" above "Level complete": one level, not the game
        found.discard(Meaning.WIN)
    return frozenset(found)


def _is_news(match: re.Match[str], title: str) -> bool:
    phrase = _letters(match.group())
    before, after = match.string[: match.start()], match.string[match.end() :]
    return not (phrase in _letters(title.upper()) or RULE_BEFORE.search(before) or RULE_AFTER.search(after))


def _letters(text: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", text)
