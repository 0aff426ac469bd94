//! Runs `varvite compact`.

use super::arguments::CompactArgs;
use super::{at_rest, online};
use crate::failure::Outcome;

/// Compacts a graph: online if requested, otherwise with other writers kept out.
pub(crate) fn run(args: &CompactArgs) -> Outcome {
    if args.online { online::run(args) } else { at_rest::run(args) }
}
