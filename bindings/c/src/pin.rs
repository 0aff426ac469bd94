//! `varvite_pin`: keeps bytes that C reads, until it is released.

use std::sync::Arc;

use varvite_store::Pinned;

use crate::graph::OpenGraph;
use crate::handle::Counted;

/// Bytes that someone outside reads, and what keeps them where they are.
pub(crate) struct PinObject {
    _keeps: Pinned,
    _open: Arc<OpenGraph>,
}

impl PinObject {
    /// A handle on `bytes`, which the ledger has as pinned until it is released.
    pub(crate) fn handle(open: &Arc<OpenGraph>, bytes: Pinned) -> Counted<Self> {
        Counted::new(Self { _keeps: bytes, _open: Arc::clone(open) })
    }
}
