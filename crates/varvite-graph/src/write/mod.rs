//! Writing a graph: values in the final order of ids are encoded as columns of a new file.
//!
//! An [`Encoder`] encodes values as prepared columns, on any number of threads; a [`GraphWriter`] takes the
//! columns in order, on one thread. The caller provides nodes in the canonical order
//! ([`NodeOrder`](crate::NodeOrder)).

mod adjacency;
mod agreement;
mod change;
mod compact;
mod covered;
mod edges;
mod encoder;
mod file_id;
mod fold;
mod graph_copy;
mod index;
mod input;
mod layer;
mod names;
mod new_layer;
pub(crate) mod order;
mod owners;
mod property;
mod reindex;
mod seen;
mod slices;
mod spec;
mod text;
mod writer;

pub use adjacency::{Heat, PairError, PreparedAdjacency, PreparedPlaces, pair_places};
pub use change::GraphChange;
pub(crate) use change::{CHECKED, MODE};
pub(crate) use compact::write_anew;
pub use compact::{compact, compact_telling, compact_to};
pub(crate) use edges::PreparedEdges;
pub use encoder::{Encoder, PreparedForest, PreparedLabels, PreparedOrigin, PreparedSet};
pub(crate) use file_id::file_id_of_fold;
pub(crate) use fold::MANY_OF_LAYER;
pub use fold::{Folded, NewNumbers, REMOVED};
pub use index::PreparedIndex;
pub use input::{
    CutInput, LayerChange, LayerSpec, ListsInput, NodeNumbers, PropertyInput, PropertyLayer, PropertySpec,
    TextsInput, ValuesInput,
};
pub use layer::{change_layers, drop_layers};
pub(crate) use names::number_names;
pub use new_layer::{NewLayer, NewTexts};
pub use property::PreparedProperty;
pub(crate) use property::WrittenProperty;
pub use reindex::{IndexChange, IndexesChanged, change_indexes};
pub(crate) use reindex::{check_claim, codec_of};
pub(crate) use seen::{ListsSeen, NumbersSeen};
pub use spec::{EdgeLabelSpec, LabelSpec};
pub use varvite_format::Owner;
pub use writer::{GraphWriter, WriteOptions};
