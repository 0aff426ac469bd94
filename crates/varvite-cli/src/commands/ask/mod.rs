//! `varvite ask`: answers a query in the language of Joern.
//!
//! The steps of an answer:
//!
//! ```text
//! translate  varvite_text::translate   the text to a Query: plans, and what their rows mean
//! compile    varvite_text::compile     each plan to a Plan for this graph
//! write      Answering::write          rows as `varvite query` writes them, or a single value
//! ```

use std::io::{self, Read};

use clap::Args;
use varvite::Graph;
use varvite::pipeline::Run;
use varvite_show::{Shown, Sink};
use varvite_text::{AnswerOutput, Answering, Query};

use crate::arguments::{ListArgs, RunArgs};
use crate::explanation;
use crate::failure::{Failure, Outcome};
use crate::files::{FilesArgs, Target};
use crate::output::{Format, write_text};

/// The most bytes of a query.
const QUERY_BYTES: u64 = 1 << 20;

/// Arguments of `varvite ask`.
#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    #[command(flatten)]
    files: FilesArgs,
    /// The query, such as 'cpg.call("strcpy").argument(2).code.l'; - for standard input. Quote the query, so
    /// that your shell does not interpret it. docs/guide/from-joern.md shows queries, and docs/joern-text.md
    /// lists the supported steps
    query: String,
    /// Print the plan of the query, in the form of docs/plan.md, instead of running it
    #[arg(long, conflicts_with = "explain")]
    plan: bool,
    /// Show the operators and estimated rows of the plan, without running it
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    list: ListArgs,
}

/// Translates the query, and shows its answer.
pub(crate) fn run(args: &AskArgs) -> Outcome {
    let text = args.text()?;
    let query = varvite_text::translate(&text).map_err(|error| Failure::text(&text, &error))?;
    if args.plan {
        return write_plans(&query);
    }
    args.files.refuse("--explain", args.explain)?;
    args.files.refuse("--profile", args.run.has_profile())?;
    let (memory, threads) = (&args.run.memory, args.run.thread_count());
    args.files.ask(memory, threads, &args.list, |graph, target| answer(args, graph, &query, target))
}

fn answer(args: &AskArgs, graph: &Graph, query: &Query, target: &Target<'_>) -> Outcome {
    if args.explain {
        return explain(query, graph, args.list.format.format);
    }
    let options = target.options(graph, || args.run.options(graph));
    let selection = args.list.selection(&options.task);
    let output = ToTarget { target, run: Some(&args.run) };
    Ok(Answering { graph, options: options.clone(), selection, output: &output }.write(&query.answer)?)
}

/// Writes answers to a target, and reports on the runs if a user asked for it.
pub(super) struct ToTarget<'a> {
    pub(super) target: &'a Target<'a>,
    pub(super) run: Option<&'a RunArgs>,
}

impl AnswerOutput for ToTarget<'_> {
    fn rows(&self) -> Sink<'_> {
        self.target.sink()
    }

    fn value(&self, text: &str) -> io::Result<()> {
        self.target.value(text)
    }

    fn end_of_rows(&self, run: &Run, shown: Option<Shown>) {
        shown.into_iter().for_each(|shown| self.target.note(shown));
        self.run.into_iter().for_each(|args| args.report(run));
    }
}

/// Shows how each plan of a query would run on a graph.
pub(super) fn explain(query: &Query, graph: &Graph, format: Format) -> Outcome {
    let mut plans = query.plans().into_iter();
    plans.try_for_each(|plan| explanation::show(&varvite_text::compile(plan, graph)?.explain(), format))
}

/// Writes each plan of a query on a line.
pub(super) fn write_plans(query: &Query) -> Outcome {
    let lines: String = query.plans().iter().map(|plan| plan.to_json() + "\n").collect();
    Ok(write_text(&lines)?)
}

impl AskArgs {
    /// The text of the query.
    fn text(&self) -> Result<String, Failure> {
        if self.query != "-" {
            return Ok(self.query.clone());
        }
        let mut text = String::new();
        let read = io::stdin().lock().take(QUERY_BYTES + 1).read_to_string(&mut text);
        read.map_err(|error| Failure::Usage(format!("cannot read the query from standard input: {error}")))?;
        Ok(text)
    }
}
