//! `varvite digest compare`: shows where graphs differ.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value as Json, json};
use varvite::compare::{ColumnDifference, Comparison, DigestTree, Side, odd_one_out};
use varvite::{Graph, Task};
use varvite_cpg::Sites;

use super::source::{digest_of, read_digest, stored_beside};
use crate::arguments::{GraphArgs, GraphsArgs, MemoryArgs, OutputArgs, ThreadArgs, checked};
use crate::failure::{Failure, Outcome, despite};
use crate::output::{Column, Format, begin_rows, counted, write_document, write_line};
use crate::progress::Progress;

/// Arguments of `varvite digest compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    graphs: GraphsArgs,
    /// Trust the digest beside each graph, FILE.digest, instead of reading the whole graph
    #[arg(long)]
    stored: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows the columns that differ, and the nodes at which they differ.
pub(crate) fn run(args: &CompareArgs) -> Outcome {
    let files: Vec<GraphArgs> = args.graphs.each().collect();
    if files.len() < 2 {
        return Err(Failure::Usage("at least two graphs or digests are needed".to_owned()));
    }
    let sides = open(args, &files)?;
    let graphs = sides.iter().filter_map(|side| side.graph.as_ref());
    graphs.fold(compare(args, &sides), |outcome, graph| checked(graph, outcome))
}

fn compare(args: &CompareArgs, sides: &[OpenSide]) -> Outcome {
    let named: Vec<Side<'_>> =
        sides.iter().map(|side| Side { digest: &side.digest, graph: side.graph.as_ref() }).collect();
    let comparison = Comparison::of(&named, &args.threads.task());
    let view = View { sides, comparison: &comparison?, sites: sites_of(sides)? };
    let differ = (!view.comparison.is_equal()).then(|| Failure::Differ(view.verdict()));
    despite(view.write(args.format.format), differ)
}

/// A graph, or a digest of a graph, that is compared.
struct OpenSide {
    file: PathBuf,
    graph: Option<Graph>,
    digest: DigestTree,
}

/// Opens all files. Digest files are read first: if they have only some columns, only the digests of these
/// columns are computed for the graphs.
fn open(args: &CompareArgs, files: &[GraphArgs]) -> Result<Vec<OpenSide>, Failure> {
    let digests = files.iter().map(|file| read_digest(&file.file, &args.memory));
    let digests: Vec<Option<DigestTree>> = digests.collect::<Result<_, _>>()?;
    let wanted = wanted_columns(&digests);
    let sides = files.iter().zip(digests).map(|(file, digest)| {
        let (graph, digest) = match digest {
            Some(digest) => (None, digest),
            None => {
                let graph = file.open_within(&args.memory)?;
                let digest = match (&wanted, args.stored) {
                    (_, true) => stored_beside(&graph, &file.file, &args.memory)?,
                    (None, false) => digest_of(&graph, &args.threads)?,
                    (Some(names), false) => columns_of(&graph, names, &args.threads)?,
                };
                (Some(graph), digest)
            }
        };
        Ok(OpenSide { file: file.file.clone(), graph, digest })
    });
    sides.collect()
}

/// The columns that all incomplete digests have in common; `None` if no digest is incomplete.
fn wanted_columns(digests: &[Option<DigestTree>]) -> Option<BTreeSet<String>> {
    let parts = digests.iter().flatten().filter(|digest| !digest.is_complete);
    let names = parts.map(|digest| digest.columns.iter().map(|column| column.name.clone()).collect());
    names.reduce(|a: BTreeSet<String>, b: BTreeSet<String>| &a & &b)
}

fn columns_of(graph: &Graph, names: &BTreeSet<String>, threads: &ThreadArgs) -> Result<DigestTree, Failure> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let bar = Progress::steps();
    let task: Task<'_> = threads.task().progress(|progress| bar.show(progress));
    Ok(DigestTree::of_columns(graph, &task, &names)?)
}

/// The locations of nodes in each graph; `None` for a digest.
fn sites_of(sides: &[OpenSide]) -> Result<Vec<Option<Sites>>, Failure> {
    let sites = sides.iter().map(|side| side.graph.as_ref().map(Sites::open).transpose());
    Ok(sites.collect::<Result<_, _>>()?)
}

/// A comparison, and the data that is needed to describe it.
struct View<'v> {
    sides: &'v [OpenSide],
    comparison: &'v Comparison,
    sites: Vec<Option<Sites>>,
}

impl View<'_> {
    fn write(&self, format: Format) -> std::io::Result<()> {
        match format {
            Format::Json => return write_document(&format!("{:#}", self.document()), format),
            Format::Table if self.comparison.is_equal() => return write_line("equal"),
            _ => {}
        }
        let mut columns =
            vec![Column::text("column"), Column::text("odd"), Column::text("at"), Column::text("location")];
        columns.extend(self.sides.iter().map(|side| Column::text(side.file.display().to_string())));
        let mut rows = begin_rows(format, columns)?;
        for column in &self.comparison.columns {
            let odd = self.odd(&column.groups).map_or(Json::Null, Json::from);
            let mut row = vec![column.name.as_str().into(), odd, at(column).into(), self.location(column)];
            row.extend((0..self.sides.len()).map(|side| entry(column, side)));
            rows.push(row)?;
        }
        rows.finish()
    }

    fn verdict(&self) -> String {
        let columns = counted(self.comparison.columns.len() as u64, "column");
        match self.odd(&self.comparison.groups) {
            Some(odd) => format!("{odd} differs from the others in {columns}"),
            None if self.sides.len() == 2 => {
                format!("{} and {} differ in {columns}", self.file(0), self.file(1))
            }
            None => format!("{} and the others differ in {columns}", self.file(0)),
        }
    }

    /// The file that differs from all others, if the others are equal to each other; `None` if there is no
    /// such file.
    fn odd(&self, groups: &[Vec<usize>]) -> Option<String> {
        odd_one_out(groups).map(|side| self.file(side))
    }

    fn file(&self, side: usize) -> String {
        self.sides[side].file.display().to_string()
    }

    fn document(&self) -> Json {
        let Comparison { groups, columns, .. } = self.comparison;
        let columns: Vec<Json> = columns.iter().map(|column| self.column(column)).collect();
        json!({
            "equal": self.comparison.is_equal(),
            "groups": self.files(groups),
            "odd_one_out": self.odd(groups),
            "first": columns.first(),
            "columns": columns,
        })
    }

    fn column(&self, column: &ColumnDifference) -> Json {
        let place = column.place.as_ref();
        let owner = place.and_then(|place| place.owner.as_ref());
        json!({
            "column": column.name,
            "groups": self.files(&column.groups),
            "odd_one_out": self.odd(&column.groups),
            "missing": column.missing.iter().map(|side| self.file(*side)).collect::<Vec<_>>(),
            "schema": column.headers,
            "of": place.map(|place| if place.are_edges { "edges" } else { "nodes" }),
            "first": place.map(|place| place.owners.start),
            "last": place.map(|place| place.owners.end - 1),
            "groups_there": place.map(|place| self.files(&place.groups)),
            "nodes": owner.map(|owner| &owner.nodes),
            "location": self.location(column),
            "counts": owner.map(|owner| &owner.counts),
            "position": owner.map(|owner| owner.position),
            "values": owner.map(|owner| &owner.entries),
        })
    }

    fn files(&self, groups: &[Vec<usize>]) -> Vec<Vec<String>> {
        groups.iter().map(|group| group.iter().map(|side| self.file(*side)).collect()).collect()
    }

    /// The location of the node at which the column differs, taken from the first graph in which the location
    /// is known.
    fn location(&self, column: &ColumnDifference) -> Json {
        let owner = column.place.as_ref().and_then(|place| place.owner.as_ref());
        let Some(owner) = owner else { return Json::Null };
        let location = self.sites.iter().zip(&owner.nodes).find_map(|(sites, node)| {
            let mut cursor = sites.as_ref()?.cursor();
            let site = cursor.at((*node)?);
            Some(match site.line {
                Some(line) => format!("{}:{line}", site.file?),
                None => site.file?.to_owned(),
            })
        });
        location.map_or(Json::Null, Json::from)
    }
}

/// Describes the nodes or edges at which the column differs.
fn at(column: &ColumnDifference) -> String {
    let Some(place) = &column.place else {
        return match (&column.headers, &column.missing[..]) {
            (Some(_), _) => "schema".to_owned(),
            (None, []) => "unknown".to_owned(),
            (None, _) => "missing".to_owned(),
        };
    };
    let noun = if place.are_edges { "edge" } else { "node" };
    match place.owners.end - place.owners.start {
        1 => format!("{noun} {}", place.owners.start),
        _ => format!("{noun}s {} to {}", place.owners.start, place.owners.end - 1),
    }
}

/// The content of one graph at the place where the column differs.
fn entry(column: &ColumnDifference, side: usize) -> Json {
    let owner = column.place.as_ref().and_then(|place| place.owner.as_ref());
    let entry = match (owner, &column.headers) {
        (Some(owner), _) => owner.entries[side].clone(),
        (None, Some(headers)) => headers[side].clone(),
        (None, None) => None,
    };
    entry.map_or(Json::Null, Json::from)
}
