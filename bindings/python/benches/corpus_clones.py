"""The index of a corpus, and copied functions, beside the table of the copies that were made."""

from __future__ import annotations

import collections
import csv
import json
import pathlib
from typing import Any, NamedTuple

import commands
from corpus_files import Corpus, Tools

LINES_MIN = 3
"""The fewest lines of a function that counts."""

Row = dict[str, Any]


class Function(NamedTuple):
    """A function of a base."""

    base: int
    name: str


def rows(tools: Tools, corpus: Corpus) -> tuple[list[Row], dict[str, int]]:
    """The times of the index and of the list of clones, and how many clones and links were found."""
    index, out = corpus.folder / "index.varvite", corpus.folder / "out"
    words = [tools.varvite, "corpus", "index", corpus.graphs, "-o", index, "--format", "json"]
    first = commands.run(words, out)
    report = json.loads(out.read_text())
    again = commands.run(words, out)
    listed = commands.run(
        [tools.varvite, "corpus", "clones", index, "--min-lines", str(LINES_MIN), "--format", "csv"], out
    )
    found = counted(corpus, out) | {"links": corpus.facts["links"], "linked": report["linked"]}
    files = f"{corpus.facts['files']:,} graphs"
    return [
        row("index", f"index of the names of {files}", "ns", first.ns),
        row("index_memory", "its memory", "bytes", first.memory_bytes),
        row("index_again", "the index again, nothing changed", "ns", again.ns),
        row("clones", "list of clones, from the index", "ns", listed.ns),
    ], found


def row(name: str, title: str, unit: str, sample: int) -> Row:
    """A row with one sample of Varvite."""
    return {"name": name, "sides": {"Varvite": [sample]}, "title": title, "unit": unit}


def counted(corpus: Corpus, listed: pathlib.Path) -> dict[str, int]:
    """The planted clones, those that are in the group of their function, and functions that are in a wrong group."""
    roles, bases = roles_of(corpus), corpus.facts["bases"]
    copies = collections.Counter(int(path.stem) % bases for path in corpus.paths())
    planted = {function: copies[function.base] for function, role in roles.items() if role == "planted"}
    # One copy alone is no clone.
    planted = {function: count for function, count in planted.items() if count > 1}
    found: dict[Function, int] = {}
    wrong = 0
    for group in groups_of(listed, bases):
        members = collections.Counter(function for function in group if roles.get(function, "odd") != "odd")
        own, count = next(iter(members.most_common(1)), (None, 0))
        if own is not None and own in planted:
            # The copies of a function that are in several groups are found by the largest one.
            found[own] = max(found.get(own, 0), count)
            wrong += members.total() - count
        else:
            wrong += members.total()
    return {"planted": sum(planted.values()), "found": sum(found.values()), "false": wrong}


def roles_of(corpus: Corpus) -> dict[Function, str]:
    """The role of each function that is long enough."""
    with corpus.functions.open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    return {
        Function(int(row["base"]), row["full_name"]): row["role"] for row in table if int(row["lines"]) >= LINES_MIN
    }


def groups_of(listed: pathlib.Path, bases: int) -> list[list[Function]]:
    """The groups of the list, each as the functions of which its members are copies."""
    groups: dict[str, list[Function]] = collections.defaultdict(list)
    with listed.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            copy = int(pathlib.Path(row["graph"]).stem)
            groups[row["group"]].append(Function(copy % bases, row["function"].removesuffix(f"_{copy}")))
    return list(groups.values())
