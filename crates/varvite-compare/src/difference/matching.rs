//! [`match_nodes`]: pairs the nodes of one graph with the equal nodes of another.
//!
//! From the roots down, the children of two paired nodes are matched with one another. Children with equal
//! subtrees are paired first, then those with the same labels and texts, then those that share a text that
//! none of their siblings has, and then those with the same labels, in order. Among several equal children,
//! the k-th of one node is paired with the k-th of the other. If the two nodes have different numbers of
//! equal children, those with the same in-edges and out-edges are paired first. Nodes that are still without
//! a partner may have been moved, so they are then matched in the whole graph.
//!
//! Siblings are sorted by hashes of their content, so that matching a million siblings takes a second and not
//! a week.

use super::content::{Contents, mix};
use super::node_map::NodeMap;
use super::schema::SharedSchema;
use super::walk::{NODES_AT_ONCE, TreeWalk};
use varvite_graph::{Adjacency, Direction, GraphScan, Property, Result, ScratchVec};

/// The maximum number of properties whose texts are used, one property after another, to pair siblings.
const TEXT_PROPERTIES_MAX: usize = 16;

/// Matches the nodes of two graphs.
pub(super) fn match_nodes<'p>(
    passes: [&'p GraphScan<'_>; 2],
    walks: [&TreeWalk<'_>; 2],
    contents: [&Contents<'_>; 2],
    schema: &SharedSchema<'_>,
) -> Result<NodeMap<'p>> {
    let mut matching = Matching {
        passes,
        walks,
        contents,
        schema,
        map: NodeMap::new(passes, walks.map(TreeWalk::len))?,
        texts: text_properties(passes, schema)?,
        lists: edge_lists(passes, schema)?,
        left: [ScratchVec::new(passes[0])?, ScratchVec::new(passes[1])?],
        keyed: [ScratchVec::new(passes[0])?, ScratchVec::new(passes[1])?],
        open: ScratchVec::new(passes[0])?,
        since_check: 0,
    };
    matching.match_roots()?;
    matching.anywhere()?;
    matching.part_unlike();
    Ok(matching.map)
}

/// A property that both graphs have: its index in the schema, and its values in each graph.
type TextProperty = (usize, [Property; 2]);

/// The lists of an edge label in each graph, in one direction.
type EdgeLists = [Adjacency; 2];

struct Matching<'p, 'm> {
    passes: [&'p GraphScan<'p>; 2],
    walks: [&'m TreeWalk<'m>; 2],
    contents: [&'m Contents<'m>; 2],
    schema: &'m SharedSchema<'m>,
    map: NodeMap<'p>,
    texts: Vec<TextProperty>,
    lists: Vec<EdgeLists>,
    /// The positions of the siblings that are being matched and have no partner yet.
    left: [ScratchVec<'p, u32>; 2],
    /// The siblings of `left`, each with the key by which it is matched.
    keyed: [ScratchVec<'p, (u64, u32)>; 2],
    /// Pairs of nodes whose children are not matched yet.
    open: ScratchVec<'p, (u32, u32)>,
    since_check: u32,
}

/// The content by which nodes are matched.
#[derive(Clone, Copy)]
enum By {
    /// The whole content of the node and its descendants.
    All,
    /// Labels and texts of the node and its descendants.
    TextsBelow,
    /// Labels and texts of the node.
    Texts,
    /// Labels of the node.
    Labels,
}

impl<'p> Matching<'p, '_> {
    fn match_roots(&mut self) -> Result<()> {
        self.match_children(None)?;
        self.match_open()
    }

    fn match_open(&mut self) -> Result<()> {
        while let Some((first, second)) = self.open.pop() {
            self.match_children(Some((first, second)))?;
        }
        Ok(())
    }

    fn match_children(&mut self, parents: Option<(u32, u32)>) -> Result<()> {
        self.take_children(parents)?;
        self.pair_ends()?;
        for by in [By::All, By::TextsBelow, By::Texts] {
            self.pair_alike(by)?;
        }
        self.pair_by_one_text()?;
        self.pair_alike(By::Labels)
    }

    /// Collects the children without a partner of two paired nodes, or the roots without a partner.
    fn take_children(&mut self, parents: Option<(u32, u32)>) -> Result<()> {
        for side in 0..2 {
            let parent = parents.map(|(first, second)| [first, second][side]);
            self.left[side].clear();
            for child in self.walks[side].children(parent) {
                self.count(1)?;
                if !self.map.has_partner(side, child) {
                    self.left[side].push(child)?;
                }
            }
        }
        Ok(())
    }

    /// Pairs siblings with equal subtrees at the start and at the end of both lists. These are usually most
    /// of the siblings.
    fn pair_ends(&mut self) -> Result<()> {
        let are_same = |matching: &Self, places: [usize; 2]| {
            let number = |side: usize| {
                let node = matching.left[side][places[side]];
                (matching.key(side, node, By::All), matching.walks[side].size(node))
            };
            number(0) == number(1)
        };
        let lens = [self.left[0].len(), self.left[1].len()];
        let shorter = lens[0].min(lens[1]);
        let start = (0..shorter).take_while(|place| are_same(self, [*place, *place])).count();
        let from_end = |place: usize| lens.map(|len| len - 1 - place);
        let end = (0..shorter - start).take_while(|place| are_same(self, from_end(*place))).count();
        for place in (0..start).map(|place| [place, place]).chain((0..end).map(from_end)) {
            self.pair_below(self.left[0][place[0]], self.left[1][place[1]])?;
        }
        self.drop_paired();
        Ok(())
    }

    fn pair_alike(&mut self, by: By) -> Result<()> {
        if self.left.iter().any(|left| left.is_empty()) {
            return Ok(());
        }
        for side in 0..2 {
            self.keyed[side].clear();
            for place in 0..self.left[side].len() {
                let node = self.left[side][place];
                self.keyed[side].push((self.key(side, node, by), node))?;
            }
        }
        self.pair_keyed(by, false)
    }

    /// Pairs siblings that have the same labels and the same text of a property, if no other sibling has this
    /// text.
    fn pair_by_one_text(&mut self) -> Result<()> {
        for index in 0..self.texts.len() {
            if self.left.iter().any(|left| left.is_empty()) {
                return Ok(());
            }
            for side in 0..2 {
                self.keyed[side].clear();
                for place in 0..self.left[side].len() {
                    self.count(1)?;
                    let node = self.left[side][place];
                    let (shared, properties) = &self.texts[index];
                    let Some(code) = properties[side].number(self.walks[side].id(node)) else { continue };
                    let text = self.schema.properties[*shared].common(side, code) as u64;
                    let key = mix(text, self.key(side, node, By::Labels));
                    self.keyed[side].push((key, node))?;
                }
            }
            self.pair_keyed(By::Labels, true)?;
        }
        Ok(())
    }

    /// Pairs siblings with equal keys, the k-th with the k-th. If `only_single` is true, considers only keys
    /// that occur once in each graph.
    fn pair_keyed(&mut self, by: By, only_single: bool) -> Result<()> {
        self.keyed.iter_mut().for_each(|keyed| keyed.sort_unstable());
        let mut at = [0, 0];
        while at[0] < self.keyed[0].len() && at[1] < self.keyed[1].len() {
            let keys = [self.keyed[0][at[0]].0, self.keyed[1][at[1]].0];
            if keys[0] != keys[1] {
                at[usize::from(keys[1] < keys[0])] += 1;
                continue;
            }
            let end = |side: usize| {
                let rest = &self.keyed[side][at[side]..];
                at[side] + rest.iter().take_while(|(key, _)| *key == keys[side]).count()
            };
            let ends = [end(0), end(1)];
            let counts = [ends[0] - at[0], ends[1] - at[1]];
            match only_single {
                true if counts == [1, 1] => self.pair_group(at, 1, by)?,
                true => {}
                false => {
                    if counts[0] != counts[1] {
                        self.pair_by_edges(at, ends, by)?;
                    }
                    let free = [0, 1].map(|side| self.move_free(side, at[side]..ends[side]));
                    self.pair_group(at, free[0].min(free[1]), by)?;
                }
            }
            at = ends;
        }
        self.drop_paired();
        Ok(())
    }

    /// Moves the nodes without a partner to the start of a group of `keyed`, and returns their number.
    fn move_free(&mut self, side: usize, group: std::ops::Range<usize>) -> usize {
        let (map, keyed) = (&self.map, &mut self.keyed[side][group]);
        let mut free = 0;
        for place in 0..keyed.len() {
            if !map.has_partner(side, keyed[place].1) {
                keyed.swap(free, place);
                free += 1;
            }
        }
        free
    }

    fn pair_group(&mut self, at: [usize; 2], count: usize, by: By) -> Result<()> {
        for place in 0..count {
            let [first, second] = [0, 1].map(|side| self.keyed[side][at[side] + place].1);
            match by {
                By::All => self.pair_below(first, second)?,
                _ => self.pair_open(first, second)?,
            }
        }
        Ok(())
    }

    /// Pairs the nodes of a group that have the same in-edges and out-edges.
    fn pair_by_edges(&mut self, at: [usize; 2], ends: [usize; 2], by: By) -> Result<()> {
        let mut signed: [ScratchVec<'_, (u64, u32)>; 2] =
            [ScratchVec::new(self.passes[0])?, ScratchVec::new(self.passes[1])?];
        for side in 0..2 {
            for place in at[side]..ends[side] {
                let node = self.keyed[side][place].1;
                let signature = self.signature(side, node)?;
                signed[side].push((signature, node))?;
            }
            signed[side].sort_unstable();
        }
        let mut next = [0, 0];
        while next[0] < signed[0].len() && next[1] < signed[1].len() {
            let pair = [signed[0][next[0]], signed[1][next[1]]];
            match pair[0].0.cmp(&pair[1].0) {
                std::cmp::Ordering::Less => next[0] += 1,
                std::cmp::Ordering::Greater => next[1] += 1,
                std::cmp::Ordering::Equal => {
                    match by {
                        By::All => self.pair_below(pair[0].1, pair[1].1)?,
                        _ => self.pair_open(pair[0].1, pair[1].1)?,
                    }
                    next = next.map(|next| next + 1);
                }
            }
        }
        Ok(())
    }

    /// A hash of the labels and texts of all neighbours of a node.
    fn signature(&mut self, side: usize, node: u32) -> Result<u64> {
        let (mut sum, mut met) = (0u64, 1);
        for (index, lists) in (1..).zip(&self.lists) {
            for neighbor in lists[side].neighbors(self.walks[side].id(node)) {
                met += 1;
                let position = self.walks[side].position(neighbor);
                let content = position.map_or(0, |position| self.contents[side].texts[position as usize]);
                sum = sum.wrapping_add(mix(content, index));
            }
        }
        self.count(met)?;
        Ok(sum)
    }

    /// Pairs two nodes and their descendants, in order. If the two nodes have different numbers of
    /// descendants, pairs only the two nodes, and their children are matched later.
    fn pair_below(&mut self, first: u32, second: u32) -> Result<()> {
        let size = self.walks[0].size(first);
        if size != self.walks[1].size(second) {
            return self.pair_open(first, second);
        }
        self.count(size + 1)?;
        (0..=size).for_each(|place| {
            self.map.pair(first + place, second + place);
        });
        Ok(())
    }

    /// Pairs two nodes; their children are matched later.
    fn pair_open(&mut self, first: u32, second: u32) -> Result<()> {
        if self.map.pair(first, second) {
            self.open.push((first, second))?;
        }
        Ok(())
    }

    fn drop_paired(&mut self) {
        for (side, left) in self.left.iter_mut().enumerate() {
            left.retain(|node| !self.map.has_partner(side, *node));
        }
    }

    /// Matches the remaining nodes wherever they are in the graph: first unique subtrees with an equal one in
    /// the other graph, then moved subtrees and the nodes in them, then nodes with unique texts.
    fn anywhere(&mut self) -> Result<()> {
        self.take_left(0)?;
        self.key_all(By::All)?;
        self.pair_keyed(By::All, true)?;
        self.take_left(MOVED_BELOW_MIN)?;
        self.pair_moved()?;
        self.take_left(MOVED_BELOW_MIN)?;
        self.key_all(By::Texts)?;
        self.pair_keyed(By::Texts, true)?;
        self.match_open()
    }

    /// Collects all nodes that have no partner and have at least `below_min` descendants.
    fn take_left(&mut self, below_min: u32) -> Result<()> {
        for side in 0..2 {
            self.left[side].clear();
            for node in 0..self.walks[side].len() {
                self.count(1)?;
                if self.walks[side].size(node) >= below_min && !self.map.has_partner(side, node) {
                    self.left[side].push(node)?;
                }
            }
        }
        Ok(())
    }

    fn key_all(&mut self, by: By) -> Result<()> {
        for side in 0..2 {
            self.keyed[side].clear();
            for place in 0..self.left[side].len() {
                let node = self.left[side][place];
                self.keyed[side].push((self.key(side, node, by), node))?;
            }
        }
        Ok(())
    }

    /// Pairs the roots of whole subtrees that were moved, the topmost first.
    fn pair_moved(&mut self) -> Result<()> {
        self.key_all(By::TextsBelow)?;
        // Matching the children of a pair overwrites `keyed`, so its content is taken out first.
        let mut first = std::mem::replace(&mut self.keyed[0], ScratchVec::new(self.passes[0])?);
        let second = std::mem::replace(&mut self.keyed[1], ScratchVec::new(self.passes[1])?);
        first.sort_unstable();
        for (key, node) in second.iter().copied() {
            if self.map.has_partner(1, node) {
                continue;
            }
            let alike = &first[first.partition_point(|(other, _)| *other < key)..];
            let alike = alike.iter().take_while(|(other, _)| *other == key).take(MOVED_MAX);
            let free = alike.map(|(_, first)| *first).find(|first| !self.map.has_partner(0, *first));
            if let Some(first) = free {
                self.pair_open(first, node)?;
                self.match_open()?;
            }
        }
        Ok(())
    }

    /// Separates paired nodes that have different labels; a collision of hashes may have paired them.
    fn part_unlike(&mut self) {
        for second in 0..self.walks[1].len() {
            let first = self.map.partner(1, second);
            let label = |first: u32| self.contents[0].labels[first as usize];
            if first.is_some_and(|first| label(first) != self.contents[1].labels[second as usize]) {
                self.map.part(second);
            }
        }
    }

    #[inline]
    fn key(&self, side: usize, node: u32, by: By) -> u64 {
        let (contents, node) = (&self.contents[side], node as usize);
        match by {
            By::All => contents.all_below[node],
            By::TextsBelow => contents.texts_below[node],
            By::Texts => contents.texts[node],
            By::Labels => contents.labels[node].into(),
        }
    }

    /// Counts steps, and checks for cancellation at intervals.
    #[inline]
    fn count(&mut self, steps: u32) -> Result<()> {
        self.since_check = self.since_check.saturating_add(steps);
        if self.since_check < NODES_AT_ONCE {
            return Ok(());
        }
        self.since_check = 0;
        self.passes[0].check()
    }
}

/// The matching looks for a subtree elsewhere in the graph, by its texts, only if the subtree has at least
/// this many descendants: if an identifier disappeared in one place and appeared in another, it was probably
/// not moved.
const MOVED_BELOW_MIN: u32 = 3;
/// The maximum number of equal subtrees among which the search looks for one without a partner.
const MOVED_MAX: usize = 64;

/// The text properties that both graphs have, those with the most distinct texts first.
fn text_properties(passes: [&GraphScan<'_>; 2], schema: &SharedSchema<'_>) -> Result<Vec<TextProperty>> {
    let mut found = Vec::new();
    for (index, shared) in schema.properties.iter().enumerate() {
        let ([Some(first), Some(second)], true, None) =
            (shared.ids, shared.value_type.is_text(), &shared.edge_label)
        else {
            continue;
        };
        let properties = [passes[0].graph.property_at(first)?, passes[1].graph.property_at(second)?];
        let texts = properties.iter().map(|property| property.strings().map_or(0, |texts| texts.len()));
        found.push((texts.min().unwrap_or(0), (index, properties)));
    }
    found.retain(|(texts, _)| *texts > 0);
    found.sort_by_key(|(texts, (index, _))| (std::cmp::Reverse(*texts), *index));
    found.truncate(TEXT_PROPERTIES_MAX);
    Ok(found.into_iter().map(|(_, property)| property).collect())
}

/// The lists of all edge labels that both graphs have.
fn edge_lists(passes: [&GraphScan<'_>; 2], schema: &SharedSchema<'_>) -> Result<Vec<EdgeLists>> {
    let mut lists = Vec::new();
    for label in &schema.edge_labels {
        let [Some(first), Some(second)] = label.ids else { continue };
        for direction in Direction::BOTH {
            lists.push([
                passes[0].graph.adjacency(first, direction)?,
                passes[1].graph.adjacency(second, direction)?,
            ]);
        }
    }
    Ok(lists)
}
