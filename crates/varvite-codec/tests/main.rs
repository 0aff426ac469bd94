//! What the codecs promise from outside.

mod block;
mod counting;
mod frames;
mod golden;
mod sample;
mod snappy;
mod zip;
