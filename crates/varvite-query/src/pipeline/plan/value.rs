//! [`ValuePlan`]: how to compute a function of keys, with the kind of each value.

use std::sync::{Arc, OnceLock};

use super::{ComputedTest, Filter, KeyPlan, Physical, Test};
use crate::pipeline::description::Function;
use crate::pipeline::rows::Meaning;
use varvite_graph::{Property, Texts, ValueType};

/// How to compute the value of a key for each row.
#[derive(Clone, Debug)]
pub(crate) struct ValuePlan {
    pub(crate) kind: ValueKind,
    pub(crate) form: ValueForm,
}

/// The kind of a value in a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Truth,
    /// A whole number of 64 bits with a sign.
    Signed,
    /// A whole number of 64 bits without a sign.
    Unsigned,
    /// A float of 64 bits, as its bits.
    Fraction,
    Text,
    Node,
}

/// The computation of a value.
#[derive(Clone, Debug)]
pub(crate) enum ValueForm {
    Number(i64),
    Text(Arc<str>),
    /// A value that is read from the row.
    Key(KeyPlan, Reading),
    /// The first result of an inner pipeline.
    First(Vec<Physical>, Reading),
    /// Whether a filter accepts the row.
    Exists(Filter),
    Arithmetic(Arithmetic, Box<[ValuePlan; 2]>),
    Comparison(Comparison, Box<[ValuePlan; 2]>),
    /// Whether all operands are true, or any is; `true` stands for any.
    Logic(bool, Vec<ValuePlan>),
    Not(Box<ValuePlan>),
    FirstOf(Vec<ValuePlan>),
    /// The operand, which is a text of a property, or a constant text for rows without it.
    Filled(Box<ValuePlan>, Arc<Filling>),
    NumberTest(Box<ValuePlan>, Test),
    TextTest(Box<ValuePlan>, ComputedTest),
    OfText(TextFunction, Box<ValuePlan>),
    Concat(Vec<ValuePlan>),
}

/// A constant text for rows without a text of a property.
#[derive(Debug)]
pub(crate) struct Filling {
    /// The property, whose texts have the constant as one more text.
    pub(crate) property: Arc<Property>,
    pub(crate) text: Arc<str>,
    /// The code of the constant: that of an equal text of the property, if there is one. Unknown until a run
    /// needs it, because a search for the text may have to read all texts.
    pub(crate) code: OnceLock<i64>,
}

/// How a stored number becomes a value.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// The texts to which codes refer. `None` unless the value is a text.
    pub(crate) texts: Option<TextSource>,
    /// Whether the number has the bits of a float of 32 bits.
    pub(crate) is_single: bool,
    /// The number that stands for null.
    pub(crate) null: Option<i64>,
}

/// Where the texts of a value's codes are.
#[derive(Clone, Debug)]
pub(crate) enum TextSource {
    /// In the table of a property.
    Property(Box<Texts>),
    /// Among the names of labels.
    Names(Arc<[String]>),
    /// In the pool of the run.
    Pool,
}

/// An operation with two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// A comparison of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Eq,
    Ne,
    Lt,
    Lte,
    Gt,
    Gte,
    /// Whether one text contains the other, begins with it or ends with it.
    Contains,
    Prefix,
    Suffix,
}

/// A function of one text.
#[derive(Clone, Debug)]
pub(crate) enum TextFunction {
    Length,
    Lower,
    Upper,
    Trim,
    Split { on: Arc<str>, part: usize },
    Match { regex: regex::Regex, group: usize },
}

impl ValuePlan {
    /// The stored number of a key, as it is.
    pub(crate) fn stored(key: KeyPlan) -> Self {
        let reading = Reading { texts: None, is_single: false, null: None };
        Self { kind: ValueKind::Signed, form: ValueForm::Key(key, reading) }
    }

    /// The meaning of the column that shows the value.
    pub(crate) fn meaning(&self) -> Meaning {
        if let ValueForm::Filled(_, filling) = &self.form {
            return Meaning::Of(filling.property.clone());
        }
        Meaning::Plain(match self.kind {
            ValueKind::Truth => ValueType::Bool,
            ValueKind::Signed => ValueType::I64,
            ValueKind::Unsigned => ValueType::U64,
            ValueKind::Fraction => ValueType::F64,
            ValueKind::Text => return Meaning::Text,
            ValueKind::Node => return Meaning::Node,
        })
    }

    /// Where the texts of the value's codes are.
    pub(crate) fn texts(&self) -> TextSource {
        match &self.form {
            ValueForm::Key(_, reading) | ValueForm::First(_, reading) => {
                reading.texts.clone().unwrap_or(TextSource::Pool)
            }
            ValueForm::Filled(_, filling) => filling.texts().map_or(TextSource::Pool, TextSource::property),
            _ => TextSource::Pool,
        }
    }

    /// The operands.
    pub(crate) fn operands(&self) -> &[Self] {
        match &self.form {
            ValueForm::Arithmetic(_, both) | ValueForm::Comparison(_, both) => &both[..],
            ValueForm::Logic(_, all) | ValueForm::FirstOf(all) | ValueForm::Concat(all) => all,
            ValueForm::Not(one)
            | ValueForm::Filled(one, _)
            | ValueForm::NumberTest(one, _)
            | ValueForm::TextTest(one, _)
            | ValueForm::OfText(_, one) => std::slice::from_ref(one),
            _ => &[],
        }
    }

    /// Adds the steps of each inner pipeline to `found`.
    pub(super) fn pipelines<'p>(&'p self, found: &mut Vec<&'p [Physical]>) {
        if let ValueForm::First(steps, _) = &self.form {
            found.push(steps);
        }
        self.operands().iter().for_each(|operand| operand.pipelines(found));
    }
}

impl TextSource {
    pub(crate) fn property(texts: &Texts) -> Self {
        Self::Property(Box::new(texts.clone()))
    }
}

impl Filling {
    /// The filling of a property with a text. `None` unless the property has strings.
    pub(crate) fn of(property: &Property, text: Arc<str>) -> Option<Self> {
        let property = Arc::new(property.with_extra_text(text.clone())?);
        Some(Self { property, text, code: OnceLock::new() })
    }

    /// The code of the constant. `look` is called now and then, and may stop the search for the text.
    pub(crate) fn code<E>(&self, look: impl FnMut() -> Result<(), E>) -> Result<i64, E> {
        if let Some(code) = self.code.get() {
            return Ok(*code);
        }
        let found = self.texts().map(|texts| texts.find_each_until(&[&self.text], look)).transpose()?;
        // A damaged table ends the search early. The constant has a code of its own even then.
        let last = self.texts().map_or(0, |texts| i64::from(texts.len()) - 1);
        let code = found.and_then(|codes| codes[0]).map_or(last, i64::from);
        Ok(*self.code.get_or_init(|| code))
    }

    /// The texts of the property, and the constant.
    pub(crate) fn texts(&self) -> Option<&Texts> {
        self.property.strings()
    }
}

impl ValueKind {
    /// Whether values of this kind are numbers.
    pub(crate) fn is_number(self) -> bool {
        matches!(self, Self::Signed | Self::Unsigned | Self::Fraction)
    }

    /// The number of a stored whole number.
    pub(crate) fn whole(self, number: i64) -> i128 {
        match self {
            Self::Unsigned => i128::from(number as u64),
            _ => i128::from(number),
        }
    }

    /// The number as a float, rounded if it is whole and large.
    pub(crate) fn float(self, number: i64) -> f64 {
        match self {
            Self::Fraction => f64::from_bits(number as u64),
            _ => self.whole(number) as f64,
        }
    }
}

impl Arithmetic {
    pub(crate) fn of(function: &Function) -> Option<Self> {
        Some(match function {
            Function::Add => Self::Add,
            Function::Subtract => Self::Subtract,
            Function::Multiply => Self::Multiply,
            Function::Divide => Self::Divide,
            Function::Remainder => Self::Remainder,
            _ => return None,
        })
    }

    /// The word that plans use for the operation.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Add => Function::Add.name(),
            Self::Subtract => Function::Subtract.name(),
            Self::Multiply => Function::Multiply.name(),
            Self::Divide => Function::Divide.name(),
            Self::Remainder => Function::Remainder.name(),
        }
    }
}

impl Comparison {
    pub(crate) fn of(function: &Function) -> Option<Self> {
        Some(match function {
            Function::Eq => Self::Eq,
            Function::Ne => Self::Ne,
            Function::Lt => Self::Lt,
            Function::Lte => Self::Lte,
            Function::Gt => Self::Gt,
            Function::Gte => Self::Gte,
            Function::Contains => Self::Contains,
            Function::Prefix => Self::Prefix,
            Function::Suffix => Self::Suffix,
            _ => return None,
        })
    }

    /// Whether two values compare in this way. `order` is `None` if one of them is NaN.
    pub(crate) fn holds(self, order: Option<std::cmp::Ordering>) -> bool {
        match (self, order) {
            (Self::Ne, None) => true,
            (_, None) => false,
            (Self::Eq, Some(order)) => order.is_eq(),
            (Self::Ne, Some(order)) => order.is_ne(),
            (Self::Lt, Some(order)) => order.is_lt(),
            (Self::Lte, Some(order)) => order.is_le(),
            (Self::Gt, Some(order)) => order.is_gt(),
            (Self::Gte, Some(order)) => order.is_ge(),
            // The compiler gives these to texts alone.
            (Self::Contains | Self::Prefix | Self::Suffix, Some(_)) => false,
        }
    }

    /// Whether two texts compare in this way, by their bytes.
    pub(crate) fn holds_of_texts(self, text: &str, other: &str) -> bool {
        match self {
            Self::Contains => text.contains(other),
            Self::Prefix => text.starts_with(other),
            Self::Suffix => text.ends_with(other),
            comparison => comparison.holds(Some(text.cmp(other))),
        }
    }
}
