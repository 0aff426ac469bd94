//! [`Column`]: the title, alignment and minimum width of a column, fixed before its first row.

use std::collections::{HashMap, HashSet};

use varvite::Graph;

/// A column of rows: its title, and how tables align it.
#[derive(Clone, Debug)]
pub struct Column {
    pub(super) name: String,
    pub(super) is_number: bool,
    /// Whether cells of the column are never cut.
    pub(super) is_whole: bool,
    /// The minimum width in characters, which is known before the first cell.
    pub(super) width_min: usize,
}

impl Column {
    /// A column of texts.
    pub fn text(name: impl Into<String>) -> Self {
        Self { name: name.into(), is_number: false, is_whole: false, width_min: 0 }
    }

    /// A column of numbers, which tables align to the right.
    pub fn number(name: impl Into<String>) -> Self {
        Self { name: name.into(), is_number: true, is_whole: false, width_min: 0 }
    }

    /// The column of node ids.
    pub fn node(graph: &Graph, name: impl Into<String>) -> Self {
        let id_max = graph.node_count().saturating_sub(1);
        Self { width_min: id_max.to_string().len(), ..Self::number(name) }
    }

    /// Prevents tables from cutting the column's texts. For example, an editor could not open a shortened
    /// location.
    #[must_use]
    pub fn whole(self) -> Self {
        Self { is_whole: true, ..self }
    }

    /// Whether the column has code that tables may cut.
    pub(super) fn is_code(&self) -> bool {
        let name = self.name.as_bytes();
        name.len() >= 4 && name[name.len() - 4..].eq_ignore_ascii_case(b"code") && self.may_be_cut()
    }

    /// Whether a table may cut the column's texts to fit a terminal.
    pub(super) fn may_be_cut(&self) -> bool {
        !self.is_number && !self.is_whole
    }

    /// Makes the titles of columns unique: if two columns are titled `node`, the second becomes `node_2`.
    pub(crate) fn with_own_names(columns: &mut [Self]) {
        let names: HashSet<String> = columns.iter().map(|column| column.name.clone()).collect();
        if names.len() == columns.len() {
            return;
        }
        let mut given: HashMap<String, u32> = HashMap::new();
        for column in columns {
            let times = given.entry(column.name.clone()).or_insert(0);
            *times += 1;
            if *times == 1 {
                continue;
            }
            while names.contains(&format!("{}_{times}", column.name)) {
                *times += 1;
            }
            column.name = format!("{}_{times}", column.name);
        }
    }

    /// The column's title.
    pub fn name(&self) -> &str {
        &self.name
    }
}
