//! What ran, and what it cost: the layers of profiles and traces.

mod profile;
pub(super) mod trace;

use varvite_profile::layer::{HeapLayer, Names};

use self::trace::TraceLayer;
use crate::error::Result;
use crate::html::Page;
use crate::report::Facts;

/// The number of runs that are shown, since each may have a drawing of a megabyte.
pub(super) const RUNS: usize = 8;
/// The number of rows of a table.
const ROWS: usize = 25;

pub(super) fn write(facts: &Facts<'_>, page: &mut Page) -> Result<()> {
    let graph = facts.code.graph;
    let (profiles, traces) = (HeapLayer::names_in(graph), TraceLayer::all(graph));
    if profiles.is_empty() && traces.is_empty() {
        page.paragraph("The graph has no layers of runs. `varvite import --into GRAPH PROFILE` adds one.");
    }
    for names in profiles.iter().take(RUNS) {
        page.heading(&format!("Profile {}", names.layer));
        profile::write(facts, names, page)?;
    }
    for layer in traces.iter().take(RUNS) {
        page.heading(&format!("Trace {}", layer.name));
        trace::write(facts, layer, page)?;
    }
    let names = profiles.iter().skip(RUNS).map(|names: &Names| names.layer.as_str());
    let more: Vec<&str> = names.chain(traces.iter().skip(RUNS).map(|layer| layer.name.as_str())).collect();
    if !more.is_empty() {
        page.note(&format!("Not shown: {}.", more.join(", ")));
    }
    Ok(())
}
