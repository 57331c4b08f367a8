"""`playsuite models`: which models can be named, and what is known of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cyclopts

if TYPE_CHECKING:
    from playsuite.core.records import Preset

models = cyclopts.App(name="models", help="List the models that can be named, or show one.")


@models.command(name="list")
def list_models(*, json: bool = False) -> None:
    """List the presets and the providers.

    Parameters
    ----------
    json
        One JSON record a line instead of a table.
    """
    import msgspec

    from playsuite.agents.presets import all_presets, providers

    if json:
        for preset in (*all_presets(), *providers()):
            print(msgspec.json.encode(preset).decode())  # noqa: T201 data go to stdout
        return
    _table(all_presets(), providers())


@models.command
def show(model: str) -> None:
    """Show a model as a TOML row, to copy and change.

    Parameters
    ----------
    model
        A preset, PROVIDER:NAME or FILE.toml.
    """
    import msgspec

    from playsuite.agents.presets import find
    from playsuite.core.store import without_nothing

    row = without_nothing(msgspec.to_builtins(find(model)))
    print(msgspec.toml.encode({"preset": [row]}).decode(), end="")  # noqa: T201 data go to stdout


def _table(presets: tuple[Preset, ...], hosts: tuple[Preset, ...]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("--model", no_wrap=True)
    table.add_column("adapter", no_wrap=True)
    table.add_column("weights, or the server and where its key is", overflow="fold")
    for preset in presets:
        table.add_row(preset.model.name, preset.model.adapter, preset.model.checkpoint)
    for host in hosts:
        place = f"{host.base_url}, {host.model.key_variable}" if host.base_url else "where --base-url says"
        table.add_row(f"{host.model.name}:NAME", host.model.adapter, place)
    table.add_row("FILE.toml", "", "a row of your own: docs/models.md")
    Console().print(table)
