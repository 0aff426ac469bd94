//! Writes one property, as a part of a fold.

use varvite_codec::Codec;
use varvite_format::{Encoding, Owner, Profile, PropertyId};

use super::Fold;
use super::texts::{SortedTable, UsedTexts};
use crate::change_error::ChangeError;
use crate::cursor::value::ValueType;
use crate::error::Result;
use crate::write::{CutInput, PreparedProperty, PropertyInput, PropertySpec, ValuesInput};

/// The schema row and the columns of a property, ready to be written.
pub(super) type FoldedProperty = (PropertySpec, PreparedProperty);

impl Fold<'_> {
    /// Encodes a node property that shares its texts with no other property.
    pub(super) fn property(&self, id: PropertyId) -> Result<FoldedProperty, ChangeError> {
        self.property_of(id, self.renumbering.old_of_new())
    }

    /// Encodes a property, with its owners in the order of their new ids or ranks. `old_owners` has the old
    /// number of each owner.
    pub(super) fn property_of(
        &self,
        id: PropertyId,
        old_owners: &[u32],
    ) -> Result<FoldedProperty, ChangeError> {
        let property = self.graph.property_at(id)?;
        if self.has_many_numbers(id, &property) {
            let columns = self.many_numbers(&property, old_owners)?;
            return Ok((self.spec(id), columns));
        }
        let values = self.values(&property, old_owners)?;
        let offsets = &values.offsets[..];
        let columns = match property.value_type() {
            ValueType::Bool => {
                let values = ValuesInput::Truth(&values.numbers);
                self.encoder.property(PropertyInput { offsets, values })?
            }
            ValueType::String | ValueType::Bytes => {
                let texts = UsedTexts::by_first_use(self.graph, id, &property, &values.numbers)?;
                let values = ValuesInput::Texts(texts.input(self.parents_for(id)));
                self.encode_texts(id, PropertyInput { offsets, values })?
            }
            _ => {
                let values = ValuesInput::Numbers(&values.numbers);
                self.encoder.property(PropertyInput { offsets, values })?
            }
        };
        Ok((self.spec(id), columns))
    }

    /// Encodes node properties that share one sorted table of texts.
    pub(super) fn properties_of_table(
        &self,
        group: &[PropertyId],
    ) -> Result<Vec<FoldedProperty>, ChangeError> {
        let (mut used, mut offsets) = (Vec::with_capacity(group.len()), Vec::with_capacity(group.len()));
        for id in group {
            let property = self.graph.property_at(*id)?;
            let values = self.values(&property, self.renumbering.old_of_new())?;
            used.push(UsedTexts::by_first_use(self.graph, *id, &property, &values.numbers)?);
            offsets.push(values.offsets);
        }
        let table = SortedTable::of(&used)?;
        let fold = |(member, id): (usize, &PropertyId)| {
            let values = ValuesInput::Texts(table.input(member));
            let columns = self.encode_texts(*id, PropertyInput { offsets: &offsets[member], values })?;
            Ok((self.spec(*id), columns))
        };
        group.iter().enumerate().map(fold).collect()
    }

    /// Encodes two node properties, where the texts of the second are parts of texts of the first.
    pub(super) fn source_and_parts(
        &self,
        source_id: PropertyId,
        parts_id: PropertyId,
    ) -> Result<[FoldedProperty; 2], ChangeError> {
        let owners = self.renumbering.old_of_new();
        let source = self.graph.property_at(source_id)?;
        let source_values = self.values(&source, owners)?;
        let source_texts = UsedTexts::by_first_use(self.graph, source_id, &source, &source_values.numbers)?;
        let parts = self.graph.property_at(parts_id)?;
        let part_values = self.values(&parts, owners)?;
        let part_texts = UsedTexts::by_first_use(self.graph, parts_id, &parts, &part_values.numbers)?;
        let places = source_texts.places_of(&source, &parts, &part_values);
        let input = CutInput {
            source_offsets: &source_values.offsets,
            source: source_texts.input(&[]),
            offsets: &part_values.offsets,
            parts: part_texts.input(self.renumbering.parents()),
            places: &places,
        };
        let label_sets = [self.label_sets_for(source_id), self.label_sets_for(parts_id)];
        let [source, parts] = self.encoder.cut(input, label_sets)?;
        let folded = |id, columns| (self.spec(id), columns);
        Ok([folded(source_id, source), folded(parts_id, parts)])
    }

    fn encode_texts(
        &self,
        id: PropertyId,
        input: PropertyInput<'_>,
    ) -> Result<PreparedProperty, ChangeError> {
        let encoder = match self.has_coded_pool(id) {
            true => self.encoder.with_coded_pools(),
            false => self.encoder.clone(),
        };
        match self.label_sets_for(id) {
            Some(label_sets) => encoder.indexed_property(input, label_sets),
            None => encoder.property(input),
        }
    }

    /// Whether the texts of a property are end to end in a compressed pool, as a layer stores long texts in
    /// every profile. The new file keeps them compressed.
    fn has_coded_pool(&self, id: PropertyId) -> bool {
        let directory = self.graph.store().directory();
        let strings = directory.properties[id.index()].strings;
        let row = strings.and_then(|column| directory.columns.get(column.index()));
        let pool = row.filter(|row| row.encoding == Encoding::Entries).and_then(|row| row.segments[0]);
        let segment = pool.and_then(|segment| directory.segments.get(segment.index()));
        let is_archive = self.encoder.profile == Profile::Archive;
        !is_archive && segment.is_some_and(|segment| segment.codec != Codec::None)
    }

    /// The codes of the label sets of all nodes; `None` if the property has no index.
    fn label_sets_for(&self, id: PropertyId) -> Option<&[u32]> {
        let indexes = &self.graph.store().directory().text_indexes;
        indexes.iter().any(|row| row.property == id).then_some(&self.label_sets[..])
    }

    /// The parents of nodes; empty for properties of edges. The encoder looks for a node's text in the texts
    /// of the node's ancestors.
    fn parents_for(&self, id: PropertyId) -> &[u32] {
        match self.graph.store().directory().properties[id.index()].owner {
            Owner::Node => self.renumbering.parents(),
            Owner::Edge(_) => &[],
        }
    }

    fn spec(&self, id: PropertyId) -> PropertySpec {
        let info = &self.graph.properties()[id.index()];
        PropertySpec {
            name: info.name.clone(),
            owner: self.graph.store().directory().properties[id.index()].owner,
            layer: info.layer,
            value_type: info.value_type,
            cardinality: info.cardinality,
            default: info.default.clone(),
        }
    }
}
