//! Questions that run as pipelines: searches in texts, counts by label, transitive closures, and the ten
//! questions of Joern's scanners. Compiling a pipeline is not timed.

use std::collections::BTreeMap;

use varvite::Graph;
use varvite::pipeline::{Cell, Key, Options, Pipeline, Plan, Rows, contains, eq, nodes, regex};
use varvite_cpg::{Calls, Tree, queries};

use super::texts::CodeCounts;
use super::{Answer, NAME_SOUGHT};
use crate::Failure;

/// The text that a workload searches for in CODE.
const TEXT_SOUGHT: &str = "skb";
/// The regular expression that a workload matches against NAMEs.
const NAME_PATTERN: &str = "(?i).*(alloc|free).*";
/// The beginning of the names of workloads that are questions of scanners.
const QUERY: &str = "query_";

/// A function that runs a compiled question once.
pub type Asking = Box<dyn FnMut() -> Result<Answer, Failure>>;

/// A question about an open graph.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The name that all peers share.
    pub name: &'static str,
    /// Compiles the question, and returns the function that is timed.
    pub prepare: fn(&Graph) -> Result<Asking, Failure>,
}

/// All questions except the ten of Joern's scanners.
pub const ASKED: [Asked; 6] = [
    Asked { name: "code_contains", prepare: |graph| counted(graph, code_contains()) },
    Asked { name: "method_name_regex", prepare: |graph| counted(graph, method_name_regex()) },
    Asked { name: "callee_names_pipeline", prepare: callee_names },
    Asked { name: "descendants_by_label", prepare: descendants_by_label },
    Asked { name: "identifier_method", prepare: |graph| counted(graph, identifier_method()) },
    Asked { name: "transitive_callers", prepare: transitive_callers },
];

/// Questions that follow edges, used to measure graphs with changed edges. No peer answers them.
const ALONG_EDGES: [Asked; 3] = [
    Asked { name: "call_flow", prepare: |graph| hops(graph, nodes("CALL").out("CFG")) },
    Asked { name: "call_arguments", prepare: |graph| hops(graph, nodes("CALL").out("ARGUMENT")) },
    Asked { name: "identifier_references", prepare: |graph| hops(graph, nodes("IDENTIFIER").out("REF")) },
];

/// The names of all questions that run as pipelines and that peers answer too.
pub fn names() -> impl Iterator<Item = String> {
    let ten = queries::ALL.iter().map(|query| format!("{QUERY}{}", query.name));
    ASKED.iter().map(|asked| asked.name.to_owned()).chain(ten)
}

/// Compiles the question `name`; `None` if no question has this name.
///
/// # Errors
/// The graph lacks a label or property that the question needs.
pub fn prepare(name: &str, graph: &Graph) -> Option<Result<Asking, Failure>> {
    if let Some(name) = name.strip_prefix(QUERY) {
        let query = queries::ALL.iter().find(|query| query.name == name)?;
        return Some(found_by(query, graph));
    }
    let asked = ASKED.iter().chain(&ALONG_EDGES).find(|asked| asked.name == name)?;
    Some((asked.prepare)(graph))
}

fn code_contains() -> Pipeline {
    nodes("CALL").has("CODE", contains(TEXT_SOUGHT)).count()
}

fn method_name_regex() -> Pipeline {
    nodes("METHOD").has("NAME", regex(NAME_PATTERN)).count()
}

fn identifier_method() -> Pipeline {
    nodes("IDENTIFIER").nearest_ancestor("METHOD").count()
}

/// A question whose answer is the number that the last step of a pipeline returns.
fn counted(graph: &Graph, pipeline: Pipeline) -> Result<Asking, Failure> {
    let plan = pipeline.compile(graph)?;
    Ok(Box::new(move || {
        let mut count = 0;
        each(&plan, |rows| count += rows.numbers().unwrap_or_default().iter().sum::<i64>())?;
        Ok(Answer::new(count, 1))
    }))
}

/// A question whose answer is the sum of the ids of a pipeline's nodes.
fn hops(graph: &Graph, pipeline: Pipeline) -> Result<Asking, Failure> {
    let plan = pipeline.compile(graph)?;
    Ok(Box::new(move || {
        let (mut sum, mut count) = (0, 0);
        each(&plan, |rows| {
            let nodes = rows.nodes().unwrap_or_default();
            sum += nodes.iter().map(|node| i64::from(*node)).sum::<i64>();
            count += nodes.len() as u64;
        })?;
        Ok(Answer::new(sum, count))
    }))
}

/// A question whose pipeline returns names as codes. The length of each distinct name is computed once.
fn callee_names(graph: &Graph) -> Result<Asking, Failure> {
    let plan = nodes("CALL").callee().values("FULL_NAME").compile(graph)?;
    let full_name = graph.property("FULL_NAME")?;
    let mut counts = CodeCounts::default();
    Ok(Box::new(move || {
        counts.clear(&full_name);
        let mut read = 0;
        each(&plan, |rows| {
            let codes = rows.numbers().unwrap_or_default();
            read += codes.len() as u64;
            codes.iter().for_each(|code| counts.add(*code));
        })?;
        let (_, units) = counts.totals(&full_name);
        Ok(Answer::new(units as i64, read))
    }))
}

/// A question whose answer is a count of nodes for each label, in the order of the labels' names.
fn descendants_by_label(graph: &Graph) -> Result<Asking, Failure> {
    let plan = nodes("METHOD").ast().group_count(Key::Label).compile(graph)?;
    Ok(Box::new(move || {
        let mut counts = BTreeMap::new();
        each(&plan, |rows| {
            let (Some(labels), Some(numbers)) = (rows.column(0), rows.column(1)) else { return };
            for row in 0..rows.len() {
                if let (Some(Cell::Label(label)), Some(count)) = (labels.get(row), numbers.number(row)) {
                    counts.insert(label.to_owned(), count);
                }
            }
        })?;
        let operations = counts.values().sum::<i64>() as u64;
        Ok(Answer { values: counts.into_values().filter(|count| *count > 0).collect(), operations })
    }))
}

/// A question whose answer is the number of transitive callers and the sum of their depths.
fn transitive_callers(graph: &Graph) -> Result<Asking, Failure> {
    let callers = nodes("METHOD").has("NAME", eq(NAME_SOUGHT)).transitive_callers();
    let plan = callers.columns([Key::Itself, Key::Depth]).compile(graph)?;
    Ok(Box::new(move || {
        let (mut count, mut depths) = (0, 0);
        each(&plan, |rows| {
            count += rows.len() as i64;
            let depth = rows.column(1);
            depths += depth.map_or(0, |depth| (0..rows.len()).filter_map(|row| depth.number(row)).sum());
        })?;
        Ok(Answer { values: vec![count, depths], operations: count as u64 })
    }))
}

/// A question whose answer is the number of found nodes and the sums of their line and column numbers. Unlike
/// ids, these are the same on all sides.
fn found_by(query: &queries::Query, graph: &Graph) -> Result<Asking, Failure> {
    let mut question = (query.prepare)(graph)?;
    let places = [graph.property("LINE_NUMBER")?, graph.property("COLUMN_NUMBER")?];
    Ok(Box::new(move || {
        let found = question()?;
        let sums = places.iter().map(|place| found.iter().filter_map(|node| place.number(*node)).sum());
        let values = std::iter::once(found.len() as i64).chain(sums).collect();
        Ok(Answer { values, operations: 1 })
    }))
}

fn each(plan: &Plan, mut visit: impl FnMut(Rows<'_>)) -> Result<(), Failure> {
    let mut run = plan.run(Options::default());
    while let Some(rows) = run.next()? {
        visit(rows);
    }
    Ok(())
}
