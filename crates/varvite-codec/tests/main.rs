//! What the codecs promise from outside.

#[path = "../../varvite-testing/src/targets/blocks.rs"]
mod blocks;
#[path = "../../varvite-testing/src/targets/frames.rs"]
mod frames_of_any_bytes;

mod block;
mod counting;
mod frames;
mod golden;
mod sample;
mod smoke;
mod snappy;
mod zip;
