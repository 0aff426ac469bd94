"""Runs NetworkX's own tests against the backend, and holds the result against the table in docs/networkx.md.

NetworkX converts the graphs of its tests to those of the backend, calls the functions that the backend has, and its own
for all others. Each test that fails needs a row with a reason in the table of the page. `BLESS=1` writes the counts.
"""

import collections
import functools
import os
import pathlib
import re
import sys
from typing import Any

os.environ["NETWORKX_TEST_BACKEND"] = "varvite"
os.environ["NETWORKX_FALLBACK_TO_NX"] = "True"

import pytest  # noqa: E402

from _nx_varvite import FUNCTIONS  # noqa: E402
from varvite.nx import backend  # noqa: E402

PAGE = pathlib.Path(__file__).parents[2] / "docs/networkx.md"
COUNTS = re.compile(r"(?<=<!-- counts -->\n).*?(?=<!-- /counts -->)", re.DOTALL)
REASON = re.compile(r"^\| `(test_[^`]+)` \|", re.MULTILINE)


class Results:
    """The outcomes of all tests, and the calls of each function of the backend."""

    def __init__(self) -> None:
        self.outcomes: collections.Counter[str] = collections.Counter()
        self.failed: set[str] = set()
        self.calls: collections.Counter[str] = collections.Counter()
        for name in FUNCTIONS:
            setattr(backend, name, self.counted(name, getattr(backend, name)))

    def counted(self, name: str, function: Any) -> Any:
        @functools.wraps(function)
        def count(*args: Any, **kwargs: Any) -> Any:
            self.calls[name] += 1
            return function(*args, **kwargs)

        return count

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when != "call" and report.outcome == "passed":
            return
        is_expected = hasattr(report, "wasxfail")
        self.outcomes["expected to fail" if is_expected else report.outcome] += 1
        if report.outcome == "failed":
            self.failed.add(report.nodeid.split("::")[-1])

    def table(self) -> str:
        rows = [f"| {outcome} | {count} |" for outcome, count in sorted(self.outcomes.items())]
        uncalled = sorted(name for name in FUNCTIONS if not self.calls[name])
        lines = ["| tests | number |", "|---|--:|", *rows, "", self.calls_in_words(uncalled)]
        return "\n".join(lines) + "\n"

    def calls_in_words(self, uncalled: list[str]) -> str:
        never = "Every one of them is called." if not uncalled else f"No test calls {', '.join(uncalled)}."
        return f"The backend has {len(FUNCTIONS)} functions of its own. {never}"


def main() -> int:
    results = Results()
    arguments = ["--pyargs", "networkx", "--quiet", "-p", "no:cacheprovider", "-p", "no:randomly", *sys.argv[1:]]
    if pytest.main(arguments, plugins=[results]) not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return 1
    print(results.table())
    text = PAGE.read_text()
    unexplained = sorted(results.failed - set(REASON.findall(text)))
    if unexplained:
        print(f"these tests fail, and {PAGE.name} has no reason: {', '.join(unexplained)}")
        return 1
    if os.environ.get("BLESS"):
        PAGE.write_text(COUNTS.sub(lambda _: results.table(), text))
    elif not sys.argv[1:] and results.table() not in text:
        print(f"{PAGE.name} has other counts: run it with BLESS=1, and read the difference")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
