//! [`PartArgs`]: the part of a graph that an export writes.

use std::path::PathBuf;

use clap::Args;
use varvite::pipeline::{Cell, ColumnKind, Options, PlanColumns, RowKind, Rows};
use varvite::{Budget, Graph, GraphError};
use varvite_cpg::{Part, PartKind, PartLimits};
use varvite_draw::roots_at;

use super::ForeignFormat;
use crate::arguments::{MemoryArgs, PlanArgs};
use crate::commands::part_word::PartWord;
use crate::failure::Failure;
use crate::output::{counted, note};

/// The number of nodes that a drawing has if the user sets no limit. Graphviz needs minutes for more.
const DRAWN_MAX: usize = 1000;

/// A part of the graph.
#[derive(Debug, Args)]
pub(super) struct PartArgs {
    /// Export only a part of the graph: that of the node or file of --of
    #[arg(long, value_enum, value_name = "PART", requires = "of")]
    part: Option<PartWord>,
    /// Node of the part, such as main, inflate.c:500 or TYPE_DECL:z_stream, or a file, such as inflate.c, for
    /// all its METHODs
    #[arg(long, value_name = "NODE", requires = "part")]
    of: Option<String>,
    /// Export only the nodes in the rows of a plan, as for `varvite query`, and the edges between them; for
    /// functions-jsonl, the METHODs among these nodes
    #[arg(long, value_name = "PLAN", conflicts_with = "part")]
    plan: Option<PathBuf>,
    /// Labels of the edges between the nodes of a plan or of a function [default: every label; for
    /// functions-jsonl AST,CFG,REACHING_DEF]
    #[arg(long, value_name = "LABEL,..", value_delimiter = ',')]
    pub(super) along: Vec<String>,
    /// Export at most N nodes of a part [default: 1000 for DOT, all for GraphML]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// A part of a graph.
pub(super) struct Chosen {
    pub(super) part: Part,
    /// The labels of its edges.
    pub(super) labels: Vec<String>,
    /// The name of the drawing.
    pub(super) name: String,
}

impl PartArgs {
    /// Finds the part; `None` if the whole graph is wanted. Notes if the limit leaves out nodes.
    pub(super) fn choose(
        &self,
        graph: &Graph,
        format: ForeignFormat,
        memory: &MemoryArgs,
    ) -> Result<Option<Chosen>, Failure> {
        if !self.along.is_empty() && self.plan.is_none() && format != ForeignFormat::FunctionsJsonl {
            let what = "--along needs --plan, or --format functions-jsonl";
            return Err(Failure::Usage(what.to_owned()));
        }
        let is_drawing = format == ForeignFormat::Dot;
        let limit = self.limit.unwrap_or(if is_drawing { DRAWN_MAX } else { usize::MAX });
        let task = memory.task(graph);
        let limits = PartLimits { nodes: limit, budget: &Budget::of(&task), cancel: task.flag() };
        let chosen = match (self.part.zip(self.of.as_ref()), &self.plan) {
            (Some((word, of)), _) => part(graph, (word, of), is_drawing, limits)?,
            (None, Some(_)) => self.rows_of_plan(graph, memory, limits)?,
            (None, None) if self.limit.is_some() => {
                return Err(Failure::Usage(
                    "--limit needs a part: give --part and --of, or --plan".to_owned(),
                ));
            }
            (None, None) => return Ok(None),
        };
        if format == ForeignFormat::FunctionsJsonl && self.part.is_some() {
            let what = "functions-jsonl has whole METHODs: choose them with --plan";
            return Err(Failure::Usage(what.to_owned()));
        }
        if format == ForeignFormat::Flatgraph {
            let what = "cpg.bin holds whole graphs: export a part with --format graphml or dot";
            return Err(Failure::Usage(what.to_owned()));
        }
        #[cfg(feature = "parquet")]
        if format == ForeignFormat::Parquet {
            let what = "parquet holds whole graphs: choose rows and columns when you read the files";
            return Err(Failure::Usage(what.to_owned()));
        }
        if chosen.part.cut > 0 {
            note(&format!("{} not exported; raise --limit", counted(chosen.part.cut as u64, "more node")));
        }
        Ok(Some(chosen))
    }

    /// The nodes in the rows of the plan, and the edges between them.
    fn rows_of_plan(
        &self,
        graph: &Graph,
        memory: &MemoryArgs,
        limits: PartLimits<'_>,
    ) -> Result<Chosen, Failure> {
        let budget = limits.budget;
        let plan = self.plan.as_deref().unwrap_or_else(|| "-".as_ref());
        let args = PlanArgs::at(plan);
        let compiled = args.compile(graph, budget.limit())?;
        if !has_nodes(compiled.columns()) {
            let what = "the rows of the plan have no nodes: end it with nodes, edges or a column of nodes";
            return Err(Failure::Usage(format!("{}: {what}", plan.display())));
        }
        let mut run = compiled.run(Options::from(memory.task(graph)));
        let mut nodes = Vec::new();
        while let Some(rows) = run.next().map_err(|error| args.at_fault(error.into()))? {
            add_nodes(&rows, &mut nodes, budget)?;
        }
        let labels = match &self.along[..] {
            [] => graph.edge_labels().iter().map(|label| label.name.clone()).collect(),
            along => along.to_vec(),
        };
        let words: Vec<&str> = labels.iter().map(String::as_str).collect();
        let part = Part::among(graph, nodes, &words, limits)?;
        Ok(Chosen { part, labels, name: plan.display().to_string() })
    }
}

/// Adds the nodes of rows: the nodes themselves, the ends of edges, or the nodes in columns.
fn add_nodes(rows: &Rows<'_>, nodes: &mut Vec<u32>, budget: &Budget) -> Result<(), Failure> {
    let before = nodes.len();
    match (rows.nodes(), rows.edges()) {
        (Some(found), _) => nodes.extend_from_slice(found),
        (_, Some(edges)) => nodes.extend(edges.iter().flat_map(|edge| [edge.source, edge.target])),
        _ => {
            for column in rows.columns() {
                let cells = (0..rows.len()).filter_map(|row| column.get(row));
                nodes.extend(cells.filter_map(|cell| match cell {
                    Cell::Node(node) => Some(node),
                    _ => None,
                }));
            }
        }
    }
    budget.take((nodes.len() - before) * size_of::<u32>()).map_err(GraphError::from)?;
    Ok(())
}

/// Whether the rows of a plan have nodes.
fn has_nodes(mut columns: PlanColumns<'_>) -> bool {
    matches!(columns.row_kind(), RowKind::Nodes | RowKind::Edges)
        || columns.any(|column| column.kind() == ColumnKind::Node && !column.is_list())
}

fn part(
    graph: &Graph,
    (word, of): (PartWord, &str),
    is_drawing: bool,
    limits: PartLimits<'_>,
) -> Result<Chosen, Failure> {
    let budget = limits.budget;
    let (roots, kind) = (roots_at(graph, of, budget)?, PartKind::from(word));
    let mut part = Part::of(graph, kind, &roots, limits)?;
    if kind == PartKind::Calls && !is_drawing {
        part = with_calls(graph, part, budget)?;
    }
    let labels = kind.labels().iter().map(|label| (*label).to_owned()).collect();
    Ok(Chosen { part, labels, name: of.to_owned() })
}

/// Adds the CALLs between METHODs. A drawing has an edge instead.
fn with_calls(graph: &Graph, part: Part, budget: &Budget) -> Result<Part, Failure> {
    let (contents, targets) = (graph.out("CONTAINS")?, graph.out("CALL")?);
    let is_in = |node: u32| part.nodes.binary_search(&node).is_ok();
    let mut nodes = part.nodes.clone();
    for method in &part.nodes {
        let calls = contents.neighbors(*method).filter(|call| targets.neighbors(*call).any(is_in));
        let before = nodes.len();
        nodes.extend(calls);
        budget.take((nodes.len() - before) * size_of::<u32>()).map_err(GraphError::from)?;
    }
    Ok(Part { nodes, ..part })
}
