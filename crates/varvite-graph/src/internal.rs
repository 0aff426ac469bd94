//! Items for the crates of this project that depend on this crate. They may change with any version.

pub use crate::cursor::adjacency::{DirectLists, EntryAt, ListRest};
pub use crate::cursor::bounds::NULL_REF;
pub use crate::cursor::columns::{adjacency_name, edge_label_name, label_name, property_name};
pub use crate::cursor::damage::Damage;
pub use crate::cursor::ints_scan::IntsScan;
pub use crate::cursor::labels::CodeReader;
pub use crate::cursor::property_range::{FEW, fill_bits};
pub use crate::cursor::ranked_bits::RankedBits;
pub use crate::cursor::texts::{BYTES_AT_ONCE, TextAllowance, TextStart};
pub use crate::cursor::value::Hex;
pub use crate::draft::{
    DefaultValue, Draft, DraftFault, DraftOptions, Element, Kind, Source as DraftSource, TreeLabel,
};
pub use crate::error::ids_of;
pub use crate::names::{ALL, Names};
pub use crate::nearest::Nearest;
pub use crate::overlay::grown_tree::GrownTree;
pub use crate::scan::bit_set::BitSet;
pub use crate::scan::changed_places::for_each_changed_place;
pub use crate::scan::columns::{ListColumns, for_each_text, label_codes};
pub use crate::scan::graph_scan::Scratch;
pub use crate::scan::parallel::{all_in_order, threads_pay};
pub use crate::scan::threads::threads_within;
