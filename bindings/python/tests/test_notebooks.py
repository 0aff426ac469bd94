"""The notebooks: their cells run in order, and give the outputs that they show."""

import ast
import contextlib
import io
import json
import os
import pathlib
import sys
import types
from typing import Any

import pytest

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "bindings/python/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_cells_of_notebooks_give_what_they_show(
    path: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A notebook reads files of the repository by their relative paths, and writes beside itself.
    folder = tmp_path / "bindings/python/notebooks"
    folder.mkdir(parents=True)
    for name in ("examples", "crates"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("POLARS_FMT_MAX_COLS", "12")
    book = json.loads(path.read_text())
    run(book)
    text = json.dumps(book, indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("BLESS"):
        path.write_text(text)
    assert text == path.read_text()


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3


def run(book: dict[str, Any]) -> None:
    """Runs the cells of code, and puts their outputs in place of the old ones."""
    module = types.ModuleType("__main__")
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        cell["execution_count"] = number
        cell["outputs"] = outputs("".join(cell["source"]), module.__dict__, number)


def outputs(code: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """The outputs of a cell: the text that it prints, and the value of its last line."""
    tree, value = ast.parse(code), None
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        shown = {"data": data(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        found.append(shown)
    return found


def data(value: Any) -> dict[str, list[str]]:
    """A value as a notebook stores it: as HTML if it is one of ours, and as text."""
    own = type(value).__module__.split(".")[0] == "varvite" and hasattr(value, "_repr_html_")
    html = {"text/html": lines(value._repr_html_())} if own else {}
    return {**html, "text/plain": lines(repr(value))}


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


assert "ipykernel" not in sys.modules, "bars of progress would be part of the outputs"
