//! The questions `files`, `reopen` and `link`: the open files, and links for other tabs.

use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::Graph;
use varvite::inspect::Info;
use varvite_cpg::PartKind;
use varvite_cpg::source::Sources;

use super::drawing::VIEWS;
use super::paths::FLOWS;
use crate::fault::Result;
use crate::graphs::GraphFile;
use crate::shared::Shared;

/// Asks for all files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Files {}

impl Files {
    pub(super) fn answer(&self, shared: &Shared) -> Result<Json> {
        let files = (0..).zip(shared.graphs.all()).map(|(number, file)| described(number, file));
        let files: Vec<Json> = files.collect();
        Ok(json!({ "version": env!("CARGO_PKG_VERSION"), "files": files }))
    }
}

/// Opens a file anew.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reopen {
    #[serde(default)]
    file: usize,
}

impl Reopen {
    pub(super) fn answer(&self, shared: &Shared) -> Result<Json> {
        let file = shared.graphs.file(self.file)?;
        file.reopen()?;
        Ok(described(self.file, file))
    }
}

/// Asks for a link with a new launch code.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Link {}

impl Link {
    pub(super) fn answer(&self, shared: &Shared) -> Result<Json> {
        Ok(json!({ "link": shared.new_link()? }))
    }
}

/// A file with its counts, or with the reason why it is not open.
fn described(number: usize, file: &GraphFile) -> Json {
    let mut answer = json!({ "file": number, "name": file.name, "path": file.path.display().to_string() });
    let open = match file.opened() {
        Ok(open) => open,
        Err(fault) => {
            answer["error"] = fault.message().into();
            return answer;
        }
    };
    match open.look(file) {
        Err(fault) => answer["changed"] = fault.message().into(),
        Ok(()) if open.is_behind() => {
            let what = "was changed since it was opened: open it again to see the newest commit";
            answer["changed"] = format!("{} {what}", file.name).into();
        }
        Ok(()) => {}
    }
    if let Err(fault) = describe(&open.graph, &mut answer) {
        answer["error"] = fault.message().into();
    }
    answer
}

fn describe(graph: &Graph, answer: &mut Json) -> Result<()> {
    let info = Info::of(graph);
    let mut labels: Vec<_> = info.labels.iter().filter(|label| label.nodes > 0).collect();
    labels.sort_by_key(|label| std::cmp::Reverse(label.nodes));
    let labels = labels.iter().map(|label| json!({ "name": label.name, "count": label.nodes }));
    let edges = info.edge_labels.iter().filter(|label| label.edges > 0);
    let edges = edges.map(|label| json!({ "name": label.name, "count": label.edges }));
    let layers = info.layers.iter().map(|layer| json!({ "name": layer.name, "source": layer.tool }));
    let has_edges = |name: &str| info.edge_labels.iter().any(|label| label.name == name && label.edges > 0);
    let has_view = |kind: PartKind| kind.labels().iter().all(|label| has_edges(label));
    let views = VIEWS.iter().filter(|(_, kind)| has_view(*kind)).map(|(name, _)| *name);
    answer["id"] = id_of(graph).into();
    answer["nodes"] = info.nodes.into();
    answer["edges"] = info.edges.into();
    answer["has_sources"] = Sources::open(graph)?.is_some().into();
    answer["has_flows"] = has_edges(FLOWS).into();
    answer["views"] = views.collect();
    answer["labels"] = labels.collect();
    answer["edge_labels"] = edges.collect();
    answer["layers"] = layers.collect();
    Ok(())
}

/// The identity of the open state of a file, in eight digits: node numbers of an equal one mean equal nodes.
fn id_of(graph: &Graph) -> String {
    let words = graph.identity().to_bytes();
    let folded = words.chunks_exact(4).fold(0_u32, |sum, word| {
        let word = word.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
        sum.rotate_left(5) ^ word
    });
    format!("{folded:08x}")
}
