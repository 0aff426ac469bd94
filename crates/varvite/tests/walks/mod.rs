//! Walks: held against the model, against closed forms, and against what they promise.

mod neo4j;
mod random;
mod rules;
mod tree;
mod two_sided;
mod written;
