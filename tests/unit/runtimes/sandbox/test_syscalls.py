from __future__ import annotations

from playsuite.runtimes.sandbox.syscalls import ABSENT, FORBIDDEN, compiled_filter

INSTRUCTION_BYTES = 8
MOST_INSTRUCTIONS = 4096


def test_the_filter_is_one_the_kernel_takes():
    program = compiled_filter()
    assert len(program) % INSTRUCTION_BYTES == 0
    assert 0 < len(program) // INSTRUCTION_BYTES <= MOST_INSTRUCTIONS


def test_no_call_is_refused_in_two_ways():
    assert not set(FORBIDDEN) & set(ABSENT)
