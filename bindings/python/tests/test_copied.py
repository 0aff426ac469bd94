"""The program that the explorer copies for Python."""

import pathlib
import shutil
import subprocess
import sys

PROGRAM = pathlib.Path(__file__).parent / "data" / "copied.py"
ROWS = "inflateInit2 inflateResetKeep inflateReset inflateReset2 inflateInit2_ inflateInit_ inflateInit".split()


def test_the_copied_program_prints_the_rows_of_its_query(zlib_path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The program opens the graph by its name beside it."""
    shutil.copy(zlib_path, tmp_path / "zlib.varvite")
    run = subprocess.run([sys.executable, str(PROGRAM)], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert run.stdout.split() == ROWS
