"""How much of a prompt an engine has to read: what it has read before, from the beginning on, is in its cache."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CHARACTERS_PER_TOKEN = 4
"""Of English text, roughly."""
PATCH_PX = 32
"""A token of a picture is so many pixels wide and high, in the Qwen3-VL family."""
IMAGE_TOKENS = 900
"""Of a picture that cannot be looked at: those of 1280 x 720 pixels."""
BLOCK_TOKENS = 16
"""vLLM keeps whole blocks of so many tokens."""
MOST_BLOCKS = 200_000
"""Then all is forgotten; a GPU has place for about as many."""
HEADER_CHARACTERS = 8192
"""Of a picture in base64, which say how large it is."""


class Prompt(Struct, frozen=True):
    """The length of one prompt in tokens."""

    tokens: int
    cached: int
    """From its beginning on, which were read before."""


class PrefixCache:
    """Remembers which beginnings of prompts were read."""

    def __init__(self) -> None:
        self._known: set[int] = set()

    def read(self, messages: Sequence[Any]) -> Prompt:
        """Read a prompt, and say how much of it was known."""
        every = cached = chain = 0
        hit = True
        for content, tokens in _blocks(messages):
            chain = hash((chain, content))
            hit = hit and chain in self._known
            cached += tokens if hit else 0
            every += tokens
            self._known.add(chain)
        if len(self._known) > MOST_BLOCKS:
            self._known.clear()
        return Prompt(every, cached)


def _blocks(messages: Sequence[Any]) -> Iterator[tuple[str, int]]:
    """Yield (content, tokens) of a prompt's blocks: each picture is one."""
    for message in messages:
        content = message.get("content") if isinstance(message, dict) else None
        for part in content if isinstance(content, list) else [{"text": str(content or "")}]:
            if isinstance(part, dict) and part.get("type") == "image_url":
                yield _picture(part)
            elif isinstance(part, dict):
                yield from _text(str(part.get("text", "")))


def _text(text: str) -> Iterator[tuple[str, int]]:
    size = BLOCK_TOKENS * CHARACTERS_PER_TOKEN
    for begin in range(0, len(text), size):
        block = text[begin : begin + size]
        yield block, -(-len(block) // CHARACTERS_PER_TOKEN)


def _picture(part: Mapping[str, Any]) -> tuple[str, int]:
    image = part.get("image_url")
    url = str(image.get("url", "")) if isinstance(image, dict) else ""
    return url, _picture_tokens(url)


def _picture_tokens(url: str) -> int:
    from PIL import Image

    try:
        with Image.open(BytesIO(b64decode(url.partition(",")[2][:HEADER_CHARACTERS]))) as picture:
            width, height = picture.size
    except (OSError, ValueError):
        return IMAGE_TOKENS
    return -(-width // PATCH_PX) * -(-height // PATCH_PX)
