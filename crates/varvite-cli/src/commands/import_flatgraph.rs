//! `varvite import` of a flatgraph file, such as Joern's `cpg.bin`.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value as Json;
use varvite::write::GraphChange;
use varvite_cpg::source::SourceOptions;
use varvite_import::{Import, ImportError, ImportReport};
use varvite_store::StagedFile;

use super::import_target::{Imported, Target};
use super::source::{add_to, remark_sources, source_fields, source_sentence};
use crate::failure::{Failure, Outcome};
use crate::output::remark;
use crate::progress::Progress;

/// Runs the import, and reports the result. If there is a folder of sources, the sources are part of the new
/// file when it gets its name.
pub(super) fn import(source: &Path, target: &Target<'_>) -> Outcome {
    match target.sources {
        None => import_by(source, target, |import| import.write_to(target.path)),
        Some(sources) => {
            let file = StagedFile::create(Arc::clone(&target.disk), target.path, target.if_exists)?;
            import_with(source, target, file, sources)
        }
    }
}

/// Imports into a file that was already created, and reports the result.
pub(super) fn import_into(source: &Path, target: &Target<'_>, file: StagedFile) -> Outcome {
    match target.sources {
        None => import_by(source, target, |import| import.write_into(file)),
        Some(sources) => import_with(source, target, file, sources),
    }
}

/// Imports the graph into the file under its temporary name, adds the sources, and then gives the file its
/// name.
fn import_with(source: &Path, target: &Target<'_>, file: StagedFile, sources: &Path) -> Outcome {
    let began = Instant::now();
    let report = written(source, target, |import| import.write_into(file.draft()))?;
    let options = SourceOptions { memory_bytes: target.task().memory_bytes(), ..SourceOptions::default() };
    let added = add_to(GraphChange::of(file.change())?, sources, &options)?;
    file.commit()?;
    remark_sources(&added, sources);
    let imported = Imported { file_len: added.file_len, ..numbers_of(source, &report, began) };
    remark(&format!("{}: {}", target.path.display(), source_sentence(&added)));
    let mut fields = fields_of(&report);
    fields.push(("sources", Json::from_iter(source_fields(&added))));
    target.report(&imported, fields)
}

fn import_by(
    source: &Path,
    target: &Target<'_>,
    write: impl FnOnce(&Import<'_>) -> Result<ImportReport, ImportError>,
) -> Outcome {
    let began = Instant::now();
    let report = written(source, target, write)?;
    target.report(&numbers_of(source, &report, began), fields_of(&report))
}

fn written(
    source: &Path,
    target: &Target<'_>,
    write: impl FnOnce(&Import<'_>) -> Result<ImportReport, ImportError>,
) -> Result<ImportReport, Failure> {
    let import = Import::new(source).profile(target.profile).codec(target.codec).expansion(target.expansion);
    let import = target.indexes.iter().fold(import, |import, name| import.index(name));
    let import = import.if_exists(target.if_exists);
    let bar = Progress::steps();
    let task = target.task().progress(|progress| bar.show(progress));
    Ok(write(&import.vfs(Arc::clone(&target.disk)).task(task))?)
}

fn numbers_of(source: &Path, report: &ImportReport, began: Instant) -> Imported {
    Imported {
        nodes: report.nodes,
        edges: report.edges,
        file_len: report.file_len,
        source_len: fs::metadata(source).map_or(0, |data| data.len()),
        seconds: began.elapsed().as_secs_f64(),
    }
}

fn fields_of(report: &ImportReport) -> Vec<(&'static str, Json)> {
    vec![("refs_to_deleted", report.refs_to_deleted.into())]
}
