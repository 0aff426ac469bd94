//! `varvite_pin`: keeps bytes that C reads in memory until the pin is released.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::Arc;

use varvite_format::Text;
use varvite_store::Pinned;

use crate::graph::OpenGraph;
use crate::handle::{Counted, Kind};
use crate::pointer::OutAddress;
use crate::status::Status;

/// The object behind a pin handle: pinned bytes, and the graph that they belong to.
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
    /// A pin of a whole segment. The ledger counts the segment as pinned until the pin is released.
    pub(crate) fn of_segment(open: &Arc<OpenGraph>, bytes: Pinned) -> Self {
        Self { kept: PinnedMemory::Segment(bytes), _open: Arc::clone(open) }
    }

    /// A pin of the block that contains a text, or of a copy of the text if it spans several blocks.
    pub(crate) fn of_text(open: &Arc<OpenGraph>, text: Text<'static, Pinned>) -> Self {
        Self { kept: PinnedMemory::Text(text), _open: Arc::clone(open) }
    }

    /// Writes the bytes' address and length, which are valid until the pin is released, and the pin's handle.
    pub(crate) fn give(
        self,
        address: &mut MaybeUninit<OutAddress<c_void>>,
        length: &mut MaybeUninit<u64>,
        pin: &mut MaybeUninit<Counted<Self>>,
    ) -> Status {
        // The pin is boxed, so that the address of the bytes does not change when the pin moves into the
        // table of handles.
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
