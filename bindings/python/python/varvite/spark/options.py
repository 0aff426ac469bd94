"""The options of a read, checked once on the driver."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

NODES_OF_PART = 1 << 22
"""How many nodes a task reads, by default: few enough to share out a large file, enough to be worth a task."""


CACHE_BYTES = 10 << 30
"""How many bytes the copies of files of other file systems take on a machine, by default."""


class Access(NamedTuple):
    """How files are opened: with checks or mapped; and the cache for files of other file systems."""

    is_checked: bool = True
    storage: Mapping[str, Any] = {}
    """The arguments of fsspec's file system."""
    cache: str | None = None
    """The folder of the cache; by default one for the user in the folder for temporary files."""
    cache_bytes: int = CACHE_BYTES


LOCAL = Access()
"""Files are checked, and the cache is where it is by default."""


class ReadOptions(NamedTuple):
    """What to read, and how. `table` is the name of a table of `Graph.tables`, or `plan` or `ask`."""

    paths: list[str]
    table: str
    query: str | None
    parameters: dict[str, Any]
    columns: list[str] | None
    is_strict: bool
    is_permissive: bool
    access: Access
    nodes: int
    memory: int | None
    seconds: float | None

    @property
    def is_query(self) -> bool:
        """Whether the rows are those of a query, which has no part for a range of nodes."""
        return self.table in ("plan", "ask")


class OptionError(ValueError):
    """An option is unknown, or its value is."""


def read_options(options: Mapping[str, Any]) -> ReadOptions:
    """The options of Spark's reader, whose names have any case."""
    given = {name.lower(): str(value) for name, value in options.items()}
    refuse_unknown("option", given, KNOWN)
    table = given.get("table", "nodes")
    if table.lower() in ("plan", "ask"):
        table = table.lower()
    if (table in ("plan", "ask")) != ("query" in given):
        example = '{"version": 1, "steps": [..]}' if table == "plan" else "cpg.method.name"
        needed = f'needs option("query", \'{example}\')' if table in ("plan", "ask") else 'takes no "query"'
        raise OptionError(f'option("table", "{table}") {needed}; queries are for the tables "plan" and "ask"')
    return ReadOptions(
        paths=paths_of(given),
        table=table.replace("layer:", "layer_", 1) if table.lower().startswith("layer:") else table,
        query=given.get("query"),
        parameters=parsed(given, "params", json.loads, "{}"),
        columns=[name.strip() for name in given["columns"].split(",")] if "columns" in given else None,
        is_strict=word(given, "schema", ["union", "strict"]) == "strict",
        is_permissive=word(given, "mode", ["failfast", "permissive"]) == "permissive",
        access=access_in(given),
        nodes=max(1, parsed(given, "nodes", int, str(NODES_OF_PART))),
        memory=parsed(given, "memory", int, None),
        seconds=parsed(given, "seconds", float, None),
    )


OF_FILES = ["checked", "storage", "cache", "cache_bytes"]
"""The options of `Access`."""

KNOWN = ["path", "paths", "table", "query", "params", "columns", "schema", "mode", "nodes", "memory", "seconds", *OF_FILES]


def file_access(options: Mapping[str, Any] | None) -> Access:
    """How an algorithm opens its files."""
    given = {name.lower(): str(value) for name, value in (options or {}).items()}
    refuse_unknown("option of files", given, OF_FILES)
    return access_in(given)


def access_in(given: Mapping[str, str]) -> Access:
    """How files are opened, by the options among others."""
    cache_bytes = parsed(given, "cache_bytes", int, str(CACHE_BYTES))
    if cache_bytes < 1:
        raise OptionError(f'option("cache_bytes", "{cache_bytes}") has to be at least 1')
    is_checked = word(given, "checked", ["true", "false"]) == "true"
    return Access(is_checked, storage_in(given), given.get("cache"), cache_bytes)


def storage_in(given: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of a file system. They may be secret, so that no message has them."""
    try:
        storage = json.loads(given.get("storage", "{}"))
    except ValueError:
        storage = None
    if not isinstance(storage, dict):
        raise OptionError('option("storage", ..) has to be an object of JSON, such as {"anon": true}')
    return storage


def paths_of(given: Mapping[str, str]) -> list[str]:
    """The paths of `load`: one, or several, which Spark hands over as JSON."""
    paths: list[str] = json.loads(given["paths"]) if "paths" in given else []
    found = ([given["path"]] if "path" in given else []) + paths
    if not found:
        raise OptionError('no path: call load("corpus/*.varvite")')
    return found


def word(given: Mapping[str, str], name: str, words: list[str]) -> str:
    """The value of an option that has one of some words; by default the first."""
    value = given.get(name, words[0]).lower()
    if value not in words:
        raise OptionError(f'option("{name}", "{given[name]}") has to be {" or ".join(words)}')
    return value


def parsed(given: Mapping[str, str], name: str, parse: Callable[[str], Any], default: str | None) -> Any:
    """The value of an option in the form of Python."""
    value = given.get(name, default)
    try:
        return None if value is None else parse(value)
    except ValueError as error:
        raise OptionError(f'option("{name}", {value!r}): {error}') from None


def refuse_unknown(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raises for the first name that is not known, with the nearest that is."""
    for name in names:
        if name not in known:
            raise OptionError(f'there is no {kind} "{name}"; the nearest is "{nearest(name, known)}"')


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is most like a name."""
    known = list(known)
    folded = {each.lower(): each for each in reversed(known)}
    found = difflib.get_close_matches(name.lower(), folded, 1, 0.0)
    return folded[found[0]] if found else (known[0] if known else "")
