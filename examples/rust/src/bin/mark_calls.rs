//! Marks the calls to a METHOD in a layer of their own, and prints the marked calls: `mark_calls FILE NAME`.

use std::sync::Arc;

use varvite::change::{Diff, PropertyOwner};
use varvite::vfs::RealVfs;
use varvite::write::{GraphChange, LayerSpec};
use varvite::{Cardinality, Graph, Task, ValueType};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(path), Some(name)) = (words.next(), words.next()) else {
        return Err("usage: mark_calls FILE NAME".into());
    };
    let diff = marks(&Graph::open(&path)?, &name)?;
    // Replaces the layer of an earlier run.
    let layer = LayerSpec { name: "marks", tool: "mark_calls", version: "1", source: [0; 32] };
    GraphChange::begin(Arc::new(RealVfs), path.as_ref())?.add_layer(&layer, &diff, &Task::new())?;

    let graph = Graph::open(&path)?;
    let (marked, code) = (graph.property("MARKED")?, graph.texts("CODE")?);
    for call in marked.owners() {
        println!("{call}\t{}", code.str(call).as_deref().unwrap_or(""));
    }
    Ok(graph.check()?)
}

fn marks(graph: &Graph, name: &str) -> varvite::Result<Diff> {
    let mut diff = Diff::new();
    diff.declare_property("MARKED", PropertyOwner::Nodes, ValueType::Bool, Cardinality::Optional);
    let (names, calls) = (graph.texts("NAME")?, graph.in_("CALL")?);
    for method in graph.nodes("METHOD")?.iter().filter(|method| names.str(*method).as_deref() == Some(name)) {
        calls.neighbors(method).for_each(|call| diff.set(call, "MARKED", [true]));
    }
    graph.check()?;
    Ok(diff)
}
