//! Runs `varvite compact`.

use super::arguments::CompactArgs;
use super::{at_rest, online};
use crate::failure::Outcome;

/// Compacts a graph, or leaves it unchanged if it is small.
pub(crate) fn run(args: &CompactArgs) -> Outcome {
    if args.online { online::run(args) } else { at_rest::run(args) }
}
