//! Compiles predicates to tests of stored numbers, once the type of the tested values is known.

use std::cmp::Ordering;
use std::ops::Bound;
use std::sync::Arc;

use super::Compiler;
use crate::pipeline::description::{Literal, Predicate};
use crate::pipeline::error::{PipelineError, Result, StepAt};
use crate::pipeline::fault::{Operand, Subject};
use crate::pipeline::plan::{
    ComputedTest, FloatRange, KeyRange, Matcher, NumberSet, Test, TextTest, Words, codes_with_prefix,
    texts_of_pattern,
};
use crate::pipeline::rows::Meaning;
use varvite_graph::internal::NULL_REF;
use varvite_graph::{Property, TextIndex, Texts, ValueType};
use varvite_store::Cancel;

/// The maximum number of bytes of a compiled regular expression.
const REGEX_BYTES_MAX: usize = 2 << 20;
/// Bytes of a typical regular expression, with its cache.
const REGEX_BYTES: usize = 32 << 10;
/// Bytes that the parser needs for a letter of a pattern, and for a Unicode character class.
const LETTER_BYTES: usize = 400;
const CLASS_BYTES: usize = 16 << 10;
/// Bytes of a compiled search for a text, not counting the text.
const SEARCH_BYTES: usize = 1 << 10;
/// The maximum nesting depth of a regular expression.
const REGEX_DEPTH_MAX: u32 = 64;

/// A predicate, and the type and origin of the values that it tests.
struct Values<'a> {
    at: &'a StepAt,
    of: &'a Subject,
    value_type: ValueType,
    predicate: &'a Predicate,
    /// The property's text index, if the file has one: it finds a text without a search of all texts.
    index: Option<&'a TextIndex>,
    cancel: &'a Cancel,
}

impl Compiler<'_> {
    /// The test of a predicate, for values of `meaning`.
    pub(super) fn test(
        &self,
        predicate: &Predicate,
        meaning: &Meaning,
        of: &Subject,
        at: &StepAt,
    ) -> Result<Test> {
        self.test_with(predicate, meaning, of, None, at)
    }

    /// The same as [`Compiler::test`], but uses the property's index, if there is one.
    pub(super) fn test_with(
        &self,
        predicate: &Predicate,
        meaning: &Meaning,
        of: &Subject,
        index: Option<&TextIndex>,
        at: &StepAt,
    ) -> Result<Test> {
        self.take(predicate_bytes(predicate), at)?;
        let made = || self.made_test(predicate, meaning, of, index, at);
        match predicate {
            Predicate::Regex(pattern) => self.with_parser(pattern, at, made),
            _ => made(),
        }
    }

    /// Runs `work`, which parses a regular expression, with room for the parser.
    fn with_parser<T>(&self, pattern: &str, at: &StepAt, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let room = parsed_bytes(pattern);
        self.take(room, at)?;
        let outcome = work();
        self.give_back(room);
        outcome
    }

    /// The test of a predicate on texts that the run computes.
    pub(super) fn computed_test(
        &self,
        predicate: &Predicate,
        of: &Subject,
        at: &StepAt,
    ) -> Result<ComputedTest> {
        self.take(2 * predicate_bytes(predicate), at)?;
        let made = || computed_test(predicate, of, at);
        match predicate {
            Predicate::Regex(pattern) => self.with_parser(pattern, at, made),
            _ => made(),
        }
    }

    /// A regular expression that may match anywhere in a text.
    pub(super) fn part_regex(&self, pattern: &str, at: &StepAt) -> Result<regex::Regex> {
        self.take(REGEX_BYTES + 16 * pattern.len(), at)?;
        let build = || {
            let mut builder = regex::RegexBuilder::new(pattern);
            builder.size_limit(REGEX_BYTES_MAX).nest_limit(REGEX_DEPTH_MAX).dot_matches_new_line(true).build()
        };
        self.with_parser(pattern, at, || build().map_err(|error| refused(error, at)))
    }

    fn made_test(
        &self,
        predicate: &Predicate,
        meaning: &Meaning,
        of: &Subject,
        index: Option<&TextIndex>,
        at: &StepAt,
    ) -> Result<Test> {
        let value_type = match meaning {
            Meaning::Name(names) => return names_test(predicate, names, of, at),
            Meaning::Plain(value_type) => *value_type,
            Meaning::Of(property) => property.value_type(),
            Meaning::Node | Meaning::Edge | Meaning::Element => ValueType::U32,
            Meaning::Text => ValueType::String,
        };
        let values = Values { at, of, value_type, predicate, index, cancel: &self.cancel };
        match value_type {
            ValueType::String => match meaning {
                Meaning::Of(property) => values.text_test(property),
                _ => Err(values.wrong_type(Operand::Text)),
            },
            ValueType::Bytes => Err(values.wrong_type(values.compared_with())),
            ValueType::F32 | ValueType::F64 => values.float_test(),
            ValueType::Bool => values.bool_test(),
            _ => values.whole_test(),
        }
    }
}

/// Bytes that the compiled test of a predicate and its compilation take, without the predicate itself.
fn predicate_bytes(predicate: &Predicate) -> usize {
    match predicate {
        // Each literal needs a test; or, if it is a text, a reference to the text, its code and a sorted copy
        // of the code.
        Predicate::OneOf(literals) | Predicate::NoneOf(literals) => 2 * size_of::<Test>() * literals.len(),
        Predicate::Prefix(text) | Predicate::Suffix(text) | Predicate::Contains(text) => {
            4 * text.len() + SEARCH_BYTES
        }
        Predicate::Regex(pattern) => REGEX_BYTES + 16 * pattern.len(),
        _ => 2 * size_of::<Test>(),
    }
}

/// Bytes that the parser of a pattern needs: syntax nodes for the letters, and ranges for each part that may
/// be a Unicode character class.
fn parsed_bytes(pattern: &str) -> usize {
    let classes = pattern.bytes().filter(|byte| matches!(byte, b'\\' | b'[')).count();
    LETTER_BYTES * pattern.len() + CLASS_BYTES * classes
}

impl Values<'_> {
    fn wrong_type(&self, with: Operand) -> PipelineError {
        PipelineError::WrongType {
            at: self.at.clone(),
            of: self.of.clone(),
            holds: self.value_type,
            predicate: self.predicate.name(),
            with,
        }
    }

    /// The kind of value that the predicate compares with.
    fn compared_with(&self) -> Operand {
        match self.predicate {
            Predicate::Eq(literal)
            | Predicate::Ne(literal)
            | Predicate::Lt(literal)
            | Predicate::Lte(literal)
            | Predicate::Gt(literal)
            | Predicate::Gte(literal) => literal.kind(),
            Predicate::OneOf(literals) | Predicate::NoneOf(literals) => {
                literals.first().map_or(Operand::Nothing, Literal::kind)
            }
            Predicate::Between([low, _]) | Predicate::Inside([low, _]) | Predicate::Outside([low, _]) => {
                low.kind()
            }
            Predicate::Prefix(_) | Predicate::Suffix(_) | Predicate::Contains(_) | Predicate::Regex(_) => {
                Operand::Text
            }
        }
    }

    fn text<'l>(&self, literal: &'l Literal) -> Result<&'l str> {
        match literal {
            Literal::Text(text) => Ok(text),
            other => Err(self.wrong_type(other.kind())),
        }
    }

    /// The codes of `texts`. Texts that the property does not have are left out.
    fn codes(&self, strings: &Texts, texts: &[&str]) -> Result<Vec<i64>> {
        let cancelled = |_| PipelineError::Cancelled { at: self.at.clone() };
        let codes = match self.index {
            Some(index) => texts.iter().map(|text| index.find(text)).collect(),
            None => strings.find_each_until(texts, || self.cancel.check().map_err(cancelled))?,
        };
        Ok(codes.into_iter().flatten().map(i64::from).collect())
    }

    fn text_test(&self, property: &Property) -> Result<Test> {
        let Some(strings) = property.strings() else { return Ok(Test::Never) };
        let any_of = |texts: &[&str]| self.codes(strings, texts).map(set);
        let code_of = |literal: &Literal| any_of(&[self.text(literal)?]);
        let codes_of = |literals: &[Literal]| {
            any_of(&literals.iter().map(|literal| self.text(literal)).collect::<Result<Vec<_>>>()?)
        };
        let matching = |matcher| {
            Test::Texts(Box::new(TextTest { strings: strings.clone(), matcher: Arc::new(matcher) }))
        };
        Ok(match self.predicate {
            Predicate::Eq(literal) => code_of(literal)?,
            Predicate::Ne(literal) => not(code_of(literal)?),
            Predicate::OneOf(literals) => codes_of(literals)?,
            Predicate::NoneOf(literals) => not(codes_of(literals)?),
            Predicate::Prefix(text) => match codes_with_prefix(strings, text.as_bytes()) {
                Some(codes) if codes.is_empty() => Test::Never,
                Some(codes) => Test::Range(KeyRange::signed(codes.start.into(), i64::from(codes.end) - 1)),
                None => matching(Matcher::Prefix(text.as_bytes().into())),
            },
            Predicate::Suffix(text) => matching(Matcher::Suffix(text.as_bytes().into())),
            Predicate::Contains(text) => matching(Matcher::Contains(Words::one(text.as_bytes()))),
            Predicate::Regex(pattern) => match texts_of_pattern(pattern) {
                Some(texts) => any_of(&texts.iter().map(String::as_str).collect::<Vec<_>>())?,
                None => matching(Matcher::Regex(whole_regex(pattern, self.at)?, Words::of_pattern(pattern))),
            },
            _ => return Err(self.wrong_type(self.compared_with())),
        })
    }

    fn bool_test(&self) -> Result<Test> {
        let number = |literal: &Literal| match literal {
            Literal::Bool(value) => Ok(i64::from(*value)),
            other => Err(self.wrong_type(other.kind())),
        };
        let numbers = |literals: &[Literal]| literals.iter().map(number).collect::<Result<Vec<_>>>();
        Ok(match self.predicate {
            Predicate::Eq(literal) => Test::Equal(number(literal)?),
            Predicate::Ne(literal) => not(Test::Equal(number(literal)?)),
            Predicate::OneOf(literals) => set(numbers(literals)?),
            Predicate::NoneOf(literals) => not(set(numbers(literals)?)),
            _ => return Err(self.wrong_type(self.compared_with())),
        })
    }

    fn whole_test(&self) -> Result<Test> {
        let number = |literal: &Literal| self.whole(literal);
        let equal = |literal: &Literal| -> Result<Option<Test>> {
            Ok(number(literal)?.exact().map(|exact| self.equal(exact)))
        };
        let equal_any = |literals: &[Literal]| -> Result<Test> {
            let exact: Vec<i128> = literals
                .iter()
                .map(|literal| Ok(number(literal)?.exact()))
                .filter_map(Result::transpose)
                .collect::<Result<_>>()?;
            Ok(set(exact.into_iter().filter_map(|exact| self.stored(exact)).collect()))
        };
        let (min, max) = self.limits();
        Ok(match self.predicate {
            Predicate::Eq(literal) => equal(literal)?.unwrap_or(Test::Never),
            Predicate::Ne(literal) => not(equal(literal)?.unwrap_or(Test::Never)),
            Predicate::OneOf(literals) => equal_any(literals)?,
            Predicate::NoneOf(literals) => not(equal_any(literals)?),
            Predicate::Lt(high) => self.range(min, number(high)?.last_below()),
            Predicate::Lte(high) => self.range(min, number(high)?.floor),
            Predicate::Gt(low) => self.range(number(low)?.first_above(), max),
            Predicate::Gte(low) => self.range(number(low)?.first_from(), max),
            Predicate::Between([low, high]) => {
                self.range(number(low)?.first_from(), number(high)?.last_below())
            }
            Predicate::Inside([low, high]) => {
                self.range(number(low)?.first_above(), number(high)?.last_below())
            }
            Predicate::Outside([low, high]) => Test::Any(vec![
                self.range(min, number(low)?.last_below()),
                self.range(number(high)?.first_above(), max),
            ]),
            _ => return Err(self.wrong_type(self.compared_with())),
        })
    }

    fn whole(&self, literal: &Literal) -> Result<Whole> {
        Ok(match literal {
            Literal::Int(number) => Whole { floor: i128::from(*number), has_fraction: false },
            Literal::Uint(number) => Whole { floor: i128::from(*number), has_fraction: false },
            Literal::Float(number) if !number.is_nan() => {
                // The cast saturates at the limits of 128 bits, far outside the range of 64 bits.
                Whole { floor: number.floor() as i128, has_fraction: number.fract() != 0.0 }
            }
            other => return Err(self.wrong_type(other.kind())),
        })
    }

    fn is_unsigned(&self) -> bool {
        self.value_type == ValueType::U64
    }

    /// The least and the greatest number that a value can be.
    fn limits(&self) -> (i128, i128) {
        match self.value_type {
            ValueType::U64 => (0, u64::MAX.into()),
            // The number after the greatest one stands for null, which passes only `ne` and `none_of`.
            ValueType::Ref => (0, i128::from(NULL_REF) - 1),
            _ => (i64::MIN.into(), i64::MAX.into()),
        }
    }

    /// The number as the column stores it. `None` if no value of this type equals it.
    fn stored(&self, number: i128) -> Option<i64> {
        let (min, max) = self.limits();
        (min..=max).contains(&number).then_some(number as i64)
    }

    fn equal(&self, number: i128) -> Test {
        self.stored(number).map_or(Test::Never, Test::Equal)
    }

    fn range(&self, low: i128, high: i128) -> Test {
        let (min, max) = self.limits();
        let (low, high) = (low.max(min), high.min(max));
        if low > high {
            return Test::Never;
        }
        Test::Range(match self.is_unsigned() {
            true => KeyRange::unsigned(low as u64, high as u64),
            false => KeyRange::signed(low as i64, high as i64),
        })
    }

    fn float(&self, literal: &Literal) -> Result<Limit> {
        Ok(match literal {
            Literal::Int(number) => Limit::of_whole((*number).into()),
            Literal::Uint(number) => Limit::of_whole((*number).into()),
            Literal::Float(number) => Limit { nearest: *number, beside: Ordering::Equal },
            other => return Err(self.wrong_type(other.kind())),
        })
    }

    /// The test of a float. It compares exactly: a 32-bit value is widened to 64 bits, and a whole number is
    /// not rounded.
    fn float_test(&self) -> Result<Test> {
        use Bound::Unbounded;
        let is_single = self.value_type == ValueType::F32;
        let range = |low, high| Test::Float(FloatRange { low, high, is_single });
        let limit = |literal: &Literal| self.float(literal);
        let equal = |literal: &Literal| -> Result<Test> {
            let limit = limit(literal)?;
            Ok(match limit.beside {
                Ordering::Equal => range(limit.from(), limit.to()),
                _ => Test::Never,
            })
        };
        let equal_any = |literals: &[Literal]| -> Result<Test> {
            Ok(Test::Any(literals.iter().map(equal).collect::<Result<_>>()?))
        };
        Ok(match self.predicate {
            Predicate::Eq(literal) => equal(literal)?,
            Predicate::Ne(literal) => not(equal(literal)?),
            Predicate::OneOf(literals) => equal_any(literals)?,
            Predicate::NoneOf(literals) => not(equal_any(literals)?),
            Predicate::Lt(high) => range(Unbounded, limit(high)?.below()),
            Predicate::Lte(high) => range(Unbounded, limit(high)?.to()),
            Predicate::Gt(low) => range(limit(low)?.above(), Unbounded),
            Predicate::Gte(low) => range(limit(low)?.from(), Unbounded),
            Predicate::Between([low, high]) => range(limit(low)?.from(), limit(high)?.below()),
            Predicate::Inside([low, high]) => range(limit(low)?.above(), limit(high)?.below()),
            Predicate::Outside([low, high]) => {
                Test::Any(vec![range(Unbounded, limit(low)?.below()), range(limit(high)?.above(), Unbounded)])
            }
            _ => return Err(self.wrong_type(self.compared_with())),
        })
    }
}

/// A number with which floats are compared: the float nearest to it, and whether this float is less than,
/// equal to or greater than the number.
#[derive(Clone, Copy)]
struct Limit {
    nearest: f64,
    beside: Ordering,
}

impl Limit {
    fn of_whole(number: i128) -> Self {
        let nearest = number as f64;
        // The cast back is exact, because a 64-bit number is far from the limits of 128 bits.
        Self { nearest, beside: (nearest as i128).cmp(&number) }
    }

    /// The upper bound of the range of floats that are less than the number.
    fn below(self) -> Bound<f64> {
        self.end(self.beside.is_lt())
    }

    /// The upper bound of the range of floats that are at most the number.
    fn to(self) -> Bound<f64> {
        self.end(self.beside.is_le())
    }

    /// The lower bound of the range of floats that are greater than the number.
    fn above(self) -> Bound<f64> {
        self.end(self.beside.is_gt())
    }

    /// The lower bound of the range of floats that are at least the number.
    fn from(self) -> Bound<f64> {
        self.end(self.beside.is_ge())
    }

    /// A bound of a range at the float nearest to the number. It is inclusive if the float `belongs` to the
    /// range.
    fn end(self, belongs: bool) -> Bound<f64> {
        if belongs { Bound::Included(self.nearest) } else { Bound::Excluded(self.nearest) }
    }
}

/// A number with which whole numbers are compared: its floor, and whether it has a fraction.
#[derive(Clone, Copy)]
struct Whole {
    floor: i128,
    has_fraction: bool,
}

impl Whole {
    fn exact(self) -> Option<i128> {
        (!self.has_fraction).then_some(self.floor)
    }

    /// The greatest whole number that is less than this one.
    fn last_below(self) -> i128 {
        if self.has_fraction { self.floor } else { self.floor.saturating_sub(1) }
    }

    /// The least whole number that is greater than this one.
    fn first_above(self) -> i128 {
        self.floor.saturating_add(1)
    }

    /// The least whole number that is not less than this one.
    fn first_from(self) -> i128 {
        if self.has_fraction { self.floor.saturating_add(1) } else { self.floor }
    }
}

fn not(test: Test) -> Test {
    Test::Not(Box::new(test))
}

fn set(mut numbers: Vec<i64>) -> Test {
    numbers.sort_unstable();
    numbers.dedup();
    match numbers[..] {
        [] => Test::Never,
        [number] => Test::Equal(number),
        _ => Test::Set(NumberSet::new(numbers)),
    }
}

/// The test of label names. There are few labels, so each name is tested during compilation.
fn names_test(predicate: &Predicate, names: &[String], of: &Subject, at: &StepAt) -> Result<Test> {
    let wrong_type = |with| PipelineError::WrongType {
        at: at.clone(),
        of: of.clone(),
        holds: ValueType::String,
        predicate: predicate.name(),
        with,
    };
    let is_text = |wanted: &Literal, name: &str| match wanted {
        Literal::Text(text) => Ok(text == name),
        other => Err(wrong_type(other.kind())),
    };
    let is_any = |wanted: &[Literal], name: &str| {
        wanted.iter().try_fold(false, |any, wanted| Ok::<_, PipelineError>(any | is_text(wanted, name)?))
    };
    let regex = match predicate {
        Predicate::Regex(pattern) => Some(whole_regex(pattern, at)?),
        _ => None,
    };
    let passes = |name: &str| -> Result<bool> {
        Ok(match predicate {
            Predicate::Eq(wanted) => is_text(wanted, name)?,
            Predicate::Ne(wanted) => !is_text(wanted, name)?,
            Predicate::OneOf(wanted) => is_any(wanted, name)?,
            Predicate::NoneOf(wanted) => !is_any(wanted, name)?,
            Predicate::Prefix(text) => name.starts_with(text),
            Predicate::Suffix(text) => name.ends_with(text),
            Predicate::Contains(text) => name.contains(text),
            Predicate::Regex(_) => regex.as_ref().is_some_and(|regex| regex.is_match(name.as_bytes())),
            _ => return Err(wrong_type(Operand::Order)),
        })
    };
    let mut found = Vec::new();
    for (index, name) in (0..).zip(names) {
        if passes(name)? {
            found.push(index);
        }
    }
    Ok(set(found))
}

/// The test of texts that the run computes.
fn computed_test(predicate: &Predicate, of: &Subject, at: &StepAt) -> Result<ComputedTest> {
    let (at, holds, name) = (at.clone(), ValueType::String, predicate.name());
    let wrong_type =
        |with| PipelineError::WrongType { at: at.clone(), of: of.clone(), holds, predicate: name, with };
    let text = |literal: &Literal| match literal {
        Literal::Text(text) => Ok(text.clone()),
        other => Err(wrong_type(other.kind())),
    };
    let texts = |literals: &[Literal]| literals.iter().map(text).collect::<Result<_>>();
    let matching = |matcher| Ok(ComputedTest::Matching(Arc::new(matcher)));
    match predicate {
        Predicate::Eq(literal) => Ok(ComputedTest::OneOf([text(literal)?].into())),
        Predicate::Ne(literal) => Ok(ComputedTest::NoneOf([text(literal)?].into())),
        Predicate::OneOf(literals) => texts(literals).map(ComputedTest::OneOf),
        Predicate::NoneOf(literals) => texts(literals).map(ComputedTest::NoneOf),
        Predicate::Prefix(text) => matching(Matcher::Prefix(text.as_bytes().into())),
        Predicate::Suffix(text) => matching(Matcher::Suffix(text.as_bytes().into())),
        Predicate::Contains(text) => matching(Matcher::Contains(Words::one(text.as_bytes()))),
        Predicate::Regex(pattern) => matching(Matcher::Regex(whole_regex(pattern, &at)?, None)),
        Predicate::Lt(with) | Predicate::Lte(with) | Predicate::Gt(with) | Predicate::Gte(with) => {
            Err(wrong_type(with.kind()))
        }
        Predicate::Between([with, _]) | Predicate::Inside([with, _]) | Predicate::Outside([with, _]) => {
            Err(wrong_type(with.kind()))
        }
    }
}

/// The error for a regular expression that does not compile.
fn refused(error: regex::Error, at: &StepAt) -> PipelineError {
    match error {
        regex::Error::CompiledTooBig(limit) => PipelineError::RegexTooLarge { at: at.clone(), limit },
        error => PipelineError::BadRegex { at: at.clone(), reason: error.to_string() },
    }
}

/// Compiles a regular expression that matches whole texts. A dot matches line breaks too.
pub(super) fn whole_regex(pattern: &str, at: &StepAt) -> Result<regex::bytes::Regex> {
    let build = |pattern: &str| {
        let mut builder = regex::bytes::RegexBuilder::new(pattern);
        builder.size_limit(REGEX_BYTES_MAX).nest_limit(REGEX_DEPTH_MAX).dot_matches_new_line(true).build()
    };
    let told = |error| refused(error, at);
    // The pattern is first compiled alone. So an error quotes the pattern as the caller wrote it, and a
    // pattern that is then put in parentheses is known to have balanced ones itself.
    build(pattern).map_err(told)?;
    let whole = build(&format!(r"\A(?:{pattern})\z"));
    // In verbose mode, a comment at the end of the pattern would hide `)\z`; a line break ends the comment.
    whole.or_else(|_| build(&format!("\\A(?:{pattern}\n)\\z"))).map_err(told)
}
