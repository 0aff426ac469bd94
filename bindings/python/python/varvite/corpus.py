"""Many graph files: one question to all of them, an index of their names, and copied functions."""

from __future__ import annotations

import os
import warnings
from collections.abc import Generator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from varvite import _varvite
from varvite.answers import values_of
from varvite.errors import ArgumentError, Error, IoError
from varvite.graph import Graph
from varvite.keys import Key, KeyLike, PredicateLike
from varvite.limits import limits_of
from varvite.pipeline import Pipeline
from varvite.progress import Listener, listener
from varvite.rows import Limits, Rows

Path = str | os.PathLike[str]

NAMED = 10
"""The number of files that a warning names."""


class CorpusWarning(UserWarning):
    """The answer of many graphs lacks rows or columns: the message has the files and the reasons."""


class Failed(NamedTuple):
    """A file of a corpus, or a folder, that has no answer or not a whole one, and the reason."""

    path: str
    error: Exception


class Indexed(NamedTuple):
    """The counts of an index: files, functions, and names that files use from elsewhere."""

    read: int
    """The files whose columns were read."""
    unchanged: int
    """The files whose names came from the index before."""
    copies: int
    """The files with the identity of another one, whose names count once."""
    functions: int
    """The functions."""
    without_content: int
    """Those that `clones` cannot compare: edges of the syntax tree of their graph were added or removed."""
    imports: int
    """The names that files use from elsewhere: `linked`, `ambiguous` and `unknown` together."""
    linked: int
    """Those with one definition in another file."""
    ambiguous: int
    """Those with several definitions, which are not linked."""
    unknown: int
    """Those without a definition in the corpus."""
    file_bytes: int
    """The length of the index in bytes."""
    failures: list[Failed]
    """The files that could not be read. Their names are missing."""


class Clone(NamedTuple):
    """A function that has the content of another one: its graph, source file, name, line and node."""

    graph: str
    file: str
    full_name: str
    line: int | None
    node: int


class CloneGroup(NamedTuple):
    """Functions with equal or similar content, and the number of lines of the longest."""

    lines: int
    functions: list[Clone]
    likeness: float
    """The least part of tokens that a function shares with the first one of the index: 1 for equal contents."""


def open_corpus(
    files: Path | Sequence[Path],
    *,
    checked: bool = False,
    memory: int | None = None,
    open_max: int = 64,
    strict: bool = False,
) -> Corpus:
    """Lists many graph files, which are opened when a question touches them.

    Parameters
    ----------
    files
        A folder, with all `.varvite` files below it; a pattern such as `corpus/**/*.varvite`; a file; or a sequence of
        the paths of files. A file with several names is listed once.
    checked
        Opens graphs as `varvite.open(path, checked=True)` does. Use it for files of strangers.
    memory
        The bytes of memory that all open graphs hold together; by default an eighth of what the process may use.
    open_max
        The number of graphs that stay open for the next question.
    strict
        Whether the first file that fails ends a question with its exception. Otherwise the other files are answered,
        and a `CorpusWarning` names those that failed.

    Returns
    -------
    Corpus
        The corpus, which is also a context manager. Ten thousand files take about 2 MB until they are touched.

    Raises
    ------
    IoError
        No file matches, the folder cannot be read, or, with `strict`, a folder below it.
    ArgumentError
        The pattern is invalid.
    """
    words = files if isinstance(files, (str, os.PathLike)) else list(files)
    return Corpus(_varvite.Corpus(words, checked=checked, memory=memory, open_max=open_max, strict=strict))


class Corpus:
    """Many graph files, in the order of their paths. Threads may share it.

    A question goes to all graphs, on all processors, and Python's lock is free meanwhile. Its rows begin with the path of
    their graph and come in the order of the files. A graph that lacks a name of the question has no rows; if every
    graph lacks it, the question raises `UnknownError`. A file that is missing or damaged is named in a `CorpusWarning`
    at the end.

    After `close`, every call raises `GraphClosedError`. A process that was forked opens the corpus again.

    Examples
    --------
    >>> with varvite.open_corpus("corpus") as corpus:
    ...     for row in corpus.find("METHOD", ["NAME", "LINE_NUMBER"], NAME="inflate"):
    ...         print(row["graph"], row["LINE_NUMBER"])
    """

    def __init__(self, native: _varvite.Corpus) -> None:
        self._native = native

    def close(self) -> None:
        """Closes the corpus, and its graphs that nothing else uses."""
        self._native.close()

    def __enter__(self) -> Corpus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether the corpus was closed."""
        return self._native.closed

    def __len__(self) -> int:
        return len(self._native)

    @property
    def paths(self) -> list[str]:
        """The paths of the files, in the order of answers."""
        return self._native.paths()

    @property
    def unreadable(self) -> list[Failed]:
        """The folders that could not be read, so that their files are missing."""
        return [Failed(path, IoError(f"cannot read the folder: {error}")) for path, error in self._native.unreadable()]

    @property
    def other_names(self) -> dict[str, str]:
        """The further names of files, which are left out, each with the name under which the file is listed."""
        return dict(self._native.other_names())

    @property
    def open_count(self) -> int:
        """The number of graphs that are open for the next question: at most `open_max`."""
        return self._native.open_count()

    def graph(self, path: str | int) -> Graph:
        """The graph of a file, which shares the memory of the corpus and stays open until it is closed itself.

        Parameters
        ----------
        path
            The path as in `paths` and in rows, or the number of the file.

        Raises
        ------
        KeyError
            The corpus has no file of this path.
        Error
            The file cannot be opened; `ReplacedError` if it is another one than at the first question.
        """
        if isinstance(path, int):
            return Graph(self._native.graph(range(len(self))[path]))
        try:
            return Graph(self._native.graph(self.paths.index(path)))
        except ValueError:
            raise KeyError(f"{path!r} is no path of this corpus: corpus.paths lists them") from None

    def ask(
        self,
        query: str,
        *,
        threads: int | None = None,
        memory: int | None = None,
        seconds: float | None = None,
        batch_rows: int | None = None,
    ) -> CorpusRows:
        """Asks all graphs a query in the language of Joern, such as `cpg.call("memcpy").size`.

        Parameters
        ----------
        query
            The query.
        threads
            The number of graphs that are asked at once; by default one for each processor.
        memory
            The memory in bytes for the question and for rows that wait; by default a quarter of the memory that the
            process may use. Open graphs are limited by that of `open_corpus`.
        seconds
            The time in seconds for all graphs; by default without limit.
        batch_rows
            The number of rows of a graph that are computed at a time.

        Returns
        -------
        CorpusRows
            A value, such as `.size`, is a row for each graph, in the column `value`.

        Raises
        ------
        PlanError
            The query is not understood; the message shows the place.
        """
        limits = limits_of(threads=threads, memory=memory, seconds=seconds, batch_rows=batch_rows)
        return CorpusRows(self, self._native.ask(query), limits)

    def find(
        self, label: str, columns: Sequence[KeyLike] = (), **conditions: PredicateLike
    ) -> CorpusRows:
        """Finds the nodes of a label in all graphs.

        Parameters
        ----------
        label
            The label of the nodes.
        columns
            The names of properties, or other keys, that rows have after `graph` and `node`.
        conditions
            Values or predicates of properties, all of which hold: `NAME=varvite.regex("mem(cpy|set)")`.

        Returns
        -------
        CorpusRows
            With the columns `graph`, `node` (the id in that graph) and `columns`. A graph without the label or one of
            the properties has no rows.
        """
        nodes = self.pipeline().nodes(label)
        for name, predicate in conditions.items():
            nodes = nodes.has(name, predicate)
        rows = nodes.columns(Key.itself().named("node"), *columns).run()
        assert isinstance(rows, CorpusRows)
        return rows

    def pipeline(self) -> Pipeline:
        """An empty pipeline of all graphs: begin with its methods `nodes` or `edges`."""
        return Pipeline(graph=self)

    def query(
        self,
        plan: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        threads: int | None = None,
        memory: int | None = None,
        seconds: float | None = None,
        batch_rows: int | None = None,
    ) -> CorpusRows:
        """Asks all graphs a plan in the form of JSON, which `docs/plan.md` describes.

        Parameters
        ----------
        plan, parameters
            Those of `Graph.query`.
        threads, memory, seconds, batch_rows
            The limits, as in `ask`.

        Raises
        ------
        PlanError, OverBudgetError
            A fault of the plan itself. A name that graphs lack is found when rows are read.
        """
        limits = limits_of(threads=threads, memory=memory, seconds=seconds, batch_rows=batch_rows)
        return self._rows(plan, limits, values_of(parameters or {}))

    def index(
        self,
        target: Path,
        *,
        threads: int | None = None,
        memory: int | None = None,
        progress: bool | Listener = True,
    ) -> Indexed:
        """Writes the names that the graphs define and use, with links between files, as a graph.

        If the target is an index already, only graphs that are new or changed are read. The index appears whole or not
        at all. `docs/guide/corpus.md` describes its nodes.

        Parameters
        ----------
        target
            The path of the index. It is not one of the graphs, even if it is in their folder.
        threads, memory
            The number of threads, and the memory in bytes for the names of all graphs.
        progress
            That of `import_`.

        Raises
        ------
        ArgumentError
            The target is another graph.
        OverBudgetError, BusyError, IoError
            The target is unchanged. With `strict`, it is unchanged too if a file fails, and its exception is raised.
        """
        with listener(progress) as told:
            counts, failed = self._native.index(target, limits_of(threads=threads, memory=memory), told)
        failures = [Failed(*each) for each in failed] + self.unreadable
        warn(failures, len(self), 3)
        return Indexed(**dict(counts), failures=failures)

    def __repr__(self) -> str:
        state = "closed corpus" if self.closed else f"corpus of {len(self):,} graphs:"
        return f"<{state} {self._native.name}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Corpus cannot be pickled: pickle its paths, and open them again with varvite.open_corpus")

    def _rows(self, plan: str, limits: Limits, values: Sequence[tuple[str, str]] = ()) -> CorpusRows:
        return CorpusRows(self, self._native.query(plan, limits, list(values)), limits)


class CorpusRows(Rows):
    """The rows of all graphs, computed each time that they are read.

    A row is a `dict`: `graph`, the path of the graph (`graph_file` if the rows have a column `graph`), and the columns
    of the question. Nodes are ids: `corpus.graph(row["graph"]).node(row["node"])`. An edge is a `dict` of `label`,
    `source`, `target` and `rank`. Each row has the columns of its graph.

    Rows can also be read as an Arrow stream: `pl.DataFrame(rows)`, `pyarrow.table(rows)`, `duckdb.sql("from rows")`. A
    stream has one list of columns: the first rows decide it. Columns that a later graph lacks are null there; those that
    it has beside them are left out, and a `CorpusWarning` names them. Whole numbers have 64 bits, nodes are uint32.

    Rows come by batches, and only some batches for each thread wait in memory. A reader that stops early, such as
    `first`, ends the question. Ctrl-C ends it within some hundredths of a second.
    """

    __slots__ = ("_corpus", "_files", "_question", "_run", "_unreadable")

    def __init__(self, corpus: Corpus, question: _varvite.CorpusQuestion, limits: Limits) -> None:
        self._corpus = corpus
        self._question = question
        self._limits = limits
        # The corpus may be closed before a stream ends.
        self._files, self._unreadable = len(corpus), corpus.unreadable
        self._run: _varvite.CorpusRun | None = None

    @property
    def failures(self) -> list[Failed]:
        """The files of the last reading that failed so far, with their exceptions, and the folders that could not be
        read. The answer lacks their rows."""
        found = [] if self._run is None else self._run.failures()
        return [Failed(*each) for each in found] + self._unreadable

    @property
    def without_rows(self) -> int:
        """The number of graphs of the last reading so far that lack a name of the question."""
        return 0 if self._run is None else self._run.lacking()[0]

    @property
    def columns(self) -> list[str]:
        """The names of the columns of the first row, for which the question runs; `["graph"]` if there is none."""
        first = self.first()
        return ["graph"] if first is None else list(first)

    def __iter__(self) -> Generator[dict[str, Any], None, None]:
        run = self._run = self._question.run(self._limits)
        try:
            while (rows := run.next()) is not None:
                yield from rows
        finally:
            run.close()
        self._warn(run, 4)

    def explain(self) -> NoReturn:
        """Raises: each graph has a plan of its own. Use `corpus.graph(path).query(..).explain()`."""
        raise TypeError("each graph has a plan of its own: explain that of one graph, corpus.graph(path)")

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        runs: list[_varvite.CorpusRun] = []
        self._run, stream = self._question.stream(self._limits, lambda: self._warn(runs[0], 3))
        runs.append(self._run)
        return stream

    def __repr__(self) -> str:
        return f"<rows of {self._corpus!r}>"

    def _repr_html_(self) -> str:
        from varvite.notebook import of_corpus_rows

        return of_corpus_rows(self)

    def _warn(self, run: _varvite.CorpusRun, stacklevel: int) -> None:
        """Warns of what a reading lacks."""
        files = self._files
        warn([Failed(*each) for each in run.failures()] + self._unreadable, files, stacklevel)
        lacking, reason = run.lacking()
        if lacking:
            message = f"{lacking:,} of {files:,} graphs have no rows: {reason}"
            warnings.warn(message, CorpusWarning, stacklevel=stacklevel - 1)
        if left_out := run.left_out():
            message = f"some graphs have columns that the first rows lack, and they are left out: {', '.join(left_out)}"
            warnings.warn(message, CorpusWarning, stacklevel=stacklevel - 1)


def clones(
    index: Path, *, lines_min: int = 5, near: float | None = None, memory: int | None = None
) -> list[CloneGroup]:
    """The functions of an index that have equal content in different places, those with most lines first.

    The content is the syntax tree: labels, names, the code of leaves, and their order. Layout, comments and the
    function's own name do not count. A `CorpusWarning` counts what was not compared.

    Parameters
    ----------
    index
        The path of an index, as `Corpus.index` writes it.
    lines_min
        The least number of lines.
    near
        The part from 0.5 to 1, such as 0.8, of its tokens that a function shares with the first one of its group. Names
        of variables and parameters are no tokens. By default only functions with equal content are listed.
    memory
        The memory in bytes: 24 bytes for each function of the index, with `near` about a kilobyte, and the texts of
        those that are in a group.

    Raises
    ------
    ArgumentError
        The graph is not an index, or one of another version; or `near` is out of its range.
    IoError, DamagedError, OverBudgetError
    """
    if near is not None and not 0.5 <= near <= 1:
        raise ArgumentError(f"near is {near}: it has to be from 0.5 to 1")
    found, (files, folders, functions) = _varvite.clones(index, lines_min, near, limits_of(memory=memory))
    if files or folders or functions:
        message = (
            f"not compared: {functions:,} functions whose syntax tree was changed, and those of {files:,} graphs and "
            f"{folders:,} folders that could not be read when the index was made"
        )
        warnings.warn(message, CorpusWarning, stacklevel=2)
    return [CloneGroup(lines, [Clone(*clone) for clone in group], likeness) for lines, likeness, group in found]


def warn(failures: Sequence[Failed], files: int, stacklevel: int) -> None:
    """Warns of files that failed, and names the first."""
    if not failures:
        return
    named = "; ".join(described(each) for each in failures[:NAMED])
    more = f"; and {len(failures) - NAMED:,} more" if len(failures) > NAMED else ""
    message = f"{len(failures):,} of {files:,} files failed, and the answer lacks their rows: {named}{more}"
    warnings.warn(message, CorpusWarning, stacklevel=stacklevel)


def described(failed: Failed) -> str:
    """The path and the reason in one line, without control characters: names of files may come from strangers."""
    text = str(failed.error)
    line = text if failed.path in text else f"{failed.path}: {text}"
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)


__all__ = ["Clone", "CloneGroup", "Corpus", "CorpusRows", "CorpusWarning", "Failed", "Indexed", "clones", "open_corpus"]
