//! `varvite_adjacency`: the neighbours of nodes along one edge label, in one direction.

use std::mem::MaybeUninit;
use std::sync::{Arc, OnceLock};

use varvite::cursor::Ranks;
use varvite::{Adjacency, Direction, EdgeLabelId};

use crate::failure::Failure;
use crate::graph::{GraphObject, OpenGraph};
use crate::handle::{Counted, Handle, Kind};
use crate::labels::check_node;
use crate::pointer::{Items, OptionalOutItems, Out, OutAddress, OutItems};
use crate::room::{Room, copy};
use crate::schema::edge_label_at;
use crate::status::Status;

/// The object behind an adjacency handle: an adjacency, with its graph.
pub(crate) struct AdjacencyObject {
    pub(crate) open: Arc<OpenGraph>,
    adjacency: Adjacency,
    edge_label: EdgeLabelId,
    direction: Direction,
    /// Edge ranks, opened on first use; `None` if edges of the label have no ranks.
    ranks: OnceLock<Option<Ranks>>,
}

impl AdjacencyObject {
    fn ranks(&self) -> Result<Option<&Ranks>, Failure> {
        let ranks = match self.ranks.get() {
            Some(ranks) => ranks,
            None => {
                let opened = self.open.graph.ranks(self.edge_label, self.direction)?;
                self.ranks.get_or_init(|| opened)
            }
        };
        Ok(ranks.as_ref())
    }
}

impl Kind for AdjacencyObject {
    const NAME: &'static str = "adjacency";
    const FOUND: &'static str = "it is one of an adjacency";
    const C: &'static str = "varvite_adjacency";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = Some(|it| &it.open.graph);
}

/// Numbers of the directions in the header.
pub(crate) const OUT: u32 = 0;
pub(crate) const IN: u32 = 1;

exports! {
    /// Opens an edge label in one direction.
    fn varvite_adjacency_open(
        graph: Handle<GraphObject>,
        edge_label: u32,
        direction: u32,
        adjacency: Out<'_, Counted<AdjacencyObject>>,
    ) {
        let open = graph.graph()?;
        let edge_label = edge_label_at(&open.graph, edge_label)?;
        let direction = direction_of(direction)?;
        let opened = open.graph.adjacency(edge_label, direction)?;
        let ranks = OnceLock::new();
        adjacency.write(Counted::new(AdjacencyObject { open, adjacency: opened, edge_label, direction, ranks }));
        Ok(Status::Ok)
    }

    /// The neighbours of a node, in the order of the graph.
    fn varvite_adjacency_neighbors(
        adjacency: Handle<AdjacencyObject>,
        node: u32,
        neighbors: OutItems<'_, u32>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        adjacency.read(|object| {
            check_node(&object.open, node)?;
            Room { items: neighbors, capacity, count }.fill_counting(object.adjacency.neighbors(node))
        })
    }

    /// The neighbours of a node, returned as a pointer into the mapped file.
    fn varvite_adjacency_borrow(
        adjacency: Handle<AdjacencyObject>,
        node: u32,
        neighbors: Out<'_, OutAddress<u32>>,
        count: Out<'_, u64>,
    ) {
        adjacency.read(|object| {
            check_node(&object.open, node)?;
            let Some(list) = object.adjacency.slice(node) else { return Ok(Status::Absent) };
            neighbors.write(OutAddress::new(list));
            count.write(list.len() as u64);
            Ok(Status::Borrowed)
        })
    }

    /// The number of neighbours of a node.
    fn varvite_adjacency_degree(adjacency: Handle<AdjacencyObject>, node: u32, degree: Out<'_, u64>) {
        adjacency.read(|object| {
            check_node(&object.open, node)?;
            degree.write(object.adjacency.degree(node) as u64);
            Ok(Status::Ok)
        })
    }

    /// The rank of the first out-edge of a node. Edge properties are stored by rank.
    fn varvite_adjacency_first_rank(adjacency: Handle<AdjacencyObject>, node: u32, rank: Out<'_, u64>) {
        adjacency.read(|object| {
            check_node(&object.open, node)?;
            let Some(first) = object.adjacency.first_rank(node) else { return Ok(Status::Absent) };
            rank.write(first as u64);
            Ok(Status::Ok)
        })
    }

    /// The rank of each edge of a node, in the order of its neighbours.
    fn varvite_adjacency_ranks(
        adjacency: Handle<AdjacencyObject>,
        node: u32,
        ranks: OutItems<'_, u32>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        adjacency.read(|object| {
            check_node(&object.open, node)?;
            let Some(found) = object.ranks()? else { return Ok(Status::Absent) };
            Room { items: ranks, capacity, count }.fill_counting(found.of(node).map(|(_, rank)| rank))
        })
    }

    /// Writes the neighbour lists of many nodes one after the other, as many whole lists as fit.
    fn varvite_adjacency_expand(
        adjacency: Handle<AdjacencyObject>,
        frontier: Items<'_, u32>,
        frontier_count: u64,
        neighbors: OutItems<'_, u32>,
        capacity: u64,
        ends: OptionalOutItems<'_, u64>,
        expanded: Out<'_, u64>,
        count: Out<'_, u64>,
    ) {
        let argument = neighbors.name();
        let expansion = Expansion {
            frontier: frontier.slice(frontier_count)?,
            neighbors: neighbors.slice(capacity)?,
            ends: ends.slice(frontier_count)?,
        };
        let ended = adjacency.read(|object| expansion.expand(object))?;
        expanded.write(ended.expanded);
        count.write(ended.count);
        match ended.needed {
            Some(needed) => Err(Failure::TooSmall { argument, capacity, needed }),
            None => Ok(Status::Ok),
        }
    }
}

/// The caller's arrays for the neighbours of a frontier.
struct Expansion<'c> {
    frontier: &'c [u32],
    neighbors: &'c mut [MaybeUninit<u32>],
    ends: Option<&'c mut [MaybeUninit<u64>]>,
}

/// The result of an expansion: how many nodes were expanded, and how many neighbours were written.
struct Ended {
    expanded: u64,
    count: u64,
    /// The length of the first list if that list does not fit; else `None`.
    needed: Option<u64>,
}

impl Expansion<'_> {
    fn expand(mut self, object: &AdjacencyObject) -> Result<Ended, Failure> {
        let (mut used, mut list) = (0, Vec::new());
        for (place, node) in self.frontier.iter().enumerate() {
            check_node(&object.open, *node)?;
            list.clear();
            object.adjacency.append(*node, &mut list);
            let Some(room) = self.neighbors.get_mut(used..used + list.len()) else {
                let needed = (place == 0).then_some(list.len() as u64);
                return Ok(Ended { expanded: place as u64, count: used as u64, needed });
            };
            copy(room, &list);
            used += list.len();
            if let Some(ends) = &mut self.ends {
                ends[place].write(used as u64);
            }
        }
        Ok(Ended { expanded: self.frontier.len() as u64, count: used as u64, needed: None })
    }
}

fn direction_of(number: u32) -> Result<Direction, Failure> {
    match number {
        OUT => Ok(Direction::Out),
        IN => Ok(Direction::In),
        other => Err(Failure::Value {
            argument: "direction",
            expected: "VARVITE_OUT or VARVITE_IN",
            found: other.into(),
        }),
    }
}
