//! Measures the time that a cancelled run needs to end: `cargo run --release -p varvite --example cancelling
//! FILE.varvite [WORD]`.
//!
//! The program cancels each pipeline a hundred times from another thread, each time after a different part of
//! its run. There is one pipeline for each kind of operator. If WORD is given, only pipelines with this word
//! in their names run. For each pipeline, the program prints the longest time from the call of `cancel` to
//! the end of the run, and the number of runs that the call cancelled (other runs ended before the call).

use std::error::Error;
use std::time::{Duration, Instant};

use varvite::Cancel;
use varvite::pipeline::{ALL, Key, Pipeline, Plan, contains, edges, gt, it, nodes, regex};
use varvite::{Graph, Task};

const CANCELS: u32 = 100;

fn pipelines() -> Vec<(&'static str, Pipeline)> {
    let calls = || it().in_("CALL").nearest_ancestor("METHOD");
    vec![
        ("scan, regex on CODE", nodes(ALL).has("CODE", regex(".*(mem|str)[a-z]*cpy.*")).count()),
        ("scan, contains on CODE", nodes(ALL).has("CODE", contains("mem")).count()),
        ("filter, regex on CODE", nodes("CALL").out("AST").has("CODE", regex(".*[0-9]+.*")).count()),
        ("scan, range of ORDER", nodes(ALL).has("ORDER", gt(3)).count()),
        ("hop", nodes(ALL).out(ALL).in_("AST").count()),
        ("edges against their direction", nodes(ALL).in_edges(ALL).count()),
        ("all edges", edges(ALL).target().count()),
        ("order by a number", nodes(ALL).out(ALL).order_by("ORDER").count()),
        ("order by CODE", nodes(ALL).order_by("CODE").count()),
        ("group", nodes(ALL).out(ALL).group("NAME").limit(1)),
        ("count by CODE", nodes(ALL).group_count("CODE").order_by_descending(Key::column("count")).limit(20)),
        ("descendants by label", nodes(ALL).descendants().group_count(Key::Label)),
        ("descendants", nodes(ALL).descendants().count()),
        ("nearest ancestor", nodes(ALL).nearest_ancestor("METHOD").count()),
        ("where, row by row", nodes(ALL).where_(it().out("AST").count().is(gt(2))).count()),
        ("repeat, depth first", nodes("METHOD").repeat(calls(), |repeat| repeat.emit().dedup()).count()),
        (
            "repeat, breadth first",
            nodes("METHOD").repeat(calls(), |repeat| repeat.emit().dedup().breadth_first()),
        ),
        ("paths", nodes(ALL).out(ALL).out(ALL).path().count()),
        ("simple paths", nodes(ALL).both("CFG").both("CFG").both("CFG").simple_path().count()),
        ("sample", nodes(ALL).out(ALL).sample(1_000_000, 1).count()),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: cancelling FILE.varvite [WORD]")?;
    let word = std::env::args().nth(2).unwrap_or_default();
    let graph = Graph::open(path)?;
    println!("{:32} {:>10} {:>12} {:>10}", "pipeline", "run ms", "longest ms", "at work");
    for (name, pipeline) in pipelines().into_iter().filter(|(name, _)| name.contains(&word)) {
        let plan = pipeline.compile(&graph)?;
        let began = Instant::now();
        run(&plan, Cancel::default());
        let whole = began.elapsed();
        let ends = (0..CANCELS).map(|turn| cancel_after(&plan, whole * turn / CANCELS));
        let ends: Vec<Duration> = ends.flatten().collect();
        let longest = ends.iter().max().copied().unwrap_or_default();
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{name:32} {:>10.1} {:>12.3} {:>10}",
            milliseconds(whole),
            milliseconds(longest),
            ends.len()
        );
    }
    Ok(())
}

/// Runs a plan and cancels it after `wait`. Returns the time from the call of `cancel` to the end of the run,
/// or `None` if the run ended before the call.
fn cancel_after(plan: &Plan, wait: Duration) -> Option<Duration> {
    let cancel = Cancel::default();
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run(plan, cancel.clone()));
        std::thread::sleep(wait);
        let began = Instant::now();
        cancel.cancel();
        let end = running.join().ok()??;
        Some(end.saturating_duration_since(began))
    })
}

/// Runs a plan to its end, or until it is cancelled. If the run was cancelled, returns the time at which it
/// returned the error. The run is dropped only after that, because giving gigabytes back to the system takes
/// more time. `None` if the run was not cancelled.
fn run(plan: &Plan, cancel: Cancel) -> Option<Instant> {
    let mut run = plan.run(Task::new().cancel(&cancel).memory(4 << 30));
    loop {
        match run.next() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(_) => return Some(Instant::now()),
        }
    }
}
