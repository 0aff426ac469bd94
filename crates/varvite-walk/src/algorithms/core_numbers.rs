//! Core numbers (Batagelj, Zaversnik: An O(m) algorithm for cores decomposition of networks, 2003): nodes are
//! removed in ascending order of the edges that they still have.

use super::buffer::Buffer;
use super::error::AlgorithmError;
use super::node_values::NodeValues;
use super::subgraph::Subgraph;

impl Subgraph {
    /// The core number of each node: the greatest `k` such that the node is in a part of the graph where
    /// every node has `k` edges or more. Edges count at both ends, so that the edges of a directed graph
    /// count whatever their direction.
    ///
    /// Costs a read of each edge in both directions, and 16 bytes for each node. Runs on one thread. Needs
    /// decoded lists.
    ///
    /// # Errors
    /// [`AlgorithmError`].
    pub fn core_numbers(&self) -> Result<NodeValues<u32>, AlgorithmError> {
        let (work, out, count) = (&self.limits.work, self.decoded_out()?, self.members.len());
        let in_ = if self.is_symmetric() { None } else { Some(self.decoded_in()?) };
        let mut meter = self.limits.meter();
        let degree = |node: usize| out.degree(node as u32) + in_.map_or(0, |in_| in_.degree(node as u32));
        let mut degrees = Buffer::made(work, count, |node| degree(node) as u32)?;
        let mut queue = Queue::of(&degrees, work)?;
        for place in 0..count {
            let node = queue.nodes[place];
            for next in out.list(node).iter().chain(in_.map_or(&[][..], |in_| in_.list(node))) {
                meter.tick(1)?;
                if degrees[*next as usize] > degrees[node as usize] {
                    queue.advance(*next, degrees[*next as usize]);
                    degrees[*next as usize] -= 1;
                }
            }
            meter.tick(1)?;
        }
        self.found(degrees.into_items())
    }
}

/// All nodes in ascending order of their degrees.
struct Queue {
    nodes: Buffer<u32>,
    /// The place of each node in `nodes`.
    places: Buffer<u32>,
    /// For each degree, the place of the first node that has it.
    begins: Buffer<u32>,
}

impl Queue {
    fn of(degrees: &[u32], budget: &varvite_graph::Budget) -> Result<Self, AlgorithmError> {
        let most = degrees.iter().max().map_or(0, |most| *most as usize);
        let mut begins = Buffer::filled(budget, 0u32, most + 2)?;
        degrees.iter().for_each(|degree| begins[*degree as usize + 1] += 1);
        for degree in 1..begins.len() {
            begins[degree] += begins[degree - 1];
        }
        let mut nodes = Buffer::filled(budget, 0u32, degrees.len())?;
        let mut places = Buffer::filled(budget, 0u32, degrees.len())?;
        for (node, degree) in (0..).zip(degrees) {
            let place = &mut begins[*degree as usize];
            (nodes[*place as usize], places[node as usize]) = (node, *place);
            *place += 1;
        }
        // Each entry has become the end of its degree's nodes, which is the begin of the next degree's.
        begins.rotate_right(1);
        begins[0] = 0;
        Ok(Self { nodes, places, begins })
    }

    /// Moves a node to the end of the nodes with one edge less.
    fn advance(&mut self, node: u32, degree: u32) {
        let (place, first) = (self.places[node as usize], self.begins[degree as usize]);
        let other = self.nodes[first as usize];
        self.nodes.swap(place as usize, first as usize);
        (self.places[node as usize], self.places[other as usize]) = (first, place);
        self.begins[degree as usize] += 1;
    }
}
