"""A cluster of Spark on this machine: a master and some workers, which are processes on the loopback interface."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pyspark
from pyspark.sql import SparkSession

SPARK = pathlib.Path(pyspark.__file__).parent
ADDRESS = "127.0.0.1"
LOCAL = ["--host", ADDRESS, "--webui-port", "0"]
SECONDS = 180
JDK = range(17, 30)


def java_home() -> str:
    """The folder of a JDK that Spark can use: that of JAVA_HOME, or the first below /usr/lib/jvm."""
    folders = [pathlib.Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else []
    for folder in [*folders, *sorted(pathlib.Path("/usr/lib/jvm").glob("*"))]:
        release = folder / "release"
        version = re.search(r'JAVA_VERSION="(\d+)', release.read_text()) if release.exists() else None
        if version and int(version[1]) in JDK and (folder / "bin/java").exists():
            return str(folder)
    raise AssertionError("Spark needs a JDK, 17 or newer: set JAVA_HOME (apt install openjdk-17-jdk-headless)")


class Cluster:
    """A master and its workers. Each process leads a group, so that its executors end with it."""

    def __init__(self, folder: pathlib.Path, workers: int) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "JAVA_HOME": java_home(),
            "SPARK_HOME": str(SPARK),
            "SPARK_LOCAL_IP": ADDRESS,
            "SPARK_LOCAL_DIRS": str(folder / "local"),
            # Only a program that starts Spark by its scripts may name Python in the settings.
            "PYSPARK_PYTHON": sys.executable,
        }
        self.processes: list[subprocess.Popen[bytes]] = []
        try:
            self._start("master", ["org.apache.spark.deploy.master.Master", *LOCAL, "--port", "0"])
            self.address = self._wait("master", r"Starting Spark master at (spark://\S+)")
            for number in range(workers):
                self.add_worker(number)
            for number in range(workers):
                self._wait(f"worker{number}", "Successfully registered with master")
        except BaseException:
            self.stop()
            raise

    def add_worker(self, number: int) -> None:
        """Starts a worker with one core."""
        words = ["--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / f"work{number}"), self.address]
        self._start(f"worker{number}", ["org.apache.spark.deploy.worker.Worker", *LOCAL, *words])

    def kill_worker(self, number: int) -> None:
        """Ends a worker and its executor at once."""
        process = self.processes[1 + number]
        # An executor leads no group of its own, so it is in that of its worker.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """Ends all processes."""
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in reversed(self.processes):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _start(self, name: str, words: list[str]) -> None:
        with open(self.folder / f"{name}.log", "wb") as log:
            command = [str(SPARK / "bin/spark-class"), *words]
            process = subprocess.Popen(command, stdout=log, stderr=log, env=self.environment, start_new_session=True)
        self.processes.append(process)

    def _wait(self, name: str, pattern: str) -> str:
        log, end = self.folder / f"{name}.log", time.monotonic() + SECONDS
        while time.monotonic() < end:
            found = re.search(pattern, log.read_text())
            if found:
                return found[found.lastindex or 0]
            time.sleep(0.05)
        raise AssertionError(f"{name} did not start in {SECONDS} s:\n{log.read_text()}")


@contextlib.contextmanager
def session(cluster: Cluster) -> Iterator[SparkSession]:
    """A session with an executor on each worker."""
    os.environ.update({name: cluster.environment[name] for name in ("JAVA_HOME", "SPARK_LOCAL_IP", "PYSPARK_PYTHON")})
    settings = {
        "spark.driver.host": ADDRESS,
        "spark.driver.bindAddress": ADDRESS,
        "spark.executor.cores": "1",
        "spark.executor.memory": "512m",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
        "spark.sql.warehouse.dir": str(cluster.folder / "warehouse"),
    }
    builder = SparkSession.builder.master(cluster.address).appName("varvite")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        spark.stop()
