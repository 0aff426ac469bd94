//! `varvite corpus index`: writes the index of a corpus.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use varvite_corpus::{FileList, IndexOptions, IndexReport, index};

use crate::arguments::{AccessArgs, MemoryArgs, OutputArgs, ThreadArgs};
use crate::disk::WriteArgs;
use crate::failure::{Outcome, reported};
use crate::files::{Failures, corpus_options};
use crate::output::{Summary, counted, shown, sized, thousands};
use crate::progress::Progress;

/// Arguments of `varvite corpus index`.
#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// The graphs: a folder, or a quoted pattern such as 'corpus/**/*.varvite'
    #[arg(value_name = "DIR")]
    files: PathBuf,
    /// The index, a graph. If it is there, only files that are new or changed since then are read
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Stop at the first file that fails, and write nothing
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Writes the index, and reports its counts.
pub(crate) fn run(args: &IndexArgs) -> Outcome {
    let began = Instant::now();
    // The index itself may be in the folder.
    let list = FileList::at(&args.files)?.without(&args.output);
    let corpus = corpus_options(args.access, &args.memory).open_list(list);
    let mut failures = Failures::new(args.strict);
    let report = {
        let bar = Progress::steps();
        let task = args.threads.task().memory(args.memory.bytes()).progress(|progress| bar.show(progress));
        let options = IndexOptions { task, vfs: args.write.disk(), is_strict: args.strict };
        index(&corpus, &args.output, &options)?
    };
    let summary = args.summary(&report, corpus.files().len(), began.elapsed().as_secs_f64());
    for (path, error) in report.failed {
        failures.end(&path, Err(varvite_corpus::VisitError::File(error)))?;
    }
    reported(&args.output, summary.write(args.format.format))?;
    failures.report(&corpus)
}

impl IndexArgs {
    fn summary(&self, report: &IndexReport, files: usize, seconds: f64) -> Summary<'static> {
        let IndexReport {
            read,
            reused,
            copies,
            functions,
            without_content,
            imports,
            linked,
            ambiguous,
            unknown,
            file_len,
            ..
        } = *report;
        let failed = report.failed.len();
        let counts = [("read", read), ("unchanged", reused), ("copies", copies), ("failed", failed)];
        let counts = counts.into_iter().filter(|(word, count)| *word == "read" || *count > 0);
        let counts: Vec<String> =
            counts.map(|(word, count)| format!("{} {word}", thousands(count as u64))).collect();
        let without = match without_content {
            0 => String::new(),
            count => format!(" ({} without a digest)", thousands(count)),
        };
        let sentence = format!(
            "{}: {} ({}); {}{without}, {} used from elsewhere: {} linked, {} ambiguous, {} unknown; {}, {seconds:.2} s",
            shown(&self.output),
            counted(files as u64, "graph"),
            counts.join(", "),
            counted(functions, "function"),
            counted(imports, "name"),
            thousands(linked),
            thousands(ambiguous),
            thousands(unknown),
            sized(file_len),
        );
        let fields = vec![
            ("file", self.output.to_string_lossy().into()),
            ("graphs", files.into()),
            ("read", read.into()),
            ("unchanged", reused.into()),
            ("copies", copies.into()),
            ("failed", failed.into()),
            ("functions", functions.into()),
            ("without_content", without_content.into()),
            ("imports", imports.into()),
            ("linked", linked.into()),
            ("ambiguous", ambiguous.into()),
            ("unknown", unknown.into()),
            ("file_bytes", file_len.into()),
            ("seconds", seconds.into()),
        ];
        Summary { sentence, fields }
    }
}
