"""DuckDB as a peer for questions about columns. It reads its own database file.

    duckdb_peer.py load NODES.csv CALLS.csv TARGET.duckdb     makes the file; prints one JSON line
    duckdb_peer.py serve FILE THREADS                         answers commands from standard input

Queries read the database file, which is opened read-only. The harness measures them with DuckDB's setting `threads` at
1 and at 2. The file stores the least and the greatest value of each row group, and has no index. Questions whose answer
is one number run as prepared statements. Questions that return rows fetch them as Arrow tables, because making Python
objects would take longer than the query. `COPY` writes CSV and JSON.

README.md defines each question and the form of its answer.
"""

import json
import os
import sys
import time

import duckdb
import session
from session import WRITTEN_COLUMNS, FIVE_NAMES, FREQUENT_NAME, RANGES, RARE_NAME
from session import Question, any_order, chars, csv_rows, json_rows, last_column, number

COLUMNS = {
    "node": "UINTEGER",
    "label": "VARCHAR",
    "ORDER": "INTEGER",
    "LINE_NUMBER": "INTEGER",
    "ARGUMENT_INDEX": "INTEGER",
    "NAME": "VARCHAR",
    "FULL_NAME": "VARCHAR",
    "FILENAME": "VARCHAR",
    "CODE": "VARCHAR",
}
CALLS = {"label": "VARCHAR", "source": "UINTEGER", "target": "UINTEGER", "edge": "VARCHAR"}

CALLEES = "FROM calls JOIN nodes ON node = target"
CSV = "(FORMAT csv, HEADER, USE_TMP_FILE false)"
JSON_LINES = "(FORMAT json, USE_TMP_FILE false)"

QUESTIONS = {
    "column_order_sum": ('SELECT sum("ORDER") FROM nodes', number),
    "column_call_order": ("""SELECT count(*) FROM nodes WHERE label = 'CALL' AND "ORDER" > 2""", number),
    "column_labels": ("SELECT label, count(*) FROM nodes GROUP BY label", any_order),
    "column_call_names": ("SELECT NAME, count(*) FROM nodes WHERE label = 'CALL' GROUP BY NAME", any_order),
    "column_last_lines": (
        "SELECT node, LINE_NUMBER FROM nodes ORDER BY LINE_NUMBER DESC NULLS LAST LIMIT 20",
        last_column,
    ),
    "column_callees": (f"SELECT FULL_NAME {CALLEES}", chars),
    "column_most_called": (
        f"SELECT FULL_NAME, count(*) AS calls {CALLEES} GROUP BY FULL_NAME ORDER BY calls DESC LIMIT 5",
        last_column,
    ),
    "column_name_frequent": (f"SELECT count(*) FROM nodes WHERE label = 'CALL' AND NAME = '{FREQUENT_NAME}'", number),
    "column_name_rare": (f"SELECT count(*) FROM nodes WHERE label = 'CALL' AND NAME = '{RARE_NAME}'", number),
    "column_name_of_five": (
        f"SELECT count(*) FROM nodes WHERE label = 'CALL' AND NAME IN {tuple(FIVE_NAMES)}",
        number,
    ),
    "column_line_by_file": (
        "SELECT FILENAME, min(LINE_NUMBER), max(LINE_NUMBER) FROM nodes GROUP BY FILENAME",
        any_order,
    ),
    "column_order_by_label": ('SELECT label, avg("ORDER") FROM nodes GROUP BY label', any_order),
}


def load(nodes, calls, target):
    """Makes the tables of nodes and of CALL edges, with rows in the order of the CSV files."""
    if os.path.exists(target):
        os.remove(target)
    start = time.perf_counter_ns()
    with duckdb.connect(target) as database:
        create(database, "nodes", nodes, COLUMNS)
        create(database, "calls", calls, CALLS)
        database.execute("ALTER TABLE calls DROP COLUMN label")
        database.execute("ALTER TABLE calls DROP COLUMN edge")
    return {"ns": time.perf_counter_ns() - start, "file_bytes": os.path.getsize(target)}


def create(database, table, file, columns):
    """Loads a CSV file into a new table. An empty field is null, and a pair of quotes is an empty text."""
    dialect = "delim = ',', quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false, parallel = false"
    read = f"read_csv(?, header = true, columns = ?, auto_detect = false, {dialect}, max_line_size = 16777216)"
    database.execute(f"CREATE TABLE {table} AS SELECT * FROM {read}", [file, columns])


def serve(file, threads):
    database = duckdb.connect(file, read_only=True, config={"threads": int(threads)})
    asked = QUESTIONS | ranges(database)
    questions = {name: prepared(database, name, *how) for name, how in asked.items()}
    questions["column_nodes_csv"] = written(database, CSV, f"{file}.{threads}.csv", csv_rows)
    questions["column_nodes_jsonl"] = written(database, JSON_LINES, f"{file}.{threads}.jsonl", json_rows)
    about = {"peer": "duckdb", "peer_version": duckdb.__version__, "python_version": sys.version.split()[0]}
    session.serve(questions, rows_of, about)


def ranges(database):
    """Questions that count nodes whose LINE_NUMBER is in a range, with and without a condition on ORDER."""
    sorted_lines = "SELECT LINE_NUMBER FROM nodes WHERE LINE_NUMBER IS NOT NULL ORDER BY LINE_NUMBER"
    lines = [line for (line,) in database.execute(sorted_lines).fetchall()]
    found = {}
    for name, share in RANGES.items():
        low, high = session.bounds(lines, share)
        count = f"SELECT count(*) FROM nodes WHERE LINE_NUMBER >= {low} AND LINE_NUMBER < {high}"
        found[f"column_lines_{name}"] = (count, number)
        found[f"column_lines_order_{name}"] = (count + ' AND "ORDER" > 2', number)
    return found


def written(database, form, file, rows_of_file):
    """A question that writes text. Rounds write to /dev/null; the answer comes from a file, written once beforehand."""
    copy = f"COPY (SELECT {', '.join(map(quoted, WRITTEN_COLUMNS))} FROM nodes) TO '{{}}' {form}"
    database.execute(copy.format(file))
    answer = rows_of_file(file)
    return Question(lambda: database.execute(copy.format("/dev/null")), lambda _: answer)


def quoted(name):
    return f'"{name}"'


def prepared(database, name, sql, answer_of):
    """A question in SQL. It fetches a number by a prepared statement, and rows as an Arrow table."""
    if answer_of is not number:
        return Question(lambda: database.sql(sql).to_arrow_table(), answer_of)
    database.execute(f"PREPARE {name} AS {sql}")
    return Question(lambda: database.execute(f"EXECUTE {name}").fetchall(), answer_of)


def rows_of(result):
    if isinstance(result, list):
        return result
    if not hasattr(result, "columns"):
        return []
    return list(zip(*(column.to_pylist() for column in result.columns)))


if __name__ == "__main__":
    if sys.argv[1] == "load":
        print(json.dumps(load(*sys.argv[2:])))
    else:
        serve(*sys.argv[2:])
