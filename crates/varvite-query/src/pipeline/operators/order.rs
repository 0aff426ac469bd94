//! The operator of `order`, which sorts rows stably. If later steps take only the first rows, the operator
//! keeps at most about twice as many rows as they take.

use std::cmp::Ordering;

use super::chain::{Operate, Stage, pull};
use super::context::Context;
use super::lists::give_rows;
use super::sort::{number_rows, sort, sort_by_texts};
use super::stop::Stop;
use crate::pipeline::plan::KeyPlan;
use crate::pipeline::rows::{Batch, Meaning, TextPool};
use varvite_graph::internal::TextAllowance;
use varvite_graph::{Budget, Property, Texts, ValueType};

/// The operator of `order`.
#[derive(Debug)]
pub(crate) struct Order {
    by: KeyPlan,
    descending: bool,
    /// The maximum number of rows that later steps take. At most about twice as many rows are kept.
    first: usize,
    kept: KeyedRows,
    /// A buffer for the remaining rows while other rows are dropped.
    spare: KeyedRows,
    /// Only rows that sort before this key are kept. `None` until enough rows are kept.
    last: Option<Option<i64>>,
    /// The indexes of kept rows, in order.
    order: Vec<u32>,
    given: usize,
    is_sorted: bool,
    held: usize,
    output_held: usize,
    /// The number of text bytes that all comparisons together may read. Inner pipelines share this limit.
    allowance: Option<TextAllowance>,
}

/// Rows with their keys, in the order in which they came.
#[derive(Debug, Default)]
struct KeyedRows {
    rows: Batch,
    keys: Vec<Option<i64>>,
}

/// Rows are dropped only when at least this number of rows is kept.
const KEPT_MIN: usize = 1024;

impl Order {
    pub(crate) fn new(by: KeyPlan, descending: bool, first: Option<usize>) -> Self {
        let allowance = by.property().and_then(Property::strings).map(Texts::allowance);
        Self {
            by,
            descending,
            first: first.unwrap_or(usize::MAX),
            kept: KeyedRows::default(),
            spare: KeyedRows::default(),
            last: None,
            order: Vec::new(),
            given: 0,
            is_sorted: false,
            held: 0,
            output_held: 0,
            allowance,
        }
    }

    fn sort(&mut self, before: &mut [Stage], cx: &mut Context) -> Result<(), Stop> {
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            self.keep(input, cx)?;
            if self.kept.keys.len() >= self.first.saturating_mul(2).max(KEPT_MIN) {
                self.drop_last(cx)?;
            }
        }
        self.sort_kept(cx)?;
        self.is_sorted = true;
        Ok(())
    }

    /// Keeps the rows of a batch, except those that can no longer be among the first.
    fn keep(&mut self, input: &Batch, cx: &Context) -> Result<(), Stop> {
        let Self { by, kept, order, held, allowance, .. } = self;
        let key_of = |row: usize| by.number(input, row);
        let Some(last) = self.last else {
            kept.make_room(input, 0..input.rows(), held, cx.budget)?;
            kept.keys.extend((0..input.rows()).map(key_of));
            kept.rows.push_all(input);
            return Ok(());
        };
        let (numbers, descending) = (Numbers::of(by, allowance.as_ref(), cx.texts), self.descending);
        order.clear();
        cx.budget.make_room(order, input.rows(), held)?;
        let passes = |row: &u32| numbers.compare_keys(key_of(*row as usize), last, descending).is_lt();
        order.extend((0..input.rows() as u32).filter(passes));
        kept.make_room(input, order.iter().map(|row| *row as usize), held, cx.budget)?;
        kept.keys.extend(order.iter().map(|row| key_of(*row as usize)));
        kept.rows.push_rows(input, order, cx.carried);
        Ok(())
    }

    /// Drops the rows that are not among the first.
    fn drop_last(&mut self, cx: &mut Context) -> Result<(), Stop> {
        self.sort_kept(cx)?;
        let (kept, spare) = (&self.kept, &mut self.spare);
        spare.clear();
        let rows = self.order.iter().map(|row| *row as usize);
        spare.make_room(&kept.rows, rows, &mut self.held, cx.budget)?;
        spare.rows.push_rows(&kept.rows, &self.order, cx.carried);
        spare.keys.extend(self.order.iter().map(|row| kept.keys[*row as usize]));
        self.last = spare.keys.last().copied();
        std::mem::swap(&mut self.kept, &mut self.spare);
        Ok(())
    }

    /// Sorts the kept rows, and shortens `order` to the first ones.
    fn sort_kept(&mut self, cx: &mut Context) -> Result<(), Stop> {
        number_rows(&mut self.order, self.kept.keys.len(), &mut self.held, cx)?;
        let numbers = Numbers::of(&self.by, self.allowance.as_ref(), cx.texts);
        let (keys, descending) = (&self.kept.keys, self.descending);
        let compare =
            |a: &u32, b: &u32| numbers.compare_keys(keys[*a as usize], keys[*b as usize], descending);
        match numbers {
            Numbers::Texts(..) | Numbers::Computed(_) => sort_by_texts(&mut self.order, compare, cx)?,
            _ => sort(&mut self.order, compare, cx)?,
        }
        self.order.truncate(self.first);
        Ok(())
    }
}

impl KeyedRows {
    /// Makes room for rows of a batch.
    fn make_room(
        &mut self,
        from: &Batch,
        rows: impl ExactSizeIterator<Item = usize> + Clone,
        held: &mut usize,
        budget: &Budget,
    ) -> Result<(), Stop> {
        budget.make_room(&mut self.keys, rows.len(), held)?;
        Ok(self.rows.make_room(from, rows, held, budget)?)
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.keys.clear();
    }
}

impl Operate for Order {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !self.is_sorted {
            cx.in_whole_batches(|cx| self.sort(before, cx))?;
        }
        let rows = &self.order[self.given..];
        let given = give_rows(&self.kept.rows, rows, output, &mut self.output_held, cx)?;
        self.given += given;
        Ok(given > 0)
    }

    fn reset(&mut self) {
        self.kept.clear();
        self.order.clear();
        self.last = None;
        (self.given, self.is_sorted) = (0, false);
    }
}

/// How stored numbers are compared.
enum Numbers<'a> {
    Signed,
    Unsigned,
    Single,
    Double,
    Texts(&'a Texts, &'a TextAllowance),
    /// Codes of texts that the run has computed.
    Computed(&'a TextPool),
}

impl<'a> Numbers<'a> {
    fn of(by: &'a KeyPlan, allowance: Option<&'a TextAllowance>, computed: &'a TextPool) -> Self {
        if let Meaning::Text = by.column().meaning {
            return Self::Computed(computed);
        }
        let property = by.property();
        let value_type = property.map(Property::value_type).or_else(|| by.column().meaning.value_type());
        let texts = property.and_then(Property::strings).filter(|texts| !texts.is_sorted());
        match (value_type, texts.zip(allowance)) {
            (Some(ValueType::F32), _) => Self::Single,
            (Some(ValueType::F64), _) => Self::Double,
            (Some(ValueType::U64), _) => Self::Unsigned,
            (_, Some((texts, allowance))) => Self::Texts(texts, allowance),
            _ => Self::Signed,
        }
    }

    /// Compares two keys. Rows without a key come last in both directions.
    #[inline]
    fn compare_keys(&self, a: Option<i64>, b: Option<i64>, descending: bool) -> Ordering {
        match (a, b) {
            (Some(a), Some(b)) if descending => self.compare(b, a),
            (Some(a), Some(b)) => self.compare(a, b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    }

    #[inline]
    fn compare(&self, a: i64, b: i64) -> Ordering {
        match self {
            Self::Signed => a.cmp(&b),
            Self::Unsigned => (a as u64).cmp(&(b as u64)),
            Self::Single => f32::from_bits(a as u32).total_cmp(&f32::from_bits(b as u32)),
            Self::Double => f64::from_bits(a as u64).total_cmp(&f64::from_bits(b as u64)),
            Self::Texts(texts, allowance) => texts.compare(a, b, allowance),
            Self::Computed(texts) => texts.get(a).cmp(&texts.get(b)),
        }
    }
}
