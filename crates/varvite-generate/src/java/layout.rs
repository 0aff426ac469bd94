//! [`Layout`]: the classes, interfaces and members of the generated code, and their names.
//!
//! A property or an edge label has the same name in all classes, because it is one column for the whole
//! graph. The class of a label has the members that nodes with the label have; members that several labels
//! share form an interface.

use std::collections::{BTreeMap, BTreeSet};

use varvite::Direction;

use super::names::{Names, lower_camel, lowered, plural, upper_camel};
use crate::error::{GenerateError, Result};
use crate::schema::{EdgeLabel, Property, Schema};

/// Largest number of labels, limited by the size of one Java method; then the largest number of columns,
/// limited by the size of one class.
const LABELS_MAX: usize = 2_000;
const COLUMNS_MAX: usize = 1_000;

/// Names of the methods that handles and the class of columns have for every schema.
const MEMBERS: [&str; 12] = [
    "id", "at", "columns", "labels", "graph", "handle", "require", "as", "kinds", "names", "noValue", "check",
];
/// Names of the methods that the entry class has for every schema.
const ENTRIES: [&str; 8] = ["open", "openChecked", "openWith", "over", "graph", "columns", "node", "close"];

/// All generated classes and members, with their names.
#[derive(Debug)]
pub(super) struct Layout<'s> {
    pub(super) classes: Vec<LabelClass<'s>>,
    pub(super) properties: Vec<PropertyMember<'s>>,
    /// Edge labels in the out and the in direction, alternating: the other direction of index `i` is `i ^ 1`.
    pub(super) edges: Vec<EdgeMember<'s>>,
}

/// The class of a label.
#[derive(Debug)]
pub(super) struct LabelClass<'s> {
    pub(super) label: &'s str,
    /// Name of the class.
    pub(super) class: String,
    /// Name of the generated method that returns the handle of one node with the label.
    pub(super) one: String,
    /// Name of the generated method that returns the handles of all nodes with the label.
    pub(super) many: String,
}

/// The accessors of a property.
#[derive(Debug)]
pub(super) struct PropertyMember<'s> {
    pub(super) property: &'s Property,
    /// The label of the edges with this property; `None` for a property of nodes.
    pub(super) edge_label: Option<&'s str>,
    /// Name of the methods.
    pub(super) name: String,
    /// The interface for nodes with this property; `None` if only one label has the property.
    pub(super) interface: Option<String>,
}

/// The accessors of an edge label in one direction.
#[derive(Debug)]
pub(super) struct EdgeMember<'s> {
    pub(super) label: &'s EdgeLabel,
    pub(super) direction: Direction,
    pub(super) name: String,
    /// The interface for nodes with these edges; `None` if only nodes of one label have such edges.
    pub(super) interface: Option<String>,
    /// For each label of nodes at this end of the edges, the labels of the nodes at the other end.
    pub(super) ends: BTreeMap<usize, BTreeSet<usize>>,
}

impl<'s> Layout<'s> {
    /// Assigns all names, in the order of the schema.
    pub(super) fn of(schema: &'s Schema) -> Result<Self> {
        check_size(schema)?;
        let (mut types, mut entries, mut members) =
            (Names::of_classes(), Names::of_methods(&ENTRIES), Names::of_methods(&MEMBERS));
        let classes = schema.labels.iter().map(|label| LabelClass::named(label, &mut types, &mut entries));
        let classes = classes.collect();
        let of_nodes = schema.properties.iter();
        let mut properties: Vec<PropertyMember<'_>> =
            of_nodes.map(|property| PropertyMember::named(property, &mut types, &mut members)).collect();
        let mut edges = Vec::new();
        for label in &schema.edges {
            for direction in [Direction::Out, Direction::In] {
                edges.push(EdgeMember::named(label, direction, &mut types, &mut members));
            }
            let of_edges = label.properties.iter();
            properties.extend(
                of_edges.map(|property| PropertyMember::of_edges(property, &label.name, &mut members)),
            );
        }
        Ok(Self { classes, properties, edges })
    }

    /// The properties of the nodes with a label.
    pub(super) fn properties_of(&self, label: usize) -> impl Iterator<Item = &PropertyMember<'s>> {
        self.of_nodes().filter(move |member| member.property.owners.contains(&label))
    }

    /// The properties of nodes.
    pub(super) fn of_nodes(&self) -> impl Iterator<Item = &PropertyMember<'s>> {
        self.properties.iter().filter(|member| member.edge_label.is_none())
    }

    /// The edge labels and directions of the nodes with a label.
    pub(super) fn edges_of(&self, label: usize) -> impl Iterator<Item = &EdgeMember<'s>> {
        self.edges.iter().filter(move |member| member.ends.contains_key(&label))
    }

    /// The names of a label's interfaces, sorted.
    pub(super) fn interfaces_of(&self, label: usize) -> BTreeSet<&str> {
        let properties = self.properties_of(label).filter_map(|member| member.interface.as_deref());
        let edges = self.edges_of(label).filter_map(|member| member.interface.as_deref());
        properties.chain(edges).collect()
    }

    /// The names of the interfaces for the properties that every node with edges of `edge` has.
    pub(super) fn shared_by(&self, edge: &EdgeMember<'_>) -> BTreeSet<&str> {
        let shared =
            self.of_nodes().filter(|member| edge.ends.keys().all(|l| member.property.owners.contains(l)));
        shared.filter_map(|member| member.interface.as_deref()).collect()
    }

    /// The names of all interfaces, sorted.
    pub(super) fn interfaces(&self) -> BTreeSet<&str> {
        let properties = self.properties.iter().filter_map(|member| member.interface.as_deref());
        properties.chain(self.edges.iter().filter_map(|member| member.interface.as_deref())).collect()
    }

    /// The type of nodes with these labels at the far end of an edge: the class of a single label, or else
    /// the interface of the edge label in the other direction.
    pub(super) fn far_type(&self, edge: &EdgeMember<'_>, labels: &BTreeSet<usize>) -> FarType<'_> {
        let other = self
            .edges
            .iter()
            .find(|other| std::ptr::eq(other.label, edge.label) && other.direction != edge.direction);
        match (labels.first(), labels.len()) {
            (Some(label), 1) => FarType::Class(&self.classes[*label]),
            _ => match other.and_then(|other| other.interface.as_deref()) {
                Some(interface) => FarType::Interface(interface),
                None => FarType::Interface("Node"),
            },
        }
    }

    /// The type of the values of a property whose values refer to nodes.
    pub(super) fn target_type(&self, property: &Property) -> FarType<'_> {
        match (property.targets.first(), property.targets.len()) {
            (Some(label), 1) => FarType::Class(&self.classes[*label]),
            _ => FarType::Interface("Node"),
        }
    }
}

/// The type of the nodes at the far end of edges, or of the values of a property.
#[derive(Clone, Copy, Debug)]
pub(super) enum FarType<'a> {
    /// The class of the label, if all nodes have the same label.
    Class(&'a LabelClass<'a>),
    /// An interface, if the nodes have several labels.
    Interface(&'a str),
}

impl FarType<'_> {
    /// Name of the type.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Class(class) => &class.class,
            Self::Interface(interface) => interface,
        }
    }

    /// A Java expression for the handle of `node`; `columns` is the expression for the columns, which may be
    /// `this`.
    pub(super) fn handle(&self, columns: &str, node: &str) -> String {
        let dot = if columns == "this" { String::new() } else { format!("{columns}.") };
        match self {
            Self::Class(class) => format!("{}.of({columns}, {node})", class.class),
            Self::Interface("Node") => format!("{dot}handle({node})"),
            Self::Interface(interface) => format!("{dot}as({node}, {interface}.class)"),
        }
    }
}

impl<'s> LabelClass<'s> {
    fn named(label: &'s str, types: &mut Names, entries: &mut Names) -> Self {
        let class = types.take(&upper_camel(label), |_| Vec::new());
        let base = lower_camel(label);
        let one = entries.take(&base, |_| Vec::new());
        // If singular and plural are equal, the methods differ in their number of arguments.
        let many =
            if plural(&base) == base { one.clone() } else { entries.take(&plural(&base), |_| Vec::new()) };
        Self { label, class, one, many }
    }
}

impl<'s> PropertyMember<'s> {
    fn named(property: &'s Property, types: &mut Names, members: &mut Names) -> Self {
        let interface = (property.owners.len() > 1)
            .then(|| types.take(&format!("Has{}", upper_camel(&property.name)), |_| Vec::new()));
        let name = take_member(&lower_camel(&property.name), members);
        Self { property, edge_label: None, name, interface }
    }

    fn of_edges(property: &'s Property, edge_label: &'s str, members: &mut Names) -> Self {
        let camel = upper_camel(edge_label) + &upper_camel(&property.name);
        let name = take_member(&lowered(&camel), members);
        Self { property, edge_label: Some(edge_label), name, interface: None }
    }
}

impl<'s> EdgeMember<'s> {
    fn named(label: &'s EdgeLabel, direction: Direction, types: &mut Names, members: &mut Names) -> Self {
        let (way, pairs) = match direction {
            Direction::Out => ("Out", label.pairs.clone()),
            Direction::In => ("In", label.reversed()),
        };
        let mut ends: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (near, far) in pairs {
            ends.entry(near).or_default().insert(far);
        }
        let camel = upper_camel(&label.name) + way;
        let interface = (ends.len() > 1).then(|| types.take(&format!("Has{camel}"), |_| Vec::new()));
        Self { label, direction, name: take_member(&lowered(&camel), members), interface, ends }
    }

    /// Whether a node has at most one edge of this label in this direction, in every graph.
    pub(super) fn is_single(&self) -> bool {
        self.label.is_forest && self.direction == Direction::In
    }

    /// The labels of all nodes at the other end of the edges.
    pub(super) fn far_labels(&self) -> BTreeSet<usize> {
        self.ends.values().flatten().copied().collect()
    }
}

/// An unused name for a method. The names that are derived from it are unused as well.
fn take_member(wanted: &str, members: &mut Names) -> String {
    members.take(wanted, |name| ["Code", "Id", "IfAny"].map(|suffix| format!("{name}{suffix}")).into())
}

fn check_size(schema: &Schema) -> Result<()> {
    if schema.labels.is_empty() {
        return Err(GenerateError::NoLabels);
    }
    let of_edges: usize = schema.edges.iter().map(|label| label.properties.len()).sum();
    let columns = schema.properties.len() + of_edges + 2 * schema.edges.len();
    for (what, found, limit) in
        [("node labels", schema.labels.len(), LABELS_MAX), ("columns", columns, COLUMNS_MAX)]
    {
        if found > limit {
            return Err(GenerateError::TooMany { what, found, limit });
        }
    }
    Ok(())
}
