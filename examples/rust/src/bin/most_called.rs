//! Prints the ten METHODs with the most calls, leaving out operators of the language: `most_called FILE`.

use varvite::Graph;
use varvite::pipeline::{Cell, Key, Options, nodes, prefix};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: most_called FILE")?;
    let graph = Graph::open(path)?;
    let most_called = nodes("CALL")
        .out("CALL")
        .has_not("FULL_NAME", prefix("<operator"))
        .group_count("FULL_NAME")
        .order_by_descending(Key::Column("count".to_owned()))
        .limit(10);
    let mut run = most_called.compile(&graph)?.run(Options::default());
    while let Some(rows) = run.next()? {
        let (Some(names), Some(counts)) = (rows.column(0), rows.column(1)) else { break };
        for row in 0..rows.len() {
            if let (Some(Cell::Value(name)), Some(count)) = (names.get(row), counts.number(row)) {
                println!("{count}\t{name}");
            }
        }
    }
    Ok(())
}
