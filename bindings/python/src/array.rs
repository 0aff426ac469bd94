//! [`Array`]: numbers in memory that NumPy reads in place.
//!
//! NumPy asks for `__array_interface__`, which has the address of the numbers, and keeps the array alive as
//! long as any view of it exists. The numbers are those of the mapped file if they are stored there as plain
//! numbers, otherwise a decoded copy. Nobody can write to either of them through NumPy.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use varvite_store::Pinned;

/// Read-only numbers in one piece of memory.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Array {
    held: Box<dyn Held>,
    /// The name of the type as NumPy writes it, such as `<i4`.
    #[pyo3(get)]
    dtype: &'static str,
    len: usize,
    /// Whether the numbers are bytes of the mapped file, and not a copy.
    #[pyo3(get)]
    is_view: bool,
}

/// Memory that neither moves nor changes.
trait Held: Send + Sync {
    fn start(&self) -> usize;
}

impl<T: Send + Sync> Held for Vec<T> {
    fn start(&self) -> usize {
        self.as_ptr().addr()
    }
}

impl Held for Pinned {
    fn start(&self) -> usize {
        self.as_ptr().addr()
    }
}

impl Array {
    /// Numbers of the machine's byte order in the bytes of a file. The width of `dtype` is that of a number.
    pub(crate) fn view(bytes: Pinned, dtype: &'static str, len: usize) -> Self {
        let is_view = bytes.is_mapped();
        Self { held: Box::new(bytes), dtype, len, is_view }
    }

    /// Decoded numbers.
    pub(crate) fn of<T: Send + Sync + 'static>(numbers: Vec<T>, dtype: &'static str) -> Self {
        let len = numbers.len();
        Self { held: Box::new(numbers), dtype, len, is_view: false }
    }

    /// Decoded ids or codes.
    pub(crate) fn of_u32(numbers: Vec<u32>) -> Self {
        Self::of(numbers, "<u4")
    }
}

#[pymethods]
impl Array {
    fn __len__(&self) -> usize {
        self.len
    }

    /// The description from which NumPy makes a view: type, shape, address, and that it is read-only.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", self.dtype)?;
        interface.set_item("shape", (self.len,))?;
        interface.set_item("data", (self.held.start(), true))?;
        Ok(interface)
    }
}
