//! The program that the explorer copies for Rust.

use varvite::Graph;
use varvite::pipeline::{Options, Pipeline};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let graph = Graph::open("zlib.varvite")?;
    let plan = Pipeline::from_json(
        "{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"METHOD\"]},{\"step\":\"has\",\"property\":\"NAME\",\"is\":{\"regex\":\"inflate(Init|Reset).*\"}},{\"step\":\"map\",\"by\":{\"as\":\"NAME\",\"first_of\":[{\"property\":\"NAME\"},{\"constant\":\"<empty>\"}]}}]}",
    )?;
    let mut run = plan.compile(&graph)?.run(Options::default());
    while let Some(rows) = run.next()? {
        for row in 0..rows.len() {
            println!("{:?}", rows.columns().map(|column| column.get(row)).collect::<Vec<_>>());
        }
    }
    Ok(graph.check()?)
}
