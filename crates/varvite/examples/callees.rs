//! A first program: prints every call of a graph with the METHODs that it may call.
//!
//! ```text
//! cargo run --release --example callees -- zlib.varvite
//! ```

use std::env;
use std::process::ExitCode;

use varvite::Graph;

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: callees GRAPH.varvite");
        return ExitCode::from(2);
    };
    match print_callees(&path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn print_callees(path: &str) -> varvite::Result<()> {
    let graph = Graph::open(path)?;
    let (calls, callees) = (graph.nodes("CALL")?, graph.out("CALL")?);
    let full_name = graph.texts("FULL_NAME")?;
    for call in calls.iter() {
        for method in callees.neighbors(call) {
            println!("{call} calls {:?}", full_name.str(method));
        }
    }
    // A cursor that meets damage yields nothing; only this call says that the answer is complete.
    graph.check()
}
