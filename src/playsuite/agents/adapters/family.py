"""An adapter is put together from the texts of a family, a function that reads its answers and one that writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from playsuite.agents.prompt import fill, form, read_texts, refuse_unknown_variant
from playsuite.core.actions import Action, Answer
from playsuite.core.points import Space, View
from playsuite.core.records import digest

if TYPE_CHECKING:
    from playsuite.core.protocols import Prompt, Question

ONE = {"general": {"system": "system", "user": "user"}}
"""The texts of a family that has one prompt, which it was trained on, and no variants of it."""


class Family(Struct, frozen=True, kw_only=True):
    """One family of models. An `Adapter`."""

    name: str
    """Folder of its texts."""
    space: Space
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=ONE.copy)
    """Prompt variant -> what a text is for ("system", "user", "answer", "examples") -> its name."""
    read: Callable[[str, View, str], Answer]
    """Take (answer, view, the server's finish reason)."""
    write: Callable[[Sequence[Action], View], str]
    patterns: Mapping[str, str] = {}
    """Prompt variant -> regular expression of a well-formed answer, for servers that can force one."""

    @property
    def variants(self) -> tuple[str, ...]:
        """The prompt variants it has."""
        return tuple(self.texts)

    def render(self, question: Question) -> Prompt:
        """Write the prompt.

        Raises:
            ConfigError: the family has no such variant.
        """
        return fill(question, self._texts(question.variant), write=self.write)

    def parse(self, text: str, view: View, *, finish_reason: str = "") -> Answer:
        """Read an answer; total."""
        return self.read(text, view, finish_reason)

    def pattern(self, variant: str) -> str:
        """Return the regular expression of a well-formed answer; empty if there is none."""
        return self.patterns.get(variant, "")

    def digest(self, variant: str) -> str:
        """Return the digest of the texts of a variant and of what is put around them.

        Raises:
            ConfigError: the family has no such variant.
        """
        return digest([self._texts(variant), form()])

    def _texts(self, variant: str) -> dict[str, str]:
        refuse_unknown_variant(variant, self.variants)
        return read_texts(self.name, self.texts[variant])
