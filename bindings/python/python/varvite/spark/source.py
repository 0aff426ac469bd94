"""The data source that Spark calls: it plans reads on the driver, and reads parts in tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

import varvite
from varvite.relational.conditions import Condition, Unknown
from varvite.spark.columns import (
    CORRUPT,
    DIGEST,
    FILE,
    Columns,
    SchemaError,
    arrow_columns,
    conform,
    merge,
    spark_schema,
)
from varvite.spark.faults import FileError, of_path
from varvite.spark.files import GraphFile, check_copy, list_files, open_file
from varvite.spark.filters import NOTHING, push
from varvite.spark.options import ReadOptions, nearest, read_options
from varvite.spark.tables import (
    EDGE_IDS,
    NODE_IDS,
    Content,
    NoSuchTable,
    Range,
    batches,
    content_of,
    named_table,
    own_ids,
)

OWN = {FILE: pyarrow.string(), DIGEST: pyarrow.string()}
"""The columns that each read has, beside those of the table."""

FAULTS = (varvite.Error, FileError, SchemaError, OSError, MemoryError, LookupError, pyarrow.ArrowException)
"""What a file of a stranger can cause, and only its own rows are lost."""


class VarviteSource(DataSource):
    """The format `varvite`."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        self.read = read_options(options)
        self.files = list_files(self.read.paths, self.read.access)

    @classmethod
    def name(cls) -> str:
        """The name of the format."""
        return "varvite"

    def schema(self) -> StructType:
        """The columns of all files. A query is looked at in the first file that it fits."""
        found = self._columns()
        if self.read.columns is not None:
            unknown = [name for name in self.read.columns if name not in found and name not in OWN]
            if unknown:
                known = nearest(unknown[0], [*found, *OWN])
                raise SchemaError(f'there is no column "{unknown[0]}"; the nearest is "{known}"')
            all_columns = found | OWN
            chosen = {name: all_columns[name] for name in self.read.columns}
        else:
            chosen = found | OWN
        return spark_schema(chosen | {CORRUPT: pyarrow.string()} if self.read.is_permissive else chosen)

    def _columns(self) -> Columns:
        columns: Columns = {}
        first: tuple[GraphFile, Columns] | None = None
        missing: Exception | None = None
        for file in self.files:
            try:
                own = content_of(open_file(file.path, None, self.read.access), self.read).columns
            except NoSuchTable as error:
                missing = missing or error
                own = {}
            except FAULTS as error:
                if not self.read.is_permissive:
                    raise FileError(of_path(file.path, error)) from None
                missing = missing or FileError(of_path(file.path, error))
                continue
            if self.read.is_strict:
                first = first or (file, own)
                refuse_other(first, file, own)
            merge_of(file, columns, own, self.read.columns)
            if columns and self.read.is_query:
                break
        if not columns:
            raise missing or FileError("there are no files")
        return columns

    def reader(self, schema: StructType) -> DataSourceReader:
        """The reader of the rows."""
        return VarviteReader(self.read, self.files, arrow_columns(schema))


def merge_of(file: GraphFile, columns: Columns, own: Columns, chosen: Sequence[str] | None) -> None:
    """Adds the columns of a file. Those that are not chosen may have any types."""
    try:
        merge(columns, own, chosen)
    except SchemaError as error:
        raise SchemaError(of_path(file.path, error)) from None


def refuse_other(first: tuple[GraphFile, Columns], file: GraphFile, own: Columns) -> None:
    """Refuses a file whose columns are not those of the first."""
    (known, columns) = first
    for name in [*columns, *own]:
        one, other = columns.get(name), own.get(name)
        if one != other:
            found = "is missing" if other is None else f"is {other}"
            expected = "has no such column" if one is None else f"has {one}"
            raise SchemaError(f"{file.path}: the column {name} {found}, and {known.path} {expected}: schema is strict")


class PartOfFile(NamedTuple):
    """What a task reads: the rows of a range of nodes, or all rows; or the fault that planning met."""

    file: GraphFile
    identity: str | None
    condition: Condition
    nodes: Range | None
    fault: str | None = None


class VarviteReader(DataSourceReader):
    """Reads the rows of files, part by part."""

    def __init__(self, options: ReadOptions, files: list[GraphFile], columns: Columns) -> None:
        self.options = options
        self.files = files
        self.columns = columns
        self.pushed = NOTHING

    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:
        """Takes the filters that the graphs can use. Spark still applies all of them: a graph may keep more rows."""
        pushed = push(filters)
        self.pushed = NOTHING._replace(files=pushed.files) if self.options.is_query else pushed
        return filters

    def partitions(self) -> Sequence[InputPartition]:
        """A part for each file, and several for a file with many nodes that is read as a whole."""
        files = filter(self.pushed.has_file, self.files)
        return [InputPartition(part) for file in files for part in self._parts(file)]

    def _parts(self, file: GraphFile) -> list[PartOfFile]:
        whole = PartOfFile(file, None, Unknown(), None)
        try:
            condition = self.pushed.of_file(file, self._ids(file))
            if condition is None:
                return []
            graph = open_file(file.path, None, self.options.access)
            whole = whole._replace(identity=graph.identity, condition=condition)
            is_whole = self.options.is_query or not isinstance(condition, Unknown)
            if is_whole or not content_of(graph, self.options).is_divisible:
                return [whole]
        except NoSuchTable:
            return []
        except FAULTS as error:
            if not self.options.is_permissive:
                raise FileError(of_path(file.path, error)) from None
            return [whole._replace(fault=of_path(file.path, error))]
        limit, step = graph.id_limit, self.options.nodes
        return [whole._replace(nodes=(start, min(start + step, limit))) for start in range(0, limit, step)]

    def _ids(self, file: GraphFile) -> tuple[str, ...]:
        """The columns with ids of all files in the table of a file, which is opened only if the name does not tell."""
        name = self.options.table.lower()
        if name.startswith("edges_") and self.pushed.tests:
            # A label of nodes may begin so too.
            graph = open_file(file.path, None, self.options.access)
            return own_ids(named_table(graph, self.options.table))
        return EDGE_IDS if name == "edges" else NODE_IDS

    def read(self, partition: Any) -> Iterator[Any]:
        """The batches of a part. Spark calls this without a part if there are none."""
        if partition is None:
            return
        part: PartOfFile = partition.value
        try:
            if part.fault is not None:
                raise FileError(part.fault)
            graph = open_file(part.file.path, part.identity, self.options.access)
            yield from self._rows(graph, part)
        except NoSuchTable:
            # Planning does not look at the tables of a file whose rows are filtered.
            return
        except FAULTS as error:
            if isinstance(error, (varvite.Error, OSError, pyarrow.ArrowException)):
                check_copy(part.file.path, self.options.access)
            text = of_path(part.file.path, error)
            if not self.options.is_permissive:
                raise FileError(text) from None
            yield self._corrupt(part.file, text)

    def _rows(self, graph: varvite.Graph, part: PartOfFile) -> Iterator[Any]:
        content = content_of(graph, self.options)
        names = [name for name in self.columns if name in content.columns]
        of_table = names or list(content.columns)[:1]
        for batch in batches(content, of_table, part.condition, part.nodes):
            yield self._batch(batch, content, part.file, graph.identity)

    def _batch(self, batch: Any, content: Content, file: GraphFile, identity: str) -> Any:
        own = {FILE: file.path, DIGEST: identity}
        arrays = []
        for name, data_type in self.columns.items():
            if name in content.columns:
                number = file.number if name in content.ids else None
                arrays.append(conform(batch.column(name), data_type, number))
            elif name in own:
                arrays.append(pyarrow.repeat(pyarrow.scalar(own[name], data_type), batch.num_rows))
            else:
                arrays.append(pyarrow.nulls(batch.num_rows, data_type))
        return pyarrow.RecordBatch.from_arrays(arrays, list(self.columns))

    def _corrupt(self, file: GraphFile, text: str) -> Any:
        """A row that says which file could not be read, and why."""
        own = {FILE: file.path, CORRUPT: text}
        cells = {name: pyarrow.array([own.get(name)], kind) for name, kind in self.columns.items()}
        return pyarrow.RecordBatch.from_pydict(cells)
