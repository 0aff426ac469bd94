//! What functions, places, files and modules come to.

use std::collections::HashMap;

use super::stored::{HeapLayer, StoredPlace};
use crate::profile::Counts;

/// What is told of together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Functions of one name, module and file.
    Function,
    /// Lines of functions.
    Place,
    /// Source files.
    File,
    /// Files of code.
    Module,
}

/// What calls with the same name or place come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopRow {
    /// The function; empty where it is not asked for. An address in hexadecimal where nothing is known of it.
    pub function: String,
    /// The source file.
    pub file: String,
    /// The line; 0 where it is not asked for, or not known.
    pub line: i64,
    /// The file of the code.
    pub module: String,
    /// The METHOD, if all of it is of one.
    pub method: Option<u32>,
    /// Itself.
    pub own: Counts,
    /// With all that it called. What calls itself counts once.
    pub all: Counts,
}

impl TopRow {
    fn of(place: &StoredPlace, method: Option<u32>, by: By) -> Self {
        let function = place.function();
        let StoredPlace { module, file, line, .. } = place.clone();
        match by {
            By::Place => Self { function, file, line, module, method, ..Self::default() },
            By::Function => Self { function, file, module, method, ..Self::default() },
            By::File => Self { file, ..Self::default() },
            By::Module => Self { module, ..Self::default() },
        }
    }

    fn key(&self) -> (String, String, i64, String) {
        (self.function.clone(), self.file.clone(), self.line, self.module.clone())
    }
}

impl HeapLayer {
    /// What calls of the same function, place, file or module come to, in no order.
    ///
    /// **Cost**: linear in the steps of the tree.
    pub fn top(&self, by: By) -> Vec<TopRow> {
        let (mut rows, mut known) = (Vec::<TopRow>::new(), HashMap::new());
        let row_of_place: Vec<usize> = self
            .places
            .iter()
            .zip(&self.join.places)
            .map(|(place, (method, _))| {
                let row = TopRow::of(place, *method, by);
                *known.entry(row.key()).or_insert_with(|| {
                    rows.push(row);
                    rows.len() - 1
                })
            })
            .collect();
        for ((method, _), row) in self.join.places.iter().zip(&row_of_place) {
            if rows[*row].method != *method {
                rows[*row].method = None;
            }
        }
        let tree = &self.tree;
        let row = |node: u32| row_of_place[tree.place_of[node as usize] as usize];
        for (node, own) in (0..).zip(&tree.own) {
            rows[row(node)].own += *own;
        }
        let all = |row: usize, _, counts| rows[row].all += counts;
        tree.sum_once(|node| [Some(row(node)), None], all);
        rows
    }
}
