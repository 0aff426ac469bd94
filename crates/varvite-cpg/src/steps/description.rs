//! [`StepDescription`]: a row of the table of steps, at run time.

use varvite::pipeline::Pipeline;

use super::argument::{Argument, ArgumentType};
use crate::error::{CpgError, Result};

/// A step of the table.
#[derive(Debug)]
#[non_exhaustive]
pub struct StepDescription {
    /// The trait that has its method in Rust, which is the section of the documentation too.
    pub section: &'static str,
    /// Its name in Rust, Python and texts: words in small letters, joined by `_`. No other step has it.
    pub name: &'static str,
    /// Its name in Scala, where that is not [`name`](Self::name) in camel case.
    pub(super) word: Option<&'static str>,
    /// Its description, in Markdown.
    pub doc: &'static str,
    /// Its parameters, in order.
    pub parameters: &'static [StepParameter],
    /// Labels of the nodes that it starts from, or `any`.
    pub from: &'static [&'static str],
    /// Labels of the nodes that it leads to, or `any`.
    pub to: &'static [&'static str],
    /// The step that leads back along the same edges, if there is one.
    pub inverse: Option<&'static str>,
    /// Whether Scala's step is written by hand, for a meaning that is Scala's own.
    #[cfg_attr(not(test), expect(dead_code, reason = "what writes Scala's steps is a test"))]
    pub(super) is_by_hand: bool,
    /// Appends it; none if these are not its arguments.
    pub(super) append: fn(Pipeline, &[Argument]) -> Option<Pipeline>,
}

/// A parameter of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StepParameter {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub holds: ArgumentType,
}

impl StepDescription {
    /// Joern's word for it, which is Scala's name: `callIn` for `call_in`. Allocates it.
    pub fn joern_name(&self) -> String {
        self.word.map_or_else(|| lower_camel(self.name), str::to_owned)
    }

    /// Appends the step to a pipeline, as its method in Rust does. Costs a few allocations.
    ///
    /// ```
    /// use varvite_cpg::find_steps;
    /// use varvite_cpg::prelude::*;
    ///
    /// # fn main() -> varvite_cpg::Result<()> {
    /// let parameter = find_steps("parameter").find(|step| step.parameters.len() == 1);
    /// let first = parameter.expect("is in the table").append(nodes("METHOD"), &[1.into()])?;
    /// assert_eq!(first, nodes("METHOD").parameter(1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`CpgError::Arguments`] if these are not its arguments.
    pub fn append(&self, pipeline: Pipeline, arguments: &[Argument]) -> Result<Pipeline> {
        (self.append)(pipeline, arguments).ok_or_else(|| {
            let expected = self.parameters.iter().map(|parameter| parameter.holds.words().to_owned());
            CpgError::Arguments {
                step: self.name,
                expected: listed(expected),
                found: listed(arguments.iter().map(Argument::words)),
            }
        })
    }
}

fn listed(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

/// `call_in` is `callIn`.
fn lower_camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, tail) = word.split_at(word.len().min(1));
        format!("{name}{}{tail}", head.to_uppercase())
    })
}
