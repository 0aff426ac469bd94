//! [`OpenOptions`]: options for opening a graph.

use std::path::Path;

use varvite_store::vfs::RealVfs;
use varvite_store::{MemoryLimits, OpenMode, SharedBudget, Store, StoreOptions, Task, Vfs};

use crate::error::{GraphError, Result};
use crate::graph::Graph;

/// Options for opening a graph. [`Graph::open`] maps a trusted file with the default options.
///
/// ```no_run
/// # fn main() -> varvite::Result<()> {
/// // A file from an untrusted source: read into memory, every block checked, within 256 MiB.
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
    /// The default options: the file is mapped, with the default [`MemoryLimits`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Maps the file, which is fast and copies nothing. No program may truncate the file while the graph is
    /// open.
    pub fn mapped(self) -> Self {
        self.mode(OpenMode::Mapped)
    }

    /// Maps the file, and checks the blocks of each column when the column is first used. Use this mode for
    /// files that may be damaged.
    pub fn checked(self) -> Self {
        self.mode(OpenMode::Checked)
    }

    /// Reads columns into private memory, and checks every block when it is read. Use this mode for files
    /// from untrusted sources, and if another program may truncate the file while the graph is open.
    pub fn buffered(self) -> Self {
        self.mode(OpenMode::Buffered)
    }

    /// Sets the mode: mapped, checked or buffered.
    pub fn mode(self, mode: OpenMode) -> Self {
        Self { mode, ..self }
    }

    /// Limits the bytes of decoded columns and texts that are kept for later readers. Columns that readers
    /// hold now also count towards the limit; they are never released, so they may exceed it. The default is
    /// 256 MiB. With [`OpenOptions::memory_max`] the default is at most half of that limit. With
    /// [`OpenOptions::process_max`], the default is half of that limit, shared by all graphs that have such a
    /// limit. This option has no effect with [`OpenOptions::budget`]: a shared budget keeps up to half of its
    /// bytes for the decoded columns and texts of all its graphs.
    pub fn decoded_max(self, bytes: u64) -> Self {
        Self { decoded_max: Some(bytes), ..self }
    }

    /// Limits the bytes of the mapped file that are kept in memory for later readers. The operating system
    /// may take back the memory of pages beyond the limit.
    pub fn mapped_max(self, bytes: u64) -> Self {
        Self { mapped_max: Some(bytes), ..self }
    }

    /// Limits the bytes of memory that the graph may hold beside the mapped file ([`Graph::limit_memory`]). A
    /// call that needs more fails with the code `OVER_BUDGET`.
    pub fn memory_max(self, bytes: u64) -> Self {
        Self { memory_max: Some(bytes), ..self }
    }

    /// Limits the bytes that the process has in memory while the graph is open: its private memory and mapped
    /// pages together ([`Graph::watch_memory`]). Use this limit for programs that use most of their memory
    /// for graphs. With several open graphs, the smallest limit applies to the process. Unlike
    /// [`OpenOptions::memory_max`], this limit makes no call fail; near the limit, pages are released. A
    /// limit below [`PROCESS_MIN`](crate::inspect::memory::PROCESS_MIN) cannot be met, because the program
    /// takes more even without a graph.
    pub fn process_max(self, bytes: u64) -> Self {
        Self { process_max: Some(bytes), ..self }
    }

    /// Lets the graph share one memory budget with all other graphs that are opened with the same budget.
    /// Decoded columns, cached results, tables and mapped pages of all these graphs are counted together. To
    /// stay within the budget, pages and buffers without a reader are released, beginning with those of the
    /// graphs that were used least recently. If a call needs more private memory than the budget has, the
    /// call fails with the code `OVER_BUDGET`. The program's own memory is not counted.
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

    /// Opens the graph at `path`. Reads only the header and the directory of the file, unless
    /// [`OpenOptions::verified`] was called.
    ///
    /// # Errors
    /// [`GraphError::Store`] for a fault in the file, or if the tables of the graph exceed the budget.
    /// [`GraphError::Unsound`] if the file was verified and damage or a contradiction was found.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Graph> {
        self.open_in(&RealVfs, path)
    }

    /// The same as [`OpenOptions::open`], in a given file system.
    ///
    /// # Errors
    /// The errors of [`OpenOptions::open`].
    pub fn open_in(&self, vfs: &dyn Vfs, path: impl AsRef<Path>) -> Result<Graph> {
        let path = path.as_ref();
        // A graph with a smaller limit of its own does not share buffers with other graphs that have a
        // process limit.
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
