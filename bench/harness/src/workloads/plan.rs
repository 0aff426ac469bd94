//! The questions of the benchmark for Varvite and its peers, in the order of reports.

use crate::record::results::{COMPACT_1, COMPACT_2, FLATGRAPH, JOERN};
use crate::workloads::columns;

/// One question, with the name of its workload in Varvite and in each peer.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The name of Varvite's workload, and of the row in results.
    pub name: &'static str,
    /// The human-readable title.
    pub title: &'static str,
    /// The name of flatgraph's workload with plain loops; if several give this answer, the fastest one.
    pub flatgraph: Option<&'static str>,
    /// The name of the workload with Joern's steps; `None` if the steps cannot express the question.
    pub joern: Option<&'static str>,
    /// Whether figures are the time of a round divided by its number of operations.
    pub is_per_operation: bool,
    /// The edge label that the question needs, if this label belongs to an overlay that not every graph has.
    pub needs: Option<&'static str>,
}

impl Asked {
    /// The name of the workload on a side; `None` if the side cannot answer.
    pub fn workload_of(&self, side: &str) -> Option<&'static str> {
        match side {
            FLATGRAPH => self.flatgraph,
            JOERN => self.joern,
            COMPACT_1 | COMPACT_2 => {
                Some(self.name).filter(|name| columns::names().any(|known| known == *name))
            }
            _ => Some(self.name),
        }
    }
}

const fn alone(name: &'static str, title: &'static str) -> Asked {
    Asked { name, title, flatgraph: None, joern: None, is_per_operation: false, needs: None }
}

const fn against(name: &'static str, flatgraph: &'static str, title: &'static str) -> Asked {
    Asked { flatgraph: Some(flatgraph), ..alone(name, title) }
}

const fn both(name: &'static str, title: &'static str) -> Asked {
    against(name, name, title)
}

const fn all(name: &'static str, title: &'static str) -> Asked {
    Asked { joern: Some(name), ..both(name, title) }
}

const fn along(needs: &'static str, name: &'static str, title: &'static str) -> Asked {
    Asked { needs: Some(needs), ..all(name, title) }
}

/// Questions about columns for Varvite with the profile `compact` and for column engines, on one thread and
/// on two.
pub const COLUMNS: [Asked; 20] = [
    alone("column_order_sum", "sum of ORDER over all nodes"),
    against("column_call_order", "call_order", "CALL with ORDER > 2, counted"),
    alone("column_call_names", "CALL grouped by NAME, counted"),
    alone("column_labels", "all nodes grouped by label, counted"),
    alone("column_last_lines", "the 20 nodes with the greatest LINE_NUMBER"),
    alone("column_most_called", "callees of every CALL grouped by FULL_NAME, the 5 most called"),
    against("column_callees", "callee_names", "names of the callees of every CALL"),
    alone("column_name_frequent", "CALL with NAME = `<operator>.assignment`, counted"),
    against("column_name_rare", "name_equality_scan", "CALL with NAME = `memcpy`, counted"),
    alone("column_name_of_five", "CALL with one of five NAMEs, counted"),
    alone("column_lines_1", "nodes in 0.1 % of the LINE_NUMBERs, counted"),
    alone("column_lines_100", "nodes in 10 % of the LINE_NUMBERs, counted"),
    alone("column_lines_900", "nodes in 90 % of the LINE_NUMBERs, counted"),
    alone("column_lines_order_1", "those in 0.1 % with ORDER > 2, counted"),
    alone("column_lines_order_100", "those in 10 % with ORDER > 2, counted"),
    alone("column_lines_order_900", "those in 90 % with ORDER > 2, counted"),
    alone("column_line_by_file", "least and greatest LINE_NUMBER of each FILENAME"),
    alone("column_order_by_label", "mean ORDER of each label"),
    alone("column_nodes_csv", "all nodes as CSV, five columns"),
    alone("column_nodes_jsonl", "the same as JSON lines"),
];

/// Every question about an open graph. `load_everything` must stay first, because the peer then has only
/// opened the graph, and its measured memory is that of this workload.
pub const ASKED: [Asked; 32] = [
    both("load_everything", "everything: all lists both ways, all values"),
    both("ast_dfs", "AST from its roots, by walking (astDFS)"),
    both("ast_below_methods", "AST below every METHOD, by walking"),
    against(
        "ast_below_methods_count",
        "ast_below_methods",
        "the same count through the subtree index (flatgraph walks)",
    ),
    alone("ast_below_methods_labels", "the same, counted by label through the index"),
    alone("ast_below_methods_scan", "the same nodes one by one, without a walk"),
    both("ast_up", "every node up to its AST root (astUp)"),
    both("identifier_up", "IDENTIFIER up to METHOD"),
    both("cfg_reachability", "CFG reachability per METHOD"),
    both("callee_names", "names of the callees of every CALL"),
    both("order_sum", "sum of ORDER over AST nodes (orderSum)"),
    both("call_order", "CALL with ORDER > 2 (callOrder)"),
    both("name_equality_scan", "CALL by NAME, warm, no index"),
    against(
        "name_equality_cold",
        "name_equality_index_build",
        "CALL by NAME, first look-up: Varvite opens the file, flatgraph builds its hash index",
    ),
    against(
        "name_equality_index_cold",
        "name_equality_index_build",
        "CALL by NAME, first look-up by index: Varvite's is in the file, flatgraph builds it",
    ),
    Asked {
        is_per_operation: true,
        ..both("name_equality_index_warm", "CALL by NAME, each further look-up by the index")
    },
    all("code_contains", "CALL whose CODE contains `skb`"),
    all("method_name_regex", "METHOD by a regular expression on NAME"),
    Asked {
        joern: Some("callee_names"),
        ..against(
            "callee_names_pipeline",
            "callee_names",
            "names of the callees of every CALL, through a pipeline",
        )
    },
    all("descendants_by_label", "descendants of every METHOD, counted by label (flatgraph walks)"),
    all("identifier_method", "nearest METHOD above every IDENTIFIER"),
    all("transitive_callers", "transitive callers of `memcpy`, each once, with depth"),
    all("query_dangerous_calls", "1. calls of functions that are never safe"),
    all("query_format_strings", "2. format strings that are no constants"),
    all("query_complex_methods", "3. complex methods"),
    all("query_truncated_lengths", "4. lengths in types too small for them"),
    all("query_copy_loops", "5. copy loops"),
    all("query_calls_without_guard", "6. calls without their guard"),
    all("query_shared_arguments", "7. two operations on one thing"),
    all("query_unchecked_results", "8. results that nobody checks"),
    along("REACHING_DEF", "query_freed_fields", "9. freed fields that stay"),
    along("REACHING_DEF", "query_tainted_arguments", "10. arguments that values from outside reach"),
];
