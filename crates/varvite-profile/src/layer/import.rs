//! Imports a profile into a graph, as a layer.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{Diff, NumberLists};
use varvite::write::{GraphChange, LayerSpec};
use varvite::{Budget, Graph, Task};
use varvite_cpg::join::{Methods, is_layer_name};
use varvite_store::Vfs;

use super::contents::Contents;
use super::coverage::Coverage;
use super::error::HeapLayerError;
use super::events::LayerEvents;
use super::join::Join;
use super::names::Names;
use super::placement::CallSites;
use super::report::HeapReport;
use super::stored::HeapLayer;
use super::sums::CodeSums;
use super::tree::{CallTree, Place};
use crate::Limits;
use crate::profile::Profile;
use crate::texts::Texts;

/// The memory limit, divided by this number, is the limit of the diff's memory. The rest of the diff is
/// written to disk.
const SHARE: usize = 4;

/// Options of an import.
#[derive(Clone, Debug, Default)]
pub struct HeapOptions {
    /// A name that distinguishes this profile from others in the same graph. With the name `small`, the layer
    /// is `heap/small`, and its properties are `HEAP_SMALL_CALLS` and so on. If the name is empty, the layer
    /// is `heap`, and its properties are `HEAP_CALLS` and so on. If the profile does not measure memory, the
    /// layer is `cpu`, and the properties are `CPU_SAMPLES` and so on.
    pub name: String,
    /// A digest of the profile's file. A graph can have the same profile only once; importing it again can
    /// only replace its own layer.
    pub source: [u8; 32],
    /// The limits; the memory limit applies to the tree of calls.
    pub limits: Limits,
}

/// Adds a profile to the graph at `path` as a layer. An existing layer of the same name is replaced.
///
/// **Cost**: proportional to the size of the profile and the number of METHODs of the graph. The file grows
/// by the new data.
///
/// # Errors
/// [`HeapLayerError`]; the graph is then unchanged. A profile of another program is not an error, but the
/// report shows that little of the profile was joined.
pub fn import(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    profile: &Profile,
    options: &HeapOptions,
    task: &Task<'_>,
) -> Result<HeapReport, HeapLayerError> {
    let diff = Diff::with_memory(Budget::default_bytes() / SHARE, Arc::clone(&vfs), path)?;
    add((vfs, path), profile, (diff, Vec::new()), options, task)
}

/// Adds a profile as [`import`] does, together with its events. The events were collected by a
/// [`LayerEvents`] while the profile was read, and become part of the layer.
///
/// **Cost**: that of [`import`], plus time proportional to the number of events, and temporarily eight bytes
/// of disk space for each event.
///
/// # Errors
/// The errors of [`import`], and [`HeapLayerError::Name`] if the events were collected for a layer of another
/// name.
pub fn import_events(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    (profile, events): (&Profile, LayerEvents),
    options: &HeapOptions,
    task: &Task<'_>,
) -> Result<HeapReport, HeapLayerError> {
    if events.name != options.name {
        return Err(HeapLayerError::Name { name: events.name });
    }
    add((vfs, path), profile, (events.diff, events.lists.into()), options, task)
}

fn add(
    (vfs, path): (Arc<dyn Vfs>, &Path),
    profile: &Profile,
    (mut diff, lists): (Diff, Vec<NumberLists>),
    options: &HeapOptions,
    task: &Task<'_>,
) -> Result<HeapReport, HeapLayerError> {
    if !is_layer_name(&options.name) {
        return Err(HeapLayerError::Name { name: options.name.clone() });
    }
    if profile.sites.is_empty() {
        return Err(HeapLayerError::Empty);
    }
    let names = Names::of(profile.kind, &options.name);
    // From here on, no other writer can change the graph, so the METHODs stay those to which the layer
    // refers.
    let change = GraphChange::begin(vfs, path)?.checked()?;
    let graph = change.graph();
    let source: String = options.source.iter().map(|byte| format!("{byte:02x}")).collect();
    check_known(graph, &names, &source)?;
    let methods = Methods::of(graph)?;
    if methods.is_empty() {
        return Err(HeapLayerError::NoMethods);
    }
    let tree = CallTree::of(profile, &options.limits)?;
    let join = Join::of((&tree, profile.kind), &profile.texts, &methods, &mut CallSites::of(graph)?);
    graph.check()?;
    let sums = CodeSums::of(&tree, &join);
    let contents = Contents { profile, tree: &tree, join: &join, sums: &sums, names: &names };
    contents.add(&source, &mut diff);
    let version = env!("CARGO_PKG_VERSION");
    let layer =
        LayerSpec { name: &names.layer, tool: "varvite import --into", version, source: options.source };
    let applied = change.add_layer_with(&layer, &diff, lists, task)?;
    let module = |place: usize| profile.texts.get(tree.places[place].module).unwrap_or_default();
    Ok(HeapReport {
        layer: names.layer,
        totals: profile.totals,
        measures: profile.measures.clone(),
        sampling: profile.sampling.clone(),
        places: tree.places.len(),
        steps: tree.len(),
        methods: sums.methods.len(),
        calls: sums.calls.len(),
        events: profile.events.as_ref().map(|events| events.count),
        coverage: Coverage::of(&tree, &join, module),
        has_split_stacks: has_split_stacks(&tree, &profile.texts),
        noticed: profile.noticed,
        file_len: applied.file_len,
    })
}

/// Functions of Go's runtime that switch to a stack for C code.
const TO_C: [&str; 2] = ["runtime.cgocall", "runtime.asmcgocall"];

/// Whether, in the profile, Go calls C and the outermost call of any stack is a C function.
fn has_split_stacks(tree: &CallTree, texts: &Texts) -> bool {
    let function = |place: &Place| texts.get(place.function).unwrap_or_default();
    let goes_to_c = |place: &Place| {
        let name = function(place);
        TO_C.contains(&name.strip_suffix(".abi0").unwrap_or(name))
    };
    let is_root = |node: &u32| tree.parent(*node).is_none();
    // Names of Go functions have a dot after the package. Names of C functions have no dot.
    let is_of_c = |node: u32| !function(tree.place(node)).contains('.');
    tree.places.iter().any(goes_to_c) && (0..tree.len() as u32).filter(is_root).any(is_of_c)
}

/// Fails if another layer was made from the same profile.
fn check_known(graph: &Graph, names: &Names, source: &str) -> Result<(), HeapLayerError> {
    for other in HeapLayer::names_in(graph).into_iter().filter(|other| other != names) {
        let (Ok(profiles), Ok(sources)) =
            (graph.nodes(&other.name("PROFILE")), graph.property(&other.name("SOURCE")))
        else {
            continue;
        };
        if profiles.iter().any(|node| sources.str(node).is_some_and(|known| *known == *source)) {
            return Err(HeapLayerError::Known { layer: other.layer });
        }
    }
    Ok(())
}
