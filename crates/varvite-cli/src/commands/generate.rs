//! `varvite generate`: generates typed accessors in another language from the schema of a graph.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use varvite_generate::java::{self, Package};
use varvite_generate::{Folder, Schema, SourceFile, Written};

use crate::arguments::{GraphsArgs, MemoryArgs, OutputArgs, ThreadArgs};
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Summary, counted};

/// Arguments of `varvite generate`.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    language: Language,
}

/// The language of the generated code.
#[derive(Debug, Subcommand)]
enum Language {
    /// Generate classes for the Java binding: one per node label, and interfaces for properties and edges
    /// that labels share. Classes that are generated from several graphs fit each of these graphs
    Java(JavaArgs),
}

#[derive(Debug, Args)]
struct JavaArgs {
    #[command(flatten)]
    graphs: GraphsArgs,
    /// Package of the classes, such as org.example.cpg
    #[arg(long, value_name = "NAME")]
    package: String,
    /// Source folder; the package becomes folders below it
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Write into a folder with files that varvite did not generate, and overwrite files of the same name
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Writes the sources, and reports their number.
pub(crate) fn run(args: &GenerateArgs) -> Outcome {
    let Language::Java(args) = &args.language;
    let package: Package = args.package.parse()?;
    let files = java::sources(&args.schema()?, &package)
        .map_err(|error| Failure::from(error).of(args.graphs.first()))?;
    args.write(&files)
}

impl JavaArgs {
    /// The union of the schemas of all graphs.
    fn schema(&self) -> Result<Schema, Failure> {
        let mut all = Schema::default();
        for graph in self.graphs.each() {
            all.merge(graph.ask_within(&self.memory, |graph| Ok(Schema::of(graph, self.threads.count())?))?)?;
        }
        Ok(all)
    }

    fn write(&self, files: &[SourceFile]) -> Outcome {
        let folder = Folder::new(&self.output);
        let folder = if self.force { folder.shared() } else { folder };
        let Written { changed, unchanged, removed } = folder.write(files)?;
        let total = counted(files.len() as u64, "file");
        let output = self.output.to_string_lossy();
        let sentence =
            format!("{output}: {total}, {changed} written, {unchanged} unchanged, {removed} removed");
        let fields = vec![
            ("folder", output.into()),
            ("files", files.len().into()),
            ("written", changed.into()),
            ("unchanged", unchanged.into()),
            ("removed", removed.into()),
        ];
        reported(&self.output, Summary { sentence, fields }.write(self.format.format))
    }
}
