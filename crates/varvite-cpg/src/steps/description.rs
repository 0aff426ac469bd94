//! [`StepDescription`]: a row of the table of steps, at run time.

use varvite::pipeline::Pipeline;

use super::argument::{Argument, ArgumentType};
use crate::error::{CpgError, Result};

/// The description of a step in the table.
#[derive(Debug)]
#[non_exhaustive]
pub struct StepDescription {
    /// The trait that has the step's method in Rust. It is also the section of the documentation.
    pub section: &'static str,
    /// The step's name in Rust, Python and queries as text: lower-case words joined by `_`. It is unique.
    pub name: &'static str,
    /// The step's name in Scala. `None` if that is [`name`](Self::name) in camel case.
    pub(super) word: Option<&'static str>,
    /// The documentation of the step, in Markdown.
    pub doc: &'static str,
    /// The parameters of the step, in order.
    pub parameters: &'static [StepParameter],
    /// The labels of nodes from which the step starts, or `any`.
    pub from: &'static [&'static str],
    /// The labels of nodes to which the step leads, or `any`.
    pub to: &'static [&'static str],
    /// The step that leads back along the same edges. `None` if there is none.
    pub inverse: Option<&'static str>,
    /// Whether the step is written by hand in Scala, because it has a different meaning there.
    #[cfg_attr(not(test), expect(dead_code, reason = "what writes Scala's steps is a test"))]
    pub(super) is_by_hand: bool,
    /// Appends the step to a pipeline. Returns `None` if the arguments do not match its parameters.
    pub(super) append: fn(Pipeline, &[Argument]) -> Option<Pipeline>,
}

/// A parameter of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StepParameter {
    /// The name of the parameter.
    pub name: &'static str,
    /// The type of the parameter.
    pub holds: ArgumentType,
}

impl StepDescription {
    /// The step's name in Joern and in Scala, such as `callIn` for `call_in`. Allocates the name.
    pub fn joern_name(&self) -> String {
        self.word.map_or_else(|| lower_camel(self.name), str::to_owned)
    }

    /// Appends the step to a pipeline, as the step's method in Rust does. Makes a few allocations.
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
    /// [`CpgError::Arguments`] if the arguments do not match the parameters of the step.
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

/// Converts a name to camel case: `call_in` becomes `callIn`.
fn lower_camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, tail) = word.split_at(word.len().min(1));
        format!("{name}{}{tail}", head.to_uppercase())
    })
}
