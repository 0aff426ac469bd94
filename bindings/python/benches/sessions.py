"""Sessions of Spark on this machine, and what their tasks wrote for other tasks."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import sys
from collections.abc import Iterator

from pyspark.sql import SparkSession

import varvite.spark
from cluster import ADDRESS, java_home


@contextlib.contextmanager
def local(scratch: pathlib.Path, events: pathlib.Path | None = None) -> Iterator[SparkSession]:
    """A session with two threads in one JVM. With `events`, an empty folder, it keeps a log of its tasks there."""
    os.environ.update({"JAVA_HOME": java_home(), "SPARK_LOCAL_IP": ADDRESS, "PYSPARK_PYTHON": sys.executable})
    settings = {
        "spark.driver.host": ADDRESS,
        "spark.driver.bindAddress": ADDRESS,
        "spark.driver.memory": "4g",
        "spark.driver.maxResultSize": "2g",
        "spark.local.dir": str(scratch / "local"),
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if events is not None:
        settings |= {
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": events.as_uri(),
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.compress": "false",
        }
    builder = SparkSession.builder.master("local[2]").appName("bench-corpus")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    try:
        spark.sparkContext.setLogLevel("ERROR")
        varvite.spark.register(spark)
        yield spark
    finally:
        spark.stop()


def sent_bytes(events: pathlib.Path) -> int:
    """The bytes that tasks wrote for other tasks, by the log of a session that has ended."""
    (log,) = [path for path in events.iterdir() if path.is_file() and not path.name.startswith(".")]
    total, tasks = 0, 0
    with log.open(encoding="utf-8") as lines:
        for line in lines:
            event = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd":
                tasks += 1
                total += event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]
    if tasks == 0:
        raise RuntimeError(f"{log.name} has no task")
    return total
