"""Models that point in thousandths of the picture, think before they speak and may call a tool unasked."""

from __future__ import annotations

from playsuite.agents.adapters.family import Family
from playsuite.agents.adapters.standard import GENERAL, PATTERNS, read, write
from playsuite.core.points import Space

VERSION = 1

qwen3 = Family(name="general", space=Space.REL1000, texts=GENERAL, patterns=PATTERNS, read=read, write=write)
