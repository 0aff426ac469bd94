"""Functions as graphs of PyTorch Geometric: tensors, batches, and the lines of the README.

PyTorch's wheels for Linux bring libraries for graphics cards, some gigabytes: `make test-pyg` installs them in an
environment of its own. `tests/test_functions.py` checks the same arrays by NumPy.
"""

import pathlib
import re
from typing import Any

import numpy
import pytest
import torch
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_mean_pool

import varvite
from conftest import ROOT
from conftest import zlib as zlib
from conftest import zlib_path as zlib_path

EDGES = ["AST", "CFG", "REACHING_DEF"]
NAMES = {"edge_index", "edge_type", "line", "method", "node_id", "node_type", "num_nodes", "token_index", "tokens"}


@pytest.fixture(scope="module")
def functions(zlib_path: pathlib.Path) -> list[Any]:
    """The functions of zlib as graphs of PyTorch Geometric."""
    with varvite.open(zlib_path) as graph:
        return list(graph.functions(EDGES, "pyg"))


def test_graphs_have_the_numbers_of_arrays(zlib: varvite.Graph, functions: list[Any]) -> None:
    arrays = list(zlib.functions(EDGES, "numpy"))
    assert len(functions) == len(arrays) == 425
    for data, array in zip(functions, arrays):
        assert isinstance(data, Data) and set(data.keys()) == NAMES and data.validate()
        assert data.method == array["method"] and data.num_nodes == len(array["nodes"])
        assert torch.equal(data.node_id, torch.from_numpy(array["nodes"].astype(numpy.int64)))
        for name in NAMES - {"method", "node_id", "num_nodes"}:
            assert data[name].dtype == torch.int64 and data[name].is_contiguous() == array[name].flags.c_contiguous
            assert numpy.array_equal(data[name].numpy(), array[name]), name


def test_tensors_share_the_memory_of_their_batch(zlib: varvite.Graph) -> None:
    batch = next(zlib.functions(EDGES).batches())
    one = batch.pyg(3)
    start, first = int(batch.node_offsets[3]), int(batch.edge_offsets[3])
    assert one.node_type.data_ptr() == batch.node_types[start:].ctypes.data
    assert one.edge_type.data_ptr() == batch.edge_types[first:].ctypes.data
    one.line[0] = 12345
    assert batch.lines[start] == 12345
    with pytest.raises(IndexError, match="425|no function"):
        batch.pyg(len(batch))


def test_a_loader_joins_graphs(functions: list[Any]) -> None:
    loader = DataLoader(functions, batch_size=32, shuffle=False)
    joined = next(iter(loader))
    assert joined.num_graphs == 32 and len(loader) == -(-len(functions) // 32)
    assert joined.num_nodes == sum(data.num_nodes for data in functions[:32])
    before = sum(data.num_nodes for data in functions[:5])
    edges = slice(*joined._slice_dict["edge_index"][5:7].tolist())
    assert torch.equal(joined.edge_index[:, edges] - before, functions[5].edge_index)
    tokens = slice(*joined._slice_dict["token_index"][5:7].tolist())
    assert torch.equal(joined.token_index[tokens] - before, functions[5].token_index)
    assert joined.method.tolist() == [data.method for data in functions[:32]]


def test_labels_are_tensors(zlib: varvite.Graph, tmp_path: pathlib.Path) -> None:
    (tmp_path / "labels.csv").write_text("file,line,label\ninflate.c,500,3\n")
    found = {data.method: data.y.tolist() for data in zlib.functions(EDGES, "pyg", labels=tmp_path / "labels.csv")}
    inflate = zlib.pipeline().nodes("METHOD").has("NAME", "inflate").first().id
    assert found.pop(inflate) == [3] and set(map(tuple, found.values())) == {(0,)}


class Model(torch.nn.Module):  # type: ignore[misc, unused-ignore]
    """A label for each graph, from the types of its nodes."""

    def __init__(self, types: int) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(types, 16)
        self.convolution = GCNConv(16, 16)
        self.last = torch.nn.Linear(16, 2)

    def forward(self, data: Any) -> Any:
        nodes = self.convolution(self.embedding(data.node_type), data.edge_index).relu()
        return self.last(global_mean_pool(nodes, data.batch))


def test_a_model_learns_from_a_loader(zlib: varvite.Graph, functions: list[Any]) -> None:
    torch.manual_seed(0)
    types, calls = len(zlib.labels), zlib.labels.index("CALL")
    for data in functions:
        data.y = (data.node_type == calls).float().mean().gt(0.2).long().reshape(1)
    model, losses = Model(types), []
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(8):
        total = 0.0
        for batch in DataLoader(functions, batch_size=32, shuffle=True):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(batch), batch.y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        losses.append(total)
    assert losses[-1] < losses[0] / 2, losses


def test_the_lines_of_the_readme_run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"```python\n(.*?DataLoader.*?)```", (ROOT / "bindings/python/README.md").read_text(), re.DOTALL)
    code = code.rpartition("```python\n")[2]
    (tmp_path / "cpg.bin").write_bytes((ROOT / "examples/data/zlib.cpg.bin").read_bytes())
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)
    assert sum(batch.num_graphs for batch in names["loader"]) == 425
