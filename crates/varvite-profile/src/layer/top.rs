//! Sums the counts of functions, places, files or modules.

use std::collections::HashMap;

use super::known_place::KnownPlace;
use super::stored::HeapLayer;
use crate::measure::Counts;

/// The grouping of calls into rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By function name, module and source file.
    Function,
    /// By function and line.
    Place,
    /// By source file.
    File,
    /// By file of the machine code: a program or a library.
    Module,
}

/// The sums of the calls with the same key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopRow {
    /// The fields by which calls are grouped; and the METHOD, if all calls of the row are in the same METHOD.
    pub place: KnownPlace,
    /// The calls' own counts.
    pub own: Counts,
    /// The calls' counts, including those of all callees. Recursive calls are counted once.
    pub all: Counts,
}

impl TopRow {
    fn of(place: KnownPlace, by: By) -> Self {
        let place = match by {
            By::Place => place,
            By::Function => KnownPlace { line: 0, ..place },
            By::File => KnownPlace { file: place.file, ..KnownPlace::default() },
            By::Module => KnownPlace { module: place.module, ..KnownPlace::default() },
        };
        Self { place, ..Self::default() }
    }

    /// The key of a row. Rows with equal keys are merged, and rows with equal sums are sorted by key.
    pub fn key(&self) -> (String, String, i64, String) {
        let KnownPlace { function, file, line, module, method: _ } = self.place.clone();
        (function, file, line, module)
    }
}

impl HeapLayer {
    /// The sums of calls by function, place, file or module, in no particular order.
    ///
    /// **Cost**: linear in the number of steps of the tree.
    pub fn top(&self, by: By) -> Vec<TopRow> {
        let (mut rows, mut known) = (Vec::<TopRow>::new(), HashMap::new());
        let row_of_place: Vec<usize> = (0..self.places.len() as u32)
            .map(|place| {
                let row = TopRow::of(self.known_place(place), by);
                *known.entry(row.key()).or_insert_with(|| {
                    rows.push(row);
                    rows.len() - 1
                })
            })
            .collect();
        for ((method, _), row) in self.join.places.iter().zip(&row_of_place) {
            if rows[*row].place.method != *method {
                rows[*row].place.method = None;
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
