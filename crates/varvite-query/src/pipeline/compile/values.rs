//! Compiles functions of keys: checks the kinds of their operands, and resolves names and constants.

use std::sync::Arc;

use super::searches::KeyOf;
use super::{Compiler, OwnTexts, PROPERTY_BYTES, bad_step, misplaced};
use crate::pipeline::description::{Function, Key, Literal, Match, Operands, Predicate, Split, Steps};
use crate::pipeline::error::{Result, StepAt};
use crate::pipeline::fault::{Needs, Operand, OperandsNeeded, StepFault, Subject};
use crate::pipeline::plan::{
    Arithmetic, Comparison, Filling, KeyPlan, Reading, TextFunction, TextSource, ValueForm, ValueKind,
    ValuePlan,
};
use crate::pipeline::rows::{Meaning, Shape};
use varvite_graph::internal::NULL_REF;
use varvite_graph::{Property, Texts, ValueType};

/// Bytes of a compiled function, in a plan and in a run.
const VALUE_BYTES: usize = 2 * size_of::<ValuePlan>() + 256;

impl Compiler<'_> {
    /// The computation of a key for each row.
    pub(super) fn value<'k>(&self, key: &'k Key, of: &KeyOf<'k>) -> Result<ValuePlan> {
        self.take(VALUE_BYTES, of.at)?;
        self.operators.set(self.operators.get() + 1);
        of.functions.set(of.functions.get() + 1);
        match key.unnamed() {
            Key::Constant(literal) => self.constant(literal, of.at),
            Key::Function(function, Operands(keys)) => self.function(function, keys, of),
            Key::First(steps) => self.first_value(steps, of),
            Key::Exists(steps) => {
                let filter = self.condition_at(steps, of.shape, &of.next_prefix())?;
                Ok(ValuePlan { kind: ValueKind::Truth, form: ValueForm::Exists(filter) })
            }
            Key::List(_) => Err(bad_step(of.at, StepFault::ListKey)),
            key => {
                let plan = self.key(key, of.shape, of.at)?;
                let (kind, reading) = reading(&plan.column().meaning, of.at)?;
                Ok(ValuePlan { kind, form: ValueForm::Key(plan, reading) })
            }
        }
    }

    fn constant(&self, literal: &Literal, at: &StepAt) -> Result<ValuePlan> {
        let number = |kind, number| ValuePlan { kind, form: ValueForm::Number(number) };
        Ok(match literal {
            Literal::Bool(truth) => number(ValueKind::Truth, i64::from(*truth)),
            Literal::Int(whole) => number(ValueKind::Signed, *whole),
            Literal::Uint(whole) => number(ValueKind::Unsigned, *whole as i64),
            Literal::Float(float) => number(ValueKind::Fraction, float.to_bits() as i64),
            Literal::Text(text) => {
                self.take(2 * text.len(), at)?;
                ValuePlan { kind: ValueKind::Text, form: ValueForm::Text(text.as_str().into()) }
            }
        })
    }

    /// The first result of an inner pipeline.
    fn first_value<'k>(&self, steps: &'k Steps, of: &KeyOf<'k>) -> Result<ValuePlan> {
        let prefix = of.next_prefix();
        if let Some(found) = self.found(steps, of, &prefix)? {
            let (kind, reading) = reading(&found.column().meaning, of.at)?;
            return Ok(ValuePlan { kind, form: ValueForm::Key(found, reading) });
        }
        let steps = self.inside_condition().steps(&steps.0, Some(of.shape), &prefix)?;
        let (kind, reading) = match steps.last().map_or(of.shape, |last| &last.shape) {
            Shape::Nodes => reading(&Meaning::Node, of.at)?,
            Shape::Values(column) => reading(&column.meaning, of.at)?,
            shape => return Err(misplaced(of.at, Needs::KeyOfSingles, shape)),
        };
        Ok(ValuePlan { kind, form: ValueForm::First(steps, reading) })
    }

    fn function<'k>(&self, function: &'k Function, keys: &'k [Key], of: &KeyOf<'k>) -> Result<ValuePlan> {
        if !function.arity().contains(&keys.len()) {
            let (function, found) = (function.name(), keys.len());
            return Err(bad_step(of.at, StepFault::OperandCount { function, found }));
        }
        let operands = keys.iter().map(|key| self.value(key, of)).collect::<Result<Vec<_>>>()?;
        let kinds: Vec<ValueKind> = operands.iter().map(|operand| operand.kind).collect();
        let needs = needed(function);
        if !are_taken(function, &kinds) {
            return Err(bad_step(of.at, refused(function, needs, &operands)));
        }
        let kind = kind_of(function, &kinds);
        let form = match function {
            Function::And => ValueForm::Logic(false, operands),
            Function::Or => ValueForm::Logic(true, operands),
            Function::FirstOf => self.first_of(operands, of.at)?,
            Function::Concat => ValueForm::Concat(operands),
            function => self.fixed(function, operands, of)?,
        };
        Ok(ValuePlan { kind, form })
    }

    /// The first operand with a value. A text of a property and a constant may stay texts of the property, so
    /// that no text is copied.
    fn first_of(&self, operands: Vec<ValuePlan>, at: &StepAt) -> Result<ValueForm> {
        let filling = match &operands[..] {
            [one, ValuePlan { form: ValueForm::Text(text), .. }] => {
                let property = one.property().filter(|property| self.keeps_texts(property));
                property.and_then(|property| Filling::of(&property, text.clone())).map(Arc::new)
            }
            _ => None,
        };
        let Some(filling) = filling else { return Ok(ValueForm::FirstOf(operands)) };
        self.take(size_of::<Filling>() + size_of::<Property>() + PROPERTY_BYTES, at)?;
        let one = operands.into_iter().next().ok_or_else(|| bad_step(at, StepFault::Unforeseen))?;
        Ok(ValueForm::Filled(Box::new(one), filling))
    }

    fn keeps_texts(&self, property: &Property) -> bool {
        match self.own_texts {
            OwnTexts::All => true,
            OwnTexts::Sorted => property.strings().is_some_and(Texts::is_sorted),
            OwnTexts::Nothing => false,
        }
    }

    /// The form of a function with one or two operands.
    fn fixed(&self, function: &Function, operands: Vec<ValuePlan>, of: &KeyOf<'_>) -> Result<ValueForm> {
        let both = match <[ValuePlan; 2]>::try_from(operands) {
            Ok([one, other]) => match equality(function, one, other) {
                Ok((is, value)) => return self.value_test(&is, Box::new(value), of.at),
                Err(both) => both,
            },
            Err(mut one) => {
                let one = one.pop().ok_or_else(|| bad_step(of.at, StepFault::Unforeseen))?;
                return self.of_one(function, Box::new(one), of);
            }
        };
        match (Arithmetic::of(function), Comparison::of(function)) {
            (Some(operation), _) => Ok(ValueForm::Arithmetic(operation, both)),
            (_, Some(comparison)) => Ok(ValueForm::Comparison(comparison, both)),
            _ => Err(bad_step(of.at, StepFault::Unforeseen)),
        }
    }

    fn of_one(&self, function: &Function, one: Box<ValuePlan>, of: &KeyOf<'_>) -> Result<ValueForm> {
        let text = match function {
            Function::Not => return Ok(ValueForm::Not(one)),
            Function::Test(is) => return self.value_test(is, one, of.at),
            Function::Length => TextFunction::Length,
            Function::Lower => TextFunction::Lower,
            Function::Upper => TextFunction::Upper,
            Function::Trim => TextFunction::Trim,
            Function::Split(split) => {
                let Split { on, part } = &**split;
                self.take(on.len(), of.at)?;
                TextFunction::Split { on: on.as_str().into(), part: *part as usize }
            }
            Function::Match(found) => self.matching(found, of.at)?,
            _ => return Err(bad_step(of.at, StepFault::Unforeseen)),
        };
        Ok(ValueForm::OfText(text, one))
    }

    fn matching(&self, found: &Match, at: &StepAt) -> Result<TextFunction> {
        let Match { regex, group } = found;
        let regex = self.part_regex(regex, at)?;
        let last = regex.captures_len() - 1;
        match *group as usize > last {
            true => Err(bad_step(at, StepFault::NoGroup { group: *group, last })),
            false => Ok(TextFunction::Match { regex, group: *group as usize }),
        }
    }

    /// The test of a predicate on a value.
    fn value_test(&self, is: &Predicate, value: Box<ValuePlan>, at: &StepAt) -> Result<ValueForm> {
        let meaning = match (value.property(), value.texts()) {
            (_, TextSource::Names(names)) => Meaning::Name(names),
            (Some(property), _) => Meaning::Of(property),
            _ => value.meaning(),
        };
        Ok(match meaning {
            Meaning::Text => ValueForm::TextTest(value, self.computed_test(is, &Subject::Key, at)?),
            meaning => ValueForm::NumberTest(value, self.test(is, &meaning, &Subject::Key, at)?),
        })
    }
}

impl ValuePlan {
    /// The property to whose texts the value's codes refer. `None` for other values.
    fn property(&self) -> Option<Arc<Property>> {
        let meaning = match &self.form {
            ValueForm::Key(key, _) => key.column().meaning,
            ValueForm::First(steps, _) => match &steps.last()?.shape {
                Shape::Values(column) => column.meaning.clone(),
                _ => return None,
            },
            _ => self.meaning(),
        };
        match meaning {
            Meaning::Of(property) if self.kind == ValueKind::Text => Some(property),
            _ => None,
        }
    }
}

/// A comparison of a text with a constant, as a predicate and the text: a predicate is tested once for each
/// distinct text of a property. `Err` with both operands for any other function.
fn equality(
    function: &Function,
    one: ValuePlan,
    other: ValuePlan,
) -> std::result::Result<(Predicate, ValuePlan), Box<[ValuePlan; 2]>> {
    let is = |text: &str| match function {
        Function::Eq => Some(Predicate::Eq(text.into())),
        Function::Ne => Some(Predicate::Ne(text.into())),
        _ => None,
    };
    let of_constant = |plan: &ValuePlan| match &plan.form {
        ValueForm::Text(text) => is(text),
        _ => None,
    };
    match (of_constant(&one), of_constant(&other)) {
        (Some(is), _) => Ok((is, other)),
        (_, Some(is)) => Ok((is, one)),
        _ => match part_test(function, &other) {
            Some(is) => Ok((is, one)),
            None => Err(Box::new([one, other])),
        },
    }
}

/// The predicate of texts that have a constant text as a part.
fn part_test(function: &Function, part: &ValuePlan) -> Option<Predicate> {
    let ValueForm::Text(text) = &part.form else { return None };
    Some(match function {
        Function::Contains => Predicate::Contains(text.to_string()),
        Function::Prefix => Predicate::Prefix(text.to_string()),
        Function::Suffix => Predicate::Suffix(text.to_string()),
        _ => return None,
    })
}

/// The kind of values that numbers of this meaning stand for, and the way to read them.
fn reading(meaning: &Meaning, at: &StepAt) -> Result<(ValueKind, Reading)> {
    let plain = |kind| (kind, Reading { texts: None, is_single: false, null: None });
    let of_texts = |texts, null| (ValueKind::Text, Reading { texts: Some(texts), is_single: false, null });
    Ok(match (meaning, meaning.value_type()) {
        (Meaning::Node, _) => plain(ValueKind::Node),
        (Meaning::Name(names), _) => of_texts(TextSource::Names(names.clone()), None),
        (Meaning::Text, _) => of_texts(TextSource::Pool, None),
        (Meaning::Of(property), Some(ValueType::String)) => match property.strings() {
            Some(texts) => of_texts(TextSource::property(texts), Some(texts.len().into())),
            None => plain(ValueKind::Text),
        },
        (_, Some(ValueType::Bool)) => plain(ValueKind::Truth),
        (_, Some(ValueType::U64)) => plain(ValueKind::Unsigned),
        (_, Some(ValueType::F64)) => plain(ValueKind::Fraction),
        (_, Some(ValueType::F32)) => {
            (ValueKind::Fraction, Reading { texts: None, is_single: true, null: None })
        }
        (_, Some(ValueType::Ref)) => {
            let null = Some(NULL_REF);
            (ValueKind::Node, Reading { texts: None, is_single: false, null })
        }
        (_, Some(ValueType::Bytes)) => return Err(bad_step(at, not_a_value(Operand::Bytes))),
        (_, Some(_)) => plain(ValueKind::Signed),
        (_, None) => return Err(bad_step(at, not_a_value(Operand::Edge))),
    })
}

fn not_a_value(found: Operand) -> StepFault {
    StepFault::NotAValue { found }
}

/// The operands that a function needs, as errors name them.
fn needed(function: &Function) -> OperandsNeeded {
    match function {
        Function::Eq | Function::Ne | Function::FirstOf => OperandsNeeded::SameKind,
        Function::Lt | Function::Lte | Function::Gt | Function::Gte => OperandsNeeded::Ordered,
        Function::And | Function::Or | Function::Not => OperandsNeeded::Truths,
        Function::Concat => OperandsNeeded::Written,
        function if Arithmetic::of(function).is_some() => OperandsNeeded::Numbers,
        _ => OperandsNeeded::Text,
    }
}

/// Whether a function takes operands of these kinds.
fn are_taken(function: &Function, kinds: &[ValueKind]) -> bool {
    let all = |is: fn(ValueKind) -> bool| kinds.iter().all(|kind| is(*kind));
    let is_alike = || all(ValueKind::is_number) || kinds.iter().all(|kind| *kind == kinds[0]);
    match needed(function) {
        OperandsNeeded::Numbers => all(ValueKind::is_number),
        OperandsNeeded::Truths => all(|kind| kind == ValueKind::Truth),
        OperandsNeeded::SameKind => is_alike(),
        OperandsNeeded::Ordered => all(ValueKind::is_number) || all(|kind| kind == ValueKind::Text),
        OperandsNeeded::Written => all(|kind| kind != ValueKind::Node),
        OperandsNeeded::Text => matches!(function, Function::Test(_)) || all(|kind| kind == ValueKind::Text),
    }
}

/// The kind of a function's value.
fn kind_of(function: &Function, kinds: &[ValueKind]) -> ValueKind {
    let has_fraction = kinds.contains(&ValueKind::Fraction);
    match function {
        Function::FirstOf if kinds.iter().all(|kind| *kind == kinds[0]) => kinds[0],
        Function::FirstOf if has_fraction => ValueKind::Fraction,
        Function::FirstOf | Function::Length => ValueKind::Signed,
        function if Arithmetic::of(function).is_some() && has_fraction => ValueKind::Fraction,
        function if Arithmetic::of(function).is_some() => ValueKind::Signed,
        Function::Lower | Function::Upper | Function::Trim | Function::Concat => ValueKind::Text,
        Function::Split(_) | Function::Match(_) => ValueKind::Text,
        _ => ValueKind::Truth,
    }
}

fn refused(function: &Function, needs: OperandsNeeded, operands: &[ValuePlan]) -> StepFault {
    let found = operands.iter().map(|operand| named_kind(operand.kind)).collect();
    StepFault::Operands { function: function.name(), needs, found }
}

/// The kind of a value, as errors name it.
fn named_kind(kind: ValueKind) -> Operand {
    match kind {
        ValueKind::Truth => Operand::Truth,
        ValueKind::Signed | ValueKind::Unsigned => Operand::Whole,
        ValueKind::Fraction => Operand::Fraction,
        ValueKind::Text => Operand::Text,
        ValueKind::Node => Operand::Node,
    }
}

/// The kind of the values of a meaning, as errors name it.
pub(super) fn operand_of(meaning: &Meaning) -> Operand {
    match (meaning, meaning.value_type()) {
        (_, Some(ValueType::Bytes)) => Operand::Bytes,
        (Meaning::Edge | Meaning::Element, _) => Operand::Edge,
        (Meaning::Node, _) | (_, Some(ValueType::Ref)) => Operand::Node,
        (_, None | Some(ValueType::String)) => Operand::Text,
        (_, Some(ValueType::Bool)) => Operand::Truth,
        (_, Some(ValueType::F32 | ValueType::F64)) => Operand::Fraction,
        (_, Some(_)) => Operand::Whole,
    }
}

impl KeyPlan {
    /// Whether the key is a truth value.
    pub(super) fn is_truth(&self) -> bool {
        self.column().meaning.value_type() == Some(ValueType::Bool)
    }
}
