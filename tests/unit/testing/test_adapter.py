"""Every adapter of ours passes its conformance checks, and each way to break one is found and named."""

from random import Random

import pytest
from msgspec.structs import replace

from playsuite.cli import DONE
from playsuite.cli.check import adapter as check_command
from playsuite.core.actions import Click, Move, Parsed, ParseStatus, Press
from playsuite.core.plugins import known, load
from playsuite.core.protocols import Prompt
from playsuite.testing.adapter import CHECKS, check_adapter

NAMES = [name for name, _ in CHECKS]


class Broken:
    """The standard adapter with a fault built in; whatever a test does not break is as it should be."""

    def __init__(self, adapter):
        self.sound = adapter
        self.space = adapter.space
        self.variants = adapter.variants

    def render(self, question):
        return self.sound.render(question)

    def parse(self, text, view, *, finish_reason=""):
        return self.sound.parse(text, view, finish_reason=finish_reason)

    def write(self, actions, view):
        return self.sound.write(actions, view)

    def digest(self, variant):
        return self.sound.digest(variant)

    def pattern(self, variant):
        return self.sound.pattern(variant)

    def changed(self, text, view, finish_reason, **changes):
        answer = self.sound.parse(text, view, finish_reason=finish_reason)
        return replace(answer, parsed=replace(answer.parsed, **changes))


class Raises(Broken):
    def parse(self, text, view, *, finish_reason=""):
        text.encode()  # fails where a half of a surrogate pair stands
        return super().parse(text, view, finish_reason=finish_reason)


class Dawdles(Broken):
    def parse(self, text, view, *, finish_reason=""):
        sum(text[at:].count("(") for at in range(len(text)))  # looks at all that follows, again and again
        return super().parse(text, view, finish_reason=finish_reason)


class SwapsAxes(Broken):
    def parse(self, text, view, *, finish_reason=""):
        return super().parse(text, replace(view, y_first=not view.y_first), finish_reason=finish_reason)


class SwapsAxesBothWays(SwapsAxes):
    def write(self, actions, view):
        return super().write(actions, replace(view, y_first=not view.y_first))


class ForgetsTheResize(Broken):
    def parse(self, text, view, *, finish_reason=""):
        return super().parse(text, replace(view, picture=view.frame), finish_reason=finish_reason)


class ForgetsTheResizeBothWays(ForgetsTheResize):
    def write(self, actions, view):
        return super().write(actions, replace(view, picture=view.frame))


class ClampsToTheEdge(Broken):
    """Moves whatever lies outside to the edge, and says nothing of it."""

    def parse(self, text, view, *, finish_reason=""):
        answer = super().parse(text, view, finish_reason=finish_reason)
        if answer.parsed.status is ParseStatus.INVALID and "outside" in " ".join(answer.parsed.notes):
            return replace(answer, parsed=Parsed((Click(0, 0),)))
        return answer


class ClampsBesideTheFrame(Broken):
    def parse(self, text, view, *, finish_reason=""):
        answer = super().parse(text, view, finish_reason=finish_reason)
        width, height = view.frame
        moved = tuple(
            replace(action, x=action.x * width / (width - 1), y=action.y * height / (height - 1))
            if isinstance(action, Click | Move)
            else action
            for action in answer.parsed.actions
        )
        return replace(answer, parsed=replace(answer.parsed, actions=moved))


class LosesActions(Broken):
    def parse(self, text, view, *, finish_reason=""):
        first = self.sound.parse(text, view, finish_reason=finish_reason).parsed.actions[:1]
        return self.changed(text, view, finish_reason, actions=first)


class SaysNothing(Broken):
    def parse(self, text, view, *, finish_reason=""):
        return self.changed(text, view, finish_reason, notes=())


class FindsSomethingInNothing(Broken):
    def parse(self, text, view, *, finish_reason=""):
        answer = super().parse(text, view, finish_reason=finish_reason)
        return answer if text.strip() else replace(answer, parsed=Parsed((Press(("space",)),)))


class TakesHalfForWhole(Broken):
    def parse(self, text, view, *, finish_reason=""):
        return super().parse(text, view)


class LacksAKey(Broken):
    def write(self, actions, view):
        return super().write(actions, view).replace("kpenter", "enter")


class VariesInFront(Broken):
    def render(self, question):
        prompt = super().render(question)
        return Prompt(f"Game {question.game.title}. {prompt.system}", prompt.user)


class VariesWithTheStep(Broken):
    def render(self, question):
        prompt = super().render(question)
        return Prompt(f"Step {len(question.past)}. {prompt.system}", prompt.user)


class VariesByChance(Broken):
    def __init__(self, adapter):
        super().__init__(adapter)
        self.random = Random(5)

    def render(self, question):
        prompt = super().render(question)
        return Prompt(f"{self.random.random()}{prompt.system}", prompt.user)


class LeavesAVariable(Broken):
    def render(self, question):
        prompt = super().render(question)
        return Prompt(prompt.system + " $width", prompt.user)


class ForgetsThePicture(Broken):
    def render(self, question):
        prompt = super().render(question)
        return Prompt(prompt.system, prompt.user[:-1])


class HasOneDigest(Broken):
    def digest(self, variant):
        self.sound.digest(variant)
        return "the same"


class TakesAnyVariant(Broken):
    def digest(self, variant):
        return f"digest of {variant}"


class ForcesNothing(Broken):
    def pattern(self, variant):
        return "(Action: [a-z]+)?"


class ForcesNonsense(Broken):
    def pattern(self, variant):
        return "(Action: [a-z]+"


FAULTS = [
    (Raises, "any text is an answer"),
    (Dawdles, "an endless answer is read in no time"),
    (SwapsAxes, "what it writes it reads back"),
    (SwapsAxes, "a click lands on the button that was seen"),
    (SwapsAxesBothWays, "places are named in its own space"),
    (ForgetsTheResize, "a click lands on the button that was seen"),
    (ForgetsTheResizeBothWays, "places are named in its own space"),
    (ClampsToTheEdge, "nothing is done outside the frame"),
    (ClampsBesideTheFrame, "nothing is done outside the frame"),
    (LosesActions, "no action is lost in silence"),
    (SaysNothing, "whatever is not read as it stands says why"),
    (FindsSomethingInNothing, "whatever is not read as it stands says why"),
    (TakesHalfForWhole, "an answer that was cut off is not taken for whole"),
    (LacksAKey, "every key has a name"),
    (VariesInFront, "a prompt begins with what never changes"),
    (VariesWithTheStep, "a prompt begins with what never changes"),
    (VariesByChance, "a prompt begins with what never changes"),
    (LeavesAVariable, "a prompt tells the game, the past and the picture"),
    (ForgetsThePicture, "a prompt tells the game, the past and the picture"),
    (ForcesNothing, "a forced answer follows a regular expression"),
    (ForcesNonsense, "a forced answer follows a regular expression"),
    (HasOneDigest, "every prompt has a digest of its own"),
    (TakesAnyVariant, "every prompt has a digest of its own"),
]


@pytest.mark.parametrize("name", known("adapters"))
def test_every_adapter_keeps_its_promises(name):
    assert [check for check in check_adapter(load("adapters", name)) if not check.ok] == []


@pytest.mark.parametrize(("fault", "name"), FAULTS)
def test_a_fault_is_found_by_name(fault, name):
    results = {check.name: check for check in check_adapter(fault(load("adapters", "standard")))}
    assert not results[name].ok
    assert results[name].detail


def test_the_command_prints_a_line_for_each_check_and_exits_with_the_verdict(capsys):
    assert check_command("standard") == DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"ok    {name}" for name in NAMES]


def test_the_command_prints_records_for_a_program(capsys):
    assert check_command("standard", json=True) == DONE
    assert capsys.readouterr().out.count('"ok":true') == len(NAMES)
