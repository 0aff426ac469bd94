//! `varvite find`: nodes of a label whose properties have given values.

use clap::Args;
use varvite::{Graph, LabelNodes, Property};

use crate::arguments::{GraphArgs, OutputArgs};
use crate::condition::{Condition, matching};
use crate::failure::{Failure, Outcome};
use crate::names::optional;
use crate::output::{Column, Rows, all_of, is_number};

/// What tells most about a node of a code property graph, the longest last.
const TELLING: [&str; 5] = ["NAME", "FULL_NAME", "FILENAME", "LINE_NUMBER", "CODE"];
/// Nodes of a label that are asked whether they have a property.
const SAMPLE: usize = 64;

/// Arguments of `varvite find`.
#[derive(Debug, Args)]
pub(crate) struct FindArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The label that the nodes have, such as METHOD
    label: String,
    /// What they must be like, such as NAME=memcpy; with several, all must hold. Values are compared exactly: numbers
    /// in decimal, truth values as true or false, references as node ids, and of a list one value must be equal
    #[arg(value_name = "PROPERTY=VALUE")]
    conditions: Vec<String>,
    /// Stop after so many nodes
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// The properties to show [default: NAME, FULL_NAME, FILENAME, LINE_NUMBER and CODE, as far as the label has them]
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    columns: Vec<String>,
    #[command(flatten)]
    format: OutputArgs,
}

/// Finds the nodes, in the order of their ids.
pub(crate) fn run(args: &FindArgs) -> Outcome {
    let graph = args.graph.open()?;
    let nodes = graph.nodes(&args.label)?;
    let conditions = args.conditions.iter().map(|words| Condition::parse(&graph, words));
    let conditions = conditions.collect::<Result<Vec<_>, Failure>>()?;
    let shown = match &args.columns[..] {
        [] => telling_properties(&graph, &nodes)?,
        names => named_properties(&graph, names)?,
    };
    let titles = shown.iter().map(|(name, property)| match is_number(property) {
        true => Column::number(*name),
        false => Column::text(*name),
    });
    let columns = std::iter::once(Column::node(&graph)).chain(titles).collect();
    let mut rows = Rows::begin(args.format.format, columns)?;
    for node in matching(&nodes, &conditions, args.limit.unwrap_or(usize::MAX)) {
        let values = shown.iter().map(|(_, property)| all_of(property, node));
        rows.push(std::iter::once(node.into()).chain(values).collect())?;
    }
    rows.finish()?;
    Ok(graph.check()?)
}

fn named_properties<'a>(graph: &Graph, names: &'a [String]) -> Result<Vec<(&'a str, Property)>, Failure> {
    names.iter().map(|name| Ok((name.as_str(), graph.property(name)?))).collect()
}

/// The telling properties that nodes of a label have.
fn telling_properties(graph: &Graph, nodes: &LabelNodes) -> Result<Vec<(&'static str, Property)>, Failure> {
    let mut found = Vec::new();
    for name in TELLING {
        let property = optional(graph.property(name))?;
        let has_it = |property: &Property| nodes.iter().take(SAMPLE).any(|node| property.is_present(node));
        found.extend(property.filter(has_it).map(|property| (name, property)));
    }
    Ok(found)
}
