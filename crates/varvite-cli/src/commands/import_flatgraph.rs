//! `varvite import` of a file of flatgraph, such as Joern's `cpg.bin`.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use varvite_import::Import;

use super::import_target::{Imported, Target};
use crate::failure::Outcome;
use crate::progress::Progress;

/// Imports, and says what came of it.
pub(super) fn import(source: &Path, target: &Target<'_>) -> Outcome {
    let import = Import::new(source).profile(target.profile).codec(target.codec);
    let import = target.indexes.iter().fold(import, |import, name| import.index(name));
    let import = import.if_exists(target.if_exists).threads(target.threads).memory_max(target.memory);
    let began = Instant::now();
    let report = {
        let bar = Progress::steps();
        import.vfs(Arc::clone(&target.disk)).progress(|progress| bar.show(progress)).write_to(target.path)?
    };
    let source_len = fs::metadata(source).map_or(0, |data| data.len());
    let imported = Imported {
        nodes: report.nodes,
        edges: report.edges,
        file_len: report.file_len,
        source_len,
        seconds: began.elapsed().as_secs_f64(),
    };
    target.report(&imported, vec![("refs_to_deleted", report.refs_to_deleted.into())])
}
