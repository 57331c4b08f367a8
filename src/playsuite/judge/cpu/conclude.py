"""From what was seen and read to the milestones of the paper, each with its time; in doubt false."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from playsuite.core.records import Evidence, Milestones
from playsuite.judge.cpu.counters import counts, level_rise, lives_lost, score_rise
from playsuite.judge.cpu.look import Look
from playsuite.judge.cpu.phrases import Meaning, meanings, together
from playsuite.judge.cpu.scenes import new_screens
from playsuite.judge.cpu.text import Line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playsuite.judge.cpu.control import Control

NOT_PLAY = frozenset({Meaning.MENU, Meaning.GAME_OVER, Meaning.WIN})
PLAY_SECONDS = 3
"""Play is this many seconds in a row without a menu, all but one of them with a visible change."""
STUCK_SHARE = 0.6
"""Share of seconds without a visible change from which a film mostly stands still."""
SHORTEST_TO_BE_STUCK = 10
ONE_DEATH_S = 5.0
"""A lost life and the words that announce it are one death."""
MOST_DEATHS = 20


class Watched(Struct, frozen=True):
    """A film as the judge remembers it: a look a second, and every line of text."""

    looks: tuple[Look, ...]
    lines: tuple[Line, ...]
    title: str = ""

    def news(self) -> dict[float, frozenset[Meaning]]:
        """Return for each second what the texts on the screen mean together."""
        meant = [(line, meanings(line.text, title=self.title)) for line in self.lines if line.confirmed]
        return {
            look.t: together(found for line, found in meant if line.t <= look.t <= line.until) for look in self.looks
        }


def conclude(watched: Watched, control: Control) -> Milestones:
    """Return the milestones of a film."""
    news = watched.news()
    played = play(watched.looks, news)
    menu = first(news, Meaning.MENU)
    left = next((t for t in played if menu is not None and t > menu), None)
    in_game = [count for count in counts(watched.lines) if Meaning.MENU not in news.get(count.t, ())]
    deaths = count_deaths([*onsets(news, Meaning.GAME_OVER), *(lost.t for lost in lives_lost(in_game))])
    won = next((t for t in onsets(news, Meaning.WIN) if played and t > played[0]), None)
    evidence = [
        _at(played[0] if played else None, "gameplay_happened", "play goes on for some seconds"),
        _at(menu, "menu_or_title_seen", _words(watched, menu, Meaning.MENU)),
        _at(left, "left_menu_into_gameplay", "the menu's words are gone and play goes on"),
        *(control.effects[:2] if control.evident else ()),
        score_rise(in_game),
        new_area(watched, news) or level_rise(in_game),
        *objective(watched, news),
        _at(won, "win_or_completion_screen", _words(watched, won, Meaning.WIN)),
        stuck(watched.looks),
        *(Evidence(t, "death_or_game_over_count", "a life or the game is lost") for t in deaths),
    ]
    return milestones([claim for claim in evidence if claim], deaths=len(deaths), interactions=control.interactions)


def milestones(evidence: list[Evidence], *, deaths: int, interactions: int) -> Milestones:
    """Return milestones in which exactly the booleans with evidence are true."""
    fields = {claim.field for claim in evidence}
    true = {name: True for name, kind in Milestones.__annotations__.items() if kind == "bool" and name in fields}
    in_order = tuple(sorted(evidence, key=lambda claim: claim.t))
    return Milestones(**true, distinct_interactions=interactions, death_or_game_over_count=deaths, milestones=in_order)


def play(looks: tuple[Look, ...], news: dict[float, frozenset[Meaning]]) -> list[float]:
    """Return the seconds at which play is going on."""
    found = []
    for start in range(len(looks) - PLAY_SECONDS + 1):
        some = looks[start : start + PLAY_SECONDS]
        if not any(news[look.t] & NOT_PLAY for look in some) and sum(look.still for look in some) <= 1:
            found.append(some[0].t)
    return found


def new_area(watched: Watched, news: dict[float, frozenset[Meaning]]) -> Evidence | None:
    """Return the first cut to a screen of play that was never seen before."""
    menu = first(news, Meaning.MENU)
    found = new_screens(watched.looks, in_play=lambda t: not news[t] & NOT_PLAY, menu_seen=menu)
    return Evidence(found[0], "new_area_or_level_reached", "a screen never seen before") if found else None


def objective(watched: Watched, news: dict[float, frozenset[Meaning]]) -> list[Evidence]:
    """Return the first text that says an objective is reached."""
    t = first(news, Meaning.OBJECTIVE)
    claim = _at(t, "checkpoint_or_objective_completed", _words(watched, t, Meaning.OBJECTIVE))
    return [claim] if claim else []


def stuck(looks: tuple[Look, ...]) -> Evidence | None:
    """Return evidence if most of the film stands still."""
    still = [look for look in looks[1:] if look.still]
    if len(looks) < SHORTEST_TO_BE_STUCK or len(still) < STUCK_SHARE * (len(looks) - 1):
        return None
    return Evidence(still[0].t, "stuck_or_looping", f"nothing changes in {len(still)} of {len(looks) - 1} seconds")


def count_deaths(times: Iterable[float]) -> list[float]:
    """Merge what belongs to the same death; return the times of all deaths."""
    deaths: list[float] = []
    last = -ONE_DEATH_S
    for t in sorted(times):
        if t - last >= ONE_DEATH_S:
            deaths.append(t)
        last = t
    return deaths[:MOST_DEATHS]


def first(news: dict[float, frozenset[Meaning]], meaning: Meaning) -> float | None:
    """Return the first second with a meaning."""
    return next((t for t, found in news.items() if meaning in found), None)


def onsets(news: dict[float, frozenset[Meaning]], meaning: Meaning) -> list[float]:
    """Return every second at which a meaning appears that was not there the second before."""
    found, before = [], False
    for t, present in news.items():
        if meaning in present and not before:
            found.append(t)
        before = meaning in present
    return found


def _words(watched: Watched, t: float | None, meaning: Meaning) -> str:
    """Quote the line of a second that carries a meaning."""
    there = [line.text for line in watched.lines if t is not None and line.confirmed and line.t <= t <= line.until]
    sought = {meaning, Meaning.MENU_ENTRY} if meaning is Meaning.MENU else {meaning}
    return next((f"'{text}'" for text in there if meanings(text) & sought), "")


def _at(t: float | None, field: str, text: str) -> Evidence | None:
    return None if t is None else Evidence(t, field, text)
