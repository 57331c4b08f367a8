"""The clocks of the standard library: `time`, `datetime`, and those who must keep the real ones."""

from __future__ import annotations

import time
from math import ceil
from types import ModuleType
from typing import TYPE_CHECKING, Any

from playsuite.runtimes.pygame.guest.patch import patch
from playsuite.runtimes.pygame.guest.timeline import NS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playsuite.runtimes.pygame.guest.pace import Pace

EPOCH = 1_700_000_000 * NS
"""What the calendar shows when the game begins, in nanoseconds since 1970."""
UPTIME = 1_000 * NS
"""What the clocks that only count show then; a real machine has been up for a while."""


def real_time() -> ModuleType:
    """Return a copy of the module `time` that keeps the real functions."""
    real = ModuleType("time")
    vars(real).update(vars(time))
    return real


def install(pace: Pace, after_import: Callable[[str, Callable[[Any], None]], None], real: ModuleType) -> None:
    """Replace the clocks; `after_import(name, function)` calls `function(module)` once that module is imported."""
    _install_time(pace)
    after_import("datetime", lambda module: _install_datetime(module, pace))
    # Its waiting loop sleeps and looks at the clock until a real process has ended.
    after_import("subprocess", lambda module: patch(module, time=real, _time=vars(real)["monotonic"]))
    after_import("selectors", lambda module: _install_selectors(module, pace))


def _install_time(pace: Pace) -> None:
    localtime, gmtime, strftime, asctime = time.localtime, time.gmtime, time.strftime, time.asctime

    def calendar_ns() -> int:
        return EPOCH + pace.read()

    def counter_ns() -> int:
        return UPTIME + pace.read()

    def sleep(seconds: float) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        pace.wait(ceil(seconds * NS))

    def now_or(given: float | None) -> float:
        return calendar_ns() / NS if given is None else given

    for name in ("perf_counter", "monotonic", "process_time", "thread_time"):
        patch(time, **{name: lambda: counter_ns() / NS, f"{name}_ns": counter_ns})
    patch(
        time,
        time=lambda: calendar_ns() / NS,
        time_ns=calendar_ns,
        sleep=sleep,
        localtime=lambda seconds=None: localtime(now_or(seconds)),
        gmtime=lambda seconds=None: gmtime(now_or(seconds)),
        strftime=lambda form, moment=None: strftime(form, localtime(now_or(None)) if moment is None else moment),
        asctime=lambda moment=None: asctime(localtime(now_or(None)) if moment is None else moment),
        ctime=lambda seconds=None: asctime(localtime(now_or(seconds))),
    )


def _install_datetime(module: Any, pace: Pace) -> None:
    real_datetime, real_date = module.datetime, module.date

    def seconds() -> float:
        return (EPOCH + pace.read()) / NS

    class Lookalike(type):
        """Whatever the real class made still counts as an instance of the new one."""

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, cls.__mro__[1])

    class date(real_date, metaclass=Lookalike):  # type: ignore[misc,valid-type] # noqa: N801 it stands for the real one
        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(seconds())

    class datetime(real_datetime, metaclass=Lookalike):  # type: ignore[misc,valid-type] # noqa: N801
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return cls.fromtimestamp(seconds(), tz)

        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(seconds())

        @classmethod
        def utcnow(cls) -> Any:
            return cls.utcfromtimestamp(seconds())

    patch(module, date=date, datetime=datetime)


def _install_selectors(module: Any, pace: Pace) -> None:
    """Let an event loop (asyncio) wait in virtual time; subprocess uses another selector and keeps the real one."""
    selector = module.DefaultSelector
    real_select = selector.select

    def select(self: Any, timeout: float | None = None) -> Any:
        if timeout is not None and timeout <= 0:
            return real_select(self, 0)
        ready = real_select(self, 0)
        if not ready:
            pace.wait(pace.frame if timeout is None else ceil(timeout * NS))
            ready = real_select(self, 0)
        return ready

    patch(selector, select=select)
