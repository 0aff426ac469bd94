//! [`CellRules`]: adds the value of a field to a draft.

use varvite_graph::internal::Draft;

use super::record::Field;
use super::value_kind::ValueKind;
use crate::text::TextFault;

/// Options for reading the values of fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellRules {
    pub(super) array_delimiter: u8,
    /// Whether blanks around texts are removed.
    pub(super) trim_strings: bool,
    /// Whether quoted empty texts count as missing values.
    pub(super) ignore_empty_strings: bool,
}

/// The property and the owner of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) property: usize,
    pub(super) owner: u32,
}

impl CellRules {
    /// Whether a field counts as a missing value.
    pub(super) fn is_absent(self, field: Field<'_>) -> bool {
        field.is_absent() || self.ignore_empty_strings && field.text.is_empty()
    }

    /// Adds the value of a field, or the values of its list, to a draft.
    pub(super) fn put(
        self,
        draft: &mut Draft,
        slot: Slot,
        field: Field<'_>,
        kind: ValueKind,
        is_list: bool,
    ) -> Result<(), TextFault> {
        if self.is_absent(field) || is_list && field.text.is_empty() {
            return Ok(());
        }
        if !is_list {
            return self.put_one(draft, slot, field.text, kind);
        }
        let mut elements = field.text.split(char::from(self.array_delimiter));
        elements.try_for_each(|element| self.put_one(draft, slot, element, kind))
    }

    fn put_one(self, draft: &mut Draft, slot: Slot, text: &str, kind: ValueKind) -> Result<(), TextFault> {
        let Slot { property, owner } = slot;
        let trimmed = text.trim();
        let refused = || TextFault::Value { text: text.to_owned(), expected: kind.name() };
        let number = match kind {
            ValueKind::Text => {
                let text = if self.trim_strings { trimmed } else { text };
                return Ok(draft.put_text(property, owner, text)?);
            }
            ValueKind::Char => {
                let is_one = text.chars().count() == 1;
                return if is_one { Ok(draft.put_text(property, owner, text)?) } else { Err(refused()) };
            }
            ValueKind::Integer(_, min, max) => {
                trimmed.parse().ok().filter(|number| (min..=max).contains(number))
            }
            ValueKind::Float(_) => trimmed.parse::<f64>().ok().map(|number| number.to_bits() as i64),
            ValueKind::Boolean if trimmed.eq_ignore_ascii_case("true") => Some(1),
            ValueKind::Boolean if trimmed.eq_ignore_ascii_case("false") => Some(0),
            ValueKind::Boolean => None,
        };
        Ok(draft.put_number(property, owner, number.ok_or_else(refused)?)?)
    }
}
