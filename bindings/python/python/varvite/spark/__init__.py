"""Graph files as a data source of Apache Spark: `varvite.spark.register(spark)`, then `spark.read.format("varvite")`.

>>> import varvite.spark
>>> varvite.spark.register(spark)
>>> methods = spark.read.format("varvite").option("table", "METHOD").load("corpus/*.varvite")
>>> methods.groupBy("_file").count().show()

Needs the extra `spark` (PySpark 4.1 or newer) on the driver and on every worker. Reading order: `versions`,
`options` (what to read), `faults` and `folders`, `remote` and `cache` (other file systems), `files` (which files, and
opening them), `columns` (types), `filters` (conditions), `tables` (rows of one file), `source` (what Spark calls);
`kernels` and `boundary` are algorithms over all files, and `values` and `summaries` the greatest and most frequent
values of all files. Their functions have their names here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from varvite.spark.boundary import components, reach
    from varvite.spark.summaries import histogram, top

PUSHDOWN = "spark.sql.python.filterPushdown.enabled"
"""The setting of Spark without which it keeps filters from Python's data sources."""


def register(spark: Any) -> None:
    """Makes the format `varvite` known to a session, and lets Spark hand its filters to it.

    Sets `spark.sql.python.filterPushdown.enabled` of the session to true: without it, Spark refuses sources that take
    filters. The setting holds for all of Python's data sources in this session.

    Raises
    ------
    ImportError
        Spark or pyarrow is missing or too old; the message has the command that installs them.
    """
    from varvite.spark.versions import check

    check(spark.version)
    from varvite.spark.source import VarviteSource

    spark.conf.set(PUSHDOWN, "true")
    spark.dataSource.register(VarviteSource)


def __getattr__(name: str) -> Any:
    """The functions that need PySpark and NumPy are imported when they are first used."""
    if name not in ("components", "reach", "histogram", "top"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from varvite.spark.versions import check

    check()
    from varvite.spark import boundary, summaries

    return getattr(boundary if name in ("components", "reach") else summaries, name)


__all__ = ["PUSHDOWN", "components", "histogram", "reach", "register", "top"]
