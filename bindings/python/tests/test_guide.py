"""The guide: its code runs, in its order, and prints what the page shows."""

import contextlib
import io
import os
import pathlib
import re
import shutil
from typing import Any

import pytest

from conftest import ROOT

GUIDE = ROOT / "docs/guide/python.md"
BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)


def test_the_code_of_the_guide_prints_what_it_shows(
    zlib_path: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The guide changes its file.
    shutil.copy(zlib_path, tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    text = GUIDE.read_text()
    shown = BLOCK.sub(lambda block: answered(block, names), text)
    if os.environ.get("BLESS"):
        GUIDE.write_text(shown)
    assert shown == text
    assert text.count("```python") > 5


def answered(block: re.Match[str], names: dict[str, Any]) -> str:
    """The block with what its code prints."""
    code = block.group(1)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(GUIDE), "exec"), names)
    return f"```python\n{code}```\n\n```text\n{printed.getvalue()}```"
