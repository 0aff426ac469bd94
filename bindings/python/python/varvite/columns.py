"""Whole columns for NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, overload

from varvite import _varvite
from varvite.errors import ArgumentError, GraphClosedError, WrongTypeError

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    _Out = TypeVar("_Out", bound=numpy.typing.NDArray[Any])


class Column:
    """The values of a property, in the order of their owners.

    An owner is a node's id, or an edge's rank among the edges of its label. Owners without a value are not in the
    column; `owners` has the others, ascending.

    Examples
    --------
    >>> lines = graph.column("LINE_NUMBER")
    >>> int(lines.to_numpy().max())
    4211
    >>> names = graph.column("NAME")
    >>> names.texts()[names.to_numpy()[0]]
    'main'
    """

    __slots__ = ("_native",)

    def __init__(self, native: _varvite.Column) -> None:
        self._native = native

    @property
    def value_type(self) -> str:
        """The type of the values in the schema: `i32`, `string`, and so on."""
        return self._native.value_type

    @property
    def is_list(self) -> bool:
        """Whether an owner may have several values: `offsets` then tells which."""
        return self._native.is_list

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def values(self, *, stored: bool = False, out: None = None) -> _varvite.Array: ...

    @overload
    def values(self, *, stored: bool = False, out: _Out) -> _Out: ...

    def values(self, *, stored: bool = False, out: _Out | None = None) -> _varvite.Array | _Out:
        """The values as an array that NumPy can show (`numpy.asarray`), without NumPy.

        `is_view` of the array says whether it shows the mapped file. Otherwise the call decodes the column once.

        Parameters
        ----------
        stored, out
            Those of `to_numpy`.

        Returns
        -------
        Array or numpy.ndarray
            Of shape (len(self),) and of the type of the schema; `out` if it is given.

        Raises
        ------
        GraphClosedError, WrongTypeError, ArgumentError
        """
        return self._native.values(stored) if out is None else self._fill(out)

    def to_numpy(self, out: _Out | None = None, *, stored: bool = False) -> numpy.typing.NDArray[Any]:
        """The values as a NumPy array of one dimension, which cannot be written to. Needs NumPy.

        The type is that of the schema. Texts and bytes are uint32 codes into `texts`, references are uint32 ids.
        The array shows the mapped file without a copy if the values are stored as plain numbers of this type, as in
        files of the profile `direct`; otherwise the call decodes the column once, at some 300 million values a second.

        Parameters
        ----------
        out
            An array to fill, of the same length, in one piece of memory. Its type has to hold the values without loss
            (`numpy.can_cast`). The call decodes some thousands of values at a time, without another array of this
            length. Ctrl-C leaves the array filled in part.
        stored
            Also shows plain numbers of a smaller type than that of the schema, such as int16 for the lines of small
            files: then the type depends on the file.

        Returns
        -------
        numpy.ndarray
            Of shape (len(self),) and the type of the schema, such as int32; `out` if it is given.

        Raises
        ------
        GraphClosedError
            The graph was closed. Arrays that were made before stay as they are.
        WrongTypeError
            `out` is no NumPy array, or its type does not hold the values.
        ArgumentError
            `out` has another shape, is not in one piece of memory, or cannot be written to.
        """
        import numpy

        return numpy.asarray(self._native.values(stored)) if out is None else self._fill(out)

    def _fill(self, out: _Out) -> _Out:
        """Copies a view of the file, or decodes the column part by part, to an array of the caller."""
        import numpy

        check_out(out, len(self), numpy.dtype(self._native.dtype))
        filled = next = 0
        while (part := self._native.part(next)) is not None:
            array, next = part
            out[filled : filled + len(array)] = numpy.asarray(array)
            filled += len(array)
        return out

    def owners(self) -> numpy.typing.NDArray[numpy.uint32]:
        """The owners that have a value, ascending: ids of nodes, or ranks of edges. Needs NumPy.

        Returns
        -------
        numpy.ndarray
            Of type uint32, and of shape (len(self),); for a property of lists, with one entry for each list. Each call
            makes it anew.

        Raises
        ------
        GraphClosedError, DamagedError
        """
        import numpy

        return numpy.asarray(self._native.owners())

    def offsets(self) -> numpy.typing.NDArray[numpy.int64]:
        """For a property of lists, the start of each owner's values, and the end of the last. Needs NumPy.

        Returns
        -------
        numpy.ndarray
            Of type int64 and shape (owners + 1,).

        Raises
        ------
        GraphClosedError, DamagedError
        """
        import numpy

        return numpy.asarray(self._native.offsets())

    def texts(self) -> list[Any]:
        """The texts that codes stand for, as `str`, or as `bytes` for a property of bytes. The code after the last is null.

        The call decodes all texts of the property, and makes an object for each.

        Raises
        ------
        GraphClosedError, DamagedError
        """
        return self._native.texts()

    def __repr__(self) -> str:
        try:
            return f"<column of {len(self):,} values {self.value_type}>"
        except GraphClosedError:
            return f"<column of values {self.value_type} of a closed graph>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Column cannot be pickled: pickle a copy of its array")


def check_out(out: Any, length: int, dtype: numpy.dtype[Any]) -> None:
    """Raises an error if `out` cannot take `length` values of a type."""
    import numpy

    if not isinstance(out, numpy.ndarray):
        raise WrongTypeError(f"out is {type(out).__name__}, expected a numpy.ndarray")
    if not numpy.can_cast(dtype, out.dtype, "safe"):
        raise WrongTypeError(f"out has the type {out.dtype}, which does not hold {dtype}")
    if out.shape != (length,):
        raise ArgumentError(f"out has the shape {out.shape}, expected ({length},)")
    if not out.flags.c_contiguous:
        raise ArgumentError("out is not in one piece of memory: pass an array without steps")
    if not out.flags.writeable:
        raise ArgumentError("out cannot be written to")
