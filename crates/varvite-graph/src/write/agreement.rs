//! [`InputFacts`]: counts and sums of a writer's input. With them the writer checks, before the file is
//! created, that the parts of the input agree.
//!
//! Each call checks its own input; two inputs are compared when the later one is added, or at the end. The
//! encoder counted and summed the values while it encoded them, so no value is read again.

use varvite_format::{Directory, EdgeLabelId, Fault, InputError, Owner, Part, check_name, check_text};

use super::adjacency::PreparedPlaces;
use super::encoder::{PreparedForest, PreparedLabels, PreparedSet};
use super::input::PropertySpec;
use super::seen::{CodesSeen, EdgesSeen, KindSeen, ListsSeen, NodesSeen, ValuesSeen};
use super::spec::{EdgeLabelSpec, LabelSpec};
use crate::cursor::bounds::Bounds;
use crate::cursor::value::{Cardinality, ValueType};

type Result<T = ()> = std::result::Result<T, InputError>;

/// The facts of all inputs so far.
#[derive(Debug, Default)]
pub(super) struct InputFacts {
    codes: Option<CodesSeen>,
    /// The nodes of each label, as count and sum.
    labels: Vec<NodesSeen>,
    /// For each edge label, the number of edges, and the facts of its out-lists if it has lists.
    edge_labels: Vec<(u64, Option<EdgesSeen>)>,
    forest: Option<(EdgeLabelId, EdgesSeen)>,
    /// For each index, the name of its property and the hash of its label sets.
    indexes: Vec<(String, u64)>,
}

fn check_count(argument: impl Into<Part>, what: &'static str, expected: u64, found: u64) -> Result {
    match expected == found {
        true => Ok(()),
        false => Err(InputError::new(argument, Fault::Count { what, expected, found })),
    }
}

fn others(argument: String, what: &'static str) -> InputError {
    InputError::new(argument, Fault::Others { what })
}

impl InputFacts {
    /// Checks that there is one code for each node, and records the codes.
    pub(super) fn take_codes(&mut self, labels: &PreparedLabels, nodes: u32) -> Result {
        check_count("label codes", "codes", nodes.into(), labels.seen.nodes)?;
        self.codes = Some(labels.seen.clone());
        Ok(())
    }

    /// Checks that the set of a label's nodes was made for the same number of nodes, and that there are as
    /// many origins as members. Records the label.
    pub(super) fn take_label(&mut self, label: &LabelSpec<'_>, nodes: u32) -> Result {
        let PreparedSet { universe, seen, .. } = &label.nodes;
        check_count(format!("nodes of label {}", label.name), "nodes", nodes.into(), (*universe).into())?;
        let (name, members) = (format!("origin of label {}", label.name), seen.count);
        match &label.origin {
            Some(origin) => {
                check_count(&*name, "numbers", members, origin.count)?;
                check_count(
                    &*name,
                    "nodes in the other file",
                    origin.origin_count.into(),
                    label.origin_count.into(),
                )?;
            }
            None if label.origin_count != 0 && members > label.origin_count.into() => {
                let (least, found) = (members, label.origin_count.into());
                return Err(InputError::new(
                    name,
                    Fault::TooFew { what: "nodes in the other file", least, found },
                ));
            }
            None => {}
        }
        self.labels.push(*seen);
        Ok(())
    }

    /// Checks and records the shape of the forest.
    pub(super) fn take_forest(&mut self, forest: &PreparedForest, label: EdgeLabelId, nodes: u32) -> Result {
        check_count("subtree sizes", "sizes", nodes.into(), forest.seen.nodes.into())?;
        self.forest = Some((label, forest.seen));
        Ok(())
    }

    /// Checks that both directions of an edge label hold the same edges at the same places, and that the
    /// label has that number of edges. Records the label.
    pub(super) fn take_edge_label(&mut self, label: &EdgeLabelSpec<'_>, nodes: u32) -> Result {
        let name = |part: &str| format!("edges {} {part}", label.name);
        let missing = |part| InputError::new(name(part), Fault::Missing { what: "lists", number: None });
        let (out, in_) = match (&label.out, &label.in_) {
            (Some(out), Some(in_)) => (out, in_),
            (None, Some(_)) => return Err(missing("out")),
            (Some(_), None) => return Err(missing("in")),
            (None, None) if label.places.is_some() => return Err(missing("out")),
            (None, None) => {
                self.edge_labels.push((label.edges, None));
                return Ok(());
            }
        };
        check_lists(label.name, label.edges, nodes, [&out.seen, &in_.seen])?;
        if let Some(PreparedPlaces { seen, .. }) = &label.places {
            check_count(name("places"), "places", label.edges, seen.count)?;
            if (seen.leaving, seen.ordered) != (out.seen.ordered, in_.seen.ordered) {
                return Err(others(name("places"), "the places of the edges in out-lists"));
            }
        }
        self.edge_labels.push((label.edges, Some(out.seen)));
        Ok(())
    }

    /// The same as [`Self::take_edge_label`], for lists that were written to the file entry by entry.
    pub(super) fn take_streamed_lists(
        &mut self,
        name: &str,
        edges: u64,
        nodes: u32,
        [out, in_]: [&ListsSeen; 2],
    ) -> Result {
        check_lists(name, edges, nodes, [&out.seen, &in_.seen])?;
        self.edge_labels.push((edges, Some(out.seen)));
        Ok(())
    }

    /// Checks that values have the type of their property, and that no list is longer than the cardinality
    /// allows.
    pub(super) fn take_property(&mut self, spec: &PropertySpec, seen: &ValuesSeen, nodes: u32) -> Result {
        let name = || format!("property {}", spec.name);
        let owners = match spec.owner {
            Owner::Node => nodes.into(),
            Owner::Edge(label) => match self.edge_labels.get(label.index()) {
                Some((edges, Some(_))) => *edges,
                Some((_, None)) => {
                    let what = "property of edges that follow from the order of nodes, which have no ranks";
                    return Err(InputError::new(name(), Fault::Unexpected { what }));
                }
                None => return Err(no_such(name(), "edge label", label.0.into(), self.edge_labels.len())),
            },
        };
        check_count(format!("owners of {}", name()), "owners", owners, seen.owners)?;
        let (longest, at) = seen.longest;
        if spec.cardinality != Cardinality::List && longest > 1 {
            let found = Some(longest.into());
            let fault =
                Fault::Number { what: "number of values of owner", at: Some(at), least: 0, most: 1, found };
            return Err(InputError::new(name(), fault));
        }
        check_kind(spec, &seen.kind, nodes)?;
        self.indexes.extend(seen.label_sets.map(|hash| (spec.name.clone(), hash)));
        Ok(())
    }

    /// Fails unless all inputs agree and a reader would accept the file.
    pub(super) fn check(&self, directory: &Directory, keeps_names: bool) -> Result {
        self.check_label_sets(directory)?;
        self.check_forest(directory)?;
        check_layers(directory, keeps_names)
    }

    fn check_label_sets(&self, directory: &Directory) -> Result {
        let missing =
            InputError::new("label codes", Fault::Missing { what: "code for each node", number: None });
        let codes = self.codes.as_ref().ok_or(missing)?;
        let (words, masks) = (directory.mask_words(), &directory.label_sets);
        if !masks.len().is_multiple_of(words) {
            let (of, found) = (words as u64, masks.len() as u64);
            return Err(InputError::new("words of label sets", Fault::Multiple { of, found }));
        }
        let sets = masks.len() / words;
        let mut expected = vec![NodesSeen::default(); self.labels.len()];
        for (code, mask) in masks.chunks_exact(words).enumerate() {
            if let Some(label) = labels_of(mask).find(|label| *label >= self.labels.len()) {
                return Err(no_such(format!("label set {code}"), "label", label as u64, self.labels.len()));
            }
        }
        for (code, nodes) in codes.iter() {
            let first = code as usize * words;
            let Some(mask) = masks.get(first..first + words) else {
                return Err(no_such("label codes".to_owned(), "label set", code.into(), sets));
            };
            labels_of(mask).for_each(|label| expected[label] = expected[label].plus(nodes));
        }
        for ((row, seen), expected) in directory.labels.iter().zip(&self.labels).zip(expected) {
            let name = || format!("nodes of label {}", directory.names.get(row.name));
            check_count(name(), "nodes, as label sets say", expected.count, seen.count)?;
            if expected.sum != seen.sum {
                return Err(others(name(), "the nodes whose label set has it"));
            }
        }
        match self.indexes.iter().find(|(_, hash)| *hash != codes.hash) {
            Some((name, _)) => {
                Err(others(format!("label sets of the index of {name}"), "the codes of all nodes"))
            }
            None => Ok(()),
        }
    }

    /// Checks that an edge label without lists is the label of the forest, and that the forest agrees with
    /// the lists of its label, if there are any.
    fn check_forest(&self, directory: &Directory) -> Result {
        let name = |label: EdgeLabelId| {
            let row = directory.edge_labels.get(label.index());
            row.map_or("", |row| directory.names.get(row.name))
        };
        let labels = self.edge_labels.len();
        if let Some(label) = directory.tree_label.filter(|label| label.index() >= labels) {
            return Err(no_such("tree label".to_owned(), "edge label", label.0.into(), labels));
        }
        let forest = self.forest.filter(|(label, _)| directory.tree_label == Some(*label));
        if let (Some((label, _)), None) = (self.forest, forest) {
            let argument = format!("forest of edges {}", name(label));
            return Err(others(argument, "subtree sizes along the tree label"));
        }
        for (label, (edges, lists)) in (0..).map(EdgeLabelId).zip(&self.edge_labels) {
            let of_label = forest.filter(|(of, _)| *of == label).map(|(_, seen)| seen);
            let Some(seen) = of_label else {
                if lists.is_some() {
                    continue;
                }
                let fault = Fault::Missing { what: "lists or forest", number: None };
                return Err(InputError::new(format!("edges {}", name(label)), fault));
            };
            check_count(format!("edges {}", name(label)), "edges, as subtree sizes say", seen.edges, *edges)?;
            let is_other = |lists: &EdgesSeen| (lists.leaving, lists.ordered) != (seen.leaving, seen.ordered);
            if lists.as_ref().is_some_and(is_other) {
                let what = "the children of subtree sizes, in the order of ids";
                return Err(others(format!("edges {} out", name(label)), what));
            }
        }
        Ok(())
    }
}

/// Checks that both directions of an edge label hold the same edges, and that the label has that number of
/// edges.
fn check_lists(label: &str, edges: u64, nodes: u32, [out, in_]: [&EdgesSeen; 2]) -> Result {
    for (part, seen) in [("out", out), ("in", in_)] {
        let name = || format!("edges {label} {part}");
        check_count(name(), "lists, one for each node", nodes.into(), seen.nodes.into())?;
        check_count(name(), "edges", edges, seen.edges)?;
    }
    match out.leaving == in_.arriving {
        true => Ok(()),
        false => Err(others(format!("edges {label} in"), "the edges of the out-lists")),
    }
}

/// Fails unless all layers that elements refer to exist and have names.
fn check_layers(directory: &Directory, keeps_names: bool) -> Result {
    let count = directory.layers.len();
    let of_labels = directory.labels.iter().map(|row| ("label", row.name, row.layer));
    let of_edges = directory.edge_labels.iter().map(|row| ("edges", row.name, row.layer));
    let of_properties = directory.properties.iter().map(|row| ("property", row.name, row.layer));
    let mut all = of_labels.chain(of_edges).chain(of_properties);
    if let Some((kind, name, layer)) = all.find(|(_, _, layer)| *layer as usize >= count) {
        let argument = format!("layer of {kind} {}", directory.names.get(name));
        return Err(no_such(argument, "layer", layer.into(), count));
    }
    for row in directory.layers.iter().filter(|_| !keeps_names) {
        check_name("layer", directory.names.get(row.name))?;
        check_text("tool of a layer", directory.names.get(row.tool))?;
        check_text("version of a layer", directory.names.get(row.version))?;
    }
    Ok(())
}

/// Checks that values have the type of their property.
fn check_kind(spec: &PropertySpec, kind: &KindSeen, nodes: u32) -> Result {
    let name = || format!("values of property {}", spec.name);
    let numbers = match (kind, spec.value_type.is_text()) {
        (KindSeen::Texts { .. }, false) => return Err(others(name(), "numbers, as the type says")),
        (KindSeen::Numbers(_), true) => return Err(others(name(), "texts, as the type says")),
        (KindSeen::Texts { not_text: Some(number) }, true) if spec.value_type == ValueType::String => {
            return Err(InputError::new(name(), Fault::NotText { number: Some(*number) }));
        }
        (KindSeen::Texts { .. }, true) => return Ok(()),
        (KindSeen::Numbers(numbers), false) => numbers,
    };
    let bounds = Bounds::of(spec.value_type, nodes, 0);
    let (least, most) = bounds.ends();
    match numbers.beyond(least, most, bounds.null().is_some()) {
        None => Ok(()),
        found => {
            let fault = Fault::Number { what: "value", at: None, least, most, found };
            Err(InputError::new(name(), fault))
        }
    }
}

fn no_such(argument: String, what: &'static str, number: u64, count: usize) -> InputError {
    InputError::new(argument, Fault::NoSuch { what, number, count: count as u64 })
}

/// The labels in a mask.
fn labels_of(mask: &[u64]) -> impl Iterator<Item = usize> + '_ {
    mask.iter().enumerate().flat_map(|(word, bits)| {
        let mut left = *bits;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(64 * word + bit)
        })
    })
}
