"""The cases in `conformance/cases`: every language answers them alike. The README there has their form."""

import json
import pathlib
from dataclasses import dataclass, field
from typing import Any

import pytest

import varvite
from conftest import ROOT
from varvite._varvite import Plan

CONFORMANCE = ROOT / "conformance"


@dataclass
class Question:
    """A question with its expected rows, each as JSON, or its error."""

    case: str
    file: pathlib.Path
    checked: bool
    words: str
    plan: str = ""
    parameters: dict[str, list[str]] = field(default_factory=dict)
    memory: int | None = None
    side: str | None = None
    rows: list[str] = field(default_factory=list)
    error: int = 0
    says: list[str] = field(default_factory=list)


def questions_of(path: pathlib.Path) -> list[Question]:
    """The questions of a case. The graph is in the golden file, so its description is passed over."""
    name = path.relative_to(CONFORMANCE / "cases").with_suffix("").as_posix()
    file, checked, keyword = f"{name}.varvite", False, ""
    questions: list[Question] = []
    for line in path.read_text().splitlines():
        if line.startswith("  "):
            take_body(questions, keyword, line[2:])
            continue
        if not line.strip() or line.startswith("#"):
            continue
        keyword, _, rest = line.partition(" ")
        if keyword == "file":
            file, _, mode = rest.partition(" ")
            checked = mode == "buffered"
        elif keyword == "ask":
            questions.append(Question(name, CONFORMANCE / "files" / file, checked, rest))
        elif keyword not in ("graph", "column"):
            take_keyword(questions[-1], keyword, rest)
    return questions


def take_body(questions: list[Question], keyword: str, text: str) -> None:
    if keyword == "ask":
        questions[-1].plan += text + "\n"
    elif keyword == "expect":
        questions[-1].rows.append(text)


def take_keyword(question: Question, keyword: str, rest: str) -> None:
    if keyword == "param":
        name, _, value = rest.partition("=")
        question.parameters.setdefault(name, []).append(value)
    elif keyword == "memory":
        question.memory = int(rest)
    elif keyword == "side":
        question.side = rest
    elif keyword == "error":
        question.error = int(rest.split()[0])
    elif keyword == "says":
        question.says.append(rest)
    elif keyword == "expect":
        question.rows.extend([rest] if rest else [])
    else:
        raise ValueError(f"{keyword} is no keyword of a case")


def is_skipped(question: Question) -> bool:
    """Whether `skipped.txt` has a reason to leave the question out."""
    whats = (f"python {question.case}:", f"python {question.words.split()[0]}:")
    return any(line.startswith(whats) for line in (CONFORMANCE / "skipped.txt").read_text().splitlines())


ALL = [question for path in sorted((CONFORMANCE / "cases").rglob("*.case")) for question in questions_of(path)]
ASKED = [question for question in ALL if not is_skipped(question)]


def test_there_are_cases() -> None:
    print(f"conformance in Python: {len(ASKED)} questions asked, {len(ALL) - len(ASKED)} left out")
    assert len(ASKED) > 200


@pytest.mark.parametrize("question", ASKED, ids=[f"{asked.case}-{asked.words}" for asked in ASKED])
def test_cases_are_answered(question: Question) -> None:
    if question.error == 0:
        assert answer(question) == question.rows
        return
    with pytest.raises(varvite.Error) as raised:
        answer(question)
    assert raised.value.code == question.error, raised.value
    assert all(words in str(raised.value) for words in question.says), raised.value


def answer(question: Question) -> list[str]:
    with varvite.open(question.file, checked=question.checked) as graph:
        if question.words == "plan":
            return plan_rows(graph, question)
        return [json.dumps(named(graph, *question.words.split()), separators=(",", ":"), ensure_ascii=False)]


def plan_rows(graph: varvite.Graph, question: Question) -> list[str]:
    rows = graph.query(question.plan, question.parameters, memory=question.memory)
    if question.side is not None:
        return [json.dumps({"node": node}, separators=(",", ":")) for node in side(rows._plan, question.side)]
    is_node = rows._plan.row_kind == "nodes"
    shown = ({"node": row.id} if is_node else plain(row) for row in rows)
    return [json.dumps(row, separators=(",", ":"), ensure_ascii=False) for row in shown]


def side(plan: Plan, name: str) -> list[int]:
    run = plan.run({"threads": None, "memory": None, "seconds": None, "batch_rows": None})
    nodes = []
    while run.next() is not None:
        nodes += run.side(name)
    return nodes + run.side(name)


def plain(value: Any) -> Any:
    """A value in the form of conformance answers."""
    if isinstance(value, varvite.Edge):
        return {"edge": value.label, "source": value.source.id, "target": value.target.id}
    if isinstance(value, varvite.Node):
        return value.id
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {name: plain(cell) for name, cell in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def named(graph: varvite.Graph, kind: str, *words: str) -> Any:
    nodes = [graph.node(id) for id in range(graph.id_limit)] if kind in ("labels", "out", "in") else []
    if kind == "open":
        return graph.node_count
    if kind == "recovered":
        return graph.recovered
    if kind == "labels":
        return [sorted(node.labels) for node in nodes]
    if kind == "nodes":
        return [node.id for node in graph.nodes(words[0])]
    if kind == "out":
        return [[neighbour.id for neighbour in node.out(words[0])] for node in nodes]
    if kind == "in":
        return [[neighbour.id for neighbour in node.in_(words[0])] for node in nodes]
    if kind == "values":
        return values(graph.column(words[0]), graph.id_limit)
    if kind == "edge-values":
        return values(graph.column(words[1], edge_label=words[0]), graph.edge_labels[words[0]])
    raise ValueError(f"{kind} is no question")


def values(column: varvite.Column, owners: int) -> list[list[Any]]:
    """The values of each owner, from the arrays of the column."""
    texts = [*column.texts(), None] if column.value_type in ("string", "bytes") else None
    all_values = [meant(column, texts, value) for value in column.to_numpy().tolist()]
    lists: list[list[Any]] = [[] for _ in range(owners)]
    offsets = column.offsets().tolist()
    for owner, start, end in zip(column.owners().tolist(), offsets, offsets[1:]):
        lists[owner] = all_values[start:end]
    return lists


def meant(column: varvite.Column, texts: list[Any] | None, value: Any) -> Any:
    if texts is not None:
        return plain(texts[value])
    return None if column.value_type == "ref" and value == 0xFFFFFFFF else value
