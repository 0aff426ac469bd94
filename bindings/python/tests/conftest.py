"""Graphs that the tests share."""

import pathlib
import subprocess
import sys
from collections.abc import Iterator

import pytest

import varvite

ROOT = pathlib.Path(__file__).parents[3]


def imported(folder: pathlib.Path, *options: str) -> pathlib.Path:
    """The file of the graph of zlib, which the command of the package imports."""
    path, source = folder / "zlib.varvite", ROOT / "examples/data/zlib.cpg.bin"
    subprocess.run([sys.executable, "-m", "varvite", "import", str(source), "-o", str(path), *options], check=True)
    return path


@pytest.fixture(scope="session")
def zlib_path(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The graph of zlib in a compact file, whose columns are decoded."""
    return imported(tmp_path_factory.mktemp("compact"), "--profile", "compact")


@pytest.fixture(scope="session")
def direct_path(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The graph of zlib in a direct file, which has plain columns."""
    return imported(tmp_path_factory.mktemp("direct"), "--profile", "direct")


@pytest.fixture
def zlib(zlib_path: pathlib.Path) -> Iterator[varvite.Graph]:
    """The graph of zlib in a compact file."""
    with varvite.open(zlib_path) as graph:
        yield graph


@pytest.fixture
def direct(direct_path: pathlib.Path) -> Iterator[varvite.Graph]:
    """The graph of zlib in a direct file."""
    with varvite.open(direct_path) as graph:
        yield graph


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests that run on a cluster of Spark."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker("cluster")
