//! [`Evaluator`]: computes functions of keys for the rows of a batch, function by function.
//!
//! Each function first computes its operands for all wanted rows, then its own values. `and`,
//! `or` and `first_of` compute an operand only for the rows that the operands before it left open, so a
//! later operand may divide by a number that an earlier one has found not to be 0. A value is a number, as in
//! a batch: the code of a text refers to the table of a property, to names of labels or to the pool of the
//! run, and the plan says which.
//!
//! Reading order: `mod` for the tree of functions, `logic` for truth values and defaults, `numbers` for
//! arithmetic and comparisons, `texts` for functions of texts. `spare` keeps the buffers.

mod logic;
mod numbers;
mod spare;
mod texts;

use std::sync::Arc;

use super::condition::Condition;
use super::context::Context;
use super::each_row::EachRow;
use super::inner::Inner;
use super::node_numbers::{NodeNumbers, each_key};
use super::stop::Stop;
use super::value_test::ValueTest;
use crate::pipeline::plan::{
    Arithmetic, Comparison, ComputedTest, Filling, Filter, KeyPlan, Physical, Reading, ValueForm, ValueKind,
    ValuePlan,
};
use crate::pipeline::rows::{Batch, Cells};
use spare::{Rows, Spare, Values};
use texts::{Given, Joiner, OfText, Texts};

/// A function of keys in a run.
#[derive(Debug)]
pub(crate) struct Evaluator {
    function: Value,
    spare: Spare,
}

/// A function, or an operand of one.
#[derive(Debug)]
struct Value {
    kind: ValueKind,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Number(i64),
    /// A constant text, and its code once the run has one.
    Text(Arc<str>, Option<i64>),
    Key(KeyPlan, Reading, Box<NodeNumbers>),
    First(Box<EachRow>, Reading),
    Exists(Condition),
    Arithmetic(Arithmetic, Box<[Value; 2]>),
    Comparison(Comparison, Box<[Value; 2]>),
    TextComparison(Comparison, Box<[Value; 2]>, [Texts; 2]),
    /// Whether all operands are true, or any is; `true` stands for any.
    Logic(bool, Vec<Value>),
    Not(Box<Value>),
    FirstOf(Vec<Value>),
    /// The first operand that is a text with a value, and the texts of each operand.
    FirstText(Vec<Value>, Vec<Given>),
    Filled(Box<Value>, Arc<Filling>),
    NumberTest(Box<Value>, ValueTest),
    TextTest(Box<Value>, ComputedTest),
    OfText(Box<Value>, OfText),
    Concat(Vec<Value>, Joiner),
}

/// The makers of the parts of an evaluator that are made elsewhere.
pub(super) struct Makers {
    pub(super) inner: fn(&[Physical]) -> Inner,
    pub(super) condition: fn(&Filter) -> Condition,
}

impl Evaluator {
    pub(super) fn new(plan: &ValuePlan, make: &Makers) -> Self {
        Self { function: Value::new(plan, make), spare: Spare::default() }
    }

    /// Appends the value of each row of a batch to `cells`.
    pub(super) fn fill(&mut self, input: &Batch, cells: &mut Cells, cx: &mut Context) -> Result<(), Stop> {
        let Self { function, spare } = self;
        if let Some((key, constant)) = function.as_filled_key()
            && key.fill(constant, input, cells, cx)?
        {
            return Ok(());
        }
        let mut rows = spare.rows();
        rows.extend(0..input.rows() as u32);
        let mut values = spare.values();
        function.compute(Rows { input, rows: &rows }, &mut values, spare, cx)?;
        values.iter().for_each(|value| cells.push(*value));
        spare.keep(values);
        spare.keep_rows(rows);
        Ok(())
    }

    /// Prepares the inner pipelines and the tests of texts.
    pub(super) fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        self.function.prepare(cx)
    }

    /// Makes the evaluator share what the same evaluator on another thread has prepared.
    pub(super) fn share(&mut self, other: &Self) {
        self.function.share(&other.function);
    }
}

impl Value {
    fn new(plan: &ValuePlan, make: &Makers) -> Self {
        let new = |plan: &ValuePlan| Self::new(plan, make);
        let both = |both: &[ValuePlan; 2]| Box::new([new(&both[0]), new(&both[1])]);
        let one = |one: &ValuePlan| Box::new(new(one));
        let all = |all: &[ValuePlan]| all.iter().map(new).collect::<Vec<_>>();
        let texts = |all: &[ValuePlan]| all.iter().map(|one| Texts::new(one.texts())).collect();
        let form = match &plan.form {
            ValueForm::Number(number) => Form::Number(*number),
            ValueForm::Text(text) => Form::Text(text.clone(), None),
            ValueForm::Key(key, reading) => Form::Key(key.clone(), reading.clone(), Box::default()),
            ValueForm::First(steps, reading) => {
                Form::First(Box::new(EachRow::new(steps, make.inner)), reading.clone())
            }
            ValueForm::Exists(filter) => Form::Exists((make.condition)(filter)),
            ValueForm::Arithmetic(operation, operands) => Form::Arithmetic(*operation, both(operands)),
            ValueForm::Comparison(comparison, operands) if operands[0].kind == ValueKind::Text => {
                let texts = [Texts::new(operands[0].texts()), Texts::new(operands[1].texts())];
                Form::TextComparison(*comparison, both(operands), texts)
            }
            ValueForm::Comparison(comparison, operands) => Form::Comparison(*comparison, both(operands)),
            ValueForm::Logic(is_any, operands) => Form::Logic(*is_any, all(operands)),
            ValueForm::Not(operand) => Form::Not(one(operand)),
            ValueForm::FirstOf(operands) if plan.kind == ValueKind::Text => {
                Form::FirstText(all(operands), operands.iter().map(|one| Given::new(one.texts())).collect())
            }
            ValueForm::FirstOf(operands) => Form::FirstOf(all(operands)),
            ValueForm::Filled(operand, filling) => Form::Filled(one(operand), filling.clone()),
            ValueForm::NumberTest(operand, test) => Form::NumberTest(one(operand), ValueTest::new(test)),
            ValueForm::TextTest(operand, test) => Form::TextTest(one(operand), test.clone()),
            ValueForm::OfText(function, operand) => {
                Form::OfText(one(operand), OfText::new(function.clone(), operand.texts()))
            }
            ValueForm::Concat(operands) => Form::Concat(all(operands), Joiner::new(texts(operands))),
        };
        Self { kind: plan.kind, form }
    }

    /// Appends the value of each row to `values`, which is empty.
    fn compute(
        &mut self,
        rows: Rows<'_>,
        values: &mut Values,
        spare: &mut Spare,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        cx.tick_by(rows.len())?;
        let Self { kind, form } = self;
        match form {
            Form::Number(number) => values.resize(rows.len(), Some(*number)),
            Form::Text(text, code) => {
                let code = match code {
                    Some(code) => *code,
                    None => *code.insert(cx.texts.code(text)?),
                };
                values.resize(rows.len(), Some(code));
            }
            Form::Key(key, reading, numbers) => {
                match rows.are_all() && numbers.is_affordable(&rows.input.nodes, cx.budget) {
                    true => each_key(key, numbers, rows.input, |number| values.push(reading.value(number))),
                    false => values.extend(rows.iter().map(|row| reading.value(key.number(rows.input, row)))),
                }
            }
            Form::First(inner, reading) => {
                inner.compute(rows.input, rows.rows, values, cx)?;
                values.iter_mut().for_each(|value| *value = reading.value(*value));
            }
            Form::Exists(condition) => logic::existing(condition, rows, values, spare, cx)?,
            Form::Arithmetic(operation, operands) => {
                let of = [operands[0].kind, operands[1].kind];
                let other = both(operands, rows, values, spare, cx)?;
                numbers::compute(*operation, *kind, of, values, &other)?;
                spare.keep(other);
            }
            Form::Comparison(comparison, operands) => {
                let of = [operands[0].kind, operands[1].kind];
                let other = both(operands, rows, values, spare, cx)?;
                numbers::compare(*comparison, of, values, &other);
                spare.keep(other);
            }
            Form::TextComparison(comparison, operands, texts) => {
                let other = both(operands, rows, values, spare, cx)?;
                texts::compare(*comparison, texts, values, &other, cx)?;
                spare.keep(other);
            }
            Form::Logic(is_any, operands) => logic::decide(*is_any, operands, rows, values, spare, cx)?,
            Form::Not(operand) => {
                operand.compute(rows, values, spare, cx)?;
                values.iter_mut().flatten().for_each(|truth| *truth ^= 1);
            }
            Form::FirstOf(operands) => {
                let to = *kind;
                let given = |_, from, value, _: &mut Context| numbers::converted(value, from, to);
                logic::first_of(operands, rows, values, given, spare, cx)?;
            }
            Form::FirstText(operands, texts) => {
                let given = |number: usize, _, code, cx: &mut Context| texts[number].code(code, cx);
                logic::first_of(operands, rows, values, given, spare, cx)?;
            }
            Form::Filled(operand, filling) => {
                operand.compute(rows, values, spare, cx)?;
                texts::fill(filling, values, cx)?;
            }
            Form::NumberTest(operand, test) => {
                operand.compute(rows, values, spare, cx)?;
                if test.reads_texts() {
                    cx.tick_by(texts::TURNS * rows.len())?;
                }
                values.iter_mut().flatten().for_each(|value| *value = i64::from(test.passes(*value)));
            }
            Form::TextTest(operand, test) => {
                operand.compute(rows, values, spare, cx)?;
                texts::test(test, values, cx)?;
            }
            Form::OfText(operand, function) => {
                operand.compute(rows, values, spare, cx)?;
                function.compute(values, cx)?;
            }
            Form::Concat(operands, joiner) => joiner.join(operands, rows, values, spare, cx)?,
        }
        Ok(())
    }

    /// A key, and the constant for rows without it. `None` for other functions.
    fn as_filled_key(&mut self) -> Option<(FilledKey<'_>, Constant<'_>)> {
        let (of, constant) = match &mut self.form {
            Form::Filled(of, filling) => (&mut **of, Constant::Text(filling)),
            Form::FirstOf(operands) => match &mut operands[..] {
                [of, Self { kind, form: Form::Number(number) }] if *kind == of.kind => {
                    (of, Constant::Number(*number))
                }
                _ => return None,
            },
            _ => return None,
        };
        match &mut of.form {
            Form::Key(key, reading, numbers) => Some((FilledKey { key, reading, numbers }, constant)),
            _ => None,
        }
    }

    fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        match &mut self.form {
            Form::First(inner, _) => inner.prepare(cx)?,
            Form::Exists(condition) => condition.prepare(0, cx)?,
            Form::NumberTest(_, test) => test.prepare(0, cx)?,
            _ => {}
        }
        self.operands_mut().try_for_each(|operand| operand.prepare(cx))
    }

    fn share(&mut self, other: &Self) {
        match (&mut self.form, &other.form) {
            (Form::First(inner, _), Form::First(other, _)) => inner.share(other),
            (Form::Exists(condition), Form::Exists(other)) => condition.share(other),
            (Form::NumberTest(_, test), Form::NumberTest(_, other)) => *test = other.of_thread(),
            (Form::TextComparison(_, _, texts), Form::TextComparison(_, _, others)) => {
                texts.iter_mut().zip(others).for_each(|(texts, other)| texts.share(other));
            }
            (Form::FirstText(_, texts), Form::FirstText(_, others)) => {
                texts.iter_mut().zip(others).for_each(|(texts, other)| texts.share(other));
            }
            (Form::OfText(_, function), Form::OfText(_, other)) => function.share(other),
            (Form::Concat(_, joiner), Form::Concat(_, other)) => joiner.share(other),
            _ => {}
        }
        self.operands_mut().zip(other.operands()).for_each(|(operand, other)| operand.share(other));
    }

    fn operands(&self) -> std::slice::Iter<'_, Self> {
        match &self.form {
            Form::Arithmetic(_, both) | Form::Comparison(_, both) | Form::TextComparison(_, both, _) => {
                both.iter()
            }
            Form::Logic(_, all) | Form::FirstOf(all) | Form::FirstText(all, _) | Form::Concat(all, _) => {
                all.iter()
            }
            Form::Not(one)
            | Form::Filled(one, _)
            | Form::NumberTest(one, _)
            | Form::TextTest(one, _)
            | Form::OfText(one, _) => std::slice::from_ref(&**one).iter(),
            _ => [].iter(),
        }
    }

    fn operands_mut(&mut self) -> std::slice::IterMut<'_, Self> {
        match &mut self.form {
            Form::Arithmetic(_, both) | Form::Comparison(_, both) | Form::TextComparison(_, both, _) => {
                both.iter_mut()
            }
            Form::Logic(_, all) | Form::FirstOf(all) | Form::FirstText(all, _) | Form::Concat(all, _) => {
                all.iter_mut()
            }
            Form::Not(one)
            | Form::Filled(one, _)
            | Form::NumberTest(one, _)
            | Form::TextTest(one, _)
            | Form::OfText(one, _) => std::slice::from_mut(&mut **one).iter_mut(),
            _ => [].iter_mut(),
        }
    }
}

/// A key whose values go straight into cells.
struct FilledKey<'v> {
    key: &'v KeyPlan,
    reading: &'v Reading,
    numbers: &'v mut NodeNumbers,
}

/// The value of rows that lack a key.
enum Constant<'v> {
    Number(i64),
    Text(&'v Filling),
}

impl FilledKey<'_> {
    /// Appends the value of each row to `cells`. Returns false, and appends nothing, if the budget has no
    /// room for the buffers of the key.
    fn fill(
        self,
        constant: Constant<'_>,
        input: &Batch,
        cells: &mut Cells,
        cx: &mut Context,
    ) -> Result<bool, Stop> {
        let Self { key, reading, numbers } = self;
        if !numbers.is_affordable(&input.nodes, cx.budget) {
            return Ok(false);
        }
        cx.tick_by(input.rows())?;
        let first = cells.rows();
        each_key(key, numbers, input, |number| cells.push(reading.value(number)));
        if cells.lacks_any(first) {
            let number = match constant {
                Constant::Number(number) => number,
                Constant::Text(filling) => filling.code(|| cx.cancel.check())?,
            };
            cells.fill_absent(first, number);
        }
        Ok(true)
    }
}

impl Reading {
    /// The value of a stored number. `None` if the number stands for null.
    #[inline]
    fn value(&self, number: Option<i64>) -> Option<i64> {
        let number = number.filter(|number| Some(*number) != self.null)?;
        Some(match self.is_single {
            true => f64::from(f32::from_bits(number as u32)).to_bits() as i64,
            false => number,
        })
    }
}

/// Appends the values of the first operand to `values`, and returns those of the second.
fn both(
    [first, second]: &mut [Value; 2],
    rows: Rows<'_>,
    values: &mut Values,
    spare: &mut Spare,
    cx: &mut Context,
) -> Result<Values, Stop> {
    first.compute(rows, values, spare, cx)?;
    let mut other = spare.values();
    second.compute(rows, &mut other, spare, cx)?;
    Ok(other)
}
