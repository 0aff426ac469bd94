//! Walks: compared with the model and with closed forms, and tests of their promises.

mod neo4j;
mod random;
mod rules;
mod tree;
mod two_sided;
mod written;
