"""Imports, exports, diffs, indexes, checks and walks."""

import pathlib
import shutil
from typing import Any

import pytest

import varvite
from conftest import ROOT

SOURCE = ROOT / "examples/data/zlib.cpg.bin"


@pytest.fixture
def copy(zlib_path: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """A graph file that a test may change."""
    return pathlib.Path(shutil.copy(zlib_path, tmp_path / "copy.varvite"))


def test_an_import_and_an_export_keep_the_graph(tmp_path: pathlib.Path) -> None:
    imported = varvite.import_(SOURCE, tmp_path / "a.varvite", profile="direct")
    with varvite.open(tmp_path / "a.varvite") as graph:
        assert (imported.nodes, imported.edges) == (graph.node_count, graph.edge_count)
        graph.export(tmp_path / "a.cpg.bin")
        with pytest.raises(varvite.ExistsError):
            graph.export(tmp_path / "a.cpg.bin")
        again = varvite.import_(tmp_path / "a.cpg.bin", tmp_path / "b.varvite")
        assert again[:2] == imported[:2]


def test_an_import_refuses_what_it_does_not_know(tmp_path: pathlib.Path, copy: pathlib.Path) -> None:
    with pytest.raises(varvite.ExistsError):
        varvite.import_(SOURCE, copy)
    with pytest.raises(varvite.ForeignError):
        varvite.import_(copy, tmp_path / "new.varvite")
    with pytest.raises(varvite.ArgumentError, match="profile"):
        varvite.import_(SOURCE, tmp_path / "new.varvite", profile="small")  # type: ignore[arg-type]
    assert not (tmp_path / "new.varvite").exists()


def test_a_diff_of_objects_changes_the_file(copy: pathlib.Path) -> None:
    with varvite.open(copy) as before:
        call = next(iter(before.nodes("CALL")))
        new = varvite.apply(
            copy,
            [
                {"add_node": {"name": "copy", "labels": ["CALL"], "properties": {"NAME": "memcpy"}}},
                {"add_edge": {"label": "CFG", "from": call.id, "to": "copy"}},
                {"set": {"node": call.id, "property": "NAME", "value": "changed"}},
            ],
        )
        assert list(new) == [before.id_limit]
        assert call.NAME != "changed"
    with varvite.open(copy) as after:
        assert after.node(call.id).NAME == "changed"
        assert after.node(new[0]) in after.node(call.id).out.CFG
        assert not after.column("NAME").values(stored=True).is_view


def test_a_wrong_operation_changes_nothing_and_has_its_line(copy: pathlib.Path) -> None:
    before = copy.read_bytes()
    with pytest.raises(varvite.Error, match="line 2"):
        varvite.apply(copy, [{"remove_node": 1}, {"remove_node": 4_000_000_000}])
    with pytest.raises(varvite.ArgumentError, match="line 1"):
        varvite.apply(copy, "no diff")
    assert copy.read_bytes() == before


def test_a_layer_is_listed(copy: pathlib.Path) -> None:
    additions: list[dict[str, Any]] = [
        {"declare_property": {"name": "SCORE", "type": "i32", "cardinality": "optional"}},
        {"set": {"node": 1, "property": "SCORE", "value": 7}},
    ]
    varvite.apply(copy, additions, layer="scores")
    with varvite.open(copy) as graph:
        assert [name for name, *_ in graph.layers][-1] == "scores"
        assert graph.node(1).SCORE == 7


def test_an_index_is_added_once(copy: pathlib.Path) -> None:
    assert "CODE" in varvite.index(copy, add=["CODE"])
    with pytest.raises(varvite.PropertyIndexError, match="CODE"):
        varvite.index(copy, add=["CODE"])
    assert "CODE" not in varvite.index(copy, drop=["CODE"])


def test_a_check_finds_damage(copy: pathlib.Path) -> None:
    with varvite.open(copy) as graph:
        assert graph.verify() == []
    damaged = bytearray(copy.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    copy.write_bytes(damaged)
    with varvite.open(copy) as graph:
        assert len(graph.verify()) > 0


TREE = {"version": 1, "hops": [{"direction": "out", "edge_labels": ["AST"]}]}


def test_a_walk_visits_the_subtree(zlib: varvite.Graph) -> None:
    method = zlib.pipeline().nodes("METHOD").has("NAME", "inflate").first()
    visits = list(zlib.walk(TREE, [method]))
    subtree = zlib.pipeline().ids([method.id]).subtree().to_list()
    assert {visit.node for visit in visits} == set(subtree)
    assert visits[1].way is not None and visits[1].way.label == "AST"
    paths = list(zlib.walk(TREE, [method]).paths())
    assert len(paths) == len(visits)
    assert all(path[0] == method and len(path) == visit.depth + 1 for path, visit in zip(paths, visits))


def test_paths_come_before_the_error_that_ends_them(zlib: varvite.Graph) -> None:
    # Without a rule for repeated nodes a walk never ends, but its memory does.
    endless = {"version": 1, "order": "breadth_first", "unique": "none", "hops": [{"direction": "both", "edge_labels": ["AST"]}]}
    found = 0
    with pytest.raises(varvite.OverBudgetError):
        for path in zlib.walk(endless, [293], memory=1 << 20).paths():
            found += 1
            assert path[0].id == 293
    assert found > 100


def test_a_walk_refuses_what_is_not_there(zlib: varvite.Graph) -> None:
    with pytest.raises(varvite.UnknownError, match="AST"):
        list(zlib.walk({"version": 1, "hops": [{"direction": "out", "edge_labels": ["ASTS"]}]}, [0]))
    with pytest.raises(varvite.NoSuchNodeError):
        list(zlib.walk(TREE, [zlib.id_limit]))
    with pytest.raises(varvite.PlanError):
        list(zlib.walk("{}", [0]))
