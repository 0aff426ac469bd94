//! Measures the cost of reading one value of each property, for every way to read all values. The cost is in
//! nanoseconds on one thread, from the best of some rounds.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use varvite::{Graph, Property};

use crate::Failure;

/// The number of rounds; the best one counts.
const ROUNDS: u32 = 9;
/// The least number of values of a measured property: times of fewer values are not reliable.
const VALUES_MIN: usize = 10_000;

/// Returns an object for each node property with many values. It has the nanoseconds per value for each way
/// of reading.
///
/// # Errors
/// Faults of the file.
pub fn time_columns(path: &Path) -> Result<Vec<Value>, Failure> {
    let graph = Graph::open(path)?;
    let mut rows = Vec::new();
    for info in graph.properties().iter().filter(|info| info.edge_label.is_none()) {
        let property = graph.property(&info.name)?;
        if property.value_count() >= VALUES_MIN {
            rows.push(row(&info.name, &property, graph.node_count()));
        }
    }
    rows.push(labels_row(&graph)?);
    graph.check()?;
    Ok(rows)
}

/// Returns the object for reads of the labels of all nodes.
fn labels_row(graph: &Graph) -> Result<Value, Failure> {
    let (labels, nodes) = (graph.label_sets()?, graph.node_count());
    let (call, mut counts, mut bits) = (graph.label("CALL")?, Vec::new(), Vec::new());
    let test = labels.test(call);
    Ok(json!({
        "labels": nodes,
        "one_by_one": best(nodes as usize, &mut || {
            _ = black_box((0..nodes).filter(|node| test.matches(*node)).count());
        }),
        "count_codes": best(nodes as usize, &mut || labels.count_codes(0..nodes, &mut counts)),
        "select": best(nodes as usize, &mut || labels.select(call, 0..nodes, &mut bits)),
    }))
}

fn row(name: &str, property: &Property, nodes: u32) -> Value {
    let (mut values, mut present) = (Vec::new(), Vec::new());
    let middle = property.least_and_greatest(0..nodes).map_or(0, |(low, high)| low / 2 + high / 2);
    let mut counts = vec![0; 4096];
    let count = property.value_count();
    let per_value = |work: &mut dyn FnMut()| best(count, work);
    json!({
        "property": name,
        "values": count,
        "for_each": per_value(&mut || {
            let mut sum = 0i128;
            property.for_each(|_, number| sum += i128::from(number));
            black_box(sum);
        }),
        "fill": per_value(&mut || {
            property.fill(0..nodes, &mut values, &mut present);
            black_box((&values, &present));
        }),
        "sum": per_value(&mut || _ = black_box(property.sum(0..nodes))),
        "least_and_greatest": per_value(&mut || _ = black_box(property.least_and_greatest(0..nodes))),
        "count_in": per_value(&mut || _ = black_box(property.count_in(0..=middle, 0..nodes))),
        "count_codes": per_value(&mut || _ = black_box(property.count_codes(0..nodes, &mut counts))),
    })
}

/// Runs `work` in rounds, and returns the nanoseconds of the best round divided by `count` values.
fn best(count: usize, work: &mut dyn FnMut()) -> f64 {
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_nanos()
    });
    let ns = rounds.min().unwrap_or(0) as f64 / count.max(1) as f64;
    (ns * 1000.0).round() / 1000.0
}
