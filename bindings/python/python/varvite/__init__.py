"""Open a graph file, and ask it questions in place.

A graph is one flat file. `open` reads its directory only, so it takes about a millisecond; a column is mapped or
decoded when it is first used.

>>> import varvite
>>> with varvite.open("zlib.varvite") as graph:
...     for method in graph.pipeline().nodes("METHOD").has("NAME", "inflate"):
...         print(method.FULL_NAME, method.LINE_NUMBER)
"""

from varvite._varvite import Array
from varvite.errors import (
    Error,
    GraphClosedError,
    # <errors> imported, from the table in crates/varvite-format/src/faults/error_code.rs
    InternalError,
    ArgumentError,
    HandleError,
    TooSmallError,
    IoError,
    NotAFileError,
    TruncatedError,
    ExistsError,
    BusyError,
    PoisonedError,
    NotDurableError,
    OutOfMemoryError,
    ReplacedError,
    NoLocksError,
    NotVarviteError,
    NewerFormatError,
    UnknownFeatureError,
    DamagedError,
    TooLargeError,
    UnknownError,
    NoSuchNodeError,
    WrongTypeError,
    PropertyIndexError,
    PlanError,
    OverBudgetError,
    CancelledError,
    ForeignError,
    TraceClosedError,
    RecordLengthError,
    TimeBackwardsError,
    ThreadTakenError,
    # </errors>
)
from varvite.columns import Column
from varvite.corpus import (
    Clone,
    CloneGroup,
    Corpus,
    CorpusRows,
    CorpusWarning,
    Failed,
    Indexed,
    clones,
    open_corpus,
)
from varvite.files import Imported, apply, import_, index
from varvite.functions import FunctionBatch, Functions
from varvite.graph import Graph
from varvite.keys import (
    Key,
    Predicate,
    Summary,
    between,
    contains,
    eq,
    gt,
    gte,
    inside,
    lt,
    lte,
    ne,
    none_of,
    one_of,
    outside,
    prefix,
    regex,
    suffix,
)
from varvite.node import Edge, Neighbours, Node
from varvite.nodes import Nodes
from varvite.opening import open
from varvite.pipeline import Pipeline, Repeat, it
from varvite.profiles import FlameGraph, add_profile, add_trace, flame_graph
from varvite.rows import Rows
from varvite.subgraphs import Subgraph
from varvite.tables import EdgeTable, NodeTable
from varvite.walks import Visit, Visits, Way

__all__ = [
    "Array",
    "Clone",
    "CloneGroup",
    "Column",
    "Corpus",
    "CorpusRows",
    "CorpusWarning",
    "Edge",
    "EdgeTable",
    "Error",
    "Failed",
    "FlameGraph",
    "FunctionBatch",
    "Functions",
    "Graph",
    "Imported",
    "Indexed",
    "GraphClosedError",
    "Key",
    "Neighbours",
    "Node",
    "NodeTable",
    "Nodes",
    "Pipeline",
    "Predicate",
    "Repeat",
    "Rows",
    "Subgraph",
    "Summary",
    "Visit",
    "Visits",
    "Way",
    "add_profile",
    "add_trace",
    "apply",
    "between",
    "clones",
    "contains",
    "eq",
    "flame_graph",
    "gt",
    "gte",
    "import_",
    "index",
    "inside",
    "it",
    "lt",
    "lte",
    "ne",
    "none_of",
    "one_of",
    "open",
    "open_corpus",
    "outside",
    "prefix",
    "regex",
    "suffix",
    # <errors> exported, from the table in crates/varvite-format/src/faults/error_code.rs
    "InternalError",
    "ArgumentError",
    "HandleError",
    "TooSmallError",
    "IoError",
    "NotAFileError",
    "TruncatedError",
    "ExistsError",
    "BusyError",
    "PoisonedError",
    "NotDurableError",
    "OutOfMemoryError",
    "ReplacedError",
    "NoLocksError",
    "NotVarviteError",
    "NewerFormatError",
    "UnknownFeatureError",
    "DamagedError",
    "TooLargeError",
    "UnknownError",
    "NoSuchNodeError",
    "WrongTypeError",
    "PropertyIndexError",
    "PlanError",
    "OverBudgetError",
    "CancelledError",
    "ForeignError",
    "TraceClosedError",
    "RecordLengthError",
    "TimeBackwardsError",
    "ThreadTakenError",
    # </errors>
]
