//! Writes edges and values that do not fit in memory: sorts them on disk, and writes them entry by entry.

use varvite_format::Owner;
use varvite_store::Task;

use super::encode::Columns;
use super::single::single_of_double;
use super::values::Values;
use crate::change::{Ends, ListStream, ValueColumns, ValueStream};
use crate::change_error::ChangeError;
use crate::cursor::adjacency::Direction;
use crate::cursor::bounds::NULL_REF;
use crate::cursor::value::ValueType;
use crate::error::Result;
use crate::write::{GraphWriter, ListsSeen, NumbersSeen, WrittenProperty};

impl Columns<'_> {
    /// Writes the edges of a label that do not fit in memory. They are sorted on disk.
    pub(super) fn stream_edges(
        &self,
        label: u32,
        writer: &mut GraphWriter,
        task: &Task<'_>,
    ) -> Result<(), ChangeError> {
        let (draft, nodes) = (self.draft, self.numbering.nodes());
        let (edges, scratch) = (&draft.edges[label as usize], draft.scratch.as_ref());
        let mut renumbered = Ends::new(scratch);
        let ends = match self.numbering.is_as_read() {
            true => edges,
            false => {
                let id = |node| self.numbering.id(node);
                edges.for_each(|_, source, target| renumbered.push(id(source), id(target)))?;
                &renumbered
            }
        };
        let stream = ListStream { nodes, scratch, encoder: self.encoder, task };
        let name = &draft.edge_labels.list()[label as usize];
        writer.add_streamed_edge_label(name, 0, edges.len().into(), |store| {
            let mut lists = |direction| -> Result<_, ChangeError> {
                let mut seen = ListsSeen::among(nodes);
                let row =
                    stream.write(ends, direction, store, |owner, neighbor| seen.push(owner, neighbor))?;
                Ok((row, seen))
            };
            Ok([lists(Direction::Out)?, lists(Direction::In)?])
        })
    }

    /// Writes a property of nodes whose values do not fit in memory. The values are sorted on disk.
    pub(super) fn stream_property(
        &self,
        property: usize,
        writer: &mut GraphWriter,
        task: &Task<'_>,
    ) -> Result<(), ChangeError> {
        let (draft, nodes) = (self.draft, self.numbering.nodes());
        let values = &draft.properties[property].1;
        let mut stream = ValueStream::new(values.is_text(), draft.scratch.as_ref());
        let numbers = self.push_values(values, &mut stream)?;
        let mut owners = OwnersSeen::of(self);
        let columns = stream.write(nodes, self.encoder, writer.store(), task, |owner, count| {
            owners.push(owner, count);
        })?;
        let ValueColumns { present, offsets, values: column, strings } = columns;
        let longest = owners.longest;
        let is_list = values.kind.is_list || longest.0 > 1;
        let spec = values.spec(Owner::Node, is_list, owners.is_everywhere());
        let columns =
            WrittenProperty { present, offsets, values: column, strings, owners: nodes, longest, numbers };
        writer.add_written_property(&spec, &columns)
    }

    /// Adds all values of a property to a stream, in the form in which a file stores them. Returns facts
    /// (counts and sums) of the numbers, with which the writer checks its input.
    fn push_values(
        &self,
        values: &Values,
        stream: &mut ValueStream<'_>,
    ) -> Result<Option<NumbersSeen>, ChangeError> {
        let replaces = values.is_single;
        if values.is_text() {
            let mut texts = values.texts();
            while let Some((owner, text)) = texts.next()? {
                stream.push_text(self.numbering.id(owner), text, replaces)?;
            }
            return Ok(None);
        }
        let (mut seen, mut numbers) = (NumbersSeen::NONE, values.numbers());
        while let Some((owner, number)) = numbers.next()? {
            let number = match values.kind.value_type {
                ValueType::F32 => single_of_double(number as u64).into(),
                ValueType::Ref if number != NULL_REF => self.numbering.id(number as u32).into(),
                _ => number,
            };
            seen.add(number);
            stream.push_number(self.numbering.id(owner), number, replaces)?;
        }
        Ok(Some(seen))
    }
}

/// Facts about owners, collected while the owners are visited in ascending order.
struct OwnersSeen<'a> {
    codes: &'a [u32],
    /// For each label set: whether any node with this label set has no values, and whether any has values.
    has: Vec<[bool; 2]>,
    /// The node after the last node that was seen.
    next: usize,
    longest: (u32, u32),
}

impl<'a> OwnersSeen<'a> {
    fn of(columns: &Columns<'a>) -> Self {
        let has = vec![[false; 2]; columns.draft.label_sets.len()];
        Self { codes: columns.codes, has, next: 0, longest: (0, 0) }
    }

    fn push(&mut self, owner: u32, values: u32) {
        self.pass_to(owner as usize);
        self.has[self.codes[owner as usize] as usize][1] = true;
        self.next += 1;
        if values > self.longest.0 {
            self.longest = (values, owner);
        }
    }

    /// Records that the nodes between the last seen node and `node` have no values.
    fn pass_to(&mut self, node: usize) {
        self.codes[self.next..node].iter().for_each(|code| self.has[*code as usize][0] = true);
        self.next = node;
    }

    /// Whether no label set contains both nodes with a value of the property and nodes without one.
    fn is_everywhere(&mut self) -> bool {
        self.pass_to(self.codes.len());
        self.has.iter().all(|[without, with]| !(*without && *with))
    }
}
