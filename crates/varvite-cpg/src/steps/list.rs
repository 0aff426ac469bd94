//! The steps by their names, at run time.

use super::description::StepDescription;
use super::table::ALL;

/// All steps of code property graphs, section by section.
///
/// ```
/// let callers = varvite_cpg::steps().iter().find(|step| step.name == "callers");
/// assert_eq!(callers.map(|step| step.inverse), Some(Some("callees")));
/// ```
pub fn steps() -> &'static [StepDescription] {
    ALL
}

/// The steps of a name, be it the one of Rust, such as `call_in`, or Joern's, such as `callIn`. Joern has one
/// word for some pairs of steps (`argument`, with and without a number); these come together. Searches the
/// table.
pub fn find_steps(name: &str) -> impl Iterator<Item = &'static StepDescription> {
    ALL.iter().filter(move |step| step.name == name || step.joern_name() == name)
}
