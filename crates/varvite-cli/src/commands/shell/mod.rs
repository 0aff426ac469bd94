//! `varvite shell`: answers queries in the language of Joern, one after another.
//!
//! `editor` reads lines, with history and completion; `session` holds the graphs, the settings and the names
//! that the user has defined; `orders` has the words that begin with a colon.

mod editor;
mod interrupt;
mod orders;
mod session;
mod settings;

use std::path::PathBuf;

use clap::Args;

use crate::arguments::MemoryArgs;
use crate::failure::Outcome;
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
pub(crate) fn run(args: &ShellArgs) -> Outcome {
    let mut session = Session::open(&args.files, &args.memory)?;
    let mut editor = Editor::new(session.names())?;
    interrupt::install();
    session.greet(editor.is_terminal());
    loop {
        match editor.read(session.prompt())? {
            Input::Text(text) => {
                if !session.answer(&text) {
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
