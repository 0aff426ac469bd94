//! [`SourceFiles`]: the FILEs whose text the graph has, by their names.

use std::collections::HashMap;

use varvite::Graph;
use varvite::error::optional;
use varvite_cpg::source::Sources;
use varvite_show::Beginning;

use crate::fault::Result;
use crate::limits::Work;

/// The longest name of a file in bytes. Files with longer ones are not found.
const NAME_BYTES_MAX: usize = 4096;
/// The memory of an entry beside its name.
const ENTRY_BYTES: usize = 64;

/// FILEs by name: the first one of each name.
pub(super) struct SourceFiles(HashMap<String, u32>);

impl SourceFiles {
    /// Reads the names of all FILEs once: a path may have thousands of steps, and a program as many files.
    pub(super) fn of(graph: &Graph, sources: &Sources<'_>, work: &Work) -> Result<Self> {
        let (mut files, budget) = (HashMap::new(), work.budget());
        let columns = optional(graph.nodes("FILE"))?.zip(optional(graph.property("NAME"))?);
        let Some((nodes, names)) = columns else { return Ok(Self(files)) };
        for file in work.watch(nodes.iter()) {
            let file = file?;
            if let Some(name) =
                Beginning::whole(&names, file, NAME_BYTES_MAX).filter(|_| sources.has_text(file))
            {
                budget.take(ENTRY_BYTES + name.len())?;
                files.entry(name).or_insert(file);
            }
        }
        Ok(Self(files))
    }

    /// The FILE of a name, if the graph has its text.
    pub(super) fn named(&self, name: &str) -> Option<u32> {
        self.0.get(name).copied()
    }
}
