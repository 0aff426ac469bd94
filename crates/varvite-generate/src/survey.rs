//! [`Schema::of`]: reads a graph once, to find the properties and edges of each label.
//!
//! A graph file names its labels, edge labels and properties, but does not state which of them belong
//! together, because nothing in the file is stored by label. The survey therefore reads the owners of every
//! property and the ends of every edge. It groups nodes by the codes of their label sets, because there are
//! few label sets.

use std::collections::{BTreeSet, HashMap, HashSet};

use varvite::columns::in_order;
use varvite::cursor::Labels;
use varvite::{Direction, EdgeLabelId, Graph, PropertyId, PropertyInfo, ValueType};

use crate::error::Result;
use crate::schema::{EdgeLabel, Property, Schema};

impl Schema {
    /// Reads the schema of a graph on `threads` threads.
    ///
    /// Reads the owners of every property once, and every edge once. This takes about ten nanoseconds for
    /// each owner and edge, divided by the number of threads.
    ///
    /// # Errors
    /// [`GenerateError::Graph`](crate::GenerateError::Graph) if a column is damaged.
    pub fn of(graph: &Graph, threads: usize) -> Result<Self> {
        let survey = Survey { graph, labels: graph.label_sets()? };
        let properties = graph.properties();
        let mut found = Vec::with_capacity(properties.len());
        let ids: Vec<PropertyId> = graph.property_ids().collect();
        in_order(
            &ids,
            threads,
            |id| survey.property(*id),
            |property| {
                found.push(property);
                varvite::Result::Ok(())
            },
        )?;
        let mut edges = Vec::new();
        let ids: Vec<EdgeLabelId> = graph.edge_label_ids().collect();
        in_order(
            &ids,
            threads,
            |id| survey.edge_label(*id),
            |label| {
                edges.push(label);
                varvite::Result::Ok(())
            },
        )?;
        graph.check()?;
        let labels = graph.labels().iter().map(|label| label.name.clone()).collect();
        Ok(assemble(labels, properties.iter().zip(found).collect(), edges))
    }
}

/// Assigns each property to nodes or to its edge label.
fn assemble(
    labels: Vec<String>,
    properties: Vec<(&PropertyInfo, Property)>,
    mut edges: Vec<EdgeLabel>,
) -> Schema {
    let mut of_nodes = Vec::new();
    let places: HashMap<String, usize> =
        edges.iter().enumerate().rev().map(|(place, edge)| (edge.name.clone(), place)).collect();
    for (info, property) in properties {
        match info.edge_label.as_ref().and_then(|label| places.get(label)) {
            Some(place) => edges[*place].properties.push(property),
            None => of_nodes.push(property),
        }
    }
    Schema { labels, properties: of_nodes, edges }
}

/// A graph, and the label sets of its nodes.
struct Survey<'g> {
    graph: &'g Graph,
    labels: Labels,
}

impl Survey<'_> {
    fn property(&self, id: PropertyId) -> varvite::Result<Property> {
        let info = &self.graph.properties()[id.index()];
        let column = self.graph.property_at(id)?;
        let (mut owners, mut targets) = (Codes::default(), Codes::default());
        if info.edge_label.is_none() {
            column.owners().for_each(|owner| owners.add(self.labels.code(owner)));
        }
        if info.value_type == ValueType::Ref {
            let nodes = 0..i64::from(self.graph.node_count());
            column.for_each(|_, value| {
                if nodes.contains(&value) {
                    targets.add(self.labels.code(value as u32));
                }
            });
        }
        Ok(Property {
            name: info.name.clone(),
            value_type: info.value_type,
            cardinality: info.cardinality,
            default: info.default.clone(),
            owners: self.labels_of(&owners.seen),
            targets: self.labels_of(&targets.seen),
        })
    }

    fn labels_of(&self, codes: &HashSet<u32>) -> BTreeSet<usize> {
        codes.iter().flat_map(|code| self.labels.of_code(*code)).map(|label| label.index()).collect()
    }

    fn edge_label(&self, id: EdgeLabelId) -> varvite::Result<EdgeLabel> {
        let name = self.graph.edge_labels()[id.index()].name.clone();
        let mut joined = HashSet::new();
        let mut last = None;
        self.graph.adjacency(id, Direction::Out)?.for_each_edge(|source, target| {
            let pair = Some((self.labels.code(source), self.labels.code(target)));
            if pair != last {
                last = pair;
                joined.extend(pair);
            }
        });
        let is_forest = self.graph.forest_label() == Some(&name);
        Ok(EdgeLabel { name, is_forest, pairs: self.pairs_of(&joined), properties: Vec::new() })
    }

    fn pairs_of(&self, codes: &HashSet<(u32, u32)>) -> BTreeSet<(usize, usize)> {
        let mut pairs = BTreeSet::new();
        for (source, target) in codes {
            let targets: Vec<usize> = self.labels.of_code(*target).map(|label| label.index()).collect();
            for source in self.labels.of_code(*source) {
                pairs.extend(targets.iter().map(|target| (source.index(), *target)));
            }
        }
        pairs
    }
}

/// The codes seen so far; consecutive nodes often have the same code.
#[derive(Default)]
struct Codes {
    seen: HashSet<u32>,
    last: Option<u32>,
}

impl Codes {
    fn add(&mut self, code: u32) {
        if self.last != Some(code) {
            self.last = Some(code);
            self.seen.insert(code);
        }
    }
}
