//! Algorithms on whole graphs, written in the most naive way. Each algorithm follows the definition of its
//! result, and goes through the whole graph again and again.

/// A graph, stored as a list of edge targets for each node. Nodes are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelLists {
    /// The targets of the edges of each node; a target occurs once for each edge that leads to it.
    pub out: Vec<Vec<usize>>,
}

impl ModelLists {
    /// All edges as (source, target), in the order of their sources.
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let of = |(source, targets): (usize, &Vec<usize>)| {
            targets.iter().map(move |target| (source, *target)).collect::<Vec<_>>()
        };
        self.out.iter().enumerate().flat_map(of).collect()
    }

    /// A graph with each edge reversed.
    pub fn reversed(&self) -> Self {
        let mut out = vec![Vec::new(); self.out.len()];
        self.edges().into_iter().for_each(|(source, target)| out[target].push(source));
        Self { out }
    }

    /// A graph that has each edge and its reverse.
    pub fn both_ways(&self) -> Self {
        let both = self.out.iter().zip(self.reversed().out);
        Self { out: both.map(|(out, in_)| [&out[..], &in_[..]].concat()).collect() }
    }

    /// The number of edges on the shortest path from any of the sources to each node. `None` if there is no
    /// path.
    pub fn distances(&self, sources: &[usize]) -> Vec<Option<usize>> {
        let costs = self.least_costs(sources, |_, _| 1.0);
        costs.into_iter().map(|cost| cost.is_finite().then_some(cost as usize)).collect()
    }

    /// The cost of the cheapest path from any of the sources to each node. To find the costs, all edges are
    /// tried again and again until no cost changes.
    pub fn least_costs(&self, sources: &[usize], cost: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        let mut costs = vec![f64::INFINITY; self.out.len()];
        sources.iter().for_each(|source| costs[*source] = 0.0);
        loop {
            let before = costs.clone();
            for (source, target) in self.edges() {
                costs[target] = costs[target].min(costs[source] + cost(source, target));
            }
            if costs == before {
                return costs;
            }
        }
    }

    /// For each node, the smallest node that it reaches if edges are followed in both directions.
    pub fn components(&self) -> Vec<usize> {
        let lists = self.both_ways();
        (0..self.out.len()).map(|node| smallest(&lists.reached(&[node], None))).collect()
    }

    /// For each node, the smallest node that it reaches and from which it can be reached.
    pub fn strong_components(&self) -> Vec<usize> {
        let back = self.reversed();
        let of = |node| {
            let both = self.reached(&[node], None).into_iter().zip(back.reached(&[node], None));
            smallest(&both.map(|(there, back)| there && back).collect::<Vec<_>>())
        };
        (0..self.out.len()).map(of).collect()
    }

    /// For each node, whether any of the sources reaches it on a path that does not contain the node
    /// `without`.
    pub fn reached(&self, sources: &[usize], without: Option<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.out.len()];
        let mut open: Vec<usize> = sources.to_vec();
        while let Some(node) = open.pop() {
            if Some(node) != without && !std::mem::replace(&mut reached[node], true) {
                open.extend(&self.out[node]);
            }
        }
        reached
    }

    /// The PageRank of each node after a number of iterations.
    pub fn page_rank(&self, damping: f64, iterations: usize) -> Vec<f64> {
        let count = self.out.len() as f64;
        let mut ranks = vec![1.0 / count; self.out.len()];
        for _ in 0..iterations {
            let stuck: f64 =
                ranks.iter().zip(&self.out).filter(|(_, out)| out.is_empty()).map(|(rank, _)| rank).sum();
            let mut next = vec![(1.0 - damping) / count + damping * stuck / count; self.out.len()];
            for (source, target) in self.edges() {
                next[target] += damping * ranks[source] / self.out[source].len() as f64;
            }
            ranks = next;
        }
        ranks
    }

    /// The label of each node after a number of iterations of label propagation. In each iteration, a node
    /// gets the most frequent label among its neighbours, and the smallest one if several are equally
    /// frequent.
    pub fn communities(&self, iterations: usize) -> Vec<usize> {
        let neighbors = self.both_ways().out;
        let mut labels: Vec<usize> = (0..self.out.len()).collect();
        for _ in 0..iterations {
            let next = |(node, neighbors): (usize, &Vec<usize>)| {
                let of_neighbors: Vec<usize> = neighbors.iter().map(|neighbor| labels[*neighbor]).collect();
                let count = |label: usize| of_neighbors.iter().filter(|other| **other == label).count();
                let most = of_neighbors.iter().map(|label| count(*label)).max();
                let frequent = of_neighbors.iter().copied().filter(|label| Some(count(*label)) == most);
                frequent.min().unwrap_or(labels[node])
            };
            labels = neighbors.iter().enumerate().map(next).collect();
        }
        labels
    }

    /// For each node, the share of all possible edges between its neighbours that exist.
    pub fn clustering(&self) -> Vec<f64> {
        let both = self.both_ways().out;
        let of = |node: usize| {
            let mut neighbors: Vec<usize> =
                both[node].iter().copied().filter(|other| *other != node).collect();
            neighbors.sort_unstable();
            neighbors.dedup();
            let pairs = neighbors.iter().flat_map(|one| neighbors.iter().map(move |other| (*one, *other)));
            let there = pairs.filter(|(one, other)| one != other && self.out[*one].contains(other)).count();
            match neighbors.len() {
                0 | 1 => 0.0,
                count => there as f64 / (count * (count - 1)) as f64,
            }
        };
        (0..self.out.len()).map(of).collect()
    }

    /// The dominators of each node, without the node itself: the nodes that are on every path from the roots
    /// to the node. `None` if no path leads to the node.
    pub fn dominators(&self, roots: &[usize]) -> Vec<Option<Vec<usize>>> {
        let reached = self.reached(roots, None);
        let without: Vec<Vec<bool>> =
            (0..self.out.len()).map(|node| self.reached(roots, Some(node))).collect();
        let of = |node: usize| {
            let others = (0..self.out.len()).filter(|other| *other != node && reached[*other]);
            reached[node].then(|| others.filter(|other| !without[*other][node]).collect())
        };
        (0..self.out.len()).map(of).collect()
    }

    /// The immediate dominator of each node: the dominator that all its other dominators dominate.
    pub fn immediate_dominators(&self, roots: &[usize]) -> Vec<Option<usize>> {
        let all = self.dominators(roots);
        let count = |node: &usize| all[*node].as_ref().map_or(0, Vec::len);
        all.iter().map(|of_node| of_node.as_ref()?.iter().copied().max_by_key(count)).collect()
    }
}

fn smallest(reached: &[bool]) -> usize {
    reached.iter().position(|is_reached| *is_reached).expect("a node reaches itself")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph with edges from 0 to 1 and 2, from 1 and 2 to 3, from 3 to 4, and from 4 back to 3. Node 5 has
    /// no edges.
    fn diamond() -> ModelLists {
        ModelLists { out: vec![vec![1, 2], vec![3], vec![3], vec![4], vec![3], vec![]] }
    }

    #[test]
    fn answers_are_those_of_the_definitions() {
        let lists = diamond();
        assert_eq!(lists.distances(&[0]), [Some(0), Some(1), Some(1), Some(2), Some(3), None]);
        assert_eq!(lists.components(), [0, 0, 0, 0, 0, 5]);
        assert_eq!(lists.strong_components(), [0, 1, 2, 3, 3, 5]);
        assert_eq!(lists.immediate_dominators(&[0]), [None, Some(0), Some(0), Some(0), Some(3), None]);
        assert_eq!(lists.immediate_dominators(&[1, 2]), [None, None, None, None, Some(3), None]);
        assert_eq!(lists.least_costs(&[1], |_, target| target as f64)[4], 7.0);
        assert_eq!(lists.communities(0), [0, 1, 2, 3, 4, 5]);
        // The neighbours of 3 are 1, 2 and, counted twice, 4.
        assert_eq!(lists.communities(1), [1, 0, 0, 4, 3, 5]);
        let triangle = ModelLists { out: vec![vec![1, 2], vec![2], vec![1]] };
        assert_eq!(triangle.clustering(), [1.0, 0.5, 0.5]);
        let ranks = lists.page_rank(0.85, 50);
        assert!(
            (ranks.iter().sum::<f64>() - 1.0).abs() < 1e-12 && ranks[3] > ranks[4] && ranks[4] > ranks[0]
        );
    }
}
