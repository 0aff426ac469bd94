//! Decodes the bytes of a blob to checked values.
//!
//! Only the first `slots` elements of a blob are returned: flatgraph may leave unused elements with arbitrary
//! content after them. Each piece is converted and then checked as a whole, in loops that the compiler can
//! vectorise; only if a check fails is the faulty element searched for.

use varvite::Cancel;

use super::blob::BlobReader;
use super::source::Source;
use super::{Blob, ElementType, FlatgraphError, NodeKind, NodeRef, Part, Scratch, StringPool, Values};

/// Whether references may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nulls {
    Allowed,
    Refused,
}

/// Decodes one blob, whose elements are checked against limits.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    pub(super) source: &'a Source,
    pub(super) cancel: &'a Cancel,
    pub(super) kinds: &'a [NodeKind],
    /// The number of strings in the pool.
    pub(super) strings: u64,
    pub(super) part: Part,
    pub(super) blob: Blob,
}

impl Decoder<'_> {
    /// Decodes quantities into `lengths` and returns their sum. The extra element after that of the last
    /// node, which flatgraph needs to turn quantities into offsets in place, must be zero and is left out.
    pub(super) fn decode_quantities(
        &self,
        node_count: u32,
        scratch: &mut Scratch,
        lengths: &mut Vec<u32>,
    ) -> Result<u64, FlatgraphError> {
        let without_node =
            |seq| FlatgraphError::QuantityWithoutNode { part: self.part.clone(), node_count, seq };
        let spare = u64::from(node_count);
        if self.blob.slots() > spare + 1 {
            return Err(without_node(spare + 1));
        }
        let sum = self.decode_lengths(scratch, lengths, |seq, found| FlatgraphError::NegativeQuantity {
            part: self.part.clone(),
            seq,
            found,
        })?;
        if lengths.get(node_count as usize).is_some_and(|&length| length != 0) {
            return Err(without_node(spare));
        }
        lengths.truncate(node_count as usize);
        Ok(sum)
    }

    /// Decodes 32-bit integers, none of which may be negative, and returns their sum.
    fn decode_lengths(
        &self,
        scratch: &mut Scratch,
        lengths: &mut Vec<u32>,
        negative: impl Fn(u64, i32) -> FlatgraphError,
    ) -> Result<u64, FlatgraphError> {
        self.reserve(lengths, self.blob.slots())?;
        let mut sum = 0;
        self.visit_pieces(self.blob.slots(), scratch, |first_slot, bytes, _| {
            let from = lengths.len();
            u32::extend_from_le(lengths, bytes);
            let piece = &lengths[from..];
            // The sum of a piece is far below 2^64. The bitwise union has the sign bit if any element is
            // negative.
            if piece.iter().fold(0, |union, length| union | length) > i32::MAX as u32 {
                let (seq, found) = first_negative(piece);
                return Err(negative(first_slot + seq, found));
            }
            sum += piece.iter().map(|&length| u64::from(length)).sum::<u64>();
            Ok(())
        })?;
        Ok(sum)
    }

    /// Decodes the lengths of the pool's strings into offsets within its `pool_len` bytes.
    pub(super) fn decode_string_offsets(
        &self,
        pool_len: u64,
        scratch: &mut Scratch,
    ) -> Result<Vec<u32>, FlatgraphError> {
        let mut offsets = Vec::new();
        self.reserve(&mut offsets, self.blob.slots() + 1)?;
        self.decode_lengths(scratch, &mut offsets, |index, found| FlatgraphError::NegativeStringLength {
            index,
            found,
        })?;
        let mut end = 0_u64;
        for (index, length) in (0..).zip(&mut offsets) {
            let start = end;
            end += u64::from(*length);
            if end > pool_len {
                return Err(FlatgraphError::StringPoolTooShort { index, expected: end, found: pool_len });
            }
            // The cast does not truncate: no string starts after the end of the pool, which is below 2^31.
            *length = start as u32;
        }
        offsets.push(end as u32);
        Ok(offsets)
    }

    /// Decodes the bytes of the pool, whose strings are at `offsets`.
    pub(super) fn decode_strings(
        &self,
        offsets: Vec<u32>,
        scratch: &mut Scratch,
    ) -> Result<StringPool, FlatgraphError> {
        let mut bytes = Vec::new();
        self.reserve(&mut bytes, self.blob.slots())?;
        self.visit_pieces(self.blob.slots(), scratch, |_, piece, _| {
            bytes.extend_from_slice(piece);
            Ok(())
        })?;
        bytes.truncate(offsets.last().map_or(0, |&end| end as usize));
        string_pool(bytes, offsets)
    }

    /// Decodes the first `slots` values of any type.
    pub(super) fn decode_values(&self, slots: u64, scratch: &mut Scratch) -> Result<Values, FlatgraphError> {
        Ok(match self.blob.element() {
            ElementType::Bool => Values::Bool(self.decode_bools(slots, scratch)?),
            ElementType::Byte => Values::Byte(self.decode_numbers(slots, scratch)?),
            ElementType::Short => Values::Short(self.decode_numbers(slots, scratch)?),
            ElementType::Int => Values::Int(self.decode_numbers(slots, scratch)?),
            ElementType::Long => Values::Long(self.decode_numbers(slots, scratch)?),
            ElementType::Float => Values::Float(self.decode_numbers(slots, scratch)?),
            ElementType::Double => Values::Double(self.decode_numbers(slots, scratch)?),
            ElementType::String => Values::String(self.decode_string_indexes(slots, scratch)?),
            ElementType::Ref => {
                let mut refs = Vec::new();
                self.decode_refs(slots, Nulls::Allowed, scratch, &mut refs)?;
                Values::Ref(refs)
            }
        })
    }

    /// Decodes the first `slots` references into `refs`.
    pub(super) fn decode_refs(
        &self,
        slots: u64,
        nulls: Nulls,
        scratch: &mut Scratch,
        refs: &mut Vec<NodeRef>,
    ) -> Result<(), FlatgraphError> {
        refs.clear();
        self.reserve(refs, slots)?;
        self.visit_refs(slots, nulls, scratch, |piece| refs.extend_from_slice(piece))
    }

    /// Calls `visit` with the first `slots` references, piece by piece, after they are checked.
    pub(super) fn visit_refs(
        &self,
        slots: u64,
        nulls: Nulls,
        scratch: &mut Scratch,
        mut visit: impl FnMut(&[NodeRef]),
    ) -> Result<(), FlatgraphError> {
        let node_counts: Vec<u32> = self.kinds.iter().map(|kind| kind.node_count).collect();
        let is_sound = |node: &NodeRef| {
            let node_count = node_counts.get(node.kind() as usize);
            node_count.is_some_and(|&count| node.seq() < count) || (nulls == Nulls::Allowed && node.is_null())
        };
        self.visit_pieces(slots, scratch, |first_slot, bytes, refs| {
            refs.clear();
            NodeRef::extend_from_le(refs, bytes);
            if let Some(at) = refs.iter().position(|node| !is_sound(node)) {
                return Err(self.ref_error(refs[at], first_slot + at as u64));
            }
            visit(refs);
            Ok(())
        })
    }

    fn ref_error(&self, node: NodeRef, slot: u64) -> FlatgraphError {
        let part = self.part.clone();
        if node.is_null() {
            return FlatgraphError::NullNeighbor { part, slot };
        }
        match self.kinds.get(node.kind() as usize) {
            None => {
                FlatgraphError::RefToUnknownKind { part, slot, found: node.kind(), kinds: self.kinds.len() }
            }
            Some(NodeKind { label, node_count, .. }) => {
                let (kind, node_count) = (label.clone(), *node_count);
                FlatgraphError::RefToUnknownNode { part, slot, kind, found: node.seq(), node_count }
            }
        }
    }

    fn decode_string_indexes(&self, slots: u64, scratch: &mut Scratch) -> Result<Vec<i32>, FlatgraphError> {
        let is_sound = |index: &i32| *index == -1 || u64::try_from(*index).is_ok_and(|at| at < self.strings);
        let indexes = self.decode_numbers(slots, scratch)?;
        let Some(at) = indexes.iter().position(|index| !is_sound(index)) else { return Ok(indexes) };
        let (part, strings) = (self.part.clone(), self.strings);
        Err(FlatgraphError::StringOutOfPool { part, slot: at as u64, found: indexes[at], strings })
    }

    fn decode_bools(&self, slots: u64, scratch: &mut Scratch) -> Result<Vec<bool>, FlatgraphError> {
        let mut values = Vec::new();
        self.reserve(&mut values, slots)?;
        self.visit_pieces(slots, scratch, |first_slot, bytes, _| {
            if let Some(at) = bytes.iter().position(|&byte| byte > 1) {
                let (part, slot) = (self.part.clone(), first_slot + at as u64);
                return Err(FlatgraphError::NotBool { part, slot, found: bytes[at] });
            }
            values.extend(bytes.iter().map(|&byte| byte == 1));
            Ok(())
        })?;
        Ok(values)
    }

    fn decode_numbers<T: LittleEndian>(
        &self,
        slots: u64,
        scratch: &mut Scratch,
    ) -> Result<Vec<T>, FlatgraphError> {
        let mut values = Vec::new();
        self.reserve(&mut values, slots)?;
        self.visit_pieces(slots, scratch, |_, bytes, _| {
            T::extend_from_le(&mut values, bytes);
            Ok(())
        })?;
        Ok(values)
    }

    /// Decodes the whole blob, and passes its first `slots` elements to `visit` piece by piece, each piece
    /// with the index of its first element. The vector is a reusable buffer for pieces that `visit` has to
    /// convert.
    fn visit_pieces(
        &self,
        slots: u64,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u64, &[u8], &mut Vec<NodeRef>) -> Result<(), FlatgraphError>,
    ) -> Result<(), FlatgraphError> {
        self.check_slots(slots)?;
        let width = u64::from(self.blob.element().width());
        let (mut reader, refs) = BlobReader::start(self.source, &self.blob, &self.part, scratch)?;
        let (mut at, end) = (0, slots * width);
        while let Some(piece) = reader.next_piece()? {
            self.cancel.check().map_err(|_| FlatgraphError::Cancelled)?;
            let len = (end - at).min(piece.len() as u64);
            if len > 0 {
                visit(at / width, &piece[..len as usize], refs)?;
            }
            at += len;
        }
        Ok(())
    }

    fn check_slots(&self, slots: u64) -> Result<(), FlatgraphError> {
        let found = self.blob.slots();
        if slots > found {
            return Err(FlatgraphError::TooFewValues { part: self.part.clone(), expected: slots, found });
        }
        Ok(())
    }

    /// Reserves address space; the pages are only touched when values are written.
    fn reserve<T>(&self, values: &mut Vec<T>, slots: u64) -> Result<(), FlatgraphError> {
        // One element more than the blob has, because there is one offset more than there are lengths.
        let slots = slots.min(self.blob.slots() + 1);
        let bytes = slots.saturating_mul(size_of::<T>() as u64);
        let out_of_memory = || FlatgraphError::OutOfMemory { part: self.part.clone(), bytes };
        let slots = usize::try_from(slots).map_err(|_| out_of_memory())?;
        values.try_reserve_exact(slots).map_err(|_| out_of_memory())
    }
}

fn first_negative(lengths: &[u32]) -> (u64, i32) {
    let signed = lengths.iter().map(|length| length.cast_signed());
    (0..).zip(signed).find(|&(_, length)| length < 0).expect("the caller saw a sign bit")
}

fn string_pool(bytes: Vec<u8>, offsets: Vec<u32>) -> Result<StringPool, FlatgraphError> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        not_utf8(&offsets, offset)
    })?;
    // The whole text is UTF-8, but the end of a string may still be within a character.
    match offsets.iter().find(|&&offset| !text.is_char_boundary(offset as usize)) {
        Some(&offset) => Err(not_utf8(&offsets, offset as usize)),
        None => Ok(StringPool::from_parts(text, offsets)),
    }
}

fn not_utf8(offsets: &[u32], offset: usize) -> FlatgraphError {
    let index = offsets.partition_point(|&start| start as usize <= offset).saturating_sub(1);
    FlatgraphError::StringNotUtf8 { index: index as u64, offset: offset as u64 }
}

/// An element that is stored as its little-endian bytes.
trait LittleEndian: Sized {
    /// Appends the elements in `bytes`, which contains only whole elements.
    fn extend_from_le(values: &mut Vec<Self>, bytes: &[u8]);
}

macro_rules! little_endian {
    ($($number:ty),*) => {$(
        impl LittleEndian for $number {
            fn extend_from_le(values: &mut Vec<Self>, bytes: &[u8]) {
                let (elements, rest) = bytes.as_chunks();
                debug_assert!(rest.is_empty(), "a piece holds whole elements");
                values.extend(elements.iter().map(|&element| <$number>::from_le_bytes(element)));
            }
        }
    )*};
}

little_endian!(i8, i16, i32, u32, i64, f32, f64);

impl LittleEndian for NodeRef {
    fn extend_from_le(values: &mut Vec<Self>, bytes: &[u8]) {
        let (elements, rest) = bytes.as_chunks();
        debug_assert!(rest.is_empty(), "a piece holds whole elements");
        values.extend(elements.iter().map(|&element| NodeRef::from_bits(u64::from_le_bytes(element))));
    }
}
