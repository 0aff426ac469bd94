//! Functions and comparisons of texts.
//!
//! A computed text gets a code in the pool of the run. A function of one text remembers its results for
//! recent codes, because few distinct texts of a property usually occur in many rows.

use std::io::Write;
use std::sync::Arc;

use super::Value;
use super::spare::{Rows, Spare, Values};
use crate::pipeline::operators::context::Context;
use crate::pipeline::operators::stop::Stop;
use crate::pipeline::plan::{Comparison, ComputedTest, Filling, TextFunction, TextSource, ValueKind};
use crate::pipeline::rows::TextPool;
use varvite_graph::TextsReader;
use varvite_graph::internal::TextAllowance;

/// The number of loop turns for which one read of a text counts.
pub(super) const TURNS: usize = 64;
/// A text of at most this number of bytes is copied without a charge to the budget.
const COPIED_FREE: usize = 1 << 16;
/// The largest number of bytes that one byte of a text can become in another case.
const CASE_BYTES: usize = 3;

/// The texts of an operand's codes.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    source: TextSource,
    /// The number of text bytes that all threads of a run together may read from a property.
    allowance: Option<Arc<TextAllowance>>,
}

/// A reader of texts, one after another.
struct Reader<'t> {
    from: From<'t>,
    allowance: Option<&'t TextAllowance>,
}

#[expect(
    clippy::large_enum_variant,
    reason = "there are few, and a box would be an allocation for each batch"
)]
enum From<'t> {
    Property(&'t varvite_graph::Texts, TextsReader<'t>),
    Names(&'t [String]),
    Pool(&'t TextPool),
}

impl Texts {
    pub(super) fn new(source: TextSource) -> Self {
        let allowance = match &source {
            TextSource::Property(texts) => Some(Arc::new(texts.allowance())),
            _ => None,
        };
        Self { source, allowance }
    }

    /// Makes the texts share the allowance of the same texts on another thread.
    pub(super) fn share(&mut self, other: &Self) {
        self.allowance.clone_from(&other.allowance);
    }

    fn reader<'t>(&'t self, pool: &'t TextPool) -> Reader<'t> {
        let from = match &self.source {
            TextSource::Property(texts) => From::Property(texts, texts.reader()),
            TextSource::Names(names) => From::Names(names),
            TextSource::Pool => From::Pool(pool),
        };
        Reader { from, allowance: self.allowance.as_deref() }
    }
}

/// The texts of an operand as texts of the run, with their codes in its pool for recent codes here.
#[derive(Debug)]
pub(super) struct Given {
    texts: Texts,
    recent: Recent,
}

impl Given {
    pub(super) fn new(source: TextSource) -> Self {
        Self { texts: Texts::new(source), recent: Recent::default() }
    }

    pub(super) fn share(&mut self, other: &Self) {
        self.texts.share(&other.texts);
    }

    /// The code in the pool of the run for the text with a code here.
    pub(super) fn code(&mut self, code: i64, cx: &mut Context) -> Result<i64, Stop> {
        if let TextSource::Pool = self.texts.source {
            return Ok(code);
        }
        if let Some(Some(known)) = self.recent.get(code) {
            return Ok(known);
        }
        cx.tick_by(TURNS)?;
        // A text that cannot be read has noted the damage, which is reported at the end of the run.
        let given = cx.texts.code(self.texts.reader(cx.texts).get(code).unwrap_or_default())?;
        self.recent.put(code, Some(given), cx);
        Ok(given)
    }
}

/// Gives the constant text to each row without a value.
pub(super) fn fill(filling: &Filling, values: &mut Values, cx: &mut Context) -> Result<(), Stop> {
    if values.iter().all(Option::is_some) {
        return Ok(());
    }
    let code = filling.code(|| cx.cancel.check())?;
    values.iter_mut().for_each(|value| _ = value.get_or_insert(code));
    Ok(())
}

impl Reader<'_> {
    /// The text with a code. `None` if it cannot be read; the damage has been noted.
    fn get(&mut self, code: i64) -> Option<&str> {
        match &mut self.from {
            From::Property(texts, reader) => {
                let text = reader.str(u32::try_from(code).ok()?)?;
                let may_read = self.allowance.is_none_or(|allowance| texts.may_read(text.len(), allowance));
                may_read.then_some(text)
            }
            From::Names(names) => names.get(usize::try_from(code).ok()?).map(String::as_str),
            From::Pool(pool) => pool.get(code),
        }
    }
}

/// Replaces the text of each row by whether it compares in a way with another text, by their bytes.
pub(super) fn compare(
    comparison: Comparison,
    [of_a, of_b]: &[Texts; 2],
    values: &mut Values,
    others: &[Option<i64>],
    cx: &mut Context,
) -> Result<(), Stop> {
    let are_same = of_a.has_codes_of(of_b);
    let (mut texts_a, mut texts_b) = (of_a.reader(cx.texts), of_b.reader(cx.texts));
    for (a, b) in values.iter_mut().zip(others) {
        cx.tick_by(TURNS)?;
        let holds = match (*a, *b) {
            (Some(a), Some(b)) if are_same && a == b => Some(comparison.holds_of_texts("", "")),
            (Some(a), Some(b)) => {
                let both = texts_a.get(a).zip(texts_b.get(b));
                both.map(|(text, other)| comparison.holds_of_texts(text, other))
            }
            _ => None,
        };
        *a = holds.map(i64::from);
    }
    Ok(())
}

/// Replaces each text, which the run has computed, by whether it passes a test.
pub(super) fn test(test: &ComputedTest, values: &mut Values, cx: &mut Context) -> Result<(), Stop> {
    cx.tick_by(TURNS * values.len())?;
    for value in values.iter_mut().flatten() {
        *value = i64::from(cx.texts.get(*value).is_some_and(|text| test.passes(text)));
    }
    Ok(())
}

impl Texts {
    /// Whether equal codes mean equal texts here and there.
    fn has_codes_of(&self, other: &Self) -> bool {
        match (&self.source, &other.source) {
            (TextSource::Property(texts), TextSource::Property(others)) => texts.are_those_of(others),
            (TextSource::Names(names), TextSource::Names(others)) => Arc::ptr_eq(names, others),
            (TextSource::Pool, TextSource::Pool) => true,
            _ => false,
        }
    }
}

/// A function of one text, with its results for recent codes.
#[derive(Debug)]
pub(super) struct OfText {
    function: TextFunction,
    texts: Texts,
    recent: Recent,
}

impl OfText {
    pub(super) fn new(function: TextFunction, source: TextSource) -> Self {
        Self { function, texts: Texts::new(source), recent: Recent::default() }
    }

    pub(super) fn share(&mut self, other: &Self) {
        self.texts.share(&other.texts);
    }

    /// Replaces codes by the results for their texts.
    pub(super) fn compute(&mut self, values: &mut Values, cx: &mut Context) -> Result<(), Stop> {
        let Self { function, texts, recent } = self;
        let mut reader = texts.reader(cx.texts);
        for value in values {
            let Some(code) = *value else { continue };
            *value = match recent.get(code) {
                Some(result) => result,
                None => {
                    cx.tick_by(TURNS)?;
                    let text = reader.get(code);
                    let result = text.map(|text| function.result(text, cx)).transpose()?.flatten();
                    recent.put(code, result, cx);
                    result
                }
            };
        }
        Ok(())
    }
}

impl TextFunction {
    /// The function's result for a text, as a number. `None` if the text has none.
    fn result(&self, text: &str, cx: &Context) -> Result<Option<i64>, Stop> {
        let part = match self {
            Self::Length => return Ok(Some(text.chars().count() as i64)),
            Self::Lower | Self::Upper => return in_case(text, matches!(self, Self::Lower), cx).map(Some),
            Self::Trim => Some(text.trim()),
            Self::Split { on, part } if on.is_empty() => (*part == 0).then_some(text),
            Self::Split { on, part } => text.split(&**on).nth(*part),
            Self::Match { regex, group } if *group == 0 => regex.find(text).map(|found| found.as_str()),
            Self::Match { regex, group } => {
                regex.captures(text).and_then(|found| found.get(*group)).map(|found| found.as_str())
            }
        };
        Ok(part.map(|part| cx.texts.code(part)).transpose()?)
    }
}

/// The code of a text in lower case, or in upper case.
fn in_case(text: &str, is_lower: bool, cx: &Context) -> Result<i64, Stop> {
    let bytes = if text.len() > COPIED_FREE { CASE_BYTES * text.len() } else { 0 };
    let _copy = cx.budget.reserve(bytes)?;
    let text = if is_lower { text.to_lowercase() } else { text.to_uppercase() };
    Ok(cx.texts.code(&text)?)
}

/// Recent results of a function, each at the place that the lowest bits of its code give.
#[derive(Debug, Default)]
struct Recent {
    results: Vec<Option<(i64, Option<i64>)>>,
    /// The number of results computed since there is room for this number.
    computed: usize,
    /// Whether the budget had no memory for more results.
    is_full: bool,
}

/// The number of results that are remembered: at first, and at most.
const RECENT_MIN: usize = 1 << 6;
const RECENT_MAX: usize = 1 << 16;

impl Recent {
    #[inline]
    fn get(&self, code: i64) -> Option<Option<i64>> {
        let place = code as usize & self.results.len().wrapping_sub(1);
        match self.results.get(place) {
            Some(Some((known, result))) if *known == code => Some(*result),
            _ => None,
        }
    }

    fn put(&mut self, code: i64, result: Option<i64>, cx: &Context) {
        self.computed += 1;
        if self.computed > self.results.len() && !self.is_full {
            self.grow(cx);
        }
        let mask = self.results.len().wrapping_sub(1);
        if let Some(place) = self.results.get_mut(code as usize & mask) {
            *place = Some((code, result));
        }
    }

    /// Makes room for four times as many results, and forgets the results so far. The bytes belong to the
    /// budget until the run ends.
    #[cold]
    fn grow(&mut self, cx: &Context) {
        let (before, more) = (self.results.len(), (4 * self.results.len()).clamp(RECENT_MIN, RECENT_MAX));
        let bytes = (more - before) * size_of::<Option<(i64, Option<i64>)>>();
        self.is_full = more == before || cx.budget.take(bytes).is_err();
        if !self.is_full {
            self.results = vec![None; more];
        }
        self.computed = 0;
    }
}

/// Joins the values of operands to texts.
#[derive(Debug)]
pub(super) struct Joiner {
    texts: Vec<Texts>,
    /// The bytes of the text that is being made, and those of them that are charged to the budget.
    bytes: Vec<u8>,
    held: usize,
}

/// The longest number in decimal: a float may have a thousand digits.
const NUMBER_BYTES: usize = 1200;

impl Joiner {
    pub(super) fn new(texts: Vec<Texts>) -> Self {
        Self { texts, bytes: Vec::new(), held: 0 }
    }

    pub(super) fn share(&mut self, other: &Self) {
        self.texts.iter_mut().zip(&other.texts).for_each(|(texts, other)| texts.share(other));
    }

    /// Appends the code of each row's joined text. A row without a value of some operand has none.
    pub(super) fn join(
        &mut self,
        operands: &mut [Value],
        rows: Rows<'_>,
        values: &mut Values,
        spare: &mut Spare,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        let mut parts = Vec::with_capacity(operands.len());
        for operand in operands.iter_mut() {
            let mut part = spare.values();
            operand.compute(rows, &mut part, spare, cx)?;
            parts.push((operand.kind, part));
        }
        self.join_parts(&parts, rows.len(), values, cx)?;
        parts.into_iter().for_each(|(_, part)| spare.keep(part));
        Ok(())
    }

    fn join_parts(
        &mut self,
        parts: &[(ValueKind, Values)],
        rows: usize,
        values: &mut Values,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        let Self { texts, bytes, held } = self;
        let mut readers: Vec<Reader<'_>> = texts.iter().map(|texts| texts.reader(cx.texts)).collect();
        for row in 0..rows {
            bytes.clear();
            let mut is_whole = true;
            for ((kind, part), reader) in parts.iter().zip(&mut readers) {
                cx.tick_by(TURNS)?;
                is_whole = is_whole && push(bytes, *kind, part[row], reader, held, cx)?;
            }
            let text = std::str::from_utf8(bytes).ok().filter(|_| is_whole);
            values.push(text.map(|text| cx.texts.code(text)).transpose()?);
        }
        Ok(())
    }
}

/// Appends a value to a text. Returns false if there is no value.
fn push(
    bytes: &mut Vec<u8>,
    kind: ValueKind,
    value: Option<i64>,
    reader: &mut Reader<'_>,
    held: &mut usize,
    cx: &Context,
) -> Result<bool, Stop> {
    let Some(number) = value else { return Ok(false) };
    if kind == ValueKind::Text {
        let Some(text) = reader.get(number) else { return Ok(false) };
        cx.budget.make_room(bytes, text.len(), held)?;
        bytes.extend_from_slice(text.as_bytes());
        return Ok(true);
    }
    cx.budget.make_room(bytes, NUMBER_BYTES, held)?;
    let written = match kind {
        ValueKind::Truth => write!(bytes, "{}", number != 0),
        ValueKind::Fraction => write!(bytes, "{}", f64::from_bits(number as u64)),
        kind => write!(bytes, "{}", kind.whole(number)),
    };
    Ok(written.is_ok())
}
