//! `varvite apply`: changes a graph by a diff.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use varvite::GraphError;
use varvite::change::{Applied, DiffText, read_diff};
use varvite::write::GraphChange;

use crate::arguments::{OutputArgs, ThreadArgs};
use crate::disk::WriteArgs;
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Summary, megabytes};

/// Arguments of `varvite apply`.
#[derive(Debug, Args)]
pub(crate) struct ApplyArgs {
    /// The graph, a .varvite file. It gets another commit; who has it open sees it as it was
    file: PathBuf,
    /// The diff: one operation a line, as docs/diff.md describes them; - for standard input
    #[arg(value_name = "DIFF")]
    diff: PathBuf,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Reads a diff and applies it: all of it, or nothing.
pub(crate) fn run(args: &ApplyArgs) -> Outcome {
    let began = Instant::now();
    let text = args.read()?;
    let change = GraphChange::begin(args.write.disk(), &args.file).map_err(|error| args.of_graph(error))?;
    let applied = change.apply(&text.diff, &args.threads.task()).map_err(|error| match error {
        GraphError::Change(error) => {
            let line = text.line_of(error.operation);
            Failure::Operation { diff: args.name(), line, fault: Box::new(error.fault) }
        }
        error => args.of_graph(error),
    })?;
    let summary = args.summary(&text, &applied, began.elapsed().as_secs_f64());
    reported(&args.file, summary.write(args.format.format))
}

impl ApplyArgs {
    fn read(&self) -> Result<DiffText, Failure> {
        let input: Box<dyn BufRead> = match self.is_stdin() {
            true => Box::new(std::io::stdin().lock()),
            false => {
                let unreadable =
                    |error| Failure::source(Path::new(&self.name()), format!("cannot be read: {error}"));
                Box::new(BufReader::new(File::open(&self.diff).map_err(unreadable)?))
            }
        };
        read_diff(input).map_err(|source| Failure::DiffText { diff: self.name(), source })
    }

    fn is_stdin(&self) -> bool {
        self.diff.as_os_str() == "-"
    }

    fn name(&self) -> String {
        if self.is_stdin() { "standard input".into() } else { self.diff.display().to_string() }
    }

    fn of_graph(&self, error: GraphError) -> Failure {
        Failure::from(error).of(&self.file)
    }

    fn summary(&self, text: &DiffText, applied: &Applied, seconds: f64) -> Summary<'static> {
        let file = self.file.to_string_lossy();
        let operations = text.diff.len();
        let (nodes, edges) = (applied.nodes.len(), text.diff.new_edges());
        let (size, written) = (megabytes(applied.file_len), applied.written);
        let sentence = format!(
            "{file}: {operations} operations, with {nodes} new nodes and {edges} new edges; \
             {size}, {written} bytes of them new, {seconds:.2} s"
        );
        let fields = vec![
            ("file", file.into()),
            ("operations", operations.into()),
            ("new_nodes", nodes.into()),
            ("first_new_node", applied.nodes.start.into()),
            ("new_edges", edges.into()),
            ("generation", applied.generation.into()),
            ("file_bytes", applied.file_len.into()),
            ("written_bytes", written.into()),
            ("seconds", seconds.into()),
        ];
        Summary { sentence, fields }
    }
}
