//! A first program: makes a graph file from a `cpg.bin` of Joern, and prints its number of nodes.
//!
//! ```text
//! cargo run --release --example importing -- examples/data/zlib.cpg.bin zlib.varvite
//! ```

use std::env;
use std::error::Error;

use varvite::Graph;
use varvite_import::Import;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [source, target] = &words[..] else {
        return Err("usage: importing CPG.BIN GRAPH.varvite".into());
    };
    Import::new(source).write_to(target)?;
    println!("{target}: {} nodes", Graph::open(target)?.node_count());
    Ok(())
}
