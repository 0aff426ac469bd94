//! Walks: their results are compared with the model and with closed forms, and their promises are tested.

mod neo4j;
mod random;
mod rules;
mod tree;
mod two_sided;
mod written;
