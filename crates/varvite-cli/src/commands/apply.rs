//! `varvite apply`: changes a graph by a diff, or adds a diff to it as a layer.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use varvite::change::{Applied, ChangeError, Diff, DiffText};
use varvite::write::{GraphChange, LayerSpec};
use varvite_store::Vfs;

use crate::arguments::{OutputArgs, ThreadArgs, parse_size};
use crate::disk::WriteArgs;
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Summary, counted, sized};
use crate::recovery;

/// Arguments of `varvite apply`.
#[derive(Debug, Args)]
pub(crate) struct ApplyArgs {
    /// The graph, a .varvite file. The command appends a commit; open readers keep their snapshot
    file: PathBuf,
    /// The diff, one operation per line as described in docs/diff.md; - for standard input
    #[arg(value_name = "DIFF")]
    diff: PathBuf,
    /// Store the additions as a layer of this name, which `varvite drop-layer` removes as a whole; a layer of
    /// the same name is replaced. The diff may then only add nodes, edges and values, under names that it
    /// declares
    #[arg(long, value_name = "NAME")]
    layer: Option<String>,
    /// Name of the tool that made the layer, shown by `varvite layers`
    #[arg(long, value_name = "TOOL", requires = "layer", default_value = TOOL)]
    tool: String,
    /// Memory limit, such as 64M or 2G, for the operations of the diff and for sorting their additions; data
    /// beyond the limit goes to a temporary file beside the graph [default: a quarter of the machine's
    /// memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<usize>,
    /// Check each column before reading it: for files that may be damaged. Without this option, removals do
    /// not check the graph's lists for damage
    #[arg(long)]
    checked: bool,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// The default name of the tool that made a layer.
const TOOL: &str = "varvite apply";

/// Reads a diff, and applies all of it. After an error, the graph is unchanged.
pub(crate) fn run(args: &ApplyArgs) -> Outcome {
    let began = Instant::now();
    let disk = args.write.disk();
    let memory = args.memory.unwrap_or_else(varvite::Budget::default_bytes);
    let diff =
        Diff::with_memory(memory, Arc::clone(&disk), &args.file).map_err(|error| args.of_graph(error))?;
    let text = args.read(diff)?;
    recovery::warn_writer(&args.file);
    let change = args.begin(disk).map_err(|error| args.of_graph(error))?;
    let applied = args.change(change, &text).map_err(|error| match error {
        ChangeError::Operation { operation, fault } => {
            let line = text.line_of(operation);
            Failure::Operation { diff: args.name(), line, fault: Box::new(fault) }
        }
        error => args.of_graph(error),
    })?;
    let summary = args.summary(&text, &applied, began.elapsed().as_secs_f64());
    reported(&args.file, summary.write(args.format.format))
}

impl ApplyArgs {
    fn begin(&self, disk: Arc<dyn Vfs>) -> varvite::Result<GraphChange, ChangeError> {
        let change = GraphChange::begin(disk, &self.file)?;
        if self.checked { change.checked() } else { Ok(change) }
    }

    fn change(&self, change: GraphChange, text: &DiffText) -> varvite::Result<Applied, ChangeError> {
        let task = self.threads.task();
        let Some(name) = &self.layer else { return change.apply_with(&text.diff, &task) };
        let version = if self.tool == TOOL { env!("CARGO_PKG_VERSION") } else { "" };
        let layer = LayerSpec { name, tool: &self.tool, version, source: [0; 32] };
        change.add_layer(&layer, &text.diff, &task)
    }

    /// Reads the operations into an empty diff.
    fn read(&self, diff: Diff) -> Result<DiffText, Failure> {
        let input: Box<dyn BufRead> = match self.is_stdin() {
            true => Box::new(std::io::stdin().lock()),
            false => {
                let unreadable =
                    |error| Failure::source(Path::new(&self.name()), format!("cannot be read: {error}"));
                Box::new(BufReader::new(File::open(&self.diff).map_err(unreadable)?))
            }
        };
        DiffText::read_into(diff, input).map_err(|source| Failure::DiffText { diff: self.name(), source })
    }

    fn is_stdin(&self) -> bool {
        self.diff.as_os_str() == "-"
    }

    fn name(&self) -> String {
        if self.is_stdin() { "standard input".into() } else { self.diff.display().to_string() }
    }

    fn of_graph(&self, error: ChangeError) -> Failure {
        Failure::from(error).of(&self.file)
    }

    fn summary(&self, text: &DiffText, applied: &Applied, seconds: f64) -> Summary<'static> {
        let file = self.file.to_string_lossy();
        let operations = text.diff.len();
        let (nodes, edges) = (applied.nodes.len(), text.diff.new_edges());
        let (size, written) = (sized(applied.file_len), applied.written);
        let sentence = format!(
            "{file}: {}, with {} and {}; {size}, {} of them new, {seconds:.2} s",
            counted(operations as u64, "operation"),
            counted(nodes as u64, "new node"),
            counted(edges as u64, "new edge"),
            counted(written, "byte"),
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
