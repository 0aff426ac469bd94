//! [`NewRanks`]: the labels and ranks of the edges that a diff adds. The edges are divided into lanes: each
//! of the first labels has its own lane, and all further labels share the last lane.

use std::collections::BTreeMap;

use varvite_format::EdgeLabelId;

/// The rank of a new edge that was left out because the diff removes one of its ends.
pub(super) const LEFT_OUT: u32 = u32::MAX;

/// The number of edges in a step. For each step, the number of earlier edges in each lane is stored.
const STEP: usize = 512;
/// The last lane, which all further labels share once every other lane has a label.
const OTHERS: usize = 255;

/// The label and the rank of each new edge; the rank is [`LEFT_OUT`] if the edge was left out. Memory: eight
/// bytes for each run of consecutive ranks of one label and, if there are several labels, one or two bytes
/// more for each edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NewRanks {
    len: u32,
    lanes: Vec<Lane>,
    /// The lane of each label that has a lane of its own.
    lane_of: BTreeMap<EdgeLabelId, u8>,
    /// For each edge, the number of its lane; empty while there is only one lane.
    numbers: Vec<u8>,
    /// For every [`STEP`]th edge, the number of earlier edges in each lane that existed then.
    counts: Vec<u32>,
    /// For each step, the index of its first count in `counts`.
    steps: Vec<u32>,
}

/// The new edges of one label, or of all labels that share the last lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Lane {
    len: u32,
    /// One label for all edges of the lane; in the lane of several labels, one for each edge.
    labels: Vec<EdgeLabelId>,
    /// The first edge of each run, and that edge's rank. Within a run, ranks ascend by one, or all edges were
    /// left out.
    runs: Vec<(u32, u32)>,
}

impl NewRanks {
    /// The number of edges.
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// Bytes of memory that the ranks take.
    pub(super) fn heap_bytes(&self) -> usize {
        let lanes = self.lanes.iter().map(|lane| size_of_val(&*lane.runs) + size_of_val(&*lane.labels));
        lanes.sum::<usize>() + self.numbers.len() + size_of_val(&*self.counts) + size_of_val(&*self.steps)
    }

    /// Appends the label and the rank of the next edge.
    pub(super) fn push(&mut self, label: EdgeLabelId, rank: u32) {
        let number = match self.lane_of.get(&label) {
            Some(known) => usize::from(*known),
            None => self.lane_for(label),
        };
        if self.lanes.len() > 1 {
            if self.numbers.len().is_multiple_of(STEP) {
                self.steps.push(self.counts.len() as u32);
                self.counts.extend(self.lanes.iter().map(|lane| lane.len));
            }
            self.numbers.push(number as u8);
        }
        let lane = &mut self.lanes[number];
        if number == OTHERS {
            lane.labels.push(label);
        }
        lane.push(rank);
        self.len += 1;
    }

    /// The lane for a label that has no lane of its own yet.
    fn lane_for(&mut self, label: EdgeLabelId) -> usize {
        let number = self.lane_of.len();
        if number < OTHERS {
            self.lane_of.insert(label, number as u8);
        }
        if number == 1 && self.numbers.is_empty() {
            // From the second label on, the lane of each edge is stored.
            self.numbers = vec![0; self.len()];
            self.counts = (0..self.len).step_by(STEP).collect();
            self.steps = (0..self.counts.len() as u32).collect();
        }
        if number >= self.lanes.len() {
            let labels = if number < OTHERS { vec![label] } else { Vec::new() };
            self.lanes.push(Lane { labels, ..Lane::default() });
        }
        number
    }

    /// The lane of an edge, and its index in the lane. `None` if there is no such edge.
    fn place(&self, edge: usize) -> Option<(usize, u32)> {
        if edge >= self.len() {
            return None;
        }
        let Some(number) = self.numbers.get(edge) else { return Some((0, edge as u32)) };
        let step = edge / STEP;
        let start = self.steps[step] as usize;
        let end = self.steps.get(step + 1).map_or(self.counts.len(), |end| *end as usize);
        let before = self.counts[start..end].get(usize::from(*number)).copied().unwrap_or(0);
        let since = self.numbers[step * STEP..edge].iter().filter(|other| *other == number).count();
        Some((usize::from(*number), before + since as u32))
    }

    /// The label of an edge. `None` if there is no such edge.
    pub(super) fn label(&self, edge: usize) -> Option<EdgeLabelId> {
        let (lane, index) = self.place(edge)?;
        let labels = &self.lanes[lane].labels;
        Some(labels[if lane == OTHERS { index as usize } else { 0 }])
    }

    /// The rank of an edge.
    ///
    /// # Panics
    /// If there is no edge with this number.
    pub(super) fn get(&self, edge: usize) -> u32 {
        let (lane, index) = self.place(edge).expect("there is such an edge");
        self.lanes[lane].get(index)
    }
}

impl Lane {
    fn push(&mut self, rank: u32) {
        let expected = self.runs.last().map(|(first, of_first)| of_run(*of_first, self.len - first));
        if expected != Some(rank) {
            self.runs.push((self.len, rank));
        }
        self.len += 1;
    }

    fn get(&self, edge: u32) -> u32 {
        let (first, rank) = self.runs[self.runs.partition_point(|(first, _)| *first <= edge) - 1];
        of_run(rank, edge - first)
    }
}

fn of_run(first: u32, index: u32) -> u32 {
    if first == LEFT_OUT { LEFT_OUT } else { first + index }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(all: &[(EdgeLabelId, u32)]) -> NewRanks {
        let mut ranks = NewRanks::default();
        all.iter().for_each(|(label, rank)| ranks.push(*label, *rank));
        let found = (0..ranks.len()).map(|edge| (ranks.label(edge).unwrap(), ranks.get(edge)));
        assert!(found.eq(all.iter().copied()));
        assert_eq!(ranks.label(all.len()), None);
        ranks
    }

    #[test]
    fn ranks_come_back_whether_they_rise_or_not() {
        let all = [5, 6, 7, LEFT_OUT, LEFT_OUT, 8, 0, 1, 9, 2, LEFT_OUT, 0];
        let ranks = check(&all.map(|rank| (EdgeLabelId(3), rank)));
        assert_eq!((ranks.lanes[0].runs.len(), ranks.numbers.len()), (8, 0));
    }

    #[test]
    fn edges_of_several_labels_take_little_more_than_those_of_one() {
        // The first edges all have the first label. The other labels appear later, in some cases at the start
        // of a step.
        for (labels, late) in [(3, 1), (3, 700), (3, 1024), (300, 512), (1000, 3)] {
            let mut next: Vec<u32> = (0..labels).map(|label| label * 10_000).collect();
            let all: Vec<(EdgeLabelId, u32)> = (0..9_000u32)
                .map(|edge| {
                    let label = if edge < late { 0 } else { edge * 7 % labels };
                    let rank = &mut next[label as usize];
                    *rank += 1;
                    (EdgeLabelId(label), if edge % 1000 == 17 { LEFT_OUT } else { *rank })
                })
                .collect();
            let ranks = check(&all);
            assert!(labels > 3 || ranks.heap_bytes() < 10_000);
        }
    }
}
