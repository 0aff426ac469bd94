//! `varvite import` of a flatgraph file, such as Joern's `cpg.bin`.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use varvite_import::{Import, ImportError, ImportReport};
use varvite_store::StagedFile;

use super::import_target::{Imported, Target};
use crate::failure::Outcome;
use crate::progress::Progress;

/// Runs the import, and reports the result.
pub(super) fn import(source: &Path, target: &Target<'_>) -> Outcome {
    import_by(source, target, |import| import.write_to(target.path))
}

/// Imports into a file that was already created, and reports the result.
pub(super) fn import_into(source: &Path, target: &Target<'_>, file: StagedFile) -> Outcome {
    import_by(source, target, |import| import.write_into(file))
}

fn import_by(
    source: &Path,
    target: &Target<'_>,
    write: impl FnOnce(&Import<'_>) -> Result<ImportReport, ImportError>,
) -> Outcome {
    let import = Import::new(source).profile(target.profile).codec(target.codec).expansion(target.expansion);
    let import = target.indexes.iter().fold(import, |import, name| import.index(name));
    let import = import.if_exists(target.if_exists);
    let began = Instant::now();
    let report = {
        let bar = Progress::steps();
        write(
            &import.vfs(Arc::clone(&target.disk)).task(target.task().progress(|progress| bar.show(progress))),
        )?
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
