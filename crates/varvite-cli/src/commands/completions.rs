//! `varvite completions`: prints a completion script for a shell.

use clap::Args;
use clap_complete::Shell;

use crate::failure::Outcome;
use crate::output::write_bytes;

/// Arguments of `varvite completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs, mut definition: clap::Command) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut definition, "varvite", &mut script);
    Ok(write_bytes(&script)?)
}
