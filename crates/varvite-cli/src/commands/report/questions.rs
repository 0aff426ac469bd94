//! The questions of a folder: plans, and queries in the language of Joern.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use varvite::Budget;
use varvite_report::OwnQuestion;
use varvite_text::{Answer, Query};

use crate::arguments::PlanArgs;
use crate::failure::Failure;
use crate::output::shown;

/// The most bytes of a question's text.
const TEXT_BYTES: u64 = 1 << 20;
/// The extensions of plans and of queries.
const PLAN: &str = "json";
const QUERIES: [&str; 2] = ["sc", "txt"];

/// Reads the questions of a folder, in the order of their files' names.
pub(super) fn read(folder: &Path, memory_bytes: usize) -> Result<Vec<OwnQuestion>, Failure> {
    let files = files(folder)?;
    if files.is_empty() {
        let what = "has no questions: files that end with .json, .sc or .txt are needed";
        return Err(Failure::source(folder, what.to_owned()));
    }
    files.iter().map(|file| question(file, memory_bytes)).collect()
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| Failure::source(folder, format!("cannot be read: {error}"));
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let paths = entries.map(|entry| Ok(entry.map_err(unreadable)?.path()));
    let paths = paths.collect::<Result<Vec<_>, Failure>>()?;
    let is_question = |path: &PathBuf| {
        let end = ending(path);
        (end == PLAN || QUERIES.contains(&end)) && path.is_file()
    };
    let mut files: Vec<PathBuf> = paths.into_iter().filter(is_question).collect();
    files.sort();
    Ok(files)
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|end| end.to_str()).unwrap_or_default()
}

fn question(file: &Path, memory_bytes: usize) -> Result<OwnQuestion, Failure> {
    let text = text(file)?;
    let is_plan = ending(file) == PLAN;
    let query = match is_plan {
        true => {
            let plan = PlanArgs::at(file).pipeline_within(&Budget::new(memory_bytes))?;
            Query { answer: Answer::Rows(plan) }
        }
        false => {
            varvite_text::translate(&text).map_err(|error| Failure::text(&text, &error).in_file(file))?
        }
    };
    Ok(OwnQuestion { title: shown(file), text, query, names_may_be_missing: !is_plan })
}

fn text(file: &Path) -> Result<String, Failure> {
    let unreadable = |error| Failure::source(file, format!("cannot be read: {error}"));
    let mut text = String::new();
    File::open(file)
        .and_then(|opened| opened.take(TEXT_BYTES + 1).read_to_string(&mut text))
        .map_err(unreadable)?;
    match text.len() as u64 > TEXT_BYTES {
        true => {
            Err(Failure::source(file, format!("is longer than {TEXT_BYTES} bytes, the most of a question")))
        }
        false => Ok(text),
    }
}
