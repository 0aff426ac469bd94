//! Tests of walks. Their results are compared with those of the model and with closed formulas. Limits,
//! errors and other promises are tested too.

mod neo4j;
mod random;
mod rules;
mod tree;
mod two_sided;
mod written;
