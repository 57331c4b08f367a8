"""What a server can be made to force is what the adapter reads without a note."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playsuite.core.actions import ParseStatus
from playsuite.core.plugins import known, load
from playsuite.core.points import View

FORCED = [
    (name, variant)
    for name in known("adapters")
    for variant in load("adapters", name).variants
    if load("adapters", name).pattern(variant)
]
KEYS = ("left", "a", "space", "enter", "shift+d", "up+right")
ACTIONS = ("wait", *KEYS, "hold:right+space:0.5", "click:400,300", "rightclick:12,7", "scroll:up:3", "move:+20,-15")


def test_the_general_prompt_can_be_forced_and_no_other():
    assert {name for name, _ in FORCED} == {"standard", "qwen3"}


@pytest.mark.parametrize(("name", "variant"), FORCED)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=30)
def test_a_forced_answer_is_read_as_it_stands(name, variant, seed):
    random = Random(seed)
    action = random.choice(ACTIONS)
    fields = ["Observation", *(["Strategy"] if variant == "strategy" else []), "Reasoning"]
    answer = "".join(f"{field}: {random.choice(['a door', 'go on: 5!'])}\n" for field in fields) + f"Action: {action}"
    adapter = load("adapters", name)
    assert re.fullmatch(adapter.pattern(variant), answer)
    parsed = adapter.parse(answer, View((800, 600), (800, 600), adapter.space)).parsed
    assert (parsed.status, parsed.notes) == (ParseStatus.OK, ())
