"""Polars as a peer for questions about columns. It reads Parquet files.

    polars_peer.py load NODES.csv CALLS.csv TARGET.parquet     makes the files; prints one JSON line
    polars_peer.py serve FILE THREADS                          answers commands from standard input

The CALL edges are in a second file beside the file of the nodes. Queries scan both files lazily, so each round reads
only the parts of the files that it needs. `sink_csv` and `sink_ndjson` write text.

README.md defines each question and the form of its answer.
"""

import json
import os
import sys
import time

if sys.argv[1] == "serve":
    # Polars reads this variable when it is imported below.
    os.environ["POLARS_MAX_THREADS"] = sys.argv[3]

import polars as pl
import session
from polars import col, len as rows
from session import WRITTEN_COLUMNS, FIVE_NAMES, FREQUENT_NAME, RANGES, RARE_NAME
from session import Question, any_order, chars, csv_rows, json_rows, last_column, number

NODES = {
    "node": pl.UInt32,
    "label": pl.String,
    "ORDER": pl.Int32,
    "LINE_NUMBER": pl.Int32,
    "ARGUMENT_INDEX": pl.Int32,
    "NAME": pl.String,
    "FULL_NAME": pl.String,
    "FILENAME": pl.String,
    "CODE": pl.String,
}
CALLS = {"label": pl.String, "source": pl.UInt32, "target": pl.UInt32, "edge": pl.String}


def calls_beside(target):
    return target.removesuffix(".parquet") + "-calls.parquet"


def load(nodes, calls, target):
    """Loads CSV files. As Polars expects, an empty field is null, and a pair of quotes is an empty text."""
    start = time.perf_counter_ns()
    pl.scan_csv(nodes, schema=NODES).sink_parquet(target)
    pl.scan_csv(calls, has_header=False, skip_rows=1, schema=CALLS).select("source", "target").sink_parquet(calls_beside(target))
    ns = time.perf_counter_ns() - start
    return {"ns": ns, "file_bytes": sum(map(os.path.getsize, [target, calls_beside(target)]))}


def questions_of(file):
    nodes, edges = pl.scan_parquet(file), pl.scan_parquet(calls_beside(file))
    calls = nodes.filter(col("label") == "CALL")
    callees = edges.join(nodes.select("node", "FULL_NAME"), left_on="target", right_on="node")
    named = {
        "column_order_sum": (nodes.select(col("ORDER").sum()), number),
        "column_call_order": (calls.filter(col("ORDER") > 2).select(rows()), number),
        "column_labels": (nodes.group_by("label").agg(rows()), any_order),
        "column_call_names": (calls.group_by("NAME").agg(rows()), any_order),
        "column_last_lines": (nodes.top_k(20, by="LINE_NUMBER").select("node", "LINE_NUMBER"), last_column),
        "column_callees": (callees.select("FULL_NAME"), chars),
        "column_most_called": (callees.group_by("FULL_NAME").agg(rows()).top_k(5, by="len"), last_column),
        "column_name_frequent": (calls.filter(col("NAME") == FREQUENT_NAME).select(rows()), number),
        "column_name_rare": (calls.filter(col("NAME") == RARE_NAME).select(rows()), number),
        "column_name_of_five": (calls.filter(col("NAME").is_in(FIVE_NAMES)).select(rows()), number),
        "column_line_by_file": (
            nodes.group_by("FILENAME").agg(col("LINE_NUMBER").min().alias("least"), col("LINE_NUMBER").max()),
            any_order,
        ),
        "column_order_by_label": (nodes.group_by("label").agg(col("ORDER").mean()), any_order),
    }
    lines = nodes.select(col("LINE_NUMBER").drop_nulls().sort()).collect().to_series()
    for name, share in RANGES.items():
        low, high = session.bounds(lines, share)
        within = nodes.filter(col("LINE_NUMBER").is_between(low, high, closed="left"))
        named[f"column_lines_{name}"] = (within.select(rows()), number)
        named[f"column_lines_order_{name}"] = (within.filter(col("ORDER") > 2).select(rows()), number)
    questions = {name: Question(query.collect, answer_of) for name, (query, answer_of) in named.items()}
    five = nodes.select(WRITTEN_COLUMNS)
    questions["column_nodes_csv"] = written(five.sink_csv, file + ".csv", csv_rows)
    questions["column_nodes_jsonl"] = written(five.sink_ndjson, file + ".jsonl", json_rows)
    return questions


def written(write, file, rows_of_file):
    """A question that writes text. Rounds write to /dev/null; the answer comes from a file, written once beforehand."""
    write(file)
    answer = rows_of_file(file)
    return Question(lambda: write("/dev/null"), lambda _: answer)


def serve(file, _threads):
    about = {"peer": "polars", "peer_version": pl.__version__, "python_version": sys.version.split()[0]}
    session.serve(questions_of(file), lambda frame: [] if frame is None else frame.rows(), about)


if __name__ == "__main__":
    if sys.argv[1] == "load":
        print(json.dumps(load(*sys.argv[2:])))
    else:
        serve(*sys.argv[2:])
