"""`verlgen schema`: what verlgen knows of each verl release, and how to add one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from verlgen.verl.tables import Table

_WIDEST = 60
"""Characters that a column is padded to; a longer cell pushes the rest of its line."""

_FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)


class _Release(NamedTuple):
    release: str
    configs: list[str]
    ppo_trainer_keys: int | None
    origin: str


class _Key(NamedTuple):
    key: str
    default: Any
    type: str | None
    operator: str


@click.group()
def schema() -> None:
    """Show, add and remove the verl releases that verlgen knows."""


@schema.command("list")
@_FORMAT
def list_releases(form: str) -> None:
    """List the known releases, oldest first."""
    from verlgen.errors import UserError
    from verlgen.verl import tables

    published = set(tables.published())
    own = set(tables.added())
    rows: list[_Release] = []
    for release in tables.releases():
        try:
            names = tables.table_names(release)
        except UserError:
            rows.append(_Release(release, [], None, "added, unreadable"))
            continue
        hides = tables.header(release).get("hides")
        main = next((name for name in names if name.config == tables.MAIN_CONFIG), None)
        origin = "published" if release in published else "added"
        if release in own and release in published:
            origin = "added, hides published" if hides else "published, hides added"
        configs = list(dict.fromkeys(name.config for name in names))
        rows.append(_Release(release, configs, main.key_count if main else None, origin))
    if form == "json":
        document = {"format": "verlgen.schema.list/1", "releases": [row._asdict() for row in rows]}
        click.echo(_json(document))
        return
    head = ("RELEASE", "CONFIGS", "KEYS OF PPO_TRAINER", "ORIGIN")
    _columns(
        [
            head,
            *(
                (row.release, str(len(row.configs)), _shown(row.ppo_trainer_keys), row.origin)
                for row in rows
            ),
        ]
    )


@schema.command()
@click.argument("release")
@click.argument("pattern", metavar="[KEY_GLOB]", required=False)
@click.option("--config", default="ppo_trainer", show_default=True, help="Hydra config.")
@click.option("--engine", help="Option of model_engine (or engine, for sft).")
@click.option("--plus", is_flag=True, help="Show dataclass fields too that only + reaches.")
@_FORMAT
def show(
    release: str, pattern: str | None, config: str, engine: str | None, plus: bool, form: str
) -> None:
    """Show the keys of a release with default and type.

    KEY_GLOB, such as 'actor_rollout_ref.rollout.*', picks keys.
    """
    from fnmatch import fnmatchcase

    from verlgen.verl import tables

    table = tables.load(release, config, engine)
    rows = [_Key(key, default, table.type_of(key), "=") for key, default in table.keys.items()]
    if plus:
        rows += [_Key(key, field.default, field.type, "+") for key, field in table.plus.items()]
    if pattern is not None:
        rows = [row for row in rows if fnmatchcase(row.key, pattern)]
        if not rows:
            _refuse(pattern, table)
    if form == "json":
        document = {
            "format": "verlgen.schema.show/1",
            "release": table.release,
            "config": table.config,
            "config_path": table.config_path,
            "engine": table.engine,
            "keys": [row._asdict() for row in rows],
        }
        click.echo(_json(document))
        return
    _columns(
        [
            (("+" if row.operator == "+" else "") + row.key, _shown(row.default), row.type or "")
            for row in rows
        ]
    )


@schema.command()
@click.argument("source", metavar="PATH_OR_WHEEL", type=click.Path(path_type=Path))
@click.option("--name", help="Name of the release (default: the version it calls itself).")
@click.option("--force", is_flag=True, help="Hide a published release, or replace an added one.")
def add(source: Path, name: str | None, force: bool) -> None:
    """Add a development checkout or a wheel of verl as a release."""
    from verlgen.verl.extract import adding

    added = adding.add(source, name=name, force=force)
    for problem in added.problems:
        click.echo(f"does not compose: {problem}", err=True)
    click.echo(f"added verl {added.release} with {added.tables} tables: {added.path}")


@schema.command()
@click.argument("name")
def remove(name: str) -> None:
    """Remove a release that was added with `schema add`."""
    from verlgen.verl.extract import adding

    click.echo(f"removed {adding.remove(name)}")


def _refuse(pattern: str, table: Table) -> None:
    from verlgen.errors import UserError
    from verlgen.suggest import did_you_mean

    raise UserError(
        f"no key of {table.config} of verl {table.release} matches {pattern!r}",
        remedy=did_you_mean(pattern, [*table.keys, *table.plus]),
    )


def _shown(value: object) -> str:
    """Writes a default as JSON has it, plain text without quotes where that is not ambiguous."""
    import json

    if isinstance(value, str) and value and value not in ("null", "true", "false"):
        try:
            json.loads(value)
        except ValueError:
            return value
    return json.dumps(value, ensure_ascii=False)


def _json(document: object) -> str:
    import json

    return json.dumps(document, ensure_ascii=False, indent=2)


def _columns(rows: list[tuple[str, ...]]) -> None:
    if not rows:
        return
    widths = [min(max(map(len, column)), _WIDEST) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())
