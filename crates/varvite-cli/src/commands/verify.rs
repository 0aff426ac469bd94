//! `varvite verify`: checks the checksums of a file, and the consistency of its columns.

use std::time::Instant;

use clap::Args;
use varvite::GraphError;
use varvite::error::StoreError;
use varvite::inspect::VerifyReport;
use varvite_format::FormatError;

use crate::arguments::{GraphArgs, MemoryArgs, OutputArgs, ThreadArgs};
use crate::failure::{Failure, Outcome, despite};
use crate::output::{Summary, counted, escaped, shown, sized};
use crate::progress::Progress;

/// Arguments of `varvite verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Checks everything, and lists all problems. Fails if the file is damaged.
pub(crate) fn run(args: &VerifyArgs) -> Outcome {
    let began = Instant::now();
    let report = match args.check() {
        Err(Failure::Graph(GraphError::Store(error))) if is_damage(&error) => {
            let mut report = VerifyReport::default();
            report.problems.push(error.to_string());
            report
        }
        report => report?,
    };
    let problems = report.problems.len() as u64;
    let damaged = (problems > 0).then(|| Failure::Damaged {
        file: args.graph.file.clone(),
        problems: counted(problems, "problem"),
        remedy: "import it again",
    });
    let written = args.summary(&report, began.elapsed().as_secs_f64()).write_lines(args.format.format);
    despite(written, damaged)
}

impl VerifyArgs {
    fn check(&self) -> Result<VerifyReport, Failure> {
        let graph = self.graph.open_within(&self.memory)?;
        let bar = Progress::bytes("checking");
        let report = graph.verify(&self.threads.task().progress(|progress| bar.show(progress)))?;
        if report.problems.is_empty() {
            graph.check()?;
        }
        Ok(report)
    }

    fn summary(&self, report: &VerifyReport, seconds: f64) -> Summary<'static> {
        let (name, file) = (shown(&self.graph.file), self.graph.file.to_string_lossy());
        let is_whole = report.problems.is_empty();
        let sentence = if is_whole {
            let blocks = counted(report.blocks, "block");
            let log = match report.log_records {
                0 => String::new(),
                records => format!(" and {}", counted(records, "small commit")),
            };
            let left = match report.leftover_bytes {
                0 => String::new(),
                bytes => format!(", {} of a commit that was not finished", counted(bytes, "byte")),
            };
            format!("{name}: whole; {blocks}{log}, {}{left}, {seconds:.2} s", sized(report.bytes))
        } else {
            let lines: Vec<_> = report.problems.iter().map(|problem| escaped(problem)).collect();
            lines.join("\n")
        };
        let fields = vec![
            ("file", file.into()),
            ("whole", is_whole.into()),
            ("blocks", report.blocks.into()),
            ("bytes", report.bytes.into()),
            ("log_records", report.log_records.into()),
            ("leftover_bytes", report.leftover_bytes.into()),
            ("problems", report.problems.clone().into()),
            ("seconds", seconds.into()),
        ];
        Summary { sentence, fields }
    }
}

/// Whether an error means that the file is a damaged graph. False if the file is not a graph, or can't be
/// read.
fn is_damage(error: &StoreError) -> bool {
    match error {
        StoreError::Truncated { .. } => true,
        StoreError::Format { source, .. } => {
            matches!(**source, FormatError::Damaged { .. } | FormatError::Block { .. })
        }
        _ => false,
    }
}
