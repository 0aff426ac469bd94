"""The wheel, its installation, and the stubs of its native module."""

import ast
import importlib.metadata
import inspect
import os
import pathlib
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable, Iterator

import pytest

import varvite
from conftest import ROOT
from varvite import _varvite

PACKAGE = ROOT / "bindings/python/python/varvite"


def test_the_wheel_installs_where_there_is_no_compiler(tmp_path: pathlib.Path, zlib_path: pathlib.Path) -> None:
    venv.create(tmp_path / "empty", with_pip=True)
    python = str(tmp_path / "empty/bin/python")
    alone = {"PATH": str(tmp_path / "nothing"), "HOME": str(tmp_path)}
    install = [python, "-m", "pip", "install", "--quiet", "--no-index", os.environ["VARVITE_WHEEL"]]
    subprocess.run(install, check=True, env=alone)
    ask = f"import varvite; print(len(varvite.open({str(zlib_path)!r}).nodes('METHOD')))"
    answered = subprocess.run([python, "-c", ask], check=True, env=alone, capture_output=True, text=True)
    assert int(answered.stdout) > 100
    command = subprocess.run([tmp_path / "empty/bin/varvite", "--version"], env=alone, capture_output=True, text=True)
    assert command.stdout.startswith("varvite ")


def test_uvx_runs_the_command_without_an_installation(tmp_path: pathlib.Path) -> None:
    tools = pathlib.Path(sys.executable).parent
    uvx = [str(tools / "uvx"), "--offline", "--no-index", "--python", sys.executable, "--from", os.environ["VARVITE_WHEEL"]]
    alone = {"PATH": os.defpath, "HOME": str(tmp_path), "UV_CACHE_DIR": str(tmp_path / "cache")}
    said = subprocess.run([*uvx, "varvite", "--version"], check=True, env=alone, capture_output=True, text=True)
    assert said.stdout.startswith("varvite ")


def test_the_wheel_has_one_native_library_for_every_python() -> None:
    wheel = pathlib.Path(os.environ["VARVITE_WHEEL"])
    names = zipfile.ZipFile(wheel).namelist()
    assert "-cp310-abi3-" in wheel.name
    assert [name for name in names if name.endswith((".so", ".pyd", ".dylib"))] == ["varvite/_varvite.abi3.so"]
    assert "varvite/py.typed" in names and "varvite/_varvite.pyi" in names


def test_the_wheel_has_the_backend_of_networkx_and_its_description() -> None:
    wheel = zipfile.ZipFile(os.environ["VARVITE_WHEEL"])
    assert {"_nx_varvite/__init__.py", "varvite/nx/backend.py"} <= set(wheel.namelist())
    named = {point.group: point for point in importlib.metadata.entry_points(name="varvite")}
    assert named["networkx.backends"].load().__name__ == "varvite.nx.backend"
    assert named["networkx.backend_info"].load()()["backend_name"] == "varvite"


def test_the_stub_declares_what_the_module_has() -> None:
    stub = ast.parse((PACKAGE / "_varvite.pyi").read_text())
    declared = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    found = {name for name in vars(_varvite) if not name.startswith("__")}
    assert set(declared) == found
    for name, node in declared.items():
        if isinstance(node, ast.FunctionDef):
            check_parameters(node, getattr(_varvite, name))
            continue
        members = {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}
        assert set(members) - {"__new__"} == set(own_members(getattr(_varvite, name))), name
        for member, function in members.items():
            if not function.decorator_list and not member.startswith("__"):
                check_parameters(function, getattr(getattr(_varvite, name), member))


def own_members(cls: type) -> list[str]:
    ignored = {"__new__", "__doc__", "__module__"}
    return [name for name in vars(cls) if name not in ignored]


def check_parameters(declared: ast.FunctionDef, function: object) -> None:
    parameters = inspect.signature(function).parameters  # type: ignore[arg-type]
    arguments = declared.args
    assert [argument.arg for argument in (*arguments.args, *arguments.kwonlyargs)] == list(parameters), declared.name


def test_every_public_name_is_documented() -> None:
    for name in varvite.__all__:
        thing = getattr(varvite, name)
        assert inspect.getdoc(thing), name
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{member}"


OF_STEPS = {"varvite.keys", "varvite.pipeline", "varvite.code_steps"}
"""The modules of steps and keys, each with its meaning in one line: `docs/plan.md` has the rest."""


def documented() -> Iterator[tuple[str, Callable[..., object]]]:
    """All public functions and methods of the package, and the getters of its properties."""
    for name in varvite.__all__:
        thing = getattr(varvite, name)
        if thing.__module__ in OF_STEPS:
            continue
        if inspect.isfunction(thing):
            yield name, thing
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if not member.startswith("_") and inspect.isfunction(function):
                yield f"{name}.{member}", function


def section(doc: str, title: str) -> str:
    """The lines below a title of a docstring in the style of NumPy, up to the next title."""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w+\n-+$|\Z)", doc, re.DOTALL | re.MULTILINE)
    return found.group(1) if found else ""


@pytest.mark.parametrize("name, function", list(documented()), ids=lambda value: value if isinstance(value, str) else "")
def test_docstrings_have_sections(name: str, function: Callable[..., object]) -> None:
    doc, signature = inspect.getdoc(function) or "", inspect.signature(function)
    described = {word for line in section(doc, "Parameters").splitlines() if line[:1] not in ("", " ") for word in line.split(", ")}
    assert described == set(signature.parameters) - {"self", "cls"}, f"{name} has other parameters than its docstring"
    returned = str(signature.return_annotation)
    if "Array" in returned and "Column.values" not in name:
        assert "shape" in section(doc, "Returns"), f"{name} returns an array of an unknown shape"
        assert re.search(r"u?int(8|32|64)|float64|type of", section(doc, "Returns")), f"{name} returns an array of an unknown type"
    if signature.parameters.keys() & {"memory", "seconds"} or "Array" in returned:
        assert "Error" in section(doc, "Raises"), f"{name} does not say what it raises"


def test_the_classes_of_errors_have_the_numbers_of_the_page() -> None:
    rows = [line.split(" | ") for line in (ROOT / "docs/errors.md").read_text().splitlines() if line.startswith("| -")]
    page = {(int(number.strip("| ")), name.strip("`")) for number, name, *_ in rows}
    assert {(error.code, error.name) for error in varvite.errors.BY_CODE.values()} == page


def test_python_itself_is_new_enough_for_the_wheel() -> None:
    assert sys.version_info >= (3, 10)
