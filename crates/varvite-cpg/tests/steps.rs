//! Compares the labels and inverses in the table of steps with the steps' results on the graph of zlib.

use std::collections::BTreeSet;

use varvite::pipeline::{Options, ids};
use varvite_cpg::{Argument, ArgumentType, CpgError, StepDescription, steps};

use super::zlib;

/// The steps along edges that the graph of zlib does not have.
const WITHOUT_EDGES: [&str; 1] = ["tags"];

/// The nodes with any of these labels. The label `any` means every node.
fn nodes_with(labels: &[&str]) -> Vec<u32> {
    if labels.contains(&"any") {
        return (0..zlib().node_count()).collect();
    }
    // A label that the graph of zlib lacks has no nodes.
    let nodes = labels.iter().filter_map(|label| zlib().nodes(label).ok());
    nodes.flat_map(|nodes| nodes.iter().collect::<Vec<_>>()).collect()
}

/// Arguments with which the step gives results on the graph of zlib.
fn arguments(step: &StepDescription) -> Vec<Argument> {
    let argument = |holds| match holds {
        ArgumentType::Texts => ["memcpy", "<operator>.addition"].as_slice().into(),
        _ => Argument::from(2),
    };
    step.parameters.iter().map(|parameter| argument(parameter.holds)).collect()
}

/// The results of a step from all these nodes together.
fn results(step: &StepDescription, from: &[u32]) -> Result<Vec<u32>, CpgError> {
    let pipeline = step.append(ids(from.iter().copied()), &arguments(step)).unwrap();
    let mut run = pipeline.compile(zlib())?.run(Options::default());
    let mut nodes = Vec::new();
    while let Some(rows) = run.next()? {
        nodes.extend_from_slice(rows.nodes().unwrap());
    }
    Ok(nodes)
}

/// About `count` of the nodes, spread evenly over the list.
fn some_of(nodes: Vec<u32>, count: usize) -> Vec<u32> {
    let every = nodes.len().div_ceil(count).max(1);
    nodes.into_iter().step_by(every).collect()
}

/// Every step for which the graph of zlib has edges, with the step's results.
fn asked() -> impl Iterator<Item = (&'static StepDescription, BTreeSet<u32>)> {
    steps().iter().filter(|step| !WITHOUT_EDGES.contains(&step.name)).map(|step| {
        let from = some_of(nodes_with(step.from), 8000);
        (step, results(step, &from).unwrap().into_iter().collect())
    })
}

#[test]
fn steps_lead_to_the_labels_that_the_table_names() {
    for (step, found) in asked() {
        let to: BTreeSet<u32> = nodes_with(step.to).into_iter().collect();
        assert!(found.is_subset(&to), "{} leads to others than {:?}", step.name, step.to);
        assert!(!found.is_empty(), "{} is tested by something", step.name);
    }
}

/// Both steps of a pair name each other as inverse, so the test covers both directions.
#[test]
fn an_inverse_leads_back() {
    for (step, ends) in asked() {
        let Some(inverse) = step.inverse else { continue };
        let inverse = steps().iter().find(|other| other.name == inverse).unwrap();
        let from: BTreeSet<u32> = nodes_with(step.from).into_iter().collect();
        for end in some_of(ends.into_iter().collect(), 40) {
            let mut starts = results(inverse, &[end]).unwrap();
            starts.retain(|start| from.contains(start));
            assert!(!starts.is_empty(), "{} does not lead back from {end}", inverse.name);
            for start in some_of(starts, 3) {
                let leads_on = results(step, &[start]).unwrap().contains(&end);
                assert!(leads_on, "{} leads from {end} to {start}, and {} not back", inverse.name, step.name);
            }
        }
    }
}

#[test]
fn a_step_along_edges_that_a_graph_lacks_is_refused() {
    for name in WITHOUT_EDGES {
        let step = steps().iter().find(|step| step.name == name).unwrap();
        assert!(matches!(results(step, &[0]), Err(CpgError::Pipeline(_))), "{name}");
    }
}
