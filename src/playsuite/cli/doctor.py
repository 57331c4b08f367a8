"""`playsuite doctor`: what works on this machine, and the fix for what does not."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from playsuite.core.home import Home

if TYPE_CHECKING:
    from playsuite.testing.doctor import Finding

HEALTHY, MISSING = 0, 1


def doctor(*, json: bool = False) -> int:
    """Examine this machine; the sandbox is attacked live. Ends with 1 if something required is missing.

    Parameters
    ----------
    json
        One JSON record per line instead of a table.
    """
    from playsuite.testing.doctor import examine

    findings = examine(Home.here())
    if json:
        sys.stdout.writelines(f"{msgspec.json.encode(finding).decode()}\n" for finding in findings)
    else:
        _show(findings)
    return MISSING if any(finding.required and not finding.ok for finding in findings) else HEALTHY


def _show(findings: list[Finding]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("", "", "found", "what to do", box=None, pad_edge=False)
    for finding in findings:
        failed = Text("FAILED", "bold red") if finding.required else Text("missing", "yellow")
        mark = Text("ok", "green") if finding.ok else failed
        table.add_row(mark, finding.name, Text(finding.found), "" if finding.ok else Text(finding.fix))
    console = Console()
    console.print(table)
    missing = [finding.name for finding in findings if not finding.ok]
    console.print(f"\nMissing: {', '.join(missing)}" if missing else "\nEverything works here.")
