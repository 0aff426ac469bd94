//! Opens properties: checks the lengths of their columns once, and combines the base with the changes.

use varvite_format::{
    ColumnId, Fault, Ints, Owner, PropertyChangeRow, PropertyId, PropertyRow, Source, Strings,
};
use varvite_store::Pinned;

use crate::cursor::bounds::Bounds;
use crate::cursor::damage::SoundPart;
use crate::cursor::member_change::{Added, MemberChange};
use crate::cursor::property::{Property, PropertyChange};
use crate::cursor::texts::Texts;
use crate::cursor::value::{Cardinality, ValueType};
use crate::error::Result;
use crate::graph::Graph;

/// The columns of a property's values, in the base or in a change.
#[derive(Clone, Copy)]
struct ValueColumns {
    present: ColumnId,
    offsets: Option<ColumnId>,
    values: ColumnId,
    /// The number of possible owners.
    owners: u32,
    sound: SoundPart,
}

impl Graph {
    /// Opens a property, given by its row in the directory.
    pub(crate) fn open_property(&self, id: PropertyId, row: &PropertyRow) -> Result<Property> {
        let change = self.store().directory().changes.as_ref().and_then(|it| it.of_property(id)).copied();
        let texts = self.texts_of(id, row.strings)?;
        let of_base = texts.as_ref().map_or(0, Texts::len);
        let texts = self.with_more_texts(texts, change.as_ref())?;
        let columns = ValueColumns {
            present: row.present,
            offsets: row.offsets,
            values: row.values,
            owners: self.owner_limit(row, false)?,
            sound: SoundPart::Values(id),
        };
        let property = self.values_of(row, columns, of_base, texts)?;
        self.with_property_change(id, row, property, change)
    }

    fn texts_of(&self, id: PropertyId, column: Option<ColumnId>) -> Result<Option<Texts>> {
        let strings = column.map(|column| Strings::open(self.store(), column)).transpose()?;
        Ok(strings.map(|strings| self.table_of_texts(strings, id)))
    }

    /// The texts of the base together with the texts added later.
    fn with_more_texts(
        &self,
        texts: Option<Texts>,
        change: Option<&PropertyChangeRow>,
    ) -> Result<Option<Texts>> {
        let Some(column) = change.and_then(|change| change.strings) else { return Ok(texts) };
        let more = Strings::open(self.store(), column)?;
        let unexpected = Fault::Unexpected { what: "string table of numbers" };
        let texts = texts.ok_or_else(|| self.damaged("property change", unexpected))?;
        let found = u64::from(texts.len()) + u64::from(more.len());
        let too_many = Fault::TooMany { what: "texts", most: u64::from(u32::MAX) - 1, found };
        texts.with_more(more).ok_or_else(|| self.damaged("property change", too_many)).map(Some)
    }

    /// The exclusive upper limit of a property's owners: the number of nodes, or of the edges of the
    /// property's label. Appended nodes or edges are included if `with_appended` is true.
    fn owner_limit(&self, row: &PropertyRow, with_appended: bool) -> Result<u32> {
        let directory = self.store().directory();
        let Owner::Edge(label) = row.owner else {
            return Ok(if with_appended { directory.nodes } else { directory.nodes_of_layer(row.layer) });
        };
        let change = directory.changes.as_ref().and_then(|changes| changes.of_edges(label));
        let appended = change.filter(|_| with_appended).map_or(0, |change| change.appended);
        let edges = directory.edge_labels[label.index()].edges.saturating_add(appended);
        u32::try_from(edges).map_err(|_| {
            let fault = Fault::TooMany { what: "edges", most: u32::MAX.into(), found: edges };
            self.damaged("edge property", fault)
        })
    }

    /// Opens a property from the given columns. Codes of texts in these columns must be below `texts_stored`.
    fn values_of(
        &self,
        row: &PropertyRow,
        columns: ValueColumns,
        texts_stored: u32,
        texts: Option<Texts>,
    ) -> Result<Property> {
        let unknown_type =
            |what, found: u8| self.damaged("property", Fault::Unknown { what, found: found.into() });
        if self.store().row(columns.values)?.relative {
            return Err(self.damaged("property", Fault::Relative));
        }
        let value_type = ValueType::from_number(row.value_type);
        let value_type = value_type.ok_or_else(|| unknown_type("value type", row.value_type))?;
        let bounds = |texts| Bounds::of(value_type, self.node_count(), texts);
        let property = Property {
            value_type,
            cardinality: Cardinality::from_number(row.cardinality)
                .ok_or_else(|| unknown_type("cardinality", row.cardinality))?,
            present: self.set(columns.present, columns.owners)?,
            offsets: columns.offsets.map(|column| Ints::open(self.store(), column)).transpose()?,
            values: Ints::open(self.store(), columns.values)?,
            bounds: bounds(texts.as_ref().map_or(0, Texts::len)),
            stored_bounds: bounds(texts_stored),
            has_lists: columns.offsets.is_some(),
            change: None,
            texts,
            owner_limit: self.owner_limit(row, true)?,
            damage: self.damage().clone(),
            sound: columns.sound,
        };
        self.check_lists("property", &property.present, property.offsets.as_ref(), property.values.len())?;
        match (property.value_type.is_text(), &property.texts) {
            (true, None) => Err(self.missing("property", "string table")),
            (false, Some(_)) => {
                Err(self.damaged("property", Fault::Unexpected { what: "string table of numbers" }))
            }
            _ => Ok(property),
        }
    }

    fn with_property_change(
        &self,
        id: PropertyId,
        row: &PropertyRow,
        property: Property,
        change: Option<PropertyChangeRow>,
    ) -> Result<Property> {
        let Some((_, known)) = self.changes() else { return Ok(property) };
        let made = known.property(id, || self.property_change(id, row, &property, change))?;
        let has_lists = made.iter().flat_map(|change| &change.values).any(|values| values.has_lists);
        Ok(Property { has_lists: property.has_lists || has_lists, change: made, ..property })
    }

    /// Opens the change of a property.
    fn property_change(
        &self,
        id: PropertyId,
        row: &PropertyRow,
        property: &Property,
        change: Option<PropertyChangeRow>,
    ) -> Result<PropertyChange> {
        let owners_max = self.owner_limit(row, true)?;
        let removed = self.removed_owners(row.owner, owners_max)?;
        let owners = change.map(|change| self.set(change.owners, owners_max)).transpose()?;
        let columns = change.map(|change| ValueColumns {
            present: change.present,
            offsets: change.offsets,
            values: change.values,
            owners: owners_max,
            sound: SoundPart::ChangedValues(id),
        });
        let texts = property.texts.clone();
        let all_texts = texts.as_ref().map_or(0, Texts::len);
        let values = columns.map(|columns| self.values_of(row, columns, all_texts, texts)).transpose()?;
        let both = [owners, removed];
        let hidden = self.common(&property.present, &both)?;
        let [owners, removed] = both;
        let hidden_values = hidden.iter().map(|owner| property.range_in_base(*owner).len()).sum();
        let added = values.as_ref().map_or(Added::List(Vec::new()), |it| Added::Set(it.present.clone()));
        let members = MemberChange { _charge: self.charge_for(&hidden)?, hidden, added };
        Ok(PropertyChange { owners, removed, values, members, hidden_values })
    }

    /// The removed owners of a property: removed nodes, or the removed edges of a label.
    fn removed_owners(
        &self,
        owner: Owner,
        owners_max: u32,
    ) -> Result<Option<varvite_format::NodeSet<Pinned>>> {
        let Owner::Edge(label) = owner else { return self.removed_nodes() };
        let directory = self.store().directory();
        // If neighbours are implied by the forest, edges have no ranks and no properties.
        let has_ranks = directory.edge_labels[label.index()].out.nodes.is_some();
        let change = directory.changes.as_ref().and_then(|changes| changes.of_edges(label));
        let removed = change.filter(|_| has_ranks).and_then(|change| change.removed);
        removed.map(|column| self.set(column, owners_max)).transpose()
    }
}
