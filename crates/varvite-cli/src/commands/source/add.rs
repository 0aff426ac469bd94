//! `varvite source add`: adds the files of a program to its graph.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde_json::Value as Json;
use varvite::Task;
use varvite::change::ChangeError;
use varvite::write::GraphChange;
use varvite_cpg::source::{SourceError, SourceOptions, SourceReport, add_sources};

use crate::arguments::{OutputArgs, parse_size};
use crate::disk::WriteArgs;
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Summary, counted, remark, sized};
use crate::progress::Progress;
use crate::recovery;

/// Arguments of `varvite source add`.
#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// The graph, a .varvite file. The command appends a commit; open readers keep their snapshot
    file: PathBuf,
    /// The folder that the frontend read: names of FILE nodes are paths below it
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Add files even if they seem to be of another version than the graph
    #[arg(long)]
    anyway: bool,
    /// Memory limit, such as 64M or 2G; a file with more than a fourth of it is left out and counted
    /// [default: a quarter of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<usize>,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Adds the sources, and reports the result.
pub(super) fn run(args: &AddArgs) -> Outcome {
    let began = Instant::now();
    recovery::warn_writer(&args.file);
    let mut options = SourceOptions { anyway: args.anyway, ..SourceOptions::default() };
    options.memory_bytes = args.memory.unwrap_or(options.memory_bytes);
    let change = GraphChange::begin(args.write.disk(), &args.file)
        .map_err(|error| Failure::from(error).of(&args.file))?;
    let report = add_to(change, &args.folder, &options).map_err(|failure| failure.of(&args.file))?;
    remark_sources(&report, &args.folder);
    let file = args.file.to_string_lossy();
    let seconds = began.elapsed().as_secs_f64();
    let (sources, size) = (source_sentence(&report), sized(report.file_len));
    let sentence = format!("{file}: {sources}; {size}, {seconds:.2} s");
    let mut fields = vec![("file", file.into())];
    fields.extend(source_fields(&report));
    fields.extend([("file_bytes", report.file_len.into()), ("seconds", seconds.into())]);
    reported(&args.file, Summary { sentence, fields }.write(args.format.format))
}

/// Adds the sources in a folder to a graph.
pub(crate) fn add_to(
    change: GraphChange,
    folder: &Path,
    options: &SourceOptions,
) -> Result<SourceReport, Failure> {
    let bar = Progress::steps();
    let task = Task::new().progress(|progress| bar.show(progress));
    add_sources(change, folder, options, &task).map_err(|error| match error {
        SourceError::Graph(ChangeError::Graph(error)) => Failure::Graph(error),
        error => Failure::Sources(error),
    })
}

/// The sources of a graph in words: what became of each FILE.
pub(crate) fn source_sentence(report: &SourceReport) -> String {
    let counts = [
        (report.placeholders, "placeholders"),
        (report.missing, "missing"),
        (report.outside, "outside the folder"),
        (report.not_files, "not regular files"),
        (report.too_large, "too large"),
        (report.unreadable, "unreadable"),
    ];
    let others = counts.iter().filter(|(count, _)| *count > 0);
    let others: Vec<String> = others.map(|(count, what)| format!("{count} {what}")).collect();
    let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
    let (found, bytes) = (report.found, sized(report.text_bytes));
    format!("layer source: texts of {found} of {}{others}, {bytes}", counted(report.files(), "FILE"))
}

/// Writes remarks about texts that differ from the bytes of their file, and about signs of another version.
pub(crate) fn remark_sources(report: &SourceReport, folder: &Path) {
    let folder = folder.display();
    let about = [
        (report.not_utf8, "not UTF-8: the bytes that are not text are shown as U+FFFD"),
        (report.with_mark, "with a byte order mark, which is left out"),
        (report.with_crlf, "with CRLF line ends, which are kept"),
        (report.repeated, "with the text of another FILE, which is stored once"),
        (report.same_names, "with the name of a file in another folder: ask for lines by folder and name"),
    ];
    for (count, what) in about.into_iter().filter(|(count, _)| *count > 0) {
        remark(&format!("{folder}: {} {what}", counted(count, "file")));
    }
    if report.methods_beyond > 0 {
        let (beyond, methods) = (report.methods_beyond, counted(report.methods, "METHOD"));
        remark(&format!("{folder}: {beyond} of {methods} are beyond the end of their file"));
    }
}

/// The sources of a graph as fields of a summary.
pub(crate) fn source_fields(report: &SourceReport) -> Vec<(&'static str, Json)> {
    vec![
        ("files", report.files().into()),
        ("found", report.found.into()),
        ("placeholders", report.placeholders.into()),
        ("missing", report.missing.into()),
        ("outside", report.outside.into()),
        ("not_files", report.not_files.into()),
        ("too_large", report.too_large.into()),
        ("unreadable", report.unreadable.into()),
        ("repeated", report.repeated.into()),
        ("same_names", report.same_names.into()),
        ("with_byte_order_mark", report.with_mark.into()),
        ("with_crlf", report.with_crlf.into()),
        ("not_utf8", report.not_utf8.into()),
        ("text_bytes", report.text_bytes.into()),
        ("methods", report.methods.into()),
        ("methods_beyond_end", report.methods_beyond.into()),
    ]
}
