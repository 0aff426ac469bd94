//! Hostile graph files, in modules by the kind of their false claims.

mod claims;
mod codecs;
mod fields;
mod front;
mod heap_layers;
mod shapes;
mod sketch;
mod source_layers;
mod tables;
mod texts;

use crate::HostileFile;

/// All hostile graph files.
pub(crate) fn all() -> Vec<HostileFile> {
    [
        claims::all(),
        shapes::all(),
        texts::all(),
        codecs::all(),
        tables::all(),
        front::all(),
        fields::all(),
        heap_layers::all(),
        source_layers::all(),
    ]
    .concat()
}
