//! `varvite import --into`: adds a trace as a layer to an existing graph.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use serde_json::{Value as Json, json};
use varvite::Task;
use varvite_memtrace::code::FileBinaries;
use varvite_memtrace::layer::{self, Reason, TraceOptions, TraceReport, Unplaced};
use varvite_store::Vfs;
use varvite_trace::{Module, TraceError};

use crate::commands::profile_words::RootsWord;
use crate::commands::trace::{note_missing, open};
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Column, Format, Summary, begin_rows, counted, thousands, write_document, write_line};
use crate::progress::Progress;

/// Arguments of `varvite import --into`.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --into")]
pub(crate) struct IntoArgs {
    /// Graph that gets the counts of each METHOD from a trace or profile (SOURCE). A trace (.vtrace) adds the
    /// properties TRACE_INSTRUCTIONS, _LOADS, _STORES, _BYTES and _CACHE_LINES, and all but the last also to
    /// the outermost CALL of each source line, with TRACE_SAMPLED if it is a sample; a profile (heaptrack,
    /// collapsed stacks, perf script, pprof or speedscope; plain, gzip or zstd) adds HEAP_CALLS,
    /// _LEAKED_BYTES and so on, or CPU_SAMPLES, and also HEAP_ALL_CALLS and so on, which include all callees
    #[arg(long, value_name = "GRAPH", conflicts_with_all = ["output", "profile", "codec", "index", "sources", "force"])]
    pub(super) into: Option<PathBuf>,
    /// Name of the trace or profile, to have several in one graph: properties become TRACE_NAME_LOADS,
    /// HEAP_NAME_CALLS, CPU_NAME_SAMPLES and so on. A trace or profile of the same name is replaced
    #[arg(long, value_name = "NAME", requires = "into", default_value = "", hide_default_value = true)]
    name: String,
    /// Also store the events of a heaptrack profile, for questions about any moment of the run, such as heap
    /// top --at MS
    #[arg(long, requires = "into")]
    pub(super) events: bool,
    /// Put the process, or process and thread, above the outermost calls; only for files of perf script
    #[arg(long, value_enum, value_name = "WHAT", requires = "into")]
    pub(super) roots: Option<RootsWord>,
    /// A binary of the traced program. BASE is its load address (0 if the trace has the addresses in the
    /// binary). Without BASE, it replaces the trace's binary with the same build id or file name
    #[arg(long, value_name = "PATH[@BASE]", requires = "into")]
    binary: Vec<String>,
    /// Count inlined instructions for the METHOD that they come from, instead of the function that contains
    /// them
    #[arg(long, requires = "into")]
    inlined: bool,
    /// Skip damaged blocks of the trace and report their number, instead of stopping
    #[arg(long, requires = "into")]
    skip_damaged: bool,
}

/// Maximum number of functions without a METHOD that a table shows.
const SHOWN: usize = 10;

/// Adds the layer, and reports the result.
pub(super) fn run(
    args: &IntoArgs,
    graph: &Path,
    source: &Path,
    disk: Arc<dyn Vfs>,
    format: Format,
) -> Outcome {
    let began = Instant::now();
    let (binaries, modules) = args.binaries()?;
    let options = TraceOptions { name: args.name.clone(), modules, by_source: args.inlined };
    let mut reader = open(source).map_err(neither)?;
    if args.skip_damaged {
        reader.skip_damaged();
    }
    let report = {
        let bar = Progress::steps();
        let task = Task::new().progress(|progress| bar.show(progress));
        layer::import(disk, graph, &mut reader, &binaries, &options, &task)
    };
    let report = report.map_err(|error| Failure::TraceLayer { file: source.to_owned(), source: error })?;
    note_missing(source, &mut reader);
    reported(graph, write(&report, graph, began.elapsed().as_secs_f64(), format))
}

impl IntoArgs {
    /// The name of the trace; empty if it has no name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The binaries that the user named: files that replace those of the trace, and modules at the requested
    /// addresses.
    fn binaries(&self) -> Result<(FileBinaries, Vec<Module>), Failure> {
        let (mut replacements, mut modules) = (Vec::new(), Vec::new());
        for word in &self.binary {
            let (path, base) = match word.rsplit_once('@') {
                Some((path, base)) if !Path::new(word).exists() => {
                    (PathBuf::from(path), Some(number(word, base)?))
                }
                _ => (PathBuf::from(word), None),
            };
            let unusable = |error| Failure::source(&path, format!("{error}"));
            let binary = FileBinaries::read(&path).map_err(unusable)?;
            match base {
                None => replacements.push(path),
                Some(base) => modules.extend(binary.modules_at(base, path.as_os_str().as_encoded_bytes())),
            }
        }
        Ok((FileBinaries::with_replacements(replacements), modules))
    }
}

/// Changes the failure for a file that is not a trace. The file may be a profile of an unknown format, so the
/// message names both.
fn neither(failure: Failure) -> Failure {
    match failure {
        Failure::Trace { file, source: TraceError::NotATrace { .. } } => Failure::source(
            &file,
            "neither a Varvite trace nor a profile of a known format: convert a trace of another tool \
             with `varvite trace convert`, or name the format of a profile with --format"
                .to_owned(),
        ),
        other => other,
    }
}

fn number(word: &str, base: &str) -> Result<u64, Failure> {
    let digits = base.strip_prefix("0x").unwrap_or(base);
    u64::from_str_radix(digits, 16).map_err(|_| {
        Failure::Usage(format!("--binary {word}: BASE must be a hexadecimal address, such as 0x400000"))
    })
}

fn write(report: &TraceReport, graph: &Path, seconds: f64, format: Format) -> io::Result<()> {
    match format {
        Format::Json | Format::Jsonl => {
            write_document(&format!("{:#}", document(report, graph, seconds)), format)
        }
        Format::Csv => write_modules(report, Format::Csv),
        Format::Table => {
            let summary = Summary { sentence: sentence(report, graph, seconds), fields: Vec::new() };
            summary.write(Format::Table)?;
            write_modules(report, Format::Table)?;
            let functions = report.unplaced.iter().filter(|unplaced| unplaced.symbol.is_some());
            let functions: Vec<_> = functions.take(SHOWN).collect();
            if functions.is_empty() {
                return Ok(());
            }
            write_line("\nFunctions with most records outside of METHODs")?;
            write_functions(report, &functions)
        }
    }
}

fn sentence(report: &TraceReport, graph: &Path, seconds: f64) -> String {
    let share = 100.0 * report.placed as f64 / report.records.max(1) as f64;
    let reasons = report.reasons();
    let reasons = reasons.map(|(records, reason)| format!("{} {}", thousands(records), reason.words()));
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    let rest = if reasons.is_empty() { String::new() } else { format!(" Not placed: {reasons}.") };
    let sampled = if report.is_sampled { ", sampled" } else { "" };
    format!(
        "{}: layer {}{sampled}: {} of {} placed ({share:.1} %), at {} and {}, {seconds:.2} s.{rest}\n",
        graph.display(),
        report.layer,
        thousands(report.placed),
        counted(report.records, "record"),
        counted(report.methods.into(), "METHOD"),
        counted(report.lines.into(), "line"),
    )
}

fn write_modules(report: &TraceReport, format: Format) -> io::Result<()> {
    let titles = [
        Column::text("module"),
        Column::number("records"),
        Column::number("placed"),
        Column::text("problem"),
    ];
    let mut rows = begin_rows(format, titles.into())?;
    for module in report.modules.iter().filter(|module| module.records > 0 || module.problem.is_some()) {
        rows.push(vec![
            module.path.clone().into(),
            module.records.into(),
            module.placed.into(),
            module.problem.clone().into(),
        ])?;
    }
    rows.finish()
}

fn write_functions(report: &TraceReport, functions: &[&Unplaced]) -> io::Result<()> {
    let titles =
        [Column::text("function"), Column::number("records"), Column::text("module"), Column::text("why")];
    let mut rows = begin_rows(Format::Table, titles.into())?;
    for function in functions {
        let symbol = function.symbol.clone().unwrap_or_default();
        let module = module_of(report, function);
        rows.push(vec![symbol.into(), function.records.into(), module, function.reason.words().into()])?;
    }
    rows.finish()
}

fn module_of(report: &TraceReport, unplaced: &Unplaced) -> Json {
    unplaced.module.map(|module| report.modules[module].path.clone()).into()
}

fn document(report: &TraceReport, graph: &Path, seconds: f64) -> Json {
    let modules = report.modules.iter().map(|module| {
        json!({
            "path": module.path, "records": module.records, "placed": module.placed, "problem": module.problem,
        })
    });
    let reasons =
        Reason::ALL.map(|reason| (reason.name().to_owned(), Json::from(report.unplaced_for(reason))));
    let functions = report.unplaced.iter().filter(|unplaced| unplaced.symbol.is_some()).map(|unplaced| {
        json!({
            "function": unplaced.symbol, "module": module_of(report, unplaced), "records": unplaced.records,
            "reason": unplaced.reason.name(),
        })
    });
    json!({
        "file": graph.to_string_lossy(),
        "layer": report.layer,
        "is_sampled": report.is_sampled,
        "properties": report.properties,
        "methods": report.methods,
        "lines": report.lines,
        "records": report.records,
        "placed": report.placed,
        "unplaced": serde_json::Map::from_iter(reasons),
        "modules": modules.collect::<Vec<_>>(),
        "unplaced_functions": functions.collect::<Vec<_>>(),
        "file_bytes": report.file_len,
        "seconds": seconds,
    })
}
