//! [`Editor`]: reads inputs of one or several lines, with history and completion.

use std::path::PathBuf;

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Helper};

use super::orders::words;
use crate::failure::Failure;

/// The most lines that the history keeps.
const HISTORY_LINES: usize = 10_000;

/// An input of the user.
pub(super) enum Input {
    Text(String),
    /// Ctrl-C: the line is dropped.
    Interrupted,
    /// Ctrl-D, or the end of standard input.
    End,
}

/// The line editor. If standard input is no terminal, it reads plain lines.
pub(super) struct Editor {
    editor: rustyline::Editor<Names, FileHistory>,
    history: Option<PathBuf>,
}

impl Editor {
    /// An editor that completes the names of steps, and `names` between quotes.
    pub(super) fn new(names: impl FnOnce() -> Vec<String>) -> Result<Self, Failure> {
        let config =
            Config::builder().auto_add_history(true).max_history_size(HISTORY_LINES).map_err(no_editor)?;
        let mut editor = rustyline::Editor::with_config(config.build()).map_err(no_editor)?;
        // Nobody completes lines that come from a pipe.
        let names = if is_terminal() { names() } else { Vec::new() };
        editor.set_helper(Some(Names { names }));
        let history = history_file().filter(|_| is_terminal());
        if let Some(file) = &history {
            // A missing file is no fault: it is the first shell.
            let _ = editor.load_history(file);
        }
        Ok(Self { editor, history })
    }

    pub(super) fn is_terminal(&self) -> bool {
        is_terminal()
    }

    /// Reads an input, which goes on over lines while a bracket or a text is open.
    pub(super) fn read(&mut self, prompt: String) -> Result<Input, Failure> {
        match self.editor.readline(&prompt) {
            Ok(text) => Ok(Input::Text(text)),
            Err(ReadlineError::Interrupted) => Ok(Input::Interrupted),
            Err(ReadlineError::Eof) => Ok(Input::End),
            Err(error) => Err(no_editor(error)),
        }
    }

    /// Saves the history. A history that cannot be written is lost.
    pub(super) fn save(&mut self) {
        if let Some(file) = &self.history {
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = self.editor.save_history(file);
        }
    }
}

fn is_terminal() -> bool {
    std::io::IsTerminal::is_terminal(&std::io::stdin())
}

fn no_editor(error: ReadlineError) -> Failure {
    Failure::Usage(format!("the shell cannot read its input: {error}"))
}

/// The file of the history, in the user's folder for states.
fn history_file() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_STATE_HOME").or_else(|| set("HOME").map(|home| home.join(".local/state")));
    folder.map(|folder| folder.join("varvite").join("history"))
}

/// The names that completion offers.
struct Names {
    names: Vec<String>,
}

impl Completer for Names {
    type Candidate = Pair;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..end];
        if let Some(order) = before.strip_prefix(':').filter(|order| !order.contains(' ')) {
            return Ok((1, words().filter(|word| word.starts_with(order)).map(pair).collect()));
        }
        if let Some((start, begun)) = open_text(before) {
            let first = self.names.partition_point(|name| name.as_str() < begun);
            let found = self.names[first..].iter().take_while(|name| name.starts_with(begun));
            return Ok((start, found.map(|name| pair(name)).collect()));
        }
        let completion = varvite_text::complete(before);
        Ok((completion.start, completion.names.iter().map(|name| pair(name)).collect()))
    }
}

fn pair(name: &str) -> Pair {
    Pair { display: name.to_owned(), replacement: name.to_owned() }
}

/// The start and the content of a text that is not closed.
fn open_text(before: &str) -> Option<(usize, &str)> {
    let quotes = before.match_indices('"').map(|(place, _)| place);
    let quotes: Vec<usize> = quotes.filter(|place| !before[..*place].ends_with('\\')).collect();
    let last = *quotes.last().filter(|_| quotes.len() % 2 == 1)?;
    Some((last + 1, &before[last + 1..]))
}

impl Validator for Names {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        let is_open = !text.trim_start().starts_with(':') && varvite_text::is_unfinished(text);
        Ok(if is_open { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Hinter for Names {
    type Hint = String;
}

impl Highlighter for Names {}

impl Helper for Names {}
