"""How much of a prompt the simulated engine has to read."""

from base64 import b64encode

import numpy as np

from playsuite.agents.images import encode
from playsuite.agents.model import messages
from playsuite.core.plugins import load
from playsuite.core.points import View
from playsuite.core.protocols import Question
from playsuite.core.records import Game, Step, Turn
from playsuite.testing.server.prompts import IMAGE_TOKENS, PrefixCache

GAME = Game(id="made-up/garden", title="The Garden", runtime="fake", manifest={}, description="Move the pots. " * 40)


def asked(number, history=(), shown=()):
    """Write the request of a step, its picture unlike all others."""
    picture = encode(np.full((480, 640, 3), 9 * number, np.uint8), (640, 480))
    question = Question(GAME, View((640, 480), (640, 480)), past=tuple(history), shown=tuple(shown))
    past = {step: encode(np.full((480, 640, 3), 9 * step, np.uint8), (640, 480)) for step in shown}
    return messages(load("adapters", "standard").render(question), picture, past)


def test_what_is_constant_is_read_once_and_the_picture_every_time():
    cache = PrefixCache()
    first, second = cache.read(asked(0)), cache.read(asked(1))
    assert first.cached == 0
    assert first.tokens == second.tokens
    fresh = second.tokens - second.cached
    assert 300 <= fresh <= 300 + 60  # 20 x 15 tokens of picture, and what is asked after the past
    assert cache.read(asked(1)).cached == second.tokens


def test_a_window_of_pictures_that_only_grows_is_read_from_the_cache():
    cache = PrefixCache()
    steps = [Step(n, 3.0 * n, n, Turn(observation="a pot")) for n in range(4)]
    reads = [cache.read(asked(n, steps[:n], range(n))) for n in range(4)]
    fresh = [read.tokens - read.cached for read in reads[1:]]
    assert max(fresh[1:]) < 300 + 100  # the new picture, and what is new around it
    slid = cache.read(asked(4, steps[1:], range(1, 4)))
    assert slid.tokens - slid.cached > 4 * 300  # everything behind its beginning has moved


def test_a_picture_that_cannot_be_looked_at_counts_as_a_large_one():
    url = "data:image/jpeg;base64," + b64encode(b"no picture").decode()
    broken = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]
    assert PrefixCache().read(broken).tokens == IMAGE_TOKENS


def test_nonsense_is_no_prompt_and_no_error():
    assert PrefixCache().read([3, {"content": None}, {"content": [4, {"type": "image_url", "image_url": 5}]}]).tokens
