//! [`RecordCells`]: converts records to cells of an answer. Memory references have their own named columns;
//! other records have a column for each field.

use std::fmt::Write;

use serde_json::Value as Json;
use varvite_memtrace::reference::{CONTENT, Reference, kind};
use varvite_trace::{Schema, Split};

use crate::output::Column;

/// Converts the records of a trace to cells.
pub(super) struct RecordCells {
    schema: Schema,
    is_references: bool,
}

impl RecordCells {
    pub(super) fn of(schema: &Schema) -> Self {
        let is_references = schema.content == CONTENT && matches!(schema.split, Split::References { .. });
        Self { schema: schema.clone(), is_references }
    }

    pub(super) fn columns(&self) -> Vec<Column> {
        if self.is_references {
            return vec![Column::text("type"), Column::number("size"), Column::text("value")];
        }
        let fields = self.schema.fields.iter().map(|field| Column::number(field.name()));
        let rest = self.schema.fixed_len().is_none().then(|| Column::text("bytes"));
        fields.chain(rest).collect()
    }

    pub(super) fn cells(&self, record: &[u8]) -> Vec<Json> {
        match record.first_chunk() {
            Some(bytes) if self.is_references => reference(Reference::from_bytes(bytes)),
            _ => self.fields(record),
        }
    }

    fn fields(&self, mut record: &[u8]) -> Vec<Json> {
        let mut cells = Vec::new();
        for field in &self.schema.fields {
            let (bytes, rest) = record.split_at(usize::from(field.width).min(record.len()));
            cells.push(bytes.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte)).into());
            record = rest;
        }
        if self.schema.fixed_len().is_none() {
            cells.push(hex(record).into());
        }
        cells
    }
}

fn reference(reference: Reference) -> Vec<Json> {
    let name = kind::name(reference.kind).map_or_else(|| reference.kind.to_string(), str::to_owned);
    let value = match reference.kind {
        kind::ENCODING => hex(&reference.value.to_le_bytes()[..usize::from(reference.size).min(8)]),
        kind::THREAD | kind::THREAD_EXIT | kind::PROCESS | kind::MARKER | kind::HEADER => {
            reference.value.to_string()
        }
        _ => format!("{:#x}", reference.value),
    };
    vec![name.into(), reference.size.into(), value.into()]
}

/// The bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string does not fail");
        text
    })
}
