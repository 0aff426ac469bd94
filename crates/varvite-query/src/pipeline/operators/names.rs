//! [`Names`]: the rows that inner pipelines have named, also while a pipeline runs for many rows at once.

use crate::pipeline::rows::{Batch, Element};

/// The rows that inner pipelines have named, by the numbers of the names.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// The row or rows of each name, and the number of runs around the pipeline that gave the name.
    named: Vec<Option<(Named, usize)>>,
    /// For each run around the current rows: the number of each of its rows in the run around it.
    levels: Vec<Vec<u32>>,
    /// A buffer for the numbers of a run for one row.
    pub(super) spare: Vec<u32>,
}

/// The row with which a pipeline began, or the rows with which a run for many rows began.
#[derive(Debug)]
pub(super) enum Named {
    Row(Element),
    Rows(Vec<Element>),
}

impl Names {
    /// Names the rows with which the current pipeline began, until [`Names::take`] removes the name. The
    /// pipelines inside have greater names.
    pub(super) fn name(&mut self, name: usize, named: Named) {
        if self.named.len() <= name {
            self.named.resize_with(name + 1, || None);
        }
        self.named[name] = Some((named, self.levels.len()));
    }

    pub(super) fn take(&mut self, name: usize) -> Named {
        let named = self.named.get_mut(name).and_then(Option::take);
        named.map_or_else(Named::default, |(named, _)| named)
    }

    /// Begins a run inside the current one. Its rows have these numbers in the current run.
    pub(super) fn enter(&mut self, around: Vec<u32>) {
        self.levels.push(around);
    }

    /// Ends the innermost run, and returns the numbers with which it began.
    pub(super) fn leave(&mut self) -> Vec<u32> {
        self.levels.pop().unwrap_or_default()
    }

    /// The row of a name, for a row with a number in the current run.
    pub(super) fn get(&self, name: usize, number: u32) -> Option<Element> {
        let (named, level) = self.named.get(name)?.as_ref()?;
        match named {
            Named::Row(row) => Some(*row),
            Named::Rows(rows) => {
                let mut inner_first = self.levels.get(*level..)?.iter().rev();
                let outwards = |number: u32, around: &Vec<u32>| around.get(number as usize).copied();
                rows.get(inner_first.try_fold(number, outwards)? as usize).copied()
            }
        }
    }
}

impl Named {
    /// Takes the rows of a batch with these indexes.
    pub(super) fn take_rows(&mut self, from: &Batch, indexes: &[u32]) {
        let mut rows = match std::mem::take(self) {
            Self::Rows(rows) => rows,
            Self::Row(_) => Vec::new(),
        };
        rows.clear();
        rows.extend(indexes.iter().filter_map(|row| from.element(*row as usize)));
        *self = Self::Rows(rows);
    }
}

impl Default for Named {
    fn default() -> Self {
        Self::Rows(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_many_rows_is_found_from_runs_inside() {
        let mut names = Names::default();
        names.levels.push(vec![0, 0, 0]);
        let rows = [10, 11, 12].map(Element::Node);
        names.name(1, Named::Rows(rows.into()));
        assert_eq!(names.get(1, 2), Some(Element::Node(12)));
        names.levels.push(vec![2, 0]);
        names.name(0, Named::Row(Element::Node(5)));
        assert_eq!([names.get(1, 0), names.get(1, 1)], [Some(rows[2]), Some(rows[0])]);
        assert_eq!((names.get(0, 7), names.get(1, 7), names.get(2, 0)), (Some(Element::Node(5)), None, None));
        names.take(1);
        assert_eq!(names.get(1, 0), None);
    }
}
