"""The built-in judge: no GPU and no model server. It reads text, compares screens and looks at the twin runs."""

from playsuite.judge.cpu.judge import CpuJudge

__all__ = ["CpuJudge"]
