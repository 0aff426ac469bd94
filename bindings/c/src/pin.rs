//! `varvite_pin`: keeps bytes that C reads, until it is released.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;

use varvite_format::Text;
use varvite_store::Pinned;

use crate::graph::OpenGraph;
use crate::handle::{Counted, Kind};
use crate::pointer::OutAddress;
use crate::status::Status;

/// Bytes that a caller reads, and their owner.
pub(crate) struct PinObject {
    kept: PinnedMemory,
    _open: Arc<OpenGraph>,
}

impl Kind for PinObject {
    const NAME: &'static str = "pin";
    const FOUND: &'static str = "it is one of a pin";
    const C: &'static str = "varvite_pin";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = None;
}

enum PinnedMemory {
    Segment(Pinned),
    Text(Text<'static, Pinned>),
}

impl PinObject {
    /// A pin of a whole segment. The ledger has it as pinned until it is released, as all that a reader
    /// holds.
    pub(crate) fn of_segment(open: &Arc<OpenGraph>, bytes: Pinned) -> Self {
        Self { kept: PinnedMemory::Segment(bytes), _open: Arc::clone(open) }
    }

    /// A pin of the block that a text is in, or of the text where it is in several.
    pub(crate) fn of_text(open: &Arc<OpenGraph>, text: Text<'static, Pinned>) -> Self {
        Self { kept: PinnedMemory::Text(text), _open: Arc::clone(open) }
    }

    /// Gives the bytes out: their address and length stay the same until the pin is released.
    pub(crate) fn give(
        self,
        address: &mut MaybeUninit<OutAddress<c_void>>,
        length: &mut MaybeUninit<u64>,
        pin: &mut MaybeUninit<Counted<Self>>,
    ) -> Status {
        // In its own place, so that it stays where it is when the pin moves into the table.
        let pinned = Box::new(self);
        let bytes: &[u8] = match &pinned.kept {
            PinnedMemory::Segment(bytes) => bytes,
            PinnedMemory::Text(text) => text,
        };
        address.write(OutAddress::bytes(bytes));
        length.write(bytes.len() as u64);
        pin.write(Counted::new_boxed(pinned));
        Status::Pinned
    }
}
