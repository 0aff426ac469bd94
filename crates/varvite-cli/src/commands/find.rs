//! `varvite find`: finds nodes of a label by conditions on their properties.

use clap::Args;
use varvite::Graph;
use varvite::pipeline::{ALL, Pipeline, PipelineError, nodes};
use varvite_show::{Answer, Condition};

use crate::arguments::{ListArgs, RunArgs};
use crate::explanation;
use crate::failure::{Failure, Outcome};
use crate::files::{FilesArgs, Target};
use crate::query_failure::Asked;

/// Arguments of `varvite find`.
#[derive(Debug, Args)]
pub(crate) struct FindArgs {
    #[command(flatten)]
    files: FilesArgs,
    /// Label of the nodes, such as METHOD; '*' for any label
    label: String,
    /// Conditions on properties; all must hold. NAME=memcpy matches exactly, NAME!=memcpy any other value
    /// (NAME==x is refused; NAME~=.* finds values that begin with =). NAME~mem(cpy|set) is a regular
    /// expression (Rust's crate regex) that must match the whole text; put .* around it to search. ORDER>2
    /// and the like (>=, <, <=) compare numbers. Numbers are decimal, booleans true or false, references node
    /// ids; for a list, one matching value is enough. A property that no node of the label has is an error.
    /// Quote the characters that your shell interprets
    #[arg(value_name = "PROPERTY=VALUE")]
    conditions: Vec<String>,
    /// Show the plan of the search instead of running it
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    list: ListArgs,
}

/// The word that means nodes of all labels.
const ANY_LABEL: &str = "*";

/// Finds the nodes, and shows them in the order of their ids.
pub(crate) fn run(args: &FindArgs) -> Outcome {
    args.files.refuse("--explain", args.explain)?;
    args.files.refuse("--profile", args.run.has_profile())?;
    let (memory, threads) = (&args.run.memory, args.run.thread_count());
    args.files.ask(memory, threads, &args.list, |graph, target| answer(args, graph, target))
}

fn answer(args: &FindArgs, graph: &Graph, target: &Target<'_>) -> Outcome {
    let labelled = if args.is_any_label(graph) { None } else { Some(graph.nodes(&args.label)?) };
    let mut pipeline: Pipeline = match &labelled {
        None => nodes(ALL),
        Some(_) => nodes(args.label.as_str()),
    };
    for words in &args.conditions {
        pipeline = Condition::parse(graph, words)?.asked_of(pipeline);
    }
    if let Some(limit) = args.list.limit.filter(|_| args.list.order_by.is_empty()) {
        pipeline = pipeline.limit(limit);
    }
    let plan = pipeline.compile(graph).map_err(|error| args.at_fault(error))?;
    if args.explain {
        return explanation::show(&plan.explain(), args.list.format.format);
    }
    let answer = match &labelled {
        None => Answer::of_columns(graph, plan.columns(), args.list.format.format)?,
        Some(labelled) => Answer::of_label(graph, labelled, args.list.format.format),
    };
    let options = target.options(graph, || args.run.options(graph));
    let selection = args.list.selection(&options.task);
    let mut run = plan.run(options);
    let outcome = answer.write(&mut run, None, target.sink(), selection).map(|shown| target.note(shown));
    args.run.report(&run);
    Ok(outcome?)
}

impl FindArgs {
    /// Whether the label argument means all labels: it is `*`, and the graph has no label of this name.
    fn is_any_label(&self, graph: &Graph) -> bool {
        self.label == ANY_LABEL && graph.label(ANY_LABEL).is_err()
    }

    /// Converts an error to a failure that names the condition at fault. In the pipeline, the label is step
    /// 1, and each condition is a further step.
    fn at_fault(&self, error: PipelineError) -> Failure {
        let step = error.at().and_then(|at| at.path().parse::<usize>().ok());
        match step.and_then(|step| self.conditions.get(step.checked_sub(2)?)) {
            Some(words) => Failure::query(Asked::Condition(words.clone()), error),
            None => error.into(),
        }
    }
}
