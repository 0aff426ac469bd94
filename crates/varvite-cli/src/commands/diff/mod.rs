//! `varvite diff`: shows the differences between two graphs, node by node, or writes a diff that turns the
//! first graph into the second.

mod element;
mod report;
mod rows;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use varvite::columns::GraphScan;
use varvite::compare::{Difference, TurningDiff};
use varvite::{Graph, GraphError, IfExists, Task};
use varvite_store::StagedFile;

use self::element::Elements;
use self::report::Report;
use self::rows::ChangeRows;
use crate::arguments::{GraphArgs, GraphsArgs, MemoryArgs, OutputArgs, ThreadArgs, checked};
use crate::disk::{WriteArgs, is_same_file};
use crate::failure::{Failure, Outcome, despite, reported};
use crate::output::{Format, Summary, counted, note, shown, write_line};
use crate::progress::Progress;

/// Arguments of `varvite diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    graphs: GraphsArgs,
    /// Differences of each kind to show in a table; other formats show all
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Write a diff instead, as described in docs/diff.md, with which `varvite apply` turns the first graph
    /// into the second
    #[arg(long)]
    as_diff: bool,
    /// Write the diff to this file [default: standard output]
    #[arg(short, long, value_name = "FILE", requires = "as_diff")]
    output: Option<PathBuf>,
    /// Replace the file at --output if it exists
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Compares two graphs.
pub(crate) fn run(args: &DiffArgs) -> Outcome {
    let files: Vec<GraphArgs> = args.graphs.each().collect();
    let [first, second] = &files[..] else {
        return Err(Failure::Usage("two graphs are needed: varvite diff BEFORE AFTER".to_owned()));
    };
    let files = [first.file.as_path(), second.file.as_path()];
    let memory = args.memory.divided(2);
    // The diff will change another graph. Damage that is not detected here would look valid there.
    let open = |file: &GraphArgs| match args.as_diff {
        true => file.for_copy().open_within(&memory),
        false => file.open_within(&memory),
    };
    let graphs = [open(first)?, open(second)?];
    if is_same_file(files[0], files[1]) {
        note("both paths name the same file; nothing was compared");
    }
    let outcome = Comparing { args, files, graphs: &graphs }.run();
    graphs.iter().fold(outcome, |outcome, graph| checked(graph, outcome))
}

/// The two graphs of a comparison.
struct Comparing<'a> {
    args: &'a DiffArgs,
    files: [&'a Path; 2],
    graphs: &'a [Graph; 2],
}

impl Comparing<'_> {
    fn run(&self) -> Outcome {
        let bar = Progress::steps();
        let task = self.args.threads.task().progress(|progress| bar.show(progress));
        if is_same_file(self.files[0], self.files[1]) {
            return self.same_file();
        }
        let passes = [GraphScan::of(&self.graphs[0], &task), GraphScan::of(&self.graphs[1], &task)];
        let difference = Difference::of([&passes[0], &passes[1]], &task)?;
        match (self.args.as_diff, self.args.format.format) {
            (true, _) => self.write_diff(difference.to_diff(&task)?),
            (false, Format::Table) => self.report(&difference, &task),
            (false, format) => self.rows(&difference, &task, format),
        }
    }

    fn same_file(&self) -> Outcome {
        match (self.args.as_diff, self.args.format.format) {
            (true, _) => self.write_diff(TurningDiff::default()),
            (false, Format::Table) => Ok(write_line("equal")?),
            (false, format) => Ok(rows::begin(format)?.finish()?),
        }
    }

    fn report(&self, difference: &Difference<'_>, task: &Task<'_>) -> Outcome {
        let mut report = Report::new(self.graphs, difference, self.args.limit)?;
        let counts = difference.visit(task, |change| {
            report.add(change);
            Ok(())
        })?;
        let names = self.names();
        difference.visit_beside(|beside| {
            report.add_beside(beside, [&names[0], &names[1]]);
            Ok(())
        })?;
        let (text, is_equal) = report.text(&counts, [&names[0], &names[1]])?;
        despite(crate::output::write_text(&text), self.verdict(is_equal))
    }

    fn rows(&self, difference: &Difference<'_>, task: &Task<'_>, format: Format) -> Outcome {
        let elements = [Elements::of(&self.graphs[0])?, Elements::of(&self.graphs[1])?];
        let mut rows = ChangeRows::new(self.graphs, difference, &elements, format)?;
        let mut failed = None;
        let counts = difference.visit(task, |change| {
            rows.push(change).map_err(|error| {
                failed = Some(error);
                GraphError::Cancelled
            })
        });
        let counts = counts.and_then(|counts| {
            difference.visit_beside(|beside| {
                rows.push_beside(beside).map_err(|error| {
                    failed = Some(error);
                    GraphError::Cancelled
                })
            })?;
            Ok(counts)
        });
        if let Some(error) = failed {
            return despite(Err(error), self.verdict(false));
        }
        let is_equal = counts?.is_empty() && rows.has_changes_alone();
        despite(rows.finish(), self.verdict(is_equal))
    }

    fn verdict(&self, is_equal: bool) -> Option<Failure> {
        let [first, second] = self.names();
        (!is_equal).then(|| Failure::Differ(format!("{first} and {second} differ")))
    }

    fn names(&self) -> [String; 2] {
        self.files.map(shown)
    }

    fn write_diff(&self, turning: TurningDiff) -> Outcome {
        for unreachable in &turning.unreachable {
            note(&unreachable.to_string());
        }
        let [first, second] = self.names();
        let things = counted(turning.unreachable.len() as u64, "thing");
        let left = format!("after this diff, {first} still differs from {second} in {things}");
        let failure = (!turning.unreachable.is_empty()).then_some(Failure::Differ(left));
        let Some(output) = &self.args.output else {
            let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
            return match (turning.diff.write_text(out), failure) {
                // If the reader closed the pipe, the command still reports that a diff can't remove some
                // differences. Any other error of the output is reported instead, since an incomplete diff is
                // useless.
                (Err(error), Some(failure)) if error.kind() == io::ErrorKind::BrokenPipe => Err(failure),
                (Err(error), _) => Err(error.into()),
                (Ok(()), failure) => failure.map_or(Ok(()), Err),
            };
        };
        if self.files.iter().any(|file| is_same_file(file, output)) {
            let what = "--output names one of the compared graphs; choose another file";
            return Err(Failure::Usage(what.to_owned()));
        }
        let bytes = self.write_file(&turning, output)?;
        let operations = turning.diff.len() as u64;
        let name = output.display();
        let sentence = format!("{name}: {}, {}", counted(operations, "operation"), counted(bytes, "byte"));
        let fields = vec![
            ("file", name.to_string().into()),
            ("operations", operations.into()),
            ("bytes", bytes.into()),
            ("unreachable", turning.unreachable.iter().map(ToString::to_string).collect::<Vec<_>>().into()),
        ];
        reported(output, Summary { sentence, fields }.write(self.args.format.format))?;
        failure.map_or(Ok(()), Err)
    }

    /// Writes the file, and returns its length. The file appears under its name only when it is complete.
    fn write_file(&self, turning: &TurningDiff, output: &Path) -> Result<u64, Failure> {
        let if_exists = if self.args.force { IfExists::Replace } else { IfExists::Refuse };
        let file = StagedFile::create(self.args.write.disk(), output, if_exists)?;
        let mut out = BufWriter::with_capacity(1 << 20, Staged { file, len: 0 });
        let unwritten = |error: io::Error| Failure::source(output, format!("cannot be written: {error}"));
        turning.diff.write_text(&mut out).map_err(unwritten)?;
        let Staged { file, len } = out.into_inner().map_err(|error| unwritten(error.into_error()))?;
        file.commit()?;
        Ok(len)
    }
}

/// A file that is written from front to back, and appears under its name when it is complete.
struct Staged {
    file: StagedFile,
    len: u64,
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_all_at(self.len, bytes).map_err(io::Error::other)?;
        self.len += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
