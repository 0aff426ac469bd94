//! The words of the shell that begin with a colon.
//!
//! Every command of `varvite` that reads a graph is such a word too: `:callers inflate` is `varvite callers
//! FILE inflate` for the current graph.

use std::ffi::OsString;
use std::path::Path;

use clap::FromArgMatches;

use super::session::Session;
use super::settings::{format_of, on_or_off};
use crate::commands::{Command, ask};
use crate::failure::{Failure, Outcome};
use crate::output::write_text;

/// The orders of the shell itself, with their help.
const ORDERS: [(&str, &str); 13] = [
    (":help", "show this list"),
    (":schema [LABEL]", "show labels, properties and edges of the graph"),
    (":source NAME", "show the source code of a function, if the graph has layer `source`"),
    (":plan QUERY", "show the plan of a query, in the form of docs/plan.md"),
    (":explain QUERY", "show how a query would run"),
    (":more", "show the next rows of the last answer"),
    (":save FILE", "write the whole last answer to a file: .json, .jsonl or .csv, else in the format"),
    (":use [NAME]", "let cpg be the graph of this name, or list the graphs"),
    (":format FORMAT", "write rows as table, json, jsonl or csv"),
    (":time on|off", "show the time of each answer"),
    (":set [NAME VALUE]", "change a setting, or list the settings"),
    (":definitions", "show the val and def statements so far"),
    (":quit", "end the shell, as Ctrl-D does"),
];

/// The commands of `varvite` that the shell runs on its graph.
const COMMANDS: [&str; 12] = [
    "schema", "source", "callers", "callees", "find", "path", "tree", "info", "layers", "memory", "heap",
    "facts",
];

/// All words, without their colons.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    let own = ORDERS.iter().map(|(order, _)| order.trim_start_matches(':'));
    own.map(|order| order.split(' ').next().unwrap_or(order)).chain(COMMANDS)
}

/// Does what an order says. False if the shell has to end.
pub(super) fn obey(
    session: &mut Session<'_>,
    order: &str,
    definition: fn() -> clap::Command,
) -> Result<bool, Failure> {
    let (word, rest) = order.split_once(char::is_whitespace).unwrap_or((order, ""));
    let rest = rest.trim();
    match word {
        "quit" | "q" | "exit" => return Ok(false),
        "help" | "h" | "?" => write_help()?,
        "plan" => ask::write_plans(&session.translate(rest)?)?,
        "explain" => {
            ask::explain(&session.translate(rest)?, &session.graph().graph, session.settings.format)?;
        }
        "more" => session.more()?,
        "save" => save(session, rest)?,
        "use" => take(session, rest)?,
        "format" => session.settings.format = format_of(rest).map_err(Failure::Usage)?,
        "time" => session.settings.time = on_or_off(rest).map_err(Failure::Usage)?,
        "set" => set(session, rest)?,
        "definitions" => session.show_definitions()?,
        word if COMMANDS.contains(&word) => run_command(&session.graph().file, word, rest, definition)?,
        other => return Err(unknown(other)),
    }
    Ok(true)
}

fn write_help() -> Outcome {
    let width = ORDERS.iter().map(|(order, _)| order.len()).max().unwrap_or(0);
    let lines: String = ORDERS.iter().map(|(order, help)| format!("{order:width$}  {help}\n")).collect();
    let commands: Vec<String> = COMMANDS.iter().map(|command| format!(":{command}")).collect();
    let commands = commands.join(" ");
    Ok(write_text(&format!("{lines}Commands of varvite, for this graph: {commands}\n"))?)
}

fn save(session: &Session<'_>, file: &str) -> Outcome {
    match file {
        "" => Err(Failure::Usage(":save takes the name of a file".to_owned())),
        file => session.save(Path::new(file)),
    }
}

fn take(session: &mut Session<'_>, name: &str) -> Outcome {
    if !name.is_empty() && session.take(name) {
        return Ok(());
    }
    let line = |named: &super::session::Named| format!("{}  {}\n", named.name, named.file.display());
    let lines: String = session.graphs().iter().map(line).collect();
    write_text(&lines)?;
    match name.is_empty() {
        true => Ok(()),
        false => Err(Failure::Usage(format!("no graph is named {name:?}"))),
    }
}

fn set(session: &mut Session<'_>, rest: &str) -> Outcome {
    if rest.is_empty() {
        return Ok(write_text(&session.settings.listed())?);
    }
    let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    session.settings.set(name, value.trim()).map_err(Failure::Usage)
}

/// Runs a command of `varvite` on a graph.
fn run_command(file: &Path, word: &str, rest: &str, definition: fn() -> clap::Command) -> Outcome {
    let words = ["varvite", word].into_iter().map(OsString::from);
    let words = words.chain([file.as_os_str().to_owned()]).chain(rest.split_whitespace().map(OsString::from));
    let matches = definition().try_get_matches_from(words)?;
    crate::commands::run(&Command::from_arg_matches(&matches)?, definition)
}

fn unknown(word: &str) -> Failure {
    let nearest = varvite::error::nearest(word, words());
    let advice =
        nearest.map_or_else(|| ":help lists all".to_owned(), |name| format!("the nearest is :{name}"));
    Failure::Usage(format!("the shell has no word :{word}; {advice}"))
}
