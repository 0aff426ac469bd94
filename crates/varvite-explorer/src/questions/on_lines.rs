//! [`NodesOnLines`]: the nodes of the METHODs whose lines are shown.

use varvite::error::optional;
use varvite_cpg::{CodeFiles, MethodLines, TreeWalk};

use super::source::Source;
use super::subject::Subject;
use crate::fault::Result;

/// The most nodes on the lines that are shown.
const NODES_MAX: usize = 200_000;

/// The nodes of the METHODs on the lines that are shown.
pub(super) struct NodesOnLines {
    /// The nodes below the METHODs, ascending, each once.
    pub(super) nodes: Vec<u32>,
    /// The METHODs, ascending.
    pub(super) methods: Vec<u32>,
    /// Whether there are more.
    pub(super) is_cut: bool,
}

impl NodesOnLines {
    /// The nodes on the lines of a source.
    pub(super) fn of(subject: &Subject<'_>, source: &Source) -> Result<Self> {
        let mut methods = methods_on(subject, source)?;
        methods.sort_unstable();
        let (mut nodes, budget, mut held) = (Vec::new(), subject.work.budget(), 0);
        for method in &methods {
            for node in subject.work.watch(TreeWalk::new(subject.graph, *method, usize::MAX)?) {
                if nodes.len() > NODES_MAX {
                    break;
                }
                budget.make_room(&mut nodes, 1, &mut held)?;
                nodes.push(node?.0);
            }
        }
        let is_cut = nodes.len() > NODES_MAX;
        nodes.truncate(NODES_MAX);
        nodes.sort_unstable();
        nodes.dedup();
        Ok(Self { nodes, methods, is_cut })
    }
}

/// The METHOD of the subject if the lines are its own, or else all METHODs on the lines.
fn methods_on(subject: &Subject<'_>, source: &Source) -> Result<Vec<u32>> {
    let own = || Ok(subject.method.into_iter().collect());
    let Some((path, first, last)) = source.place() else { return own() };
    if is_within_method(subject, first, last)? {
        return own();
    }
    let files = CodeFiles::of(subject.graph, &subject.work.budget())?;
    let found = files.find(path);
    let Some(file) = found.iter().find(|file| file.has_path(path)) else { return own() };
    let is_on =
        |it: &&MethodLines| !it.is_external && u64::from(it.first) <= last && first <= u64::from(it.last);
    Ok(file.methods().iter().filter(is_on).map(|it| it.node).collect())
}

fn is_within_method(subject: &Subject<'_>, first: u64, last: u64) -> Result<bool> {
    let Some(method) = subject.method else { return Ok(false) };
    let number = |name: &str| -> Result<Option<u64>> {
        let lines = optional(subject.graph.property(name))?;
        Ok(lines.and_then(|lines| u64::try_from(lines.number(method)?).ok()))
    };
    let begin = number("LINE_NUMBER")?;
    let end = number("LINE_NUMBER_END")?.or(begin);
    Ok(begin.zip(end).is_some_and(|(begin, end)| begin <= first && last <= end))
}
