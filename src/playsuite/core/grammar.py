"""The action grammar as text: `parse` reads any answer, `format_action` writes one. Neither ever raises."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from playsuite.core.actions import Action, Answer, Button, Click, Hold, Move, Parsed, ParseStatus, Press, Scroll, Wait
from playsuite.core.answers import LONGEST_ACTION, few, find, shorten, status_of
from playsuite.core.chords import no_key
from playsuite.core.keys import SPOKEN, canonical
from playsuite.core.phrases import MAX_HOLD_S, VERB, Bounds, Piece, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from playsuite.core.points import View

MAX_ACTIONS = 4
"""Actions of one answer that are done; a prompt asks for one."""
MAX_CLICKS = 10

_WRAPPERS = frozenset(zip("\"'`*_([", "\"'`*_)]", strict=True))
_BULLET = re.compile(r"(?:[-*•]|\d{1,2}[.)])\s+")
_SEPARATORS = re.compile(r"(?:[\s,;|\"'`*_{}\[\]<>.:]|->|(?:then|and)(?![a-z]))*", re.IGNORECASE)
_COMMENT = re.compile(r"\([^()]*\)?")
_ITEM = re.compile(r"[^,;|]*")
_WORD = re.compile(r"[^\W_]")
_ONE_WORD = re.compile(r"\S+\s*$")
_ARTICLE = re.compile(
    r"[ai] +(?!(?:to|for|because|so|since|as|in|and|key|button|again|until|while|now)\b)([a-z]+)", re.IGNORECASE
)


def parse(
    answer: str,
    view: View,
    *,
    max_actions: int = MAX_ACTIONS,
    max_hold_s: float = MAX_HOLD_S,
    finish_reason: str = "",
) -> Answer:
    """Read a model's answer about what it was shown.

    Total: whatever cannot be read leaves a note, and an answer without any action becomes a `Wait`.
    `finish_reason` is the server's; "length" says that the answer was cut off.
    """
    cut_off = finish_reason == "length"
    found = find(answer, cut_off=cut_off)
    bounds = Bounds(view, max_hold_s)
    read_lines = _labelled if found.labelled else _unlabelled
    pieces = _limited(_merged(read_lines(found.action, bounds)), max_actions)
    actions = tuple(piece.action for piece in pieces if piece.action is not None)
    notes = [*found.notes, *(piece.note for piece in pieces if piece.note)]
    if not actions and not notes:
        notes = [f"no action in {shorten(answer)}"]
    status = _status(pieces, noted=bool(notes), cut_off=cut_off)
    return Answer(Parsed(actions or (Wait(),), status, few(notes)), found.observation, found.reasoning)


def format_action(action: Action) -> str:
    """Write one action as `parse` reads it."""
    match action:
        case Press(keys):
            return _chord(keys)
        case Hold(keys, seconds):
            return f"hold:{_chord(keys)}:{_number(seconds)}"
        case Click(x, y, button, count):
            verb = "click" if button is Button.LEFT else f"{button}click"
            return " ".join([f"{verb}:{_number(x)},{_number(y)}"] * count)
        case Move(x, y, relative, seconds):
            duration = f":{_number(seconds)}" if seconds else ""
            return f"move:{_number(x, signed=relative)},{_number(y, signed=relative)}{duration}"
        case Scroll(notches):
            return f"scroll:{'up' if notches > 0 else 'down'}:{abs(notches)}"
        case Wait():
            return "wait"


def format_actions(actions: Sequence[Action]) -> str:
    """Write the actions of one turn on one line."""
    return "; ".join(format_action(action) for action in actions)


def _chord(keys: tuple[str, ...]) -> str:
    return "+".join(SPOKEN.get(key, key) for key in keys)


def _number(value: float, *, signed: bool = False) -> str:
    text = repr(float(value)).removesuffix(".0")
    return f"+{text}" if signed and not text.startswith("-") else text


def _status(pieces: Sequence[Piece], *, noted: bool, cut_off: bool) -> ParseStatus:
    done = any(piece.action is not None for piece in pieces)
    refused = any(piece.action is None and not piece.prose for piece in pieces)
    said = any(piece.note for piece in pieces)
    return status_of(done=done, refused=refused or (said and not done), noted=noted, cut_off=cut_off)


def _merged(pieces: Iterable[Piece]) -> list[Piece]:
    """Make one double-click of two clicks on the same point."""
    merged: list[Piece] = []
    for piece in pieces:
        match (merged[-1].action if merged else None), piece.action:
            case Click() as before, Click() as now if replace(before, count=now.count) == now:
                count = before.count + now.count
                note = "" if count <= MAX_CLICKS else f"{count} clicks were cut to {MAX_CLICKS}"
                merged[-1] = Piece(replace(now, count=min(count, MAX_CLICKS)), piece.end, note or merged[-1].note)
            case _:
                merged.append(piece)
    return merged


def _limited(pieces: list[Piece], most: int) -> list[Piece]:
    """Keep the first `most` actions and every refusal."""
    places = [place for place, piece in enumerate(pieces) if piece.action is not None]
    if len(places) <= most:
        return pieces
    surplus = set(places[most:])  # by place: the same action on several lines makes equal pieces
    kept = [piece for place, piece in enumerate(pieces) if place not in surplus]
    return [*kept, Piece(None, 0, f"of {len(places)} actions only the first {most} were done")]


def _labelled(text: str, bounds: Bounds) -> Iterator[Piece]:
    """Read an action and the ones listed below it; a line of prose ends the list."""
    lines = _clean_lines(text)
    begun = False
    for number, line in enumerate(lines):
        pieces = list(_line(line, bounds))
        if begun and any(_is_prose(piece) for piece in pieces):
            yield Piece(None, 0, f"ignored {shorten(' '.join(lines[number:]))}", prose=True)
            return
        begun = begun or bool(pieces)
        yield from pieces


def _unlabelled(text: str, bounds: Bounds) -> list[Piece]:
    """Read the last lines of a text, if they are actions and nothing else, or plainly command one."""
    lines = _clean_lines(text[-LONGEST_ACTION:])
    taken: list[Piece] = []
    used = 0
    for line in reversed(lines):
        pieces = list(_line(line, bounds))
        if not pieces or not _is_command(line, pieces):
            if used:
                break
            continue
        taken = [*pieces, *taken]
        used += 1
    if taken and used < len(lines):
        taken.append(Piece(None, 0, "there was no 'Action:'; the last lines that are actions were used", prose=True))
    return taken


def _is_command(line: str, pieces: list[Piece]) -> bool:
    done = any(piece.action is not None for piece in pieces)
    return not any(map(_is_prose, pieces)) or (done and VERB.search(line) is not None)


def _is_prose(piece: Piece) -> bool:
    return piece.prose and bool(piece.note)


def _clean_lines(text: str) -> list[str]:
    stripped = (_unwrapped(_BULLET.sub("", line.strip(), count=1)) for line in text.splitlines())
    return [line for line in stripped if line]


def _unwrapped(line: str) -> str:
    """Take off quotes and parentheses around a whole line, where a key may be a quote mark itself."""
    while len(line) > 1 and (line[0], line[-1]) in _WRAPPERS:
        line = line[1:-1].strip()
    return line


def _line(line: str, bounds: Bounds) -> Iterator[Piece]:
    """Cut one line into actions, refusals and the words between them."""
    at = _after_separators(line, 0)
    piece = _first(line, at, bounds)
    listed = True
    while at < len(line):
        piece = piece or _comment(line, at) or read(line, at, bounds) or _unread(line, at, listed=listed)
        yield piece
        at = _after_separators(line, piece.end)
        listed = any(sign in line[piece.end : at] for sign in ",;|")
        piece = None


def _after_separators(line: str, at: int) -> int:
    found = _SEPARATORS.match(line, at)
    return found.end() if found else at


def _first(line: str, at: int, bounds: Bounds) -> Piece | None:
    """Read what the line begins with, or the first action its words command: `I will press space`."""
    article = _ARTICLE.match(line, at)
    if not (article and canonical(article[1]) is None) and (piece := read(line, at, bounds)):
        return piece
    refused: Piece | None = None
    for verb in VERB.finditer(line, at):
        piece = read(line, verb.start(), bounds)
        if piece and piece.action is not None:
            return piece._replace(note=piece.note or f"ignored {shorten(line[at : verb.start()])}")
        if piece and line[verb.end() : verb.end() + 1] in ("(", ":"):  # a call: its arguments are no keys
            refused = refused or piece
    return refused or (_unread(line, at, listed=True) if article else None)


def _comment(line: str, at: int) -> Piece | None:
    found = _COMMENT.match(line, at)
    return _prose(found[0], found.end()) if found else None


def _unread(line: str, at: int, *, listed: bool) -> Piece:
    """Refuse a word that stands where an action could; take anything longer for prose up to the end of the line."""
    item = _ITEM.match(line, at)
    if listed and item and _ONE_WORD.fullmatch(item[0]) and _WORD.search(item[0]):
        return Piece(None, item.end(), no_key(item[0].strip()))
    return _prose(line[at:], len(line))


def _prose(text: str, end: int) -> Piece:
    return Piece(None, end, f"ignored {shorten(text)}" if _WORD.search(text) else "", prose=True)
