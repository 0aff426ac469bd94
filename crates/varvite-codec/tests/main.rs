//! Promises of the codecs, tested from outside.

mod block;
mod counting;
mod frames;
mod golden;
mod sample;
mod snappy;
mod zip;
