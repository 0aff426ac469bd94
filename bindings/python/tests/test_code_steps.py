"""Steps for code property graphs, beside queries in Joern's text, which have translations of their own."""

import inspect
import re
from collections.abc import Callable

import pytest

import varvite
from conftest import ROOT
from varvite.code_steps import ARITHMETIC, ASSIGNMENTS, CodeSteps

Step = Callable[[varvite.Pipeline], varvite.Pipeline]

METHODS = 'cpg.method.name("(infl|defl)ate.*")'
CALLS = 'cpg.call.name("mem.*|<operator>.(assignment|addition|indirectFieldAccess|indirectIndexAccess)").take(300)'
IDENTIFIERS = 'cpg.identifier.name("s|strm|state").take(300)'
CONTROLS = "cpg.controlStructure.take(100)"
SPECIAL = 'cpg.call.name("<operator>.({})")'


def quoted(names: list[str]) -> str:
    """Names as arguments in Joern's text."""
    return ", ".join(f'"{name}"' for name in names)


# The steps, the query for the nodes with which they begin, and the same steps in Joern's text.
CASES: list[tuple[str, Step, str, str]] = [
    ("ast", lambda p: p.ast(), METHODS, "ast"),
    ("ast_minus_root", lambda p: p.ast_minus_root(), METHODS, "ast.whereNot(_.isMethod)"),
    ("ast_parent", lambda p: p.ast_parent(), CALLS, "astParent"),
    ("ast_children", lambda p: p.ast_children(), CALLS, "astChildren"),
    ("call_in", lambda p: p.call_in(), METHODS, "callIn"),
    ("callee", lambda p: p.callee(), CALLS, "callee"),
    ("calls", lambda p: p.calls(), METHODS, "call"),
    ("callers", lambda p: p.callers(), METHODS, "caller"),
    ("callees", lambda p: p.callees(), METHODS, "callee"),
    ("method", lambda p: p.method(), CALLS, "method"),
    ("argument", lambda p: p.argument(2), CALLS, "argument(2)"),
    ("arguments", lambda p: p.arguments(), CALLS, "argument"),
    ("in_call", lambda p: p.in_call(), IDENTIFIERS, "inCall"),
    ("parameters", lambda p: p.parameters(), METHODS, "parameter"),
    ("parameter", lambda p: p.parameter(2), METHODS, "parameter.index(2)"),
    ("method_return", lambda p: p.method_return(), METHODS, "methodReturn"),
    ("is_call_to", lambda p: p.is_call_to("memcpy", "memset"), CALLS, 'nameExact("memcpy", "memset")'),
    ("assignments", lambda p: p.assignments(), METHODS, f"ast.isCall.nameExact({quoted(ASSIGNMENTS)})"),
    ("arithmetic", lambda p: p.arithmetic(), METHODS, f"ast.isCall.nameExact({quoted(ARITHMETIC)})"),
    ("array_accesses", lambda p: p.array_accesses(), METHODS, "arrayAccess"),
    ("field_accesses", lambda p: p.field_accesses(), METHODS, "fieldAccess"),
    ("assigned", lambda p: p.assigned(), SPECIAL.format("assignment"), "argument(1)"),
    ("assigned_from", lambda p: p.assigned_from(), SPECIAL.format("assignment"), "argument(2)"),
    ("array", lambda p: p.array(), SPECIAL.format("indirectIndexAccess"), "argument(1)"),
    ("subscript", lambda p: p.subscript(), SPECIAL.format("indirectIndexAccess"), "argument(2)"),
    ("structure", lambda p: p.structure(), SPECIAL.format("indirectFieldAccess"), "argument(1)"),
    ("field", lambda p: p.field(), SPECIAL.format("indirectFieldAccess"), "argument(2)"),
    ("cfg_next", lambda p: p.cfg_next().is_call(), CALLS, "cfgNext.isCall"),
    ("cfg_prev", lambda p: p.cfg_prev(), CALLS, "cfgPrev"),
    ("controls", lambda p: p.controls(), CALLS, "controls"),
    ("controlled_by", lambda p: p.controlled_by(), CALLS, "controlledBy"),
    ("dominates", lambda p: p.dominates(), CALLS, "dominates"),
    ("dominated_by", lambda p: p.dominated_by(), CALLS, "dominatedBy"),
    ("post_dominates", lambda p: p.post_dominates(), CALLS, "postDominates"),
    ("post_dominated_by", lambda p: p.post_dominated_by(), CALLS, "postDominatedBy"),
    ("refs_to", lambda p: p.refs_to(), IDENTIFIERS, "refsTo"),
    ("referencing_identifiers", lambda p: p.parameters().referencing_identifiers(), METHODS,
     "parameter.referencingIdentifiers"),
    ("eval_type", lambda p: p.eval_type(), IDENTIFIERS, "typ"),
    ("file", lambda p: p.file(), METHODS, "file"),
    ("condition", lambda p: p.condition(), CONTROLS, "condition"),
    ("is_call", lambda p: p.ast().is_call(), METHODS, "ast.isCall"),
    ("is_identifier", lambda p: p.ast().is_identifier(), METHODS, "ast.isIdentifier"),
    ("is_literal", lambda p: p.ast().is_literal(), METHODS, "ast.isLiteral"),
    ("is_local", lambda p: p.ast().is_local(), METHODS, "ast.isLocal"),
    ("is_return", lambda p: p.ast().is_return(), METHODS, "ast.isReturn"),
]  # fmt: skip


@pytest.mark.parametrize("step, start, text", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_step_leads_where_the_step_of_joern_leads(zlib: varvite.Graph, step: Step, start: str, text: str) -> None:
    nodes = [node.id for node in zlib.ask(f"{start}.l")]
    found = {node.id for node in step(zlib.pipeline().ids(nodes))}
    assert found == {node.id for node in zlib.ask(f"{start}.{text}.dedup.l")} and found


def test_pipelines_have_every_step_of_the_page() -> None:
    page = (ROOT / "docs/cpg-steps.md").read_text()
    rows = re.findall(r"^\| `(\w+)(?:\((\w+)\))?` \|", page, re.MULTILINE)
    steps = {name: function for name, function in vars(CodeSteps).items() if not name.startswith("_")}
    assert [name for name, _ in rows] == list(steps) and len(rows) > 60
    for name, parameter in rows:
        assert list(inspect.signature(steps[name]).parameters) == ["self", *filter(None, [parameter])]
    assert not set(steps) & {name for name in vars(varvite.Pipeline) if not name.startswith("_")}


def test_every_step_runs(zlib: varvite.Graph) -> None:
    arguments = {"index": 1, "steps": 2, "names": "memcpy"}
    refused = []
    for name, function in vars(CodeSteps).items():
        if not name.startswith("_"):
            parameters = [each for each in inspect.signature(function).parameters if each != "self"]
            step = getattr(zlib.pipeline().nodes("METHOD").ast().limit(50), name)
            try:
                assert step(*(arguments[parameter] for parameter in parameters)).count().first() >= 0, name
            except varvite.UnknownError:
                refused.append(name)
    # The graph has no edges of tags.
    assert refused == ["tags"]


def test_a_step_is_a_plan_for_every_language(zlib: varvite.Graph) -> None:
    plan = zlib.pipeline().nodes("METHOD").has("NAME", "memcpy").call_in().argument(3)
    assert [node.id for node in zlib.query(plan.to_json())] == [node.id for node in plan]
