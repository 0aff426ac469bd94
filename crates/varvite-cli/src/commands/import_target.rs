//! What the imports of all foreign graphs have in common: the new file, and the words about it.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;
use varvite::{Codec, IfExists, Profile};
use varvite_store::Vfs;

use crate::failure::{Outcome, reported};
use crate::output::{Format, Summary, counted, megabytes};

/// The new file of an import.
pub(super) struct Target<'a> {
    pub(super) path: &'a Path,
    pub(super) profile: Profile,
    pub(super) codec: Codec,
    pub(super) indexes: &'a [String],
    /// The edge label in whose pre-order nodes get their ids.
    pub(super) tree: Option<&'a str>,
    pub(super) memory: usize,
    pub(super) if_exists: IfExists,
    pub(super) disk: Arc<dyn Vfs>,
    pub(super) threads: usize,
    /// How is shown what came of it.
    pub(super) report: Format,
}

/// What an import did.
pub(super) struct Imported {
    pub(super) nodes: u32,
    pub(super) edges: u64,
    pub(super) file_len: u64,
    pub(super) source_len: u64,
    pub(super) seconds: f64,
}

impl Target<'_> {
    /// Says what came of an import; `others` are fields of one format alone.
    pub(super) fn report(&self, imported: &Imported, others: Vec<(&'static str, Json)>) -> Outcome {
        let Imported { nodes, edges, file_len, source_len, seconds } = *imported;
        let sentence = format!(
            "{}: {}, {}, {} ({} in the source), {seconds:.2} s",
            self.path.display(),
            counted(nodes.into(), "node"),
            counted(edges, "edge"),
            megabytes(file_len),
            megabytes(source_len),
        );
        let fields = vec![
            ("file", self.path.to_string_lossy().into()),
            ("nodes", nodes.into()),
            ("edges", edges.into()),
            ("source_bytes", source_len.into()),
            ("file_bytes", file_len.into()),
        ];
        let fields = fields.into_iter().chain(others).chain([("seconds", seconds.into())]).collect();
        reported(self.path, Summary { sentence, fields }.write(self.report))
    }
}
