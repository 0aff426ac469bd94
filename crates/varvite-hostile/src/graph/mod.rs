//! Graph files, by their false claims.

mod claims;
mod codecs;
mod fields;
mod front;
mod heap_layers;
mod shapes;
mod sketch;
mod tables;
mod texts;

use crate::HostileFile;

/// Every graph file.
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
    ]
    .concat()
}
