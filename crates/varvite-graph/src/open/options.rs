//! [`OpenOptions`]: the ways to open a graph.

use std::path::Path;

use varvite_store::vfs::RealVfs;
use varvite_store::{MemoryLimits, OpenMode, SharedBudget, Store, StoreOptions, Task, Vfs};

use crate::error::{GraphError, Result};
use crate::graph::Graph;

/// Options for opening a graph. [`Graph::open`] is the short form for a map of a trusted file.
///
/// ```no_run
/// # fn main() -> varvite::Result<()> {
/// // A file from a stranger: read into memory, every block checked, within 256 MiB.
/// let graph = varvite::OpenOptions::new().buffered().memory_max(256 << 20).open("code.varvite")?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "options open nothing by themselves"]
pub struct OpenOptions {
    mode: OpenMode,
    decoded_max: Option<u64>,
    mapped_max: Option<u64>,
    memory_max: Option<u64>,
    process_max: Option<u64>,
    budget: Option<SharedBudget>,
    verified: bool,
}

impl OpenOptions {
    /// A map of the file, and the usual limits ([`MemoryLimits`]).
    pub fn new() -> Self {
        Self::default()
    }

    /// Maps the file: fast, and nothing is copied. No program may truncate it while it is open.
    pub fn mapped(self) -> Self {
        self.mode(OpenMode::Mapped)
    }

    /// Maps the file, and checks each column when it is first touched: for files that may be damaged.
    pub fn checked(self) -> Self {
        self.mode(OpenMode::Checked)
    }

    /// Reads columns into private memory and checks every block on the way: for files from strangers, and for
    /// file systems on which a file may shrink while it is open.
    pub fn buffered(self) -> Self {
        self.mode(OpenMode::Buffered)
    }

    /// The residency of mapped pages, for programs that control it.
    pub fn mode(self, mode: OpenMode) -> Self {
        Self { mode, ..self }
    }

    /// Most bytes of decoded columns and texts that are kept for later readers. Columns that readers hold
    /// come first and may exceed it. 256 MiB by default; with [`OpenOptions::memory_max`] at most half of
    /// that, and with [`OpenOptions::process_max`] half of that for all graphs with such a limit together.
    /// Not used with an [`OpenOptions::budget`], which keeps half of it for all its graphs.
    pub fn decoded_max(self, bytes: u64) -> Self {
        Self { decoded_max: Some(bytes), ..self }
    }

    /// Most bytes of the map that are kept for later readers; pages beyond are offered to the system.
    pub fn mapped_max(self, bytes: u64) -> Self {
        Self { mapped_max: Some(bytes), ..self }
    }

    /// Most bytes of memory that the graph may hold beside its map ([`Graph::limit_memory`]). A call that
    /// would take more gets an error of the code `OVER_BUDGET`.
    pub fn memory_max(self, bytes: u64) -> Self {
        Self { memory_max: Some(bytes), ..self }
    }

    /// Most bytes that the process may have in memory while the graph is open, its private memory and pages
    /// of maps together ([`Graph::watch_memory`]): for programs whose memory is mostly graphs. With several
    /// open graphs the least limit holds for the process. Work beyond [`OpenOptions::memory_max`] fails,
    /// beyond this limit pages are given back. A limit below
    /// [`PROCESS_MIN`](crate::inspect::memory::PROCESS_MIN) can't be kept: the program alone takes more.
    pub fn process_max(self, bytes: u64) -> Self {
        Self { process_max: Some(bytes), ..self }
    }

    /// Lets the graph share memory with all others that are opened with the same budget. Decoded columns,
    /// kept results, tables and mapped pages of all of them count together: pages and buffers without a
    /// reader are given back, those of graphs that were used least recently first, and a call that needs more
    /// private memory than the budget has fails with the code `OVER_BUDGET`. The program's own memory does
    /// not count.
    ///
    /// ```no_run
    /// # fn main() -> varvite::Result<()> {
    /// use varvite::memory::SharedBudget;
    /// use varvite::OpenOptions;
    ///
    /// let budget = SharedBudget::new(256 << 20);
    /// let open = |path| OpenOptions::new().budget(&budget).open(path);
    /// let graphs = [open("client.varvite")?, open("server.varvite")?];
    /// println!("{} of {} bytes are held", budget.held(), budget.limit());
    /// # Ok(())
    /// # }
    /// ```
    pub fn budget(self, budget: &SharedBudget) -> Self {
        Self { budget: Some(budget.clone()), ..self }
    }

    /// Reads and checks the whole file before the call returns ([`Graph::verify`]), on all processors.
    pub fn verified(self) -> Self {
        Self { verified: true, ..self }
    }

    /// Opens the graph at `path`. Without [`OpenOptions::verified`] only its header and directory are read.
    ///
    /// # Errors
    /// [`GraphError::Store`] with the fault of the file, or if its tables have no room in the budget.
    /// [`GraphError::Unsound`] if the file was verified and is not sound.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Graph> {
        self.open_in(&RealVfs, path)
    }

    /// The same on any file system.
    ///
    /// # Errors
    /// As [`OpenOptions::open`].
    pub fn open_in(&self, vfs: &dyn Vfs, path: impl AsRef<Path>) -> Result<Graph> {
        let path = path.as_ref();
        // A graph that is to keep less gets buffers of its own.
        let keeps_less =
            self.decoded_max.is_some() || self.memory_max < self.process_max && self.memory_max.is_some();
        let process_max = self.process_max.filter(|_| !keeps_less);
        let options =
            StoreOptions { mode: self.mode, limits: self.limits(), budget: self.budget.clone(), process_max };
        let store = Store::open(vfs, path, options)?;
        if keeps_less {
            self.process_max.iter().for_each(|bytes| store.watch_memory(*bytes));
        }
        if let Some(bytes) = self.memory_max {
            store.limit_memory(bytes);
        }
        let graph = Graph::of_store(store)?;
        if self.verified {
            let problems = graph.verify(&Task::new())?.problems;
            if !problems.is_empty() {
                return Err(GraphError::Unsound { path: path.to_owned(), problems });
            }
        }
        Ok(graph)
    }

    fn limits(&self) -> MemoryLimits {
        let limits = self.memory_max.map_or_else(MemoryLimits::default, MemoryLimits::within);
        MemoryLimits {
            decoded_bytes_max: self.decoded_max.unwrap_or(limits.decoded_bytes_max),
            mapped_bytes_max: self.mapped_max.unwrap_or(limits.mapped_bytes_max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_memory_is_kept_unless_told_otherwise() {
        let kept = |options: OpenOptions| options.limits().decoded_bytes_max;
        assert_eq!(kept(OpenOptions::new()), 256 << 20);
        assert_eq!(kept(OpenOptions::new().memory_max(64 << 20)), 32 << 20);
        assert_eq!(kept(OpenOptions::new().decoded_max(5).memory_max(64 << 20)), 5);
        assert_eq!(OpenOptions::new().mapped_max(7).limits().mapped_bytes_max, 7);
    }
}
