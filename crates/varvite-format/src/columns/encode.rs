//! The choice of encodings: makes an [`EncodedColumn`] from values.
//!
//! Constant columns and sequences are recognised first. Otherwise the size of every encoding that the profile
//! permits is estimated from a sample of the column, and the smallest encoding is used for the whole column.
//! The choice depends only on the input, so that equal input gives equal bytes.

use std::collections::HashMap;

use varvite_codec::{Codec, Coding, Filter, Workspace};

use crate::Encoding;
use crate::columns::capped::{capped, capped_plan};
use crate::columns::column::{EncodedColumn, EncodedSegment};
use crate::columns::encode_input::{StringsInput, check_bitmap, check_list_ends, check_members, check_texts};
use crate::columns::ints::UNSTORED_MAX;
use crate::columns::local::{local, local_size};
use crate::columns::packed::{pack, packed_size};
use crate::columns::set::{BUCKET, members, rank_words};
use crate::columns::two_level::{two_level, two_level_width};
use crate::{FormatError, Profile, Quantity, Result};

/// The keys to which the values of a column may be relative.
#[derive(Clone, Copy, Debug)]
pub enum Keys<'a> {
    /// No keys: values are absolute.
    None,
    /// The index of each value. This suits offsets, which rise about as fast as the index.
    Index,
    /// The owner of the list that contains the value. This suits neighbours, whose ids are often near that of
    /// the owner.
    Lists {
        /// The nodes with a list, ascending.
        nodes: &'a [u32],
        /// The start of each list, and the end of the last.
        offsets: &'a [u32],
    },
}

/// The use of a column, which restricts the choice of encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Node ids and list bounds of the hottest loops: the direct profile uses four bytes each, for zero-copy
    /// views.
    HotIds,
    /// Node ids: the direct profile uses four bytes each, unless packing is much smaller.
    Ids,
    /// Starts of lists: the direct profile uses the encoding [`Encoding::TwoLevel`].
    Offsets,
    /// Starts of the lists of the hottest loops, which the compact profile encodes in two levels too.
    HotOffsets,
    /// Truth values: the direct profile uses one bit each.
    Truth,
    /// Label codes, read in almost every hop: whole bytes, also in the compact profile.
    Labels,
    /// Small numbers that are read in every hop of the hottest loops: whole bytes, if these take little more
    /// memory than bit-packing.
    Hops,
    /// Other numbers.
    Numbers,
}

/// The number of runs in a sample; each has `SAMPLE_RUN` values.
const SAMPLE_RUNS: usize = 64;
const SAMPLE_RUN: usize = 1024;
/// A set is stored as a list of its members, one byte each, if it has fewer members than the number of nodes
/// divided by this number.
const SPARSE: u64 = 8;
/// The value of [`SPARSE`] in the direct profile, which prefers bitmaps.
const SPARSE_DIRECT: u64 = 32;
/// If a sparse set has more than this many buckets for each member, the offsets of its buckets are encoded by
/// [`stepped`].
const STEPPED: usize = 2;
/// In the compact profile, a pool of long texts is compressed if it has at least this many bytes, because no
/// encoding makes it smaller.
const CODED_POOL: usize = 1 << 20;
/// The codec for a compressed pool in the compact profile. Every search for texts that contain a word decodes
/// all blocks, so the speed of decoding matters as well as the size.
const POOL_CODING: Coding = Coding { codec: Codec::Lz4, level: 9 };
/// The direct profile packs only columns of at least this many bytes, and only if that saves enough.
const DIRECT_MIN: usize = 1 << 20;
/// The direct profile packs a column only if that makes it smaller by at least this factor. In that case, the
/// cache misses of plain bytes would cost more than unpacking.
const DIRECT_GAIN: usize = 4;
/// The penalty of an encoding in which every read needs a table: the encoding's size divided by this number.
const TABLE_PRICE: usize = 8;
/// For [`Purpose::Hops`], the capped form is chosen if its size is at most this ratio times the packed size,
/// because reading it is faster.
const HOPS_PRICE: (usize, usize) = (3, 2);
/// A dictionary is tried if, on average, each distinct value occurs at least this many times in a sample.
const DICTIONARY_REPEATS: usize = 4;

/// Encodes integers.
///
/// # Errors
/// [`FormatError::TooLarge`] if a packed column exceeds 32 GiB; [`FormatError::Input`] if the lists in `keys`
/// do not match the number of values.
pub fn encode_ints<T: Copy + Into<i64>>(
    values: &[T],
    keys: Keys<'_>,
    purpose: Purpose,
    profile: Profile,
) -> Result<EncodedColumn> {
    if let Keys::Lists { nodes, offsets } = keys {
        check_list_ends("offsets", offsets, Some(nodes.len()), values.len())?;
    }
    if values.len() as u64 <= UNSTORED_MAX
        && let Some(column) = special_shape(values)
    {
        return Ok(column);
    }
    let (low, high) = bounds(values.iter().map(|value| (*value).into()));
    let Some(absolute) = Stored::new(values.iter().map(|value| (*value).into()), values.len(), low, high)
    else {
        return Ok(wide(values));
    };
    match profile {
        Profile::Direct if purpose == Purpose::Hops => hops(&absolute, relative(values, keys), keys),
        Profile::Direct => {
            let column = direct(&absolute, purpose, (low, high));
            let plain = column.plain_bytes();
            if plain < DIRECT_MIN
                || matches!(
                    purpose,
                    Purpose::Offsets | Purpose::HotOffsets | Purpose::Labels | Purpose::HotIds
                )
            {
                return Ok(column);
            }
            let choice = Choice::of(&absolute, relative(values, keys), keys);
            if choice.size * DIRECT_GAIN < plain { choice.encode(&absolute) } else { Ok(column) }
        }
        Profile::Compact if matches!(purpose, Purpose::Labels | Purpose::HotOffsets) => {
            Ok(direct(&absolute, purpose, (low, high)))
        }
        Profile::Compact if matches!(purpose, Purpose::Hops | Purpose::HotIds) => {
            hops(&absolute, relative(values, keys), keys)
        }
        Profile::Compact => Choice::of(&absolute, relative(values, keys), keys).encode(&absolute),
        Profile::Archive => archive(&absolute, relative(values, keys), purpose),
    }
}

/// The values of a column minus the smallest of them.
struct Stored {
    base: i64,
    high: u32,
    values: Vec<u32>,
}

impl Stored {
    /// Stores the values of an iterator. The iterator runs twice, so that there is only one copy of the
    /// values.
    fn of(values: impl Iterator<Item = i64> + Clone, count: usize) -> Option<Self> {
        let (low, high) = bounds(values.clone());
        Self::new(values, count, low, high)
    }

    fn new(values: impl Iterator<Item = i64>, count: usize, low: i64, high: i64) -> Option<Self> {
        let high = u32::try_from(high.checked_sub(low)?).ok()?;
        let mut stored = Vec::with_capacity(count);
        stored.extend(values.map(|value| value.wrapping_sub(low) as u32));
        Some(Self { base: low, high, values: stored })
    }

    fn sample(&self) -> Vec<u32> {
        let runs = self.values.len().div_ceil(SAMPLE_RUN);
        let step = runs.div_ceil(SAMPLE_RUNS).max(1);
        self.values.chunks(SAMPLE_RUN).step_by(step).flatten().copied().collect()
    }
}

/// The number of bytes that packing `values` would take, estimated from a sample.
pub fn packed_estimate(values: &[u32]) -> usize {
    let stored = Stored { base: 0, high: u32::MAX, values: values.to_vec() };
    let sample = stored.sample();
    packed_size(&sample, false).min(local_size(&sample)) * values.len() / sample.len().max(1)
}

fn bounds(values: impl Iterator<Item = i64>) -> (i64, i64) {
    values.fold((i64::MAX, i64::MIN), |(low, high), value| (low.min(value), high.max(value)))
}

/// The values as differences from their keys; `None` if there are no keys or the differences need more than
/// 32 bits. Differences may wrap: the wrapping sum of the reader restores the value.
fn relative<T: Copy + Into<i64>>(values: &[T], keys: Keys<'_>) -> Option<Stored> {
    match keys {
        Keys::None => None,
        Keys::Index => {
            let keyed = values.iter().zip(0i64..);
            Stored::of(keyed.map(|(value, key)| (*value).into().wrapping_sub(key)), values.len())
        }
        Keys::Lists { nodes, offsets } => {
            let lists = nodes.iter().zip(offsets.windows(2));
            let differences = lists.flat_map(|(node, ends)| {
                let list = &values[ends[0] as usize..ends[1] as usize];
                list.iter().map(|value| (*value).into().wrapping_sub(i64::from(*node)))
            });
            Stored::of(differences, values.len())
        }
    }
}

fn special_shape<T: Copy + Into<i64>>(values: &[T]) -> Option<EncodedColumn> {
    let value = |index: usize| values.get(index).map_or(0, |value: &T| (*value).into());
    let step = if values.len() > 1 { value(1).checked_sub(value(0))? } else { 0 };
    let fits = values.windows(2).all(|pair| pair[0].into().checked_add(step) == Some(pair[1].into()));
    if !fits {
        return None;
    }
    let encoding = if step == 0 { Encoding::Constant } else { Encoding::Sequence };
    let mut column = EncodedColumn::leaf(encoding, values.len() as u64);
    column.row.base = value(0);
    column.row.step = step;
    Some(column)
}

/// A column of eight bytes for each value: for values that span more than 32 bits.
fn wide<T: Copy + Into<i64>>(values: &[T]) -> EncodedColumn {
    let mut column = EncodedColumn::leaf(Encoding::Plain, values.len() as u64);
    column.row.width = 8;
    column.row.signed = true;
    let bytes = values.iter().flat_map(|value| (*value).into().to_le_bytes()).collect();
    column.segments.push(EncodedSegment::new(bytes, planes(8)));
    column
}

fn planes(width: u8) -> Filter {
    if width > 1 { Filter { width, delta: false, planes: true } } else { Filter::NONE }
}

/// A column of plain values, in the smallest width that holds them; truth values get one bit each, and
/// offsets two levels.
fn direct(stored: &Stored, purpose: Purpose, (low, high): (i64, i64)) -> EncodedColumn {
    if purpose == Purpose::Truth && low >= 0 && high <= 1 {
        return bits(stored);
    }
    if matches!(purpose, Purpose::Offsets | Purpose::HotOffsets)
        && let Some(column) = two_levels(stored)
    {
        return column;
    }
    let widths = [
        (1, false, 0, 0xff),
        (1, true, -0x80, 0x7f),
        (2, false, 0, 0xffff),
        (2, true, -0x8000, 0x7fff),
        (4, false, 0, 0xffff_ffff),
        (4, true, -0x8000_0000, 0x7fff_ffff),
        (8, true, i64::MIN, i64::MAX),
    ];
    let narrowest =
        if matches!(purpose, Purpose::HotIds | Purpose::Ids | Purpose::Offsets | Purpose::HotOffsets) {
            4
        } else {
            1
        };
    let fitting = widths
        .into_iter()
        .find(|(width, _, least, most)| *width >= narrowest && *least <= low && high <= *most);
    let (width, signed, ..) = fitting.expect("every i64 fits the last row");
    plain(stored, width, signed, 0)
}

/// A column of plain bytes: the values minus `base`, which is 0 or the base of `stored`.
fn plain(stored: &Stored, width: u8, signed: bool, base: i64) -> EncodedColumn {
    let mut column = EncodedColumn::leaf(Encoding::Plain, stored.values.len() as u64);
    column.row.width = width;
    column.row.signed = signed;
    column.row.base = base;
    let shift = stored.base - base;
    let mut bytes = Vec::with_capacity(stored.values.len() * usize::from(width));
    for value in &stored.values {
        let value = i64::from(*value) + shift;
        bytes.extend_from_slice(&value.to_le_bytes()[..usize::from(width)]);
    }
    column.segments.push(EncodedSegment::new(bytes, planes(width)));
    column
}

fn bits(stored: &Stored) -> EncodedColumn {
    let mut column = EncodedColumn::leaf(Encoding::Bits, stored.values.len() as u64);
    column.row.base = stored.base;
    let mut bytes = vec![0u8; stored.values.len().div_ceil(8)];
    for (index, value) in stored.values.iter().enumerate() {
        bytes[index / 8] |= (*value as u8) << (index % 8);
    }
    column.segments.push(EncodedSegment::new(bytes, Filter::NONE));
    column
}

fn packed(stored: &Stored, sloped: bool) -> Result<EncodedColumn> {
    let bytes = pack(&stored.values, sloped)?;
    let mut column = leaf(Encoding::Packed, stored, bytes);
    column.row.sloped = sloped;
    Ok(column)
}

/// A column with one segment, for which no filter is useful.
fn leaf(encoding: Encoding, stored: &Stored, bytes: Vec<u8>) -> EncodedColumn {
    let mut column = EncodedColumn::leaf(encoding, stored.values.len() as u64);
    column.row.base = stored.base;
    column.segments.push(EncodedSegment::new(bytes, Filter::NONE));
    column
}

/// A capped column (one byte for each value, and a list of exceptions), unless the smallest other form is
/// much smaller.
fn hops(absolute: &Stored, relative: Option<Stored>, keys: Keys<'_>) -> Result<EncodedColumn> {
    let (is_relative, stored) = match &relative {
        Some(relative) => (true, relative),
        None => (false, absolute),
    };
    let (step, size) = capped_plan(stored.sample(), stored.values.len());
    let bytes = (size < stored.values.len() * 2).then(|| capped(&stored.values, step));
    let packed = packed_estimate(&stored.values);
    let Some(bytes) = bytes.filter(|bytes| bytes.len() * HOPS_PRICE.1 < packed * HOPS_PRICE.0) else {
        return Choice::of(absolute, relative, keys).encode(absolute);
    };
    let mut column = leaf(Encoding::Capped, stored, bytes);
    column.row.step = i64::from(step);
    column.row.relative = is_relative;
    Ok(column)
}

/// A column in two levels: four bytes for every 64 values, and one or two bytes for each value; `None` if the
/// values rise too fast.
fn two_levels(stored: &Stored) -> Option<EncodedColumn> {
    let (bytes, width) = two_level(&stored.values)?;
    let mut column = leaf(Encoding::TwoLevel, stored, bytes);
    column.row.width = width;
    Some(column)
}

/// The smallest of the encodings that permit reads of a column in constant time.
struct Choice {
    form: Form,
    /// The size in bytes, estimated from a sample.
    size: usize,
    relative: Option<Stored>,
    dictionary: Option<Dictionary>,
}

/// Encodings. If sizes are equal, the encoding that comes first here is preferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Bits,
    Packed,
    Sloped,
    Relative,
    TwoLevel,
    Dictionary,
    Local,
    RelativeLocal,
}

impl Choice {
    fn of(absolute: &Stored, relative: Option<Stored>, keys: Keys<'_>) -> Self {
        let sample = absolute.sample();
        let whole = |sampled: usize| sampled * absolute.values.len() / sample.len();
        let mut sizes = vec![
            (whole(packed_size(&sample, false)), Form::Packed),
            (whole(packed_size(&sample, true)), Form::Sloped),
            (whole(local_size(&sample)), Form::Local),
        ];
        let is_rising = matches!(keys, Keys::Index);
        if let Some(relative) = &relative {
            let sample = relative.sample();
            sizes.push((whole(packed_size(&sample, false)), Form::Relative));
            if !is_rising {
                sizes.push((whole(local_size(&sample)), Form::RelativeLocal));
            }
        }
        if is_rising && let Some(width) = two_level_width(&absolute.values) {
            sizes.push((absolute.values.len() * (usize::from(width) * 16 + 1) / 16, Form::TwoLevel));
        }
        if absolute.high <= 1 {
            sizes.push((absolute.values.len().div_ceil(8), Form::Bits));
        }
        let dictionary = if repeats(sample) { Dictionary::of(&absolute.values) } else { None };
        if let Some(dictionary) = &dictionary {
            let size = packed_estimate(&dictionary.codes) + dictionary.values.len() * 4;
            sizes.push((size, Form::Dictionary));
        }
        // A table costs a second load in every read, so encodings with a table get a penalty.
        for (size, form) in &mut sizes {
            if matches!(form, Form::Dictionary | Form::Local | Form::RelativeLocal) {
                *size += *size / TABLE_PRICE;
            }
        }
        let (size, form) = sizes.into_iter().min().expect("three forms fit every column");
        Self { form, size, relative, dictionary }
    }

    fn encode(self, absolute: &Stored) -> Result<EncodedColumn> {
        match (self.form, self.relative, self.dictionary) {
            (Form::Relative, Some(relative), _) => {
                let mut column = packed(&relative, false)?;
                column.row.relative = true;
                Ok(column)
            }
            (Form::RelativeLocal, Some(relative), _) => {
                let mut column = leaf(Encoding::Local, &relative, local(&relative.values)?);
                column.row.relative = true;
                Ok(column)
            }
            (Form::TwoLevel, ..) => Ok(two_levels(absolute).expect("its width was computed before")),
            (Form::Dictionary, _, Some(dictionary)) => dictionary.encode(absolute.base),
            (Form::Local, ..) => Ok(leaf(Encoding::Local, absolute, local(&absolute.values)?)),
            (Form::Bits, ..) => Ok(bits(absolute)),
            (form, ..) => packed(absolute, form == Form::Sloped),
        }
    }
}

fn repeats(mut sample: Vec<u32>) -> bool {
    let values = sample.len();
    sample.sort_unstable();
    sample.dedup();
    sample.len() * DICTIONARY_REPEATS <= values
}

/// Distinct values in the order of first use, and a code for each value.
struct Dictionary {
    values: Vec<u32>,
    codes: Vec<u32>,
}

impl Dictionary {
    fn of(values: &[u32]) -> Option<Self> {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut dictionary = Self { values: Vec::new(), codes: Vec::with_capacity(values.len()) };
        for value in values {
            let code = *numbers.entry(*value).or_insert_with(|| {
                dictionary.values.push(*value);
                dictionary.values.len() as u32 - 1
            });
            if dictionary.values.len() * 8 > values.len() {
                return None;
            }
            dictionary.codes.push(code);
        }
        Some(dictionary)
    }

    fn encode(self, base: i64) -> Result<EncodedColumn> {
        let code_high = self.values.len() as u32 - 1;
        let value_high = self.values.iter().copied().max().unwrap_or(0);
        let mut column = EncodedColumn::leaf(Encoding::Dictionary, self.codes.len() as u64);
        column.row.base = base;
        column.children.push(packed(&Stored { base: 0, high: code_high, values: self.codes }, false)?);
        column.children.push(packed(&Stored { base: 0, high: value_high, values: self.values }, false)?);
        Ok(column)
    }
}

/// Plain values of the smallest width, absolute or relative, with the filter that compresses best.
fn archive(absolute: &Stored, relative: Option<Stored>, purpose: Purpose) -> Result<EncodedColumn> {
    if purpose == Purpose::Truth && absolute.high <= 1 {
        return Ok(bits(absolute));
    }
    let mut best: Option<(usize, bool, Filter)> = None;
    for (is_relative, stored) in [(false, Some(absolute)), (true, relative.as_ref())] {
        let Some(stored) = stored else { continue };
        let width = narrowest(stored.high);
        let sample: Vec<u8> = stored
            .sample()
            .iter()
            .flat_map(|value| value.to_le_bytes().into_iter().take(width.into()))
            .collect();
        for delta in [false, true] {
            let filter = Filter { width, delta, planes: width > 1 };
            let size = compressed_size(&sample, filter);
            if best.is_none_or(|(smallest, ..)| size < smallest) {
                best = Some((size, is_relative, filter));
            }
        }
    }
    let (_, is_relative, filter) = best.expect("the absolute form was tried");
    let stored = match &relative {
        Some(relative) if is_relative => relative,
        _ => absolute,
    };
    let mut column = plain(stored, filter.width, false, stored.base);
    column.row.relative = is_relative;
    column.segments[0].filter = if filter.is_none() { Filter::NONE } else { filter };
    Ok(column)
}

fn narrowest(high: u32) -> u8 {
    match high {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}

fn compressed_size(sample: &[u8], filter: Filter) -> usize {
    let (mut filtered, mut stored) = (Vec::new(), Vec::new());
    filter.apply(sample, &mut filtered);
    match Workspace::new().compress(Codec::Zstd, &filtered, &mut stored) {
        Ok(()) => stored.len(),
        Err(_) => usize::MAX,
    }
}

/// Encodes a set of nodes from a bitmap of `nodes` bits.
///
/// # Errors
/// [`FormatError::TooLarge`], as for [`encode_ints`]; [`FormatError::Input`] if the number of words does not
/// match `nodes`.
pub fn encode_set(words: &[u64], nodes: u32, profile: Profile) -> Result<EncodedColumn> {
    check_bitmap(words, nodes)?;
    let count: u64 = words.iter().map(|word| u64::from(word.count_ones())).sum();
    if count == 0 {
        return Ok(EncodedColumn::leaf(Encoding::EmptySet, 0));
    }
    let first = members(words).next().unwrap_or(0);
    let last = 64 * words.len() as u64
        - 1
        - words.iter().rev().map(|word| u64::from(word.leading_zeros())).scan(true, leading).sum::<u64>();
    if last - u64::from(first) + 1 == count {
        return Ok(range_or_all(first, count, nodes));
    }
    if count * sparse_share(profile) < u64::from(nodes) {
        return sparse_set(members(words), nodes, count, profile);
    }
    let mut column = EncodedColumn::leaf(Encoding::BitmapSet, count);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let ranks = rank_words(&bytes, (nodes as usize).div_ceil(512));
    column.segments.push(EncodedSegment::new(bytes, Filter::NONE));
    if profile != Profile::Archive {
        let bytes = ranks.iter().flat_map(|word| word.to_le_bytes()).collect();
        column.segments.push(EncodedSegment::new(bytes, Filter::NONE));
    }
    Ok(column)
}

/// Encodes a set of nodes from its members in ascending order. Use it for few members among many nodes, where
/// a bitmap would take more memory than the list of members. The column equals the one that [`encode_set`]
/// makes from the same set.
///
/// # Errors
/// [`FormatError::TooLarge`], as for [`encode_ints`]; [`FormatError::Input`] if members are not in ascending
/// order or not below `nodes`.
pub fn encode_members(ids: &[u32], nodes: u32, profile: Profile) -> Result<EncodedColumn> {
    check_members(ids, nodes)?;
    let (Some(first), Some(last)) = (ids.first(), ids.last()) else {
        return Ok(EncodedColumn::leaf(Encoding::EmptySet, 0));
    };
    let count = ids.len() as u64;
    let is_special = count == u64::from(nodes) || u64::from(last - first) + 1 == count;
    if is_special {
        return Ok(range_or_all(*first, count, nodes));
    }
    if count * sparse_share(profile) < u64::from(nodes) {
        return sparse_set(ids.iter().copied(), nodes, count, profile);
    }
    let mut words = vec![0u64; (nodes as usize).div_ceil(64)];
    ids.iter().for_each(|id| words[*id as usize / 64] |= 1 << (id % 64));
    encode_set(&words, nodes, profile)
}

fn range_or_all(first: u32, count: u64, nodes: u32) -> EncodedColumn {
    if count == u64::from(nodes) {
        return EncodedColumn::leaf(Encoding::AllSet, count);
    }
    let mut column = EncodedColumn::leaf(Encoding::RangeSet, count);
    column.row.base = i64::from(first);
    column
}

/// The limit of a profile: a set is stored as a list of its members if it has fewer members than the number
/// of nodes divided by this number.
fn sparse_share(profile: Profile) -> u64 {
    if profile == Profile::Direct { SPARSE_DIRECT } else { SPARSE }
}

/// A sparse set, stored as its `count` members `ids`, which are in ascending order.
fn sparse_set(
    ids: impl Iterator<Item = u32>,
    nodes: u32,
    count: u64,
    profile: Profile,
) -> Result<EncodedColumn> {
    let mut lows = Vec::new();
    let mut offsets = vec![0u32];
    for id in ids {
        offsets.resize((id / BUCKET) as usize + 1, lows.len() as u32);
        lows.push((id % BUCKET) as u8);
    }
    offsets.resize(nodes.div_ceil(BUCKET) as usize + 1, lows.len() as u32);
    let mut column = EncodedColumn::leaf(Encoding::SparseSet, count);
    let is_stepped = lows.len() < offsets.len() / STEPPED;
    column.children.push(match is_stepped {
        true => stepped(offsets)?,
        false => encode_ints(&offsets, Keys::Index, Purpose::Ids, profile)?,
    });
    column.segments.push(EncodedSegment::new(lows, Filter::NONE));
    Ok(column)
}

/// Encodes ascending values that start at 0 and rarely change. Only two encodings are considered, because for
/// a small set, estimating the size of every encoding would take longer than all other work.
fn stepped(values: Vec<u32>) -> Result<EncodedColumn> {
    let stored = Stored { base: 0, high: values.last().copied().unwrap_or(0), values };
    let local_size = local_size(&stored.values);
    let [flat, sloped] = [false, true].map(|sloped| packed_size(&stored.values, sloped));
    if local_size + local_size / TABLE_PRICE < flat.min(sloped) {
        return Ok(leaf(Encoding::Local, &stored, local(&stored.values)?));
    }
    packed(&stored, sloped < flat)
}

/// Returns `zeros`, the number of leading zeros of the next word, or `None` if an earlier word had a set bit.
/// `running` is true until a word has a set bit.
fn leading(running: &mut bool, zeros: u64) -> Option<u64> {
    if !*running {
        return None;
    }
    *running = zeros == 64;
    Some(zeros)
}

impl<'a> StringsInput<'a> {
    /// The number of texts in the table.
    pub fn count(&self) -> usize {
        self.lengths.map_or(self.starts.len().saturating_sub(1), <[u32]>::len)
    }

    /// The bytes of the text with this code.
    ///
    /// # Panics
    /// If there is no such text, or it is not inside the pool.
    pub fn text(&self, code: u32) -> &'a [u8] {
        let start = self.starts[code as usize] as usize;
        let end = match self.lengths {
            Some(lengths) => start + lengths[code as usize] as usize,
            None => self.starts[code as usize + 1] as usize,
        };
        &self.pool[start..end]
    }
}

/// Encodes a string table.
///
/// # Errors
/// [`FormatError::TooLarge`], as for [`encode_ints`]; [`FormatError::Input`] if a text is not inside the
/// pool.
pub fn encode_strings(input: StringsInput<'_>, profile: Profile) -> Result<EncodedColumn> {
    encode_strings_over(input, input.pool.len(), profile)
}

/// Encodes a string table whose texts are in another column's pool of `pool_len` bytes; the pool of `input`
/// is not stored again.
///
/// # Errors
/// As for [`encode_strings`].
pub fn encode_strings_over(
    input: StringsInput<'_>,
    pool_len: usize,
    profile: Profile,
) -> Result<EncodedColumn> {
    let encoding = if input.lengths.is_some() { Encoding::Slices } else { Encoding::Entries };
    if input.pool.len() as u64 > u64::from(u32::MAX) {
        return Err(FormatError::TooLarge {
            what: Quantity::Texts,
            found: input.pool.len() as u64,
            limit: u64::from(u32::MAX),
        });
    }
    check_texts(input, pool_len)?;
    let mut column = EncodedColumn::leaf(encoding, input.count() as u64);
    column.row.sorted = input.sorted;
    column.children.push(encode_ints(input.starts, Keys::Index, Purpose::Ids, profile)?);
    if let Some(lengths) = input.lengths {
        column.children.push(encode_ints(lengths, Keys::None, Purpose::Numbers, profile)?);
    }
    let mut pool = EncodedSegment::new(input.pool.to_vec(), Filter::NONE);
    let is_long = input.lengths.is_some() && input.pool.len() >= CODED_POOL;
    pool.coding = (profile == Profile::Compact && is_long).then_some(POOL_CODING);
    column.segments.push(pool);
    Ok(column)
}
