"""``garten worlds``: what there is to practise in."""

from __future__ import annotations

import json
from pathlib import Path

import click
from click.core import ParameterSource

from garten.cli._options import LookName
from garten.records import Key, WorldSpec
from garten.runs.codec import to_json
from garten.worlds.find import catalogue, example, load


@click.command(short_help="What worlds there are.")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print specs as JSON.")
@click.option(
    "--contact-sheet",
    "sheet",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw them into one picture, .png or .webp.",
)
@click.option(
    "--look",
    type=LookName(),
    default="raw",
    show_default=True,
    help="How the picture is made: raw, photo, depth, normals, neural; photo:dusk is photo at dusk.",
)
@click.pass_context
def worlds(context: click.Context, /, name: str | None, as_json: bool, sheet: Path | None, look: str) -> None:
    """List the worlds, or show one: its task, actions and constants.

    NAME is a world of the list, or the path of a .py file or folder that defines one. With --contact-sheet
    the path of the picture is printed instead.
    """
    if sheet is None and context.get_parameter_source("look") is ParameterSource.COMMANDLINE:
        raise click.UsageError("--look goes with --contact-sheet FILE; add that, or leave it out.")
    specs = [load(name).spec] if name else catalogue()
    if sheet is not None:
        from garten.episodes.looks import look as look_named
        from garten.episodes.sheet import write_sheet

        shown = [load(name)] if name else [load(spec.name) for spec in specs]
        write_sheet(sheet, shown, look=look_named(look))
    if as_json:
        click.echo(json.dumps(to_json(specs[0] if name else specs), indent=2))
    elif sheet is not None:
        click.echo(sheet)
    elif name:
        click.echo(_page(specs[0]))
    else:
        width = max(len(spec.name) for spec in specs)
        for spec in specs:
            click.echo(f"{spec.name:{width}}  {spec.title}")


def _page(spec: WorldSpec) -> str:
    lines = [f"{spec.name} (version {spec.version}): {spec.title}", "", spec.task.strip(), "", "Actions"]
    for action in spec.actions:
        arguments = ", ".join(f"{item.name} {item.low:g}..{item.high:g}" for item in action.arguments)
        multiple = " or a multiple" if action.varies else ""
        lines.append(f"  {action.name}({arguments})  {action.seconds:g} s{multiple}  {action.help}")
    lines += ["", "Keys", *(f"  {key.name}  {_pressed(key)}" for key in spec.keys)] if spec.keys else []
    if spec.settings:
        lines += ["", f"Settings, as in {example(spec)}"]
        lines += [
            f"  {one.name} {one.low}..{one.high}, by default {one.default}  {one.help}"
            for one in spec.settings
        ]
    lines += ["", "Constants"]
    for name, constant in spec.constants.items():
        lines.append(f"  {name} = {float(constant):g} {constant.unit}  ({constant.reason})")
    return "\n".join(lines)


def _pressed(key: Key) -> str:
    return key.control if key.value is None else f"{key.control} {key.value:+g}"


COMMAND = worlds
