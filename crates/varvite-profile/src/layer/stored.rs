//! [`HeapLayer`]: a profile as a graph has it.

use varvite::{Graph, GraphError, Property};

use super::names::Names;
use super::tree::{CallTree, NONE};
use crate::profile::{Counts, Totals};

/// A profile that a graph has as a layer: its sums, and its tree of calls in memory.
#[derive(Debug)]
pub struct HeapLayer {
    /// Its names in the graph.
    pub names: Names,
    /// Sums over the whole run.
    pub totals: Totals,
    /// The command line of the program.
    pub command: String,
    pub(super) places: Vec<StoredPlace>,
    pub(super) tree: CallTree,
}

/// A place in the source, as the graph has it.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredPlace {
    pub(super) module: String,
    pub(super) function: String,
    pub(super) file: String,
    pub(super) line: i64,
    pub(super) address: u64,
    pub(super) method: Option<u32>,
}

impl HeapLayer {
    /// The names of all profiles of a graph.
    pub fn names_in(graph: &Graph) -> Vec<String> {
        let name = |layer: &str| match layer {
            "heap" => Some(String::new()),
            layer => layer.strip_prefix("heap/").map(str::to_owned),
        };
        graph.layers().iter().filter_map(|layer| name(&layer.name)).collect()
    }

    /// The profile of a name, empty for the one without.
    ///
    /// **Cost**: some 50 bytes for each step of the tree, and the texts of places.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] if there is no such profile; damage.
    pub fn open(graph: &Graph, name: &str) -> Result<Self, GraphError> {
        let names = Names::of(name);
        let texts = |end: &str| graph.property(&names.name(end));
        let profile = graph.nodes(&names.name("PROFILE"))?.iter().next();
        let number = |end: &str| -> Result<i64, GraphError> {
            let property = texts(end)?;
            Ok(profile.and_then(|node| property.number(node)).unwrap_or(0))
        };
        let totals = Totals {
            calls: number("TOTAL_CALLS")?,
            temporary: number("TOTAL_TEMPORARY")?,
            peak_bytes: number("TOTAL_PEAK_BYTES")?,
            leaked_bytes: number("TOTAL_LEAKED_BYTES")?,
            suppressed_bytes: number("SUPPRESSED_BYTES")?,
            runtime_ms: number("RUNTIME_MS")?.max(0) as u64,
            peak_resident_bytes: number("PEAK_RESIDENT_BYTES")?.max(0) as u64,
        };
        let command = texts("COMMAND")?;
        let command = profile.and_then(|node| command.str(node)).map(Into::into).unwrap_or_default();
        let (first, places) = places(graph, &names)?;
        let tree = tree(graph, &names, first, places.len())?;
        graph.check()?;
        Ok(Self { names, totals, command, places, tree })
    }
}

/// The places, and the id of the first: they lie one behind the other.
fn places(graph: &Graph, names: &Names) -> Result<(u32, Vec<StoredPlace>), GraphError> {
    let property = |end: &str| graph.property(&names.name(end));
    let [module, function, file] = [property("MODULE")?, property("FUNCTION")?, property("FILE")?];
    let (line, address) = (property("LINE")?, property("ADDRESS")?);
    let (nodes, at) = (graph.nodes(&names.name("PLACE"))?, graph.out(&names.name("AT"))?);
    let text = |property: &Property, node: u32| property.str(node).map(Into::into).unwrap_or_default();
    let place = |node: u32| StoredPlace {
        module: text(&module, node),
        function: text(&function, node),
        file: text(&file, node),
        line: line.number(node).unwrap_or(0),
        address: address.number(node).unwrap_or(0) as u64,
        method: at.first(node),
    };
    let first = nodes.iter().next().unwrap_or(0);
    Ok((first, nodes.iter().map(place).collect()))
}

fn tree(graph: &Graph, names: &Names, first_place: u32, places: usize) -> Result<CallTree, GraphError> {
    let (steps, within) = (graph.nodes(&names.name("STEP"))?, graph.out(&names.name("IN"))?);
    let (parent, first) = (graph.property(&names.name("PARENT"))?, steps.iter().next().unwrap_or(0));
    let own: Vec<Property> = names.own().iter().map(|name| graph.property(name)).collect::<Result<_, _>>()?;
    let mut tree = CallTree::default();
    for node in steps.iter() {
        // What leads elsewhere is damage, or was changed by somebody: it counts at the root.
        let above = parent.number(node).and_then(|above| u32::try_from(above).ok()?.checked_sub(first));
        let above = above.filter(|above| (*above as usize) < tree.len());
        let place = within.first(node).and_then(|place| place.checked_sub(first_place));
        let place = place.filter(|place| (*place as usize) < places).unwrap_or(0);
        let count = |number: usize| own[number].number(node).unwrap_or(0);
        tree.parents.push(above.unwrap_or(NONE));
        tree.place_of.push(place);
        tree.own.push(Counts {
            calls: count(0),
            temporary: count(1),
            leaked_bytes: count(2),
            peak_bytes: count(3),
        });
    }
    Ok(tree)
}
