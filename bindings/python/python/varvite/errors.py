"""The exceptions of Varvite: one class for each number of `docs/errors.md`, all below `Error`.

A class has the number as `code` and the name as `name`. Some classes are also those of Python for the same mistake, so
that `except MemoryError` catches `OverBudgetError`. The classes between the marks are generated from the engine's table.
"""

from __future__ import annotations


class Error(Exception):
    """An error of Varvite. The message says what failed, where, and what to do."""

    code: int = 0
    name: str = ""


# <errors> from the table in crates/varvite-format/src/faults/error_code.rs


class InternalError(Error):
    """A bug of Varvite: please report it with the message."""

    code = -1
    name = "INTERNAL"


class ArgumentError(Error, ValueError):
    """An argument is invalid: a null pointer, a number without a meaning, or text that is not UTF-8."""

    code = -2
    name = "ARGUMENT"


class HandleError(Error):
    """A handle is not valid: it was released, no function returned it, or it is of another kind."""

    code = -3
    name = "HANDLE"


class TooSmallError(Error):
    """The caller's buffer is too small: the function copied at most a part of the result, and returned the needed
    size."""

    code = -4
    name = "TOO_SMALL"


class IoError(Error, OSError):
    """The operating system refused or failed an operation on a file."""

    code = -10
    name = "IO"


class NotAFileError(Error):
    """The path names a folder, device or pipe, not a regular file."""

    code = -11
    name = "NOT_A_FILE"


class TruncatedError(Error):
    """The file ends before the bytes that a read needs."""

    code = -12
    name = "TRUNCATED"


class ExistsError(Error, FileExistsError):
    """The new file exists already, and the caller did not request its replacement."""

    code = -13
    name = "EXISTS"


class BusyError(Error):
    """Another writer has the file locked, under this name or another."""

    code = -14
    name = "BUSY"


class PoisonedError(Error):
    """An earlier write failed, so the writer or log accepts no more work."""

    code = -15
    name = "POISONED"


class NotDurableError(Error):
    """The file is written and in place, but may be lost if power fails."""

    code = -16
    name = "NOT_DURABLE"


class OutOfMemoryError(Error, MemoryError):
    """The operating system gave no memory for a buffer."""

    code = -17
    name = "OUT_OF_MEMORY"


class ReplacedError(Error):
    """Another program replaced or changed a file while Varvite was changing it."""

    code = -18
    name = "REPLACED"


class NoLocksError(Error):
    """The file system has no locks, so Varvite writes nothing there."""

    code = -19
    name = "NO_LOCKS"


class NotVarviteError(Error):
    """The file is not a Varvite graph."""

    code = -20
    name = "NOT_VARVITE"


class NewerFormatError(Error):
    """A newer Varvite wrote the file."""

    code = -21
    name = "NEWER_FORMAT"


class UnknownFeatureError(Error):
    """The file needs a feature that this Varvite does not have."""

    code = -22
    name = "UNKNOWN_FEATURE"


class DamagedError(Error):
    """Bytes of a graph file contradict the format or their checksum."""

    code = -23
    name = "DAMAGED"


class TooLargeError(Error):
    """The graph, or one of its parts, is larger than a file can hold."""

    code = -24
    name = "TOO_LARGE"


class UnknownError(Error, LookupError, AttributeError):
    """The graph has no label, edge label or property of this name or number."""

    code = -30
    name = "UNKNOWN"


class NoSuchNodeError(Error, IndexError):
    """The graph has no node with this id."""

    code = -31
    name = "NO_SUCH_NODE"


class WrongTypeError(Error, TypeError):
    """The caller read a property as a type that it does not have."""

    code = -32
    name = "WRONG_TYPE"


class PropertyIndexError(Error):
    """A property that should get an index has one already, or a property that should lose its index has none."""

    code = -33
    name = "INDEX"


class PlanError(Error):
    """The plan of a pipeline or the description of a walk is invalid, or a part of it is."""

    code = -34
    name = "PLAN"


class OverBudgetError(Error, MemoryError):
    """A query, an import, a diff or other work on a whole graph needs more memory than its budget."""

    code = -35
    name = "OVER_BUDGET"


class CancelledError(Error):
    """The caller cancelled a query."""

    code = -36
    name = "CANCELLED"


class ForeignError(Error):
    """A foreign file has another format than expected, is damaged, or passes a limit."""

    code = -40
    name = "FOREIGN"


class TraceClosedError(Error):
    """The trace accepts no more records: the caller finished it, or an earlier write failed."""

    code = -50
    name = "TRACE_CLOSED"


class RecordLengthError(Error):
    """A record has another length than the records of the trace."""

    code = -51
    name = "RECORD_LENGTH"


class TimeBackwardsError(Error):
    """The time of a record is before that of an earlier record of its thread."""

    code = -52
    name = "TIME_BACKWARDS"


class ThreadTakenError(Error):
    """The thread already has a stream in this trace."""

    code = -53
    name = "THREAD_TAKEN"


# </errors>


class GraphClosedError(HandleError):
    """The graph was closed, or this process is a fork of the one that opened it."""


BY_CODE: dict[int, type[Error]] = {error.code: error for error in Error.__subclasses__()}
