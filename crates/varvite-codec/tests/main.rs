//! Tests of the public interface of the codecs.

mod block;
mod counting;
mod frames;
mod golden;
mod sample;
mod snappy;
mod zip;
