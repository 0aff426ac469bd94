//! [`FunctionBatch`]: some functions in flat arrays.

/// Some functions, one after the other, in flat arrays: those of nodes have an entry for each node of each
/// function, those of edges for each edge.
#[derive(Clone, Debug, Default)]
pub struct FunctionBatch {
    /// The METHOD of each function.
    pub methods: Vec<u32>,
    /// Where the nodes of each function start, and the end of the last.
    pub node_offsets: Vec<i64>,
    /// The id of each node in the graph.
    pub nodes: Vec<u32>,
    /// The label of each node, as a number in [`varvite::Graph::labels`]. A node with several labels has the
    /// first of them.
    pub node_types: Vec<i64>,
    /// The line of each node; -1 if it has none.
    pub lines: Vec<i64>,
    /// The CODE of each node, as an index of the batch's texts; -1 if it has none.
    pub codes: Vec<i64>,
    /// Where the edges of each function start, and the end of the last.
    pub edge_offsets: Vec<i64>,
    /// The source of each edge, counted from the first node of its function.
    pub sources: Vec<i64>,
    /// The target of each edge, counted likewise.
    pub targets: Vec<i64>,
    /// The label of each edge, as a number in [`super::FunctionOptions::edge_labels`].
    pub edge_types: Vec<i64>,
    /// Where each text starts in `text_bytes`, and the end of the last.
    pub text_offsets: Vec<i64>,
    /// The texts of CODE in this batch, each once, in UTF-8.
    pub text_bytes: Vec<u8>,
    /// Where the tokens of each text start, and the end of the last.
    pub token_offsets: Vec<i64>,
    /// The ids of the tokens of each text.
    pub tokens: Vec<i64>,
}

impl FunctionBatch {
    pub(super) fn new() -> Self {
        let start = || vec![0];
        Self {
            node_offsets: start(),
            edge_offsets: start(),
            text_offsets: start(),
            token_offsets: start(),
            ..Self::default()
        }
    }

    /// The number of functions.
    pub fn len(&self) -> usize {
        self.methods.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    /// A text by its index; empty if there is none.
    pub fn text(&self, index: i64) -> &str {
        let range = || {
            let index = usize::try_from(index).ok()?;
            let (start, end) = (*self.text_offsets.get(index)?, *self.text_offsets.get(index + 1)?);
            self.text_bytes.get(start as usize..end as usize)
        };
        range().and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}
