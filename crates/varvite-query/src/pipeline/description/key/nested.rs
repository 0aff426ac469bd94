//! The keys and pipelines inside a key: code that visits all of them, and drops them.
//!
//! As with pipelines nested in steps, nothing here is recursive, because a key that a program built or that
//! was read from a text may be nested deeper than the stack allows.

use super::{Key, Operands};
use crate::pipeline::description::Steps;

/// A pipeline inside a key.
#[derive(Clone, Copy, Debug)]
pub(in crate::pipeline::description) struct Inside<'k> {
    pub(in crate::pipeline::description) steps: &'k Steps,
    /// The pipeline's number among those of a function, from 1. `None` if the key is the pipeline alone.
    pub(in crate::pipeline::description) number: Option<usize>,
}

/// A part of a key.
#[derive(Clone, Copy, Debug)]
pub(in crate::pipeline::description) enum Part<'k> {
    /// The key itself, or an operand of a function.
    Key(&'k Key),
    Pipeline(Inside<'k>),
}

impl Key {
    /// Calls `take` with the key without its name, each operand and each pipeline inside it, in the order of
    /// the plan, and with the number of functions that enclose it.
    pub(in crate::pipeline::description) fn each_part<'k>(&'k self, mut take: impl FnMut(Part<'k>, usize)) {
        let is_alone = !matches!(self.unnamed(), Self::Function(..));
        let (mut left, mut pipelines) = (vec![(self, 0)], 0);
        while let Some((key, depth)) = left.pop() {
            let key = key.unnamed();
            take(Part::Key(key), depth);
            match key {
                Self::First(steps) | Self::List(steps) | Self::Exists(steps) => {
                    pipelines += 1;
                    let number = (!is_alone).then_some(pipelines);
                    take(Part::Pipeline(Inside { steps, number }), depth);
                }
                Self::Function(_, Operands(keys)) => {
                    left.extend(keys.iter().rev().map(|key| (key, depth + 1)));
                }
                _ => {}
            }
        }
    }

    /// Calls `take` with the key without its name, and with each operand inside it.
    pub(crate) fn each_operand<'k>(&'k self, mut take: impl FnMut(&'k Self)) {
        self.each_part(|part, _| {
            if let Part::Key(key) = part {
                take(key);
            }
        });
    }

    /// Whether the key without its name, or an operand inside it, passes a test.
    pub(crate) fn any(&self, test: impl Fn(&Self) -> bool) -> bool {
        let mut found = false;
        self.each_operand(|key| found |= test(key));
        found
    }

    /// Calls `take` with the steps of each pipeline inside the key.
    pub(in crate::pipeline::description) fn each_pipeline_mut(&mut self, mut take: impl FnMut(&mut Steps)) {
        let mut left = vec![self];
        while let Some(key) = left.pop() {
            match key {
                Self::First(steps) | Self::List(steps) | Self::Exists(steps) => take(steps),
                Self::Function(_, Operands(keys)) => left.extend(keys),
                Self::Named(_, key) => left.push(key),
                _ => {}
            }
        }
    }
}

/// Drops nested operands one by one, so that no depth of nesting overflows the stack.
impl Drop for Operands {
    fn drop(&mut self) {
        let mut left = std::mem::take(&mut self.0);
        while let Some(mut key) = left.pop() {
            if let Key::Function(_, Operands(keys)) = key.unnamed_mut() {
                left.append(keys);
            }
        }
    }
}

impl Key {
    fn unnamed_mut(&mut self) -> &mut Self {
        match self {
            Self::Named(_, key) => key.unnamed_mut(),
            key => key,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{ALL, it};

    #[test]
    fn a_key_nested_a_million_deep_is_visited_and_dropped() {
        let deep = (0..1_000_000).fold(Key::exists(it().out(ALL)), |key, _| Key::not(key));
        let mut deepest = 0;
        deep.each_part(|_, depth| deepest = deepest.max(depth));
        assert_eq!(deepest, 1_000_000);
    }

    #[test]
    fn pipelines_of_a_function_are_numbered_in_the_order_of_the_plan() {
        let exists = |count| Key::exists(it().limit(count));
        let numbers = |key: &Key| {
            let mut numbers = Vec::new();
            key.each_part(|part, depth| {
                if let Part::Pipeline(Inside { steps, number }) = part {
                    numbers.push((steps.clone(), number, depth));
                }
            });
            numbers
        };
        assert_eq!(numbers(&exists(1).named("it")), [(it().limit(1).into(), None, 0)]);
        let nested = Key::and([Key::not(exists(1)), exists(2), Key::or([exists(3)])]);
        let expected = [(1, 2), (2, 1), (3, 2)].map(|(at, depth)| (at as u64, depth));
        let expected = expected.map(|(at, depth)| (Steps::from(it().limit(at)), Some(at as usize), depth));
        assert_eq!(numbers(&nested), expected);
    }
}
