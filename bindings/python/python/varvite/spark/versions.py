"""Which versions of Spark and pyarrow the data source needs."""

from __future__ import annotations

import importlib
import re

SPARK_MIN = (4, 1)
"""Filters of Python's data sources are since Spark 4.1."""

PYARROW_MIN = (18,)

ADVICE = "install them by pip install --upgrade pyspark pyarrow numpy"


def check(session: str | None = None) -> None:
    """Raises `ImportError` with one line if a package is missing or too old, or the session's Spark is."""
    for package, least in (("pyspark", SPARK_MIN), ("pyarrow", PYARROW_MIN)):
        try:
            # Spark's client is another package with the same module, and a distribution of Spark is no package.
            found = importlib.import_module(package).__version__
        except ImportError:
            raise ImportError(f"varvite.spark needs {package} {text(least)} or newer: {ADVICE}") from None
        refuse_older(package, found, least)
    if session is not None:
        refuse_older("Spark", session, SPARK_MIN)


def refuse_older(name: str, found: str, least: tuple[int, ...]) -> None:
    """Raises `ImportError` for an older version."""
    numbers = tuple(map(int, re.findall(r"\d+", found)[: len(least)]))
    if numbers < least:
        raise ImportError(f"varvite.spark needs {name} {text(least)} or newer, and this is {found}: {ADVICE}")


def text(version: tuple[int, ...]) -> str:
    """A version as text."""
    return ".".join(map(str, version))
