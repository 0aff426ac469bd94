//! Finds nodes by a file and a line, such as `deflate.c:1200`.

use varvite::error::{nearest, optional};
use varvite::pipeline::{Options, Pipeline, PipelineError, eq, nodes};
use varvite::{Budget, Graph, GraphError, Task};
use varvite_cpg::{CodeFile, CodeFiles, Sites};

use crate::error::{Result, ShowError};

/// The label whose nodes have many lines: each line names the innermost METHOD around it.
const METHOD: &str = "METHOD";
/// The property with the line of a node.
const LINE: &str = "LINE_NUMBER";

/// Finds the nodes of a label on the line that `words` describe, in ascending order: the innermost METHOD
/// with this line, or the nodes of another label that begin on it. `None` if `words` do not describe a line.
///
/// Fails if the graph has no such file, or no such node there.
pub(super) fn nodes_on_line(
    graph: &Graph,
    label: &str,
    words: &str,
    task: &Task<'static>,
) -> Result<Option<Vec<u32>>> {
    let Some((path, line)) = file_and_line(words) else { return Ok(None) };
    let files = CodeFiles::on_line(graph, line, &Budget::of(&graph.task_beside(task.clone())))?;
    task.check().map_err(GraphError::from)?;
    let found = files.find(path);
    if found.is_empty() {
        let nearest = nearest(path, files.names());
        return Err(ShowError::NoName { label: "FILE".to_owned(), name: path.to_owned(), nearest });
    }
    let mut nodes = match label {
        METHOD => found.iter().flat_map(|file| file.innermost_at(line)).collect(),
        label => nodes_beginning_at(graph, label, &found, line, task)?,
    };
    nodes.sort_unstable();
    match nodes.is_empty() {
        true => Err(ShowError::NothingThere { label: label.to_owned(), place: words.to_owned() }),
        false => Ok(Some(nodes)),
    }
}

/// Splits `deflate.c:1200` into the path of a file and a line.
fn file_and_line(words: &str) -> Option<(&str, u32)> {
    let (path, line) = words.rsplit_once(':')?;
    Some((path, line.parse().ok().filter(|line| *line > 0 && !path.is_empty())?))
}

fn nodes_beginning_at(
    graph: &Graph,
    label: &str,
    files: &[&CodeFile],
    line: u32,
    task: &Task<'static>,
) -> Result<Vec<u32>> {
    if optional(graph.numbers(LINE))?.is_none() {
        return Ok(Vec::new());
    }
    let pipeline: Pipeline = nodes(label).has(LINE, eq(i64::from(line)));
    let plan = match pipeline.compile(graph) {
        Err(PipelineError::NotOfLabel { .. }) => return Ok(Vec::new()),
        plan => plan?,
    };
    let sites = Sites::open(graph)?;
    let (mut run, mut found, mut cursor) =
        (plan.run(Options::from(task.clone())), Vec::new(), sites.cursor());
    while let Some(rows) = run.next()? {
        let here = rows.nodes().unwrap_or(&[]).iter().copied().filter(|node| {
            cursor.at(*node).file.is_some_and(|path| files.iter().any(|file| file.has_path(path)))
        });
        found.extend(here);
    }
    Ok(found)
}
