//! [`TableColumns`]: the columns of one file of an export, which are planned when the file is written.

use varvite::arrow::{Field, Table};
use varvite::memory::Reserved;
use varvite::{Budget, Graph, GraphError, PropertyId, PropertyInfo, Task};

use super::error::Result;
use super::plan::{RowKind, TablePlan};
use super::taken_names::TakenNames;
use super::uses::Uses;

/// The number of names between two checks of the cancel flag.
const PAUSE: usize = 1 << 10;
/// The copies of a name while it is chosen: the name, its lower case, and that of its numbers.
const COPIES: usize = 3;

/// The columns of a file.
#[derive(Debug)]
pub(super) struct TableColumns {
    rows: RowKind,
    properties: Vec<PropertyId>,
    /// A name for each property, with a number after it if it would be that of another column but for case.
    names: Vec<String>,
    /// The memory of the names.
    _reserved: Reserved,
}

impl TableColumns {
    /// The columns of a file: ids, and the properties that any of its rows has.
    pub(super) fn of(
        plan: &TablePlan,
        properties: &[(PropertyId, PropertyInfo)],
        uses: &Uses,
        budget: &Budget,
        task: &Task<'_>,
    ) -> Result<Self> {
        task.check()?;
        let own: Vec<(PropertyId, &str)> = match plan.rows {
            RowKind::Nodes(label) => uses.of_label(label),
            RowKind::Edges(_) => {
                let own = properties.iter().filter(|(_, info)| info.edge_label.as_ref() == Some(&plan.label));
                own.map(|(id, info)| (*id, info.name.as_str())).collect()
            }
        };
        let bytes = own.iter().map(|(_, name)| COPIES * (size_of::<String>() + name.len())).sum();
        let reserved = budget.reserve(bytes).map_err(GraphError::from)?;
        let mut taken = TakenNames::new("_", 1);
        for name in plan.rows.ids() {
            taken.take(name);
        }
        let mut names = Vec::with_capacity(own.len());
        for (count, (_, name)) in own.iter().enumerate() {
            if count.is_multiple_of(PAUSE) {
                task.check()?;
            }
            names.push(if taken.take(name) { (*name).to_owned() } else { taken.take_numbered(name) });
        }
        let properties = own.into_iter().map(|(id, _)| id).collect();
        Ok(Self { rows: plan.rows, properties, names, _reserved: reserved })
    }

    /// The rows and columns.
    pub(super) fn open(&self, graph: &Graph) -> Result<Table> {
        Ok(match self.rows {
            RowKind::Nodes(label) => Table::of_nodes(graph, Some(label), &self.properties)?,
            RowKind::Edges(label) => Table::of_edges(graph, label, &self.properties)?,
        })
    }

    /// The columns of the file: for each, the index in batches of the table, and its field under its name in
    /// the file. Ranks of edges are left out: they number the changes of this graph only.
    pub(super) fn fields(&self, fields: &[Field]) -> Vec<(usize, Field)> {
        let first = fields.len() - self.properties.len();
        let ids = (0..self.rows.ids().len()).map(|index| (index, None));
        let named = (first..).zip(self.names.iter().map(Some));
        let renamed = |(index, name): (usize, Option<&String>)| {
            let mut field = fields.get(index)?.clone();
            field.name = name.cloned().unwrap_or(field.name);
            Some((index, field))
        };
        ids.chain(named).filter_map(renamed).collect()
    }
}
