//! The command line as a whole: the name of the command, its subcommands, and its help.

use std::ffi::OsString;

use clap::{CommandFactory, Parser};

use crate::commands::Command;
use crate::failure::Failure;
use crate::version;

const AFTER_HELP: &str = "\
Examples:
  varvite import cpg.bin -o code.varvite
  varvite find code.varvite METHOD NAME=memcpy
  varvite find code.varvite CALL 'NAME~mem(cpy|set)' 'LINE_NUMBER>100'
  varvite query code.varvite plan.json --format jsonl
  varvite path code.varvite main memcpy --along CALL
  varvite callers code.varvite memcpy --format json
  varvite ask 'corpus/**/*.varvite' 'cpg.call(\"strcpy\").l'
  varvite impact code.varvite --diff changes.patch --base old
  varvite tree code.varvite METHOD:inflate --depth 3
  varvite apply code.varvite diff.jsonl
  varvite generate java code.varvite --package org.example.cpg -o src/main/java
  varvite trace record -o run.vtrace -- ls

Nodes are named by words, wherever a command takes a NODE or a METHOD:
  17 or #17         the node with this id
  inflate           METHODs by FULL_NAME or, if there are none, by NAME
  TYPE_DECL:z_stream, METHOD:~mem(cpy|set)
                    nodes of a label by name; after ~, by a regular expression that must match a whole name
  inflate.c:500     the innermost METHOD around a line
  CALL:inflate.c:917
                    the nodes of a label that begin on a line

Exit codes:
  0  success; the answer may be empty
  1  verify found damage, or the compared graphs differ
  2  the arguments, the plan, the diff or the patch are invalid
  3  a file cannot be read or written: it is missing, exists already, is locked, damaged, or not a graph; of many
     graphs, some were not answered
  4  the graph has no such label, property, node, name or line, no node of the label has the property, or several nodes
     have the name
  5  no path leads from one node to the other
  6  the command was stopped: it exceeded its memory limit, would never end, or a sum passed 64 bits
  130  Ctrl-C or SIGTERM stopped a command that writes; it left no unfinished file

A writer locks its file, and leaves nothing beside it. A second writer fails; on Linux its message names the process
that holds the lock.

Answers go to standard output, everything else to standard error. Tables shorten long texts and escape control
characters; json, jsonl and csv print texts in full. NO_COLOR switches colour off.";

/// Store a code graph in one flat file and query it in place.
#[derive(Debug, Parser)]
#[command(name = "varvite", version = version::SHORT, long_version = version::LONG, after_help = AFTER_HELP, disable_help_subcommand = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// Parses the arguments into a subcommand.
pub(crate) fn parse(words: impl Iterator<Item = OsString>) -> Result<Command, Failure> {
    Ok(CommandLine::try_parse_from(with_help_last(words.collect()))?.command)
}

/// Rewrites `help COMMAND` as `COMMAND --help`. If clap provided the command `help`, `help` and each of its
/// subcommands would have their own manual pages.
fn with_help_last(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_some_and(|word| word == "help") {
        words.remove(1);
        words.push("--help".into());
    }
    words
}

/// The definition of the command line, for files that are generated from it.
pub(crate) fn definition() -> clap::Command {
    CommandLine::command()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_contradicts_itself_nowhere() {
        super::definition().debug_assert();
    }
}
