//! `varvite shell`: answers queries in the language of Joern, one after another.
//!
//! `editor` reads lines, with history and completion; `session` holds the graphs, the settings and the names
//! that the user has defined; `orders` has the words that begin with a colon, and `saved` writes answers to
//! files.

mod editor;
mod interrupt;
mod orders;
mod saved;
mod session;
mod settings;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::arguments::MemoryArgs;
use crate::failure::{Outcome, complain_of};
use crate::output::remark;
use editor::{Editor, Input};
use session::Session;

/// Arguments of `varvite shell`.
#[derive(Debug, Args)]
pub(crate) struct ShellArgs {
    /// The graphs, each a .varvite file. cpg is the first one; `:use NAME` takes another
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    memory: MemoryArgs,
}

/// Reads queries and orders until the input ends. A failure is shown, and the shell goes on.
///
/// `definition` returns the definition of the whole command line, whose commands the shell runs too.
pub(crate) fn run(args: &ShellArgs, definition: fn() -> clap::Command) -> Outcome {
    let mut session = Session::open(&args.files, &args.memory)?;
    let mut editor = Editor::new(|| session.names())?;
    interrupt::install();
    session.greet(editor.is_terminal());
    loop {
        match editor.read(session.prompt())? {
            Input::Text(text) => {
                if !answer(&mut session, text.trim(), definition) {
                    break;
                }
            }
            Input::Interrupted => {}
            Input::End => break,
        }
    }
    editor.save();
    session.end()
}

/// Answers one input: a query, or an order. False if the shell has to end.
fn answer(session: &mut Session<'_>, text: &str, definition: fn() -> clap::Command) -> bool {
    let begin = Instant::now();
    let outcome = match (text.is_empty(), text.strip_prefix(':')) {
        (true, _) => return true,
        (_, Some(order)) => orders::obey(session, order, definition),
        (_, None) => session.query(text).map(|()| true),
    };
    if session.settings.time && !text.starts_with(':') {
        remark(&format!("{:.1} ms", begin.elapsed().as_secs_f64() * 1000.0));
    }
    outcome.unwrap_or_else(|failure| {
        complain_of(failure);
        true
    })
}
