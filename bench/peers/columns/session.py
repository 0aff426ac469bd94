"""The line protocol of the peers, for engines with a Python interface: each command gets one JSON line as its answer.

`../flatgraph/README.md` describes the protocol. An engine has a function for each question, which returns a list of
rows, or a value that `rows_of` converts to a list of rows. Only this function is timed. The answer, which is compared
with the answers of other engines, is computed later from the result of the last round.
"""

import csv
import gc
import json
import sys
import time
import zlib

WARMUP_SECONDS = 0.5

# The NAMEs of CALLs that questions search for. The first is frequent in most C programs, and the others are rare.
FREQUENT_NAME = "<operator>.assignment"
RARE_NAME = "memcpy"
FIVE_NAMES = ["free", "malloc", "memcpy", "memset", "strlen"]
# The share of all LINE_NUMBERs, in thousandths, that each range holds. A range lies around the median.
RANGES = {"1": 1, "100": 100, "900": 900}
WRITTEN_COLUMNS = ["label", "ORDER", "LINE_NUMBER", "NAME", "CODE"]


class Question:
    """A function that asks the question, and one that converts its rows to the answer that is compared."""

    def __init__(self, ask, answer_of):
        self.ask = ask
        self.answer_of = answer_of


def number(rows):
    """The answer to a question about one number, which is the only cell of the only row."""
    return [rows[0][0] or 0]


def last_column(rows):
    """The answer to a question about sorted rows: the numbers of the last column. Swapping ties does not change it."""
    return [row[-1] for row in rows]


def bounds(lines, share):
    """The range around the median with about `share` thousandths of the sorted `lines`; the end is exclusive."""
    count = len(lines)
    return lines[count * (1000 - share) // 2000], lines[(count - 1) * (1000 + share) // 2000] + 1


def csv_rows(file):
    """The number of rows in a CSV file, and the CRC-32 of their cells. Absent values count as empty texts."""
    csv.field_size_limit(1 << 30)
    count, crc = 0, 0
    with open(file, encoding="utf-8", newline="") as text:
        rows = csv.reader(text)
        next(rows)
        for row in rows:
            count += 1
            crc = zlib.crc32("\t".join(row).encode() + b"\n", crc)
    return [count, crc]


def json_rows(file):
    """The number of rows in a file of JSON lines, and the CRC-32 of their cells, sorted by name in each row."""
    count, crc = 0, 0
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            count += 1
            row = json.loads(line)
            cells = ("" if row[name] is None else str(row[name]) for name in sorted(row))
            crc = zlib.crc32("\t".join(cells).encode() + b"\n", crc)
    return [count, crc]


def chars(rows):
    """The total number of UTF-16 units in the only column's texts."""
    return [sum(len(text.encode("utf-16-le")) // 2 for (text,) in rows if text is not None)]


def any_order(rows):
    """The number of rows, and the CRC-32 of their lines, which are sorted bytewise."""
    lines = sorted("\t".join(map(cell, row)).encode() + b"\n" for row in rows)
    return [len(lines), zlib.crc32(b"".join(lines))]


def cell(value):
    if value is None:
        return "\\N"
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def serve(questions, rows_of, about):
    """Answers commands until the command `quit` or the end of the input."""
    asked = None
    for line in sys.stdin:
        words = line.split()
        try:
            if words[:1] == ["run"]:
                is_warm, asked = asked == words[1], words[1]
                answer = run(questions[words[1]], rows_of, int(words[2]), is_warm)
                answer["workload"] = words[1]
            elif words in (["about"], ["memory"], ["quit"]):
                answer = {"command": words[0], **(about if words == ["about"] else {})}
            else:
                raise ValueError(f"no command '{line.strip()}': expected run, about, memory or quit")
            answer.update(memory())
        except Exception as error:  # Reports any error, and continues the session.
            asked, answer = None, {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
        if words == ["quit"]:
            break


def run(question, rows_of, rounds, is_warm):
    """Times `rounds` rounds. Warms the question up first, unless the previous command asked the same question."""
    gc.disable()
    warm_until = time.monotonic() + (0 if is_warm else WARMUP_SECONDS)
    while time.monotonic() < warm_until:
        question.ask()
    samples = []
    for _ in range(rounds):
        start = time.perf_counter_ns()
        result = question.ask()
        samples.append(time.perf_counter_ns() - start)
    gc.enable()
    answer = question.answer_of(rows_of(result))
    return {"unit": "ns", "samples": samples, "answer": answer, "operations": 1}


def memory():
    """The resident bytes of this process; null if the system has no `/proc`."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            fields = dict(line.split(":", 1) for line in status)
    except OSError:
        fields = {}
    names = {"rss_bytes": "VmRSS", "rss_anon_bytes": "RssAnon", "rss_peak_bytes": "VmHWM"}
    return {name: kibibytes(fields.get(field)) for name, field in names.items()}


def kibibytes(field):
    return None if field is None else int(field.split()[0]) * 1024
