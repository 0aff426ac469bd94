"""The JSON Schema of plans, `docs/plan.schema.json`, and the one that agents see, by a validator that is not ours."""

import json
import pathlib
import re
from typing import Any

import jsonschema
import pytest

import varvite
from conftest import ROOT
from test_conformance import ALL

SCHEMA = json.loads((ROOT / "docs/plan.schema.json").read_text())
# The schema of a tool's arguments, which has no parameters.
TOOL = json.loads((ROOT / "crates/varvite-mcp/src/tools/plan.schema.json").read_text())
DOCUMENT = jsonschema.Draft202012Validator(SCHEMA)
PLAN_OF_TOOL = jsonschema.Draft202012Validator({"$ref": "#/$defs/plan", "$defs": TOOL["$defs"]})


def valid_plans() -> list[str]:
    """Every example of the page on plans, and every plan of a case that is answered."""
    blocks = re.findall(r"```json\n(.*?)```", (ROOT / "docs/plan.md").read_text(), re.DOTALL)
    examples = [block for block in blocks if '"version"' in block]
    assert examples
    return examples + [asked.plan for asked in ALL if asked.words == "plan" and asked.error == 0]


def test_the_schema_accepts_every_plan() -> None:
    plans = valid_plans()
    assert len(plans) > 200
    for plan in plans:
        assert DOCUMENT.is_valid(json.loads(plan)), plan
        assert PLAN_OF_TOOL.is_valid(json.loads(plan)) == ('"parameters"' not in plan), plan


def step(**fields: Any) -> dict[str, Any]:
    """A plan with one step behind all nodes."""
    return {"version": 1, "steps": [{"step": "nodes"}, fields]}


@pytest.mark.parametrize(
    "plan",
    [
        [],
        {"steps": []},
        {"version": 2, "steps": []},
        {"version": 1, "steps": [], "more": 1},
        step(step="node"),
        step(labels=["CALL"]),
        step(step="out", label=["CALL"]),
        step(step="out", labels=[]),
        step(step="out", labels="CALL"),
        step(step="limit"),
        step(step="limit", count=-1),
        step(step="limit", count=1.5),
        step(step="has", property="NAME", **{"is": {"equals": "a"}}),
        step(step="has", property="NAME", **{"is": {"eq": "a", "ne": "b"}}),
        step(step="has", property="ORDER", **{"is": {"between": [1]}}),
        step(step="order", by={"property": "NAME", "column": "count"}),
        step(step="map", by={"add": ["itself"]}),
        step(step="map", by={"not": {"as": "a", "constant": True}}),
        step(step="repeat", emit="all"),
        step(step="repeat", body=[], emit="some"),
        step(step="where", pipeline=[{"step": "ou"}]),
        step(step="summarize", columns=[{"median": "ORDER"}]),
    ],
    ids=json.dumps,
)
def test_the_schema_and_the_engine_refuse_what_is_no_plan(zlib_path: pathlib.Path, plan: Any) -> None:
    with varvite.open(zlib_path) as graph, pytest.raises(varvite.PlanError):
        graph.query(json.dumps(plan))
    assert not DOCUMENT.is_valid(plan) and not PLAN_OF_TOOL.is_valid(plan)
