//! Makes nodes and edges from rows.

use varvite_graph::internal::{Draft, DraftFault, Element, Kind};

use super::cell::{CellRules, Slot};
use super::header::{Column, IdType};
use super::record::Field;
use super::table::Table;
use super::value_kind::ValueKind;
use crate::text::{TextError, TextFault};

/// The id spaces of nodes, each with the type of its ids.
#[derive(Debug, Default)]
pub(super) struct Spaces(Vec<(String, IdType)>);

/// An id space: its number, and the type of its ids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    number: usize,
    id_type: IdType,
}

impl Spaces {
    /// Adds an id space. The type of its ids is `default` unless the header states one.
    pub(super) fn add(&mut self, name: &str, id_type: Option<IdType>, default: IdType) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = id_type.unwrap_or(*known),
            None => self.0.push((name.to_owned(), id_type.unwrap_or(default))),
        }
    }

    fn find(&self, name: &str) -> Option<Space> {
        let number = self.0.iter().position(|(known, _)| known == name)?;
        Some(Space { number, id_type: self.0[number].1 })
    }

    fn name(&self, space: Space) -> String {
        self.0[space.number].0.clone()
    }
}

impl Space {
    /// Fills `key` with the bytes by which the draft identifies the node with this id in this space.
    fn key(self, id: &str, key: &mut Vec<u8>) -> Result<(), TextFault> {
        key.clear();
        // The number of the id space takes seven bits of each byte. The eighth bit is set in all bytes but
        // the last, so that no key is a prefix of a key in another space.
        let mut rest = self.number;
        while rest >= 0x80 {
            key.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        key.push(rest as u8);
        match self.id_type {
            IdType::String => key.extend_from_slice(id.as_bytes()),
            IdType::Integer => key.extend_from_slice(&integer(id)?.to_le_bytes()),
        }
        Ok(())
    }
}

fn integer(id: &str) -> Result<i64, TextFault> {
    let expected = "id of a space of integers";
    id.trim().parse().map_err(|_| TextFault::Value { text: id.to_owned(), expected })
}

/// The columns of a table of nodes, and their meaning in the draft.
pub(super) struct NodeRows {
    /// The column of ids, and the id space.
    id: Option<(usize, Space)>,
    /// The property in which ids are stored.
    id_property: Option<usize>,
    label_column: Option<usize>,
    properties: Vec<PropertyColumn>,
    /// Labels of all nodes of the table.
    own_labels: Vec<u32>,
    /// The text in the label column of the last node, and the labels parsed from this text.
    labels: (String, Vec<u32>),
    key: Vec<u8>,
}

/// A column whose values belong to a property.
#[derive(Clone, Debug)]
struct PropertyColumn {
    index: usize,
    name: String,
    kind: ValueKind,
    is_list: bool,
    /// The number of the property in the draft, if it does not depend on the row.
    property: usize,
}

impl PropertyColumn {
    fn all(table: &Table) -> Vec<Self> {
        let columns = table.header.columns.iter().enumerate();
        let properties = columns.filter_map(|(index, column)| match column {
            Column::Property { name, kind, is_list } => {
                Some(Self { index, name: name.clone(), kind: *kind, is_list: *is_list, property: 0 })
            }
            _ => None,
        });
        properties.collect()
    }

    fn kind(&self) -> Kind {
        Kind { value_type: self.kind.value_type(), is_list: self.is_list }
    }
}

impl NodeRows {
    /// Declares the labels and properties of a table of nodes.
    pub(super) fn of(
        table: &Table,
        labels: &[String],
        spaces: &Spaces,
        draft: &mut Draft,
    ) -> Result<Self, TextError> {
        let header = &table.header;
        let (mut id, mut id_property) = (None, None);
        for (index, column) in header.columns.iter().enumerate() {
            let Column::Id { space, property, .. } = column else { continue };
            let Some(space) = spaces.find(space) else { continue };
            id = Some((index, space));
            if let Some(name) = property {
                let value_type = match space.id_type {
                    IdType::String => ValueKind::Text.value_type(),
                    IdType::Integer => varvite::ValueType::I64,
                };
                let kind = Kind { value_type, is_list: false };
                let declared = draft.property(Element::Node, name, kind);
                id_property = Some(declared.map_err(|fault| table.at(index, fault))?);
            }
        }
        let mut properties = PropertyColumn::all(table);
        for column in &mut properties {
            let declared = draft.property(Element::Node, &column.name, column.kind());
            column.property = declared.map_err(|fault| table.at(column.index, fault))?;
        }
        let own_labels = labels.iter().map(|label| draft.label(label)).collect::<Result<Vec<_>, _>>();
        let own_labels = own_labels.map_err(|fault| table.at(0, fault))?;
        let label_column = header.position(|column| *column == Column::Labels);
        let labels = (String::new(), own_labels.clone());
        Ok(Self { id, id_property, label_column, properties, own_labels, labels, key: Vec::new() })
    }

    /// Adds a node from the last row; returns false if an earlier node has the same id.
    pub(super) fn add(
        &mut self,
        table: &Table,
        spaces: &Spaces,
        rules: CellRules,
        draft: &mut Draft,
    ) -> Result<Option<TextError>, TextError> {
        self.read_labels(table, rules, draft)?;
        let labels = &self.labels.1;
        let record = table.record();
        let node = match self.id {
            None => draft.add_nameless_node(labels).map_err(|fault| table.at(0, fault))?,
            Some((index, space)) => {
                let field = record.field(index);
                let at = |fault| table.at(index, fault);
                if field.is_absent() {
                    return Err(at(TextFault::NoId));
                }
                space.key(field.text, &mut self.key).map_err(at)?;
                let node = draft.add_node(&self.key, labels).map_err(|fault| at(fault.into()))?;
                let Some(node) = node else {
                    let (id, space) = (field.text.to_owned(), spaces.name(space));
                    return Ok(Some(at(TextFault::NodeTwice { id, space })));
                };
                if let Some(property) = self.id_property {
                    put_id(draft, property, node, field, space).map_err(at)?;
                }
                node
            }
        };
        for column in &self.properties {
            let slot = Slot { property: column.property, owner: node };
            let put = rules.put(draft, slot, record.field(column.index), column.kind, column.is_list);
            put.map_err(|fault| table.at(column.index, fault))?;
        }
        Ok(None)
    }

    /// Parses the labels of the row, unless they are those of the previous row.
    fn read_labels(&mut self, table: &Table, rules: CellRules, draft: &mut Draft) -> Result<(), TextError> {
        let Some(index) = self.label_column else { return Ok(()) };
        let text = table.record().field(index).text;
        let (known, labels) = &mut self.labels;
        if text == known {
            return Ok(());
        }
        labels.clone_from(&self.own_labels);
        let names =
            text.split(char::from(rules.array_delimiter)).map(str::trim).filter(|name| !name.is_empty());
        for name in names {
            labels.push(draft.label(name).map_err(|fault| table.at(index, fault))?);
        }
        text.clone_into(known);
        Ok(())
    }
}

fn put_id(
    draft: &mut Draft,
    property: usize,
    node: u32,
    field: Field<'_>,
    space: Space,
) -> Result<(), TextFault> {
    match space.id_type {
        IdType::String => draft.put_text(property, node, field.text)?,
        IdType::Integer => draft.put_number(property, node, integer(field.text)?)?,
    }
    Ok(())
}

/// The columns of a table of relationships, and their meaning in the draft.
pub(super) struct RelationshipRows {
    start: (usize, Space),
    end: (usize, Space),
    type_column: Option<usize>,
    /// The type of relationships whose row has none.
    own_type: Option<u32>,
    properties: Vec<PropertyColumn>,
    /// For each edge label that occurred, the numbers of its properties in the draft, one for each column of
    /// values.
    by_label: Vec<Option<Vec<usize>>>,
    /// The text in the type column of the last relationship, and the edge label parsed from this text.
    last: (String, u32),
    key: Vec<u8>,
}

impl RelationshipRows {
    /// Declares the types and properties of a table of relationships.
    pub(super) fn of(
        table: &Table,
        own_type: Option<&str>,
        spaces: &Spaces,
        draft: &mut Draft,
    ) -> Result<Self, TextError> {
        let (mut start, mut end) = (None, None);
        for (index, column) in table.header.columns.iter().enumerate() {
            let (place, name) = match column {
                Column::Start { space } => (&mut start, space),
                Column::End { space } => (&mut end, space),
                _ => continue,
            };
            let reason = "no table of nodes has ids in this space";
            let field = table.header.names[index].clone();
            let unknown = || table.at(index, TextFault::HeaderField { field, reason });
            *place = Some((index, spaces.find(name).ok_or_else(unknown)?));
        }
        let own_type = own_type.map(|name| draft.edge_label(name)).transpose();
        let missing = |missing| table.at(0, TextFault::MissingColumn { missing, hint: "" });
        Ok(Self {
            start: start.ok_or_else(|| missing(":START_ID"))?,
            end: end.ok_or_else(|| missing(":END_ID"))?,
            type_column: table.header.position(|column| *column == Column::Type),
            own_type: own_type.map_err(|fault| table.at(0, fault))?,
            properties: PropertyColumn::all(table),
            by_label: Vec::new(),
            last: (String::new(), 0),
            key: Vec::new(),
        })
    }

    /// Adds an edge from the last row. If the row has no start or end node, returns the reason, which the
    /// caller may ignore.
    pub(super) fn add(
        &mut self,
        table: &Table,
        spaces: &Spaces,
        rules: CellRules,
        draft: &mut Draft,
    ) -> Result<Option<TextError>, TextError> {
        let (source, target) = (self.start, self.end);
        let source = match self.node(source, ":START_ID", table, spaces, draft)? {
            Ok(node) => node,
            Err(bad) => return Ok(Some(bad)),
        };
        let target = match self.node(target, ":END_ID", table, spaces, draft)? {
            Ok(node) => node,
            Err(bad) => return Ok(Some(bad)),
        };
        let Some(label) = self.label(table, draft)? else {
            let index = self.type_column.unwrap_or(0);
            return Ok(Some(table.at(index, TextFault::NoEnd { what: "a type" })));
        };
        let edge = draft.add_edge(label, source, target).map_err(|fault| table.at(0, fault))?;
        if self.properties.is_empty() {
            return Ok(None);
        }
        self.declare(label, table, draft)?;
        let Some(Some(properties)) = self.by_label.get(label as usize) else { return Ok(None) };
        for (column, property) in self.properties.iter().zip(properties) {
            let slot = Slot { property: *property, owner: edge };
            let field = table.record().field(column.index);
            let put = rules.put(draft, slot, field, column.kind, column.is_list);
            put.map_err(|fault| table.at(column.index, fault))?;
        }
        Ok(None)
    }

    /// The start or end node of the row, or the reason why there is none.
    fn node(
        &mut self,
        (index, space): (usize, Space),
        what: &'static str,
        table: &Table,
        spaces: &Spaces,
        draft: &Draft,
    ) -> Result<Result<u32, TextError>, TextError> {
        let field = table.record().field(index);
        if field.is_absent() {
            return Ok(Err(table.at(index, TextFault::NoEnd { what })));
        }
        space.key(field.text, &mut self.key).map_err(|fault| table.at(index, fault))?;
        let unknown = || {
            let (id, space) = (field.text.to_owned(), spaces.name(space));
            table.at(index, TextFault::NoSuchNode { id, space })
        };
        Ok(draft.node(&self.key).ok_or_else(unknown))
    }

    /// The edge label of the row. The text is parsed only if it differs from that of the previous row.
    fn label(&mut self, table: &Table, draft: &mut Draft) -> Result<Option<u32>, TextError> {
        let Some(index) = self.type_column else { return Ok(self.own_type) };
        let text = table.record().field(index).text.trim();
        if text.is_empty() {
            return Ok(self.own_type);
        }
        if self.last.0 != text {
            let label = draft.edge_label(text).map_err(|fault: DraftFault| table.at(index, fault))?;
            self.last = (text.to_owned(), label);
        }
        Ok(Some(self.last.1))
    }

    /// Declares the properties of the edges of a label when the label first occurs.
    fn declare(&mut self, label: u32, table: &Table, draft: &mut Draft) -> Result<(), TextError> {
        let label_index = label as usize;
        if self.by_label.len() <= label_index {
            self.by_label.resize(label_index + 1, None);
        }
        if self.by_label[label_index].is_none() {
            let declare = |column: &PropertyColumn| {
                let declared = draft.property(Element::Edge(label), &column.name, column.kind());
                declared.map_err(|fault| table.at(column.index, fault))
            };
            let properties = self.properties.iter().map(declare).collect::<Result<Vec<_>, _>>()?;
            self.by_label[label_index] = Some(properties);
        }
        Ok(())
    }
}
