"""A button in a picture, the right raw answer in each model's own format and space: the click lands on the button.

The answers are written out here by hand, apart from what the adapters themselves write, and the numbers in them come
from looking for the button in the very picture that is sent.
"""

import pytest

from playsuite.agents.presets import all_presets
from playsuite.core.actions import Click, ParseStatus
from playsuite.core.plugins import known, load
from playsuite.core.points import Space
from playsuite.core.records import Model, PictureRule
from playsuite.testing.target import answer_of, targets, view_of

FRAMES = [(1280, 720), (800, 600), (640, 480), (400, 300), (641, 359), (777, 333), (1920, 1080), (333, 777)]
NEAR_PX = 2.0
GRAMMAR = "Observation: a button\nReasoning: press it\nAction: click:{},{}"
ANSWERS = {
    "standard": GRAMMAR,
    "qwen3": GRAMMAR,
    "computer_use": (
        'Action: Click the button.\n<tool_call>\n{{"name": "computer_use", "arguments": '
        '{{"action": "left_click", "coordinate": [{}, {}]}}}}\n</tool_call>'
    ),
    "uitars": "Thought: I press the button.\nAction: click(start_box='({},{})')",
    "opencua": (
        "## Thought:\nThe button starts the game.\n\n## Action:\nClick the button.\n\n"
        "## Code:\n```python\npyautogui.click(x={}, y={})\n```"
    ),
    "osatlas": "thoughts:\npress the button\nactions:\nCLICK <point>[[{},{}]]</point>",
    "showui": "{{'action': 'CLICK', 'value': None, 'position': [{}, {}]}}",
}
RULES = {
    "any size": PictureRule(),
    "multiples of 28": PictureRule(factor=28),
    "multiples of 32": PictureRule(factor=32),
}
ROWS = [
    *(pytest.param(preset.model, id=preset.model.name) for preset in all_presets()),
    *(
        pytest.param(Model(name="any", adapter=adapter, picture=rule), id=f"{adapter}, {name}")
        for adapter in known("adapters")
        for name, rule in RULES.items()
    ),
    *(
        pytest.param(
            Model(name="any", space=space, y_first=y_first, picture=RULES["multiples of 28"]),
            id=f"{space}, {'y' if y_first else 'x'} first",
        )
        for space in Space
        for y_first in (False, True)
    ),
]


@pytest.mark.parametrize("size", FRAMES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("model", ROWS)
def test_a_click_lands_on_the_button_that_was_seen(model, size):
    adapter = load("adapters", model.adapter)
    view = view_of(size, model.picture, model.space or adapter.space, y_first=model.y_first)
    for target in targets(size):
        first, second = answer_of(target, view)
        parsed = adapter.parse(ANSWERS[model.adapter].format(f"{first:g}", f"{second:g}"), view).parsed
        (click,) = parsed.actions
        assert (type(click), click.count, parsed.status) == (Click, 1, ParseStatus.OK)
        assert abs(click.x - target.x) <= NEAR_PX
        assert abs(click.y - target.y) <= NEAR_PX
