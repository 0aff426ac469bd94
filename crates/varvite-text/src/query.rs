//! [`Query`]: a translated query: the plans to run, and what their rows mean.

use varvite::pipeline::{Function, Literal, Pipeline};

/// A translated query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The answer's form, with the plans that give it.
    pub answer: Answer,
}

/// The form of an answer. Every plan in it runs on its own.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// The rows of a plan.
    Rows(Pipeline),
    /// The first row of a plan. Without a row it is an error, unless `is_optional`.
    First {
        /// The plan, which gives at most one row.
        plan: Pipeline,
        /// Whether no row is an answer too.
        is_optional: bool,
    },
    /// The only value of a plan's only row.
    Value(Pipeline),
    /// Whether a plan gives any row.
    Exists(Pipeline),
    /// The values of a plan as one text.
    Text {
        /// The plan, which gives values.
        plan: Pipeline,
        /// The text before the first value.
        begin: String,
        /// The text between two values.
        between: String,
        /// The text after the last value.
        end: String,
    },
    /// A constant that the query writes out.
    Constant(Literal),
    /// A function of other answers, each of which is a single value.
    Function(Function, Vec<Answer>),
    /// Several answers: a tuple.
    Tuple(Vec<Answer>),
}

impl Query {
    /// The plans of the query, in the order of the text.
    pub fn plans(&self) -> Vec<&Pipeline> {
        let mut plans = Vec::new();
        self.answer.collect(&mut plans);
        plans
    }
}

impl Answer {
    fn collect<'a>(&'a self, plans: &mut Vec<&'a Pipeline>) {
        match self {
            Self::Rows(plan) | Self::Value(plan) | Self::Exists(plan) => plans.push(plan),
            Self::First { plan, .. } | Self::Text { plan, .. } => plans.push(plan),
            Self::Constant(_) => {}
            Self::Function(_, answers) | Self::Tuple(answers) => {
                answers.iter().for_each(|answer| answer.collect(plans));
            }
        }
    }
}
