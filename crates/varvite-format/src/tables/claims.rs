//! Compares the claims of a directory with the length of its file.
//!
//! A large count takes no bytes in a file: a constant column of 2^32 values is one row, and a thousand
//! properties may refer to it. A reader of the whole graph would read the values of each property. So a
//! column counts once for every row that refers to it, and the sums are limited to a multiple of the file's
//! length. Readers refuse to open a directory that claims more, and writers never write such a directory.
//! Therefore the time and memory of every pass over a graph are proportional to the length of its file. The
//! time of the check itself is proportional to the length of the directory.

use crate::{
    Claim, ColumnId, ColumnRow, Directory, Excess, Fault, FormatError, NameId, Owner, Part, Quantity,
};

/// The largest number of values, nodes and edges for each byte of a file.
const VALUES_OF_BYTE: u64 = 1024;
/// The largest number of plain bytes of segments for each byte of a file.
const PLAIN_OF_BYTE: u64 = 256;
/// The largest number of plain bytes of segments in a small file, for which the limit per byte would be
/// lower.
const PLAIN_FREE: u64 = 1 << 30;
/// The largest number of bytes of names for each byte of a file.
const NAMES_OF_BYTE: u64 = 4;
/// The largest number of columns in the tree of one column, including the column itself. A string table whose
/// two children are dictionaries of dictionaries has 15.
const PARTS_MAX: u64 = 16;

impl Excess {
    /// The fault of a file with an excessive claim.
    pub fn damage(self) -> FormatError {
        FormatError::damaged(Part::Directory, Fault::Excess(self))
    }

    /// The error with which a writer refuses to write a file that would have an excessive claim.
    pub fn refusal(self) -> FormatError {
        let Self { claim, found, limit, file_len } = self;
        FormatError::TooLarge { what: Quantity::Claim(claim, file_len), found, limit }
    }
}

impl Directory {
    /// Compares the claims of the rows with the length of the file.
    ///
    /// # Errors
    /// A claim exceeds its limit; the error states the first such claim.
    pub fn check_claims(&self, file_len: u64) -> Result<(), Excess> {
        let of_length = |factor: u64| file_len.saturating_mul(factor);
        let columns = Weight::of_columns(self);
        let named = self.roots().fold(Weight::default(), |sum, root| sum.plus(weight(&columns, root)));
        let parts = columns.iter().map(|column| column.parts).max();
        let plain = self.segments.iter().fold(0u64, |sum, row| sum.saturating_add(row.plain_len));
        let claims = [
            (Claim::Values, self.counts().fold(named.values, u64::saturating_add), of_length(VALUES_OF_BYTE)),
            (Claim::PlainBytes, named.plain.max(plain), of_length(PLAIN_OF_BYTE).max(PLAIN_FREE)),
            (Claim::NameBytes, self.name_bytes(), of_length(NAMES_OF_BYTE)),
            (Claim::LabelSetBytes, self.label_set_bytes(), of_length(VALUES_OF_BYTE)),
            (Claim::ColumnParts, parts.unwrap_or(0), PARTS_MAX),
        ];
        let excess = claims.into_iter().find(|(_, found, limit)| found > limit);
        excess.map_or(Ok(()), |(claim, found, limit)| Err(Excess { claim, found, limit, file_len }))
    }

    /// The counts in all rows except those of columns.
    fn counts(&self) -> impl Iterator<Item = u64> + '_ {
        let origins = self.labels.iter().map(|row| u64::from(row.origin_count));
        let edges = self.edge_labels.iter().map(|row| row.edges);
        let appended = self.changes.iter().flat_map(|changes| &changes.edges).map(|row| row.appended);
        origins.chain(edges).chain(appended).chain([u64::from(self.nodes)])
    }

    /// The number of bytes of names; a name counts once for every row that refers to it.
    fn name_bytes(&self) -> u64 {
        let layers = self.layers.iter().flat_map(|row| [row.name, row.tool, row.version]);
        let labels = self.labels.iter().map(|row| row.name);
        let edge_labels = self.edge_labels.iter().map(|row| row.name);
        let properties = self.properties.iter().flat_map(|row| {
            let edge_label = match row.owner {
                Owner::Edge(label) => self.edge_labels.get(label.index()).map(|row| row.name),
                Owner::Node => None,
            };
            let default = u32::try_from(row.default).ok().filter(|_| row.default_kind == 2).map(NameId);
            [Some(row.name), edge_label, default].into_iter().flatten()
        });
        let names = layers.chain(labels).chain(edge_labels).chain(properties);
        names.map(|name| self.names.get(name).len() as u64).sum()
    }

    /// The number of bytes of the label names in all label sets, plus one byte for each label of a set.
    fn label_set_bytes(&self) -> u64 {
        let words = self.mask_words();
        let of_label = |label: usize| self.labels.get(label).map_or(0, |row| self.names.get(row.name).len());
        let of_word = |(number, word): (usize, &u64)| {
            let (first, mut rest, mut bytes) = (number % words * 64, *word, 0);
            while rest != 0 {
                bytes += 1 + of_label(first + rest.trailing_zeros() as usize) as u64;
                rest &= rest - 1;
            }
            bytes
        };
        self.label_sets.iter().enumerate().map(of_word).sum()
    }
}

/// The claims of a column and its descendants: the number of columns, values and plain bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    parts: u64,
    values: u64,
    plain: u64,
}

impl Weight {
    /// Computes the claims of each column. Columns are visited in the order of their numbers, in which
    /// children come before their parents.
    fn of_columns(directory: &Directory) -> Vec<Self> {
        let mut columns: Vec<Self> = Vec::with_capacity(directory.columns.len());
        for row in &directory.columns {
            let mut sum = Self::own(directory, row);
            for child in row.children {
                sum = child.map_or(sum, |child| sum.plus(weight(&columns, child)));
            }
            columns.push(sum);
        }
        columns
    }

    fn own(directory: &Directory, row: &ColumnRow) -> Self {
        let mut plain = 0u64;
        for segment in row.segments {
            let row = segment.and_then(|id| directory.segments.get(id.index()));
            plain = plain.saturating_add(row.map_or(0, |row| row.plain_len));
        }
        Self { parts: 1, values: row.count, plain }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            parts: self.parts.saturating_add(other.parts),
            values: self.values.saturating_add(other.values),
            plain: self.plain.saturating_add(other.plain),
        }
    }
}

fn weight(columns: &[Weight], column: ColumnId) -> Weight {
    columns.get(column.index()).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EncodedColumn, Encoding, LabelRow, NamesBuilder, SegmentId, SegmentRow};
    use varvite_codec::{Codec, Filter};

    /// The length of a file of one mebibyte.
    const LENGTH: u64 = 1 << 20;

    fn column(encoding: Encoding, count: u64, children: &[u32], segment: Option<u32>) -> ColumnRow {
        let mut row = EncodedColumn::leaf(encoding, count).row;
        row.children.iter_mut().zip(children).for_each(|(place, child)| *place = Some(ColumnId(*child)));
        row.segments[0] = segment.map(SegmentId);
        row
    }

    fn label(name: NameId, nodes: u32, origin_count: u32) -> LabelRow {
        LabelRow { name, layer: 0, nodes: ColumnId(nodes), origin_count, origin: None }
    }

    fn segment(plain_len: u64) -> SegmentRow {
        SegmentRow {
            offset: 0,
            stored_len: 100,
            plain_len,
            table_hash: 0,
            block_len: 1,
            codec: Codec::Zstd,
            filter: Filter::NONE,
        }
    }

    #[track_caller]
    fn check(directory: &Directory, expected: Option<&str>) {
        let found = directory.check_claims(LENGTH).err().map(|excess| excess.damage().to_string());
        match expected {
            None => assert_eq!(found, None),
            Some(expected) => assert!(found.clone().is_some_and(|it| it.contains(expected)), "{found:?}"),
        }
    }

    #[test]
    fn nodes_are_at_most_1024_times_the_length_of_the_file() {
        let nodes = |nodes| Directory { nodes, ..Directory::default() };
        check(&nodes(1 << 30), None);
        check(
            &nodes((1 << 30) + 1),
            Some("at most 1073741824 values in a file of 1048576 bytes, found 1073741825"),
        );
    }

    #[test]
    fn a_column_counts_as_often_as_rows_name_it() {
        let columns = vec![column(Encoding::AllSet, 1 << 29, &[], None)];
        let named = |rows| {
            let labels = vec![label(NameId(0), 0, 0); rows];
            Directory { columns: columns.clone(), labels, ..Directory::default() }
        };
        check(&named(2), None);
        check(&named(3), Some("values"));
    }

    #[test]
    fn the_parts_of_a_column_count_with_it() {
        let half = column(Encoding::Constant, 1 << 29, &[], None);
        let columns = vec![half, half, column(Encoding::Dictionary, 1, &[0, 1], None)];
        let labels = vec![label(NameId(0), 2, 0)];
        check(&Directory { columns, labels, ..Directory::default() }, Some("found 1073741825"));
    }

    #[test]
    fn columns_that_double_below_each_other_are_refused_without_counting_them_all() {
        let leaf = column(Encoding::Constant, 0, &[], None);
        let doubled = (1..1000).map(|number| column(Encoding::Dictionary, 0, &[number - 1; 2], None));
        let columns = std::iter::once(leaf).chain(doubled).collect();
        check(&Directory { columns, ..Directory::default() }, Some("at most 16 parts of a column"));
    }

    #[test]
    fn a_segment_counts_as_often_as_it_is_named() {
        let columns = vec![column(Encoding::Plain, 0, &[], Some(0))];
        let named = |rows, plain_len| Directory {
            columns: columns.clone(),
            segments: vec![segment(plain_len)],
            labels: vec![label(NameId(0), 0, 0); rows],
            ..Directory::default()
        };
        check(&named(0, PLAIN_FREE), None);
        check(&named(2, PLAIN_FREE / 2), None);
        check(&named(0, PLAIN_FREE + 1), Some("plain bytes"));
        check(&named(3, PLAIN_FREE / 2), Some("plain bytes"));
        let large = named(1, 256 * 8 * LENGTH);
        assert!(large.check_claims(8 * LENGTH).is_ok() && large.check_claims(8 * LENGTH - 1).is_err());
    }

    #[test]
    fn places_and_edges_count_as_values() {
        let labels = vec![label(NameId(0), 0, u32::MAX)];
        check(&Directory { labels, ..Directory::default() }, Some("values"));
    }

    #[test]
    fn a_long_name_is_not_used_by_every_row() {
        let mut names = NamesBuilder::default();
        let name = names.intern(&"n".repeat(1 << 16));
        let names = names.build();
        let named = |rows| Directory {
            names: names.clone(),
            labels: vec![label(name, 0, 0); rows],
            ..Directory::default()
        };
        check(&named(64), None);
        check(&named(65), Some("at most 4194304 bytes of names"));
    }

    #[test]
    fn label_sets_of_long_names_are_few() {
        let mut names = NamesBuilder::default();
        let labels = vec![label(names.intern(&"n".repeat(65_535)), 0, 0)];
        let names = names.build();
        let sets = |sets| Directory {
            names: names.clone(),
            labels: labels.clone(),
            label_sets: vec![1; sets],
            ..Directory::default()
        };
        check(&sets(1 << 14), None);
        check(&sets((1 << 14) + 1), Some("bytes of labels of label sets"));
    }

    #[test]
    fn sums_do_not_overflow() {
        let columns = vec![column(Encoding::Constant, u64::MAX, &[], None); 2];
        let labels = vec![label(NameId(0), 0, 7), label(NameId(0), 1, 7)];
        check(&Directory { columns, labels, ..Directory::default() }, Some("found 18446744073709551615"));
    }
}
