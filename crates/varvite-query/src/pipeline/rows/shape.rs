//! [`Shape`]: the kind of rows, and the meaning of their numbers.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::pipeline::fault::RowKind;
use varvite_graph::{Property, Texts, ValueType};

/// The kind of rows, with the meaning of their columns.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Nodes,
    Edges,
    Values(ColumnSpec),
    Table(Arc<[ColumnSpec]>),
}

impl Shape {
    /// The kind of the rows, as errors name it.
    pub(crate) fn kind(&self) -> RowKind {
        match self {
            Self::Nodes => RowKind::Nodes,
            Self::Edges => RowKind::Edges,
            Self::Values(_) => RowKind::Values,
            Self::Table(_) => RowKind::Columns,
        }
    }

    /// The columns of rows of this shape.
    #[cfg(feature = "arrow")]
    pub(crate) fn columns(&self) -> Vec<ColumnSpec> {
        match self {
            Self::Nodes => vec![ColumnSpec::new("node", Meaning::Node)],
            Self::Edges => vec![ColumnSpec::new("edge", Meaning::Edge)],
            Self::Values(column) => vec![column.clone()],
            Self::Table(columns) => columns.to_vec(),
        }
    }
}

/// A column of results.
#[derive(Clone, Debug)]
pub(crate) struct ColumnSpec {
    pub(crate) name: Arc<str>,
    pub(crate) meaning: Meaning,
    pub(crate) is_list: bool,
    /// Whether a row, or an item of a list, may be null.
    pub(crate) may_be_null: bool,
}

impl ColumnSpec {
    /// The column of a count.
    pub(crate) fn count() -> Self {
        Self::new("count", Meaning::Plain(ValueType::U64))
    }

    pub(crate) fn new(name: &str, meaning: Meaning) -> Self {
        let may_be_null = matches!(meaning, Meaning::Of(_) | Meaning::Name(_));
        Self { name: name.into(), meaning, is_list: false, may_be_null }
    }

    pub(crate) fn list(name: &str, meaning: Meaning) -> Self {
        Self { is_list: true, ..Self::new(name, meaning) }
    }

    /// Makes the names of columns unique: of two columns named `count`, the second is renamed `count_2`.
    ///
    /// JSON and Arrow identify a column by its name alone, so one of two columns with the same name would be
    /// lost.
    pub(crate) fn with_own_names(columns: &mut [Self]) {
        let names: HashSet<Arc<str>> = columns.iter().map(|column| column.name.clone()).collect();
        if names.len() == columns.len() {
            return;
        }
        let mut given: HashMap<Arc<str>, u32> = HashMap::new();
        for column in columns {
            let times = given.entry(column.name.clone()).or_insert(0);
            *times += 1;
            if *times == 1 {
                continue;
            }
            let mut name = format!("{}_{times}", column.name);
            while names.contains(&*name) {
                *times += 1;
                name = format!("{}_{times}", column.name);
            }
            column.name = name.into();
        }
    }
}

/// The meaning of a column's numbers.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A node's id.
    Node,
    /// An edge, by its index in the batch.
    Edge,
    /// An element of a path. A number that is not negative is a node's id. A negative number is an edge:
    /// minus one minus its index in the batch.
    Element,
    /// An index into names of label sets or of edge labels.
    Name(Arc<[String]>),
    /// A number that does not refer to anything.
    Plain(ValueType),
    /// A value of a property.
    Of(Arc<Property>),
    /// A text that the run has computed, by its code in the run's pool.
    Text,
}

impl Meaning {
    /// The type of the values. `None` for nodes, edges and names.
    pub(crate) fn value_type(&self) -> Option<ValueType> {
        match self {
            Self::Plain(value_type) => Some(*value_type),
            Self::Of(property) => Some(property.value_type()),
            Self::Text => Some(ValueType::String),
            _ => None,
        }
    }

    /// The texts to which numbers refer, if they are in groups in the order of their bytes and not of their
    /// codes: texts of a property and a text of the query.
    pub(crate) fn mixed_texts(&self) -> Option<&Texts> {
        match self {
            Self::Of(property) => property.strings().filter(|texts| texts.has_extra()),
            _ => None,
        }
    }

    /// One more than the greatest number that the column can have. `None` if unknown.
    pub(crate) fn bound(&self, nodes: u32) -> Option<u64> {
        match self {
            Self::Node => Some(u64::from(nodes)),
            Self::Name(names) => Some(names.len() as u64),
            Self::Of(property) => property.strings().map(|strings| u64::from(strings.len()) + 1),
            Self::Edge | Self::Element | Self::Plain(_) | Self::Text => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_one_name_get_names_of_their_own() {
        let names = |given: &[&str]| -> Vec<String> {
            let column = |name: &&str| ColumnSpec::new(name, Meaning::Node);
            let mut columns: Vec<ColumnSpec> = given.iter().map(column).collect();
            ColumnSpec::with_own_names(&mut columns);
            columns.iter().map(|column| column.name.to_string()).collect()
        };
        assert_eq!(names(&["node", "count"]), ["node", "count"]);
        assert_eq!(names(&["node", "node", "node"]), ["node", "node_2", "node_3"]);
        assert_eq!(names(&["node", "node", "node_2", "node"]), ["node", "node_3", "node_2", "node_4"]);
        assert_eq!(names(&["node_2", "node_2", "node", "node"]), ["node_2", "node_2_2", "node", "node_3"]);
    }
}
