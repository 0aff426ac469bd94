//! `varvite import` of a GraphML document.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use varvite_import::graphml::GraphmlImport;

use super::import_target::{Target, note_counts};
use crate::failure::Outcome;

/// Arguments of `varvite import` for GraphML.
#[derive(Debug, Args)]
#[command(next_help_heading = "With a GraphML document")]
pub(crate) struct GraphmlArgs {
    /// Key that has the labels of nodes; other keys become properties [default: labels, labelV and label]
    #[arg(long, value_name = "KEY", conflicts_with_all = ["into", "nodes"])]
    node_labels: Option<String>,
    /// Key that has the labels of edges without the attribute label [default: label and labelE]
    #[arg(long, value_name = "KEY", conflicts_with_all = ["into", "nodes"])]
    edge_labels: Option<String>,
}

impl GraphmlArgs {
    /// Whether any of the options was given.
    pub(super) fn is_given(&self) -> bool {
        self.node_labels.is_some() || self.edge_labels.is_some()
    }

    /// Runs the import, and reports the result.
    pub(super) fn import(&self, source: &Path, target: &Target<'_>) -> Outcome {
        let import = GraphmlImport::new(source)
            .profile(target.profile)
            .codec(target.codec)
            .if_exists(target.if_exists)
            .expansion(target.expansion)
            .vfs(Arc::clone(&target.disk));
        let import = target.indexes.iter().fold(import, |import, name| import.index(name));
        let import = target.tree.into_iter().fold(import, GraphmlImport::tree);
        let import = self.node_labels.iter().fold(import, GraphmlImport::node_labels);
        let import = self.edge_labels.iter().fold(import, GraphmlImport::edge_labels);
        let (report, imported) = target.run(|task| import.task(task).write_to(target.path))?;
        note_counts(&[
            (report.undirected, "edge", "without a direction: imported from source to target"),
            (
                report.graph_data,
                "value",
                "of the document's graph element left out: a graph has no properties",
            ),
            (report.empty_values, "empty value", "of number, boolean or list type read as null"),
            (report.drawings, "drawing", "without a caption left out"),
            (report.misplaced_values, "value", "whose key is for other elements left out"),
        ]);
        let others = vec![
            ("undirected_edges", report.undirected.into()),
            ("graph_data", report.graph_data.into()),
            ("empty_values", report.empty_values.into()),
            ("drawings", report.drawings.into()),
            ("misplaced_values", report.misplaced_values.into()),
        ];
        target.report(&imported, others)
    }
}
