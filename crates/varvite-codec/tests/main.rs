//! What the codecs promise from outside.

#[path = "../../../fuzz/src/blocks.rs"]
mod blocks;
#[path = "../../../fuzz/src/frames.rs"]
mod frames_of_any_bytes;

mod block;
mod counting;
mod frames;
mod golden;
mod sample;
mod smoke;
mod snappy;
mod zip;
