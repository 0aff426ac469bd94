//! The list of steps at run time, and the search for a step by its name.

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

/// Finds the steps with a name, which may have Rust's form, such as `call_in`, or Joern's form, such as
/// `callIn`. Some pairs of steps share one name in Joern, such as `argument` with and without a number; both
/// are returned. Searches the table.
pub fn find_steps(name: &str) -> impl Iterator<Item = &'static StepDescription> {
    ALL.iter().filter(move |step| step.name == name || step.joern_name() == name)
}
