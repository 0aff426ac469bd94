"""The steps that docs/plan.md describes: the rows that each takes and returns, and its fields with their types.

`make bless` generates the table from the table of steps in Rust. A field whose type ends with a question mark may be
left out.
"""

from typing import Dict, NamedTuple

# The kinds of rows for which each word in the table stands.
ROWS = {
    "nothing": (), "nodes": ("nodes",), "edges": ("edges",), "values": ("values",), "elements": ("nodes", "edges"),
    "single": ("nodes", "edges", "values"), "any": ("nodes", "edges", "values", "columns"),
}


class Declared(NamedTuple):
    """A step: the words for the rows that it takes and returns, and its fields."""
    takes: str
    gives: str
    fields: Dict[str, str]


# <steps> from the table in crates/varvite-query/src/pipeline/description/step.rs
DECLARED = {
    "nodes": Declared("nothing", "nodes", {"labels": "Vec<String>?"}),
    "ids": Declared("nothing", "nodes", {"ids": "Vec<u32>"}),
    "edges": Declared("nothing", "edges", {"labels": "Vec<String>?"}),
    "has": Declared("elements", "same", {"property": "String", "is": "Predicate?"}),
    "has_not": Declared("elements", "same", {"property": "String", "is": "Predicate?"}),
    "has_label": Declared("elements", "same", {"labels": "Vec<String>"}),
    "has_id": Declared("nodes", "same", {"ids": "Vec<u32>"}),
    "is": Declared("values", "same", {"is": "Predicate"}),
    "where": Declared("single", "same", {"pipeline": "Steps"}),
    "where_not": Declared("single", "same", {"pipeline": "Steps"}),
    "and": Declared("single", "same", {"branches": "Vec<Steps>"}),
    "or": Declared("single", "same", {"branches": "Vec<Steps>"}),
    "simple_path": Declared("single", "same", {}),
    "filter": Declared("any", "same", {"by": "Key"}),
    "as": Declared("single", "same", {"name": "String"}),
    "select": Declared("any", "named", {"name": "String"}),
    "out": Declared("nodes", "nodes", {"labels": "Vec<String>?"}),
    "in": Declared("nodes", "nodes", {"labels": "Vec<String>?"}),
    "both": Declared("nodes", "nodes", {"labels": "Vec<String>?"}),
    "out_edges": Declared("nodes", "edges", {"labels": "Vec<String>?"}),
    "in_edges": Declared("nodes", "edges", {"labels": "Vec<String>?"}),
    "both_edges": Declared("nodes", "edges", {"labels": "Vec<String>?"}),
    "source": Declared("edges", "nodes", {}),
    "target": Declared("edges", "nodes", {}),
    "descendants": Declared("nodes", "nodes", {"with_self": "bool?"}),
    "ancestors": Declared("nodes", "nodes", {"with_self": "bool?"}),
    "nearest_ancestor": Declared("nodes", "nodes", {"labels": "Vec<String>?", "where": "Steps?"}),
    "union": Declared("single", "of branches", {"branches": "Vec<Steps>"}),
    "coalesce": Declared("single", "of branches", {"branches": "Vec<Steps>"}),
    "choose": Declared("single", "of branches", {"on": "Steps", "cases": "Vec<Case>", "otherwise": "Steps?"}),
    "repeat": Declared("nodes", "nodes", {"repeat": "Repeat"}),
    "dedup": Declared("single", "same", {"by": "Key?"}),
    "order": Declared("any", "same", {"by": "Key?", "descending": "bool?"}),
    "limit": Declared("any", "same", {"count": "u64"}),
    "skip": Declared("any", "same", {"count": "u64"}),
    "sample": Declared("single", "same", {"count": "u64", "seed": "u64"}),
    "values": Declared("elements", "values", {"property": "String"}),
    "map": Declared("any", "of key", {"by": "Key"}),
    "label": Declared("elements", "values", {}),
    "depth": Declared("single", "values", {}),
    "path": Declared("elements", "columns", {}),
    "side": Declared("any", "same", {"name": "String"}),
    "columns": Declared("single", "columns", {"columns": "Vec<Key>"}),
    "group_count": Declared("single", "columns", {"by": "Key?"}),
    "summarize": Declared("elements", "columns", {"by": "Key?", "columns": "Vec<Summary>"}),
    "group": Declared("nodes", "columns", {"by": "Key?"}),
    "count": Declared("any", "values", {}),
    "sum": Declared("values", "values", {}),
    "min": Declared("values", "values", {}),
    "max": Declared("values", "values", {}),
    "mean": Declared("values", "values", {}),
}
# </steps>

STARTS = {name for name, step in DECLARED.items() if step.takes == "nothing"}
