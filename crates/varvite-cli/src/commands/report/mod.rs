//! `varvite report`: writes a report about a graph as one HTML file.

mod questions;
mod section_word;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use clap::Args;
use varvite::Graph;
use varvite_report::{Before, Made, Report, Section};

use self::section_word::SectionWord;
use super::new_file::NewFileArgs;
use crate::arguments::{GraphArgs, MemoryArgs, checked};
use crate::disk::is_same_file;
use crate::failure::{Failure, Outcome};
use crate::output::{shown, stdout};
use crate::version;

/// Arguments of `varvite report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// Sections to write, in the order of the report [default: all that have content]
    #[arg(long, value_enum, value_name = "A,B,..", value_delimiter = ',')]
    sections: Vec<SectionWord>,
    /// Title of the page [default: the name of FILE without its folder]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Add what changed since OTHER, an earlier graph of the same program: functions, sizes, costs of runs
    #[arg(long, value_name = "OTHER")]
    diff: Option<PathBuf>,
    /// Add the answers to your own questions: plans (*.json) and queries in the language of Joern (*.sc,
    /// *.txt) in this folder
    #[arg(long, value_name = "DIR")]
    plans: Option<PathBuf>,
    #[command(flatten)]
    new_file: NewFileArgs,
    #[command(flatten)]
    memory: MemoryArgs,
}

/// Writes the report.
pub(crate) fn run(args: &ReportArgs) -> Outcome {
    args.check_output()?;
    let memory = args.memory.divided(if args.diff.is_some() { 2 } else { 1 });
    let graph = args.graph.open_within(&memory)?;
    let Some(other) = &args.diff else {
        return checked(&graph, answer(args, &graph, None));
    };
    let before = args.graph.at(other).open_within(&memory).map_err(|failure| failure.of(other))?;
    let outcome = answer(args, &graph, Some((&before, other)));
    checked(&graph, checked(&before, outcome))
}

fn answer(args: &ReportArgs, graph: &Graph, before: Option<(&Graph, &Path)>) -> Outcome {
    let memory = args.memory.divided(if before.is_some() { 2 } else { 1 });
    let task = memory.task(graph);
    let questions = match &args.plans {
        Some(folder) => questions::read(folder, task.memory_bytes())?,
        None => Vec::new(),
    };
    let report = Report {
        graph,
        title: args.title(),
        sections: args.sections(),
        before: before.map(|(graph, file)| Before { graph, file: shown(file) }),
        questions,
        made: args.made(),
        task,
    };
    let mut page = Vec::new();
    report.write(&mut page)?;
    let Some(output) = args.new_file.path() else {
        let mut out = stdout();
        out.write_all(&page).and_then(|()| out.flush()).map_err(Failure::Output)?;
        return Ok(());
    };
    args.new_file.write(output, &args.graph.file, "", |out| out.write_all(&page))
}

impl ReportArgs {
    /// Refuses to replace the earlier graph. The graph itself is checked where the file is written.
    fn check_output(&self) -> Outcome {
        let both = self.diff.as_deref().zip(self.new_file.path());
        match both.is_some_and(|(other, output)| is_same_file(other, output)) {
            true => Err(Failure::Usage("--output names the graph of --diff; choose another file".to_owned())),
            false => Ok(()),
        }
    }

    fn title(&self) -> String {
        let name = || Some(shown(Path::new(self.graph.file.file_name()?)));
        self.title.clone().or_else(name).unwrap_or_default()
    }

    fn sections(&self) -> Vec<Section> {
        match self.sections.as_slice() {
            [] => Section::ALL.to_vec(),
            words => words.iter().map(|word| word.section()).collect(),
        }
    }

    fn made(&self) -> Made {
        let metadata = self.graph.file.metadata().ok();
        let date = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
        Made {
            file: shown(&self.graph.file),
            file_bytes: metadata.map_or(0, |metadata| metadata.len()),
            file_date: date.map(date_words).unwrap_or_default(),
            version: version::SHORT.to_owned(),
            options: self.options(),
        }
    }

    /// The options that were given, in words.
    fn options(&self) -> String {
        let names: Vec<&str> = self.sections.iter().map(|word| word.section().name()).collect();
        let sections = (!names.is_empty()).then(|| format!("--sections {}", names.join(",")));
        let title = self.title.as_ref().map(|title| format!("--title {title:?}"));
        let diff = self.diff.as_ref().map(|other| format!("--diff {}", shown(other)));
        let plans = self.plans.as_ref().map(|folder| format!("--plans {}", shown(folder)));
        [sections, title, diff, plans].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// A date in UTC, such as `2026-11-30 08:15:00 UTC`.
fn date_words(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).format("%Y-%m-%d %H:%M:%S UTC").to_string()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn dates_are_in_utc() {
        let time = UNIX_EPOCH + Duration::from_secs(1_709_210_096);
        assert_eq!(date_words(time), "2024-02-29 12:34:56 UTC");
    }
}
