//! [`Report`]: what a report is about.

use varvite::{Graph, Task};

use crate::code::Code;
use crate::functions::Functions;
use crate::section::Section;

/// A report about a graph.
pub struct Report<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The title of the page.
    pub title: String,
    /// The sections. Those about another graph, own questions or runs appear only if there are any.
    pub sections: Vec<Section>,
    /// The earlier state of the program, to which the graph is compared.
    pub before: Option<Before<'a>>,
    /// The questions of the user.
    pub questions: Vec<OwnQuestion>,
    /// How the report is made, in words for its last section.
    pub made: Made,
    /// Threads, the limit of memory, and the cancel flag.
    pub task: Task<'static>,
}

/// The earlier state of a program.
pub struct Before<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The name of its file.
    pub file: String,
}

/// A question of the user, such as one of a team's folder of plans.
#[derive(Clone, Debug)]
pub struct OwnQuestion {
    /// The title of its part of the section.
    pub title: String,
    /// Its text: a query in the language of Joern, or a plan.
    pub text: String,
    /// Its meaning.
    pub query: varvite_text::Query,
    /// Whether names that the graph lacks give no rows, as in Joern's language; otherwise they are an error.
    pub names_may_be_missing: bool,
}

/// How a report is made.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// The name of the graph's file.
    pub file: String,
    /// The length of the file in bytes.
    pub file_bytes: u64,
    /// When the file was last changed, in words; empty if it is not known.
    pub file_date: String,
    /// The version of the program that writes the report.
    pub version: String,
    /// The options of the report, in words.
    pub options: String,
}

/// What sections share.
pub(crate) struct Facts<'a> {
    pub(crate) report: &'a Report<'a>,
    pub(crate) code: Code<'a>,
    pub(crate) functions: Functions,
}
