//! `varvite trace verify`: checks every byte of a trace against its checksums.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::{cut, file_len, lost, open};
use crate::arguments::OutputArgs;
use crate::failure::{Failure, Outcome, despite};
use crate::output::{Summary, counted, escaped, shown, sized};
use crate::progress::Progress;

/// Arguments of `varvite trace verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The trace, a .vtrace file
    file: PathBuf,
    #[command(flatten)]
    format: OutputArgs,
}

/// The maximum number of problems that are shown.
const PROBLEMS_MAX: usize = 100;

#[derive(Default)]
struct Report {
    blocks: u64,
    records: u64,
    plain_bytes: u64,
    problems: Vec<String>,
}

/// Decodes all blocks, and lists all damage. Fails if the trace is damaged or incomplete.
pub(crate) fn run(args: &VerifyArgs) -> Outcome {
    let began = Instant::now();
    let report = match args.check() {
        Err(Failure::Trace { source, .. }) if source.is_damage() => {
            Report { problems: vec![source.to_string()], ..Report::default() }
        }
        report => report?,
    };
    let problems = report.problems.len() as u64;
    let damaged = (problems > 0).then(|| Failure::Damaged {
        file: args.file.clone(),
        problems: counted(problems, "problem"),
        remedy: "keep its other blocks with `varvite trace convert --skip-damaged`",
    });
    let written = args.summary(&report, began.elapsed().as_secs_f64()).write_lines(args.format.format);
    despite(written, damaged)
}

impl VerifyArgs {
    fn check(&self) -> Result<Report, Failure> {
        let fail = Failure::trace(&self.file);
        let mut reader = open(&self.file)?;
        let mut report = Report::default();
        let (progress, total) = (Progress::bytes("checking"), file_len(&self.file));
        loop {
            match reader.next_block() {
                Ok(None) => break,
                Ok(Some(block)) => {
                    report.blocks += 1;
                    report.records += block.len() as u64;
                    report.plain_bytes += block.bytes().len() as u64;
                    progress.bytes_done(block.offset(), total);
                }
                Err(error) => {
                    if report.problems.len() < PROBLEMS_MAX {
                        report.problems.push(error.to_string());
                    }
                    reader.pass(error).map_err(&fail)?;
                }
            }
        }
        if reader.losses().places > 0 {
            report.problems.push(lost(reader.losses()));
        }
        report.problems.extend(cut(&mut reader).map(|cut| format!("the trace {cut}")));
        Ok(report)
    }

    fn summary(&self, report: &Report, seconds: f64) -> Summary<'static> {
        let (name, file) = (shown(&self.file), self.file.to_string_lossy());
        let is_whole = report.problems.is_empty();
        let sentence = if is_whole {
            let (blocks, records) = (counted(report.blocks, "block"), counted(report.records, "record"));
            format!(
                "{name}: whole; {blocks}, {records}, {} of records, {seconds:.2} s",
                sized(report.plain_bytes)
            )
        } else {
            let lines: Vec<_> = report.problems.iter().map(|problem| escaped(problem)).collect();
            lines.join("\n")
        };
        let fields = vec![
            ("file", file.into()),
            ("whole", is_whole.into()),
            ("blocks", report.blocks.into()),
            ("records", report.records.into()),
            ("plain_bytes", report.plain_bytes.into()),
            ("problems", report.problems.clone().into()),
            ("seconds", seconds.into()),
        ];
        Summary { sentence, fields }
    }
}
